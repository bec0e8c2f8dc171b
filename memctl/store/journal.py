"""One write transaction: every row that it changes goes through here.

So no row changes without its place in the journal (of a changed row, the columns that changed,
before and after), and no memory or chunk changes in a way that the search index shows without its
row in the outbox. The three commit together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache

from sqlalchemy import Connection, Table, bindparam, func, select

from memctl.memory import EntryKind
from memctl.store.row_insertion import insert_rows
from memctl.store.rows import Row, instant_to_text, to_json
from memctl.store.schema import (
    chunks,
    memories,
    memory_tags,
    operation_changes,
    operations,
    outbox,
)

MakeId = Callable[[], str]
"""Gives an id that no row has."""

_INDEXED_COLUMNS = {
    EntryKind.MEMORY: frozenset(
        {
            "content", "memory_type", "channel_id", "session_id", "source", "origin", "event_at",
            "created_at", "forgotten",
        }
    ),
    EntryKind.CHUNK: frozenset({"content", "extracted", "retired"}),
}  # fmt: skip
"""What the search index shows of a row, or depends on."""

_KINDS = {memories.name: EntryKind.MEMORY, chunks.name: EntryKind.CHUNK}

_ROW_KEYS: dict[str, tuple[str, ...]] = {memories.name: ("id",)}
"""By what a row is known where that is not the primary key."""

_UNRECORDED_COLUMNS = {chunks.name: frozenset({"content"})}
"""Left out of the journal while the row is there: a chunk's text never changes and stays in its own
table. Of a row that goes away, everything is kept."""


def row_key(table: Table, row: Mapping[str, object]) -> str:
    """What names a row in the journal: its id, or its key columns as a JSON list."""
    names = key_columns(table)
    if len(names) == 1:
        return str(row[names[0]])
    return to_json([row[name] for name in names])


class WriteTransaction:
    """Changes rows and keeps account of it. ``now`` is the time of all its changes."""

    def __init__(self, connection: Connection, now: datetime) -> None:
        self.connection = connection
        self.now = now
        self._changes: list[Row] = []
        self._dirty: dict[tuple[EntryKind, str], bool] = {}
        self._created_memories: set[str] = set()
        self._is_noted = False

    @property
    def has_written(self) -> bool:
        return bool(self._changes)

    @property
    def created_memories(self) -> set[str]:
        """The ids of the memories that it has added so far."""
        return self._created_memories

    def insert(self, table: Table, rows: Sequence[Row]) -> None:
        """Adds rows, which all have the same columns."""
        if not rows:
            return
        insert_rows(self.connection, table, rows)
        for row in rows:
            self._record(table, row, None, row)
        if table is memories:
            self._created_memories.update(row["id"] for row in rows)
        self._mark_rows(table, rows, text_changed=True)

    def update(self, table: Table, pairs: Iterable[tuple[Row, Row]]) -> None:
        """Changes rows, given as (before, after) with the same columns; equal pairs are none."""
        by_columns: dict[tuple[str, ...], list[Row]] = {}
        keys = key_columns(table)
        for before, after in pairs:
            columns = tuple(name for name in before if before[name] != after[name])
            if not columns:
                continue
            values = {name: after[name] for name in columns}
            by_columns.setdefault(columns, []).append(
                values | {f"_{name}": before[name] for name in keys}
            )
            self._record(
                table,
                before,
                {name: before[name] for name in columns},
                {name: after[name] for name in columns},
            )
            kind = _KINDS.get(table.name)
            if kind is not None and _INDEXED_COLUMNS[kind].intersection(columns):
                self.mark_dirty(kind, [before["id"]], text_changed="content" in columns)
        for columns, parameters in by_columns.items():
            statement = table.update().values({name: bindparam(name) for name in columns})
            for name in keys:
                statement = statement.where(table.c[name] == bindparam(f"_{name}"))
            self.connection.execute(statement, parameters)

    def delete(self, table: Table, rows: Sequence[Row]) -> None:
        """Removes rows, given with all their columns."""
        if not rows:
            return
        keys = key_columns(table)
        statement = table.delete()
        for name in keys:
            statement = statement.where(table.c[name] == bindparam(f"_{name}"))
        self.connection.execute(
            statement, [{f"_{name}": row[name] for name in keys} for row in rows]
        )
        for row in rows:
            self._record(table, row, row, None)
        self._mark_rows(table, rows, text_changed=False)

    def mark_dirty(self, kind: EntryKind, ids: Iterable[str], *, text_changed: bool) -> None:
        """Says that the index may differ from the truth about these ids, once committed."""
        for entry_id in ids:
            marked = self._dirty.get((kind, entry_id), False)
            self._dirty[kind, entry_id] = marked or text_changed

    def note(self) -> None:
        """Lets the operation stand in the journal even if no change of it does."""
        self._is_noted = True

    def next_memory_sequence(self) -> int:
        """The next number in the order of memories; safe because only one transaction writes."""
        return int(self.connection.scalar(select(func.max(memories.c.sequence))) or 0) + 1

    def record(
        self, operation_id: int | None, *, command: str, arguments: str, started_at: datetime
    ) -> int | None:
        """Writes journal and outbox; the last act before the commit.

        Returns the operation's id: a new one where ``operation_id`` is None, and None where
        nothing has been written.
        """
        if self._changes or self._is_noted:
            operation_id = self._record_operation(operation_id, command, arguments, started_at)
        if self._changes:
            recorded = [{**change, "operation_id": operation_id} for change in self._changes]
            insert_rows(self.connection, operation_changes, recorded)
        if self._dirty:
            insert_rows(self.connection, outbox, self._outbox_rows())
        return operation_id

    def _record_operation(
        self, operation_id: int | None, command: str, arguments: str, started_at: datetime
    ) -> int:
        now = instant_to_text(self.now)
        if operation_id is not None:
            statement = operations.update().where(operations.c.id == operation_id)
            self.connection.execute(statement.values(finished_at=now))
            return operation_id
        row = {
            "command": command,
            "arguments": arguments,
            "started_at": instant_to_text(started_at),
            "finished_at": now,
        }
        created = operations.insert().values(row).returning(operations.c.id)
        return int(self.connection.execute(created).scalar_one())

    def _outbox_rows(self) -> list[Row]:
        return [
            {"kind": str(kind), "entry_id": entry_id, "text_changed": changed, "waiting": False}
            for (kind, entry_id), changed in self._dirty.items()
        ]

    def _record(self, table: Table, known: Row, before: Row | None, after: Row | None) -> None:
        unrecorded = _UNRECORDED_COLUMNS.get(table.name, frozenset()) if after else frozenset()
        self._changes.append(
            {
                "table_name": table.name,
                "row_key": row_key(table, known),
                "row_before": _recorded(before, unrecorded),
                "row_after": _recorded(after, unrecorded),
            }
        )

    def _mark_rows(self, table: Table, rows: Sequence[Row], *, text_changed: bool) -> None:
        if table is memory_tags:
            tagged = [row["memory_id"] for row in rows]
            self.mark_dirty(EntryKind.MEMORY, tagged, text_changed=False)
        elif table.name in _KINDS:
            ids = [row["id"] for row in rows]
            self.mark_dirty(_KINDS[table.name], ids, text_changed=text_changed)


@cache
def key_columns(table: Table) -> tuple[str, ...]:
    """The columns by which a row of the table is known."""
    default = tuple(column.name for column in table.primary_key.columns)
    return _ROW_KEYS.get(table.name, default)


def _recorded(row: Row | None, unrecorded: frozenset[str]) -> str | None:
    """The row as JSON; columns without a value are left out."""
    if row is None:
        return None
    return to_json(
        {name: value for name, value in row.items() if value is not None and name not in unrecorded}
    )
