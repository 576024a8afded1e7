"""Sets up what playing, the tests or the benchmarks need, in an environment of its own; and says how far it is.

Run by make with whatever Python there is: nothing but its standard library is used here.
"""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from threading import Thread
from typing import IO

ROOT = Path(__file__).parent
TICK_S = 0.5
LAST_LINES = 30
TERMINAL = sys.stdout.isatty()


class Step:
    """A command that takes a while, and a line that says what it is doing."""

    def __init__(self, what: str, *command: str | Path) -> None:
        self.what = what
        self._command = [str(part) for part in command]
        self._said: list[str] = []

    def run(self, counter: str) -> None:
        """Run it to its end; if it fails, show what it said last, and end."""
        begun = time.monotonic()
        if not TERMINAL:
            print(f"  {counter}  {self.what} …", flush=True)
        with subprocess.Popen(  # noqa: S603
            self._command,
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        ) as process:
            assert process.stdout
            listening = Thread(target=self._listen, args=(process.stdout,))
            listening.start()
            while listening.is_alive():
                self._show(counter, begun, self.progress())
                listening.join(TICK_S)
        if process.returncode:
            self._show(counter, begun, "did not work:\n")
            sys.exit("\n".join(self._said[-LAST_LINES:]) + f"\n\nSetting up has stopped at {counter}, {self.what}.")
        self._show(counter, begun, "done\n")

    def progress(self) -> str:
        """How far it is, in a word or two."""
        return "…"

    def _listen(self, output: IO[str]) -> None:
        with contextlib.suppress(ValueError):  # whoever stops it closes the output
            for line in output:
                self._said.append(line.rstrip())

    def _show(self, counter: str, begun: float, now: str) -> None:
        """One line on a terminal, drawn anew; elsewhere, only how it ends."""
        if TERMINAL:
            seconds = f"{time.monotonic() - begun:3.0f} s"
            print(f"\r\033[K  {counter}  {seconds}  {self.what}: {now}", end="", flush=True)


class Pip(Step):
    """Something that pip does in the environment."""

    def __init__(self, what: str, python: Path, *command: str) -> None:
        super().__init__(what, python, "-m", "pip", "--disable-pip-version-check", *command)


class Install(Pip):
    """Packages by hash from a lock file; pip tells of each that it takes."""

    def __init__(self, what: str, python: Path, lock: str) -> None:
        # The lock lists every package. --no-deps: pip must not look for others, or a release of tomorrow could be one.
        # --no-compile: of the large ones only a part is ever loaded, and that is compiled when it is.
        options = ("--no-deps", "--no-compile", "--require-hashes")
        super().__init__(what, python, "install", *options, "-r", f"requirements/{lock}.lock")
        self._locked = len(re.findall(r"^\w.*==", (ROOT / "requirements" / f"{lock}.lock").read_text(), re.MULTILINE))

    def progress(self) -> str:
        """How many pip has found so far; some of the file are for other systems."""
        heard = self._said.copy()
        if any(line.startswith("Installing collected") for line in heard):
            return "all are fetched, unpacking …"
        taken = sum(line.startswith(("Collecting", "Requirement already")) for line in heard)
        return f"{taken} of {self._locked - sum(line.startswith('Ignoring') for line in heard)} …"


def for_playing(venv: Path, python: Path) -> list[Step]:
    """What playing needs, and what builds the page."""
    in_place = ("install", "--no-deps", "--no-build-isolation", "--editable", ".")
    return [
        Step("an environment of its own for Python", sys.executable, "-m", "venv", venv),
        Install("packages", python, "play"),
        Step("the page that is shown in the browser", python, "hatch_build.py"),
        Pip("Tafelrunde itself", python, *in_place),
        Pip("a check that all of it fits together", python, "check"),
    ]


def for_testing(venv: Path, python: Path) -> list[Step]:
    """What the tests and checks need on top of that."""
    return on_top("packages for the tests", python, "dev")


def for_measuring(venv: Path, python: Path) -> list[Step]:
    """What the benchmarks compare with, on top of that."""
    return on_top("packages to compare with", python, "bench")


def on_top(what: str, python: Path, lock: str) -> list[Step]:
    """More packages for an environment that is there already."""
    return [Install(what, python, lock), Pip("a check that all of it fits together", python, "check")]


KINDS = {
    "play": (for_playing, "Tafelrunde in {venv}, once. It takes about a minute, more if much is to be fetched."),
    "test": (for_testing, "the tests, once. It takes about a minute."),
    "bench": (for_measuring, "the benchmarks, once."),
}


def main(wanted: str, venv: Path) -> None:
    """Take one step after the other."""
    if sys.version_info < (3, 11):  # noqa: UP036 - who has an older one is to be told
        sys.exit("Python 3.11 or newer is needed; say which: make PYTHON=python3.12")
    python = venv / "bin" / "python"
    begun = time.monotonic()
    make_steps, what = KINDS[wanted]
    steps = make_steps(venv, python)
    print("Setting up", what.format(venv=venv.name))
    for number, step in enumerate(steps, 1):
        step.run(f"{number} of {len(steps)}")
    print(f"Set up in {time.monotonic() - begun:.0f} seconds.", flush=True)


if __name__ == "__main__":
    try:
        main(sys.argv[1], ROOT / sys.argv[2])
    except KeyboardInterrupt:
        sys.exit("\nStopped. The same command begins again, and what was fetched is kept.")
