"""``tafelrunde decks``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tafelrunde.cli.params import GameName
from tafelrunde.errors import BadDeck

if TYPE_CHECKING:
    from tafelrunde.games.contract import Decks


@click.group(name="decks")
def command() -> None:
    """The cards of a game as a file, to write your own.

    \b
    What is known of the printed cards comes from public sources, the rest was
    reconstructed. Who owns the box can write its values into a file:
      tafelrunde decks show > mine.toml
      tafelrunde decks check mine.toml
      tafelrunde watch chocolat --deck mine.toml
    """


which_game = click.option("--game", type=GameName(), help="Which game. [default: the first whose cards are data]")


def decks_of(game: str | None) -> Decks:
    """The decks of this game, or of the first one that has any."""
    from tafelrunde.games import GAMES, find

    if game is not None:
        found = find(game).decks
        if found is None:
            raise BadDeck(f"The cards of {game} are always the same.")
        return found
    return next(spec.decks for spec in GAMES.values() if spec.decks is not None)


@command.command(name="show")
@which_game
def show_deck(game: str | None) -> None:
    """Print the deck that comes with the game, as a file to begin with."""
    click.echo(decks_of(game).text(), nl=False)


@command.command(name="check")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@which_game
def check_decks(files: tuple[Path, ...], game: str | None) -> None:
    """Tell whether deck files are sound: everything that is wrong, by line; exit status 0 only if nothing is."""
    decks = decks_of(game)
    all_sound = True
    for file in files:
        try:
            text = decks.read_file(file)
            faults = list(map(str, decks.check(text)))
        except BadDeck as error:
            faults = [str(error)]
        for line in faults or [decks.describe(decks.parse(text))]:
            click.echo(f"{file}: {line}")
        all_sound &= not faults
    sys.exit(0 if all_sound else 1)
