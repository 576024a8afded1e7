"""The cache of compiled rules, and how to start while it is cold, that is, before the rules have been compiled."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, NoReturn

import click

if TYPE_CHECKING:
    from tafelrunde.server.settings import Settings

COMMAND = (sys.executable, "-m", "tafelrunde")
PLAIN_RULES = "TAFELRUNDE_PLAIN_RULES"
PLAIN_ENVIRONMENT = {"NUMBA_DISABLE_JIT": "1", PLAIN_RULES: "1"}
"""The environment of a server that runs uncompiled rules until they are compiled."""


def is_cold() -> bool:
    """Do rules have to be compiled first?"""
    from tafelrunde.games.compiler import COMPILED
    from tafelrunde.games.registry import compile_mark

    mark = compile_mark()
    return COMPILED and (mark is None or not mark.exists())


def can_compile_later() -> bool:
    """Can a server start with uncompiled rules? Only with a cache folder: compiled rules have to be kept somewhere."""
    from tafelrunde.games.registry import compile_mark

    return bool(os.environ.get(PLAIN_RULES)) or (is_cold() and compile_mark() is not None)


def compile_in_background() -> None:
    """Let another process fill the cache for the next time."""
    from tafelrunde.games.registry import compile_mark

    if is_cold() and compile_mark() is not None:
        start_compiling()


def start_compiling() -> subprocess.Popen[bytes]:
    """Compile everything in a process that goes on when this one ends."""
    quiet = subprocess.DEVNULL
    return subprocess.Popen(  # noqa: S603
        [*COMMAND, "compile"],
        stdin=quiet,
        stdout=quiet,
        stderr=quiet,
        start_new_session=True,
        env=compiled_environment(),
    )


def compiled_environment() -> dict[str, str]:
    """Our environment without the variables that switch the compiler off."""
    return {name: value for name, value in os.environ.items() if name not in PLAIN_ENVIRONMENT}


def announce_compiling() -> None:
    """Tell the user why the first start takes long; what this command does not need is compiled after it has ended."""
    if is_cold():
        click.echo("Compiling the rules, once: 10 to 40 seconds …", err=True)
        click.get_current_context().call_on_close(compile_in_background)


def run_uncompiled_if_cold() -> None:
    """If the cache is cold, run the same command in plain Python and exit: for little work that beats compiling."""
    if is_cold():
        click.echo("First start: the rules are being compiled in the background.", err=True)
        compile_in_background()
        plain = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
        sys.exit(subprocess.run([*COMMAND, *sys.argv[1:]], env=plain, check=False).returncode)  # noqa: S603


def serve_while_compiling(settings: Settings, ready: Callable[[str], None]) -> NoReturn:
    """Serve with uncompiled rules; once they are compiled, restart with them on the same port.

    Meanwhile new connections wait in the queue of the port, and clients resume: players notice a pause at most. The
    process is replaced (exec), so its id stays the same and stopping it stops everything.
    """
    if not os.environ.get(PLAIN_RULES):
        os.execve(sys.executable, [*COMMAND, *sys.argv[1:]], {**os.environ, **PLAIN_ENVIRONMENT})  # noqa: S606
    from tafelrunde.server.run import listen, serve

    click.echo("First start: the rules are being compiled in the background.", err=True)
    port = listen(settings)
    compiling = start_compiling()
    duplicate = settings.model_copy(update={"fd": os.dup(port.fileno())})
    compiled = serve(duplicate, ready, until=lambda: compiling.poll() == 0)
    if not compiled:
        sys.exit()
    port.set_inheritable(True)
    command = [*COMMAND, *sys.argv[1:], f"--fd={port.fileno()}"]
    os.execve(sys.executable, command, compiled_environment())  # noqa: S606
