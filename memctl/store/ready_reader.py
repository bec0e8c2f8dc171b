"""Runs the statements of ``ready_sql`` on a connection of Python's own driver.

SQLAlchemy takes several times as long to run a statement as SQLite does to answer it.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence

from memctl.store.reads import Row
from memctl.store.ready_sql import READY_SQL


class ReadyReader:
    """Reads in the transaction of a connection, if it has one."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def rows(self, name: str, values: Mapping[str, object]) -> Sequence[Row]:
        """See ``reads.Reader``."""
        text, fixed = READY_SQL[name]
        return self.run(text, {**fixed, **values})

    def run(self, text: str, values: Mapping[str, object]) -> Sequence[Row]:
        """The rows of a statement; lists among the values go as JSON."""
        given = {
            key: json.dumps(value) if isinstance(value, list) else value
            for key, value in values.items()
        }
        cursor = self._connection.cursor()
        found = cursor.execute(text, given).fetchall()
        names = [column[0] for column in cursor.description or ()]
        return [dict(zip(names, row, strict=True)) for row in found]
