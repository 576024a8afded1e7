"""The schema of a store, as numbered steps from an empty database to the newest version.

A step that has been released is never changed; a later change is a step of its own. ``{id}`` is filled in with the
dialect of the database.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from typing import Any

from tafelrunde.store.errors import StoreError
from tafelrunde.store.rows import Epoch

# Ids of tables are never reused: an id that somebody still holds must not lead to another table. A head may be long; as
# the last column it does not slow down reading the others.
FIRST = (
    """
    CREATE TABLE tables (
        id {id},
        code TEXT NOT NULL UNIQUE,
        number INTEGER NOT NULL,
        listed BOOLEAN NOT NULL,
        touched BIGINT NOT NULL,
        head TEXT NOT NULL
    )
    """,
    "CREATE INDEX tables_touched ON tables (touched)",
    "CREATE INDEX tables_listed ON tables (touched) WHERE listed",
    """
    CREATE TABLE lines (
        table_id BIGINT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (table_id, number)
    )
    """,
    """
    CREATE TABLE games (
        table_id BIGINT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
        game INTEGER NOT NULL,
        first INTEGER NOT NULL,
        last INTEGER,
        header TEXT NOT NULL,
        result TEXT,
        ended BIGINT,
        PRIMARY KEY (table_id, game)
    )
    """,
)

# Public games, for a list of the latest. Players of earlier games were not asked, so these are not public.
PUBLIC_GAMES = (
    "ALTER TABLE games ADD COLUMN public BOOLEAN NOT NULL DEFAULT FALSE",
    "CREATE INDEX games_public ON games (ended) WHERE public",
)

# An epoch lasts from the first process that opens the store until no process has it open. Each line has the epoch in
# which it was written, so that the store can tell its original lines from lines that were written in their place after
# a backup was restored.
EPOCHS = (
    "CREATE TABLE epochs (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)",
    "ALTER TABLE lines ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0",
)

STEPS = (FIRST, PUBLIC_GAMES, EPOCHS)

Execute = Callable[..., list[tuple[Any, ...]]]


def begin_epoch(execute: Execute) -> Epoch:
    """Begin the next epoch; inside a transaction, and only if no other process has the store open."""
    [(last,)] = execute("SELECT coalesce(max(number), 0) FROM epochs")
    epoch = Epoch(last + 1, secrets.token_urlsafe(12))
    execute("INSERT INTO epochs (number, name) VALUES (?, ?)", *epoch)
    return epoch


def current_epoch(execute: Execute) -> Epoch:
    """The epoch of the processes that have the store open."""
    [epoch] = execute("SELECT number, name FROM epochs ORDER BY number DESC LIMIT 1")
    return Epoch(*epoch)


def upgrade(execute: Execute, dialect: Mapping[str, str]) -> None:
    """Run the steps that the database does not have yet; ``execute`` runs a statement inside one transaction."""
    execute("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)")
    version = execute("SELECT coalesce(max(version), 0) FROM schema_version")[0][0]
    if version > len(STEPS):
        raise StoreError(
            f"The store has been written by a newer Tafelrunde: its schema is version {version}, "
            f"this program knows versions up to {len(STEPS)}."
        )
    for number, step in enumerate(STEPS[version:], version + 1):
        for statement in step:
            execute(statement.format_map(dialect))
        execute("INSERT INTO schema_version (version) VALUES (?)", number)
