"""A game of another package (``tests/packages/duel``), installed as its users would, and a server that has it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.server.running import RunningServer

DUEL = Path(__file__).parent / "packages" / "duel"


def install_duel(folder: Path) -> Path:
    """Install the card duel into this folder, as a package of its own."""
    pip = ("-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--target", folder)
    subprocess.run([sys.executable, *pip, DUEL], check=True)
    return folder


def environment(site: Path, **more: str) -> dict[str, str]:
    """With that folder on the path; by plain rules, since every new folder would have to be compiled anew."""
    path = os.pathsep.join(filter(None, (str(site), os.environ.get("PYTHONPATH"))))
    return {**os.environ, "PYTHONPATH": path, "NUMBA_DISABLE_JIT": "1", **more}


class DuelServer(RunningServer):
    """A server on whose machine the package is installed."""

    def __init__(self, site: Path, db: Path) -> None:
        self.environment = environment(site)
        super().__init__(db)
