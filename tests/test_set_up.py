"""Setting up, with a Python that only pretends: what is said meanwhile, and what happens if it fails."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
import set_up

pytestmark = pytest.mark.process

SCRIPT = Path(set_up.__file__)


def environment(folder: Path, script: str) -> Path:
    """An environment whose Python is this shell script."""
    python = folder / "bin" / "python"
    python.parent.mkdir()
    python.write_text(f"#!/bin/sh\n{script}\n")
    python.chmod(0o755)
    return folder


def run(venv: Path) -> subprocess.CompletedProcess[str]:
    """Set up the tests, as make does."""
    return subprocess.run([sys.executable, SCRIPT, "test", venv], capture_output=True, text=True, check=False)


def test_it_says_what_it_does_and_how_long_it_took(tmp_path: Path) -> None:
    done = run(environment(tmp_path, "true"))
    assert done.returncode == 0
    steps = r"  1 of 2  packages for the tests …\n  2 of 2  a check .* …\n"
    assert re.fullmatch(rf"Setting up the tests, once\. .*\n{steps}Set up in \d+ seconds\.\n", done.stdout)


def test_a_step_that_fails_shows_its_last_lines_and_ends_it(tmp_path: Path) -> None:
    failed = run(environment(tmp_path, "seq 100; echo no such package >&2; exit 3"))
    assert failed.returncode == 1
    *last, empty, where = failed.stderr.splitlines()
    assert last == [*map(str, range(72, 101)), "no such package"]
    assert (empty, where) == ("", "Setting up has stopped at 1 of 2, packages for the tests.")
    assert "Set up in" not in failed.stdout


def test_it_can_be_stopped_and_says_how_to_go_on(tmp_path: Path) -> None:
    stopped = run(environment(tmp_path, "kill -INT $PPID"))
    assert stopped.returncode == 1
    assert "The same command begins again" in stopped.stderr
    assert "Traceback" not in stopped.stderr


def test_on_a_terminal_one_line_is_drawn_anew_until_it_is_done(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(set_up, "TERMINAL", True)
    set_up.Step("a nap", "true").run("2 of 4")
    assert re.fullmatch(r"(\r\033\[K  2 of 4 +\d+ s  a nap: (…|done\n))+", said := capsys.readouterr().out)
    assert said.endswith("done\n")


def test_pip_tells_how_far_it_is(tmp_path: Path) -> None:
    venv = environment(tmp_path, "echo Collecting one; echo Requirement already satisfied: two; echo Ignoring three")
    step = set_up.Install("packages", venv / "bin" / "python", "play")
    locked = int(step.progress().removeprefix("0 of ").removesuffix(" …"))
    step.run("1 of 1")
    assert step.progress() == f"2 of {locked - 1} …"


def test_who_has_an_old_python_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 10, 4))
    with pytest.raises(SystemExit, match=r"Python 3\.11 or newer is needed; say which: make PYTHON="):
        set_up.main("play", Path("nowhere"))


def test_an_old_python_can_read_it_so_far() -> None:
    ast.parse(SCRIPT.read_text(encoding="utf-8"), feature_version=(3, 7))
