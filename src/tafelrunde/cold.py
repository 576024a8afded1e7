"""Cold starts: nobody has to wait for the compiler before the first game."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, NoReturn

import click

if TYPE_CHECKING:
    from tafelrunde.server import Settings

PROGRAM = "tafelrunde"
PLAIN_RULES = "TAFELRUNDE_PLAIN_RULES"
PLAIN = {"NUMBA_DISABLE_JIT": "1", PLAIN_RULES: "1"}
"""The environment of a server that plays by plain rules until they are compiled."""


def is_cold() -> bool:
    """Would rules have to be compiled first?"""
    from tafelrunde.games.compiler import COMPILED
    from tafelrunde.games.registry import compile_mark

    mark = compile_mark()
    return COMPILED and (mark is None or not mark.exists())


def may_start_cold() -> bool:
    """Can a server begin by plain rules, and have them compiled meanwhile? Without a cache they would never be."""
    from tafelrunde.games.registry import compile_mark

    return bool(os.environ.get(PLAIN_RULES)) or (is_cold() and compile_mark() is not None)


def compile_in_background() -> None:
    """Let another process compile everything for the next time."""
    from tafelrunde.games.registry import compile_mark

    if is_cold() and compile_mark() is not None:
        start_compiling()


def start_compiling() -> subprocess.Popen[bytes]:
    """Compile everything in a process of its own, which goes on when this one ends."""
    quiet = subprocess.DEVNULL
    command = [sys.executable, "-m", PROGRAM, "compile"]
    return subprocess.Popen(  # noqa: S603
        command, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True, env=compiled_environment()
    )


def compiled_environment() -> dict[str, str]:
    """The environment without what makes rules plain."""
    return {name: value for name, value in os.environ.items() if name not in PLAIN}


def announce_compiling() -> None:
    """The first start of something large compiles what it needs; say so, and leave the rest to the background."""
    if is_cold():
        click.echo("Compiling the rules, once: 10 to 40 seconds …", err=True)
        click.get_current_context().call_on_close(compile_in_background)


def start_at_once() -> None:
    """Begin something small right away: plain Python runs the same rules while they are compiled in the background."""
    if is_cold():
        click.echo("First start: the rules are being compiled in the background.", err=True)
        compile_in_background()
        plain = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
        command = [sys.executable, "-m", PROGRAM, *sys.argv[1:]]
        sys.exit(subprocess.run(command, env=plain, check=False).returncode)  # noqa: S603


def serve_while_compiling(settings: Settings, ready: Callable[[str], None]) -> NoReturn:
    """Begin to serve at once, by plain rules; when they are compiled, begin anew on the same port.

    Connections that come meanwhile wait at the port, and clients resume: nobody notices more than a pause. It is one
    process all the time: whoever stops it stops all of it.
    """
    if not os.environ.get(PLAIN_RULES):
        os.execve(sys.executable, [sys.executable, "-m", PROGRAM, *sys.argv[1:]], {**os.environ, **PLAIN})  # noqa: S606
    from tafelrunde.server import listen
    from tafelrunde.server import serve as open_table

    click.echo("First start: the rules are being compiled in the background.", err=True)
    port = listen(settings)
    compiling = start_compiling()
    compiled = open_table(replace(settings, fd=os.dup(port.fileno())), ready, until=lambda: compiling.poll() == 0)
    if not compiled:
        sys.exit()
    port.set_inheritable(True)
    command = [sys.executable, "-m", PROGRAM, *sys.argv[1:], f"--fd={port.fileno()}"]
    os.execve(sys.executable, command, compiled_environment())  # noqa: S606
