"""Several requests on one line, and lines that end at odd moments: answers come in order, or the line is closed."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import socket
import struct
from collections.abc import Callable, Iterator
from functools import partial

import httpx
import pytest
import uvicorn
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

from tafelrunde import wire
from tafelrunde.server import http
from tafelrunde.server.http import MOST_FIELDS, MOST_HEAD, http_protocol
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
from tests.waiting import PATIENCE_S, until

pytestmark = pytest.mark.process

Start = Callable[..., RunningServer]
HELLO = b'{"do":"hello"}'


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server of whose log nothing is to be heard."""
    running = RunningServer(tmp_path_factory.mktemp("quiet") / "tables.db")
    yield running
    assert running.stop() == 0
    loud = [line for line in running.log if '"level": "info"' not in line and "WS parser error" not in line]
    assert not loud, "".join(loud)


@pytest.fixture(scope="module")
def code(quiet: RunningServer) -> str:
    made = httpx.post(f"{quiet.url}/api/tables", json=TABLE)
    return str(made.json()["code"])


def answered(server: RunningServer, *packets: bytes, half_close: bool = True) -> list[Answer]:
    answers, rest = read_answers(talk(server.port, *packets, half_close=half_close))
    assert rest == b""
    return answers


def check_refused(answer: Answer, status: int, code: str) -> None:
    assert answer.status == status
    assert answer.headers["connection"] == "close"
    check_headers(httpx.Headers(answer.headers))
    assert wire.Refusal.model_validate_json(answer.body).code == code


def check_tags(answers: list[Answer], *tags: str) -> None:
    assert [answer.told["sentence"].split(":")[0] for answer in answers] == list(tags)


# --- In order -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("packet", [1_000_000, 1000, 7], ids=["at once", "cut", "in crumbs"])
def test_requests_that_come_together_are_answered_in_their_order(quiet: RunningServer, packet: int) -> None:
    tags = [f"tag{number}" for number in range(200 if packet > 7 else 20)]
    together = b"".join(
        tagged(tag) if number % 3 else post_in_chunks(*chunks(tag), trailer="X: y\r\n")
        for number, tag in enumerate(tags)
    )
    check_tags(answered(quiet, *(together[at : at + packet] for at in range(0, len(together), packet))), *tags)


def chunks(tag: str) -> list[bytes]:
    """A body in which ends of requests seem to be, in two pieces."""
    body = json.dumps(TABLE | {tag: 1}).encode().replace(b",", b",\r\n\r\n")
    return [body[:20], body[20:]]


@pytest.mark.parametrize("count", [1, 2, 9])
def test_whoever_has_said_all_that_they_want_still_gets_every_answer(quiet: RunningServer, count: int) -> None:
    for _ in range(5):
        answers = answered(quiet, request() * count)
        assert [answer.status for answer in answers] == [200] * count


def test_whoever_reads_late_still_gets_every_answer(quiet: RunningServer) -> None:
    asked = request("GET /api/openapi.json") * 300
    answers = answered(quiet, asked + tagged("after"))
    assert len(answers) == 301
    assert len({answer.body for answer in answers[:-1]}) == 1
    assert sum(len(answer.body) for answer in answers) > 5_000_000, "more than fits into the line"
    check_tags(answers[-1:], "after")


def test_a_line_may_end_anywhere_in_a_request(quiet: RunningServer) -> None:
    for whole in (tagged("tag"), post_in_chunks(*chunks("tag")), upgrade("kafemulo")):
        for end in range(0, len(whole), 5):
            answers = answered(quiet, request() + whole[:end])
            assert [answer.status for answer in answers] in ([200], [200, 400])


def test_nothing_follows_upon_a_last_request(quiet: RunningServer) -> None:
    for last in (request("GET /healthz", "Connection: close"), request("GET /healthz", version="1.0")):
        answers = answered(quiet, request("GET /nowhere") + last + request("GET /api/games"), half_close=False)
        assert [answer.status for answer in answers] == [404, 200]


def test_what_is_no_request_is_refused_after_the_requests_before_it(quiet: RunningServer) -> None:
    answers = answered(quiet, tagged("tag1") + tagged("tag2") + b"\x16\x03\x01\r\n\r\n" + tagged("tag3"))
    check_tags(answers[:-1], "tag1", "tag2")
    check_refused(answers[-1], 400, "bad-message")


# --- Sockets --------------------------------------------------------------------------------------------------------


def hears(line: socket.socket, wanted: bytes) -> bytes:
    """All that comes up to these bytes."""
    heard = b""
    while wanted not in heard:
        some = line.recv(65536)
        assert some, heard
        heard += some
    return heard


@pytest.mark.parametrize("before", [b"", request(), tagged("tag") * 3], ids=["alone", "after one", "after three"])
def test_a_socket_in_the_same_packet_begins_after_the_answers_and_loses_nothing(
    quiet: RunningServer, code: str, before: bytes
) -> None:
    with socket.create_connection(("127.0.0.1", quiet.port), timeout=PATIENCE_S) as line:
        line.sendall(before + upgrade(code) + frame(HELLO) + frame(b'{"do":"look","id":"first"}'))
        heard = hears(line, b'"first"')
        line.sendall(frame(b'{"do":"look","id":"second"}'))
        heard += hears(line, b'"second"')
        line.sendall(frame(b"", 0x88))
        heard += read_all(line)
    answers, rest = read_answers(heard)
    assert [answer.status for answer in answers] == [200] * before.count(b"GET") + [422] * before.count(b"POST") + [101]
    texts = [json.loads(payload) for kind, payload in read_frames(rest) if kind == 1]
    assert texts[0]["type"] == "welcome"
    assert [text["id"] for text in texts if text.get("id")] == ["first", "second"]


def test_a_line_that_was_kept_may_become_a_socket(quiet: RunningServer, code: str) -> None:
    with socket.create_connection(("127.0.0.1", quiet.port), timeout=PATIENCE_S) as line:
        for _ in range(2):
            line.sendall(request("GET /nowhere"))
            assert hears(line, b'"}').startswith(b"HTTP/1.1 404 ")
        line.sendall(upgrade(code))
        assert hears(line, b"\r\n\r\n").startswith(b"HTTP/1.1 101 ")
        line.sendall(frame(HELLO))
        assert b'"welcome"' in hears(line, b'"welcome"')


def test_a_socket_that_is_refused_is_refused_in_its_turn(quiet: RunningServer, code: str) -> None:
    for wish, status in ((upgrade("a/b"), 404), (upgrade(code, "Origin: https://evil.example"), 403),
                         (upgrade(code).replace(KEY.encode(), b"short"), 400)):  # fmt: skip
        answers = answered(quiet, tagged("tag") + wish + frame(HELLO) + tagged("never"))
        check_tags(answers[:1], "tag")
        assert [answer.status for answer in answers] == [422, status]
        check_headers(httpx.Headers(answers[1].headers))
        wire.Refusal.model_validate_json(answers[1].body)


def test_frames_that_are_none_right_behind_the_handshake_only_end_the_line(quiet: RunningServer, code: str) -> None:
    for noise in (b"\xff" * 50, request(), frame(HELLO)[:4], frame(b"\xff", 0x83), b"\x81\xff" + b"\xff" * 12):
        (answer,), rest = read_answers(talk(quiet.port, upgrade(code) + noise))
        assert answer.status == 101
        read_frames(rest)


@pytest.mark.parametrize("wish", ["h2c", "websocket, h2c", "TLS/1.0"])
def test_a_wish_for_another_protocol_is_ignored(quiet: RunningServer, wish: str) -> None:
    fields = ("Connection: Upgrade, HTTP2-Settings", f"Upgrade: {wish}", "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA")
    answers = answered(
        quiet,
        request("GET /nowhere", *fields) + post(json.dumps(TABLE | {"tag": 1}).encode(), *fields) + tagged("after"),
    )
    assert answers[0].status == 404
    check_tags(answers[1:], "tag", "after")


# --- Of another kind ------------------------------------------------------------------------------------------------


def test_an_old_client_and_one_that_wants_no_body_are_answered(quiet: RunningServer) -> None:
    (answer,) = answered(quiet, request("GET /healthz", "Connection: keep-alive", version="1.0"))
    assert (answer.status, answer.told["status"]) == (200, "ok")
    heard = talk(quiet.port, request("HEAD /healthz") + tagged("after"))
    answers, _ = read_answers(heard, heads=[0])
    assert answers[0].status == 405
    check_tags(answers[1:], "after")


def test_whoever_waits_for_a_sign_to_go_on_gets_it(quiet: RunningServer) -> None:
    with socket.create_connection(("127.0.0.1", quiet.port), timeout=PATIENCE_S) as line:
        head, end, body = post(json.dumps(TABLE | {"tag": 1}).encode(), "Expect: 100-continue").partition(b"\r\n\r\n")
        line.sendall(head + end)
        assert hears(line, b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
        line.sendall(body)
        line.shutdown(socket.SHUT_WR)
        answers, _ = read_answers(read_all(line))
        check_tags(answers, "tag")


def test_nobody_gets_a_sign_to_go_on_after_a_refusal(quiet: RunningServer) -> None:
    fields = ("Expect: 100-continue", "Transfer-Encoding: chunked")
    heard = talk(quiet.port, request("POST /healthz", *fields, body=b"zz\r\n"), half_close=False)
    assert heard.startswith(b"HTTP/1.1 400 ")
    (refused,), _ = read_answers(heard)
    check_refused(refused, 400, "bad-message")


@pytest.mark.parametrize(
    "twofold",
    [
        request("POST /healthz", "Content-Length: 5", "Transfer-Encoding: chunked", body=b"0\r\n\r\n"),
        request("POST /healthz", "Content-Length: 5", "Content-Length: 5", body=b"hello"),
        request("POST /healthz", "Content-Length: 5", "Content-Length: 0", body=b"hello"),
        request("POST /healthz", "Transfer-Encoding: gzip, chunked", body=b"0\r\n\r\n"),
        request("POST /healthz", "Transfer-Encoding: chunked", "Transfer-Encoding: x", body=b"0\r\n\r\n"),
        request("POST /healthz", "Transfer-Encoding: xchunked", body=b"0\r\n\r\n"),
        request("POST /healthz", "Transfer-Encoding : chunked", body=b"0\r\n\r\n"),
        request("POST /healthz", "Transfer-Encoding: chunked", body=b"0\r\n\r\n", version="1.0"),
        request("POST /healthz", "Transfer-Encoding: chunked", body=b"5\nhello\n0\n\n"),
        request("POST /healthz", "Transfer-Encoding: chunked", body=b"0x5\r\nhello\r\n0\r\n\r\n"),
        request("GET /healthz", "Host: another"),
        request("GET /healthz", "X: y", " folded"),
        request("GET /healthz", version="2.0"),
        request("CONNECT tafel:443"),
        b"GET /healthz HTTP/1.1\r\n\r\n",
        b"GET /healthz HTTP/1.1\nHost: tafel\n\n",
        b"GET /healthz\r\n\r\n",
    ],
    ids=[
        "length and chunks", "length twice", "two lengths", "packed chunks", "coding twice", "unknown coding",
        "blank before the colon", "old client with chunks", "bare line feeds in chunks", "size that is none",
        "two hosts", "folded", "version two", "tunnel", "no host", "bare line feeds", "no version",
    ],
)  # fmt: skip
def test_what_can_be_read_in_two_ways_is_refused_and_the_line_closed(quiet: RunningServer, twofold: bytes) -> None:
    before, refused = answered(quiet, request("GET /nowhere") + twofold + request(), half_close=False)
    assert before.status == 404
    check_refused(refused, 400, "bad-message")


def test_a_head_beyond_all_measure_is_refused(quiet: RunningServer) -> None:
    for line, field in (("GET /healthz", "X: " + "y" * MOST_HEAD), ("GET /" + "y" * MOST_HEAD, "X: y")):
        check_refused(answered(quiet, request(line, field), half_close=False)[0], 431, "too-large")
        pieces = [request(line, field)[at : at + 1000] for at in range(0, MOST_HEAD, 1000)]
        check_refused(answered(quiet, *pieces, half_close=False)[0], 431, "too-large")
    many = [f"X-{number}: y" for number in range(MOST_FIELDS)]
    check_refused(answered(quiet, request("GET /healthz", *many))[0], 400, "bad-message")
    assert answered(quiet, request("GET /healthz", *many[1:]))[0].status == 200


def test_fields_behind_a_body_count_for_nothing(start_server: Start) -> None:
    server = start_server(behind_proxy="", creates_per_minute="2")
    body = json.dumps(TABLE).encode()
    asked = [post_in_chunks(body, trailer=f"X-Forwarded-For: 192.0.2.{number}\r\nX: y\r\n") for number in range(3)]
    assert [answer.status for answer in answered(server, *asked)] == [201, 201, 429]


# --- Gone -----------------------------------------------------------------------------------------------------------


def vanish(port: int, said: bytes) -> None:
    """Say something, and be gone as if the plug was pulled."""
    with socket.create_connection(("127.0.0.1", port)) as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        line.sendall(said)


def test_whoever_vanishes_leaves_no_trace(quiet: RunningServer, code: str) -> None:
    for said in (
        request("GET /api/openapi.json") * 20, tagged("tag"), tagged("tag")[:-1], post_in_chunks(b"x")[:-1],
        request() + upgrade(code) + frame(HELLO), upgrade(code) + frame(HELLO)[:3], b"\xff" * 100 + b"\r\n\r\n",
    ):  # fmt: skip
        for _ in range(10):
            vanish(quiet.port, said)
    numbers = httpx.get(f"{quiet.url}/metrics").text
    assert re.findall(r'^tafelrunde_http_requests_total.*status="5\d\d".*$', numbers, re.MULTILINE) == []


def test_whoever_does_not_read_the_answer_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "STUCK_S", 0.2)
    size = 100_000_000

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        headers = [(b"content-length", b"%d" % size)]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": bytes(size)})

    async def story() -> None:
        config = uvicorn.Config(app, http=http_protocol(10), ws="none", lifespan="off", log_config=None)
        config.load()
        state = ServerState()
        make = partial(http_protocol(10), config, state, {})
        async with await asyncio.get_running_loop().create_server(make, "127.0.0.1", 0) as listening:
            reader, writer = await asyncio.open_connection(*listening.sockets[0].getsockname(), limit=1)
            writer.write(request())
            assert await reader.readexactly(8) == b"HTTP/1.1"
            await until(lambda: not state.connections)
            writer.close()

    asyncio.run(story())


def test_what_is_no_request_is_counted_and_not_logged(quiet: RunningServer) -> None:
    def bad() -> int:
        found = re.search(
            r"^tafelrunde_bad_requests_total (\S+)$", httpx.get(f"{quiet.url}/metrics").text, re.MULTILINE
        )
        assert found
        return int(float(found[1]))

    before, lines = bad(), len(quiet.log)
    for _ in range(20):
        with contextlib.suppress(ConnectionError):
            check_refused(answered(quiet, b"what is this?\r\n\r\n", half_close=False)[0], 400, "bad-message")
    assert bad() == before + 20
    assert len(quiet.log) == lines
