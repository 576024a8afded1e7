"""``tafelrunde verify``."""

from __future__ import annotations

import sys
from pathlib import Path

import click

import tafelrunde
from tafelrunde.compile_cache import announce_compiling, run_uncompiled_if_cold

UNCOMPILED_FILES = 30
"""So many records are checked in plain Python in less time than compiling would take."""


@click.command(name="verify")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
def command(files: tuple[Path, ...]) -> None:
    """Check game records: one line per file, and exit status 0 only if all hold.

    \b
    Every consequence is computed anew from the decisions and the chance that
    are written down. The first line that does not hold is named, with the rule
    behind it. The beginning of a game holds as unfinished.
    """
    if len(files) <= UNCOMPILED_FILES:
        run_uncompiled_if_cold()
    else:
        announce_compiling()
    all_hold = True
    for file in files:
        verdict = tafelrunde.verify(file)
        all_hold &= verdict.holds
        click.echo(f"{file}: {verdict}")
    sys.exit(0 if all_hold else 1)
