"""``tafelrunde simulate``."""

from __future__ import annotations

import json
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tafelrunde.cli.params import WEAKEST, fill_seats, game_options, read_options, read_paces
from tafelrunde.compile_cache import announce_compiling

if TYPE_CHECKING:
    from rich.table import Table

    from tafelrunde.lab.simulate import Result


@click.command(name="simulate")
@game_options
@click.option("--games", "-g", type=click.IntRange(min=1), default=1000, show_default=True, help="How many games.")
@click.option("--records", type=click.Path(file_okay=False, path_type=Path), help="Write each game to a file here.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of a table.")
def command(
    game: str,
    seats: int | None,
    bots: tuple[str, ...] | None,
    seed: int | None,
    options: tuple[str, ...],
    deck: Path | None,
    pace: tuple[str, ...] | None,
    latency: tuple[str, ...] | None,
    games: int,
    records: Path | None,
    as_json: bool,
) -> None:
    """Let many games run on all cores and tell who wins.

    \b
    Bots are ours by name, or your own: module:function, a function of an
    observation and a random stream. Ctrl-C stops and reports what was done.

    \b
    Examples:
      tafelrunde simulate buffet --games 100000
      tafelrunde simulate buffet --bots greedy,random,random,random,random --games 20000
      tafelrunde simulate buffet --seats 3 --games 10 --records games/ --json
      tafelrunde simulate dash --bots greedy,random,random,random,random --latency 200,0,0,0,0
    """
    announce_compiling()
    from tafelrunde.lab.simulate import simulate

    seats, named = fill_seats(game, seats, bots, default=WEAKEST)
    stop = threading.Event()
    signal.signal(signal.SIGINT, lambda *_: stop.set())
    with progress_bar(games) as advance:
        result = simulate(
            game,
            seats=seats,
            games=games,
            seed=seed,
            players=named,
            options=read_options(options),
            deck=deck,
            paces=read_paces(game, seats, pace, latency),
            records=records,
            progress=advance,
            stop=stop,
        )
    if as_json:
        click.echo(json.dumps(result.to_json()))
    else:
        print_result(result)
    if stop.is_set():
        click.echo(f"Stopped after {result.tally.games} of {games} games.", err=True)
        sys.exit(130)


@contextmanager
def progress_bar(games: int) -> Iterator[Callable[[int], None]]:
    """A bar with rate and time left on a terminal, nothing otherwise; yields what to call with games that are done."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rate]}"), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=games, rate="")

        def advance(done: int) -> None:
            speed = bar.tasks[0].speed
            bar.update(task, advance=done, rate=f"{speed:,.0f} games/s" if speed else "")

        yield advance


def print_result(result: Result) -> None:
    """Print a simulation for people."""
    from rich.console import Console

    tally = result.tally
    console = Console(highlight=False)
    console.print(result_table(result))
    rate = tally.decisions / result.seconds if result.seconds else 0
    console.print(
        f"{tally.games:,} games, {tally.decisions:,} decisions in {result.seconds:.2f} s"
        f" ({rate:,.0f} decisions/s), seed {result.seed}",
        style="dim",
    )


def result_table(result: Result) -> Table:
    """Wins with their confidence interval, per seat."""
    from rich.table import Table

    from tafelrunde.lab.simulate import confidence

    table = Table(box=None, padding=(0, 2), pad_edge=False)
    for heading in ("seat", "bot", "wins", "95 % interval", "× fair share", "mean points"):
        table.add_column(heading, justify="left" if heading == "bot" else "right")
    tally = result.tally
    for seat, (bot, wins, points) in enumerate(zip(result.bots, tally.wins, tally.mean_points, strict=True)):
        low, high = confidence(wins, tally.games)
        share = wins / tally.games if tally.games else 0.0
        table.add_row(
            str(seat), bot, f"{share:.1%}", f"{low:.1%} – {high:.1%}", f"{share * tally.seats:.2f}", f"{points:.2f}"
        )
    return table
