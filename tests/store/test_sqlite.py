"""What is particular to a store in a file."""

from __future__ import annotations

import os
import sqlite3
import stat
from pathlib import Path

import pytest

from tafelrunde.store import StoreError, open_store
from tests.store.conftest import Open
from tests.store.tables import run_of, table_in


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tables.db"


def test_folders_are_made_and_only_the_owner_reads_the_files(tmp_path: Path, opened: Open) -> None:
    path = tmp_path / "deep" / "er" / "tables.db"
    store = opened(f"sqlite:///{path}")
    store.append(run_of(table_in(store), 1, 3), 0)
    files = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    assert set(files) == {"tables.db", "tables.db-wal", "tables.db-shm", "tables.db.lock"}
    assert set(files.values()) == {0o600}


def test_a_relative_path(tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    opened("sqlite:///tables.db")
    assert (tmp_path / "tables.db").exists()


@pytest.mark.parametrize("url", ["mysql://host/db", "sqlite:///", ""])
def test_another_kind_of_address_is_refused(url: str) -> None:
    with pytest.raises(StoreError, match="A store is a path"):
        open_store(url)


def test_a_file_is_opened_once(path: Path, tmp_path: Path, opened: Open) -> None:
    first = open_store(str(path))
    with pytest.raises(StoreError, match="in use by another process"):
        open_store(str(path))
    (tmp_path / "link.db").symlink_to(path)
    with pytest.raises(StoreError, match="in use by another process"):
        open_store(str(tmp_path / "link.db"))
    first.close()
    opened(str(path))


def test_commits_reach_the_disk_and_tables_are_watched_over(path: Path, opened: Open) -> None:
    store = opened(str(path))

    def pragma(name: str) -> object:
        return store._writer.execute(f"PRAGMA {name}").fetchone()[0]  # type: ignore[attr-defined]

    assert (pragma("journal_mode"), pragma("synchronous"), pragma("foreign_keys")) == ("wal", 2, 1)


def filled(path: Path) -> None:
    store = open_store(str(path))
    store.append(run_of(table_in(store), 1, 2000), 0)
    store.close()


def test_a_file_of_another_kind_is_refused(path: Path) -> None:
    path.write_text("Dear diary, today there was cheese. " * 100)
    with pytest.raises(StoreError, match=r"tables\.db can not be used: file is not a database"):
        open_store(str(path))
    assert path.read_text().startswith("Dear diary")


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="directory"):
        open_store(str(tmp_path))


def test_a_folder_that_can_not_be_made_is_refused(path: Path) -> None:
    path.write_text("")
    with pytest.raises(StoreError, match="can not be used"):
        open_store(str(path / "below" / "tables.db"))


@pytest.mark.parametrize("size", [2, 99, 100, 4096, 4097, 20_000])
def test_a_file_that_has_been_cut_off_is_refused(path: Path, size: int) -> None:
    filled(path)
    with path.open("r+b") as file:
        file.truncate(size)
    with pytest.raises(StoreError, match="can not be used"):
        open_store(str(path))


def test_a_damaged_page_is_an_error_when_it_is_read(path: Path, opened: Open) -> None:
    filled(path)
    with path.open("r+b") as file:
        file.seek(4096 * 16)
        file.write(os.urandom(4096 * 8))
    store = opened(str(path))
    with pytest.raises(StoreError, match="malformed"):
        store.lines(1, 0)


def test_an_empty_file_is_a_new_store(path: Path, opened: Open) -> None:
    path.touch()
    assert opened(str(path)).listed(1) == []


def test_a_store_that_could_not_be_opened_is_not_locked(path: Path, opened: Open) -> None:
    path.write_text("not a database, but something else" * 10)
    with pytest.raises(StoreError):
        open_store(str(path))
    path.unlink()
    opened(str(path))


def test_another_program_that_holds_the_file_is_an_error(path: Path, opened: Open) -> None:
    store = opened(str(path))
    store._writer.execute("PRAGMA busy_timeout = 1")  # type: ignore[attr-defined]
    table = table_in(store)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match="locked"):
        store.append(run_of(table, 1, 2), 0)
    other.close()
    assert store.append(run_of(table, 1, 2), 0) == set()
