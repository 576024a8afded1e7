"""Guests who want too much, or what is not theirs, or nothing at all: the others notice nothing of it."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any

import httpx
import picows
import pytest

from tafelrunde import wire
from tafelrunde.client import Client
from tests.server.guests import PATIENT, Raw, connection, seated, socket_of
from tests.server.running import RunningServer
from tests.waiting import PATIENCE_S, until

Start = Callable[..., RunningServer]

HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
}
STRANGER = "s" * 32


def told(story: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(story())  # type: ignore[arg-type]


async def new_table(url: str, **more: Any) -> wire.Seated:
    async with Client(url) as client:
        return await client.create("buffet", 3, "Ada", bots={1: "greedy", 2: "greedy"}, terms=PATIENT, **more)


async def turned_away(url: str, code: str, *tokens: Any) -> dict[str, Any]:
    """The goodbye to somebody who says hello with these tokens."""
    async with connection(url, code) as raw:
        raw.say({"do": "hello", "tokens": tokens})
        bye = await raw.ends()
        assert bye is not None
        assert raw.close_code == 1008
        return bye


async def refused_handshake(url: str, code: str, **headers: str) -> tuple[int, dict[str, Any], httpx.Headers]:
    """The answer to somebody who may not even open a connection."""
    with pytest.raises(picows.WSHandshakeError) as caught:
        async with connection(url, code, headers):
            pass
    error = caught.value
    assert error.response is not None
    return (
        int(error.response.status),
        json.loads(error.raw_body or b""),
        httpx.Headers(list(error.response.headers.items())),
    )


# --- Too much -------------------------------------------------------------------------------------------------------


def test_a_message_that_is_too_large_is_refused_and_one_beyond_all_measure_closes_the_line(
    server: RunningServer,
) -> None:
    async def story() -> None:
        table = await new_table(server.url)
        async with seated(server.url, table.code, table.token) as raw:
            refused = await raw.answer({"do": "say", "id": "long", "text": "x" * wire.LONGEST_MESSAGE})
            assert (refused["type"], refused["code"]) == ("refused", "too-large")
            assert (await raw.answer({"do": "say", "id": "short", "text": "x"}))["type"] == "say"
            raw.say("x" * 100_000)
            assert await raw.ends() is None
            assert raw.close_code == 1009
        async with seated(server.url, table.code, table.token) as raw:
            raw.transport.send(picows.WSMsgType.TEXT, b"x" * 30_000, fin=False)
            for _ in range(3):
                raw.transport.send(picows.WSMsgType.CONTINUATION, b"x" * 30_000, fin=False)
            await raw.ends()
            assert raw.close_code == 1009

    told(story)


def test_commands_that_come_too_fast_are_refused_one_by_one(start_server: Start) -> None:
    server = start_server(commands_per_second="5")

    async def story() -> None:
        table = await new_table(server.url)
        async with seated(server.url, table.code, table.token) as raw, seated(server.url, table.code) as calm:
            for number in range(60):
                raw.say({"do": "say", "id": str(number), "text": "again"})
            answers = {}
            while len(answers) < 60:
                message = await raw.hear("say", "refused")
                assert message["id"] not in answers
                answers[message["id"]] = message.get("code", "said")
            assert list(answers.values()).count("said") >= 5
            assert list(answers.values()).count("too-fast") > 40
            looked = await calm.answer({"do": "look", "id": "calm"})
            assert looked["type"] == "accepted", "nobody else has to wait"
            for number in range(300):
                raw.say({"do": "say", "id": f"more-{number}", "text": "and again"})
            bye = await raw.ends()
            assert bye is not None
            assert bye["code"] == "too-fast"

    told(story)


def test_nobody_sets_up_tables_or_sits_down_without_end(start_server: Start) -> None:
    server = start_server(creates_per_minute="3", joins_per_minute="4")
    body = {"game": "buffet", "seats": 6, "name": "Ada"}
    with httpx.Client(base_url=server.url) as http:
        created = [http.post("/api/tables", json=body) for _ in range(4)]
        assert [answer.status_code for answer in created] == [201, 201, 201, 429]
        assert created[-1].json()["code"] == "too-fast"
        code, token = created[0].json()["code"], created[0].json()["token"]
        sat = [http.post(f"/api/tables/{code}/seats", json={"name": "Bo"}) for _ in range(3)]
        assert [answer.status_code for answer in sat] == [201, 201, 201]
        taken = http.post(f"/api/tables/{code}/take", json={"pass": STRANGER})
        assert taken.status_code == 403
        for path, wanted in (("seats", {"name": "Cy"}), ("take", {"pass": STRANGER})):
            assert http.post(f"/api/tables/{code}/{path}", json=wanted).status_code == 429
        assert http.get(f"/api/tables/{code}").status_code == 200, "looking is another matter"
    assert token not in "".join(server.log)


def test_an_address_has_so_many_connections_and_no_more(start_server: Start) -> None:
    server = start_server(connections_per_address="3")

    async def story() -> None:
        table = await new_table(server.url)
        async with AsyncExitStack() as stack:
            for _ in range(3):
                await stack.enter_async_context(seated(server.url, table.code))
            status, refusal, _ = await refused_handshake(server.url, table.code)
            assert (status, refusal["code"]) == (429, "too-fast")
        async with seated(server.url, table.code):
            pass  # there is room again

    told(story)


def test_a_proxy_is_believed_only_if_it_is_ours(start_server: Start) -> None:
    def creates(server: RunningServer, *forwarded: str) -> int:
        headers = [("X-Forwarded-For", value) for value in forwarded]
        body = {"game": "buffet", "seats": 3, "name": "Ada"}
        return httpx.post(f"{server.url}/api/tables", json=body, headers=headers).status_code

    direct = start_server(creates_per_minute="2")
    assert [creates(direct, f"192.0.2.{number}") for number in range(3)] == [201, 201, 429]
    direct.kill()
    behind = start_server(behind_proxy="", creates_per_minute="2")
    assert [creates(behind, "192.0.2.1") for _ in range(3)] == [201, 201, 429]
    assert creates(behind, "192.0.2.2") == 201, "somebody else"
    assert creates(behind, "192.0.2.7, 192.0.2.1") == 429, "only what our own proxy has seen counts"
    assert creates(behind, "192.0.2.7", "192.0.2.1") == 429, "however the proxy has written it"

    async def story() -> None:
        table = await new_table(behind.url)
        async with connection(behind.url, table.code, {"X-Forwarded-For": "192.0.2.9"}) as raw:
            raw.say({"do": "hello"})
            await raw.hear("welcome")

    told(story)


# --- Not theirs -----------------------------------------------------------------------------------------------------


def test_tables_that_are_not_there(server: RunningServer) -> None:
    async def story() -> None:
        for code in ("nosuchtable", "…", "..%2F..%2Fetc%2Fpasswd", "%00", "kafe%20mulo"):
            assert httpx.get(f"{server.url}/api/tables/{code}").status_code == 404
            assert (await turned_away(server.url, code))["code"] == "no-such-table"
        for path in ("a/b", "a" * 41):
            status, refusal, _ = await refused_handshake(server.url, path)
            assert (status, refusal["code"]) == (404, "no-such-table")

    told(story)


def test_only_the_right_token_opens_a_seat(server: RunningServer) -> None:
    async def story() -> None:
        table, other = await new_table(server.url), await new_table(server.url)
        for tokens in ([STRANGER], [other.token], [table.token, other.token], [table.token[:-1] + "~"[:0] + "A" * 9]):
            bye = await turned_away(server.url, table.code, *tokens)
            assert (bye["code"], bye["again"]) == ("bad-token", False)
        for tokens in (["short"], ["t" * 87], ["no spaces " * 3], [7], [None], [STRANGER] * 11):
            assert (await turned_away(server.url, table.code, *tokens))["code"] == "bad-message"
        async with seated(server.url, table.code) as spectator:
            for do in (
                {"do": "start"},
                {"do": "say", "text": "Hi"},
                {"do": "leave", "seat": 0},
                {"do": "pass", "seat": 0},
            ):
                refused = await spectator.answer(do | {"id": do["do"]})
                assert (refused["type"], refused["code"]) == ("refused", "not-your-seat")
            assert (await spectator.answer({"do": "look", "id": "look"}))["type"] == "accepted"

    told(story)


def test_a_token_is_good_until_the_seat_is_taken_along(server: RunningServer) -> None:
    async def story() -> None:
        table = await new_table(server.url)
        async with seated(server.url, table.code, table.token) as phone, httpx.AsyncClient(base_url=server.url) as http:
            given = (await phone.answer({"do": "pass", "id": "1"}))["pass"]
            taken = await http.post(f"/api/tables/{table.code}/take", json={"pass": given})
            assert taken.status_code == 200
            bye = await phone.ends()
            assert bye is not None
            assert bye["code"] == "seat-moved"
            again = await http.post(f"/api/tables/{table.code}/take", json={"pass": given})
            assert (again.status_code, again.json()["code"]) == (403, "bad-token"), "a pass is good once"
        assert (await turned_away(server.url, table.code, table.token))["code"] == "bad-token"
        async with seated(server.url, table.code, taken.json()["token"]) as laptop:
            assert (await laptop.answer({"do": "say", "id": "2", "text": "Here I am"}))["type"] == "say"

    told(story)


def test_pages_of_others_may_not_open_a_socket(start_server: Start) -> None:
    server = start_server(origins="https://games.example")
    host = server.url.removeprefix("http://")

    async def story() -> None:
        table = await new_table(server.url)
        for origin in (
            "https://evil.example",
            "null",
            "",
            "http://[",
            f"http://{host}.evil.example",
            "http://localhost:1",
        ):
            status, refusal, headers = await refused_handshake(server.url, table.code, Origin=origin)
            assert (status, refusal["code"]) == (403, "bad-message")
            check_headers(headers)
        for origin in (f"http://{host}", "https://games.example"):
            async with connection(server.url, table.code, {"Origin": origin}) as raw:
                raw.say({"do": "hello"})
                await raw.hear("welcome")

    told(story)


def test_a_browser_that_also_keeps_alive_is_let_in(server: RunningServer) -> None:
    async def story() -> None:
        table = await new_table(server.url)
        request = [
            f"GET /api/tables/{table.code}/socket HTTP/1.1", f"Host: {server.url.removeprefix('http://')}",
            "Connection: keep-alive, Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "", "",
        ]  # fmt: skip
        assert (await raw_answer(server, "\r\n".join(request).encode())).startswith(b"HTTP/1.1 101 ")

    told(story)


async def raw_answer(server: RunningServer, request: bytes) -> bytes:
    """The head of the answer to these bytes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(request)
    head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE_S)
    writer.close()
    return head


# --- Nothing at all -------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_thousand_connections_that_say_nothing_are_closed_and_disturb_nobody(start_server: Start) -> None:
    server = start_server(hello_s="3")

    async def story() -> None:
        table = await new_table(server.url)
        async with AsyncExitStack() as stack, seated(server.url, table.code, table.token) as player:
            mute, halting = [], []
            for _ in range(10):
                entering = [stack.enter_async_context(connection(server.url, table.code)) for _ in range(50)]
                mute += [await one for one in entering]
            for number in range(500):
                reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
                stack.callback(writer.close)
                if number % 2:
                    writer.write(b"GET /api/games HTTP/1.1\r\nHost: tafel")
                halting.append(reader)
            async with asyncio.timeout(PATIENCE_S):
                assert (await player.answer({"do": "start", "id": "start"}))["type"] == "house"
                for number in range(20):
                    said = await player.answer({"do": "say", "id": str(number), "text": "Does anybody hear me?"})
                    assert said["type"] == "say"
            for raw in mute:
                bye = await raw.ends()
                assert bye is not None
                assert bye["code"] == "bad-message"
            for reader in halting:
                assert await asyncio.wait_for(reader.read(), PATIENCE_S) == b""
            assert (await player.answer({"do": "look", "id": "look"}))["type"] == "accepted"

    told(story)
    assert not any("Traceback" in line for line in server.log)


@pytest.mark.slow
def test_somebody_who_never_reads_is_let_go_and_the_others_play_on(server: RunningServer) -> None:
    async def story() -> None:
        table = await new_table(server.url)
        async with seated(server.url, table.code, table.token) as player:
            deaf = deaf_client(server, table.code)
            await until(lambda: watching(player) == 1)
            await player.answer({"do": "start", "id": "start"})
            await player.hear("step")
            await asyncio.to_thread(ask_without_listening, deaf)
            assert (await player.answer({"do": "say", "id": "said", "text": "Hello?"}))["type"] == "say"
            await until(lambda: watching(player) == 0)
            assert (await player.answer({"do": "look", "id": "look"}))["type"] == "accepted"
            deaf.close()

    told(story)


def watching(player: Raw) -> int:
    """How many watch the table, by the last word on it."""
    presences = [json.loads(text) for text in player.heard if b'"presence"' in text]
    return int(presences[-1]["watching"]) if presences else 0


def deaf_client(server: RunningServer, code: str) -> socket.socket:
    """Somebody who watches and has little room for what comes."""
    deaf = socket.socket()
    deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    deaf.connect(("127.0.0.1", server.port))
    lines = [
        f"GET {socket_of('', code).removeprefix('ws')} HTTP/1.1", "Host: localhost", "Connection: Upgrade",
        "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "", "",
    ]  # fmt: skip
    deaf.sendall("\r\n".join(lines).encode())
    assert deaf.recv(12) == b"HTTP/1.1 101"
    deaf.sendall(frame(b'{"do":"hello"}'))
    return deaf


def frame(text: bytes) -> bytes:
    """A short frame, masked with zeros."""
    return bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text


def ask_without_listening(deaf: socket.socket) -> None:
    """Ask for the whole view, again and again, until nothing gets through any more."""
    deaf.settimeout(1)
    question = b"".join(frame(b'{"do":"look","raw":true,"id":"%d"}' % number) for number in range(100))
    try:
        for _ in range(100):
            deaf.sendall(question)
    except (TimeoutError, ConnectionError):
        pass


# --- What every answer has, and what no log has ---------------------------------------------------------------------


def check_headers(headers: httpx.Headers) -> None:
    assert {name: headers.get(name) for name in HEADERS} == HEADERS
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["cache-control"]
    assert "server" not in headers


def test_every_answer_has_strict_headers(server: RunningServer) -> None:
    with httpx.Client(base_url=server.url) as http:
        made = http.post("/api/tables", json={"game": "buffet", "seats": 3, "name": "Ada"})
        table = f"/api/tables/{made.json()['code']}"
        answers = {
            made: 201,
            http.get("/"): 200,
            http.get("/api"): 200,
            http.get("/api/style.css"): 200,
            http.get("/api/openapi.json"): 200,
            http.get("/api/socket.json"): 200,
            http.get("/api/games"): 200,
            http.get("/api/lobby"): 200,
            http.get("/healthz"): 200,
            http.get("/readyz"): 200,
            http.get("/metrics"): 200,
            http.get(table): 200,
            http.get(f"{table}/games/1/record"): 404,
            http.get("/nowhere"): 404,
            http.get("/api/tables/nosuchtable"): 404,
            http.delete(table): 405,
            http.post("/api/tables", content=b"{", headers={"content-type": "application/json"}): 422,
            http.post("/api/tables", content=b"x" * 20_000): 413,
            http.post(f"{table}/take", json={"pass": STRANGER}): 403,
            http.get(f"{table}/socket"): 404,
        }
        for answer, status in answers.items():
            assert answer.status_code == status, answer.url
            check_headers(answer.headers)
            if answer.is_error:
                assert answer.headers["content-type"] == "application/json"
                wire.Refusal.model_validate_json(answer.content)


def test_what_is_no_request_at_all_is_answered_with_strict_headers_too(server: RunningServer) -> None:
    head = asyncio.run(raw_answer(server, b"\x16\x03\x01 what is this?\r\n\r\n"))
    status, *lines = head.decode().strip().split("\r\n")
    assert status == "HTTP/1.1 400 Bad Request"
    check_headers(httpx.Headers([tuple(line.split(": ", 1)) for line in lines]))  # type: ignore[misc]


def test_no_log_tells_who_plays_what_they_say_or_how_to_get_in(start_server: Start) -> None:
    server = start_server(log_level="debug")
    secrets = {"Blaubeere", "Holunder", "psst-nobody-must-know"}

    async def story() -> None:
        async with Client(server.url) as client:
            host = await client.create("buffet", 3, "Blaubeere", bots={2: "greedy"}, terms=PATIENT)
            guest = await client.sit(host.code, "Holunder")
            secrets.update({host.token, guest.token})
            async with seated(server.url, host.code, host.token) as raw:
                await raw.answer({"do": "say", "id": "1", "text": "psst-nobody-must-know"})
                secrets.add((await raw.answer({"do": "pass", "id": "2"}))["pass"])
                raw.say({"do": "say", "id": "3", "text": "psst-nobody-must-know", "token": host.token})
                await raw.hear("refused")
                raw.transport.send(picows.WSMsgType.BINARY, host.token.encode())
                await raw.ends()
            await turned_away(server.url, host.code, host.token, host.token + "!")
            async with httpx.AsyncClient(base_url=server.url) as http:
                await http.post(f"/api/tables/{host.code}/take", json={"pass": host.token, "psst-nobody-must-know": 1})
                await http.post(f"/api/tables/{host.code}/seats", json={"name": "Holunder" * 9})
                await http.get(f"/api/tables/Blaubeere?token={host.token}", headers={"Authorization": host.token})
            async with connection(server.url, host.code, {"Authorization": host.token}) as raw:
                raw.transport.underlying_transport.write(b"\xff" + host.token.encode())
                await raw.ends()

    told(story)
    assert server.stop() == 0
    log = "".join(server.log)
    assert log
    assert [secret for secret in secrets if secret in log] == []
