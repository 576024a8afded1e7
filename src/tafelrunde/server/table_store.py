"""How tables get into the store and out of it."""

from __future__ import annotations

import asyncio

from tafelrunde.errors import NoSuchTable
from tafelrunde.server.runtime import Runtime
from tafelrunde.store import GameRow, Store, StoredTable, Write
from tafelrunde.table import LogLine, Match, Outcome, Table
from tafelrunde.table.log import read_line

MOST_MISSED = 2000
"""A client that has missed more lines than this gets the current state instead; nobody can recall more."""

StoredLine = tuple[int, str]
"""A line as it is in the store, number and body: much smaller in memory than a decoded one."""


def writes_of(table: int, outcome: Outcome) -> list[Write]:
    """The lines of an outcome as rows for the store; everything else that changes goes with the last one."""
    writes = [Write(table, line.number, line.stored()) for line in outcome.lines]
    if outcome.head is not None or outcome.match is not None:
        game = None if outcome.match is None else _row_of(outcome.match)
        writes[-1] = writes[-1]._replace(head=outcome.head, listed=outcome.listed, game=game)
    return writes


def _row_of(match: Match) -> GameRow:
    return GameRow(
        game=match.number, first=match.first, header=match.header, last=match.last, result=match.result,
        ended=match.ended, public=match.public,
    )  # fmt: skip


def table_of(stored: StoredTable, lines: list[StoredLine]) -> Table:
    """A table from its rows."""
    return Table.load(stored.id, stored.head, stored.number, lines)


class TableStore:
    """Reads tables in threads, while other processes may be writing to them."""

    def __init__(self, store: Store, runtime: Runtime) -> None:
        self._store = store
        self._runtime = runtime
        self._asking: dict[tuple[int, int, str], asyncio.Future[bool]] = {}

    @property
    def epoch(self) -> str:
        """The epoch in which lines are written now."""
        return self._store.epoch

    @property
    def shared(self) -> bool:
        """Can other processes write to the same tables?"""
        return self._store.shared

    async def load(self, code: str) -> Table:
        """The table with this code; raises NoSuchTable."""
        return await self._runtime.read(self._load, code)

    async def reload(self, table: Table, durable: int) -> tuple[Table, list[LogLine]]:
        """The table as it is in the store now, and its lines after ``durable``."""

        def read() -> tuple[Table, list[LogLine]]:
            again = self._load(table.view.code)
            missed = self._store.between(table.id, durable + 1, again.number)
            return again, [read_line(number, body, again.spec) for number, body in missed]

        return await self._runtime.read(read)

    async def follow(self, table: Table) -> list[LogLine]:
        """Bring a table up to date with what another process has written; returns the new lines."""

        def read() -> tuple[StoredTable, list[StoredLine]]:
            stored = self._store.load(table.id)
            if stored is None:
                raise NoSuchTable("The table is gone.")
            return self._consistent(stored, table.number)

        stored, lines = await self._runtime.read(read)
        return table.follow(stored.head, lines)  # on the event loop, where others use the table

    async def between(self, table: Table, after: int, last: int) -> list[StoredLine] | None:
        """The lines after ``after`` up to ``last``; None if there are too many, or some are missing."""
        if last - after > MOST_MISSED:
            return None
        lines = await self._runtime.read(self._store.between, table.id, after + 1, last)
        return lines if len(lines) == last - after else None

    async def same_history(self, table: Table, number: int, epoch: str | None) -> bool:
        """Does the line number that a client got in that epoch mean the same line to us?"""
        if epoch is None or epoch == self.epoch:
            return epoch is not None
        question = (table.id, number, epoch)
        if question not in self._asking:  # after a restart all clients of a table ask the same at the same time
            answer = asyncio.ensure_future(self._runtime.read(self._store.shares_history, *question))
            answer.add_done_callback(lambda _: self._asking.pop(question, None))
            self._asking[question] = answer
        return await self._asking[question]

    def _load(self, code: str) -> Table:
        stored = self._store.find(code)
        if stored is None:
            raise NoSuchTable(f"There is no table {code!r}, or not any more.")
        return table_of(*self._consistent(stored, Table.lines_needed_after(stored.head, stored.number)))

    def _consistent(self, stored: StoredTable, after: int) -> tuple[StoredTable, list[StoredLine]]:
        """The head of a table and its lines from the same moment: read again if the head has changed in between."""
        while True:
            lines = self._store.lines(stored.id, after)
            again = self._store.load(stored.id)
            if again is None:
                raise NoSuchTable("The table is gone.")
            if again.number == stored.number:
                return stored, lines
            stored = again
