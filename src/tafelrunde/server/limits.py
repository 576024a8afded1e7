"""Rate limits."""

from __future__ import annotations

import ipaddress
from collections import OrderedDict
from functools import lru_cache

from tafelrunde.errors import TooFast

MOST_ADDRESSES = 100_000


class Bucket:
    """A token bucket."""

    __slots__ = ("_at", "_full", "_level", "_per_ms")

    def __init__(self, full: float, per_second: float, now: int) -> None:
        self._full = full
        self._per_ms = per_second / 1000
        self._level = full
        self._at = now

    def draw(self, now: int, cost: float = 1) -> bool:
        """Take ``cost`` if anything is left; the level may become negative."""
        if self.wait_ms(now) > 0:
            return False
        self._level -= cost
        return True

    def charge(self, now: int, cost: float) -> None:
        """Take ``cost`` whether anything is left or not, for something already done."""
        self.wait_ms(now)
        self._level -= cost

    def wait_ms(self, now: int) -> float:
        """How long until something can be drawn."""
        self._level = min(self._full, self._level + (now - self._at) * self._per_ms)
        self._at = now
        return 0 if self._level >= 1 else (1 - self._level) / self._per_ms

    def fill(self) -> None:
        """Fill it up."""
        self._level = self._full


class Limit:
    """A bucket for each address; the address that was idle longest is forgotten first."""

    def __init__(self, count: int, seconds: int = 60) -> None:
        self._count = count
        self._per_second = count / seconds
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def draw(self, address: str, now: int) -> None:
        """Raise TooFast if this address has used up its limit."""
        if not self.of(address, now).draw(now):
            raise TooFast("That is too much at once from your address; wait a while.")

    def charge(self, address: str, now: int, cost: float) -> None:
        """Count something that this address has already done."""
        self.of(address, now).charge(now, cost)

    def of(self, address: str, now: int) -> Bucket:
        """The bucket of this address."""
        bucket = self._buckets.get(address)
        if bucket is None:
            bucket = self._buckets[address] = Bucket(self._count, self._per_second, now)
            if len(self._buckets) > MOST_ADDRESSES:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(address)
        return bucket


@lru_cache(10_000)
def network_of(address: str) -> str:
    """The key for limits: an IPv4 address, or an IPv6 /64 network, within which a client has endless addresses."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if found.version == 4:
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, 64), strict=False))
