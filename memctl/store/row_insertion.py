"""Adds many rows to a table by the driver's own executemany.

SQLAlchemy would go through every value of every row, though rows hold what the driver takes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from sqlalchemy import Connection, Table, bindparam

from memctl.store.rows import Row
from memctl.store.sqlite_text import positional_text


def insert_rows(connection: Connection, table: Table, rows: Sequence[Row]) -> None:
    """Adds rows, one or more, which all have the same columns."""
    text, names = _statement(table, tuple(rows[0]))
    connection.exec_driver_sql(text, [tuple([row[name] for name in names]) for row in rows])


@cache
def _statement(table: Table, columns: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """The statement that adds a row of those columns, and the columns in its parameters' order."""
    return positional_text(table.insert().values({name: bindparam(name) for name in columns}))
