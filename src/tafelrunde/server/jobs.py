"""Things to be done at a table, one after the other: attempted at once, answered when they are durable."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from pydantic_core import to_json

from tafelrunde import wire
from tafelrunde.errors import TafelrundeError
from tafelrunde.games.contract import Decision
from tafelrunde.server import metrics
from tafelrunde.table import Outcome, Table

if TYPE_CHECKING:
    from tafelrunde.server.socket import Connection


Callback = Callable[[], None]


def nothing() -> None:
    """For callers that need no callback."""


class Job(ABC):
    """Something to be done. It may be attempted again, if another process was faster and the table has changed."""

    again = True
    """Is it worth another attempt? Somebody waits for the answer."""
    harmless_twice = True
    """May it be attempted again although it may have been carried out? Commands are known by their ids."""
    looked = False
    """Has it been made sure, before it was refused, that the table is the latest?"""
    origin: Connection | None = None
    """The connection that gets the line as its answer."""

    @abstractmethod
    def attempt(self, table: Table, now: int) -> Outcome:
        """Do it; raises TafelrundeError and changes nothing if it can not be done."""

    @abstractmethod
    def settle(self, outcome: Outcome) -> None:
        """It is durable, and everybody has been told."""

    @abstractmethod
    def refuse(self, error: TafelrundeError) -> None:
        """It can not be done."""


class Chore(Job):
    """What the table does by itself: clocks, absences. After a lost race it is thought over anew.

    After every settled job the live table refreshes its scheduler; ``refused`` has to see to that itself.
    """

    again = False

    def __init__(
        self, do: Callable[[Table, int], Outcome], settled: Callback = nothing, refused: Callback = nothing
    ) -> None:
        self._do = do
        self._settled = settled
        self._refused = refused

    def attempt(self, table: Table, now: int) -> Outcome:
        """Do it."""
        return self._do(table, now)

    def settle(self, outcome: Outcome) -> None:
        """Go on."""
        self._settled()

    def refuse(self, error: TafelrundeError) -> None:
        """The moment has passed."""
        self._refused()


class Visit(Job):
    """Something asked for over HTTP: a coroutine waits for the outcome."""

    harmless_twice = False

    def __init__(self, do: Callable[[Table, int], Outcome]) -> None:
        self._do = do
        self.done: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()

    def attempt(self, table: Table, now: int) -> Outcome:
        """Do it."""
        return self._do(table, now)

    def settle(self, outcome: Outcome) -> None:
        """Wake the coroutine."""
        if not self.done.done():
            self.done.set_result(outcome)

    def refuse(self, error: TafelrundeError) -> None:
        """Wake the coroutine."""
        if not self.done.done():
            self.done.set_exception(error)


class ActJob(Job):
    """A decision in a game; in real time the table puts decisions into their order first."""

    by_bot = False
    claim: dict[str, int] | None = None
    """When a claim arrived, and how much of that is the line's fault."""

    @property
    @abstractmethod
    def decision(self) -> Mapping[str, Any]:
        """In words."""

    @abstractmethod
    def seat_at(self, table: Table) -> int:
        """Whose decision it is; raises TafelrundeError."""


class BotJob(ActJob):
    """A decision of a bot."""

    again = False
    by_bot = True

    def __init__(self, seat: int, decision: Decision, settled: Callback, refused: Callback) -> None:
        self._seat = seat
        self._decision = decision
        self._settled = settled
        self._refused = refused

    @property
    def decision(self) -> Mapping[str, Any]:
        """In words."""
        return self._decision.to_json()

    def seat_at(self, table: Table) -> int:
        """The bot's."""
        return self._seat

    def attempt(self, table: Table, now: int) -> Outcome:
        """Decide."""
        return table.decide(self._seat, self._decision, now, claim=self.claim)

    def settle(self, outcome: Outcome) -> None:
        """The hand is free again."""
        self._settled()

    def refuse(self, error: TafelrundeError) -> None:
        """Too late: the place may have been filled meanwhile. The hand is free again."""
        self._refused()


class CommandJob(ActJob):
    """A command of a client."""

    def __init__(self, origin: Connection, command: Any) -> None:
        self.origin: Connection = origin
        self.command = command
        self.views: list[wire.View] | None = None

    @property
    def decision(self) -> Mapping[str, Any]:
        """In words."""
        decision: Mapping[str, Any] = self.command.decision
        return decision

    def seat_at(self, table: Table) -> int:
        """The client's, or the one it names."""
        return table.seat_of(self._held_at(table), self.command.seat)

    def _held_at(self, table: Table) -> frozenset[int]:
        """The seats that the client has at this table, which may be ahead of what it was told."""
        held, keys, tokens = self.origin.held, self.origin.keys, table.head.private.tokens
        lost = [seat for seat in held if tokens[seat] != keys[seat]]
        return held.difference(lost) if lost else held

    def attempt(self, table: Table, now: int) -> Outcome:
        """Carry it out, with the seats that the client has by now."""
        outcome = table.command(self._held_at(table), self.command, now, self.claim)
        if self.command.do == "look":
            seat = outcome.seat
            self.views = table.views(frozenset() if seat is None else frozenset({seat}), self.command.raw)
        return outcome

    def settle(self, outcome: Outcome) -> None:
        """A line was the answer, unless there is none or there is more to say."""
        metrics.answers[self.command.do, "accepted"] += 1
        if outcome.lines and outcome.secret is None:
            return
        told: dict[str, Any] = {"type": "accepted", "id": self.command.id, "number": outcome.number}
        if self.views is not None:
            told["views"] = [view.model_dump(mode="json", exclude_none=False) for view in self.views]
        if outcome.secret is not None:
            told["pass"] = outcome.secret
        self.origin.send(to_json(told))

    def refuse(self, error: TafelrundeError) -> None:
        """Say why."""
        metrics.answers[self.command.do, error.code] += 1
        self.origin.refuse(error, self.command.id)
