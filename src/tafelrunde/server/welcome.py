"""Welcomes a client that connects to a table: with the current state, or with the lines that it has missed."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Any

from pydantic_core import to_json

from tafelrunde import wire
from tafelrunde.errors import TafelrundeError, Unavailable
from tafelrunde.server.jobs import Job
from tafelrunde.server.live import LiveTable
from tafelrunde.server.peer import Peer
from tafelrunde.server.table_store import MOST_MISSED, StoredLine, TableStore
from tafelrunde.table import LogLine, Outcome, Table
from tafelrunde.table.log import NOBODY, read_line


async def welcome(live: LiveTable, store: TableStore, peer: Peer, hello: wire.Hello) -> None:
    """A client says hello: read what it may need from the store, then let it in."""
    missed, recalled = None, None
    if hello.after is not None and await store.same_history(live.table, hello.after, hello.epoch):
        live.catch_up(hello.after)  # another process may have sent the client lines that we do not have yet
        missed = await _lines_after(live, store, hello.after)
    if hello.recall and live.table.head.first:
        after = max(live.table.head.first - 1, live.table.number - MOST_MISSED)
        recalled = await _lines_after(live, store, after)
    live.run(HelloJob(live, store.epoch, peer, hello, missed, recalled or []))


async def _lines_after(live: LiveTable, store: TableStore, after: int) -> list[StoredLine] | None:
    """All lines after this one, and perhaps some before; None if there are too many, or some are missing."""
    older: list[StoredLine] | None = []
    missing = _first_recent(live) - 1 - after
    while older is not None and len(older) < missing:
        older = await store.between(live.table, after, after + missing)
        missing = _first_recent(live) - 1 - after  # while we read, recent lines may have been dropped
    return None if older is None else [*older, *live.recent]


def _first_recent(live: LiveTable) -> int:
    first = live.recent.first
    return live.durable + 1 if first is None else first


class HelloJob(Job):
    """Lets a client in. Like every job it is answered only when the state that it saw is durable."""

    def __init__(
        self,
        live: LiveTable,
        epoch: str,
        peer: Peer,
        hello: wire.Hello,
        missed: list[StoredLine] | None,
        recalled: list[StoredLine],
    ) -> None:
        self._live = live
        self._epoch = epoch
        self._peer = peer
        self._hello = hello
        self._missed = missed
        self._recalled = recalled
        self._greeting: dict[str, Any] = {}
        self._views: bytes | None = None
        """What ends a resumption, if the client gets views."""
        self._resumes = False
        self._first_recalled = 0
        """The number of the first line that may be recalled; 0: none."""

    def attempt(self, table: Table, now: int) -> Outcome:
        """Check the tokens, and compose the greeting from the state as it is now."""
        hello, peer = self._hello, self._peer
        table.head.check_open()
        peer.keys = table.head.keys(hello.tokens)
        peer.held = frozenset(peer.keys)
        peer.wants_views, peer.wants_raw = hello.views, hello.raw
        if hello.views:
            self._live.view_tracker.follow(peer, table)
        self._resumes = hello.after is not None and self._has_all_after(hello.after)
        if not self._live.connections:
            table.wake(now)
        clock = table.clock(now) if table.spec.in_real_time and table.game is not None else None
        greeting: wire.Resumed | wire.Welcome
        if self._resumes:
            greeting = wire.Resumed(
                number=table.number, now=now, epoch=self._epoch, clock_ms=clock, seats=sorted(peer.held)
            )
            self._greeting = greeting.model_dump(mode="json")
            if hello.views:
                self._views = to_json(wire.Views(number=table.number, views=table.views(peer.held, hello.raw)))
        else:
            greeting = wire.Welcome(
                number=table.number, now=now, epoch=self._epoch, clock_ms=clock, table=table.view,
                seats=sorted(peer.held), views=table.views(peer.held, hello.raw), to_act=table.to_act, talk=[],
            )  # fmt: skip
            self._greeting = greeting.model_dump(mode="json")
            self._greeting["talk"] = [line.message(NOBODY) for line in table.talk]
            self._first_recalled = table.head.first if hello.recall else 0
            self._recalled = self._live.recent.continuing(self._recalled)
        return Outcome(table.number)

    def _has_all_after(self, number: int) -> bool:
        """Do we have every line that the client has missed?"""
        if self._missed is None or number > self._live.table.number:
            return False
        self._missed = [line for line in self._live.recent.continuing(self._missed) if line[0] > number]
        return len(self._missed) == max(0, self._live.durable - number)

    def settle(self, outcome: Outcome) -> None:
        """Send the greeting, and let the client follow the table from here on."""
        live, peer = self._live, self._peer
        if peer.closed:
            return
        if self._resumes:
            peer.send(to_json(self._greeting))
            after = self._hello.after or 0
            missed = live.recent.continuing(self._missed or [])
            for line in self._read(line for line in missed if after < line[0] <= outcome.number):
                peer.send(line.encoded(peer.held))
            if self._views is not None:
                peer.send(self._views)
        else:
            recalled = self._lines_of_game(outcome.number) if self._first_recalled else []
            self._greeting["lines"] = [line.message(peer.held) for line in self._read(recalled)]
            peer.send(to_json(self._greeting))
        live.arrive(peer)
        peer.follow(live)

    def _read(self, lines: Iterable[StoredLine]) -> Iterable[LogLine]:
        return (read_line(*line, self._live.table.spec) for line in lines)

    def _lines_of_game(self, last: int) -> list[StoredLine]:
        """The lines of the current game up to this one, as far back as we have them without a gap."""
        lines: deque[StoredLine] = deque()
        for line in reversed(self._live.recent.continuing(self._recalled)):
            if self._first_recalled <= line[0] <= last and len(lines) < MOST_MISSED:
                if lines and line[0] != lines[0][0] - 1:
                    break
                lines.appendleft(line)
        return [*lines]

    def refuse(self, error: TafelrundeError) -> None:
        """A token opens nothing, or the table can not be reached."""
        self._peer.close_with(error.code, error.sentence, reconnect=isinstance(error, Unavailable))
