"""What holds for every request: the host name is ours, bodies are not too large, and answers have strict headers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from pydantic_core import to_json
from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tafelrunde import wire
from tafelrunde.errors import TooLarge, WrongHost
from tafelrunde.server import metrics
from tafelrunde.server.headers import NO_STORE, SECURITY_HEADERS
from tafelrunde.server.logs import log
from tafelrunde.server.refusals import refusal, refusal_of, status_of

BODY_S = 20
"""How long a request may take to arrive."""

RECORDS_TO = "/api/replays"
"""The only path that takes long bodies: records to be replayed."""

STARTED = "tafelrunde.started"
"""Set in the scope of a request once its response has started."""


class HostCheck:
    """Refuses requests for other host names."""

    def __init__(self, app: ASGIApp, check: Callable[[list[str]], None]) -> None:
        """``check`` raises WrongHost."""
        self._app = app
        self._check = check

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through if its host is ours."""
        answer: ASGIApp = self._app
        if scope["type"] == "http":
            try:
                self._check(Headers(scope=scope).getlist("host"))
            except WrongHost as error:
                answer = JSONResponse(refusal_of(error), status_code=status_of(error))
        await answer(scope, receive, send)


class RequestGuard:
    """Limits bodies, adds headers, and answers when the application fails."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read the whole body, then call the application."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        send = self._with_headers(scope, send)
        try:
            async with asyncio.timeout(BODY_S):
                body = await _whole_body(receive, longest_body(scope["path"]))
        except TooLarge as error:
            await _answer(status_of(error), refusal_of(error), send)
            return
        except TimeoutError:
            await _answer(408, refusal("bad-message", "The request did not come to its end."), send)
            return
        if body is None:
            return  # the client is gone, nobody waits for an answer
        received: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def replay() -> Message:
            return received.pop() if received else await receive()

        try:
            await self._app(scope, replay, send)
        except Exception:
            log.exception("a request failed", extra={"path": getattr(scope.get("route"), "path", None)})
            if not scope.get(STARTED):
                sentence = "Something went wrong on the server; it has been noted."
                await _answer(500, refusal("internal", sentence), send)

    def _with_headers(self, scope: Scope, send: Send) -> Send:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                scope[STARTED] = True
                given = message.setdefault("headers", [])
                given += SECURITY_HEADERS
                if not any(name == NO_STORE[0] for name, _ in given):
                    given.append(NO_STORE)
                metrics.HTTP.labels(scope["method"], message["status"]).inc()
            await send(message)

        return sending


def longest_body(path: str) -> int:
    """How many bytes a body may have; only records are long."""
    return wire.LONGEST_RECORD if path == RECORDS_TO else wire.LONGEST_MESSAGE


async def _whole_body(receive: Receive, longest: int) -> bytes | None:
    """The body in one piece; None if the client disconnects before its end."""
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


async def _answer(status: int, body: dict[str, Any], send: Send) -> None:
    """Refuse a request, and close the connection."""
    text = to_json(body)
    length = (b"content-length", b"%d" % len(text))
    headers = [(b"content-type", b"application/json"), (b"connection", b"close"), length]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": text})
