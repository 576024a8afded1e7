"""Games played by bots to their end, one decision at a time."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from tafelrunde.bots.driver import HandDriver
from tafelrunde.bots.pace import HUMAN, Pace
from tafelrunde.bots.registry import Bot
from tafelrunde.errors import BadChance, BadSeats, Endless, Illegal, Malformed
from tafelrunde.game import Entries, Game, codes_of
from tafelrunde.games import hands
from tafelrunde.games.contract import Decision
from tafelrunde.stream import Stream

Item = TypeVar("Item")


def for_seats(given: Sequence[Item], seats: int, what: str = "bots") -> tuple[Item, ...]:
    """One for each seat: as given, or the one given for all."""
    each = tuple(given) * seats if len(given) == 1 else tuple(given)
    if len(each) != seats:
        raise BadSeats(f"{seats} seats need {seats} {what}, or one for all; there are {len(each)}.")
    return each


def play(game: Game, players: Sequence[Bot], *, seed: int, number: int = 0, paces: Sequence[Pace] = (HUMAN,)) -> Game:
    """Let bots play a game to its end; ``steps`` does it step by step."""
    for _ in steps(game, players, seed=seed, number=number, paces=paces):
        pass
    return game


def steps(
    game: Game, players: Sequence[Bot], *, seed: int, number: int = 0, paces: Sequence[Pace] = (HUMAN,)
) -> Iterator[Entries]:
    """Let bots play a game, a bot for each seat; gives what each decision brings about.

    Bots draw from streams of their own, by the seed and the number of the game. ``paces`` matters in real time only:
    how fast each seat acts, or one for all.
    """
    streams = [Stream(seed, number, seat + 1) for seat in range(game.seats)]
    if game.spec.in_real_time:
        clock = Stream(seed, number, hands.CLOCK_LANE)
        return SimulatedTime(game, players, streams, for_seats(paces, game.seats, "paces"), clock).steps()
    return _in_turn(game, players, streams)


def _in_turn(game: Game, players: Sequence[Bot], streams: Sequence[Stream]) -> Iterator[Entries]:
    while _goes_on(game):
        seat = game.to_act[0]
        decision = players[seat](game.observe(seat), streams[seat])
        if decision is None:
            raise Malformed(f"{game.spec.id} has turns: a bot that is asked has to decide.")
        yield game.act(seat, decision)


def _goes_on(game: Game) -> bool:
    """Is there something to decide? Bots can not play a game that waits for somebody to shuffle."""
    if game.needs is not None:
        raise BadChance("This game does not shuffle by itself: supply the chance that it needs.", game.needs.rule)
    return not game.over


def endless(game: str) -> Endless:
    """The error for bots that play without end."""
    return Endless(f"A game of {game} goes on and on with these bots; limit its rounds (max_rounds).")


class SimulatedTime:
    """A game without turns in simulated time. ``games/playout.py`` plays the same games in compiled code."""

    def __init__(
        self, game: Game, players: Sequence[Bot], streams: Sequence[Stream], paces: Sequence[Pace], clock: Stream
    ) -> None:
        self.game = game
        self._players = players
        self._streams = streams
        self._driver = HandDriver(game.spec.notation, [paces[game.owner(hand)] for hand in range(game.hands)], clock)

    def steps(self) -> Iterator[Entries]:
        """Play to the end."""
        for number, entries in enumerate(self._steps()):
            if number == hands.MOST_DECISIONS:
                raise endless(self.game.spec.id)
            yield entries

    def _steps(self) -> Iterator[Entries]:
        game = self.game
        self._refresh(range(game.hands), game.time)
        while _goes_on(game):
            step, deadline = self._driver.next_step(), game.deadline
            if deadline is not None and (step is None or step.at > deadline):
                yield game.run_out(deadline)
                self._refresh(range(game.hands), game.time)
                continue
            if step is None:
                raise Malformed(f"In {game.spec.id} no hand has anything to do, and no time runs out.")
            decision = step.decision or self._decide(step.hand, step.at)
            if decision is not None:
                yield from self._arrive(step.hand, decision, step.at)

    def _refresh(self, numbers: Iterable[int], now: int) -> None:
        self._driver.refresh([(hand, self.game.stance(hand)) for hand in numbers], now)

    def _decide(self, hand: int, now: int) -> Decision | None:
        """Let the hand decide; gives the decision if the hand arrives at once."""
        seat = self.game.owner(hand)
        seen = self.game.observe_hand(hand)
        decision = self._players[seat](seen, self._streams[seat])
        if decision is None:
            self._driver.paused(hand, now)
            return None
        if decision.code(self.game.spec.notation) not in codes_of(seen.legal, self.game.spec.notation):
            self.game.copy().act(seat, decision)  # raises what is wrong with it
            raise Malformed(f"{decision!r} is for another hand than the one that was asked.")
        at_once = self._driver.decided(hand, decision, now, int(seen.raw["ready_at"][0, hand]))
        return decision if at_once else None

    def _arrive(self, hand: int, decision: Decision, at: int) -> Iterator[Entries]:
        """Act. If somebody else was faster, for example has filled the place for a card, the hand thinks again."""
        seat, before = self.game.owner(hand), self.game.to_act
        entries: Entries | None = None
        with contextlib.suppress(Illegal):
            entries = self.game.act(seat, decision, at)
        self._driver.done(hand)
        each = self.game.hands // self.game.seats
        same = self.game.to_act == before
        self._refresh(range(seat * each, seat * each + each) if same else range(self.game.hands), at)
        if entries is not None:
            yield entries
