"""Who may do how much: limits per address, allowed host names and origins, and the number of connections."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from urllib.parse import unquote, urlsplit

from tafelrunde.errors import BadMessage, NoSuchTable, TooFast, Unavailable
from tafelrunde.server import metrics
from tafelrunde.server.hosts import Hosts
from tafelrunde.server.limits import Limit, network_of
from tafelrunde.server.peer import Peer
from tafelrunde.server.runtime import Runtime
from tafelrunde.server.settings import Settings
from tafelrunde.table.codes import read_code

SOCKET_PATH = re.compile(r"/api/tables/([^/?#]{1,40})/socket")
WRONG_CODE_COST = 20
"""How many look-ups one with a wrong code counts as."""


class Admission:
    """The limits of one server process."""

    def __init__(self, settings: Settings, runtime: Runtime, line_quota: Limit) -> None:
        self._settings = settings
        self._runtime = runtime
        self._line_quota = line_quota
        self.hosts = Hosts(settings.hosts, settings.behind_proxy)
        self.creates = Limit(settings.creates_per_minute)
        self.joins = Limit(settings.joins_per_minute)
        self.replays = Limit(settings.joins_per_minute)
        self.lookups = Limit(settings.lookups_per_minute)
        """Tables asked for by code, right or wrong, so that codes can not be guessed."""
        self.connects = Limit(2 * settings.connections_per_address)
        self.connections: set[Peer] = set()
        self._per_address: Counter[str] = Counter()

    def address(self, peer: str, forwarded: Sequence[str]) -> str:
        """The client's address for limits: the last one that our own proxy has seen, or the other end of the line."""
        if self._settings.behind_proxy and forwarded:
            peer = forwarded[-1].rpartition(",")[2].strip()
        return network_of(peer)

    def draw(self, limit: Limit, address: str) -> None:
        """Count one use of a limit; raises TooFast if the address has used it up."""
        limit.draw(address, self._runtime.clock())

    def charge_wrong_code(self, address: str) -> None:
        """A look-up found no table: that costs more."""
        self.lookups.charge(address, self._runtime.clock(), WRONG_CODE_COST - 1)

    def over_line_quota(self, address: str) -> bool:
        """Has so much been written for this address that it has to wait?"""
        now = self._runtime.clock()
        return self._line_quota.of(address, now).wait_ms(now) > 0

    def admit(self, path: str, headers: Mapping[str, str], address: str) -> str:
        """May this request become a socket? Returns the code of the table."""
        found = SOCKET_PATH.fullmatch(path.partition("?")[0])
        if found is None:
            raise NoSuchTable("Sockets are at /api/tables/CODE/socket.")
        self.hosts.check([] if headers.get("Host") is None else [headers["Host"]])
        if not allowed_origin(headers.get("Origin"), headers.get("Host"), self._settings.origins):
            raise BadMessage("Pages of another server may not open a socket here.")
        if self._runtime.closing:
            raise Unavailable("The server stops; it will be back.")
        if self._per_address[address] >= self._settings.connections_per_address:
            raise TooFast("There are too many connections from your address.")
        self.draw(self.connects, address)
        self.draw(self.lookups, address)
        return read_code(unquote(found[1]))

    def connected(self, peer: Peer) -> None:
        """A connection is open."""
        self.connections.add(peer)
        self._per_address[peer.address] += 1
        metrics.CONNECTIONS.set(len(self.connections))

    def disconnected(self, peer: Peer) -> None:
        """A connection is closed."""
        self.connections.discard(peer)
        self._per_address[peer.address] -= 1
        if not self._per_address[peer.address]:
            del self._per_address[peer.address]
        metrics.CONNECTIONS.set(len(self.connections))


def allowed_origin(origin: str | None, host: str | None, others: tuple[str, ...]) -> bool:
    """A page may open a socket only to the server it came from; programs other than browsers send no origin."""
    if origin is None or origin in others:
        return True
    try:
        return bool(host) and urlsplit(origin).netloc == host
    except ValueError:
        return False
