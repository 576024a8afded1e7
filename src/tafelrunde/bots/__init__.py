"""Bots: functions of an observation and a random stream, never of a state; and games played by them.

>>> import tafelrunde
>>> from tafelrunde import bots
>>> game = tafelrunde.new("buffet", seats=4, seed=1)
>>> greedy = bots.find("buffet", "greedy")
>>> decision = greedy(game.observe(0), tafelrunde.Stream(1, lane=1))
>>> decision in game.legal(0)
True
"""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from tafelrunde import games
from tafelrunde.bots.pace import HUMAN, Pace, pace_records
from tafelrunde.errors import BadChance, BadSeats, Endless, Illegal, Malformed, UnknownBot
from tafelrunde.game import Entries, Game, codes_of
from tafelrunde.games import hands
from tafelrunde.games.compiler import blank
from tafelrunde.games.contract import Decision, Observation
from tafelrunde.stream import Stream

Bot = Callable[[Observation, Stream], Decision | None]
"""What a bot is; any Python function of this kind can play. In a game in real time it may answer None: not now."""

Item = TypeVar("Item")


class CompiledBot:
    """A bot of ours, for one decision at a time; the lab runs the same code without leaving compiled code."""

    def __init__(self, game: str, name: str) -> None:
        self.game = game
        self.name = name
        self._choose = games.find(game).bots.choose
        self.kind = names(game).index(name)

    def __call__(self, observation: Observation, stream: Stream) -> Decision | None:
        """Decide."""
        notation = observation.game.notation
        codes = codes_of(observation.legal, notation)
        code = self._choose(self.kind, observation.raw, codes, codes.size, stream.raw)
        return Decision.coded(code, notation) if code else None

    def __repr__(self) -> str:
        return f"<bot {self.name} for {self.game}>"


def names(game: str) -> tuple[str, ...]:
    """The bots that come with a game.

    >>> names("buffet")
    ('random', 'greedy')
    """
    listed: tuple[str, ...] = games.find(game).bots.NAMES
    return listed


def find(game: str, name: str) -> Bot:
    """The bot of this name: one of ours, or ``module:function`` for one of your own."""
    if name in names(game):
        return CompiledBot(game, name)
    module, colon, function = name.partition(":")
    if not colon:
        raise UnknownBot(
            f"No bot {name!r} plays {game}; there is {', '.join(names(game))}, or your own module:function."
        )
    try:
        bot: Any = getattr(importlib.import_module(module), function)
    except (ImportError, AttributeError, ValueError) as error:
        raise UnknownBot(f"The bot {name!r} can not be loaded: {error}.") from None
    if not callable(bot):
        raise UnknownBot(f"{name!r} is not a function of an observation and a stream.")
    own: Bot = bot
    return own


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
        return RealTime(game, players, streams, paces, Stream(seed, number, hands.CLOCK_LANE)).steps()
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
    """What is said of bots that play without end."""
    return Endless(f"A game of {game} goes on and on with these bots; limit its rounds (max_rounds).")


class RealTime:
    """A game without turns in simulated time; the lab plays the same games without leaving compiled code."""

    def __init__(
        self, game: Game, players: Sequence[Bot], streams: Sequence[Stream], paces: Sequence[Pace], clock: Stream
    ) -> None:
        self.game = game
        self._players = players
        self._streams = streams
        self._paces = pace_records(for_seats(paces, game.seats, "paces"))
        self._clock = clock.raw
        self._agenda = blank(hands.AGENDA)
        self._intents: dict[int, Decision] = {}

    def steps(self) -> Iterator[Entries]:
        """Play to the end."""
        for number, entries in enumerate(self._steps()):
            if number == hands.MOST_DECISIONS:
                raise endless(self.game.spec.id)
            yield entries

    def _steps(self) -> Iterator[Entries]:
        game = self.game
        hands.clear_agenda(self._agenda)
        self._attend(range(game.hands), game.time)
        while _goes_on(game):
            hand = hands.first_hand(self._agenda, game.hands)
            at = int(self._agenda["key"][0, hand]) >> hands.ORDER_BITS
            if game.deadline is not None and at > game.deadline:
                yield game.wait(at)
                self._attend(range(game.hands), game.time)
            elif self._agenda["intent"][0, hand] or self._decide(hand):
                yield from self._arrive(hand, at)

    def _attend(self, numbers: Iterable[int], now: int) -> None:
        for hand in numbers:
            seat, stance = self.game.owner(hand), self.game.stance(hand)
            hands.attend(self._agenda, hand, seat, stance, now, self._paces, self._clock)

    def _decide(self, hand: int) -> bool:
        """The hand has thought and decides; is it there at once?"""
        seat = self.game.owner(hand)
        seen = self.game.observe_hand(hand)
        decision = self._players[seat](seen, self._streams[seat])
        if decision is None:
            hands.pause(self._agenda, hand, seat, self._paces, self._clock)
            return False
        code = decision.code(self.game.spec.notation)
        if code not in codes_of(seen.legal, self.game.spec.notation):
            self.game.copy().act(seat, decision)  # says what is wrong
            raise Malformed(f"{decision!r} is for another hand than the one that was asked.")
        self._intents[hand] = decision
        ready_at = int(seen.raw["ready_at"][0, hand])
        return bool(hands.reach(self._agenda, hand, seat, code, ready_at, self._paces, self._clock))

    def _arrive(self, hand: int, at: int) -> Iterator[Entries]:
        """The table decides; a place to put a card may have been filled meanwhile, then the hand thinks again."""
        seat, before = self.game.owner(hand), self.game.to_act
        entries: Entries | None = None
        with contextlib.suppress(Illegal):
            entries = self.game.act(seat, self._intents[hand], at)
        hands.rest(self._agenda, hand)
        each = self.game.hands // self.game.seats
        same = self.game.to_act == before
        self._attend(range(seat * each, seat * each + each) if same else range(self.game.hands), at)
        if entries is not None:
            yield entries
