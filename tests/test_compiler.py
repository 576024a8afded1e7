"""How rules are compiled and kept; plain Python has nothing of the kind, so these run compiled only."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import pytest

import tafelrunde
from tafelrunde.games import compiler

pytestmark = pytest.mark.process


@compiler.kernel
def add_one(number: int) -> int:
    return number + 1


def test_a_function_is_not_compiled_anew_for_every_constant() -> None:
    @numba.njit
    def call_with_constants() -> int:
        return add_one(7) + add_one(8)

    assert call_with_constants() == 17
    assert len(add_one.signatures) == 1  # type: ignore[attr-defined]


def test_a_change_in_any_source_begins_a_new_cache(tmp_path: Path) -> None:
    """Numba watches only the file of the function itself; we watch all that may be compiled into it."""
    package = Path(tafelrunde.__file__).parent
    shutil.copytree(package, tmp_path / "tafelrunde", ignore=shutil.ignore_patterns("__pycache__"))
    stamp = "from tafelrunde.games import compiler; print(compiler.cache_of())"
    stamps = []
    for changed in (None, "games/buffet/state.py", "games/buffet/bots.py", "games/playout.py"):
        if changed:
            with (tmp_path / "tafelrunde" / changed).open("a") as source:
                source.write("\n# changed\n")
        done = subprocess.run(
            [sys.executable, "-c", stamp],
            env={**os.environ, "PYTHONPATH": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")},
            capture_output=True,
            text=True,
            check=True,
        )
        stamps.append(done.stdout)
    assert len(set(stamps)) == 4
    assert f"{compiler.cache_of()}\n" not in stamps, "a copy elsewhere has a cache of its own"
