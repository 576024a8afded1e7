"""Simulations: play many games of bots on all cores and count wins and points."""

from __future__ import annotations

import math
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from tafelrunde import bots
from tafelrunde.bots.pace import HUMAN, Pace, pace_records
from tafelrunde.game import DEFAULT_NAMES, Game
from tafelrunde.games import find
from tafelrunde.games.compiler import blank
from tafelrunde.games.contract import Deck
from tafelrunde.games.hands import AGENDA
from tafelrunde.games.playout import ENDLESS, Workspace, playout_of
from tafelrunde.record import SUFFIX
from tafelrunde.stream import Stream, check_seed

COMPILED_CHUNK = 500  # games per task; progress and stop are only looked at between tasks
PLAIN_CHUNK = 10


@dataclass
class Tally:
    """Counts over some games; tallies can be added in any order."""

    seats: int
    games: int = 0
    decisions: int = 0
    shared: Any = field(init=False)
    """shared[seat, k]: games that this seat won as one of k winners."""
    points: Any = field(init=False)

    def __post_init__(self) -> None:
        self.shared = np.zeros((self.seats, self.seats + 1), np.int64)
        self.points = np.zeros(self.seats, np.int64)

    def add(self, other: Tally) -> None:
        """Add another tally to this one."""
        self.games += other.games
        self.decisions += other.decisions
        self.shared += other.shared
        self.points += other.points

    def note(self, game: Game) -> None:
        """Count a finished game."""
        winners = game.places.count(1)
        for seat, place in enumerate(game.places):
            self.shared[seat, winners] += place == 1
        self.points += game.scores
        self.games += 1

    @property
    def wins(self) -> list[float]:
        """Games won per seat; a win shared by k seats counts 1/k."""
        return [sum(float(self.shared[seat, k]) / k for k in range(1, self.seats + 1)) for seat in range(self.seats)]

    @property
    def mean_points(self) -> list[float]:
        """Mean points per seat."""
        return [float(points) / self.games if self.games else 0.0 for points in self.points]


@dataclass(frozen=True)
class Result:
    """The result of a simulation, finished or stopped."""

    game: str
    bots: tuple[str, ...]
    seed: int
    tally: Tally
    seconds: float
    deck: str | None = None
    """The name of the deck, if the game has a choice of decks."""

    def to_json(self) -> dict[str, Any]:
        """What ``tafelrunde simulate --json`` prints."""
        result = {
            "game": self.game,
            "seats": self.tally.seats,
            "games": self.tally.games,
            "decisions": self.tally.decisions,
            "seconds": self.seconds,
            "seed": self.seed,
            "bots": list(self.bots),
            "wins": self.tally.wins,
            "mean_points": self.tally.mean_points,
        }
        return result | {"deck": self.deck} if self.deck is not None else result


def confidence(wins: float, games: int) -> tuple[float, float]:
    """Wilson's 95 % interval for the share of games won.

    >>> low, high = confidence(50, 100)
    >>> round(low, 3), round(high, 3)
    (0.404, 0.596)
    """
    if games == 0:
        return 0.0, 1.0
    z = 1.959964
    share = wins / games
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    spread = z / (1 + z * z / games) * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return max(0.0, middle - spread), min(1.0, middle + spread)


@dataclass(frozen=True)
class Job:
    """What a worker needs to know to play some games; it is sent to other processes."""

    game: str
    bots: tuple[str, ...]
    options: dict[str, object]
    seed: int
    records: Path | None
    deck: Deck | None = None
    paces: tuple[Pace, ...] = ()
    """One for each seat; only used in real time."""

    def play_compiled(self, first: int, count: int) -> Tally:
        """Play ``count`` games from number ``first`` on, entirely in compiled code."""
        spec = find(self.game)
        seats = len(self.bots)
        tally = Tally(seats, games=count)
        workspace = Workspace.of(spec.rules, seats, spec.settings(self.options, seats, self.deck))
        kinds = np.array([bots.names(self.game).index(name) for name in self.bots], np.int64)
        timing = (blank(AGENDA), pace_records(self.paces)) if spec.in_real_time else ()
        play = playout_of(spec)
        decisions = play(workspace, kinds, self.seed, first, count, tally.shared, tally.points, *timing)
        if decisions == ENDLESS:
            raise bots.endless(self.game)
        if decisions < 0:
            raise RuntimeError(f"a bot of {self.game} decided against the rules: {spec.refusals[-decisions]}")
        tally.decisions = decisions
        return tally

    def play_plain(self, first: int, count: int) -> Tally:
        """Play the same games step by step in Python: for records, and for bots written in Python."""
        seats = len(self.bots)
        players = [bots.find(self.game, name) for name in self.bots]
        names = [f"{name} ({bot})" for name, bot in zip(DEFAULT_NAMES, self.bots, strict=False)]
        tally = Tally(seats)
        for number in range(first, first + count):
            game = Game(find(self.game), names, self.options, Stream(self.seed, number), self.deck)
            bots.play(game, players, seed=self.seed, number=number, paces=self.paces)
            record = game.record()
            tally.note(game)
            tally.decisions += sum(entry["by"] != "table" for entry in record.entries)
            if self.records is not None:
                record.write(self.records / f"{self.game}-{self.seed}-{number}{SUFFIX}")
        return tally


def simulate(
    game: str,
    *,
    seats: int,
    games: int,
    seed: int | None = None,
    players: Sequence[str] = ("random",),
    options: Mapping[str, object] | None = None,
    deck: Deck | Path | str | None = None,
    paces: Sequence[Pace] = (HUMAN,),
    records: Path | None = None,
    workers: int | None = None,
    progress: Callable[[int], None] = lambda games: None,
    stop: threading.Event | None = None,
) -> Result:
    """Play many games on all cores; the same seed and bots give the same result on any number of cores.

    ``players`` names a bot for every seat, or one for all. ``progress`` is called with the number of games just
    finished. Setting ``stop`` ends the simulation soon, with the games played so far.

    >>> result = simulate("buffet", seats=4, games=100, seed=1, players=["greedy", "random", "random", "random"])
    >>> result.tally.games, result.tally.wins[0] > 40
    (100, True)
    """
    spec = find(game)
    spec.check_seats(seats)
    players = bots.for_seats(players, seats)
    for name in players:
        bots.find(game, name)
    full_options = spec.full_options(options or {}, seats)
    cards = spec.check_deck(deck)
    spec.settings(full_options, seats, cards)
    each_pace = bots.for_seats(paces, seats, "paces")
    job = Job(game, players, full_options, check_seed(seed), records, cards, each_pace)
    compiled = records is None and all(name in bots.names(game) for name in players)
    workers = workers or os.cpu_count() or 1
    if records is not None:
        records.mkdir(parents=True, exist_ok=True)
    tally = Tally(seats)
    with _workers(compiled, workers) as pool:
        play = job.play_compiled if compiled else job.play_plain
        for warm_up in [pool.submit(play, 0, 0) for _ in range(workers)]:
            warm_up.result()  # compile before the clock starts
        begun = time.perf_counter()
        for part in _run(pool, workers, play, games, COMPILED_CHUNK if compiled else PLAIN_CHUNK, stop):
            tally.add(part)
            progress(part.games)
        seconds = time.perf_counter() - begun
    return Result(game, players, job.seed, tally, seconds, cards.name if cards is not None else None)


def _workers(compiled: bool, count: int) -> Executor:
    """Threads for compiled games, which release the GIL; processes for games in Python."""
    if compiled:
        return ThreadPoolExecutor(count)
    return ProcessPoolExecutor(count, mp_context=get_context("spawn"), initializer=_ignore_ctrl_c)


def _ignore_ctrl_c() -> None:
    """Ctrl-C reaches every process of a terminal; workers finish their chunk, and the caller stops the simulation."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _run(
    pool: Executor,
    workers: int,
    play: Callable[[int, int], Tally],
    games: int,
    chunk: int,
    stop: threading.Event | None,
) -> Iterator[Tally]:
    """Submit chunks, at most two per worker in advance, until all games are played or ``stop`` is set."""
    waiting: set[Future[Tally]] = set()
    first = 0
    while True:
        stopped = stop is not None and stop.is_set()
        while first < games and len(waiting) < 2 * workers and not stopped:
            count = min(chunk, games - first)
            waiting.add(pool.submit(play, first, count))
            first += count
        if not waiting:
            return
        done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
        for future in done:
            yield future.result()
