"""What holds for every request: nothing too large comes in, and strict headers go out."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from tafelrunde import wire
from tafelrunde.errors import TooLarge
from tafelrunde.server import metrics
from tafelrunde.server.logs import log

BODY_S = 20
"""So long a request may take to come in."""

RECORDS_TO = "/api/replays"
"""Where records are sent, to be looked back at."""

HEADERS = [
    (b"content-security-policy", b"default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
     b"font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; "
     b"frame-ancestors 'none'"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=(), payment=()"),
    (b"x-frame-options", b"DENY"),
]  # fmt: skip


class Guard:
    """Wraps the application."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, as far as it is not too large."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        send = self._with_headers(scope, send)
        try:
            async with asyncio.timeout(BODY_S):
                body = await _whole_body(receive, longest_body(scope["path"]))
        except TooLarge as error:
            await _answer(413, error.code, error.sentence, send)
            return
        except TimeoutError:
            await _answer(408, "bad-message", "The request did not come to its end.", send)
            return

        async def replay() -> Message:
            return body.pop() if body else await receive()

        try:
            await self._app(scope, replay, send)
        except Exception:
            log.exception("a request failed", extra={"path": getattr(scope.get("route"), "path", None)})
            await _answer(500, "internal", "Something went wrong on the server; it has been noted.", send)

    def _with_headers(self, scope: Scope, send: Send) -> Send:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = message.setdefault("headers", [])
                given += HEADERS
                if not any(name == b"cache-control" for name, _ in given):
                    given.append((b"cache-control", b"no-store"))
                metrics.HTTP.labels(scope["method"], message["status"]).inc()
            await send(message)

        return sending


def http_protocol(patience_s: float) -> type[HttpToolsProtocol]:
    """uvicorn's protocol, which would wait forever for a request that does not come or does not end."""

    class Impatient(HttpToolsProtocol):
        _waiting: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._expect_headers()

        def on_message_begin(self) -> None:
            super().on_message_begin()
            self._expect_headers()

        def on_headers_complete(self) -> None:
            self._wait_no_longer()
            super().on_headers_complete()

        def connection_lost(self, exc: Exception | None) -> None:
            self._wait_no_longer()
            super().connection_lost(exc)

        def send_400_response(self, msg: str) -> None:
            """What is no request at all is answered like everything else."""
            body = json.dumps({"code": "bad-message", "rule": None, "sentence": msg}).encode()
            own = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
            headers = [*HEADERS, (b"cache-control", b"no-store"), (b"connection", b"close"), *own]
            head = b"".join(b"%b: %b\r\n" % header for header in headers)
            self.transport.write(b"HTTP/1.1 400 Bad Request\r\n" + head + b"\r\n" + body)
            self.transport.close()

        def _expect_headers(self) -> None:
            self._wait_no_longer()
            self._waiting = self.loop.call_later(patience_s, self.transport.close)

        def _wait_no_longer(self) -> None:
            if self._waiting is not None:
                self._waiting.cancel()

    return Impatient


def longest_body(path: str) -> int:
    """How many bytes may be sent there; only a record is long."""
    return wire.LONGEST_RECORD if path == RECORDS_TO else wire.LONGEST_MESSAGE


async def _whole_body(receive: Receive, longest: int) -> list[Message]:
    """The body in one piece; bodies are small, and nobody may make us wait for an endless one."""
    whole = b""
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return [message]
        whole += message.get("body", b"")
        if len(whole) > longest:
            raise TooLarge(f"A body has at most {longest} bytes.")
        if not message.get("more_body"):
            return [{"type": "http.request", "body": whole, "more_body": False}]


async def _answer(status: int, code: str, sentence: str, send: Send) -> None:
    told: dict[str, Any] = {"code": code, "rule": None, "sentence": sentence}
    headers = [(b"content-type", b"application/json"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(told).encode()})
