"""Puts another database's content in the place of this one's, in one transaction.

The file stays the same one: processes that have it open see the old content or the new one, never
a mixture, and never a file that was exchanged below them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator

from memctl.store.schema import metadata

_SOURCE = "replacement"


def replace_content(
    connection: sqlite3.Connection, source_uri: str, before_commit: Callable[[], None]
) -> None:
    """Takes over all rows of the database at ``source_uri``, which has the same tables.

    ``connection`` is in no transaction and commits none of its own. ``before_commit`` runs while
    nobody else can write and what was committed before can still be read.
    """
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute(f"ATTACH ? AS {_SOURCE}", (source_uri,))
    connection.execute("BEGIN IMMEDIATE")
    try:
        before_commit()
        for statement in _statements():
            connection.execute(statement)
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _statements() -> Iterator[str]:
    # The numbers that were given out come last: inserting rows moves them.
    columns_by_table = {
        **{name: list(table.columns.keys()) for name, table in metadata.tables.items()},
        "sqlite_sequence": ["name", "seq"],
    }
    for table, names in columns_by_table.items():
        columns = ", ".join(f'"{name}"' for name in names)
        yield f'DELETE FROM main."{table}"'  # noqa: S608 - names of our own
        yield (
            f'INSERT INTO main."{table}" ({columns}) '  # noqa: S608 - names of our own
            f'SELECT {columns} FROM {_SOURCE}."{table}"'
        )
