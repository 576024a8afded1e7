"""A store that was put back to a backup knows which lines of a client it has always had."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tafelrunde.store import Store, open_store
from tests.postgres import Cluster
from tests.store.conftest import Open
from tests.store.tables import back_up_file, run_of, table_in

Restore = Callable[[], None]


@pytest.fixture
def back_up(url: str, request: pytest.FixtureRequest) -> Callable[[], Restore]:
    """Make a backup of the database while it is in use; what this gives puts it back."""
    if url.startswith("postgresql"):
        cluster: Cluster = request.getfixturevalue("cluster")
        return lambda: cluster.back_up(url)
    return lambda: back_up_file(Path(url))


def test_lines_of_an_earlier_epoch_are_vouched_for(url: str) -> None:
    first = open_store(url)
    table = table_in(first)
    first.append(run_of(table, 1, 5), 0)
    told = first.epoch
    assert [first.shares_history(table, number, told) for number in (0, 1, 5, 6)] == [True, True, True, False]
    first.close()
    second = open_store(url)
    assert second.epoch != told
    assert [second.shares_history(table, number, told) for number in (0, 1, 5, 6)] == [True, True, True, False]
    second.append(run_of(table, 6, 7), 0)
    assert not second.shares_history(table, 6, told), "nobody can have been told it then"
    assert second.shares_history(table, 6, second.epoch)
    second.close()


@pytest.mark.parametrize("epoch", ["", "another", "NUL \0", "\ud800", "'; DROP TABLE epochs; --"])
def test_nobody_vouches_for_an_epoch_that_never_was(store: Store, epoch: str) -> None:
    table = table_in(store)
    store.append(run_of(table, 1, 1), 0)
    assert not store.shares_history(table, 0, epoch)
    assert not store.shares_history(table, 1, epoch)


def test_after_a_backup_was_put_back_only_what_it_holds_is_vouched_for(
    url: str, opened: Open, back_up: Callable[[], Restore]
) -> None:
    before = open_store(url)
    table = table_in(before)
    before.append(run_of(table, 1, 5), 0)
    restore = back_up()
    before.append(run_of(table, 6, 9, "lost "), 0)
    before.close()
    after = open_store(url)
    after.append(run_of(table, 10, 12, "lost "), 0)
    lost = after.epoch
    after.close()
    restore()
    now = opened(url)
    now.append(run_of(table, 6, 20, "new "), 0)
    assert [now.shares_history(table, number, before.epoch) for number in (5, 6, 9)] == [True, False, False]
    assert [now.shares_history(table, number, lost) for number in (0, 5, 6, 12)] == [False] * 4
    assert now.shares_history(table, 20, now.epoch)


def test_processes_that_share_a_database_share_an_epoch_until_the_last_of_them_ends(
    postgres_url: str, opened: Open
) -> None:
    one, other = open_store(postgres_url), open_store(postgres_url)
    assert one.epoch == other.epoch
    one.close()
    third = open_store(postgres_url)
    assert third.epoch == other.epoch, "somebody was always there"
    other.close()
    third.close()
    assert opened(postgres_url).epoch != one.epoch


def test_a_process_whose_connection_was_lost_still_holds_the_database_open(
    postgres_url: str, opened: Open, cluster: Cluster
) -> None:
    one = opened(postgres_url)
    table = table_in(one)
    cluster.cut_off(postgres_url)
    one.append(run_of(table, 1, 1), 0)
    assert opened(postgres_url).epoch == one.epoch
