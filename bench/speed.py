"""How fast: compiled playouts and the step-by-step face, against plain C and OpenSpiel, in one run on one core.

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
from tafelrunde.lab.simulate import Job

SEATS = 5
TURNS = 25
Contestant = Callable[[float], float]
"""Plays for about so many seconds and returns decisions per second."""

JOB = Job("buffet", ("random",) * SEATS, {"start_seat": None}, seed=1, records=None)


def for_about(seconds: float, play: Callable[[int], int], batch: int) -> float:
    """Decisions per second of ``play(number of the batch)``, repeated until the time is over."""
    decisions = number = 0
    begun = time.perf_counter()
    while (spent := time.perf_counter() - begun) < seconds:
        decisions += play(number * batch)
        number += 1
    return decisions / spent


def playouts(seconds: float) -> float:
    """(a) whole games of random bots inside compiled code."""
    return for_about(seconds, lambda first: JOB.play_compiled(first, 1000).decisions, 1000)


def step_by_step(seconds: float) -> float:
    """(b) the same, driven from Python through the friendly face."""
    chooser = random.Random(1)

    def play(seed: int) -> int:
        game = tafelrunde.new("buffet", seats=SEATS, seed=seed)
        decisions = 0
        while not game.over:
            for seat in game.to_act:
                game.act(seat, chooser.choice(game.legal(seat)))
                decisions += 1
        return decisions

    return for_about(seconds, play, 1)


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

    same = JOB.play_compiled(0, 1000)
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
            "a": ("compiled random playouts of buffet", playouts),
            "b": ("the same step by step from Python", step_by_step),
            "c": ("plain C program of the same playout", plain_c(Path(folder))),
            "d": ("OpenSpiel's goofspiel from Python", open_spiel()),
        }
        best = dict.fromkeys(contestants, 0.0)
        for _ in range(TURNS):
            for name, (_, play) in contestants.items():
                if play is not None:
                    best[name] = max(best[name], play(seconds))
    for name, (what, play) in contestants.items():
        print(f"({name}) {what:<38} {f'{best[name]:>14,.0f} decisions/s' if play else 'not here'}")
    for one, other in (("a", "c"), ("a", "d"), ("b", "d")):
        if best[one] and best[other]:
            print(f"{one}/{other} = {best[one] / best[other]:.2f}")


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
                JOB.play_compiled(first, 500)
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
    JOB.play_compiled(0, 1)  # compile before the clock runs
    compare(seconds)
    cost_against_size()


if __name__ == "__main__":
    main()
