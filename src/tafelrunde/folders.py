"""Folders of the user on this system."""

from __future__ import annotations

from pathlib import Path

import platformdirs


def cache_folder() -> Path:
    """For what can be made again: compiled rules."""
    return platformdirs.user_cache_path("tafelrunde", appauthor=False)
