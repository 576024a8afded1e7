"""The doctor: finds what is wrong with an installation, and says in words what to do."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import webbrowser
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tafelrunde import doctor
from tafelrunde.doctor import Finding
from tests import postgres
from tests.server.running import RunningServer
from tests.waiting import PATIENCE_S

pytestmark = pytest.mark.process

ABOUT = ["Python", "packages", "rules", "page", "data", "port", "browser", "network"]


@pytest.fixture
def taken() -> Iterator[int]:
    """A port at which something listens that is not ours, and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        yield other.getsockname()[1]


@pytest.fixture
def free() -> int:
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        return int(nobody.getsockname()[1])


def before_all_others(folder: Path) -> str:
    """The value of PYTHONPATH with which modules of this folder are found first."""
    return os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH")]))


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tafelrunde", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, env=os.environ | environment)


# --- As people call it ------------------------------------------------------------------------------------------------


def test_a_good_installation_is_ready(tmp_path: Path, free: int) -> None:
    db = tmp_path / "new" / "tables.db"
    done = run("doctor", f"--port={free}", f"--db={db}")
    assert done.returncode == 0, done.stdout
    assert [line[2:].split()[0] for line in done.stdout.splitlines() if line.startswith(("✓", "·"))] == ABOUT
    assert done.stdout.endswith("\nEverything is ready: tafelrunde opens the table.\n")
    assert not db.parent.exists(), "who only looks leaves nothing behind"


def test_what_is_wrong_is_told_with_what_to_do(tmp_path: Path, taken: int) -> None:
    damaged = tmp_path / "tables.db"
    damaged.write_text("a shopping list")
    done = run("doctor", TAFELRUNDE_PORT=str(taken), TAFELRUNDE_DB=str(damaged))
    assert done.returncode == 1
    assert f"✗ data      {damaged} is damaged, or no store of ours: file is not a database" in done.stdout
    assert f"✗ port      {taken} is used by another program" in done.stdout
    assert "→ Choose another --port." in done.stdout
    assert done.stdout.endswith("\n2 things have to be mended first.\n")
    assert damaged.read_text() == "a shopping list"


def test_programs_read_the_same(tmp_path: Path, free: int) -> None:
    done = run("doctor", "--json", f"--port={free}", f"--db={tmp_path / 'tables.db'}")
    told = json.loads(done.stdout)
    assert told["ready"]
    assert [finding["about"] for finding in told["findings"]] == ABOUT
    assert {finding["state"] for finding in told["findings"]} <= {"good", "note"}


@pytest.mark.parametrize(
    ("missing", "command"),
    [
        ("numba", "doctor"),
        ("click", "doctor"),
        ("fastapi", "doctor"),
        ("pydantic-settings", "doctor"),
        ("packaging", "doctor"),
        ("psycopg-pool", "doctor"),
        ("numba", "compile"),
        ("click", "--help"),
    ],
)
def test_it_comes_even_if_packages_are_missing(tmp_path: Path, missing: str, command: str) -> None:
    """As if it had never been installed: neither its name nor its files are found."""
    (tmp_path / "sitecustomize.py").write_text(
        "import importlib.metadata as metadata, sys\n"
        f"sys.modules[{missing.replace('-', '_')!r}] = None\n"
        "version = metadata.version\n"
        "def look(name):\n"
        f"    if name == {missing!r}: raise metadata.PackageNotFoundError(name)\n"
        "    return version(name)\n"
        "metadata.version = look\n"
    )
    done = run(command, PYTHONPATH=before_all_others(tmp_path))
    assert done.returncode == 1
    assert f"✗ packages  {missing} is missing" in done.stdout
    assert "Install Tafelrunde again" in done.stdout
    assert "Traceback" not in done.stderr


def test_python_users_are_told_what_is_missing(tmp_path: Path) -> None:
    (tmp_path / "numba.py").write_text("raise ImportError('libllvm is damaged')")
    command = [sys.executable, "-c", "from tafelrunde import new"]
    done = subprocess.run(
        command, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": before_all_others(tmp_path)}
    )
    assert done.stderr.splitlines()[-1] == (
        "ImportError: Tafelrunde is not installed completely: libllvm is damaged. See: tafelrunde doctor"
    )
    seen = run("doctor", PYTHONPATH=before_all_others(tmp_path))
    assert "can not be loaded (libllvm is damaged)" in seen.stdout


# --- One thing after the other ----------------------------------------------------------------------------------------


def test_an_old_python_is_not_enough() -> None:
    assert doctor.check_python((3, 10, 12)).state == "bad"
    assert doctor.check_python((3, 11, 0)).state == "good"


@pytest.mark.parametrize(
    "requirement", ["click>=8.1", "numba<900,>=0.61", "psycopg[binary,pool]>=3.2", "typing-extensions"]
)
def test_packages_in_versions_that_fit(requirement: str) -> None:
    assert doctor.package_fault(Requirement(requirement)) is None


@pytest.mark.parametrize(
    ("version", "fits"), [("2.0rc1", False), ("2.0", True), ("2.0.post1", True), ("2.10+local", True), ("3.0b1", True)]
)
def test_versions_are_compared_as_versions(monkeypatch: pytest.MonkeyPatch, version: str, fits: bool) -> None:
    monkeypatch.setattr("importlib.metadata.version", lambda name: version)
    assert (doctor.package_fault(Requirement("click>=2.0")) is None) == fits


def test_rules_that_can_not_be_kept_are_noted(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("no folder")
    told = run("doctor", "--json", XDG_CACHE_HOME=str(tmp_path / "cache")).stdout
    assert finding(told, "rules").found.startswith("can not be kept")
    told = run("doctor", "--json", XDG_CACHE_HOME=str(tmp_path / "empty")).stdout
    assert finding(told, "rules").found.startswith("will be compiled at the first start")


def finding(told: str, about: str) -> Finding:
    [found] = [Finding(**one) for one in json.loads(told)["findings"] if one["about"] == about]
    return found


def test_a_page_that_was_not_built(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert doctor.check_page().state == "good"
    monkeypatch.setattr("tafelrunde.server.static.FOLDER", tmp_path)
    found = doctor.check_page()
    assert (found.state, found.do) == ("bad", "make page builds it; a wheel brings it along.")


def test_a_place_that_is_no_folder_keeps_no_tables(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    found = doctor.check_data(str(tmp_path / "file" / "tables.db"))
    assert found.state == "bad"
    assert "--db" in found.do


def test_the_tables_of_a_running_server_are_well(tmp_path: Path) -> None:
    server = RunningServer(tmp_path / "tables.db")
    assert doctor.check_data(f"sqlite:///{tmp_path / 'tables.db'}").state == "good"
    found = doctor.check_port(server.port)
    assert (found.state, found.found) == ("note", f"a table is open at {server.url} already")
    server.kill()


def test_a_port_that_nobody_named_need_not_be_free(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tafelrunde.doctor.is_taken", lambda host, port: True)
    monkeypatch.setattr("tafelrunde.doctor.is_our_server", lambda port: False)
    assert doctor.check_port(None).state == "note"
    assert doctor.check_port(8000).state == "bad"
    assert doctor.check_port(0).state == "good"


def test_a_database_that_does_not_answer_is_told_without_its_password(free: int) -> None:
    found = doctor.check_data(f"postgresql://ada:secret@127.0.0.1:{free}/tables")
    assert found.state == "bad"
    assert found.found.startswith(f"postgresql://ada:…@127.0.0.1:{free}/tables does not answer: ")
    assert "secret" not in str(found)


def test_a_database_that_answers() -> None:
    with postgres.running() as cluster:
        found = doctor.check_data(cluster.database())
    assert found.state == "good"
    assert "PostgreSQL" in found.found


def test_browsers_and_screens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("DISPLAY", ":9")
    monkeypatch.setattr("webbrowser.get", lambda: webbrowser.GenericBrowser("lynx"))
    assert doctor.check_browser() == Finding("browser", "good", "lynx")
    monkeypatch.setattr("sys.platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert doctor.check_browser().state == "note"


def test_a_machine_without_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tafelrunde.doctor.own_address", lambda: "192.168.1.7")
    assert doctor.check_network().found.endswith("lets friends in at 192.168.1.7")
    monkeypatch.setattr("tafelrunde.doctor.own_address", lambda: None)
    assert doctor.check_network().state == "note"
