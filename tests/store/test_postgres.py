"""What is particular to a store that processes share."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from tafelrunde.store import Store, StoreError, Write, open_store
from tafelrunde.store.postgres import MAX_NOTIFICATION, notifications_for
from tests.postgres import Cluster
from tests.store.conftest import Open
from tests.store.tables import run_of, table_in
from tests.waiting import eventually


class Ear:
    """Keeps what it hears."""

    def __init__(self, store: Store) -> None:
        self.heard: list[list[tuple[int, int]]] = []
        store.listen(self.heard.append)

    def pairs(self) -> list[tuple[int, int]]:
        return [pair for pairs in self.heard for pair in pairs]


@pytest.fixture
def two(postgres_url: str, opened: Open) -> tuple[Store, Store]:
    return opened(postgres_url), opened(postgres_url)


def waits_for_a_lock(url: str) -> int | None:
    """The process number of whoever waits for another one to write, on the server."""
    with psycopg.connect(url) as server:
        query = "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
        row = server.execute(query).fetchone()
    return row[0] if row else None


def test_one_hears_what_the_other_writes_and_not_oneself(two: tuple[Store, Store]) -> None:
    writer, reader = two
    one, other = table_in(writer, "A"), table_in(writer, "B")
    mine, theirs = Ear(writer), Ear(reader)
    writer.append([*run_of(one, 1, 3), *run_of(other, 1, 2)], 0)
    eventually(lambda: theirs.pairs() == [(one, 3), (other, 2)])
    assert reader.lines(one, 0) == [(1, "1"), (2, "2"), (3, "3")], "who is told finds it"
    reader.append(run_of(other, 3, 4), 0)
    eventually(lambda: mine.pairs() == [(other, 4)])
    assert theirs.pairs() == [(one, 3), (other, 2)]


def test_nobody_hears_of_lines_that_lost(two: tuple[Store, Store]) -> None:
    writer, reader = two
    one, other = table_in(writer, "A"), table_in(writer, "B")
    reader.append(run_of(one, 1, 1), 0)
    ear = Ear(reader)
    assert writer.append([*run_of(one, 1, 2), *run_of(other, 1, 2)], 0) == {one}
    eventually(lambda: bool(ear.heard))
    assert ear.heard == [[(other, 2)]]


def test_a_batch_of_very_many_tables_is_told_in_several_notes(two: tuple[Store, Store]) -> None:
    writer, reader = two
    tables = [table_in(writer, str(index)) for index in range(900)]
    ear = Ear(reader)
    assert writer.append([Write(table, 1_000_000_000 + table, "x") for table in tables], 0) == set()
    eventually(lambda: len(ear.pairs()) == len(tables))
    assert ear.pairs() == [(table, 1_000_000_000 + table) for table in tables]
    assert len(ear.heard) > 1


def test_a_note_stays_below_what_postgresql_takes() -> None:
    notes = notifications_for("p" * 16, {10**18 + table: 2**31 - 1 for table in range(5000)})
    assert max(map(len, notes)) <= MAX_NOTIFICATION < 8000
    assert sum(len(note.split()) - 1 for note in notes) == 5000


def test_commits_reach_the_disk(postgres_url: str, opened: Open) -> None:
    with psycopg.connect(postgres_url, autocommit=True) as server:
        server.execute(f"ALTER DATABASE {server.info.dbname} SET synchronous_commit = off")
    rows, _ = opened(postgres_url)._change("SHOW synchronous_commit", ())
    assert rows == [("on",)]


def test_a_server_that_comes_back_is_used_again(cluster: Cluster, postgres_url: str, opened: Open) -> None:
    store, other = opened(postgres_url), opened(postgres_url)
    table = table_in(store)
    ear = Ear(other)
    store.append(run_of(table, 1, 2), 0)
    cluster.stop()
    for attempt in (lambda: store.append(run_of(table, 3, 3), 0), lambda: store.lines(table, 0)):
        with pytest.raises(StoreError, match="can not be reached"):
            attempt()
    cluster.start()
    assert store.append(run_of(table, 3, 4), 0) == set()
    assert [number for number, _ in store.lines(table, 0)] == [1, 2, 3, 4]
    eventually(lambda: [] in ear.heard)  # something may have been missed
    store.append(run_of(table, 5, 5), 0)
    eventually(lambda: (table, 5) in ear.pairs())


def test_a_connection_is_kept_when_the_server_sends_something_unasked(
    cluster: Cluster, postgres_url: str, opened: Open
) -> None:
    """As it does to every session when its configuration is changed."""
    store = opened(postgres_url)
    [before], _ = store._change("SELECT pg_backend_pid()", ())
    with psycopg.connect(postgres_url, autocommit=True) as server:

        def configure(statement: str, expected: str) -> None:
            server.execute(statement)
            server.execute("SELECT pg_reload_conf()")
            eventually(lambda: server.execute("SHOW TimeZone").fetchone() == (expected,))

        [(usual,)] = server.execute("SHOW TimeZone").fetchall()
        configure("ALTER SYSTEM SET TimeZone = 'Asia/Tokyo'", "Asia/Tokyo")
        [after], _ = store._change("SELECT pg_backend_pid()", ())
        configure("ALTER SYSTEM RESET TimeZone", usual)
    assert after == before


def test_a_closed_store_says_so(postgres_url: str) -> None:
    store = open_store(postgres_url)
    store.close()
    with pytest.raises(StoreError, match="has been closed"):
        store.check()


def test_a_connection_lost_in_the_middle_writes_nothing_and_says_so(postgres_url: str, opened: Open) -> None:
    store = opened(postgres_url)
    one, other = table_in(store, "A"), table_in(store, "B")
    with psycopg.connect(postgres_url) as rival, ThreadPoolExecutor(1) as pool:
        rival.execute("INSERT INTO lines VALUES (%s, 1, 'rival')", (other,))
        append = pool.submit(store.append, [*run_of(one, 1, 3), *run_of(other, 1, 3)], 0)
        eventually(lambda: waits_for_a_lock(postgres_url) is not None)
        rival.execute("SELECT pg_terminate_backend(%s)", (waits_for_a_lock(postgres_url),))
        with pytest.raises(StoreError, match="PostgreSQL says"):
            append.result()
        rival.rollback()
    assert store.lines(one, 0) == []
    assert store.append([*run_of(one, 1, 3), *run_of(other, 1, 3)], 0) == set()


@pytest.mark.parametrize("ends", ["commit", "rollback"])
def test_who_comes_second_waits_for_the_first(postgres_url: str, opened: Open, ends: str) -> None:
    store = opened(postgres_url)
    one, other = table_in(store, "A"), table_in(store, "B")
    with psycopg.connect(postgres_url) as rival, ThreadPoolExecutor(1) as pool:
        rival.execute("INSERT INTO lines VALUES (%s, 1, 'rival')", (other,))
        append = pool.submit(store.append, [*run_of(one, 1, 3), *run_of(other, 1, 3)], 0)
        eventually(lambda: waits_for_a_lock(postgres_url) is not None)
        getattr(rival, ends)()
        assert append.result() == ({other} if ends == "commit" else set())
    assert len(store.lines(one, 0)) == 3
    assert len(store.lines(other, 0)) == (1 if ends == "commit" else 3)


def test_a_deadlock_is_lost_by_one_and_an_error_for_none(postgres_url: str, opened: Open) -> None:
    # The server looks for deadlocks when somebody has waited for so long; the rival must be in place by then.
    with psycopg.connect(postgres_url, autocommit=True) as server:
        server.execute(f"ALTER DATABASE {server.info.dbname} SET deadlock_timeout = '3s'")
    store = opened(postgres_url)
    one, other = table_in(store, "A"), table_in(store, "B")
    with psycopg.connect(postgres_url) as rival, ThreadPoolExecutor(1) as pool:
        rival.execute("SET deadlock_timeout = '100s'")
        rival.execute("INSERT INTO lines VALUES (%s, 1, 'rival')", (other,))
        append = pool.submit(store.append, [*run_of(one, 1, 3), *run_of(other, 1, 3)], 0)
        eventually(lambda: waits_for_a_lock(postgres_url) is not None)
        rival.execute("INSERT INTO lines VALUES (%s, 1, 'rival')", (one,))
        rival.commit()
        assert append.result() == {one, other}
    assert store.lines(one, 0) == store.lines(other, 0) == [(1, "rival")]


def test_many_write_the_same_tables_and_each_line_has_one_author(postgres_url: str, opened: Open) -> None:
    stores = [opened(postgres_url) for _ in range(3)]
    tables = [table_in(stores[0], str(index)) for index in range(4)]
    start = threading.Barrier(len(stores))

    def play(me: int) -> set[tuple[int, int]]:
        """Write the next two lines wherever one sees the end; return what has been written."""
        done = set()
        start.wait()
        for turn in range(15):
            writes = []
            for table in tables[turn % 2 :] + tables[: turn % 2]:
                last = len(stores[me].lines(table, 0))
                writes += [Write(table, last + 1, str(me)), Write(table, last + 2, str(me))]
            lost = stores[me].append(writes, 0)
            done |= {(write.table, write.number) for write in writes if write.table not in lost}
        return done

    with ThreadPoolExecutor(len(stores)) as pool:
        written = list(pool.map(play, range(len(stores))))
    for table in tables:
        log = stores[0].lines(table, 0)
        assert [number for number, _ in log] == list(range(1, len(log) + 1))
        for me, mine in enumerate(written):
            assert {(table, number) for number, body in log if body == str(me)} == {
                pair for pair in mine if pair[0] == table
            }


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("postgresql://user:secret@[host/db", "not a PostgreSQL URL"),
        ("postgresql:///db?nonsense=secret", "not a PostgreSQL URL"),
        ("postgresql:///db?host=/nowhere&password=secret", "can not be reached"),
        ("postgres://user:secret@127.0.0.1:1/db", "can not be reached"),
    ],
)
def test_a_server_that_is_not_there_is_named_without_its_password(url: str, sentence: str) -> None:
    with pytest.raises(StoreError, match=sentence) as caught:
        open_store(url)
    assert "secret" not in str(caught.value)
