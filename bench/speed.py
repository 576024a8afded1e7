"""How fast: compiled playouts and the step-by-step face, against plain C, OpenSpiel and each other, on one core.

    make bench          (or: python bench/speed.py [--seconds S])

All contestants take turns, several times, and the best turn of each counts: machines are noisy, ratios within one run
are less so. Then: what a game costs when a thousand or a million are played, in time and in memory.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import tafelrunde
from tafelrunde.bots.pace import HUMAN, INSTANT, Pace
from tafelrunde.games import find
from tafelrunde.lab.simulate import Job

SEATS = 5
TURNS = 25
ROUNDS_OF_DASH = 5
LONGEST = 2000  # decisions of one game step by step; decisions of dash at random hardly ever end a round
RATIOS = (
    ("a", "c"),
    ("a", "d"),
    ("b", "d"),
    ("a", "dash a"),
    ("a", "dash a human"),
    ("a", "chocolat a"),
    ("b", "dash b"),
    ("b", "chocolat b"),
)
Contestant = Callable[[float], float]
"""Plays for about so many seconds and returns decisions per second."""


def job_of(name: str, pace: Pace = HUMAN, **options: int) -> Job:
    """Games of random bots."""
    spec = find(name)
    full = spec.full_options(options, SEATS)
    return Job(name, ("random",) * SEATS, full, seed=1, records=None, deck=spec.check_deck(None), paces=(pace,) * SEATS)


def dash_job(pace: Pace) -> Job:
    """Rounds of dash; a game of random bots goes on for a hundred of them, so that their number is limited."""
    return job_of("dash", pace, max_rounds=ROUNDS_OF_DASH)


BUFFET = job_of("buffet")
CHOCOLAT = job_of("chocolat")


def for_about(seconds: float, play: Callable[[int], int], batch: int) -> float:
    """Decisions per second of ``play(number of the batch)``, repeated until the time is over."""
    decisions = number = 0
    begun = time.perf_counter()
    while (spent := time.perf_counter() - begun) < seconds:
        decisions += play(number * batch)
        number += 1
    return decisions / spent


def playouts(job: Job, batch: int) -> Contestant:
    """(a) whole games of random bots inside compiled code."""
    return lambda seconds: for_about(seconds, lambda first: job.play_compiled(first, batch).decisions, batch)


def step_by_step(name: str, **options: int) -> Contestant:
    """(b) the same, driven from Python through the friendly face: decisions at random out of the list of legal ones."""
    chooser = random.Random(1)

    def play(seed: int) -> int:
        game = tafelrunde.new(name, seats=SEATS, seed=seed, **options)
        decisions = 0
        while not game.over and decisions < LONGEST:
            for seat in game.to_act:
                if choices := game.legal(seat):  # without turns the round may have ended meanwhile
                    game.act(seat, chooser.choice(choices))
                    decisions += 1
        return decisions

    return lambda seconds: for_about(seconds, play, 1)


def plain_c(folder: Path) -> Contestant | None:
    """(c) a plain C program of the same playout, if there is a compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        return None
    program = folder / "buffet"
    source = Path(__file__).with_name("buffet.c")
    subprocess.run([compiler, "-O3", "-march=native", "-std=c11", "-o", program, source], check=True)

    def run(games: int) -> dict[str, float]:
        answer = subprocess.run([program, str(SEATS), str(games), "1"], capture_output=True, check=True).stdout
        result: dict[str, float] = json.loads(answer)
        return result

    same = BUFFET.play_compiled(0, 1000)
    if run(1000)["decisions"] != same.decisions:
        raise SystemExit("bench/buffet.c does not play the same games as the rules: mend it before you compare.")

    def play(seconds: float) -> float:
        trial = run(2000)
        result = run(int(2000 * seconds / trial["seconds"]) + 1)
        return result["decisions"] / result["seconds"]

    return play


def open_spiel() -> Contestant | None:
    """(d) OpenSpiel's goofspiel for five players, driven from Python, if it is installed."""
    try:
        import pyspiel
    except ImportError:
        return None
    goofspiel = pyspiel.load_game(f"goofspiel(players={SEATS})")
    chooser = random.Random(1)

    def play(_: int) -> int:
        state = goofspiel.new_initial_state()
        decisions = 0
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(chooser.choice(state.chance_outcomes())[0])
            else:
                state.apply_actions([chooser.choice(state.legal_actions(seat)) for seat in range(SEATS)])
                decisions += SEATS
        return decisions

    return lambda seconds: for_about(seconds, play, 1)


def compare(seconds: float) -> None:
    """Let all contestants take turns and print the best of each, and the ratios."""
    with tempfile.TemporaryDirectory() as folder:
        contestants: dict[str, tuple[str, Contestant | None]] = {
            "a": ("compiled random playouts of buffet", playouts(BUFFET, 1000)),
            "b": ("the same step by step from Python", step_by_step("buffet")),
            "c": ("plain C program of the same playout", plain_c(Path(folder))),
            "d": ("OpenSpiel's goofspiel from Python", open_spiel()),
            "dash a": ("compiled random playouts of dash", playouts(dash_job(INSTANT), 50)),
            "dash a human": ("the same at a human pace", playouts(dash_job(HUMAN), 50)),
            "dash b": ("the same step by step from Python", step_by_step("dash")),
            "chocolat a": ("compiled random playouts of chocolat", playouts(CHOCOLAT, 100)),
            "chocolat b": ("the same step by step from Python", step_by_step("chocolat")),
        }
        best = dict.fromkeys(contestants, 0.0)
        for _ in range(TURNS):
            for name, (_, play) in contestants.items():
                if play is not None:
                    best[name] = max(best[name], play(seconds))
    for name, (what, play) in contestants.items():
        print(f"{f'({name})':<14} {what:<38} {f'{best[name]:>14,.0f} decisions/s' if play else 'not here'}")
    for one, other in RATIOS:
        if best[one] and best[other]:
            print(f"({one}) / ({other}) = {best[one] / best[other]:.2f}")


def cost_against_size() -> None:
    """Time per game and memory for runs of 10^3 to 10^6 games; small runs are repeated, to see the same noise."""
    print("\n    games   µs/game   against 1000 games   memory at most")
    reference = 0.0
    for exponent in (3, 4, 5, 6):
        games = 10**exponent
        runs = max(1, 200_000 // games)
        begun = time.perf_counter()
        for _ in range(runs):
            for first in range(0, games, 500):
                BUFFET.play_compiled(first, 500)
        each = (time.perf_counter() - begun) / (games * runs)
        reference = reference or each
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"{games:>9,} {each * 1e6:>9.2f} {each / reference:>20.2f} {peak:>12.0f} MB")


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=0.2, help="length of one turn (default: 0.2)")
    seconds = parser.parse_args().seconds
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    for job in (BUFFET, dash_job(HUMAN), CHOCOLAT):
        job.play_compiled(0, 1)  # compile before the clock runs
    compare(seconds)
    cost_against_size()


if __name__ == "__main__":
    main()
