"""``tafelrunde decks``."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from tafelrunde.errors import BadDeck


@click.group(name="decks")
def command() -> None:
    """The cards of chocolat as a file.

    \b
    What is known of the printed cards comes from public sources, the rest was
    reconstructed. Who owns the box can write its values into a file:
      tafelrunde decks show > mine.toml
      tafelrunde decks check mine.toml
      tafelrunde watch chocolat --deck mine.toml
    """


@command.command(name="show")
def show_deck() -> None:
    """Print the deck that comes with the game, as a file to begin with."""
    from tafelrunde.games.chocolat import deck

    click.echo(deck.standard_text(), nl=False)


@command.command(name="check")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
def check_decks(files: tuple[Path, ...]) -> None:
    """Tell whether deck files are sound: everything that is wrong, by line; exit status 0 only if nothing is."""
    from tafelrunde.games.chocolat import deck

    all_sound = True
    for file in files:
        try:
            text = deck.read_text(file)
            faults = list(map(str, deck.check(text)))
        except BadDeck as error:
            faults = [str(error)]
        for line in faults or [deck.describe(deck.parse(text))]:
            click.echo(f"{file}: {line}")
        all_sound &= not faults
    sys.exit(0 if all_sound else 1)
