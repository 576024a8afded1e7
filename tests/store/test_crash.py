"""Writers that are killed: what has been promised is there, and nothing is there by half."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tafelrunde.store import Store, open_store
from tests.store.tables import table_in

pytestmark = pytest.mark.process

TABLES = "ABCDE"

# Forks a new writer for each path it reads, because to start Python anew takes longer than all the rest. A writer says
# who it is, and then after each batch how many lines there are; "gone" says that it has been killed.
NURSERY = """
import os, sys
from tafelrunde.store import Write, open_store

def write(path):
    print(os.getpid(), flush=True)
    store = open_store(path)
    tables = [store.find(code).id for code in "ABCDE"]
    done = len(store.lines(tables[0], 0))
    while True:
        # Every batch has two lines for each table, with the number of the batch in them.
        lines = [Write(table, number, str(done // 2)) for number in (done + 1, done + 2) for table in tables]
        assert not store.append(lines, 0)
        done += 2
        print(done, flush=True)

for path in sys.stdin:
    child = os.fork()
    if not child:
        write(path.strip())
    os.waitpid(child, 0)
    print("gone", flush=True)
"""

Nursery = subprocess.Popen[str]


@pytest.fixture
def nursery() -> Iterator[Nursery]:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", NURSERY], text=True, **pipes) as process:  # type: ignore[call-overload]
        yield process


def written_until_killed(nursery: Nursery, path: Path, batches: int) -> int:
    """Kill a writer some time after so many batches; return how many lines it has said to be there."""
    assert nursery.stdin is not None
    assert nursery.stdout is not None
    nursery.stdin.write(f"{path}\n")
    nursery.stdin.flush()
    writer = int(nursery.stdout.readline())
    promised = [int(nursery.stdout.readline()) for _ in range(batches)]
    os.kill(writer, signal.SIGKILL)
    promised += map(int, iter(lambda: nursery.stdout.readline().strip(), "gone"))
    return promised[-1]


def check_whole(store: Store, promised: int) -> None:
    logs = [store.lines(table.id, 0) for table in store.listed(10)]
    count = len(logs[0])
    assert promised <= count <= promised + 2
    assert count % 2 == 0
    assert logs == [[(number, str((number - 1) // 2)) for number in range(1, count + 1)]] * len(TABLES)


def test_a_writer_that_is_killed_leaves_whole_batches_and_all_that_it_promised(
    tmp_path: Path, nursery: Nursery
) -> None:
    path = tmp_path / "tables.db"
    store = open_store(str(path))
    for code in TABLES:
        table_in(store, code)
    store.close()
    dice = random.Random(7)
    for _ in range(20):
        promised = written_until_killed(nursery, path, dice.randint(1, 40))
        store = open_store(str(path))  # the lock has gone with the writer
        check_whole(store, promised)
        store.close()
