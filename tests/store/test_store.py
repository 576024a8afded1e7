"""What every store does: SQLite, PostgreSQL, and the store in memory that other tests use."""

from __future__ import annotations

import threading

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tafelrunde.store import CodeTaken, GameRow, Store, StoredTable, StoreError, Write, open_store
from tests.store.conftest import Open
from tests.store.tables import run_of, table_in

TRICKY = [
    "",
    "Käse 🧀 \N{COMBINING DIAERESIS}",
    '"\\"quoted\\"" \\u0000 \\n',
    "line\nline\r\n\ttab \x01\x1f\x7f",
    "\u2028\u2029\ufeff\ufffe\uffff",
    "? %s %(x)s {} '; DROP TABLE lines; --",
    "x" * 100_000,
]


def test_a_table_is_found_by_code_and_by_id(store: Store) -> None:
    table = store.create("KESO", '{"seats":4}', True, 17)
    expected = StoredTable(table, "KESO", '{"seats":4}', 0, 17)
    assert store.find("KESO") == expected
    assert store.load(table) == expected
    assert store.find("keso") is None
    assert store.load(table + 1) is None


def test_a_code_is_given_once(store: Store) -> None:
    table = table_in(store, "KESO")
    with pytest.raises(CodeTaken, match="KESO") as caught:
        table_in(store, "KESO")
    assert caught.value.code == "code-taken"
    assert table_in(store, "TANI") != table


def test_lines_come_back_in_order(store: Store) -> None:
    one, two = table_in(store, "A"), table_in(store, "B")
    writes = [write for pair in zip(run_of(one, 1, 30), run_of(two, 1, 30), strict=True) for write in pair]
    assert store.append(writes[:20], 1) == set()
    assert store.append(writes[20:], 2) == set()
    everything = [(number, str(number)) for number in range(1, 31)]
    assert store.lines(one, after=0) == everything
    assert store.lines(two, after=27) == everything[27:]
    assert store.lines(two, after=3, limit=2) == everything[3:5]
    assert store.lines(two, after=3, limit=0) == []
    assert store.between(one, 9, 11) == everything[8:11]
    assert store.between(one, 31, 40) == []
    assert store.lines(two + 1, after=0) == []


def test_nothing_to_write_is_written(store: Store) -> None:
    assert store.append([], 1) == set()


def test_what_is_written_outlives_the_store(url: str, opened: Open) -> None:
    first = open_store(url)
    table = table_in(first)
    first.append([Write(table, 1, "a", head="h", game=GameRow(1, 1, "header"))], 5)
    first.close()
    again = opened(url)
    assert again.lines(table, 0) == [(1, "a")]
    assert again.load(table) == StoredTable(table, "KESO", "h", 1, 5)
    assert again.games(table) == [GameRow(1, 1, "header")]


def test_a_closed_store_says_so(url: str) -> None:
    store = open_store(url)
    store.close()
    with pytest.raises(StoreError):
        store.find("KESO")
    with pytest.raises(StoreError):
        store.append([Write(1, 1, "a")], 0)


@pytest.mark.parametrize("text", TRICKY)
def test_any_text_comes_back_as_it_was(store: Store, text: str) -> None:
    table = store.create(f"code{text[:1000]}", text, True, 0)
    row = GameRow(1, 1, text, 1, text, 3)
    assert store.append([Write(table, 1, text, head=text, game=row), Write(table, 2, text)], 0) == set()
    assert store.lines(table, 0) == [(1, text), (2, text)]
    assert store.find(f"code{text[:1000]}") == StoredTable(table, f"code{text[:1000]}", text, 1, 0)
    assert store.games(table) == [row]


@pytest.mark.parametrize("text", ["a\0b", "\ud83e"])
def test_a_text_that_postgresql_could_not_hold_is_refused(store: Store, text: str) -> None:
    table = table_in(store)
    for write in (
        Write(table, 1, text),
        Write(table, 1, "a", head=text),
        Write(table, 1, "a", game=GameRow(1, 1, text)),
        Write(table, 1, "a", game=GameRow(1, 1, "h", result=text)),
    ):
        with pytest.raises(StoreError, match="NUL"):
            store.append([Write(table, 2, "b"), write], 0)
    with pytest.raises(StoreError, match="NUL"):
        store.create(text, "{}", True, 0)
    with pytest.raises(StoreError, match="NUL"):
        store.create("TANI", text, True, 0)
    assert store.lines(table, 0) == []
    assert store.find(text) is None


def test_the_last_head_of_a_batch_stays(store: Store) -> None:
    table = table_in(store)
    writes = [
        Write(table, 1, "a", head="one"),
        Write(table, 2, "b", head="two", listed=False),
        Write(table, 3, "c"),
    ]
    store.append(writes, 9)
    assert store.load(table) == StoredTable(table, "KESO", "two", 2, 9)
    assert store.listed(10) == []
    store.append([Write(table, 4, "d", listed=True)], 10)
    assert store.load(table) == StoredTable(table, "KESO", "two", 2, 10)
    assert store.listed(10) == [StoredTable(table, "KESO", "two", 2, 10)]


def test_a_table_is_touched_by_changes_and_otherwise_once_a_minute(store: Store) -> None:
    table = table_in(store, now=1000)

    def touched_after(write: Write, now: int) -> int:
        store.append([write], now)
        found = store.load(table)
        assert found is not None
        return found.touched

    assert touched_after(Write(table, 1, "a"), 60_999) == 1000
    assert touched_after(Write(table, 2, "a"), 61_000) == 61_000
    assert touched_after(Write(table, 3, "a"), 61_001) == 61_000
    assert touched_after(Write(table, 4, "a", head="h"), 61_002) == 61_002
    assert touched_after(Write(table, 5, "a", listed=False), 61_003) == 61_003


def test_the_lobby_shows_the_last_touched_first(store: Store) -> None:
    tables = [table_in(store, code, now=when) for code, when in (("A", 5), ("B", 7), ("C", 6))]
    table_in(store, "D", listed=False, now=8)
    assert [table.code for table in store.listed(10)] == ["B", "C", "A"]
    store.append([Write(tables[0], 1, "a", head="h")], 9)
    assert [table.code for table in store.listed(2)] == ["A", "B"]


def test_games_are_added_and_brought_up_to_date(store: Store) -> None:
    table, other = table_in(store, "A"), table_in(store, "B")
    begun, ended = GameRow(1, 2, "one"), GameRow(1, 2, "one", 8, "won", 77)
    store.append([Write(table, 2, "a", game=begun), Write(other, 2, "a", game=begun)], 0)
    assert store.games(table) == [begun]
    store.append([Write(table, 8, "b", game=ended), Write(table, 9, "c", game=GameRow(2, 9, "two"))], 0)
    assert store.games(table) == [ended, GameRow(2, 9, "two")]
    assert store.games(other) == [begun]
    # A game that begins and ends within one batch.
    store.append([Write(other, 3, "x", game=GameRow(2, 3, "h")), Write(other, 4, "y", game=GameRow(2, 3, "h", 4))], 0)
    assert store.games(other) == [begun, GameRow(2, 3, "h", 4)]


def test_public_games_are_found_by_when_they_ended(store: Store) -> None:
    table, other = table_in(store, "KESO"), table_in(store, "PINO")

    def ended(on: int, game: int, when: int | None, public: bool = True) -> Write:
        result = None if when is None else f"result {game}"
        return Write(on, game, "x", game=GameRow(game, game, "h", game, result, when, public))

    store.append(
        [ended(table, 1, 10), ended(table, 2, 20, public=False), ended(table, 3, 30), ended(table, 4, None)], 0
    )
    store.append([ended(other, 1, 20), ended(other, 2, 30), ended(other, 3, 40)], 0)

    def found(before: int, limit: int) -> list[tuple[str, int]]:
        return [(row.code, row.game) for row in store.recent(before, limit)]

    assert found(100, 10) == [("PINO", 3), ("KESO", 3), ("PINO", 2), ("PINO", 1), ("KESO", 1)]
    assert found(100, 1) == [("PINO", 3)]
    assert found(40, 1) == [("KESO", 3), ("PINO", 2)]
    assert found(30, 10) == [("PINO", 1), ("KESO", 1)]
    assert found(10, 10) == []
    [row] = store.recent(11, 1)
    assert (row.head, row.result, row.ended) == (store.find("KESO").head, "result 1", 10)  # type: ignore[union-attr]
    assert store.games(table)[0].public
    assert not store.games(table)[1].public


def test_a_table_whose_number_is_taken_loses_all_of_its_batch(store: Store) -> None:
    tables = [table_in(store, code) for code in "ABCDE"]
    lost = {tables[1], tables[3]}
    store.append([write for table in lost for write in run_of(table, 1, 4, "early")], 0)
    batch = [
        Write(table, number, "late", head="late", listed=False, game=GameRow(1, 1, "late"))
        for number in (2, 3, 4, 5)
        for table in tables
    ]
    assert store.append(batch, 0) == lost
    for table in tables:
        expected = StoredTable(table, "ABCDE"[tables.index(table)], "{}", 0, 0)
        if table in lost:
            assert store.lines(table, 0) == [(number, f"early{number}") for number in (1, 2, 3, 4)]
            assert store.games(table) == []
            assert store.load(table) == expected
        else:
            assert store.lines(table, 0) == [(number, "late") for number in (2, 3, 4, 5)]
            assert store.games(table) == [GameRow(1, 1, "late")]
    assert {table.id for table in store.listed(10)} == lost


def test_a_table_that_comes_twice_with_one_number_loses(store: Store) -> None:
    one, two = table_in(store, "A"), table_in(store, "B")
    assert store.append([Write(one, 1, "a"), Write(two, 1, "b"), Write(one, 1, "c")], 0) == {one}
    assert store.lines(one, 0) == []
    assert store.lines(two, 0) == [(1, "b")]


def test_a_table_that_is_gone_loses(store: Store) -> None:
    gone, there = table_in(store, "A", now=1), table_in(store, "B", now=2)
    assert store.prune(2) == 1
    assert store.append([*run_of(gone, 1, 3), *run_of(there, 1, 3)], 3) == {gone}
    assert store.append([Write(gone, 1, "a", game=GameRow(1, 1, "h"))], 3) == {gone}
    assert [number for number, _ in store.lines(there, 0)] == [1, 2, 3]


def test_a_number_that_is_no_number_of_a_line_is_an_error_and_writes_nothing(store: Store) -> None:
    table = table_in(store)
    with pytest.raises(StoreError):
        store.append([Write(table, 1, "a"), Write(table, None, "b")], 0)  # type: ignore[arg-type]
    assert store.lines(table, 0) == []
    assert store.append([Write(table, 1, "a")], 0) == set()


def test_pruning_takes_all_that_a_table_has(store: Store) -> None:
    old, new = table_in(store, "A", now=10), table_in(store, "B", now=20)
    for table, now in ((old, 10), (new, 20)):
        store.append([Write(table, 1, "a", game=GameRow(1, 1, "h")), Write(table, 2, "b")], now)
    assert store.prune(10) == 0
    assert store.prune(20) == 1
    assert store.find("A") is None
    assert store.lines(old, 0) == []
    assert store.games(old) == []
    assert len(store.lines(new, 0)) == 2
    assert store.prune(21) == 1
    assert table_in(store, "A", now=30) not in (old, new), "an id is never given again"


def test_threads_read_while_one_writes(store: Store) -> None:
    table = table_in(store)
    gaps: list[list[int]] = []
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            numbers = [number for number, _ in store.lines(table, 0)]
            if numbers != list(range(1, len(numbers) + 1)) or len(numbers) % 5:
                gaps.append(numbers)

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    for first in range(1, 200, 5):
        store.append(run_of(table, first, first + 4), 0)
    done.set()
    for reader in readers:
        reader.join()
    assert gaps == []
    assert len(store.lines(table, 0)) == 200


Batches = list[tuple[int, list[tuple[int, int]]]]
BATCHES: st.SearchStrategy[Batches] = st.lists(
    st.tuples(
        st.integers(0, 1),
        # Runs of lines as (table, how many), interleaved as they come; now and then the next number is skipped over.
        st.lists(st.tuples(st.integers(0, 4), st.integers(1, 3)), max_size=8),
    ),
    max_size=8,
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(BATCHES, st.data())
def test_stores_that_write_at_cross_purposes_do_as_the_model_says(
    pair: tuple[Store, Store], codes: list[int], batches: Batches, data: st.DataObject
) -> None:
    """Two writers, each with its own idea of what is there: a writer who has lost looks again only sometimes."""
    codes.append(0)
    tables = [table_in(pair[0], f"{len(codes)}/{index}") for index in range(5)]
    model: dict[int, dict[int, str]] = {table: {} for table in tables}
    believed = [dict.fromkeys(tables, 0), dict.fromkeys(tables, 0)]
    for turn, (who, runs) in enumerate(batches):
        writes = []
        for index, count in runs:
            for _ in range(count):
                believed[who][tables[index]] += 1
                number = believed[who][tables[index]]
                writes.append(Write(tables[index], number, f"{who} {turn} {number}"))
        expected = {write.table for write in writes if write.number in model[write.table]}
        for write in writes:
            if write.table not in expected:
                model[write.table][write.number] = write.body
        assert pair[who].append(writes, 0) == expected
        for table in expected:
            if data.draw(st.booleans(), label="looks again"):
                believed[who][table] = max(model[table])
    for reader in pair:
        for table in tables:
            assert reader.lines(table, 0) == sorted(model[table].items())


@pytest.fixture
def codes() -> list[int]:
    """As many elements as there have been examples, so that each has tables of its own."""
    return []


@pytest.fixture
def pair(url: str, opened: Open) -> tuple[Store, Store]:
    """Two stores on one database; a SQLite file has only one, which is both."""
    first = opened(url)
    return first, opened(url) if url.startswith("postgresql") else first
