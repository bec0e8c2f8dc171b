"""What can be wrong inside the database, and the repair of what hangs in the air.

Looking changes nothing. A repair goes through a write transaction, so it stands in the journal
like every other write.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, Table, and_, func, select

from memctl.content import hash_content
from memctl.document import DocumentStatus
from memctl.store.journal import WriteTransaction
from memctl.store.rows import instant_to_text
from memctl.store.schema import (
    associations,
    chunks,
    documents,
    memories,
    memory_chunks,
    memory_tags,
    messages,
    operation_changes,
    operations,
)
from memctl.store.truth import UNFINISHED_STATUSES
from memctl.store.undecodable import undecodable_as_bytes

MOST_PROBLEMS = 20
"""Of one kind that are reported: a damaged file has thousands."""

PARENTS: tuple[tuple[Table, str, Table], ...] = (
    (associations, "source_id", memories),
    (associations, "target_id", memories),
    (memory_tags, "memory_id", memories),
    (memory_chunks, "memory_id", memories),
    (memory_chunks, "chunk_id", chunks),
    (memories, "superseded_by", memories),
    (memories, "document_id", documents),
    (memories, "chunk_id", chunks),
    (chunks, "document_id", documents),
    (messages, "document_id", documents),
)
"""Which column of which table names a row of which other table. The repair goes from the last to
the first, so a table whose rows it removes stands behind those that name them."""

_CLEARED = frozenset({memories.name, messages.name})
"""Rows that lose the reference; those of the other tables mean nothing without their parent."""

BAD_DOCUMENT_STATUSES = (
    DocumentStatus.FAILED,
    DocumentStatus.QUARANTINED,
    DocumentStatus.UNREADABLE,
    DocumentStatus.ENCRYPTED,
)
"""Documents whose text never reached the store."""


def damaged_pages(connection: Connection) -> list[str]:
    """What SQLite's own check finds wrong with the file; empty when it is whole."""
    statement = f"PRAGMA integrity_check({MOST_PROBLEMS})"
    found = [str(row[0]) for row in connection.exec_driver_sql(statement)]
    return [] if found == ["ok"] else found


def dangling_references(connection: Connection) -> dict[str, int]:
    """By ``table.column``, how many rows name a row that there is not."""
    found = {}
    for table, column, _ in PARENTS:
        count = len(_dangling(connection, table, column))
        if count:
            found[f"{table.name}.{column}"] = count
    return found


def orphaned_changes(connection: Connection) -> int:
    """How many entries of the journal are of an operation that there is not."""
    known = select(operations.c.id)
    statement = select(func.count()).where(
        operation_changes.c.operation_id.not_in(known),
        func.typeof(operation_changes.c.operation_id) == "integer",
    )
    return connection.execute(statement).scalar_one()


def repair_dangling_references(writes: WriteTransaction) -> int:
    """Removes links without an end and clears references of memories; gives how many rows.

    Goes from the parents to the children, so that what a removed row leaves behind goes too.
    """
    count = 0
    for table, column, _ in reversed(PARENTS):
        rows = _dangling(writes.connection, table, column)
        if table.name in _CLEARED:
            writes.update(table, [(row, {**row, column: None}) for row in rows])
        else:
            writes.delete(table, rows)
        count += len(rows)
    return count


def repair_circles(writes: WriteTransaction) -> int:
    """Lets no memory of a circle of successors have one; gives how many there were."""
    statement = select(memories).where(memories.c.id.in_(circular_memories(writes.connection)))
    rows = [dict(row) for row in writes.connection.execute(statement).mappings()]
    writes.update(memories, [(row, {**row, "superseded_by": None}) for row in rows])
    return len(rows)


def changed_texts(connection: Connection) -> list[str]:
    """Ids of memories whose text is no longer the one that its hash was made of. What is no text at
    all is left to ``damaged_rows``."""
    rows = connection.execute(select(memories.c.id, memories.c.content, memories.c.content_hash))
    changed = [
        key
        for key, content, kept in rows
        if isinstance(content, str) and hash_content(content) != kept
    ]
    return changed[:MOST_PROBLEMS]


def has_unreadable_entries(connection: Connection) -> bool:
    """Whether the id of a memory or a passage cannot be read, so that nobody can tell which entries
    the search index ought to have."""
    return any(_has_unreadable_id(connection, table) for table in (memories, chunks))


def stranded_memories(connection: Connection) -> list[str]:
    """Ids of visible memories behind a hidden one: nothing visible stands in their place."""
    successor = memories.alias()
    statement = (
        select(memories.c.id)
        .join(successor, successor.c.id == memories.c.superseded_by)
        .where(memories.c.forgotten.is_(False), successor.c.forgotten.is_(True))
        .order_by(memories.c.id)
    )
    return list(connection.scalars(statement))


def circular_memories(connection: Connection) -> list[str]:
    """Ids of memories that have taken the place of each other in a circle, so that none is left."""
    statement = select(memories.c.id, memories.c.superseded_by).where(
        memories.c.superseded_by.is_not(None)
    )
    successors: dict[str, str] = dict(connection.execute(statement).all())
    circular: set[str] = set()
    settled: set[str] = set()
    for start in successors:
        path: dict[str, int] = {}
        current: str | None = start
        while current is not None and current not in path and current not in settled:
            path[current] = len(path)
            current = successors.get(current)
        if current in path:
            circular |= {key for key, place in path.items() if place >= path[current]}
        settled |= path.keys()
    return sorted(circular)


def bad_documents(connection: Connection) -> list[tuple[str, str, str | None]]:
    """Path, status and reason of each document whose text never reached the store, by path."""
    return list(_documents(connection, documents.c.status.in_(list(BAD_DOCUMENT_STATUSES))))


def unfinished_documents(
    connection: Connection, before: datetime
) -> list[tuple[str, str, str | None]]:
    """The same of documents at which nobody has worked since ``before``."""
    condition = and_(
        documents.c.status.in_(list(UNFINISHED_STATUSES)),
        documents.c.updated_at < instant_to_text(before),
    )
    return list(_documents(connection, condition))


def _documents(
    connection: Connection, condition: ColumnElement[bool]
) -> Iterator[tuple[str, str, str | None]]:
    statement = (
        select(documents.c.path, documents.c.status, documents.c.reason)
        .where(condition)
        .order_by(documents.c.path)
    )
    for row in connection.execute(statement):
        path, status, reason = row
        yield path, status, reason


def _dangling(connection: Connection, table: Table, column: str) -> list[dict[str, object]]:
    """What cannot be read is left to ``damaged_rows``: a row is, and while the id of a parent is
    unreadable, so are all rows that seem to have none."""
    parent = next(one for child, name, one in PARENTS if (child, name) == (table, column))
    ids = select(parent.alias().c.id)
    reference = table.c[column]
    statement = select(table).where(reference.is_not(None), reference.not_in(ids))
    with undecodable_as_bytes(connection):
        rows = [dict(row) for row in connection.execute(statement).mappings()]
    if not rows or _has_unreadable_id(connection, parent):
        return []
    return [row for row in rows if not _has_bytes(row.values())]


def _has_unreadable_id(connection: Connection, table: Table) -> bool:
    with undecodable_as_bytes(connection):
        return _has_bytes(connection.scalars(select(table.c.id)))


def _has_bytes(values: Iterable[object]) -> bool:
    return any(isinstance(value, bytes) for value in values)
