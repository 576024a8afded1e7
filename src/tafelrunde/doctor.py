"""A look at the installation: what is there, what is missing, and what to do about it.

It has to come when others can not, so nothing that might be missing is imported before it has been looked for.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import sqlite3
import sys
import tempfile
import webbrowser
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from typing import Literal

from tafelrunde.opening import HERE, has_screen, is_table, is_taken, own_address

PACKAGE = "tafelrunde"
OLDEST_PYTHON = (3, 11)
PATIENCE_S = 5
SIGNS = {"good": "✓", "note": "·", "bad": "✗"}

Version = tuple[int, ...]


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at; only what is bad keeps anybody from playing."""

    about: str
    state: Literal["good", "note", "bad"]
    found: str
    do: str = ""

    def __str__(self) -> str:
        line = f"{SIGNS[self.state]} {self.about:<9} {self.found}"
        return f"{line}\n{'':<11} → {self.do}" if self.do else line


def examine(port: int | None = None, db: str | None = None, as_json: bool = False) -> int:
    """Look at everything and tell; gives the exit status."""
    findings = list(look(port, db))
    bad = sum(finding.state == "bad" for finding in findings)
    if as_json:
        print(json.dumps({"ready": not bad, "findings": [asdict(finding) for finding in findings]}))
    else:
        for finding in findings:
            print(finding)
        print(f"\n{_verdict(bad)}")
    return 1 if bad else 0


def _verdict(bad: int) -> str:
    if not bad:
        return f"Everything is ready: {PACKAGE} opens the table."
    return "One thing has to be mended first." if bad == 1 else f"{bad} things have to be mended first."


def look(port: int | None, db: str | None) -> Iterator[Finding]:
    """One finding after the other; without its packages there is no more to see of a house."""
    yield look_at_python(sys.version_info[:3])
    packages = look_at_packages()
    yield packages
    if packages.state == "bad":
        return
    yield look_at_rules()
    yield look_at_page()
    yield look_at_data(db)
    yield look_at_port(port)
    yield look_at_browser()
    yield look_at_network()


def look_at_python(version: Version) -> Finding:
    """The language itself."""
    found = f"{'.'.join(map(str, version))} at {sys.executable}"
    if version < OLDEST_PYTHON:
        return Finding("Python", "bad", found, "Python 3.11 or newer is needed; install it, and Tafelrunde with it.")
    return Finding("Python", "good", found)


# --- Packages ---------------------------------------------------------------------------------------------------------


def look_at_packages() -> Finding:
    """Everything that Tafelrunde stands on, in versions that it knows."""
    needed = [one for one in metadata.requires(PACKAGE) or () if "extra ==" not in one]
    faults = [fault for fault in map(package_fault, needed) if fault]
    if faults:
        return Finding("packages", "bad", "; ".join(faults), "Install Tafelrunde again: make play, or pip install.")
    return Finding("packages", "good", f"all {len(needed)}, Tafelrunde {metadata.version(PACKAGE)}")


def package_fault(requirement: str) -> str | None:
    """What is wrong with a package that is needed, like ``numba>=0.61``; None if nothing is.

    >>> package_fault("click>=8.1")
    >>> package_fault("click>=800,<801")
    'click ... is there, but >=800,<801 is needed'
    >>> package_fault("cake>=1")
    'cake is missing'
    """
    named = re.match(r"[\w.-]+", requirement)
    assert named
    name = named[0]
    bounds = re.findall(r"(>=|<)([\d.]+)", requirement)
    try:
        version = metadata.version(name)
    except metadata.PackageNotFoundError:
        return f"{name} is missing"
    if not all((_order(version) >= _order(bound)) == (sign == ">=") for sign, bound in bounds):
        return f"{name} {version} is there, but {','.join(map(''.join, bounds))} is needed"
    try:
        importlib.import_module(name.replace("-", "_"))
    except Exception as error:  # whatever it is that a broken package does
        return f"{name} {version} can not be loaded ({error})"
    return None


def _order(version: str) -> Version:
    return tuple(int(number) for number in re.findall(r"\d+", version.partition("+")[0])[:3])


# --- Our own things ---------------------------------------------------------------------------------------------------


def look_at_rules() -> Finding:
    """Compiled, or to be compiled."""
    from tafelrunde.games.compiler import COMPILED
    from tafelrunde.games.registry import compile_mark

    if not COMPILED:
        return Finding("rules", "note", "run as plain Python, because NUMBA_DISABLE_JIT is set")
    mark = compile_mark()
    if mark is None or not os.access(mark.parent, os.W_OK):
        do = "Let XDG_CACHE_HOME name a folder that can be written."
        return Finding("rules", "note", "can not be kept: each start compiles them anew, 10 to 40 seconds", do)
    if not mark.exists():
        do = f"Nothing: play begins at once all the same. To be ahead of it: {PACKAGE} compile"
        return Finding("rules", "note", f"will be compiled at the first start, and kept in {mark.parent}", do)
    return Finding("rules", "good", f"compiled, in {mark.parent}")


def look_at_page() -> Finding:
    """What people see in their browsers."""
    from tafelrunde.server.page import FOLDER, INDEX, read_page

    files = read_page(FOLDER)
    if INDEX not in files:
        do = "make page builds it; a wheel brings it along."
        return Finding("page", "bad", f"has not been built: {FOLDER} has no {INDEX.strip('/')}", do)
    return Finding("page", "good", f"{len(files)} files in {FOLDER}")


def look_at_data(db: str | None) -> Finding:
    """Can tables be kept where they are to be kept?"""
    from tafelrunde.server.settings import Settings

    db = Settings().db if db is None else db
    if db.startswith(("postgresql://", "postgres://")):
        return look_at_postgres(db)
    return look_at_file(Path(db.removeprefix("sqlite:///")).resolve())


def look_at_file(path: Path) -> Finding:
    """Write a store of its own beside the real one; that is not touched."""
    from tafelrunde.store import StoreError, open_store

    folder = next(parent for parent in path.parents if parent.exists())
    do = f"Choose another place with --db, or make {folder} writable for you."
    try:
        with tempfile.TemporaryDirectory(dir=folder) as beside:
            open_store(f"{beside}/probe.db").close()
    except (OSError, StoreError) as error:
        return Finding("data", "bad", f"tables can not be kept in {folder}: {error}", do)
    if not path.exists():
        return Finding("data", "good", f"tables will be kept in {path}")
    if not os.access(path, os.R_OK | os.W_OK):
        return Finding("data", "bad", f"{path} is not yours to write", do)
    return _look_into(path)


def _look_into(path: Path) -> Finding:
    try:
        reading = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=PATIENCE_S)
        with reading:
            [[verdict]] = reading.execute("PRAGMA quick_check(1)").fetchall()
            reading.execute("SELECT count(*) FROM tables")
        reading.close()
    except sqlite3.Error as error:
        verdict = str(error)
    if verdict != "ok":
        do = "Put a backup in its place (docs/running.md tells how), or choose another file with --db."
        return Finding("data", "bad", f"{path} is damaged, or no store of ours: {verdict}", do)
    return Finding("data", "good", f"tables are kept in {path} ({path.stat().st_size / 1e6:.1f} MB)")


def look_at_postgres(url: str) -> Finding:
    """Does the database answer? A password that stands in the address is not told."""
    import psycopg

    shown = re.sub(r":[^:/@]*@", ":…@", url.partition("?")[0])
    try:
        with psycopg.connect(url, connect_timeout=PATIENCE_S) as database:
            version = database.info.server_version // 10_000
    except psycopg.Error as error:
        do = "Start the database, or correct the address that --db or TAFELRUNDE_DB names."
        return Finding("data", "bad", f"{shown} does not answer: {' '.join(str(error).split())}", do)
    return Finding("data", "good", f"tables are kept in {shown} (PostgreSQL {version})")


# --- Around the house -------------------------------------------------------------------------------------------------


def look_at_port(named: int | None) -> Finding:
    """Is the door free?"""
    from tafelrunde.server.settings import Settings

    port = Settings.port if named is None else named
    if not is_taken(HERE, port):
        return Finding("port", "good", f"{port} is free")
    if is_table(port):
        return Finding("port", "note", f"a table is open at http://{HERE}:{port} already")
    do = f"{PACKAGE} takes another by itself; {PACKAGE} serve takes the one that --port names."
    if named is None:
        return Finding("port", "note", f"{port} is used by another program", do)
    return Finding("port", "bad", f"{port} is used by another program, or not yours to use", "Choose another --port.")


def look_at_browser() -> Finding:
    """Somebody has to see the page; on a server that is somebody else."""
    if not has_screen():
        return Finding("browser", "note", "there is no screen here; open the address on another device")
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return Finding("browser", "note", "none was found", "Open the address by hand.")
    return Finding("browser", "good", getattr(browser, "name", "the one of this system"))


def look_at_network() -> Finding:
    """How friends come here."""
    own = own_address()
    if own is None:
        return Finding("network", "note", "this machine is in none: play around one screen, or against bots")
    return Finding("network", "good", f"{PACKAGE} serve --open --host 0.0.0.0 lets friends in at {own}")
