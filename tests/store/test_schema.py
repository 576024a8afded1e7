"""Stores of other versions."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from tafelrunde.store import GameRow, StoredTable, StoreError, open_store, schema
from tests.postgres import Cluster
from tests.store.conftest import Open
from tests.store.tables import run_of, table_in

# As the first version has made them. What stands here is never changed.
VERSION_1 = """
CREATE TABLE schema_version (version INTEGER NOT NULL);
CREATE TABLE tables (
    id {id}, code TEXT NOT NULL UNIQUE, number INTEGER NOT NULL, listed BOOLEAN NOT NULL, touched BIGINT NOT NULL,
    head TEXT NOT NULL);
CREATE INDEX tables_touched ON tables (touched);
CREATE INDEX tables_listed ON tables (touched) WHERE listed;
CREATE TABLE lines (
    table_id BIGINT NOT NULL REFERENCES tables (id) ON DELETE CASCADE, number INTEGER NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (table_id, number));
CREATE TABLE games (
    table_id BIGINT NOT NULL REFERENCES tables (id) ON DELETE CASCADE, game INTEGER NOT NULL,
    first INTEGER NOT NULL, last INTEGER, header TEXT NOT NULL, result TEXT, ended BIGINT,
    PRIMARY KEY (table_id, game));
INSERT INTO schema_version VALUES (1);
INSERT INTO tables (code, number, listed, touched, head) VALUES ('KESO', 2, true, 5, 'head');
INSERT INTO lines VALUES (1, 1, 'a'), (1, 2, 'b');
INSERT INTO games VALUES (1, 1, 1, 2, 'header', 'result', 9);
"""
SQLITE = {"id": "INTEGER PRIMARY KEY AUTOINCREMENT"}
POSTGRESQL = {"id": "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"}


def run(url: str, script: str) -> None:
    """Run statements without a store."""
    if url.startswith("postgresql"):
        with psycopg.connect(url) as server:
            server.execute(script)
    else:
        file = sqlite3.connect(url)
        file.executescript(script)
        file.close()


def versions(url: str) -> list[int]:
    query = "SELECT version FROM schema_version ORDER BY version"
    if url.startswith("postgresql"):
        with psycopg.connect(url) as server:
            return [version for (version,) in server.execute(query)]
    file = sqlite3.connect(url)
    found = [version for (version,) in file.execute(query)]
    file.close()
    return found


def test_a_new_store_has_the_newest_version(url: str, opened: Open) -> None:
    opened(url)
    assert versions(url) == list(range(1, len(schema.STEPS) + 1))


def test_a_store_of_version_1_is_read_and_written_on(url: str, opened: Open) -> None:
    run(url, VERSION_1.format_map(POSTGRESQL if url.startswith("postgresql") else SQLITE))
    store = opened(url)
    assert versions(url)[-1] == len(schema.STEPS)
    assert store.find("KESO") == StoredTable(1, "KESO", "head", 2, 5)
    assert store.games(1) == [GameRow(1, 1, "header", 2, "result", 9)]
    assert store.append(run_of(1, 3, 3), 6) == set()
    assert store.lines(1, 0) == [(1, "a"), (2, "b"), (3, "3")]


def test_later_steps_are_taken_once(url: str, opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    first = open_store(url)
    table_in(first)
    first.close()
    monkeypatch.setattr(schema, "STEPS", (*schema.STEPS, ("ALTER TABLE tables ADD COLUMN colour TEXT",)))
    for _ in range(2):
        store = open_store(url)
        assert store.find("KESO") is not None
        store.close()
    assert versions(url) == list(range(1, len(schema.STEPS) + 1))


def test_a_step_that_fails_leaves_all_as_it_was(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(schema, "STEPS", (*schema.STEPS, ("DROP TABLE games", "NONSENSE")))
        with pytest.raises(StoreError, match="NONSENSE"):
            open_store(url)
    store = open_store(url)
    assert store.games(1) == []
    store.close()


def test_a_store_of_a_newer_version_is_refused_and_left_alone(url: str) -> None:
    newer = len(schema.STEPS) + 1
    run(url, f"CREATE TABLE schema_version (version INTEGER NOT NULL); INSERT INTO schema_version VALUES ({newer})")
    with pytest.raises(StoreError, match=f"newer Tafelrunde: its schema is version {newer}"):
        open_store(url)
    assert versions(url) == [newer]


def test_a_database_with_other_tables_of_our_names_is_refused(url: str) -> None:
    run(url, "CREATE TABLE lines (x INTEGER)")
    with pytest.raises(StoreError, match="lines"):
        open_store(url)


def test_many_may_open_a_new_database_at_once(cluster: Cluster) -> None:
    url = cluster.database()
    with ThreadPoolExecutor(8) as pool:
        stores = list(pool.map(open_store, [url] * 8))
    assert versions(url) == list(range(1, len(schema.STEPS) + 1))
    for store in stores:
        store.close()


def test_of_many_who_open_a_file_at_once_one_gets_it(tmp_path: Path) -> None:
    def attempt(_: int) -> bool:
        try:
            stores.append(open_store(str(tmp_path / "tables.db")))
        except StoreError:
            return False
        return True

    stores: list[object] = []
    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(attempt, range(8))) == 1
    stores[0].close()  # type: ignore[attr-defined]
