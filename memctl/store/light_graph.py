"""The reads of light commands through the standard library alone: loading SQLAlchemy would take
several times as long as all that they do.

The statements are SQLAlchemy's own (``ready_sql``), and what is made of their rows stands in
``reads``, so that an answer is the same either way. A store that needs anything but reading (to be
made, migrated, or given other modes) is left to ``database``.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from pathlib import Path

from memctl.errors import LockedError, ReadOnlyStoreError
from memctl.memory import (
    Association,
    Citation,
    Memory,
    MemoryFilter,
    MemorySort,
    Passage,
    RelationType,
    StoredPassage,
)
from memctl.store import reads
from memctl.store.filter_values import filter_values
from memctl.store.reads import Neighbour, Row
from memctl.store.ready_reader import ReadyReader
from memctl.store.ready_sql import READY_CONDITIONS, READY_SQL, SCHEMA_VERSION
from memctl.store.rows import instant_to_text
from memctl.store.sqlite_errors import translate_sqlite_error

PRIVATE_MASK = 0o077

ACCESS_WAIT_SECONDS = 0.5
"""How long counting accesses waits for another writer: about one bulk transaction's end."""

_READY = """
SELECT value FROM meta
WHERE key = 'schema_version' AND json_valid('[]')
AND (SELECT journal_mode FROM pragma_journal_mode) = 'wal'
"""


class LightGraph:
    """Lists and single memories of an open store; ``close`` it at the end."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._reader = ReadyReader(connection)
        self._path = path

    @classmethod
    def open(cls, path: Path, *, wait_seconds: float) -> LightGraph | None:
        """The store whose database lies at ``path``; None for one that is not ready to be read."""
        try:
            found = path.stat()
            if found.st_mode & PRIVATE_MASK or not os.access(path.parent, os.W_OK):
                return None
            connection = sqlite3.connect(
                f"{path.absolute().as_uri()}?mode=rw",
                uri=True,
                timeout=wait_seconds,
                isolation_level=None,
            )
        except (OSError, sqlite3.Error):
            return None
        try:
            row = connection.execute(_READY).fetchone()
        except sqlite3.Error:
            row = None
        if row is None or row[0] != str(SCHEMA_VERSION):
            connection.close()
            return None
        return cls(connection, path)

    def _filtered_rows(
        self, name: str, values: Mapping[str, object], memory_filter: MemoryFilter | None
    ) -> Sequence[Row]:
        """The rows of a statement that has a place for a filter."""
        text, fixed = READY_SQL[name]
        conditions, all_values = [], dict(values)
        for part, given in filter_values(memory_filter).items():
            sql, always = READY_CONDITIONS[part]
            conditions.append(f"({sql})")
            all_values |= {**always, **given}
        condition = " AND ".join(conditions) or "true"
        return self._reader.run((text.replace(reads.FILTER_PLACE, condition), fixed), all_values)

    def memories(self, ids: Iterable[str]) -> dict[str, Memory]:
        """See ``Graph``."""
        with self._reading():
            return reads.memories_by_id(self._reader, ids)

    def resolve(self, prefix: str, *, include_forgotten: bool = False) -> str:
        """See ``Graph``."""
        with self._reading():
            return reads.resolve(self._reader, prefix, include_forgotten=include_forgotten)

    def memories_of_passage(self, chunk_id: str) -> list[str]:
        """See ``Graph``."""
        with self._reading():
            return reads.memories_of_passage(self._reader, chunk_id)

    def find_passage(self, prefix: str) -> StoredPassage | None:
        """See ``Graph``."""
        with self._reading():
            return reads.find_passage(self._reader, prefix)

    def list_memories(
        self,
        memory_filter: MemoryFilter | None = None,
        *,
        sort: MemorySort = MemorySort.RECENT,
        reverse: bool = False,
        limit: int | None = None,
        offset: int = 0,
        only_forgotten: bool = False,
        include_superseded: bool = False,
        now: datetime,
    ) -> list[Memory]:
        """See ``Graph``."""
        seen = reads.visibility_name(
            only_forgotten=only_forgotten, include_superseded=include_superseded
        )
        values = {
            "now": instant_to_text(now),
            "limit": -1 if limit is None else limit,
            "offset": offset,
        }
        with self._reading():
            name = reads.list_name(sort, seen, reverse=reverse)
            rows = self._filtered_rows(name, values, memory_filter)
            return reads.memories_of_rows(self._reader, rows)

    def count_memories(
        self,
        memory_filter: MemoryFilter | None = None,
        *,
        only_forgotten: bool = False,
        include_superseded: bool = False,
        now: datetime,
    ) -> int:
        """See ``Graph``."""
        seen = reads.visibility_name(
            only_forgotten=only_forgotten, include_superseded=include_superseded
        )
        with self._reading():
            values = {"now": instant_to_text(now)}
            [row] = self._filtered_rows(f"count {seen}", values, memory_filter)
        return int(row["count"])

    def associations_of(self, ids: Iterable[str]) -> list[Association]:
        """See ``Graph``."""
        with self._reading():
            return reads.associations_of(self._reader, ids)

    def neighbours(
        self,
        ids: Iterable[str],
        *,
        relation_types: Sequence[RelationType] | None = None,
        minimum_weight: float = 0.0,
    ) -> list[Neighbour]:
        """See ``Graph``."""
        with self._reading():
            return reads.neighbours(self._reader, ids, relation_types, minimum_weight)

    def history(self, memory_id: str) -> list[Memory]:
        """See ``Graph``."""
        with self._reading():
            return reads.history(self._reader, memory_id)

    def passages(self, memory_ids: Iterable[str]) -> dict[str, list[Passage]]:
        """See ``Graph``."""
        with self._reading():
            return reads.passages(self._reader, memory_ids)

    def citations(self, memory_ids: Iterable[str]) -> dict[str, Citation]:
        """See ``Graph``."""
        with self._reading():
            return reads.citations(self._reader, memory_ids)

    def known_values(self, name: str) -> list[str]:
        """See ``Graph``."""
        with self._reading():
            return reads.known_values(self._reader, name)

    def document_paths(self) -> set[str]:
        """The paths of all documents, whatever became of them."""
        with self._reading():
            return {row["path"] for row in self._reader.rows("document paths", {})}

    def record_accesses(self, ids: Sequence[str], now: datetime) -> bool:
        """See ``MemoryStore``."""
        values = {"ids": list(ids), "now": instant_to_text(now)}
        try:
            self._connection.execute(f"PRAGMA busy_timeout = {round(ACCESS_WAIT_SECONDS * 1000)}")
            with self._transaction("BEGIN IMMEDIATE"):
                self._reader.rows("count accesses", values)
        except (LockedError, ReadOnlyStoreError):
            return False
        return True

    def close(self) -> None:
        """Lets go of the store."""
        self._connection.close()

    def _reading(self) -> AbstractContextManager[None]:
        """One state of the store throughout."""
        return self._transaction("BEGIN")

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[None]:
        """Errors in it are those of the store, and take back what it did."""
        try:
            self._connection.execute(begin)
            try:
                yield
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            ours = translate_sqlite_error(error, self._path, waited_seconds=0)
            if ours is None:
                raise
            raise ours from error
