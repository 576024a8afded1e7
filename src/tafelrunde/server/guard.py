"""What holds for every request: nothing too large comes in, and strict headers go out."""

from __future__ import annotations

import asyncio
import json

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tafelrunde import wire
from tafelrunde.errors import TooLarge
from tafelrunde.server import metrics
from tafelrunde.server.logs import log

BODY_S = 20
"""So long a request may take to come in."""

RECORDS_TO = "/api/replays"
"""Where records are sent, to be looked back at."""

STARTED = "tafelrunde.started"
"""Is there in the scope of a request when its answer is on the way."""

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

        if body is None:
            return  # the client is gone, nobody waits for an answer
        coming: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def replay() -> Message:
            return coming.pop() if coming else await receive()

        try:
            await self._app(scope, replay, send)
        except Exception:
            log.exception("a request failed", extra={"path": getattr(scope.get("route"), "path", None)})
            if not scope.get(STARTED):
                await _answer(500, "internal", "Something went wrong on the server; it has been noted.", send)

    def _with_headers(self, scope: Scope, send: Send) -> Send:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                scope[STARTED] = True
                given = message.setdefault("headers", [])
                given += HEADERS
                if not any(name == b"cache-control" for name, _ in given):
                    given.append((b"cache-control", b"no-store"))
                metrics.HTTP.labels(scope["method"], message["status"]).inc()
            await send(message)

        return sending


def longest_body(path: str) -> int:
    """How many bytes may be sent there; only a record is long."""
    return wire.LONGEST_RECORD if path == RECORDS_TO else wire.LONGEST_MESSAGE


async def _whole_body(receive: Receive, longest: int) -> bytes | None:
    """The body in one piece, None if the client goes before; nobody may make us wait for an endless one."""
    whole = b""
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return None
        whole += bytes(message.get("body", b""))
        if len(whole) > longest:
            raise TooLarge(f"A body has at most {longest} bytes.")
        if not message.get("more_body"):
            return whole


async def _answer(status: int, code: str, sentence: str, send: Send) -> None:
    told = refusal(code, sentence)
    length = (b"content-length", b"%d" % len(told))
    headers = [(b"content-type", b"application/json"), (b"connection", b"close"), length]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": told})


def refusal(code: str, sentence: str) -> bytes:
    """How everything is refused that does not even get to the application."""
    return json.dumps({"code": code, "rule": None, "sentence": sentence}).encode()
