"""How much of everything a store holds."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, Table, false, func, select

from memctl.document import DocumentStatus, Usage
from memctl.memory import MemoryType
from memctl.store.outbox_rows import count_queue
from memctl.store.readings import read_value
from memctl.store.schema import associations, chunks, documents, memories
from memctl.store.where import Visibility, visible


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreCounts:
    """``visible`` memories are those that are not forgotten, and what the search index holds: the
    ``live`` ones, the ``superseded`` ones, and those that are ``expired`` and not superseded.
    ``by_type`` counts the live ones. ``pending`` ids are not in the index yet, ``waiting`` ones are
    but lack their vector. ``usage`` is what extraction has cost in all, calls apart."""

    visible: int
    live: int
    by_type: dict[MemoryType, int]
    forgotten: int
    superseded: int
    expired: int
    associations: int
    documents: dict[DocumentStatus, int]
    usage: Usage
    chunks: int
    pending: int
    waiting: int


def count_store(connection: Connection, now: datetime) -> StoreCounts:
    """All counts of one moment. ``chunks`` are those that their documents still have."""
    is_visible = memories.c.forgotten == false()
    by_type = (
        select(memories.c.memory_type, func.count())
        .where(visible(Visibility(now=now)))
        .group_by(memories.c.memory_type)
    )
    types = {
        read_value("a memory", "memory_type", name, MemoryType): count
        for name, count in connection.execute(by_type)
    }
    visible_count, live = _count(connection, memories, is_visible), sum(types.values())
    superseded = _count(connection, memories, is_visible & memories.c.superseded_by.is_not(None))
    by_status = select(documents.c.status, func.count()).group_by(documents.c.status)
    queue = count_queue(connection)
    statuses = {
        read_value("a document", "status", name, DocumentStatus): count
        for name, count in connection.execute(by_status)
    }
    return StoreCounts(
        visible=visible_count,
        live=live,
        by_type={kind: types[kind] for kind in MemoryType if kind in types},
        forgotten=_count(connection, memories) - visible_count,
        superseded=superseded,
        expired=visible_count - live - superseded,
        associations=_count(connection, associations),
        documents={status: statuses[status] for status in DocumentStatus if status in statuses},
        usage=_usage(connection),
        chunks=_count(connection, chunks, chunks.c.retired.is_(False)),
        pending=queue.undrained,
        waiting=queue.waiting,
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
