"""A table with people at it: one writer, many listeners.

A job is attempted on the table in memory and its lines go to the disk; only when they are there are they told and the
job is answered. Meanwhile the next job may be attempted already. If another process has written to the table first,
what was attempted is void: the table is loaded anew and the jobs are attempted again.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic_core import to_json

from tafelrunde import wire
from tafelrunde.errors import TafelrundeError, Unavailable
from tafelrunde.server import metrics
from tafelrunde.server.claims import Claims
from tafelrunde.server.jobs import ActJob, CommandJob, Job
from tafelrunde.server.limits import Bucket
from tafelrunde.server.logs import log
from tafelrunde.server.scheduler import Scheduler
from tafelrunde.server.writer import Fate
from tafelrunde.store import StoreError
from tafelrunde.table import Line, Outcome, Table
from tafelrunde.table.lines import NOBODY, Held, read_line

if TYPE_CHECKING:
    from tafelrunde.server.hall import Hall
    from tafelrunde.server.socket import Connection

RECENT = 256
RECENT_SIZE = 4000
"""So many lines, and not more than so many characters, are kept in memory for those who come back after a break; older
ones are read from the store."""
BOT_LINES = 3000
BOT_LINES_PER_S = 5
"""What bots may write while no person takes part: so much at once, and then as much as bots of human pace need."""
LONG_LINE = 500
"""A line with more characters than this counts as several."""
RTT_SLOTS = 100
RTT_SLOT_S = 0.02
"""Tables do not tell all at once how long lines take, that would make everybody wait: each has its turn."""
MOST_MISSED = 2000
"""Whoever has missed more lines than this is told how things are now instead; nobody recalls more."""

Kept = tuple[int, str]
"""A line as it is in the store, number and body: far smaller than one that is ready to be told."""


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Who is connected to another process."""

    here: Held
    watching: int
    until: int


class LiveTable:
    """One table in this process."""

    def __init__(self, hall: Hall, table: Table) -> None:
        self.hall = hall
        self.runtime = hall
        self.table = table
        self.durable = table.number
        """The number of the last line that was told."""
        self.recent: list[Kept] = []
        self._recent_size = 0
        self.connections: set[Connection] = set()
        self.here: Held = NOBODY
        """The seats whose holders are connected, here or to another process."""
        self._elsewhere: dict[str, Elsewhere] = {}
        self.idle_since = hall.clock()
        self._pending: list[tuple[Job, Outcome | TafelrundeError]] = []
        self._catching_up = False
        self._heard = 0
        self._waiting: list[Job] = []
        self._spoiled = False
        """Nobody knows what a job that failed has done to the table in memory: it has to be loaded anew."""
        self._failed = 0
        """How many times in a row nobody could tell whether something was written."""
        self._vouching: dict[tuple[int, str | None], asyncio.Future[bool]] = {}
        self._presence_due = False
        self._presence_told = b""
        self._bot_lines = Bucket(BOT_LINES, BOT_LINES_PER_S, hall.clock())
        self._payer: str | None = None
        """The address for which bots play here: that of somebody who is connected."""
        self.scheduler = Scheduler(self)
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
            self.submit(job)
        else:
            self.run(job)

    def submit(self, job: ActJob) -> None:
        """A decision in real time: it may be held back until it is its turn."""
        self.claims.take(job)

    def run(self, job: Job) -> None:
        """Attempt a job now; it is answered when everything before it is durable."""
        if self._catching_up or self._spoiled:
            self._waiting.append(job)
            return
        answer: Outcome | TafelrundeError
        try:
            answer = job.attempt(self.table, self.hall.clock())
        except TafelrundeError as error:
            if self._may_be_behind(job):
                return
            answer = error
        except Exception:
            log.exception("a job failed", extra={"table": self.table.id})
            answer = Unavailable("Something went wrong on the server; it has been noted.")
            self._spoiled = True
        self._pending.append((job, answer))
        if isinstance(answer, Outcome) and answer.writes:
            self._charge(job, sum(1 + len(write.body) // LONG_LINE for write in answer.writes))
            self.hall.writer.submit(answer.writes, self._written)
        elif len(self._pending) == 1:
            self._settle_unwritten()

    def _charge(self, job: Job, lines: int) -> None:
        """Count what is written: to the address of whoever wanted it, or for whom bots play."""
        now = self.hall.clock()
        if job.origin is None:
            self._bot_lines.charge(now, lines)
        elif isinstance(job, CommandJob) and job.command.do == "act":
            self._bot_lines.fill()
        address = self._payer if job.origin is None else job.origin.address
        if address is not None:
            self.hall.lines.charge(address, now, lines)

    def bots_wait_ms(self, now: int) -> float:
        """How long bots have to wait because they have written a lot: nobody fills the disk by letting them play."""
        by_address = 0.0 if self._payer is None else self.hall.lines.of(self._payer, now).wait_ms(now)
        return max(by_address, self._bot_lines.wait_ms(now))

    def _may_be_behind(self, job: Job) -> bool:
        """Where other processes write too, nothing is refused before we have looked whether we know the latest."""
        behind = self.hall.store.shared and job.again and not job.looked and not self._pending
        if behind:
            job.looked = True
            self._waiting.append(job)
            self._catch_up(anew=False)
        return behind

    def _written(self, fate: Fate) -> None:
        if self._catching_up:
            return  # lost together with those before, which see to it
        if fate != "durable":
            self._begin_anew(fate)
            return
        self._failed = 0
        job, outcome = self._pending.pop(0)
        assert isinstance(outcome, Outcome)
        self.tell(outcome.lines, job.origin, outcome.number if outcome.secret is None else 0)
        job.settle(outcome)
        if self._pending or self._spoiled:
            self._settle_unwritten()
        self.scheduler.refresh()
        self.hear(self._heard)  # what another process wrote after us may have been heard before we knew that we had

    def _begin_anew(self, fate: Fate) -> None:
        """What was attempted is void, or perhaps not: only the store can tell."""
        lost = fate == "lost"
        if lost:
            metrics.LOST.inc()
        self._failed = 0 if lost else self._failed + 1
        void = [job for job, _ in self._pending]
        self._pending.clear()
        self._catch_up(anew=True)
        for job in void:
            if job.again and (lost or job.harmless_twice):
                self._waiting.append(job)
            else:
                job.refuse(Unavailable("Another was first." if lost else "The store does not answer. Look again."))

    def _settle_unwritten(self) -> None:
        """Answer those that wait for nothing else: what they saw is durable now."""
        while self._pending:
            job, answer = self._pending[0]
            if isinstance(answer, Outcome):
                if answer.writes:
                    return
                self._pending.pop(0)
                job.settle(answer)
            else:
                self._pending.pop(0)
                job.refuse(answer)
        if self._spoiled and not self._catching_up:
            self._catch_up(anew=True)

    # --- Telling --------------------------------------------------------------------------------------------------

    def tell(self, lines: Iterable[Line], origin: Connection | None = None, number: int = 0) -> None:
        """Send lines to all; the origin gets the line of this number as its answer."""
        for line in lines:
            self.durable = line.number
            self._keep(line)
            if line.type == "step" and line.by is not None:
                self.scheduler.seat_decided(line.by)
            if line.type == "house":
                self.scheduler.seats_changed()
                self._check_keys(line)
            owners, public = line.owners, line.seen(NOBODY)
            for connection in self.connections:
                if connection is origin and line.number == number:
                    connection.send(line.answer(connection.held))
                elif connection.held.isdisjoint(owners):
                    connection.send(public)
                else:
                    connection.send(line.seen(connection.held))
            if line.closes:
                self._dismiss("table-closed", "The host has closed this table.")

    def _keep(self, line: Line) -> None:
        self.recent.append((line.number, line.body))
        self._recent_size += len(line.body)
        # Whoever is about to resume behind other jobs counts on what those have told: so nothing is too much then.
        most = RECENT if self._pending else 1
        while len(self.recent) > RECENT or (len(self.recent) > most and self._recent_size > RECENT_SIZE):
            self._recent_size -= len(self.recent.pop(0)[1])

    def _check_keys(self, line: Line) -> None:
        """Whoever has given a seat away, or was asked to leave, holds it no longer."""
        tokens = line.tokens or self.table.head.private.tokens
        for connection in list(self.connections):
            before = connection.held
            connection.held = frozenset(seat for seat, hash in connection.keys.items() if tokens[seat] == hash)
            if connection.held == before:
                continue
            self._presence_changed()
            asked_for_it = line.id is not None and line.by in before
            if not connection.held and not asked_for_it:
                connection.send(line.seen(NOBODY))
                connection.bye("seat-moved", "You no longer have this seat: it was taken along, or you were removed.")

    # --- Coming and going -----------------------------------------------------------------------------------------

    async def welcome(self, connection: Connection, hello: wire.Hello) -> None:
        """Somebody connects: everything as it is now, or what was missed."""
        missed, recalled = None, None
        if hello.after is not None and await self._same_history(hello.after, hello.epoch):
            self.hear(hello.after)  # the client may have been told by another process what we have not heard yet
            missed = await self._kept_after(hello.after)
        if hello.recall and self.table.head.first:
            recalled = await self._kept_after(max(self.table.head.first - 1, self.table.number - MOST_MISSED))
        self.run(HelloJob(self, connection, hello, missed, recalled or []))

    async def _same_history(self, number: int, epoch: str | None) -> bool:
        """Does the number that a client was told in that epoch count the same lines as ours?"""
        store, asked = self.hall.store, (number, epoch)
        if epoch is None or epoch == store.epoch:
            return epoch is not None
        if asked not in self._vouching:  # after a restart all who were here ask the same at the same time
            answer = asyncio.ensure_future(self.hall.read(store.vouches, self.table.id, number, epoch))
            answer.add_done_callback(lambda _: self._vouching.pop(asked, None))
            self._vouching[asked] = answer
        return await self._vouching[asked]

    async def _kept_after(self, after: int) -> list[Kept] | None:
        """All lines after this one, and perhaps some before; None if they are too many, or not all there."""
        older: list[Kept] | None = []
        missing = self._oldest - 1 - after
        while older is not None and len(older) < missing:
            older = await self.hall.read_lines(self.table, after, after + missing)
            missing = self._oldest - 1 - after  # while we read, recent lines may have become old ones
        return None if older is None else [*older, *self.recent]  # a copy: the job may have to wait

    @property
    def _oldest(self) -> int:
        """The number of the first line that is in memory."""
        return self.recent[0][0] if self.recent else self.durable + 1

    def arrive(self, connection: Connection) -> None:
        """A connection follows the table from now on."""
        self.connections.add(connection)
        self._presence_changed()
        for seat in connection.held:
            self.scheduler.person_is_here(seat)
        self.scheduler.refresh()

    def depart(self, connection: Connection) -> None:
        """A connection is gone."""
        self.connections.discard(connection)
        self.idle_since = self.hall.clock()
        self._presence_changed()
        self.scheduler.refresh()

    def _presence_changed(self) -> None:
        addresses = {connection.address for connection in self.connections}
        if self._payer not in addresses:
            self._payer = min(addresses, default=None)
        own = frozenset(seat for connection in self.connections for seat in connection.held)
        self.here = own.union(*(one.here for one in self._elsewhere.values()))
        self.scheduler.seats_changed()
        self.show_presence()

    def present_elsewhere(self, process: str, presence: Elsewhere | None) -> None:
        """Another process says who is connected to it; None: nobody, or it says nothing any more."""
        before = self._elsewhere.pop(process, None)
        if presence is not None:
            self._elsewhere[process] = presence
        if before is None or presence is None or before.here != presence.here or before.watching != presence.watching:
            self._presence_changed()
            for seat in self.here:
                self.scheduler.person_is_here(seat)
            self.scheduler.refresh()

    def forget_silent(self, now: int) -> None:
        """A process that has not said anything for a while has nobody connected any more."""
        for process, presence in list(self._elsewhere.items()):
            if presence.until < now:
                self.present_elsewhere(process, None)

    def show_presence(self) -> None:
        """Tell all who is here; many changes at once are told once."""
        if not self._presence_due:
            self._presence_due = True
            self.hall.loop.call_later(0.05, self._send_presence)

    def show_rtt(self) -> None:
        """Tell all how long lines take by now, if that has changed, when it is this table's turn."""
        self.hall.loop.call_later(self.table.id % RTT_SLOTS * RTT_SLOT_S, self._send_presence, True)

    def _send_presence(self, only_news: bool = False) -> None:
        if not only_news:
            self._presence_due = False
        text = to_json(self.presence())
        if only_news and text == self._presence_told:
            return
        self._presence_told = text
        for connection in self.connections:
            connection.send(text)

    def presence(self) -> wire.Presence:
        """Who is here, how long their lines take, and how long they are waited for."""
        seats = range(len(self.table.view.seats))
        return wire.Presence(
            here=[seat in self.here for seat in seats],
            rtt_ms=[self.rtt(seat) for seat in seats],
            watching=self.watching + sum(one.watching for one in self._elsewhere.values()),
            due=[self.scheduler.due.get(seat) for seat in seats],
        )

    @property
    def watching(self) -> int:
        """How many are connected to this process without a seat."""
        return sum(not connection.held for connection in self.connections)

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
        self._spoiled = False
        self._heard = 0  # what is heard from now on may not be in what is read
        self.hall.spawn(self._load(anew))

    async def _load(self, anew: bool) -> None:
        """Read what is durable, tell what is new, and do what had to wait."""
        try:
            if anew:
                self.table, lines = await self.hall.load_again(self.table, self.durable)
            else:
                lines = await self.hall.follow(self.table)
            self.tell(lines)
            if self._failed > 1:
                raise StoreError("What can be read can not be written.")
        except TafelrundeError as error:
            log.error("a table can not be loaded", extra={"table": self.table.id, "reason": str(error)})
            self._give_up()
            return
        self._catching_up = False
        waiting, self._waiting = self._waiting, []
        for job in waiting:
            self.run(job)
        self.scheduler.refresh()
        self.hear(self._heard)

    def _give_up(self) -> None:
        """The store does not answer: everybody is asked to come again, and the table is loaded when they do.

        A command gets no answer: nobody knows whether it was carried out. Its client sends it again under its id.
        """
        self.hall.forget(self)
        waiting, self._waiting = self._waiting, []
        for job in waiting:
            if job.origin is None:
                job.refuse(Unavailable("The table can not be reached right now; try again."))
        self._dismiss("unavailable", "The table can not be reached right now.", again=True)

    def _dismiss(self, code: str, sentence: str, again: bool = False) -> None:
        """Say goodbye to everybody who is connected."""
        for connection in list(self.connections):
            connection.bye(code, sentence, again)

    def close(self) -> None:
        """No more bots and clocks."""
        self.scheduler.close()
        self.claims.close()


class HelloJob(Job):
    """A client that connects waits, like everybody, until what it is told is durable."""

    def __init__(
        self,
        live: LiveTable,
        connection: Connection,
        hello: wire.Hello,
        missed: list[Kept] | None,
        recalled: list[Kept],
    ) -> None:
        self._live = live
        self._connection = connection
        self._hello = hello
        self._missed = missed
        self._recalled = recalled
        self._message = b""
        self._resumes = False
        self._first = 0
        """The number of the first line that may be recalled; 0: there are none."""

    def attempt(self, table: Table, now: int) -> Outcome:
        """Who is it, and what has it missed?"""
        hello, connection = self._hello, self._connection
        table.head.check_open()
        connection.keys = table.head.keys(hello.tokens)
        connection.held = frozenset(connection.keys)
        self._resumes = hello.after is not None and self._has_all_after(hello.after)
        if not self._live.connections:
            table.wake(now)
        clock = table.clock(now) if table.spec.in_real_time and table.game is not None else None
        told: wire.Resumed | wire.Welcome
        if self._resumes:
            told = wire.Resumed(
                number=table.number, now=now, epoch=self._live.hall.store.epoch, clock_ms=clock,
                seats=sorted(connection.held),
            )  # fmt: skip
            self._message = to_json(told)
        else:
            told = wire.Welcome(
                number=table.number, now=now, epoch=self._live.hall.store.epoch, clock_ms=clock, table=table.view,
                seats=sorted(connection.held), views=table.views(connection.held), to_act=table.to_act, talk=[],
            )  # fmt: skip
            talk = b",".join(line.seen(NOBODY) for line in table.talk)
            self._message = to_json(told, exclude={"talk", "lines"})[:-1] + b',"talk":[%b]' % talk
            self._first = table.head.first if hello.recall else 0
            self._recalled = self._with_recent(self._recalled)
        return Outcome(table.number, [], [])

    def _has_all_after(self, number: int) -> bool:
        """Is every line that the client has missed at hand?"""
        if self._missed is None or number > self._live.table.number:
            return False
        self._missed = [line for line in self._with_recent(self._missed) if line[0] > number]
        return len(self._missed) == max(0, self._live.durable - number)

    def _with_recent(self, kept: list[Kept]) -> list[Kept]:
        """Lines that were read, and those that have been told since."""
        last = kept[-1][0] if kept else 0
        return [*kept, *(line for line in self._live.recent if line[0] > last)]

    def _seen(self, kept: Iterable[Kept]) -> Iterable[bytes]:
        """Lines as the client may see them."""
        return (read_line(*line, self._live.table.spec).seen(self._connection.held) for line in kept)

    def _in_this_game(self, last: int) -> list[Kept]:
        """What is recalled: the lines of the game up to this one, as far as they are at hand without a gap."""
        lines: deque[Kept] = deque()
        for line in reversed(self._with_recent(self._recalled)):
            if self._first <= line[0] <= last and len(lines) < MOST_MISSED:
                if lines and line[0] != lines[0][0] - 1:
                    break
                lines.appendleft(line)
        return [*lines]

    def settle(self, outcome: Outcome) -> None:
        """Say so, and let it follow from here on."""
        live, connection = self._live, self._connection
        if connection.closed:
            return
        if self._resumes:
            connection.send(self._message)
            missed = self._with_recent(self._missed or [])
            after = self._hello.after or 0
            for text in self._seen(line for line in missed if after < line[0] <= outcome.number):
                connection.send(text)
        else:
            lines = self._in_this_game(outcome.number) if self._first else []
            connection.send(b'%b,"lines":[%b]}' % (self._message, b",".join(self._seen(lines))))
        live.arrive(connection)
        connection.follow(live)

    def refuse(self, error: TafelrundeError) -> None:
        """A token that opens nothing, or a table that can not be reached."""
        self._connection.bye(error.code, error.sentence, again=isinstance(error, Unavailable))
