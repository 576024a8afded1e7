"""Where files of the user are kept on this system."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from platformdirs import user_cache_path, user_data_path

APP = "tafelrunde"
STORE = "tables.db"


def data_folder() -> Path:
    """The folder for tables.

    On macOS earlier versions kept them where Linux does; a store that is there is still used.
    """
    folder = user_data_path(APP, appauthor=False)
    if sys.platform == "darwin" and not (folder / STORE).exists():
        earlier = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / APP
        if (earlier / STORE).exists():
            return earlier
    return folder


def cache_folder() -> Path:
    """The folder for compiled rules."""
    return user_cache_path(APP, appauthor=False)
