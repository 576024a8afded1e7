"""A table with people at it: one writer, many listeners.

A job is attempted on the table in memory and its lines go to the disk; only when they are there are they told and the
job is answered. Meanwhile the next job may be attempted already. If another process has written to the table first,
what was attempted is void: the table is loaded anew and the jobs are attempted again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import TYPE_CHECKING

from tafelrunde import wire
from tafelrunde.errors import TafelrundeError, Unavailable
from tafelrunde.server import metrics
from tafelrunde.server.attendant import Attendant
from tafelrunde.server.claims import Claims
from tafelrunde.server.jobs import CommandJob, Job
from tafelrunde.server.logs import log
from tafelrunde.server.writer import Fate
from tafelrunde.store import StoreError
from tafelrunde.table import Line, Outcome, Table
from tafelrunde.table.lines import NOBODY, Held, dumps

if TYPE_CHECKING:
    from tafelrunde.server.hall import Hall
    from tafelrunde.server.socket import Connection

RECENT = 256
"""So many lines are kept in memory for those who come back after a break; older ones are read from the store."""


class LiveTable:
    """One table in this process."""

    def __init__(self, hall: Hall, table: Table) -> None:
        self.hall = hall
        self.table = table
        self.durable = table.number
        """The number of the last line that was told."""
        self.recent: deque[Line] = deque(maxlen=RECENT)
        self.connections: set[Connection] = set()
        self.idle_since = hall.clock()
        self._pending: deque[tuple[Job, Outcome | TafelrundeError]] = deque()
        self._catching_up = False
        self._heard = 0
        self._waiting: list[Job] = []
        self._presence_due = False
        self.attendant = Attendant(self)
        self.claims = Claims(self)

    @property
    def idle(self) -> bool:
        """Could it be forgotten without anybody noticing?"""
        return not (self.connections or self._pending or self._waiting or self._catching_up)

    # --- Jobs -----------------------------------------------------------------------------------------------------

    def command(self, origin: Connection, command: object) -> None:
        """A client wants something."""
        job = CommandJob(origin, command)
        if self.table.spec.in_real_time and isinstance(command, wire.Act):
            self.claims.take(job)
        else:
            self.run(job)

    def run(self, job: Job) -> None:
        """Attempt a job now; it is answered when everything before it is durable."""
        if self._catching_up:
            self._waiting.append(job)
            return
        answer: Outcome | TafelrundeError
        try:
            answer = job.attempt(self.table, self.hall.clock())
        except TafelrundeError as error:
            answer = error
        self._pending.append((job, answer))
        if isinstance(answer, Outcome) and answer.writes:
            self.hall.writer.submit(answer.writes, self._written)
        elif len(self._pending) == 1:
            self._settle_unwritten()

    def _written(self, fate: Fate) -> None:
        if self._catching_up:
            return  # lost together with those before, which see to it
        if fate == "lost":
            metrics.LOST.inc()
            self._waiting += [job for job, _ in self._pending if job.again]
            self._pending.clear()
            self._catch_up(anew=True)
            return
        job, outcome = self._pending.popleft()
        assert isinstance(outcome, Outcome)
        self.tell(outcome.lines, job.origin, outcome.number if outcome.secret is None else 0)
        job.settle(outcome)
        self._settle_unwritten()
        self.attendant.attend()

    def _settle_unwritten(self) -> None:
        """Answer those that wait for nothing else: what they saw is durable now."""
        while self._pending:
            job, answer = self._pending[0]
            if isinstance(answer, Outcome):
                if answer.writes:
                    return
                self._pending.popleft()
                job.settle(answer)
            else:
                self._pending.popleft()
                job.refuse(answer)

    # --- Telling --------------------------------------------------------------------------------------------------

    def tell(self, lines: Iterable[Line], origin: Connection | None = None, number: int = 0) -> None:
        """Send lines to all; the origin gets the line of this number as its answer."""
        for line in lines:
            self.durable = line.number
            self.recent.append(line)
            metrics.LINES.inc()
            self.attendant.told(line)
            if line.type == "house":
                self._check_keys(line)
            for connection in self.connections:
                if connection is origin and line.number == number:
                    connection.send(line.answer(connection.held))
                else:
                    connection.send(line.seen(connection.held))

    def _check_keys(self, line: Line) -> None:
        """Whoever has given a seat away, or was asked to leave, holds it no longer."""
        for connection in list(self.connections):
            before = connection.held
            connection.held = self._still_held(connection)
            if connection.held == before:
                continue
            self.show_presence()
            if not connection.held and line.by not in before:
                connection.send(line.seen(NOBODY))
                connection.bye("seat-moved", "You no longer have this seat: it was taken along, or you were removed.")

    def _still_held(self, connection: Connection) -> Held:
        kept = self.table.head.private.tokens
        return frozenset(seat for seat, hash in connection.keys.items() if kept[seat] == hash)

    # --- Coming and going -----------------------------------------------------------------------------------------

    async def welcome(self, connection: Connection, hello: wire.Hello) -> None:
        """Somebody connects: everything as it is now, or what was missed."""
        older: list[Line] | None = []
        if hello.after is not None and hello.after < self.durable:
            oldest = self.recent[0].number if self.recent else self.durable + 1
            if hello.after < oldest - 1:
                older = await self.hall.read_lines(self.table, hello.after, oldest - 1)
        self.run(HelloJob(self, connection, hello, older))

    def arrive(self, connection: Connection) -> None:
        """A connection follows the table from now on."""
        if not self.connections:
            self.table.wake(self.hall.clock())
        self.connections.add(connection)
        for seat in connection.held:
            self.attendant.here(seat)
        self.show_presence()
        self.attendant.attend()

    def depart(self, connection: Connection) -> None:
        """A connection is gone."""
        self.connections.discard(connection)
        self.idle_since = self.hall.clock()
        self.show_presence()
        self.attendant.attend()

    def is_here(self, seat: int) -> bool:
        """Is somebody connected who holds this seat?"""
        return any(seat in connection.held for connection in self.connections)

    def show_presence(self) -> None:
        """Tell all who is here; many changes at once are told once."""
        if not self._presence_due:
            self._presence_due = True
            self.hall.loop.call_later(0.05, self._send_presence)

    def _send_presence(self) -> None:
        self._presence_due = False
        text = dumps(self.presence().model_dump(mode="json")).encode()
        for connection in self.connections:
            connection.send(text)

    def presence(self) -> wire.Presence:
        """Who is here, and how long their lines take."""
        seats = range(len(self.table.view.seats))
        return wire.Presence(
            here=[self.is_here(seat) for seat in seats],
            rtt_ms=[self.rtt(seat) for seat in seats],
            watching=sum(not connection.held for connection in self.connections),
        )

    def rtt(self, seat: int) -> int | None:
        """The round trip of a seat's line in milliseconds, as far as it was measured."""
        measured = [c.rtt_ms for c in self.connections if seat in c.held and c.rtt_ms is not None]
        return round(min(measured)) if measured else None

    # --- Other processes ------------------------------------------------------------------------------------------

    def hear(self, number: int) -> None:
        """Another process has written to this table."""
        self._heard = max(self._heard, number)
        if number > self.durable and not self._pending and not self._catching_up:
            self._catch_up(anew=False)

    def _catch_up(self, anew: bool) -> None:
        self._catching_up = True
        self.hall.spawn(self._load(anew))

    async def _load(self, anew: bool) -> None:
        """Read what is durable, tell what is new, and do what had to wait."""
        try:
            if anew:
                self.table, lines = await self.hall.load_again(self.table, self.durable)
            else:
                lines = await self.hall.follow(self.table)
            self.tell(lines)
        except (StoreError, TafelrundeError) as error:
            log.error("a table can not be loaded", extra={"table": self.table.id, "reason": str(error)})
            self._give_up()
            return
        self._catching_up = False
        waiting, self._waiting = self._waiting, []
        for job in waiting:
            self.run(job)
        self.attendant.attend()
        self.hear(self._heard)

    def _give_up(self) -> None:
        """The store does not answer: everybody is asked to come again, and the table is loaded when they do."""
        self.hall.forget(self)
        for job in self._waiting:
            job.refuse(Unavailable("The table can not be reached right now. Nothing was changed; try again."))
        self._waiting.clear()
        for connection in list(self.connections):
            connection.bye("unavailable", "The table can not be reached right now.", again=True)

    def close(self) -> None:
        """No more bots and clocks."""
        self.attendant.close()
        self.claims.close()


class HelloJob(Job):
    """A client that connects waits, like everybody, until what it is told is durable."""

    def __init__(self, live: LiveTable, connection: Connection, hello: wire.Hello, older: list[Line] | None) -> None:
        self._live = live
        self._connection = connection
        self._hello = hello
        self._older = older
        self._message = b""
        self._resumes = False

    def attempt(self, table: Table, now: int) -> Outcome:
        """Who is it, and what has it missed?"""
        hello, connection = self._hello, self._connection
        connection.keys = table.head.keys(hello.tokens)
        connection.held = frozenset(connection.keys)
        self._resumes = hello.after is not None and hello.after <= table.number and self._older is not None
        clock = table.clock(now) if table.spec.in_real_time and table.game is not None else None
        told: wire.Resumed | wire.Welcome
        if self._resumes:
            told = wire.Resumed(number=table.number, now=now, clock_ms=clock, seats=sorted(connection.held))
            self._message = dumps(told.model_dump(mode="json")).encode()
        else:
            told = wire.Welcome(
                number=table.number, now=now, clock_ms=clock, table=table.view, seats=sorted(connection.held),
                views=table.views(connection.held), to_act=table.to_act, talk=[],
            )  # fmt: skip
            talk = b",".join(line.seen(NOBODY) for line in table.talk)
            self._message = (
                dumps(told.model_dump(mode="json", exclude={"talk"})).encode()[:-1] + b',"talk":[%b]}' % talk
            )
        return Outcome(table.number, [], [])

    def settle(self, outcome: Outcome) -> None:
        """Say so, and let it follow from here on."""
        live, connection = self._live, self._connection
        if connection.closed:
            return
        connection.send(self._message)
        if self._resumes:
            after = self._hello.after or 0
            recent = [line for line in live.recent if line.number <= outcome.number]
            for line in [*(self._older or []), *recent]:
                if line.number > after:
                    connection.send(line.seen(connection.held))
        live.arrive(connection)
        connection.follow(live)

    def refuse(self, error: TafelrundeError) -> None:
        """A token that opens nothing."""
        self._connection.bye(error.code, error.sentence)
