"""A table in memory, with the clients that are connected to it.

A job is attempted on the table in memory, and its lines go to the writer. Once they are durable they are broadcast and
the job is answered. Meanwhile the next job may already be attempted. If another process has written to the table
first, all pending attempts are void: the table is reloaded and the jobs are attempted again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from pydantic_core import to_json

from tafelrunde import wire
from tafelrunde.errors import TafelrundeError, Unavailable
from tafelrunde.server import metrics
from tafelrunde.server.fresh_views import FreshViews, ViewTracker
from tafelrunde.server.jobs import CommandJob, DecisionJob, Job
from tafelrunde.server.limits import Bucket, Limit
from tafelrunde.server.logs import log
from tafelrunde.server.peer import Peer
from tafelrunde.server.real_time import DecisionQueue
from tafelrunde.server.recent_lines import RecentLines
from tafelrunde.server.runtime import Runtime
from tafelrunde.server.scheduler import Scheduler
from tafelrunde.server.table_store import TableStore, writes_of
from tafelrunde.server.writer import Writer, WriteResult
from tafelrunde.store import StoreError, Write
from tafelrunde.table import LogLine, Outcome, Table
from tafelrunde.table.log import NOBODY, Held, House, Step

BOT_LINES = 3000
BOT_LINES_PER_S = 5
"""How many lines bots may write while no person takes part: a burst, then as many as bots of human pace need."""
LONG_LINE = 500
"""A long line counts as several: once more per this many characters."""
PRESENCE_DELAY_S = 0.05
"""Presence changes within this time are sent together."""
RTT_SLOTS = 100
RTT_SLOT_S = 0.02
"""Tables send round trip times in different time slots, so that they do not all use the event loop at once."""


@dataclass(frozen=True, slots=True)
class RemotePresence:
    """Who is connected to this table through another process."""

    here: Held
    watching: int
    until: int
    """When this expires unless it is repeated."""


@dataclass(frozen=True, slots=True)
class TableServices:
    """What a live table needs from the server."""

    runtime: Runtime
    store: TableStore
    writer: Writer
    line_quota: Limit
    """How much may be written for each address."""
    forget: Callable[[LiveTable], None]
    """Remove a table from memory."""


class Attempt(NamedTuple):
    """A job that has been attempted and waits for the writer."""

    job: Job
    writes: list[Write]
    result: Outcome | TafelrundeError
    fresh: FreshViews | None
    """The views that are sent behind its lines."""


class LiveTable:
    """One table in this process."""

    def __init__(self, services: TableServices, table: Table) -> None:
        self._services = services
        self.runtime = services.runtime
        self.table = table
        self.durable = table.number
        """The number of the last line that was broadcast."""
        self.recent = RecentLines()
        self.connections: set[Peer] = set()
        self.here: Held = NOBODY
        """The seats whose holders are connected, to this process or another one."""
        self._elsewhere: dict[str, RemotePresence] = {}
        """Who is connected to other processes, by process."""
        self.idle_since = self.runtime.clock()
        self._pending: list[Attempt] = []
        """In order."""
        self._waiting: list[Job] = []
        """Jobs that wait for the table to be reloaded."""
        self._reloading = False
        self._remote_number = 0
        """The last line that another process has announced."""
        self._corrupt = False
        """A job failed halfway: the table in memory can not be trusted and has to be reloaded."""
        self._failures = 0
        """How many writes in a row had an unknown result."""
        self._presence_scheduled = False
        self._presence_sent = b""
        self._bot_lines = Bucket(BOT_LINES, BOT_LINES_PER_S, self.runtime.clock())
        self._billed_address: str | None = None
        """The address that is charged for what bots write: that of somebody who is connected."""
        self.view_tracker = ViewTracker()
        self.scheduler = Scheduler(self)
        self._decisions = DecisionQueue(self) if self.in_real_time else None

    @property
    def in_real_time(self) -> bool:
        """Do milliseconds matter here?"""
        return self.table.spec.in_real_time

    @property
    def idle(self) -> bool:
        """Can the table be removed from memory without anybody noticing?"""
        return not (self.connections or self._pending or self._waiting or self._reloading)

    # --- Jobs -----------------------------------------------------------------------------------------------------

    def command(self, origin: Peer, command: Any) -> None:
        """A client sends a command."""
        job = CommandJob(origin, command)
        if self.in_real_time and isinstance(command, wire.Act):
            self.submit(job)
        else:
            self.run(job)

    def submit(self, job: DecisionJob) -> None:
        """A decision in real time: it may be held back until it is its turn."""
        assert self._decisions is not None
        self._decisions.submit(job)

    def run(self, job: Job) -> None:
        """Attempt a job now; it is answered when everything before it is durable."""
        if self._reloading or self._corrupt:
            self._waiting.append(job)
            return
        try:
            attempt = self._carried_out(job, job.attempt(self.table, self.runtime.clock()))
        except TafelrundeError as error:
            if self._recheck(job):
                return
            attempt = Attempt(job, [], error, None)
        except Exception:
            attempt = self._failed(job)
        self._pending.append(attempt)
        if attempt.writes:
            self._charge(job, sum(1 + len(write.body) // LONG_LINE for write in attempt.writes))
            self._services.writer.submit(attempt.writes, self._written)
        elif len(self._pending) == 1:
            self._settle_unwritten()

    def _carried_out(self, job: Job, outcome: Outcome) -> Attempt:
        """What is to be written and shown of it. If that fails, nothing was refused: the table has changed already."""
        try:
            fresh = self.view_tracker.after(outcome.lines, self.table) if outcome.lines else None
            return Attempt(job, writes_of(self.table.id, outcome), outcome, fresh)
        except Exception:
            return self._failed(job)

    def _failed(self, job: Job) -> Attempt:
        """Nobody knows how far it came: from now on only what is on the disk can be trusted."""
        log.exception("a job failed", extra={"table": self.table.id})
        self._corrupt = True
        return Attempt(job, [], Unavailable("Something went wrong on the server; it has been noted."), None)

    def _charge(self, job: Job, lines: int) -> None:
        """Count written lines against the address of the client, or the one that bots are billed to."""
        now = self.runtime.clock()
        if job.origin is None:
            self._bot_lines.charge(now, lines)
        elif isinstance(job, CommandJob) and isinstance(job.command, wire.Act):
            self._bot_lines.fill()
        address = self._billed_address if job.origin is None else job.origin.address
        if address is not None:
            self._services.line_quota.charge(address, now, lines)

    def bots_wait_ms(self, now: int) -> float:
        """How long bots have to wait because they have written a lot, so that they can not fill the disk."""
        address = self._billed_address
        by_address = 0.0 if address is None else self._services.line_quota.of(address, now).wait_ms(now)
        return max(by_address, self._bot_lines.wait_ms(now))

    def _recheck(self, job: Job) -> bool:
        """Before refusing a job: where other processes write too, make sure that we have their latest lines."""
        needed = self._services.store.shared and job.retry and not job.rechecked and not self._pending
        if needed:
            job.rechecked = True
            self._waiting.append(job)
            self._reload(whole=False)
        return needed

    def _written(self, result: WriteResult) -> None:
        if self._reloading:
            return  # void together with an earlier job, which has been handled
        if result != "durable":
            self._retry_pending(result)
            return
        self._failures = 0
        job, _, outcome, fresh = self._pending.pop(0)
        assert isinstance(outcome, Outcome)
        self._broadcast(outcome.lines, fresh, job.origin, outcome.number if outcome.secret is None else 0)
        job.settle(outcome)
        if self._pending or self._corrupt:
            self._settle_unwritten()
        self.scheduler.refresh()
        self.catch_up(self._remote_number)  # another process may have announced lines before we knew of ours

    def _retry_pending(self, result: WriteResult) -> None:
        """What was attempted is void, or its fate unknown: reload the table, then attempt it again."""
        lost = result == "lost"
        if lost:
            metrics.LOST.inc()
        self._failures = 0 if lost else self._failures + 1
        void = [attempt.job for attempt in self._pending]
        self._pending.clear()
        self._reload(whole=True)
        for job in void:
            if job.retry and (lost or job.idempotent):
                self._waiting.append(job)
            else:
                job.refuse(Unavailable("Another was first." if lost else "The store does not answer. Look again."))

    def _settle_unwritten(self) -> None:
        """Answer pending jobs that have nothing to write, as long as everything before them is durable."""
        while self._pending:
            job, writes, result, _ = self._pending[0]
            if writes:
                return
            self._pending.pop(0)
            if isinstance(result, Outcome):
                job.settle(result)
            else:
                job.refuse(result)
        if self._corrupt and not self._reloading:
            self._reload(whole=True)

    # --- Broadcasting ---------------------------------------------------------------------------------------------

    def _broadcast(
        self, lines: Iterable[LogLine], fresh: FreshViews | None, origin: Peer | None = None, answer: int = 0
    ) -> None:
        """Send durable lines to everybody, and behind them fresh views to those who need them.

        The origin gets the line with number ``answer`` as its answer.
        """
        for line in lines:
            event = line.event
            self.durable = line.number
            # A client that is about to resume behind pending jobs counts on the lines that they add: keep all then.
            self.recent.append((line.number, line.stored()), keep_long=bool(self._pending))
            if isinstance(event, House):
                self.scheduler.seats_changed()
                self._check_keys(line, event)
            elif isinstance(event, Step) and line.by is not None:
                self.scheduler.seat_decided(line.by)
            owners, public = event.owners, line.encoded(NOBODY)
            for connection in self.connections:
                if connection is origin and line.number == answer:
                    connection.send(line.answer(connection.held))
                elif connection.held.isdisjoint(owners):
                    connection.send(public)
                else:
                    connection.send(line.encoded(connection.held))
            if isinstance(event, House) and event.closes_table:
                self._close_connections("table-closed", "The host has closed this table.")
        if fresh is not None:
            for connection in self.connections:
                fresh.send_to(connection)

    def _check_keys(self, line: LogLine, event: House) -> None:
        """Take seats from clients whose tokens are no longer valid: they left, moved the seat or were removed."""
        tokens = event.tokens or self.table.head.private.tokens
        for connection in list(self.connections):
            before = connection.held
            connection.held = frozenset(seat for seat, hash in connection.keys.items() if tokens[seat] == hash)
            if connection.held == before:
                continue
            self._presence_changed()
            own_command = line.command is not None and line.by in before
            if not connection.held and not own_command:
                connection.send(line.encoded(NOBODY))
                connection.close_with(
                    "seat-moved", "You no longer have this seat: it was taken along, or you were removed."
                )

    # --- Presence -------------------------------------------------------------------------------------------------

    def arrive(self, connection: Peer) -> None:
        """A connection follows the table from now on."""
        self.connections.add(connection)
        self._presence_changed()
        for seat in connection.held:
            self.scheduler.person_is_here(seat)
        self.scheduler.refresh()

    def depart(self, peer: Peer) -> None:
        """A connection is gone."""
        self.connections.discard(peer)
        self.idle_since = self.runtime.clock()
        self._presence_changed()
        self.scheduler.refresh()

    def _presence_changed(self) -> None:
        addresses = {connection.address for connection in self.connections}
        if self._billed_address not in addresses:
            self._billed_address = min(addresses, default=None)
        self.here = self.held_here.union(*(remote.here for remote in self._elsewhere.values()))
        self.scheduler.seats_changed()
        self.show_presence()

    def present_elsewhere(self, process: str, presence: RemotePresence | None) -> None:
        """Another process reports who is connected to it; None: nobody any more."""
        before = self._elsewhere.pop(process, None)
        if presence is not None:
            self._elsewhere[process] = presence
        if before is None or presence is None or before.here != presence.here or before.watching != presence.watching:
            self._presence_changed()
            for seat in self.here:
                self.scheduler.person_is_here(seat)
            self.scheduler.refresh()

    def expire_presence(self, now: int) -> None:
        """Drop the reports of processes that have not reported for a while."""
        for process, presence in list(self._elsewhere.items()):
            if presence.until < now:
                self.present_elsewhere(process, None)

    def show_presence(self) -> None:
        """Send everybody who is here, soon."""
        if not self._presence_scheduled:
            self._presence_scheduled = True
            self.runtime.loop.call_later(PRESENCE_DELAY_S, self._send_presence)

    def show_rtt(self) -> None:
        """Send everybody the round trip times if they have changed, in this table's time slot."""
        self.runtime.loop.call_later(self.table.id % RTT_SLOTS * RTT_SLOT_S, self._send_presence, True)

    def _send_presence(self, only_if_changed: bool = False) -> None:
        if not only_if_changed:
            self._presence_scheduled = False
        message = to_json(self._presence())
        if only_if_changed and message == self._presence_sent:
            return
        self._presence_sent = message
        for connection in self.connections:
            connection.send(message)

    def _presence(self) -> wire.Presence:
        seats = range(len(self.table.view.seats))
        return wire.Presence(
            here=[seat in self.here for seat in seats],
            rtt_ms=[self.rtt(seat) for seat in seats],
            watching=self.watching + sum(remote.watching for remote in self._elsewhere.values()),
            due=[self.scheduler.due.get(seat) for seat in seats],
        )

    @property
    def held_here(self) -> Held:
        """The seats whose holders are connected to this process."""
        return frozenset(seat for connection in self.connections for seat in connection.held)

    @property
    def watching(self) -> int:
        """How many are connected to this process without a seat."""
        return sum(not connection.held for connection in self.connections)

    def rtt(self, seat: int) -> int | None:
        """The round trip time of a seat's connection in milliseconds, if it has been measured."""
        measured = [c.rtt_ms for c in self.connections if seat in c.held and c.rtt_ms is not None]
        return round(min(measured)) if measured else None

    # --- Other processes ------------------------------------------------------------------------------------------

    def catch_up(self, number: int) -> None:
        """Another process has written up to this line: read what we do not have yet."""
        self._remote_number = max(self._remote_number, number)
        if number > self.durable and not self._pending and not self._reloading:
            self._reload(whole=False)

    def _reload(self, whole: bool) -> None:
        self._reloading = True
        self._corrupt = False
        self._remote_number = 0  # what is announced from now on may be missing in what we read
        self.runtime.spawn(self._read_store(whole))

    async def _read_store(self, whole: bool) -> None:
        """Read the table from the store, broadcast new lines, and run the jobs that had to wait."""
        store = self._services.store
        try:
            if whole:
                self.table, lines = await store.reload(self.table, self.durable)
                self.view_tracker.forget()
            else:
                lines = await store.follow(self.table)
            self._broadcast(lines, self.view_tracker.after(lines, self.table))
            if self._failures > 1:
                raise StoreError("What can be read can not be written.")
        except TafelrundeError as error:
            log.error("a table can not be loaded", extra={"table": self.table.id, "reason": str(error)})
            self._give_up()
            return
        except Exception:
            log.exception("a table can not be shown", extra={"table": self.table.id})
            self._give_up()
            return
        self._reloading = False
        waiting, self._waiting = self._waiting, []
        for job in waiting:
            self.run(job)
        self.scheduler.refresh()
        self.catch_up(self._remote_number)

    def _give_up(self) -> None:
        """The store does not answer: drop the table, and ask everybody to reconnect, which loads it again.

        Commands get no answer, because nobody knows whether they were carried out. Clients send them again with the
        same ids.
        """
        self._services.forget(self)
        waiting, self._waiting = self._waiting, []
        for job in waiting:
            if job.origin is None:
                job.refuse(Unavailable("The table can not be reached right now; try again."))
        self._close_connections("unavailable", "The table can not be reached right now.", reconnect=True)

    def _close_connections(self, code: str, sentence: str, reconnect: bool = False) -> None:
        for connection in list(self.connections):
            connection.close_with(code, sentence, reconnect)

    def close(self) -> None:
        """Stop bots and timers."""
        self.scheduler.close()
        if self._decisions is not None:
            self._decisions.close()
