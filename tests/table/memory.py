"""A store that keeps everything in memory, for tests that are not about stores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from tafelrunde.store import CodeTaken, GameRow, StoredTable, Write


@dataclass
class Kept:
    """A table with all that was written of it."""

    stored: StoredTable
    listed: bool
    lines: dict[int, str] = field(default_factory=dict)
    games: dict[int, GameRow] = field(default_factory=dict)


class MemoryStore:
    """As ``tafelrunde.store.Store`` has it, without a disk."""

    shared = False
    epoch = "one"

    def __init__(self) -> None:
        self.tables: dict[int, Kept] = {}

    def create(self, code: str, head: str, listed: bool, now: int) -> int:
        if self.find(code) is not None:
            raise CodeTaken(code)
        id = len(self.tables) + 1
        self.tables[id] = Kept(StoredTable(id, code, head, 0, now), listed)
        return id

    def find(self, code: str) -> StoredTable | None:
        return next((kept.stored for kept in self.tables.values() if kept.stored.code == code), None)

    def load(self, table: int) -> StoredTable | None:
        return self.tables[table].stored if table in self.tables else None

    def lines(self, table: int, after: int) -> list[tuple[int, str]]:
        return self.between(table, after + 1, 1 << 62)

    def between(self, table: int, first: int, last: int) -> list[tuple[int, str]]:
        return [(number, body) for number, body in sorted(self.tables[table].lines.items()) if first <= number <= last]

    def check(self) -> None:
        """Memory always answers."""

    def vouches(self, table: int, number: int, epoch: str) -> bool:
        return epoch == self.epoch and (number == 0 or number in self.tables[table].lines)

    def append(self, writes: Sequence[Write], now: int) -> set[int]:
        lost = {write.table for write in writes if write.number in self.tables[write.table].lines}
        for write in writes:
            if write.table not in lost:
                self._keep(self.tables[write.table], write, now)
        return lost

    def _keep(self, kept: Kept, write: Write, now: int) -> None:
        kept.lines[write.number] = write.body
        if write.head is not None:
            kept.stored = replace(kept.stored, head=write.head, number=write.number, touched=now)
        if write.listed is not None:
            kept.listed = write.listed
        if write.game is not None:
            kept.games[write.game.game] = write.game

    def listed(self, limit: int) -> list[StoredTable]:
        return [kept.stored for kept in self.tables.values() if kept.listed][:limit]

    def games(self, table: int) -> list[GameRow]:
        return [row for _, row in sorted(self.tables[table].games.items())]

    def prune(self, before: int) -> int:
        return 0

    def announce(self, note: str) -> None:
        """Nobody else would hear it."""

    def listen(self, hear: object, overhear: object = None) -> None:
        """Nobody else writes here."""

    def close(self) -> None:
        """There is nothing to let go of."""
