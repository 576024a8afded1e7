"""The registry of games: found in the folders beside this file and in other installed packages.

Another package adds a game with an entry point in the group ``tafelrunde.games``: its name is the id of the game, its
value the ``GameSpec``. Games are imported on first use.

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
    """A game of another package could not be loaded."""


class Registry(Mapping[str, "GameSpec"]):
    """All games by id, sorted by ``GameSpec.position``; each is imported when it is looked up."""

    def __init__(self) -> None:
        self._loaded: dict[str, GameSpec] = {}
        self._broken: set[str] = set()

    @cached_property
    def _built_in(self) -> list[str]:
        """The ids of our own games."""
        return [module.name for module in pkgutil.iter_modules([str(FOLDER)]) if module.ispkg]

    @cached_property
    def _installed(self) -> dict[str, EntryPoint]:
        """Games of other packages; they can not replace ours."""
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
        """Load a game of another package; one that fails must not affect the others."""
        from tafelrunde.games.contract import GameSpec

        try:
            found = point.load()
            if not isinstance(found, GameSpec) or found.id != id:
                raise TypeError(f"{point.value} is no GameSpec with the id {id!r}")
            self._loaded[id] = found
        except Exception as error:  # importing another package may raise anything
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
        """A hash of the installed games of other packages; empty if there are none."""
        others = sorted(
            f"{id} {point.value} {point.dist and point.dist.version}" for id, point in self._installed.items()
        )
        return hashlib.sha256("\n".join(others).encode()).hexdigest()[:8] if others else ""


GAMES = Registry()
"""All games by their id: our own, and those of other packages."""


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
    """The file in the cache that says that all games have been compiled; None without a cache."""
    from tafelrunde.games.compiler import COMPILED, cache_of

    folder = cache_of() if COMPILED else None
    return folder and folder / f"complete{GAMES.fingerprint()}"
