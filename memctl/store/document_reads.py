"""Reads about documents, their chunks, and which of them state a memory where."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, func, not_, or_, select
from sqlalchemy import case as sql_case

from memctl.document import Document, DocumentStatus
from memctl.encodable import encodable_text
from memctl.memory import Chunk, Citation, Memory
from memctl.store import schema
from memctl.store.document_rows import row_to_document
from memctl.store.queries import (
    select_memories,
)
from memctl.store.readings import text_to_instant
from memctl.store.reads import in_batches
from memctl.store.rows import instant_to_text, row_to_chunk
from memctl.store.schema import chunks, memories, memory_chunks, operation_changes, operations

_AFTER_SLASH = chr(ord("/") + 1)

_RETIRED = '"retired":true'
"""Stands in the journal where a passage was retired."""

KNOWN_BYTES_STATEMENT = "SELECT EXISTS (SELECT 1 FROM documents WHERE content_hash = :content_hash)"
"""Reads whether there is a document of those bytes; asked of every new file, for most in vain."""


def documents(
    connection: Connection,
    *,
    statuses: Sequence[DocumentStatus] = (),
    under: str | None = None,
    outside: Sequence[str] = (),
    content_hash: str | None = None,
) -> list[Document]:
    """Documents by path that fulfil all that is given."""
    table = schema.documents
    statement = select(table).order_by(table.c.path)
    if statuses:
        statement = statement.where(table.c.status.in_([str(status) for status in statuses]))
    if under is not None:
        statement = statement.where(_lies_in(under))
    for folder in outside:
        statement = statement.where(not_(_lies_in(folder)))
    if content_hash is not None:
        statement = statement.where(table.c.content_hash == content_hash)
    return [row_to_document(row) for row in connection.execute(statement).mappings()]


def _lies_in(path: str) -> ColumnElement[bool]:
    """Whether a document is the one at ``path`` or lies in the folder of that name."""
    column = schema.documents.c.path
    folder = encodable_text(path).rstrip("/")
    inside = (column > f"{folder}/") & (column < f"{folder}{_AFTER_SLASH}")
    return or_(column == folder, inside)


def documents_changed_after(
    connection: Connection, ids: Iterable[str], moment: datetime
) -> set[str]:
    """Those of the documents that were taken in, or taken in anew, after a moment."""
    table = schema.documents
    return {
        document_id
        for batch in in_batches(ids)
        for (document_id,) in connection.execute(
            select(table.c.id).where(
                table.c.id.in_(batch), table.c.updated_at > instant_to_text(moment)
            )
        )
    }


def chunk_progress(
    connection: Connection, document_ids: Iterable[str]
) -> dict[str, tuple[int, int]]:
    """By document, how many of its chunks are extracted, and how many it has."""
    table = schema.chunks
    found: dict[str, tuple[int, int]] = {}
    extracted = func.sum(sql_case((table.c.extracted.is_(True), 1), else_=0))
    for batch in in_batches(document_ids):
        statement = (
            select(table.c.document_id, extracted, func.count())
            .where(table.c.document_id.in_(batch), table.c.retired.is_(False))
            .group_by(table.c.document_id)
        )
        for document_id, done, total in connection.execute(statement):
            found[document_id] = (int(done), int(total))
    return found


def chunks_by_id(
    connection: Connection, ids: Iterable[str], *, include_retired: bool
) -> dict[str, Chunk]:
    """The chunks of those ids that exist."""
    found: dict[str, Chunk] = {}
    for batch in in_batches(ids):
        statement = select(schema.chunks).where(schema.chunks.c.id.in_(batch))
        if not include_retired:
            statement = statement.where(schema.chunks.c.retired.is_(False))
        for row in connection.execute(statement).mappings():
            found[row["id"]] = row_to_chunk(row)
    return found


def memories_of(connection: Connection, document_id: str) -> list[Memory]:
    """The visible memories that a document states now, by chunk, line and creation."""
    table = schema.chunks
    statement = (
        select(memories)
        .join(memory_chunks, memory_chunks.c.memory_id == memories.c.id)
        .join(table, table.c.id == memory_chunks.c.chunk_id)
        .where(
            table.c.document_id == document_id,
            table.c.retired.is_(False),
            memories.c.forgotten.is_(False),
        )
        .order_by(table.c.position, memory_chunks.c.first_line, memories.c.sequence)
    )
    return list({memory.id: memory for memory in select_memories(connection, statement)}.values())


def said_instead(
    connection: Connection, document_id: str, memory_ids: Iterable[str]
) -> list[Memory]:
    """What a document says that was saved after its passages were retired which had stated the
    given memories: by this command, or by one that was broken off."""
    table = schema.chunks
    began: list[str] = []
    for batch in in_batches(memory_ids):
        statement = (
            select(func.min(operations.c.started_at))
            .join(operation_changes, operation_changes.c.operation_id == operations.c.id)
            .join(table, table.c.id == operation_changes.c.row_key)
            .join(memory_chunks, memory_chunks.c.chunk_id == table.c.id)
            .where(
                memory_chunks.c.memory_id.in_(batch),
                table.c.document_id == document_id,
                table.c.retired.is_(True),
                operation_changes.c.table_name == table.name,
                operation_changes.c.row_after.contains(_RETIRED),
            )
        )
        began += filter(None, connection.scalars(statement))
    if not began:
        return []
    since = text_to_instant(min(began))
    return [one for one in memories_of(connection, document_id) if one.created_at >= since]


def chunk_citations(connection: Connection, chunk_ids: Iterable[str]) -> dict[str, Citation]:
    """By chunk, its file, its lines and the page on which it begins."""
    table = schema.chunks
    found: dict[str, Citation] = {}
    for batch in in_batches(chunk_ids):
        statement = (
            select(
                table.c.id,
                schema.documents.c.path,
                table.c.first_line,
                table.c.last_line,
                table.c.first_page,
            )
            .join(schema.documents, schema.documents.c.id == table.c.document_id)
            .where(table.c.id.in_(batch))
        )
        for chunk_id, path, first_line, last_line, page in connection.execute(statement):
            found[chunk_id] = Citation(path, first_line, last_line, page)
    return found


def passage_ids(connection: Connection, document_ids: Iterable[str]) -> list[str]:
    """The ids of all chunks of documents, retired ones too."""
    found: list[str] = []
    for batch in in_batches(document_ids):
        statement = select(chunks.c.id).where(chunks.c.document_id.in_(batch))
        found += connection.scalars(statement.order_by(chunks.c.document_id, chunks.c.position))
    return found
