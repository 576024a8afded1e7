"""Jobs: what is to be done at a table. Attempted at once, answered when the result is durable."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any

from pydantic_core import to_json

from tafelrunde import wire
from tafelrunde.errors import TafelrundeError
from tafelrunde.games.contract import Decision
from tafelrunde.server import metrics
from tafelrunde.server.peer import Peer, held_at
from tafelrunde.table import Outcome, Table
from tafelrunde.table.log import NOBODY

Callback = Callable[[], None]


def nothing() -> None:
    """For callers that need no callback."""


class Job(ABC):
    """Something to be done. It is attempted again if another process was faster and the table has changed."""

    retry = True
    """Attempt it again after a lost race? Yes where somebody waits for the answer."""
    idempotent = True
    """May it be attempted again if nobody knows whether it was carried out? Commands are recognised by their ids."""
    rechecked = False
    """Before it was refused: has the table been brought up to date with the store?"""
    origin: Peer | None = None
    """The client that gets the line as its answer."""

    @abstractmethod
    def attempt(self, table: Table, now: int) -> Outcome:
        """Do it; raises TafelrundeError and changes nothing if it can not be done."""

    @abstractmethod
    def settle(self, outcome: Outcome) -> None:
        """The outcome is durable and has been broadcast."""

    @abstractmethod
    def refuse(self, error: TafelrundeError) -> None:
        """It can not be done."""


class Chore(Job):
    """What the table does by itself for bots, clocks and absences. After a lost race the scheduler decides again.

    After every settled job the live table lets its scheduler look again; ``refused`` has to see to that itself.
    """

    retry = False

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
        """Done."""
        self._settled()

    def refuse(self, error: TafelrundeError) -> None:
        """It was too late."""
        self._refused()


class Visit(Job):
    """A request over HTTP: a coroutine waits for the outcome."""

    idempotent = False

    def __init__(self, do: Callable[[Table, int], Outcome]) -> None:
        self._do = do
        self.done: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()

    def attempt(self, table: Table, now: int) -> Outcome:
        """Do it."""
        return self._do(table, now)

    def settle(self, outcome: Outcome) -> None:
        """Resume the coroutine."""
        if not self.done.done():
            self.done.set_result(outcome)

    def refuse(self, error: TafelrundeError) -> None:
        """Resume the coroutine."""
        if not self.done.done():
            self.done.set_exception(error)


class DecisionJob(Job):
    """A decision in the game. In real time, decisions are put in order before they are attempted."""

    by_bot = False
    claim: dict[str, int] | None = None
    """When a claim arrived and its lag credit; stored for the receipt."""

    @property
    @abstractmethod
    def verb(self) -> object:
        """What is decided; not checked yet."""

    @property
    @abstractmethod
    def fields(self) -> Mapping[str, Any]:
        """The fields of the decision; not checked yet."""

    @abstractmethod
    def seat_at(self, table: Table) -> int:
        """Whose decision it is; raises TafelrundeError."""


class BotJob(DecisionJob):
    """A decision of a bot in real time."""

    retry = False
    by_bot = True

    def __init__(self, seat: int, decision: Decision, settled: Callback, refused: Callback) -> None:
        self._seat = seat
        self._decision = decision
        self._settled = settled
        self._refused = refused

    @property
    def verb(self) -> str:
        """What is decided."""
        return self._decision.do

    @property
    def fields(self) -> Mapping[str, Any]:
        """The fields of the decision."""
        return self._decision.fields

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
        """Too late, for example because the place has been filled. The hand is free again."""
        self._refused()


class CommandJob(DecisionJob):
    """A command of a client; only ``wire.Act`` is a decision in the game."""

    def __init__(self, origin: Peer, command: Any) -> None:
        self.origin: Peer = origin
        self.command = command
        self._views: list[dict[str, Any]] | None = None

    @property
    def verb(self) -> object:
        """What is decided."""
        return self.command.decision.get("do")

    @property
    def fields(self) -> Mapping[str, Any]:
        """The decision as it was sent."""
        fields: Mapping[str, Any] = self.command.decision
        return fields

    def seat_at(self, table: Table) -> int:
        """The client's only seat, or the one that the command names."""
        return table.seat_of(held_at(table, self.origin), self.command.seat)

    def attempt(self, table: Table, now: int) -> Outcome:
        """Carry it out, with the seats that the client holds now."""
        outcome = table.command(held_at(table, self.origin), self.command, now, self.claim)
        if isinstance(self.command, wire.Look):
            seat = outcome.seat
            views = table.views(NOBODY if seat is None else frozenset({seat}), self.command.raw)
            self._views = [view.model_dump(mode="json") for view in views]  # here errors are caught
        return outcome

    def settle(self, outcome: Outcome) -> None:
        """The line was the answer, unless there is none or there is more to say."""
        metrics.answers[self.command.do, "accepted"] += 1
        if outcome.lines and outcome.secret is None:
            return
        message: dict[str, Any] = {"type": "accepted", "id": self.command.id, "number": outcome.number}
        if self._views is not None:
            message["views"] = self._views
        if outcome.secret is not None:
            message["pass"] = outcome.secret
        self.origin.send(to_json(message))

    def refuse(self, error: TafelrundeError) -> None:
        """Tell the client why."""
        metrics.answers[self.command.do, error.code] += 1
        self.origin.refuse(error, self.command.id)
