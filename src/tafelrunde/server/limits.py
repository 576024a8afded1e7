"""How much anybody may do in a while."""

from __future__ import annotations

from collections import OrderedDict

from tafelrunde.errors import TooFast

MOST_ADDRESSES = 100_000


class Bucket:
    """Fills steadily and is drawn from; what does not fit is lost."""

    __slots__ = ("_at", "_full", "_level", "_per_ms")

    def __init__(self, full: float, per_second: float, now: int) -> None:
        self._full = full
        self._per_ms = per_second / 1000
        self._level = full
        self._at = now

    def draw(self, now: int) -> bool:
        """Is there one left?"""
        self._level = min(self._full, self._level + (now - self._at) * self._per_ms)
        self._at = now
        if self._level < 1:
            return False
        self._level -= 1
        return True


class Limit:
    """So much per minute for each address; the address that was quiet longest is forgotten first."""

    def __init__(self, per_minute: int) -> None:
        self._per_minute = per_minute
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def draw(self, address: str, now: int) -> None:
        """Raise TooFast if this address has had enough for now."""
        bucket = self._buckets.pop(address, None) or Bucket(self._per_minute, self._per_minute / 60, now)
        self._buckets[address] = bucket
        if len(self._buckets) > MOST_ADDRESSES:
            self._buckets.popitem(last=False)
        if not bucket.draw(now):
            raise TooFast("That is too much at once from your address; wait a minute.")
