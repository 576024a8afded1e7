"""The lines are the truth: at any moment a table can be loaded from them, or another copy of it can follow."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tafelrunde import TafelrundeError, fairness, wire
from tafelrunde.errors import BadRecord
from tafelrunde.fairness import commitment
from tafelrunde.games import GAMES
from tafelrunde.table import Table
from tafelrunde.table.log import read_line
from tafelrunde.testing import pick_any
from tests.table.tables import NOON, Evening, nonce_of, portrait, sketch

OPTIONS: dict[str, list[dict[str, int]]] = {
    "buffet": [{}],
    "chocolat": [{}],
    "dash": [{}, {"pace_ms": 1500}, {"round_limit_s": 20}, {"pace_ms": 200, "round_limit_s": 60}],
}


def with_known_secrets(test: Callable[[str, int], None]) -> Callable[[str, int], None]:
    """The secrets of the tables come from the seed, so that a failure can be seen again."""

    def run(game: str, seed: int) -> None:
        secrets = random.Random(seed)
        with patch.object(fairness, "fresh", lambda: secrets.randbytes(32)):
            test(game, seed)

    run.__name__ = test.__name__
    return run


class Company:
    """People who do whatever comes to their mind: what is refused must have changed nothing."""

    def __init__(self, game: str, seed: int) -> None:
        self.chooser = chooser = random.Random(seed)
        seats = chooser.choice(GAMES[game].seat_range[:4])
        terms = wire.Terms(countdown_s=chooser.choice((0, 3)), public=chooser.random() < 0.5)
        self.evening = Evening(game, seats, people=1, options=chooser.choice(OPTIONS[game]), terms=terms)
        self.passes: list[str] = []

    def do_something(self) -> None:
        """Something likely for the moment, or anything at all."""
        evening = self.evening
        evening.later(self.chooser.choice((0, 0, 0.07, 0.5, 2, 30)))
        likely = {"gathering": self.gather, "shuffling": self.shuffle, "playing": self.play, "over": self.again}
        choose = likely[evening.phase] if self.chooser.random() < 0.8 else self.anything
        self.attempt(choose)

    def attempt(self, deed: Callable[[], object]) -> None:
        """It happens, or it is refused and nothing has happened."""
        evening = self.evening
        before, now = sketch(evening.table, evening.now), evening.now
        try:
            deed()
        except TafelrundeError:
            assert sketch(evening.table, now) == before
            assert len(evening.store.lines(evening.table.id, 0)) == evening.table.number

    def seat(self) -> int:
        return self.chooser.randrange(len(self.evening.table.view.seats))

    def gather(self) -> None:
        evening = self.evening
        host = evening.table.view.host
        if host is None:
            evening.sit(pledge=self.chooser.choice((None, commitment(nonce_of(0)))))
        elif any(seat.kind == "free" for seat in evening.table.view.seats):
            if self.chooser.random() < 0.5:
                evening.sit()
            else:
                evening.ask(host, "bot", on=self.seat(), level=self.chooser.choice(("greedy", "random")))
        elif self.chooser.random() < 0.4:
            seat = self.chooser.choice(evening.table.head.people())
            evening.ask(seat, "pledge", hash=commitment(nonce_of(seat, evening.table.view.match)))
        else:
            evening.ask(host, "start")

    def shuffle(self) -> None:
        evening = self.evening
        if self.chooser.random() < 0.1:
            evening.keep(evening.table.begin(evening.now))
        else:
            seat = self.chooser.choice(evening.table.head.awaited_nonces())
            evening.ask(seat, "nonce", nonce=nonce_of(seat, evening.table.view.match).hex())

    def play(self) -> None:
        """A few decisions in a row, or time passes."""
        table, evening = self.evening.table, self.evening
        for _ in range(self.chooser.randrange(1, 12)):
            game = table.game
            if table.opening is not None:
                evening.now = max(evening.now, table.opening[1])
                evening.keep(table.open_now(evening.now))
            elif game is not None and game.deadline is not None and table.clock(evening.now) > game.deadline:
                evening.keep(table.run_out(evening.now))
            elif game is not None and not game.over:
                evening.later(self.chooser.choice((0, 0.07, 0.3, 1.5)))
                seat, decision = pick_any(game, self.chooser)
                self.attempt(partial(evening.ask, seat, "act", decision=decision.to_json()))

    def again(self) -> None:
        host = self.evening.table.view.host
        if host is None:
            self.evening.sit()
        else:
            self.evening.ask(host, "rematch")

    def anything(self) -> None:
        evening, seat, other = self.evening, self.seat(), self.seat()
        people = evening.table.head.people()
        by_person: list[tuple[str, dict[str, Any]]] = [
            ("say", {"text": "hm"}), ("react", {"sign": "oops"}), ("leave", {}), ("start", {}), ("rematch", {}),
            ("remove", {"whom": other}), ("bot", {"on": other, "level": self.chooser.choice((None, "greedy"))}),
            ("terms", {"terms": {"chat": self.chooser.random() < 0.8, "countdown_s": self.chooser.choice((0, 3, 7))}}),
            ("act", {"decision": {"do": "sing"}}), ("nonce", {"nonce": "0" * 64}), ("look", {}),
        ]  # fmt: skip
        do, fields = self.chooser.choice(by_person)
        deeds: list[Callable[[], object]] = [
            lambda: evening.sit(seat=seat),
            lambda: self.passes.append(evening.ask(seat, "pass").secret or "") if seat in people else None,
            lambda: evening.take(self.passes.pop()) if self.passes else None,
            lambda: evening.keep(evening.table.away(seat, evening.now)) if seat in people else None,
            lambda: evening.keep(evening.table.back(seat, evening.now)) if seat in people else None,
            *[lambda: evening.ask(seat, do, **fields) if seat in people else None] * 4,
        ]
        self.chooser.choice(deeds)()


@pytest.mark.slow
@settings(max_examples=45)
@given(st.sampled_from(sorted(GAMES)), st.integers(0, 2**32))
@with_known_secrets
def test_a_table_loaded_at_any_moment_is_the_same_table(game: str, seed: int) -> None:
    company = Company(game, seed)
    evening = company.evening
    other = evening.load()
    for _ in range(60):
        company.do_something()
        if company.chooser.random() < 0.15:
            told = portrait(evening.table, evening.now)
            loaded = evening.load()
            assert portrait(loaded, evening.now) == told
            said = [line.stored() for line in loaded.talk]
            assert said == [line.stored() for line in evening.table.talk][len(evening.table.talk) - len(said) :]
        if company.chooser.random() < 0.15:
            catch_up(other, evening)
            assert portrait(other, evening.now) == portrait(evening.table, evening.now)
            assert [line.stored() for line in other.talk] == [line.stored() for line in evening.table.talk]


def catch_up(other: Table, evening: Evening) -> None:
    """Another process hears that there is something new; it gets exactly the lines that it has not."""
    stored = evening.store.load(other.id)
    assert stored is not None
    kept = evening.store.lines(other.id, other.number)
    lines = other.follow(stored.head, kept)
    assert [(line.number, line.stored()) for line in lines] == kept


@settings(max_examples=30)
@given(st.sampled_from(sorted(GAMES)), st.integers(0, 2**32))
@with_known_secrets
def test_a_loaded_table_plays_on_exactly_as_the_first_one_would_have(game: str, seed: int) -> None:
    company = Company(game, seed)
    for _ in range(25):
        company.do_something()
    evening = company.evening
    first, second = evening.table, evening.load()
    if first.view.phase != "playing" or first.game is None or first.opening is not None or first.game.over:
        return
    seat, decision = pick_any(first.game, company.chooser)
    later = evening.now + 2000
    told = []
    for table in (first, second):
        try:
            told.append([line.stored() for line in table.decide(seat, decision, later, "c").lines])
        except TafelrundeError as error:
            told.append([error.code])
    assert told[0] == told[1]
    assert portrait(first, later) == portrait(second, later)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_line_that_is_read_again_looks_the_same_to_everybody(game: str) -> None:
    evening = Evening(game, 3).start().play(random.Random(9), 60)
    kept = evening.store.lines(evening.table.id, 0)
    assert len(kept) == len(evening.lines) > 60
    for line, (number, body) in zip(evening.lines, kept, strict=True):
        again = read_line(number, body, evening.table.spec)
        assert (again.number, again.at, again.by, again.command) == (line.number, line.at, line.by, line.command)
        assert again.stored() == line.stored() == body
        for held in (frozenset[int](), frozenset({0}), frozenset({1, 2}), frozenset({0, 1, 2})):
            assert again.encoded(held) == line.encoded(held)


def test_a_countdown_goes_on_after_loading_as_it_was_told_whatever_was_agreed_since() -> None:
    evening = Evening("dash", options={"first_opener": 0}).start()
    evening.ask(0, "act", decision={"do": "open"})
    evening.ask(0, "terms", terms={"countdown_s": 10})
    assert evening.load().opening == evening.table.opening == (0, NOON + 3000)


def test_the_clock_goes_on_after_loading_as_if_nothing_had_been() -> None:
    evening = Evening("dash", options={"first_opener": 0, "round_limit_s": 10}, terms=wire.Terms(countdown_s=0)).start()
    evening.later(5).ask(0, "act", decision={"do": "open"})
    evening.later(10.25)
    evening.keep(evening.table.run_out(evening.now))
    assert evening.load().clock(evening.now + 7) == evening.table.clock(evening.now + 7) == 15_257


def test_lines_that_the_rules_do_not_say_are_not_believed() -> None:
    evening = Evening().start().play(random.Random(1), 12)
    number, body = [line for line in evening.store.lines(evening.table.id, 0) if '"reveal"' in line[1]][-1]
    evening.store.replace_line(evening.table.id, number, body.replace('"at":', '"at":1'))
    with pytest.raises(BadRecord):
        evening.load()
