"""Tables without a server, for tests that tell a story: people by name, a clock that stands still until it is moved."""

from __future__ import annotations

import json
import random
from itertools import count
from typing import Any

import pytest

from tafelrunde import Record, TafelrundeError, wire
from tafelrunde.fairness import commitment
from tafelrunde.games import find
from tafelrunde.server.table_store import table_of, writes_of
from tafelrunde.table import LogLine, Outcome, Table
from tafelrunde.table.head import new_head
from tafelrunde.testing import pick_any
from tests.table.memory import MemoryStore

GUESTS = ("Ada", "Bo", "Cy", "Di", "Eli", "Fay")
NOON = 1_700_000_000_000


def nonce_of(seat: int, match: int = 1) -> bytes:
    """A nonce that a test can tell again."""
    return bytes([seat, match] * 16)


def read_command(do: str, **fields: Any) -> Any:
    """A command as it comes over the wire."""
    return wire.COMMANDS.validate_json(json.dumps({"do": do, **fields}))


class Evening:
    """One table from its beginning: what happens is kept in a store, as the server does it."""

    def __init__(self, game: str = "buffet", seats: int = 3, people: int = 0, **wanted: Any) -> None:
        self.store = MemoryStore()
        self.now = NOON
        self.ids = count(1)
        self.tokens: dict[int, str] = {}
        self.last: Outcome
        self.lines: list[LogLine] = []
        """All that was told, as the table made it."""
        options = dict(find(game).quick) | wanted.pop("options", {})
        body = {"game": game, "seats": seats, "name": GUESTS[0], "options": options} | wanted
        head, self.tokens[body.get("seat", 0)] = new_head(wire.NewTable.model_validate(body), "kafemulo")
        id = self.store.create("kafemulo", head.model_dump_json(), head.listed, self.now)
        self.table = Table(id, head)
        for name in GUESTS[1 : people or seats]:
            self.sit(name)

    # --- Doing things ---------------------------------------------------------------------------------------------

    def keep(self, outcome: Outcome) -> Outcome:
        assert not self.store.append(writes_of(self.table.id, outcome), self.now)
        self.last = outcome
        self.lines += outcome.lines
        return outcome

    def ask(
        self, seat: int, do: str, /, *, held: set[int] | None = None, id: str | None = None, **fields: Any
    ) -> Outcome:
        """A command of somebody at this seat."""
        command = read_command(do, id=id or f"c{next(self.ids)}", **fields)
        return self.keep(self.table.command(frozenset({seat} if held is None else held), command, self.now))

    def sit(self, name: str = "Zoe", seat: int | None = None, pledge: str | None = None) -> int:
        outcome = self.keep(self.table.sit(wire.Sit(name=name, seat=seat, pledge=pledge), self.now))
        assert outcome.seat is not None
        assert outcome.secret is not None
        self.tokens[outcome.seat] = outcome.secret
        return outcome.seat

    def take(self, pass_: str) -> Outcome:
        return self.keep(self.table.take(wire.Take.model_validate({"pass": pass_}), self.now))

    def later(self, seconds: float) -> Evening:
        self.now += round(seconds * 1000)
        return self

    def pledge_all(self) -> None:
        for seat in self.table.head.people():
            self.ask(seat, "pledge", hash=commitment(nonce_of(seat, self.table.view.match)))

    def give_nonces(self) -> None:
        for seat in self.table.head.awaited_nonces():
            self.ask(seat, "nonce", nonce=nonce_of(seat, self.table.view.match).hex())

    def start(self) -> Evening:
        """Begin; whoever has pledged gives the nonce."""
        assert self.table.view.host is not None
        self.ask(self.table.view.host, "start")
        self.give_nonces()
        return self

    def play(self, chooser: random.Random, decisions: int = 1 << 30) -> Evening:
        """Random legal decisions of whoever may act, until there are so many or the game is over."""
        for _ in range(decisions):
            if self.table.view.phase != "playing":
                break
            self.later(chooser.choice((0, 0.07, 0.5, 2)))
            if self.table.opening is not None:
                self.now = max(self.now, self.table.opening[1])
                self.keep(self.table.open_now(self.now))
                continue
            assert self.table.game is not None
            seat, decision = pick_any(self.table.game, chooser)
            self.ask(seat, "act", decision=decision.to_json())
        return self

    # --- Looking --------------------------------------------------------------------------------------------------

    @property
    def phase(self) -> str:
        return self.table.view.phase

    def load(self) -> Table:
        """The table as another process finds it."""
        stored = self.store.load(self.table.id)
        assert stored is not None
        after = Table.lines_needed_after(stored.head, stored.number)
        return table_of(stored, self.store.lines(stored.id, after))

    def kept(self) -> list[dict[str, Any]]:
        """All lines as they are kept."""
        return [json.loads(body) for _, body in self.store.lines(self.table.id, 0)]

    def record(self, match: int = 1) -> Record:
        """The record of a finished game, from what was kept."""
        row = next(row for row in self.store.games(self.table.id) if row.game == match)
        lines = [json.loads(body) for _, body in self.store.between(self.table.id, row.first, row.last or 0)]
        return Record(json.loads(row.header), [entry for line in lines for entry in line.get("entries", ())])


def sketch(table: Table, now: int) -> dict[str, Any]:
    """A table in short: whatever changes, changes something of this."""
    game = table.game
    return {
        "head": table.head.model_dump_json(),
        "number": table.number,
        "last_at": table.last_at,
        "opening": table.opening,
        "to_act": table.to_act,
        "clock": None if game is None else table.clock(now),
        "state": None if game is None else game._table.tobytes(),
    }


def portrait(table: Table, now: int) -> dict[str, Any]:
    """All of a table that can be told from outside, to compare two of them."""
    seats = (None, *range(len(table.view.seats)))
    return sketch(table, now) | {"views": [view.model_dump() for seat in seats for view in sights(table, seat)]}


def sights(table: Table, seat: int | None) -> list[wire.View]:
    return table.views(frozenset() if seat is None else frozenset({seat}), raw=True)


def refuses(code: str, evening: Evening, seat: int, do: str, /, **fields: Any) -> None:
    """The command is refused with this code, and nothing at all has changed."""
    refuses_to(code, evening, lambda: evening.ask(seat, do, **fields))


def refuses_to(code: str, evening: Evening, attempt: Any) -> None:
    before, lines = portrait(evening.table, evening.now), evening.kept()
    with pytest.raises(TafelrundeError) as refused:
        attempt()
    assert refused.value.code == code
    assert refused.value.sentence.endswith(".")
    assert portrait(evening.table, evening.now) == before
    assert evening.kept() == lines
