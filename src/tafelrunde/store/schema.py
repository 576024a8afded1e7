"""The schema of a store, as numbered steps from an empty database to the newest version.

A step that has been released is never changed: what comes later is a step of its own. ``{id}`` is what the databases
spell differently.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tafelrunde.store.errors import StoreError

# Numbers of tables are never given again: who still holds one from before must not meet another table under it.
# A head may be long; as the last column it keeps none of the others from being read quickly.
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

# Games that everybody may be told of, the latest first. Of those from before nobody was asked.
PUBLIC_GAMES = (
    "ALTER TABLE games ADD COLUMN public BOOLEAN NOT NULL DEFAULT FALSE",
    "CREATE INDEX games_public ON games (ended) WHERE public",
)

STEPS = (FIRST, PUBLIC_GAMES)

Execute = Callable[..., list[tuple[Any, ...]]]


def upgrade(execute: Execute, words: Mapping[str, str]) -> None:
    """Take the steps that the database has not taken yet; ``execute`` runs a statement inside one transaction."""
    execute("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)")
    version = execute("SELECT coalesce(max(version), 0) FROM schema_version")[0][0]
    if version > len(STEPS):
        raise StoreError(
            f"The store has been written by a newer Tafelrunde: its schema is version {version}, "
            f"this program knows versions up to {len(STEPS)}."
        )
    for number, step in enumerate(STEPS[version:], version + 1):
        for statement in step:
            execute(statement.format_map(words))
        execute("INSERT INTO schema_version (version) VALUES (?)", number)
