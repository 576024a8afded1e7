"""Many writes as one statement.

A thread releases the GIL while it waits for a database and has to get it back afterwards, which takes up to 5
milliseconds while the event loop is busy; row by row, that adds up. So a batch is sent as JSON and unpacked by the
database. That is also the fastest way with both databases.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from typing import NamedTuple

from tafelrunde.store.errors import StoreError
from tafelrunde.store.rows import Write

# In these statements {rows} stands for the elements of a JSON array as rows with a column "value", {now} for the time
# and {epoch} for the number of the epoch. Lines are written in order, so that two processes that write the same lines
# conflict at the first one.
INSERT_LINES = """
    INSERT INTO lines (table_id, number, body, epoch)
    SELECT CAST(value ->> 0 AS BIGINT), CAST(value ->> 1 AS INTEGER), value ->> 2, {epoch} FROM {rows} ORDER BY 1, 2
"""
UPDATE_TABLES = """
    UPDATE tables SET
        number = coalesce(change.number, tables.number),
        head = coalesce(change.head, tables.head),
        listed = coalesce(change.listed, tables.listed),
        touched = {now}
    FROM (
        SELECT
            CAST(value ->> 0 AS BIGINT) AS id,
            CAST(value ->> 1 AS INTEGER) AS number,
            value ->> 2 AS head,
            CAST(value ->> 3 AS BOOLEAN) AS listed
        FROM {rows}
    ) AS change
    WHERE tables.id = change.id
"""
UPSERT_GAMES = """
    INSERT INTO games (table_id, game, first, last, header, result, ended, public)
    SELECT
        CAST(value ->> 0 AS BIGINT), CAST(value ->> 1 AS INTEGER), CAST(value ->> 2 AS INTEGER),
        CAST(value ->> 3 AS INTEGER), value ->> 4, value ->> 5, CAST(value ->> 6 AS BIGINT),
        CAST(value ->> 7 AS BOOLEAN)
    FROM {rows} WHERE true
    ON CONFLICT (table_id, game) DO UPDATE SET
        first = excluded.first, last = excluded.last,
        header = excluded.header, result = excluded.result, ended = excluded.ended, public = excluded.public
"""
FIND_CONFLICTS = """
    SELECT DISTINCT line.table_id
    FROM (SELECT CAST(value ->> 0 AS BIGINT) AS table_id, CAST(value ->> 1 AS INTEGER) AS number FROM {rows}) AS line
    LEFT JOIN tables ON tables.id = line.table_id
    LEFT JOIN lines ON lines.table_id = line.table_id AND lines.number = line.number
    WHERE tables.id IS NULL OR lines.number IS NOT NULL
"""


class Conflict(Exception):
    """A line of the batch exists already, or its table does not exist; nothing has been written."""


class Batch(NamedTuple):
    """What a batch writes, each a JSON array of rows; ``last`` is the last number of each table."""

    lines: str
    changes: str
    games: str
    last: dict[int, int]


def make_batch(writes: Sequence[Write], due: Container[int]) -> Batch:
    """Combine writes into a batch; of several heads, or several rows of one game, the last one counts.

    ``due`` are tables whose time of last use has to be updated.
    """
    changes: dict[int, tuple[int | None, str | None, bool | None]] = {}
    games: dict[tuple[int, int], tuple[object, ...]] = {}
    for write in writes:
        if write.head is not None or write.listed is not None or write.table in due:
            number, head, listed = changes.get(write.table, (None, None, None))
            if write.head is not None:
                number, head = write.number, write.head
            if write.listed is not None:
                listed = write.listed
            changes[write.table] = number, head, listed
        if (game := write.game) is not None:
            row = (game.first, game.last, game.header, game.result, game.ended, game.public)
            games[write.table, game.game] = row
    return Batch(
        lines=_to_json((write.table, write.number, write.body) for write in writes),
        changes=_to_json((table, *change) for table, change in changes.items()),
        games=_to_json((*key, *row) for key, row in games.items()),
        last={write.table: write.number for write in writes},
    )


def check_writes(writes: Iterable[Write]) -> None:
    """Refuse texts that a database could not return unchanged."""
    for write in writes:
        check_text(write.body)
        if write.head is not None:
            check_text(write.head)
        if write.game is not None:
            check_text(write.game.header)
            check_text(write.game.result or "")


def check_text(text: str) -> None:
    """Refuse a text that is not valid Unicode, or contains a NUL, which PostgreSQL can not store."""
    if not is_text(text):
        raise StoreError("A text with a NUL or half a surrogate pair in it can not be stored.")


def is_text(text: str) -> bool:
    """Can both databases store this text?"""
    if "\0" in text:
        return False
    try:
        return text.isascii() or bool(text.encode())
    except UnicodeEncodeError:
        return False


def repeated(writes: Iterable[Write]) -> set[int]:
    """Tables that have two lines with the same number in these writes."""
    times = Counter((write.table, write.number) for write in writes)
    return {table for (table, _), count in times.items() if count > 1}


def _to_json(rows: Iterable[tuple[object, ...]]) -> str:
    return json.dumps(list(rows), ensure_ascii=False)
