"""Rows that cannot be read, and what puts them right: what the journal last recorded of them.

A row whose key cannot be read is the one that the journal knows and the table does not have. A
column that never comes into the journal, such as the count of accesses, gets the value that a new
row has. What is not certain is left as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Delete,
    LargeBinary,
    RowMapping,
    Table,
    Update,
    cast,
    literal_column,
    select,
)

from memctl.memory import EntryKind
from memctl.store.document_rows import DOCUMENT_READINGS, MESSAGE_READINGS
from memctl.store.journal import WriteTransaction, key_columns, row_key
from memctl.store.journal_reads import CHANGE_READINGS, OPERATION_READINGS
from memctl.store.outbox_rows import OUTBOX_READINGS
from memctl.store.readings import (
    Reading,
    Readings,
    damaged_columns,
    optional,
    read_json_object,
    read_number,
    read_text,
    read_truth,
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
    uncompared,
)
from memctl.store.undecodable import undecodable_as_bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kind:
    """A table as it is checked. ``readings`` are those of columns that take less than their type
    does; ``defaults`` are values that a new row has in columns that the journal does not know, and
    ``unrecorded`` the columns that also change without it. With rows of a ``derived`` table nothing
    is lost that anybody has said."""

    name: str
    table: Table
    readings: Readings = field(default_factory=dict)
    derived: bool = False
    defaults: Mapping[str, object] = field(default_factory=dict)
    unrecorded: frozenset[str] = frozenset()

    def all_readings(self) -> Readings:
        """How every column is read."""
        return {
            column.name: self.readings.get(column.name, _typed_reading(column))
            for column in self.table.columns
        }


_TYPE_READINGS: Mapping[type, Reading] = {
    str: read_text,
    int: read_whole_number,
    float: read_number,
    bool: read_truth,
}


def _typed_reading(column: Column[Any]) -> Reading:
    """Takes any value of the column's type."""
    reading = _TYPE_READINGS[column.type.python_type]
    return optional(reading) if column.nullable else reading


_KINDS = (
    _Kind(
        name="memory",
        table=memories,
        readings=MEMORY_READINGS,
        defaults={"access_count": 0},
        unrecorded=frozenset({"access_count", "last_accessed_at"}),
    ),
    _Kind(name="tag of a memory", table=memory_tags),
    _Kind(name="fact", table=meta),
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
    _Kind(name="centrality", table=centrality, derived=True),
    _Kind(name="outbox row", table=outbox, readings=OUTBOX_READINGS, derived=True),
    _Kind(name="mark of a memory to compare", table=uncompared, derived=True),
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
    def is_of_journal(self) -> bool:
        """Whether it only says what an operation has done."""
        return self.table in {operations, operation_changes}

    def __str__(self) -> str:
        """Which row it is, and what is wrong with it."""
        wrong = ", ".join(f"{column} is {self.row[column]!r}" for column in self.columns)
        return f"{self.name} {_shown_key(self.table, self.row)}: {wrong}"


def damaged_rows(connection: Connection) -> list[DamagedRow]:
    """All of the store, table by table."""
    with undecodable_as_bytes(connection):
        return [row for kind in _KINDS for row in _damaged_of(connection, kind)]


def _damaged_of(connection: Connection, kind: _Kind) -> Iterator[DamagedRow]:
    readings = kind.all_readings()
    for row in _raw_rows(connection, kind.table):
        columns = damaged_columns(row, readings)
        if columns:
            yield _damaged_row(connection, kind, dict(row), columns)


def _raw_rows(connection: Connection, table: Table) -> Iterable[RowMapping]:
    """All rows with their values as they stand there: SQLAlchemy would make a truth value of
    anything."""
    return connection.execute(select(literal_column("*")).select_from(table)).mappings()


def repair_damaged_rows(writes: WriteTransaction) -> int:
    """Puts right what can be; gives how many rows. Not by way of the journal: the rows become what
    it says that they are, and what stood there instead is nothing to bring back."""
    found = [one for one in damaged_rows(writes.connection) if one.is_repairable]
    for damaged in found:
        writes.connection.execute(_repair(damaged))
        if damaged.table in _INDEXED:
            kind, repaired = _INDEXED[damaged.table], damaged.mended or damaged.row
            writes.mark_dirty(kind, [repaired["id"]], text_changed=True)
    return len(found)


_INDEXED = {memories: EntryKind.MEMORY, chunks: EntryKind.CHUNK}
"""Of which rows the search index shows something."""


def _repair(damaged: DamagedRow) -> Update | Delete:
    table, mended = damaged.table, damaged.mended
    conditions = [_stands_in(table.c[name], damaged.row[name]) for name in key_columns(table)]
    if mended is None:
        return table.delete().where(*conditions)
    return (
        table.update().where(*conditions).values({name: mended[name] for name in damaged.columns})
    )


def _stands_in(column: Column[Any], value: object) -> ColumnElement[bool]:
    """Whether a column holds a value, which may be the bytes of a text that is no UTF-8."""
    return (cast(column, LargeBinary) if isinstance(value, bytes) else column) == value


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
    has_key = not any(name in columns for name in key_columns(kind.table))
    recorded = _recorded(connection, kind.table, row) if has_key else _lost(connection, kind, row)
    known = {**kind.defaults, **recorded}
    mended = {**row, **{column: known[column] for column in columns if column in known}}
    return None if damaged_columns(mended, kind.all_readings()) else mended


def _lost(connection: Connection, kind: _Kind, row: Row) -> Row:
    """What the journal says of the one row that the table does not have and that agrees with all
    that can be read of this one, whose key cannot. Empty where that may be another row, or this one
    may be the one of another key."""
    rows = list(_raw_rows(connection, kind.table))
    known = {_shown_key(kind.table, one) for one in rows}
    of_table = operation_changes.c.table_name == kind.table.name
    statement = select(operation_changes).where(of_table).order_by(operation_changes.c.id)
    states: dict[str, Row] = {}
    for entry in connection.execute(statement).mappings():
        if entry["row_key"] in known or damaged_columns(entry, CHANGE_READINGS):
            continue
        states[entry["row_key"]] = _after_entry(kind.table, states.get(entry["row_key"], {}), entry)
    found = [state for state in states.values() if state and _agrees(kind, row, state)]
    is_certain = len(found) == 1 and sum(_agrees(kind, one, found[0]) for one in rows) == 1
    return found[0] if is_certain else {}


def _agrees(kind: _Kind, row: Row | RowMapping, state: Row) -> bool:
    """Whether a row may be the one of that state, as far as both tell."""
    unreadable = damaged_columns(row, kind.all_readings())
    return all(
        value is None or name in unreadable or name in kind.unrecorded or row[name] == value
        for name, value in state.items()
    )


def _shown_key(table: Table, row: Row | RowMapping) -> str:
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
        recorded = _after_entry(table, recorded, entry)
    return recorded


def _after_entry(table: Table, recorded: Row, entry: RowMapping) -> Row:
    """What is recorded of a row once an entry of the journal is added; empty of a removed one."""
    before, after = (
        None if entry[name] is None else read_json_object(entry[name])
        for name in ("row_before", "row_after")
    )
    return {} if after is None else {**recorded, **_after_change(table, before, after)}


def _after_change(table: Table, before: Mapping[str, Any] | None, after: Mapping[str, Any]) -> Row:
    """The columns that a change set; those without a value are left out of what is recorded."""
    if before is None:
        return {**{column.name: None for column in table.columns}, **after}
    return {column: after.get(column) for column in {**before, **after}}
