"""The games there are: found in the folders beside this file and in other packages, never listed.

A package brings a game by an entry point in the group ``tafelrunde.games``, named like the game, that leads to its
``GameSpec``. Nothing is loaded before somebody asks for it.

>>> list(GAMES)[:3]
['buffet', 'dash', 'chocolat']
"""

from __future__ import annotations

import hashlib
import pkgutil
import warnings
from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import TYPE_CHECKING

from tafelrunde.errors import UnknownGame

if TYPE_CHECKING:
    from tafelrunde.games.contract import GameSpec

GROUP = "tafelrunde.games"
FOLDER = Path(__file__).parent


class BrokenGame(UserWarning):
    """A package says that it brings a game, but there is none to be had."""


class Registry(Mapping[str, "GameSpec"]):
    """All games by their id, in the order of their shelves; each is loaded when it is looked up."""

    def __init__(self) -> None:
        self._loaded: dict[str, GameSpec] = {}
        self._broken: set[str] = set()

    @cached_property
    def _built_in(self) -> list[str]:
        return [module.name for module in pkgutil.iter_modules([str(FOLDER)]) if module.ispkg]

    @cached_property
    def _installed(self) -> dict[str, EntryPoint]:
        """Games of other packages; none may take the name of one of ours."""
        return {point.name: point for point in entry_points(group=GROUP) if point.name not in self._built_in}

    def __getitem__(self, id: str) -> GameSpec:
        if id not in self._loaded:
            self._load(id)
        return self._loaded[id]

    def _load(self, id: str) -> None:
        if id in self._built_in:
            self._loaded[id] = import_module(f"tafelrunde.games.{id}").GAME
        elif id in self._installed and id not in self._broken:
            self._load_installed(id, self._installed[id])

    def _load_installed(self, id: str, point: EntryPoint) -> None:
        """A game that can not be loaded must not keep anybody from the others."""
        from tafelrunde.games.contract import GameSpec

        try:
            found = point.load()
            if not isinstance(found, GameSpec) or found.id != id:
                raise TypeError(f"{point.value} is no GameSpec with the id {id!r}")
            self._loaded[id] = found
        except Exception as error:  # whatever another package does when it is imported
            self._broken.add(id)
            warnings.warn(f"The game {id!r} can not be loaded: {error}.", BrokenGame, stacklevel=2)

    def __iter__(self) -> Iterator[str]:
        for id in (*self._built_in, *self._installed):
            if id not in self._loaded:
                self._load(id)
        return iter(sorted(self._loaded, key=lambda id: (self._loaded[id].position, id)))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def fingerprint(self) -> str:
        """Tells installations with other games apart: empty if all games are ours."""
        others = sorted(
            f"{id} {point.value} {point.dist and point.dist.version}" for id, point in self._installed.items()
        )
        return hashlib.sha256("\n".join(others).encode()).hexdigest()[:8] if others else ""


GAMES = Registry()


def find(name: str) -> GameSpec:
    """The game of this name.

    >>> find("buffet").title
    'Schlacht am Buffet'
    """
    try:
        return GAMES[name]
    except (KeyError, TypeError):
        raise UnknownGame(f"There is no game {name!r}; there is: {', '.join(GAMES)}.") from None


def compile_mark() -> Path | None:
    """A file that stands in the cache once all games have been compiled; None where there is no cache."""
    from tafelrunde.games.compiler import COMPILED, cache_of

    folder = cache_of() if COMPILED else None
    return folder and folder / f"complete{GAMES.fingerprint()}"
