"""``tafelrunde compile``."""

from __future__ import annotations

from typing import Any

import click

import tafelrunde
from tafelrunde.compile_cache import is_cold


@click.command(name="compile")
def command() -> None:
    """Compile all rules and bots now.

    \b
    The first use of a game compiles its rules and keeps them in the user's
    cache folder. Do it when installing, so that no first game has to wait.
    """
    if is_cold():
        click.echo("Compiling all rules: a minute or two …", err=True)
    from tafelrunde import bots
    from tafelrunde.games.registry import compile_mark
    from tafelrunde.lab.simulate import simulate

    for game, spec in tafelrunde.GAMES.items():
        seats = spec.rules.MIN_SEATS
        player, stream = bots.find(game, spec.stand_in), tafelrunde.Stream(0, lane=1)
        quick: dict[str, Any] = dict(spec.quick)
        played = bots.play(tafelrunde.new(game, seats=seats, seed=0, **quick), [player] * seats, seed=0)
        tafelrunde.imagine(played.observe(0), stream)
        tafelrunde.replay(played.record())
        simulate(game, seats=seats, games=1, seed=0, players=[spec.stand_in], workers=1)
    mark = compile_mark()
    if mark is not None:
        mark.touch()
    click.echo("All rules are compiled.")
