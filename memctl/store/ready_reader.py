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
        return self.run(READY_SQL[name], values)

    def run(
        self, statement: tuple[str, Mapping[str, object]], values: Mapping[str, object]
    ) -> Sequence[Row]:
        """The rows of a statement, given as its text and the values that are always the same;
        lists among the values go as JSON."""
        text, fixed = statement
        given = {
            key: json.dumps(value) if isinstance(value, list) else value
            for key, value in {**fixed, **values}.items()
        }
        found = self._connection.execute(text, given)
        names = [column[0] for column in found.description or ()]
        return [dict(zip(names, row, strict=True)) for row in found]
