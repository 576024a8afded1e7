"""The port against those who speak HTTP badly: whole answers in the right order, or the line is closed."""

from __future__ import annotations

import contextlib
import json
import socket
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import httpx
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tafelrunde import wire
from tafelrunde.server.http import MOST_FIELDS, MOST_HEAD
from tests.server.port import (
    KEY,
    TABLE,
    Answer,
    frame,
    post,
    post_in_chunks,
    read_all,
    read_answers,
    read_frames,
    request,
    tagged,
    talk,
    upgrade,
)
from tests.server.running import RunningServer
from tests.server.test_abuse import check_headers
from tests.waiting import PATIENCE_S

pytestmark = pytest.mark.slow

MOST_LOG = 20_000
"""So many bytes may all of this leave in the log."""

few = settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@dataclass(frozen=True)
class Part:
    """Something that is sent, and how it has to be answered."""

    sent: bytes
    status: int
    """0 if it is to be refused in whatever way."""
    tag: str | None = None
    without_body: bool = False
    last: bool = False
    """Nothing that follows is answered."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    running = RunningServer(tmp_path_factory.mktemp("port") / "tables.db")
    yield running
    assert httpx.get(f"{running.url}/healthz").json()["status"] == "ok"
    assert running.stop() == 0
    log = "".join(running.log)
    assert "Traceback" not in log, log
    assert len(log) < MOST_LOG, log


@pytest.fixture(scope="module")
def code(server: RunningServer) -> str:
    return str(httpx.post(f"{server.url}/api/tables", json=TABLE).json()["code"])


# --- What is sent ---------------------------------------------------------------------------------------------------


def tagged_parts(number: int) -> list[Part]:
    """The same question in several ways; the answer names the tag."""
    tag = f"tag{number}"
    body = json.dumps(TABLE | {tag: 1}).encode()
    h2c = ("Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c")
    ways = [
        tagged(tag), post_in_chunks(body), post_in_chunks(body[:9], body[9:], trailer="Host: y\r\nX: y\r\n"),
        post_in_chunks(*(bytes([byte]) for byte in body)), post(body.replace(b",", b",\r\n\r\n")), post(body, *h2c),
        b"\r\n\r\n" + tagged(tag), post(body, "Expect: 100-continue"), post(body, "Connection: keep-alive", "X:"),
        post_in_chunks(body).replace(b"\r\n0\r\n", b"\r\n000;and=more\r\n"), post(body, "Upgrade: websocket"),
    ]  # fmt: skip
    return [Part(way, 422, tag) for way in ways]


OTHERS = [
    Part(request(), 200), Part(request("GET http://tafel/healthz?x=%ff"), 200), Part(request("GET /nowhere"), 404),
    Part(request("GET //evil.example/%2e%2e"), 404), Part(request("DELETE /api/games"), 405),
    Part(request("HEAD /healthz"), 405, without_body=True), Part(request("TRACE /healthz"), 405),
    Part(request("OPTIONS *"), 404),
    Part(request("GET /healthz", "Connection: Upgrade", "Upgrade: h2c"), 200),
    Part(request("GET /healthz", "Content-Length: 5", body=b"GET /"), 200),
    Part(request("GET /api/tables/kafemulo/socket", "Upgrade: websocket"), 404),
    Part(upgrade("kafemulo", "Content-Length: 0"), 404), Part(upgrade("kafemulo").replace(b"GET", b"POST"), 404),
]  # fmt: skip
LAST = [
    Part(request("GET /healthz", "Connection: close"), 200, last=True),
    Part(request("GET /nowhere", version="1.0"), 404, last=True),
    Part(request("GET /healthz", "Connection: keep-alive", version="1.0"), 200, last=True),
    Part(post(b" " * (wire.LONGEST_MESSAGE + 1)), 413, last=True),
    Part(post_in_chunks(b" " * (wire.LONGEST_MESSAGE + 1)), 413, last=True),
]  # fmt: skip


def good(number: int) -> st.SearchStrategy[Part]:
    return st.sampled_from(tagged_parts(number) + OTHERS)


@st.composite
def pipelines(draw: st.DrawFn, most: int = 20) -> list[Part]:
    """Requests that are as they should be; most are few."""
    count = draw(st.sampled_from([0, 1, 1, 2, 2, 3, 5, 8, most]))
    return [draw(good(number)) for number in range(count)]


def is_no_beginning(noise: bytes) -> bool:
    return not (noise[:1].isupper() or noise[:1] in b"\r\n")


CHUNKED = request("POST /healthz", "Transfer-Encoding: chunked")
BAD = [
    CHUNKED + b"zz\r\n", CHUNKED + b"-1\r\n", CHUNKED + b"5\nhello\n0\n\n", CHUNKED + b"5\r\nhello!\r\n0\r\n\r\n",
    CHUNKED + b"f" * 17 + b"\r\n", CHUNKED + b" 5\r\nhello\r\n", CHUNKED + b"0\r\nno colon\r\n\r\n",
    CHUNKED + b"5\r\nhello0\r\n\r\n", CHUNKED + b"0x5\r\nhello\r\n0\r\n\r\n", CHUNKED + b"\r\n0\r\n\r\n",
    request("POST /healthz", "Expect: 100-continue", "Transfer-Encoding: chunked", body=b"zz\r\n"),
    request("POST /healthz", "Content-Length: 5", "Transfer-Encoding: chunked", body=b"0\r\n\r\n"),
    request("POST /healthz", "Transfer-Encoding: chunked", "Content-Length: 5", body=b"0\r\n\r\n"),
    request("POST /healthz", "Transfer-Encoding: chunked, identity", body=b"0\r\n\r\n"),
    request("POST /healthz", "Transfer-Encoding: identity", "Content-Length: 5", body=b"hello"),
    request("POST /healthz", "Transfer-Encoding: gzip, chunked", body=b"0\r\n\r\n"),
    request("POST /healthz", "Transfer-Encoding: \x0bchunked", body=b"0\r\n\r\n"),
    request("POST /healthz", "Transfer-Encoding:", body=b"hello"),
    request("POST /healthz", "Transfer-Encoding: chunked", body=b"0\r\n\r\n", version="1.0"),
    request("POST /healthz", "Content-Length: 5", "Content-Length: 6", body=b"hello"),
    request("POST /healthz", "Content-Length: 5, 5", body=b"hello"), request("GET /healthz", "Content-Length: -1"),
    request("POST /healthz", "Content-Length: +5", body=b"hello"), request("GET /healthz", "Content-Length: 1e1"),
    request("POST /healthz", "Content-Length : 5", body=b"hello"), request("GET /healthz", "Content-Length:"),
    request("GET /healthz", f"Content-Length: {1 << 64}"), request("GET /healthz", "Host: another"),
    b"GET /healthz HTTP/1.1\r\n\r\n", b"GET /healthz HTTP/1.1\nHost: tafel\n\n", b"GET /healthz\r\n\r\n",
    b"GET /healthz HTTP/1.1\r\nHost: tafel\r\n\n", b"GET /healthz HTTP/1.1\r\nHost: tafel\n\r\n",
    b"GET /healthz HTTP/1.1\r\nHost: tafel\r\nX: y\rZ: y\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    request("GET /heal\0thz"), request("GET /healthz", "X: \0"), request("GET /healthz", "X\0: y"),
    request("GET /healthz", "X y: z"), request("GET /healthz", ": y"), request("GET /healthz", "no colon"),
    request("GET /healthz", "X: y", " folded"), request("GET /healthz", " X: y"), request("get /healthz"),
    request("GeT /healthz"), request("SPEAK /healthz"), request("GET tafel:80"), request("CONNECT tafel:80"),
    request("CONNECT /healthz"), request("GET healthz"), request("GET http://"),
    request("GET http://[::1"), request("GET"), request("GET  "), request("GET /a b"), request(version="1.2"),
    request(version="9.9"), request(version="2.0"), request(version="1.11"), request(version="-1.1"),
    b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
]  # fmt: skip
sizes = st.integers(MOST_HEAD, 20 * MOST_HEAD)
bad = st.one_of(
    st.sampled_from(BAD),
    st.binary(min_size=1, max_size=300).filter(is_no_beginning),
    sizes.map(lambda size: request("GET /healthz", f"X: {'y' * size}")),
    sizes.map(lambda size: request("GET /healthz", f"{'X' * size}: y")),
    sizes.map(lambda size: request(f"GET /{'y' * size}")),
    sizes.map(lambda size: b"\r\n" * size),
    st.integers(MOST_FIELDS, 5000).map(lambda count: request("GET /healthz", *["X: y"] * count)),
).map(lambda sent: Part(sent, 0, last=True))


def sockets(code: str) -> st.SearchStrategy[Part]:
    """Wishes to become a socket, and what is said behind them without waiting for an answer."""
    wishes = [
        (upgrade(code), 101), (upgrade(code, "Content-Type: x"), 101), (upgrade("nosuch"), 101),
        (upgrade("a/b"), 404), (upgrade(code, "Origin: https://evil.example"), 403), (upgrade(code, "Host: y"), 0),
        (upgrade(code).replace(KEY.encode(), b"x"), 400), (upgrade(code).replace(b": 13", b": 99"), 400),
        (upgrade(code).replace(b"HTTP/1.1", b"HTTP/1.0"), 404),
    ]  # fmt: skip
    return st.sampled_from([Part(sent, status, last=True) for sent, status in wishes])


frames = st.lists(
    st.one_of(
        st.sampled_from([
            frame(b'{"do":"hello"}'), frame(b'{"do":"look","id":"1"}'), frame(b"ping", 0x89), frame(b"", 0x88),
            frame(b"\x03\xe8bye", 0x88), frame(b"{", 0x01), frame(b"}", 0x80), frame(b"x", 0x82), frame(b"", 0x83),
            bytes([0x81, 4]) + b"bare", b"\x81\xff" + b"\xff" * 12, frame(b'{"do":"hello"}')[:5], frame(b"x" * 5000),
        ]),
        st.binary(max_size=40),
        st.just(request()),
    ),
    max_size=4,
).map(b"".join)  # fmt: skip


# --- What comes back ------------------------------------------------------------------------------------------------


def check(sent: Sequence[Part], length: int, heard: bytes) -> None:
    """Is this what has to come if so many bytes of these parts were sent?"""
    wanted: list[Part] = []
    torn = False
    for part in sent:
        length -= len(part.sent)
        torn = length < 0
        if torn:
            break
        wanted.append(part)
        if part.last:
            break
    heads = [number for number, part in enumerate(wanted) if part.without_body]
    answers, rest = read_answers(heard, heads)
    if torn and len(answers) == len(wanted) + 1:
        assert 400 <= answers.pop().status < 500
    assert len(answers) == len(wanted), (wanted, answers)
    for part, answer in zip(wanted, answers, strict=True):
        check_answer(part, answer)
    if answers and answers[-1].status == 101:
        read_frames(rest)


def check_answer(part: Part, answer: Answer) -> None:
    assert answer.status == (part.status or (431 if answer.status == 431 else 400)), (part, answer)
    if answer.status == 101:
        return
    check_headers(httpx.Headers(answer.headers))
    if answer.status >= 400 and not part.without_body:
        refusal = wire.Refusal.model_validate_json(answer.body)
        assert part.tag is None or refusal.sentence.startswith(f"{part.tag}:")
    if part.status == 0:
        assert answer.headers["connection"] == "close"


def cut(sent: bytes, places: Sequence[float]) -> list[bytes]:
    """The same in packets."""
    edges = [0, *sorted(int(place * len(sent)) for place in places), len(sent)]
    return [sent[start:end] for start, end in pairwise(edges) if end > start]


def send(server: RunningServer, parts: Sequence[Part], places: Sequence[float], end: float | None = None) -> None:
    """Send all this up to there, and look at what comes."""
    whole = b"".join(part.sent for part in parts)
    if end is not None:
        whole = whole[: int(end * len(whole))]
    check(parts, len(whole), talk(server.port, *cut(whole, places)))


places = st.lists(st.floats(0, 1), max_size=6)


def test_requests_are_answered_in_order_however_they_are_cut(server: RunningServer) -> None:
    @few
    @given(pipelines(), st.sampled_from(LAST) | st.none(), pipelines(most=3), places)
    def try_it(parts: list[Part], last: Part | None, after: list[Part], places: list[float]) -> None:
        send(server, [*parts, *([last, *after] if last else [])], places)

    try_it()


def test_a_line_may_end_at_any_byte(server: RunningServer, code: str) -> None:
    @few
    @given(pipelines(most=5), sockets(code) | bad | st.none(), places, st.floats(0, 1))
    def try_it(parts: list[Part], last: Part | None, places: list[float], end: float) -> None:
        send(server, [*parts, *([last] if last else [])], places, end)

    try_it()


def test_what_is_no_request_ends_the_line_with_one_refusal_in_its_turn(server: RunningServer) -> None:
    @few
    @given(pipelines(most=5), bad, pipelines(most=3), places, st.booleans())
    def try_it(parts: list[Part], wrong: Part, after: list[Part], places: list[float], half_close: bool) -> None:
        parts = [*parts, wrong, *after]
        whole = b"".join(part.sent for part in parts)
        check(parts, len(whole), talk(server.port, *cut(whole, places), half_close=half_close))

    try_it()


def test_each_of_them_is_refused(server: RunningServer) -> None:
    for wrong in BAD:
        send(server, [OTHERS[0], Part(wrong, 0, last=True), *OTHERS[:2]], [])


def test_a_socket_begins_after_all_answers_and_nothing_but_frames_follow(server: RunningServer, code: str) -> None:
    @few
    @given(pipelines(most=5), sockets(code), frames, pipelines(most=2), places)
    def try_it(parts: list[Part], wish: Part, said: bytes, after: list[Part], places: list[float]) -> None:
        send(server, [*parts, wish, Part(said, 0), *after], places)

    try_it()


def test_whoever_stops_in_the_middle_is_not_waited_for(start_server: Callable[..., RunningServer]) -> None:
    server = start_server(hello_s="2")
    heads = [tagged("tag").partition(b"\r\n\r\n")[0], upgrade("kafemulo")[:-2], CHUNKED[:-1], b"\r\n", b"", b"GET "]
    cases = [(OTHERS[:3] if head.strip() else [], head) for head in heads] + [([], head) for head in heads]
    with contextlib.ExitStack() as stack:
        lines = []
        for before, head in cases:
            line = stack.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE_S))
            line.sendall(b"".join(part.sent for part in before) + head)
            lines.append((before, line))
        for before, line in lines:
            answers, _ = read_answers(read_all(line))
            assert [answer.status for answer in answers] == [part.status for part in before[: len(answers)]]
    assert httpx.get(f"{server.url}/healthz").json()["status"] == "ok"
