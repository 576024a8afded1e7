"""Under which names the server may be opened.

A page of somebody else can let its own name lead to this machine (DNS rebinding), and a browser would then take our
answers for that page's. So only names that are ours are answered to. An address in numbers can not be made to lead
anywhere else and is always fine.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Iterable
from functools import lru_cache

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from tafelrunde import wire
from tafelrunde.errors import WrongHost

ANY = "*"
HOST = re.compile(r"(?:\[(?P<v6>[0-9A-Fa-f:.]+)\]|(?P<name>[^\[\]:/@?#\s]+))(?::\d{1,5})?")


class Hosts:
    """The names that the server goes by."""

    def __init__(self, given: Iterable[str], behind_proxy: bool) -> None:
        given = {name.strip().lower().rstrip(".") for name in given}
        own = socket.gethostname().lower()
        self._names = given | {"localhost", own, f"{own.removesuffix('.local')}.local"}
        # A proxy knows its names, and passes on only what is asked of one of them.
        self._any = ANY in given or (behind_proxy and not given)
        self.is_ours = lru_cache(1000)(self._is_one_of_ours)  # nearly all come under the same name

    def check(self, headers: Iterable[str]) -> None:
        """Refuse a request whose ``Host`` headers do not name us; only programs that are no browsers leave it out."""
        if not self._any and not all(map(self.is_ours, headers)):
            raise WrongHost("This server does not go by that name. Whoever runs it can allow it with --hosts.")

    def _is_one_of_ours(self, host: str) -> bool:
        found = HOST.fullmatch(host)
        if found is None:
            return False
        name = (found["v6"] or found["name"]).lower().rstrip(".")
        return name in self._names or name.endswith(".localhost") or _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class HostCheck:
    """Wraps the application, whose hall knows the names."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through that is meant for us."""
        answer: ASGIApp = self._app
        if scope["type"] == "http":
            try:
                scope["app"].state.hall.hosts.check(Headers(scope=scope).getlist("host"))
            except WrongHost as error:
                told = wire.Refusal(code=error.code, sentence=error.sentence)
                answer = JSONResponse(told.model_dump(), status_code=421)
        await answer(scope, receive, send)
