"""The host names under which the server may be opened.

A foreign page can point its own host name at this machine (DNS rebinding), and its scripts could then read our answers.
So we answer only under names that are ours. Numeric addresses can not be redirected and are always allowed.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Iterable
from functools import lru_cache

from tafelrunde.errors import WrongHost

ANY = "*"
HOST = re.compile(r"(?:\[(?P<v6>[0-9A-Fa-f:.]+)\]|(?P<name>[^\[\]:/@?#\s]+))(?::\d{1,5})?")


class Hosts:
    """The host names of this server."""

    def __init__(self, given: Iterable[str], behind_proxy: bool) -> None:
        given = {name.strip().lower().rstrip(".") for name in given}
        own = socket.gethostname().lower()
        self._names = given | {"localhost", own, f"{own.removesuffix('.local')}.local"}
        # A proxy passes on only requests for its own names.
        self._any = ANY in given or (behind_proxy and not given)
        self.is_ours = lru_cache(1000)(self._is_one_of_ours)  # nearly all requests name the same host

    def check(self, headers: Iterable[str]) -> None:
        """Refuse a request whose ``Host`` headers do not name us; browsers always send one."""
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
