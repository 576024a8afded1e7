"""Parameters that several commands take, and what becomes of their values."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

from tafelrunde.errors import BadPace

if TYPE_CHECKING:
    from tafelrunde.bots.pace import Pace

Command = TypeVar("Command", bound=Callable[..., Any])
WEAKEST, BEST = 0, -1
"""Bots of every game by their index: they are listed from the weakest on."""


class GameName(click.ParamType[str]):
    """The name of a game."""

    name = "game"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Refuse a name that no game has."""
        from tafelrunde.games import find

        return find(value).id

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Complete with the names of all games."""
        from tafelrunde.games import GAMES

        return [CompletionItem(game) for game in GAMES if game.startswith(incomplete)]


class Names(click.ParamType[tuple[str, ...]]):
    """Names, separated by commas."""

    name = "a,b,…"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        """Split the list."""
        return tuple(name.strip() for name in value.split(","))

    def known(self, ctx: click.Context) -> Iterable[str]:
        """The names to complete with."""
        return ()

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Complete the last name of the list."""
        before, comma, begun = incomplete.rpartition(",")
        return [CompletionItem(before + comma + name) for name in self.known(ctx) if name.startswith(begun)]


class BotNames(Names):
    """Names of bots."""

    def known(self, ctx: click.Context) -> Iterable[str]:
        """The bots of the game; if the option stands before the game, the bots of all games."""
        from tafelrunde import bots
        from tafelrunde.games import GAMES

        game = ctx.params.get("game")
        return bots.names(game) if game else sorted({name for game in GAMES for name in bots.names(game)})


class PaceNames(Names):
    """Names of paces."""

    def known(self, ctx: click.Context) -> Iterable[str]:
        """All paces."""
        from tafelrunde.bots.pace import PACES

        return PACES


def game_options(command: Command) -> Command:
    """Add the parameters of every command that plays games."""
    for decorate in reversed(
        (
            click.argument("game", type=GameName()),
            click.option("--seats", "-n", type=int, help="How many play. [default: as many bots as named, else 4]"),
            click.option("--bots", "-b", type=BotNames(), help="A bot for each seat, or one for all."),
            click.option(
                "--seed", "-s", type=int, help="Same seed, same bots: same games. [default: another each time]"
            ),
            click.option(
                "--option", "-o", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game."
            ),
            click.option(
                "--deck",
                type=click.Path(path_type=Path),
                help="Where cards are data: play with those of this file (see: tafelrunde decks).",
            ),
            click.option(
                "--pace",
                type=PaceNames(),
                help="In real time: human or instant, for each seat or for all. [default: human]",
            ),
            click.option(
                "--latency",
                type=Names(),
                help="In real time: milliseconds of the line, for each seat or for all. [default: 0]",
            ),
        )
    ):
        command = decorate(command)
    return command


def read_options(options: tuple[str, ...]) -> dict[str, Any]:
    """Read options of a game, like ``start_seat=2``; values are JSON."""
    read: dict[str, Any] = {}
    for option in options:
        name, equals, value = option.partition("=")
        if not equals:
            raise click.UsageError(f"An option is given as NAME=VALUE, not {option!r}.")
        try:
            read[name] = json.loads(value)
        except ValueError:
            raise click.UsageError(f"{value!r} is no value for {name}: a number, true, false or null.") from None
    return read


def find_own_bots() -> None:
    """Let ``module:function`` name a bot in the folder where the command is run."""
    sys.path.insert(0, "")


def fill_seats(game: str, seats: int | None, bots: tuple[str, ...] | None, default: int) -> tuple[int, tuple[str, ...]]:
    """Decide how many play, and which bot sits where; ``default`` is one of the game's bots by its index."""
    from tafelrunde.bots import for_seats, names
    from tafelrunde.games import find

    find_own_bots()
    if seats is None:
        seats = len(bots) if bots and len(bots) > 1 else min(4, max(find(game).seat_range))
    return find(game).check_seats(seats), for_seats(bots or (names(game)[default],), seats)


def read_paces(
    game: str, seats: int, names: tuple[str, ...] | None, latencies: tuple[str, ...] | None
) -> tuple[Pace, ...]:
    """How fast each seat acts."""
    from dataclasses import replace

    from tafelrunde.bots import for_seats
    from tafelrunde.bots.pace import find_pace
    from tafelrunde.games import find

    if (names or latencies) and not find(game).in_real_time:
        raise BadPace(f"{game} has turns; pace and latency are for games in real time.")
    for latency in latencies or ():
        if not latency.isdecimal():
            raise click.UsageError(f"A latency is a whole number of milliseconds, not {latency!r}.")
    paces = for_seats([find_pace(name) for name in names or ("human",)], seats, "paces")
    delays = for_seats([int(latency) for latency in latencies or ("0",)], seats, "latencies")
    return tuple(replace(pace, latency=delay) for pace, delay in zip(paces, delays, strict=True))
