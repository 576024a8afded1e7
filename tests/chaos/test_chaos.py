"""A short evening of chaos at each kind of house, with the faults that hurt most; ``make chaos`` has longer ones."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import pytest

from tests.chaos.evening import Report, spend
from tests.chaos.faults import build
from tests.chaos.servers import House, PostgresHouse, Server, SqliteHouse

pytestmark = [pytest.mark.process, pytest.mark.slow]

SEED = 20


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("faults"))


def evening(kind: type[House], library: Path, faults: Iterable[str]) -> Report:
    return asyncio.run(spend(kind, SEED, library, 4, faults))


def test_a_server_on_a_file_keeps_every_word_through_chaos(library: Path) -> None:
    faults = ["cut", "disk-full", "clock", "tear", "restore", "power-cut"]
    report = evening(SqliteHouse, library, faults)
    assert report.wrong == [], report.line()
    assert sorted(report.faults) == sorted(faults)
    assert report.kills >= 2
    assert report.counts["resumed"] > 0


def test_two_servers_on_a_database_keep_every_word_through_chaos(library: Path) -> None:
    faults = ["kill-one", "database-killed", "restore"]
    report = evening(PostgresHouse, library, faults)
    assert report.wrong == [], report.line()
    assert sorted(report.faults) == sorted(faults)
    assert report.kills >= 1
    assert report.counts["resumed"] > 0


class DoctoredHouse(SqliteHouse):
    """A house in which somebody has been at the books after the server had stopped."""

    async def stop(self, *servers: Server) -> None:
        await super().stop(*servers)
        with closing(sqlite3.connect(self.path)) as db, db:
            [(longest, last)] = db.execute(
                "SELECT table_id, max(number) FROM lines GROUP BY table_id ORDER BY 2 DESC LIMIT 1"
            ).fetchall()
            [(command,)] = db.execute(
                "SELECT body ->> 'command' FROM lines WHERE table_id = ? AND number > 3 AND body ->> 'by' = 0 LIMIT 1",
                (longest,),
            ).fetchall()
            change = "UPDATE lines SET body = json_set(body, ?, ?) WHERE table_id = ? AND number = ?"
            db.execute(change, ("$.at", 1, longest, 2))
            db.execute(change, ("$.by", 0, longest, last - 1))
            db.execute(change, ("$.command", command, longest, last - 1))
            db.execute("DELETE FROM lines WHERE table_id = ? AND number IN (3, ?)", (longest, last))


def test_books_that_somebody_has_been_at_are_found_out(library: Path) -> None:
    report = evening(DoctoredHouse, library, ["cut"])
    kinds = {what.partition(":")[0] for what in report.wrong}
    assert kinds == {"lost", "doubled", "contradicted"}, report.wrong
    assert any("has a gap: line 3 is missing" in what for what in report.wrong)
    assert any("line 2 of" in what and "has changed" in what for what in report.wrong)
    assert "WRONG" in report.line()
