"""``tafelrunde doctor``."""

from __future__ import annotations

import sys

import click

from tafelrunde.cli.settings import read_settings, setting_options
from tafelrunde.doctor import examine


@click.command(name="doctor")
@setting_options("port", "db", port="the port to look at", db="the SQLite file or postgresql://… to look at")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of sentences.")
def command(port: int | None, db: str | None, as_json: bool) -> None:
    """Look whether everything is there, and say what to do if not.

    \b
    Looks at Python and its packages, the compiled rules, the page, the data
    folder, the port, the browser and the network. Changes nothing. Exit status
    0 if a game can be played.
    """
    settings = read_settings({"port": port, "db": db})
    sys.exit(examine(settings.port if "port" in settings.model_fields_set else None, settings.db, as_json))
