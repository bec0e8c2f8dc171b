"""Adds many rows to a table by the driver's own executemany.

SQLAlchemy would go through every value of every row, though rows hold what the driver takes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from sqlalchemy import Connection, Table, bindparam
from sqlalchemy.dialects import sqlite

from memctl.store.rows import Row


def insert_rows(connection: Connection, table: Table, rows: Sequence[Row]) -> None:
    """Adds rows, one or more, which all have the same columns."""
    text, names = _statement(table, tuple(rows[0]))
    connection.exec_driver_sql(text, [tuple([row[name] for name in names]) for row in rows])


@cache
def _statement(table: Table, columns: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """The statement that adds a row of those columns, and the columns in its parameters' order."""
    insertion = table.insert().values({name: bindparam(name) for name in columns})
    compiled = insertion.compile(dialect=sqlite.dialect(paramstyle="qmark"))
    return str(compiled), tuple(compiled.positiontup or ())
