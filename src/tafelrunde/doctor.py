"""A check of the installation: what is there, what is missing, and what to do about it.

It has to run when packages are missing, so it imports them only after it has checked that they are there.
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
from typing import TYPE_CHECKING, Literal

from tafelrunde.launch import HERE, has_screen, is_our_server, is_taken, own_address

if TYPE_CHECKING:
    from packaging.requirements import Requirement

PACKAGE = "tafelrunde"
OLDEST_PYTHON = (3, 11)
TIMEOUT_S = 5
SIGNS = {"good": "✓", "note": "·", "bad": "✗"}


@dataclass(frozen=True)
class Finding:
    """The result of one check; only a bad one keeps people from playing."""

    about: str
    state: Literal["good", "note", "bad"]
    found: str
    do: str = ""

    def __str__(self) -> str:
        line = f"{SIGNS[self.state]} {self.about:<9} {self.found}"
        return f"{line}\n{'':<11} → {self.do}" if self.do else line


def examine(port: int | None = None, db: str | None = None, as_json: bool = False) -> int:
    """Check everything, print what was found and return the exit status."""
    findings = list(check_all(port, db))
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


def check_all(port: int | None, db: str | None) -> Iterator[Finding]:
    """All checks in order; if packages are missing, the checks that need them are left out."""
    yield check_python(sys.version_info[:3])
    packages = check_packages()
    yield packages
    if packages.state == "bad":
        return
    yield check_rules()
    yield check_page()
    yield check_data(db)
    yield check_port(port)
    yield check_browser()
    yield check_network()


def check_python(version: tuple[int, ...]) -> Finding:
    """Is Python new enough?"""
    found = f"{'.'.join(map(str, version))} at {sys.executable}"
    if version < OLDEST_PYTHON:
        return Finding("Python", "bad", found, "Python 3.11 or newer is needed; install it, and Tafelrunde with it.")
    return Finding("Python", "good", found)


# --- Packages ---------------------------------------------------------------------------------------------------------


def check_packages() -> Finding:
    """Are all packages there that Tafelrunde needs, in the right versions?"""
    try:
        needed = requirements_of(PACKAGE)
        faults = [fault for fault in map(package_fault, needed) if fault]
    except ImportError:
        faults = ["packaging is missing, which compares the versions of all others"]
    if faults:
        return Finding("packages", "bad", "; ".join(faults), "Install Tafelrunde again: make play, or pip install.")
    return Finding("packages", "good", f"all {len(needed)}, Tafelrunde {metadata.version(PACKAGE)}")


def requirements_of(package: str, extra: str = "") -> list[Requirement]:
    """What an installed package needs on this machine, or what one of its extras adds."""
    from packaging.requirements import Requirement

    needed = [Requirement(line) for line in metadata.requires(package) or ()]
    always = [one for one in needed if one.marker is None or one.marker.evaluate({"extra": ""})]
    if not extra:
        return always
    return [one for one in needed if one not in always and one.marker and one.marker.evaluate({"extra": extra})]


def package_fault(requirement: Requirement) -> str | None:
    """What is wrong with a package that is needed; None if nothing is.

    >>> from packaging.requirements import Requirement
    >>> package_fault(Requirement("click>=8.1"))
    >>> package_fault(Requirement("click>=800,<801"))
    'click ... is there, but <801,>=800 is needed'
    >>> package_fault(Requirement("cake>=1"))
    'cake is missing'
    """
    name = requirement.name
    try:
        version = metadata.version(name)
    except metadata.PackageNotFoundError:
        return f"{name} is missing"
    if not requirement.specifier.contains(version, prereleases=True):
        return f"{name} {version} is there, but {requirement.specifier} is needed"
    try:
        importlib.import_module(name.replace("-", "_"))
    except Exception as error:  # a broken package may raise anything
        return f"{name} {version} can not be loaded ({error})"
    added = (one for extra in sorted(requirement.extras) for one in requirements_of(name, extra))
    return next((fault for fault in map(package_fault, added) if fault), None)


# --- Tafelrunde itself ------------------------------------------------------------------------------------------------


def check_rules() -> Finding:
    """Are the rules compiled?"""
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


def check_page() -> Finding:
    """Has the page for browsers been built?"""
    from tafelrunde.server.static import FOLDER, INDEX, read_page

    files = read_page(FOLDER)
    if INDEX not in files:
        do = "make page builds it; a wheel brings it along."
        return Finding("page", "bad", f"has not been built: {FOLDER} has no {INDEX.strip('/')}", do)
    return Finding("page", "good", f"{len(files)} files in {FOLDER}")


def check_data(db: str | None) -> Finding:
    """Can tables be stored where they should be?"""
    from tafelrunde.server.settings import Settings

    db = Settings().db if db is None else db
    if db.startswith(("postgresql://", "postgres://")):
        return check_postgres(db)
    return check_file(Path(db.removeprefix("sqlite:///")).resolve())


def check_file(path: Path) -> Finding:
    """Try a new store beside the real one, which is only read."""
    from tafelrunde.store import StoreError, open_store

    folder = next(parent for parent in path.parents if parent.exists())
    do = f"Choose another place with --db, or make {folder} writable for you."
    try:
        with tempfile.TemporaryDirectory(dir=folder) as folder_beside:
            open_store(f"{folder_beside}/probe.db").close()
    except (OSError, StoreError) as error:
        return Finding("data", "bad", f"tables can not be kept in {folder}: {error}", do)
    if not path.exists():
        return Finding("data", "good", f"tables will be kept in {path}")
    if not os.access(path, os.R_OK | os.W_OK):
        return Finding("data", "bad", f"{path} is not yours to write", do)
    return _check_sqlite(path)


def _check_sqlite(path: Path) -> Finding:
    try:
        reading = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=TIMEOUT_S)
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


def check_postgres(url: str) -> Finding:
    """Does the database answer? A password in the address is not printed."""
    import psycopg

    shown = re.sub(r":[^:/@]*@", ":…@", url.partition("?")[0])
    try:
        with psycopg.connect(url, connect_timeout=TIMEOUT_S) as database:
            version = database.info.server_version // 10_000
    except psycopg.Error as error:
        do = "Start the database, or correct the address that --db or TAFELRUNDE_DB names."
        return Finding("data", "bad", f"{shown} does not answer: {' '.join(str(error).split())}", do)
    return Finding("data", "good", f"tables are kept in {shown} (PostgreSQL {version})")


# --- The machine ------------------------------------------------------------------------------------------------------


def check_port(named: int | None) -> Finding:
    """Is the port free?"""
    from tafelrunde.server.settings import Settings

    port = Settings().port if named is None else named
    if port == 0:
        return Finding("port", "good", "any that is free will be taken")
    if not is_taken(HERE, port):
        return Finding("port", "good", f"{port} is free")
    if is_our_server(port):
        return Finding("port", "note", f"a table is open at http://{HERE}:{port} already")
    do = f"{PACKAGE} takes another by itself; {PACKAGE} serve takes the one that --port names."
    if named is None:
        return Finding("port", "note", f"{port} is used by another program", do)
    return Finding("port", "bad", f"{port} is used by another program, or not yours to use", "Choose another --port.")


def check_browser() -> Finding:
    """Is there a browser? A machine without a screen needs none."""
    if not has_screen():
        return Finding("browser", "note", "there is no screen here; open the address on another device")
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return Finding("browser", "note", "none was found", "Open the address by hand.")
    return Finding("browser", "good", getattr(browser, "name", "the one of this system"))


def check_network() -> Finding:
    """Can others in the network reach this machine?"""
    own = own_address()
    if own is None:
        return Finding("network", "note", "this machine is in none: play around one screen, or against bots")
    return Finding("network", "good", f"{PACKAGE} serve --open --host 0.0.0.0 lets friends in at {own}")
