"""Rows that cannot be read, and what puts them right: what the journal last recorded of them.

A column that never comes into the journal, such as the count of accesses, gets the value that a new
row has. What is not certain is left as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Delete, Table, Update, select

from memctl.memory import EntryKind
from memctl.store.document_rows import DOCUMENT_READINGS, MESSAGE_READINGS
from memctl.store.journal import WriteTransaction, key_columns, row_key
from memctl.store.journal_reads import CHANGE_READINGS, OPERATION_READINGS
from memctl.store.outbox_rows import OUTBOX_READINGS
from memctl.store.readings import (
    Readings,
    damaged_columns,
    read_json_object,
    read_number,
    read_text,
    read_whole_number,
)
from memctl.store.rows import (
    ASSOCIATION_READINGS,
    CHUNK_READINGS,
    MEMORY_READINGS,
    PLACE_READINGS,
    Row,
    to_json,
)
from memctl.store.schema import (
    associations,
    centrality,
    chunks,
    documents,
    memories,
    memory_chunks,
    memory_tags,
    messages,
    meta,
    operation_changes,
    operations,
    outbox,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kind:
    """A table as it is checked. Rows of a ``derived`` one are made again when they are gone;
    ``defaults`` are values that a new row has in columns that the journal does not know."""

    name: str
    table: Table
    readings: Readings
    derived: bool = False
    defaults: Mapping[str, object] = field(default_factory=dict)


_KINDS = (
    _Kind(name="memory", table=memories, readings=MEMORY_READINGS, defaults={"access_count": 0}),
    _Kind(
        name="tag of a memory",
        table=memory_tags,
        readings={"memory_id": read_text, "tag": read_text},
    ),
    _Kind(name="fact", table=meta, readings={"key": read_text, "value": read_text}),
    _Kind(name="association", table=associations, readings=ASSOCIATION_READINGS),
    _Kind(
        name="place of a memory",
        table=memory_chunks,
        readings=PLACE_READINGS,
        defaults=dict.fromkeys(PLACE_READINGS),
    ),
    _Kind(name="document", table=documents, readings=DOCUMENT_READINGS),
    _Kind(name="passage", table=chunks, readings=CHUNK_READINGS, defaults={"heading_path": "[]"}),
    _Kind(name="message", table=messages, readings=MESSAGE_READINGS),
    _Kind(
        name="centrality",
        table=centrality,
        readings={"degree": read_whole_number, "weight": read_number},
        derived=True,
    ),
    _Kind(name="outbox row", table=outbox, readings=OUTBOX_READINGS, derived=True),
    _Kind(name="operation", table=operations, readings=OPERATION_READINGS),
    _Kind(name="journal entry", table=operation_changes, readings=CHANGE_READINGS),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DamagedRow:
    """A row that cannot be read, because of what stands in ``columns``.

    ``mended`` is the row as it can be put right, None where nothing certain is known, or where it
    is ``derived`` and can go.
    """

    name: str
    table: Table
    row: Row
    columns: tuple[str, ...]
    derived: bool
    mended: Row | None

    @property
    def is_repairable(self) -> bool:
        return self.derived or self.mended is not None

    @property
    def is_change(self) -> bool:
        """Whether it only says what an operation has changed."""
        return self.table is operation_changes

    def __str__(self) -> str:
        """Which row it is, and what is wrong with it."""
        wrong = ", ".join(f"{column} is {self.row[column]!r}" for column in self.columns)
        return f"{self.name} {_shown_key(self.table, self.row)}: {wrong}"


def damaged_rows(connection: Connection) -> list[DamagedRow]:
    """All of the store, table by table."""
    with _undecodable_as_bytes(connection):
        return [
            _damaged_row(connection, kind, dict(row), columns)
            for kind in _KINDS
            for row in connection.execute(select(kind.table)).mappings()
            if (columns := damaged_columns(row, kind.readings))
        ]


@contextmanager
def _undecodable_as_bytes(connection: Connection) -> Iterator[None]:
    """Lets text that is no UTF-8 be read as bytes, where the driver would refuse the whole row."""
    driver: Any = connection.connection.driver_connection
    before = driver.text_factory
    driver.text_factory = _text_or_bytes
    try:
        yield
    finally:
        driver.text_factory = before


def repair_damaged_rows(writes: WriteTransaction) -> int:
    """Puts right what can be; gives how many rows. Not by way of the journal: the rows become what
    it says that they are, and what stood there instead is nothing to bring back."""
    found = [one for one in damaged_rows(writes.connection) if one.is_repairable]
    for damaged in found:
        writes.connection.execute(_repair(damaged))
        if damaged.table in _INDEXED:
            kind = _INDEXED[damaged.table]
            writes.mark_dirty(kind, [damaged.row["id"]], text_changed=True)
    return len(found)


def _text_or_bytes(data: bytes) -> str | bytes:
    """Bytes that are no UTF-8 stay bytes, which no reading takes for text."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data


_INDEXED = {memories: EntryKind.MEMORY, chunks: EntryKind.CHUNK}
"""Of which rows the search index shows something."""


def _repair(damaged: DamagedRow) -> Update | Delete:
    table, mended = damaged.table, damaged.mended
    conditions = [table.c[name] == damaged.row[name] for name in key_columns(table)]
    if mended is None:
        return table.delete().where(*conditions)
    return (
        table.update().where(*conditions).values({name: mended[name] for name in damaged.columns})
    )


def _damaged_row(connection: Connection, kind: _Kind, row: Row, columns: list[str]) -> DamagedRow:
    return DamagedRow(
        name=kind.name,
        table=kind.table,
        row=row,
        columns=tuple(columns),
        derived=kind.derived,
        mended=None if kind.derived else _mended(connection, kind, row, columns),
    )


def _mended(connection: Connection, kind: _Kind, row: Row, columns: list[str]) -> Row | None:
    if kind.table is operations and columns == ["arguments"]:
        return {**row, "arguments": to_json({"unreadable": str(row["arguments"])})}
    if any(name in columns for name in key_columns(kind.table)):
        return None
    known = {**kind.defaults, **_recorded(connection, kind.table, row)}
    mended = {**row, **{column: known[column] for column in columns if column in known}}
    return None if damaged_columns(mended, kind.readings) else mended


def _shown_key(table: Table, row: Row) -> str:
    """What names the row, also where that is no text."""
    shown = {
        name: repr(row[name]) if isinstance(row[name], bytes) else row[name]
        for name in key_columns(table)
    }
    return row_key(table, shown)


def _recorded(connection: Connection, table: Table, row: Row) -> Row:
    """What the journal says that stands in the row's columns now, as far as it tells. Empty where
    one of the row's entries cannot be read itself."""
    statement = (
        select(operation_changes)
        .where(
            operation_changes.c.row_key == row_key(table, row),
            operation_changes.c.table_name == table.name,
        )
        .order_by(operation_changes.c.id)
    )
    recorded: Row = {}
    for entry in connection.execute(statement).mappings():
        if damaged_columns(entry, CHANGE_READINGS):
            return {}
        before, after = (
            None if entry[name] is None else read_json_object(entry[name])
            for name in ("row_before", "row_after")
        )
        recorded |= _after_change(table, before, after)
    return recorded


def _after_change(
    table: Table, before: Mapping[str, Any] | None, after: Mapping[str, Any] | None
) -> Row:
    """The columns that a change set; those without a value are left out of what is recorded."""
    if after is None:
        return {}
    if before is None:
        return {**{column.name: None for column in table.columns}, **after}
    return {column: after.get(column) for column in {**before, **after}}
