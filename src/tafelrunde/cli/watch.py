"""``tafelrunde watch``."""

from __future__ import annotations

from pathlib import Path

import click

import tafelrunde
from tafelrunde.cli.params import BEST, fill_seats, game_options, read_options, read_paces
from tafelrunde.compile_cache import run_uncompiled_if_cold


@click.command(name="watch")
@game_options
@click.option("--delay", type=float, help="Seconds for every moment. [default: 0.4 on a terminal, else 0]")
def command(
    game: str,
    seats: int | None,
    bots: tuple[str, ...] | None,
    seed: int | None,
    options: tuple[str, ...],
    deck: Path | None,
    pace: tuple[str, ...] | None,
    latency: tuple[str, ...] | None,
    delay: float | None,
) -> None:
    """Watch a game of bots in the terminal.

    \b
    Examples:
      tafelrunde watch buffet
      tafelrunde watch buffet --seats 6 --bots greedy --seed 7
      tafelrunde watch buffet --bots greedy,random,random --delay 0
      tafelrunde watch dash --seats 5 --delay 1
      tafelrunde watch chocolat --deck mine.toml
    """
    if delay is not None and not 0 <= delay <= 60:
        raise click.UsageError("--delay is from 0 to 60 seconds.")
    run_uncompiled_if_cold()
    from rich.console import Console

    from tafelrunde.bots import find
    from tafelrunde.stream import check_seed
    from tafelrunde.watch import watch

    seats, named = fill_seats(game, seats, bots, default=BEST)
    players = [find(game, name) for name in named]
    seed = check_seed(seed)
    played = tafelrunde.new(game, seats=seats, seed=seed, deck=deck, **read_options(options))
    console = Console(highlight=False)
    if delay is None:
        delay = 0.4 if console.is_terminal else 0.0
    console.print(f"{played.spec.title} ({played.spec.credit}), {seats} bots, seed {seed}", style="dim")
    watch(played, players, seed, read_paces(game, seats, pace, latency), console, delay)
