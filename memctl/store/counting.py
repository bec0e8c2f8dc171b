"""How much of everything a store holds."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, Table, false, func, select

from memctl.memory import DocumentStatus, MemoryType, Usage
from memctl.store.outbox_rows import count_rows, count_waiting
from memctl.store.schema import associations, chunks, documents, memories


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreCounts:
    """``visible`` memories are those that are not forgotten, the superseded among them; they are
    what the search index holds. ``pending`` ids are not in the index yet, ``waiting`` ones are but
    lack their vector. ``usage`` is what extraction has cost in all, calls apart."""

    visible: int
    by_type: dict[MemoryType, int]
    forgotten: int
    superseded: int
    associations: int
    documents: dict[DocumentStatus, int]
    usage: Usage
    chunks: int
    pending: int
    waiting: int


def count_store(connection: Connection) -> StoreCounts:
    """All counts of one moment. ``by_type`` and ``superseded`` count visible memories, ``chunks``
    those that their documents still have."""
    is_visible = memories.c.forgotten == false()
    by_type = (
        select(memories.c.memory_type, func.count())
        .where(is_visible)
        .group_by(memories.c.memory_type)
    )
    types = {MemoryType(name): count for name, count in connection.execute(by_type)}
    by_status = select(documents.c.status, func.count()).group_by(documents.c.status)
    statuses = {DocumentStatus(name): count for name, count in connection.execute(by_status)}
    return StoreCounts(
        visible=sum(types.values()),
        by_type={kind: types[kind] for kind in MemoryType if kind in types},
        forgotten=_count(connection, memories) - sum(types.values()),
        superseded=_count(connection, memories, is_visible & memories.c.superseded_by.is_not(None)),
        associations=_count(connection, associations),
        documents={status: statuses[status] for status in DocumentStatus if status in statuses},
        usage=_usage(connection),
        chunks=_count(connection, chunks, chunks.c.retired.is_(False)),
        pending=count_rows(connection),
        waiting=count_waiting(connection),
    )


def _usage(connection: Connection) -> Usage:
    columns = (documents.c.input_tokens, documents.c.output_tokens, documents.c.cost_usd)
    row = connection.execute(select(*(func.sum(column) for column in columns))).one()
    return Usage(
        input_tokens=int(row[0] or 0), output_tokens=int(row[1] or 0), cost_usd=float(row[2] or 0.0)
    )


def _count(
    connection: Connection, table: Table, condition: ColumnElement[bool] | None = None
) -> int:
    statement = select(func.count()).select_from(table)
    if condition is not None:
        statement = statement.where(condition)
    return int(connection.scalar(statement) or 0)
