"""The browser for tests and benchmarks."""

from __future__ import annotations

import shutil


def find_browser() -> str:
    """Its path. The headless shell draws no window and needs half the time; without it, Chromium itself does."""
    program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if program is None:
        raise SystemExit("There is no Chromium; install it: make browser")
    return program
