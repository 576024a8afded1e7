"""HTTP against its own description, with all that the description allows and much that it does not."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tafelrunde import wire
from tafelrunde.client import Client
from tests.server.guests import PATIENT, Witness, sit_and_play
from tests.server.running import RunningServer
from tests.waiting import PATIENCE_S, until

pytestmark = pytest.mark.slow

CHECKS = [
    not_a_server_error, status_code_conformance, content_type_conformance, response_headers_conformance,
    response_schema_conformance,
]  # fmt: skip
OPERATIONS = [
    ("GET", "/api/games"), ("GET", "/api/lobby"), ("POST", "/api/tables"), ("GET", "/api/tables/{code}"),
    ("POST", "/api/tables/{code}/seats"), ("POST", "/api/tables/{code}/take"), ("GET", "/api/tables/{code}/games"),
    ("GET", "/api/tables/{code}/games/{match}/record"), ("GET", "/api/tables/{code}/games/{match}/replay"),
    ("GET", "/api/tables/{code}/games/{match}/receipts"), ("POST", "/api/replays"), ("GET", "/api/games/recent"),
    ("GET", "/healthz"), ("GET", "/readyz"),
]  # fmt: skip
AT_TABLES = [operation for operation in OPERATIONS if "{code}" in operation[1]]
WITH_INPUT = [("POST", "/api/tables"), ("POST", "/api/replays"), ("GET", "/api/games/recent"), *AT_TABLES]

few = settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def described(server: RunningServer) -> Any:
    return schemathesis.openapi.from_url(f"{server.url}/api/openapi.json")


@pytest.fixture(scope="module")
def session() -> Iterator[requests.Session]:
    with requests.Session() as session:
        yield session


@pytest.fixture(scope="module")
def played(server: RunningServer) -> str:
    """The code of a table with a finished game, at which seats are to be had."""

    async def play() -> str:
        async with Client(server.url) as client, asyncio.TaskGroup() as tasks:
            ada = await client.create("buffet", 3, "Ada", bots={1: "greedy", 2: "greedy"}, terms=PATIENT)
            async with Witness(client, ada.code, [ada.token]) as table:
                playing = tasks.create_task(sit_and_play(table, "buffet"))
                await table.start()
                await until(lambda: table.view.phase == "over")
                playing.cancel()
                await table.leave()
            return ada.code

    return asyncio.run(play())


def test_all_operations_are_tried(described: Any) -> None:
    found = [(operation.ok().method.upper(), operation.ok().path) for operation in described.get_all_operations()]
    assert sorted(found) == sorted(OPERATIONS)


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_what_is_allowed_is_answered_as_described(
    described: Any, session: requests.Session, method: str, path: str
) -> None:
    @few
    @given(case=described[path][method].as_strategy())
    def try_it(case: Any) -> None:
        case.call_and_validate(session=session, checks=CHECKS)

    try_it()


@pytest.mark.parametrize(("method", "path"), AT_TABLES)
def test_at_a_real_table_too(described: Any, session: requests.Session, played: str, method: str, path: str) -> None:
    known = {"code": played} | ({"match": 1} if "{match}" in path else {})

    @few
    @given(case=described[path][method].as_strategy(path_parameters=known))
    def try_it(case: Any) -> None:
        case.call_and_validate(session=session, checks=CHECKS)

    try_it()


@pytest.mark.parametrize(("method", "path"), WITH_INPUT)
def test_what_is_not_allowed_is_refused_as_described(
    described: Any, session: requests.Session, method: str, path: str
) -> None:
    @few
    @given(case=described[path][method].as_strategy(GenerationMode.NEGATIVE))
    def try_it(case: Any) -> None:
        case.call_and_validate(session=session, checks=[*CHECKS, negative_data_rejection])

    try_it()


# --- By hand --------------------------------------------------------------------------------------------------------


def table_wanted(**other: Any) -> dict[str, Any]:
    return {"game": "buffet", "seats": 3, "name": "Ada"} | other


def post(server: RunningServer, body: bytes, kind: str | None = "application/json") -> httpx.Response:
    headers = {} if kind is None else {"content-type": kind}
    return httpx.post(f"{server.url}/api/tables", content=body, headers=headers)


def check_refusal(answer: httpx.Response, status: int, code: str) -> None:
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/json"
    assert wire.Refusal.model_validate_json(answer.content).code == code


@pytest.mark.parametrize(
    "body",
    [
        b"", b"{", b"null", b"[]", b'"buffet"', b"7", b"\0", b"\xff\xfe", b"{} {}", b'{"game": NaN}', b"\xef\xbb\xbf{}",
        b"[" * 8000, b'{"options":' * 1000, b'{"a":' * 2000 + b"7" + b"}" * 2000,
        json.dumps(table_wanted(game=["buffet"])).encode(), json.dumps(table_wanted(seats="3")).encode(),
        json.dumps(table_wanted(seats=3.0)).encode(), json.dumps(table_wanted(seats=True)).encode(),
        json.dumps(table_wanted(seats=10**400)).encode(), json.dumps(table_wanted(seat=-1)).encode(),
        json.dumps(table_wanted(nobody_knows=1)).encode(), json.dumps(table_wanted(**{"\ud800": 1})).encode(),
        json.dumps(table_wanted(**{"\0": 1})).encode(), json.dumps(table_wanted(options={"\ud800": 1})).encode(),
        json.dumps(table_wanted(terms={"grace_s": 0})).encode(), json.dumps(table_wanted(pledge="g" * 64)).encode(),
        json.dumps(table_wanted(bots=[{"seat": 1, "level": "\ud800"}])).encode(),
        json.dumps(table_wanted(game="\ud800")).encode(),
    ],
)  # fmt: skip
def test_a_body_that_makes_no_sense_is_refused(server: RunningServer, body: bytes) -> None:
    check_refusal(post(server, body), 422, "bad-message")


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ({"game": "poker"}, "unknown-game"), ({"game": "\0"}, "unknown-game"), ({"seats": 2}, "bad-seats"),
        ({"seats": 10}, "bad-seats"), ({"seat": 3}, "not-your-seat"), ({"seat": 9}, "not-your-seat"),
        ({"bots": [{"seat": 1, "level": "\0"}]}, "unknown-bot"),
        ({"bots": [{"seat": 8, "level": "greedy"}]}, "not-your-seat"),
        ({"options": {"speed": 1}}, "unknown-option"), ({"options": {"start_seat": 10**300}}, "bad-option"),
        ({"options": {"start_seat": -1}}, "bad-option"), ({"options": {"start_seat": True}}, "bad-option"),
        ({"game": "dash", "options": {"pace_ms": 2**63}}, "bad-option"),
        ({"game": "chocolat", "options": {"target": -(2**64)}}, "bad-option"),
    ],
)  # fmt: skip
def test_a_table_that_can_not_be_is_refused_in_words(server: RunningServer, wanted: dict[str, Any], code: str) -> None:
    check_refusal(post(server, json.dumps(table_wanted(**wanted)).encode()), 422, code)


def test_two_can_not_sit_on_one_seat(server: RunningServer) -> None:
    wanted = table_wanted(bots=[{"seat": 0, "level": "greedy"}])
    check_refusal(post(server, json.dumps(wanted).encode()), 409, "seat-taken")


@pytest.mark.parametrize(
    "name",
    ["", " ", "\t\n", "x" * 25, "A\0da", "A\u202eda", "\u200b", "A\u2066da", "\ud800", "A\x1b[31mda", "\x7f"],
)  # fmt: skip
def test_a_name_that_can_not_be_read_is_refused(server: RunningServer, name: str) -> None:
    check_refusal(post(server, json.dumps(table_wanted(name=name)).encode()), 422, "bad-message")


@pytest.mark.parametrize("name", ["Åsa", "שרה", "山田", "👩‍🍳", "<b>Ada</b>", 'O\'Brien "%s" {0}', "A" * 24, "😀" * 24])
def test_a_name_that_people_have_is_kept(server: RunningServer, name: str) -> None:
    made = post(server, json.dumps(table_wanted(name=name, terms={"public": True})).encode())
    assert made.status_code == 201
    seen = httpx.get(f"{server.url}/api/tables/{made.json()['code']}").json()
    assert seen["table"]["seats"][0]["name"] == name
    assert name in [table["host"] for table in httpx.get(f"{server.url}/api/lobby").json()["tables"]]


@pytest.mark.parametrize("kind", [None, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "\\"])
def test_a_body_of_another_kind_is_refused(server: RunningServer, kind: str | None) -> None:
    check_refusal(post(server, json.dumps(table_wanted()).encode(), kind), 422, "bad-message")


def test_a_body_that_is_too_large_is_refused_however_it_comes(server: RunningServer) -> None:
    check_refusal(post(server, b" " * (wire.LONGEST_MESSAGE + 1)), 413, "too-large")

    def pieces() -> Iterator[bytes]:
        for _ in range(100):
            yield b" " * 1000

    answer = httpx.post(f"{server.url}/api/tables", content=pieces(), headers={"content-type": "application/json"})
    check_refusal(answer, 413, "too-large")
    assert (
        said(server, b"POST /api/tables HTTP/1.1\r\nHost: [::1]\r\nContent-Length: 99999999999\r\n\r\n" + b" " * 20_000)
        == 413
    )
    assert (
        said(
            server,
            b"POST /api/tables HTTP/1.1\r\nHost: [::1]\r\nTransfer-Encoding: chunked\r\n\r\n5001\r\n" + b" " * 20_481,
        )
        == 413
    )


def said(server: RunningServer, request: bytes) -> int | None:
    """The status of the answer to these bytes; None if the connection is closed without one."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE_S) as line:
        try:
            line.sendall(request)
            head = line.recv(4096)
        except ConnectionError:
            return None
    return int(head.split(b" ")[1]) if head else None


@pytest.mark.parametrize(
    "request_",
    [
        b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\0" * 100, b"GET /\0 HTTP/1.1\r\nHost: [::1]\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: [::1]\r\nContent-Length: -1\r\n\r\n", b"GET / HTTP/1.1\r\nNo colon\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: [::1]\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        b"POST / HTTP/1.1\r\nHost: [::1]\r\nTransfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\nab",
        b"POST / HTTP/1.1\r\nHost: [::1]\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"GET / HTTP/1.1\r\nHost: [::1]\r\n" + b"".join(b"X-%d: y\r\n" % number for number in range(5000)) + b"\r\n",
        b"GET / HTTP/1.1\r\nHost: [::1]\r\nX: " + b"y" * 1_000_000 + b"\r\n\r\n",
        b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: [::1]\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET /%ff%fe/%00 HTTP/1.1\r\nHost: [::1]\r\n\r\n", b"GET http://[::1 HTTP/1.1\r\nHost: [::1]\r\n\r\n",
        b"GET //evil.example/%2e%2e HTTP/1.1\r\nHost: [::1]\r\n\r\n",
        b"CONNECT evil.example:443 HTTP/1.1\r\nHost: [::1]\r\n\r\n",
        b"OPTIONS * HTTP/1.1\r\nHost: [::1]\r\n\r\n", b"TRACE / HTTP/1.1\r\nHost: [::1]\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: [::1]\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n",
        b"GET /api/games HTTP/1.1\r\nHost: [::1]\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
        b"GET /api/tables/kafemulo/socket HTTP/1.1\r\nHost: [::1]\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
        b"POST /api/tables/kafemulo/socket HTTP/1.1\r\nHost: [::1]\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x\r\n\r\n",
    ],
    ids=lambda request: request[:24].decode("latin-1").encode("unicode_escape").decode(),
)  # fmt: skip
def test_what_is_hardly_a_request_does_not_trouble_the_server(server: RunningServer, request_: bytes) -> None:
    status = said(server, request_)
    assert status is None or 200 <= status < 500
    assert httpx.get(f"{server.url}/healthz").json()["status"] == "ok"
    assert not any("Traceback" in line for line in server.log)


@pytest.mark.parametrize(
    "code", ["x" * 41, "x" * 5000, "%F0%9F%98%80", "%00", "%ED%A0%80", "İ", "ſ", "%2e%2e", "a%2Fb", "..;"]
)
def test_a_code_that_is_none_is_not_found_or_refused(server: RunningServer, code: str) -> None:
    for path in (code, f"{code}/games", f"{code}/games/1/record"):
        answer = httpx.get(f"{server.url}/api/tables/{path}")
        assert answer.status_code in (404, 422)
        wire.Refusal.model_validate_json(answer.content)


@pytest.mark.parametrize("match", ["0", "-1", "1.5", "x", "9" * 5000, "1e3", "%00", "1000001"])
def test_a_game_that_has_no_such_number_is_refused(server: RunningServer, played: str, match: str) -> None:
    for part in ("record", "replay", "receipts"):
        check_refusal(httpx.get(f"{server.url}/api/tables/{played}/games/{match}/{part}"), 422, "bad-message")


@pytest.mark.parametrize(
    ("method", "path"), [("PUT", "/api/tables"), ("DELETE", "/api/games"), ("PATCH", "/"), ("POST", "/api/lobby")]
)
def test_a_method_that_is_not_known_there_is_refused(server: RunningServer, method: str, path: str) -> None:
    answer = httpx.request(method, f"{server.url}{path}")
    check_refusal(answer, 405, "method-not-allowed")
    assert answer.headers["allow"]
