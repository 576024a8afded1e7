"""How a server is set up: by flags, or by environment variables of the same name (TAFELRUNDE_PORT=8000)."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path


def data_folder() -> Path:
    """Where the user's data lies on this system."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "tafelrunde"


@dataclass(frozen=True)
class Settings:
    """All that can be set; the defaults are right for friends around one Wi-Fi."""

    host: str = "127.0.0.1"
    port: int = 8000
    db: str = field(default_factory=lambda: str(data_folder() / "tables.db"))
    fd: int | None = None
    """An open socket to serve on instead, handed over by another program."""
    origins: tuple[str, ...] = ()
    """Origins of pages besides our own that may open a socket, like https://games.example."""
    hosts: tuple[str, ...] = ()
    """Names besides this machine's own under which the server may be opened; ``*``: all. Behind a proxy all, unless
    some are given."""
    behind_proxy: bool = False
    """Believe X-Forwarded-For: only if a reverse proxy of yours sets it."""
    keep_days: int = 90
    """Tables at which nobody has done anything for so long are deleted; 0: never."""
    creates_per_minute: int = 20
    """New tables per address."""
    joins_per_minute: int = 60
    """Seats taken, and games looked back at, each per address."""
    lookups_per_minute: int = 1200
    """Tables asked for by their code, per address; a wrong code counts as twenty."""
    connections_per_address: int = 200
    """At the same time; in a minute twice as many may be opened."""
    lines_per_hour: int = 200_000
    """What is written for an address: what its people do, and its bots."""
    commands_per_second: int = 20
    """Per connection, on average."""
    hello_s: float = 10
    """How long a connection may say nothing."""
    open_browser: bool = False
    """Show the page in a browser of this machine once the server answers."""
    log_level: str = "info"
