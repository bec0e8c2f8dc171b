"""Reads that the graph and the writer share: rows by id, hash or key, as values.

Every function works in the transaction of the connection that it is given. Ids are asked for some
thousand at a time, so the number of statements does not grow with the rows for any usual request.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, bindparam, false, select

from memctl.document import Document
from memctl.encodable import encodable_text
from memctl.errors import UnknownDocumentError, UnknownMemoryError
from memctl.memory import Chunk, Memory, MemoryFilter
from memctl.store import reads
from memctl.store.document_rows import row_to_document
from memctl.store.filter_values import filter_values
from memctl.store.reads import in_batches, memories_of_rows
from memctl.store.ready_reader import ReadyReader
from memctl.store.rows import instant_to_text, row_to_chunk
from memctl.store.schema import chunks, documents, memories
from memctl.store.sqlite_text import ReadyStatement, sqlite_text
from memctl.store.where import Visibility, matches, matches_later, visible_at


def reader_of(connection: Connection) -> ReadyReader:
    """Reads the ready statements in the transaction of the connection, which begins here if it has
    not yet."""
    if not connection.in_transaction():
        connection.begin()
    driver: Any = connection.connection.dbapi_connection
    return ReadyReader(driver)


def select_memories(connection: Connection, statement: Select[tuple[object, ...]]) -> list[Memory]:
    """The memories of a SELECT of all columns of table memories, in its order."""
    found = connection.execute(statement).mappings().all()
    return memories_of_rows(reader_of(connection), found)


def visible_memories(
    reader: ReadyReader,
    ids: Iterable[str],
    visibility: Visibility,
    memory_filter: MemoryFilter | None,
) -> dict[str, Memory]:
    """The memories of those ids that a reader sees and that pass the filter."""
    given = filter_values(memory_filter)
    statement = _visible_among_ids(
        tuple(given),
        include_superseded=visibility.include_superseded,
        include_expired=visibility.include_expired,
    )
    values: dict[str, object] = {"now": instant_to_text(visibility.now)}
    for of_condition in given.values():
        values |= of_condition
    found: dict[str, Memory] = {}
    for batch in in_batches(ids):
        rows = reader.run(statement, {**values, "ids": batch})
        found |= {memory.id: memory for memory in memories_of_rows(reader, rows)}
    return found


@cache
def _visible_among_ids(
    conditions: tuple[str, ...], *, include_superseded: bool, include_expired: bool
) -> ReadyStatement:
    is_visible = visible_at(
        bindparam("now"), include_superseded=include_superseded, include_expired=include_expired
    )
    is_wanted = memories.c.id.in_(bindparam("ids", expanding=True))
    return sqlite_text(select(memories).where(is_wanted, is_visible, matches_later(conditions)))


def saved_sources(connection: Connection, sources: Sequence[str]) -> list[str | None]:
    """The sources of all memories that pass a filter by ``sources``, as they were saved."""
    fitting = matches(MemoryFilter(sources=tuple(sources)))
    return list(connection.scalars(select(memories.c.source).where(fitting).distinct()))


def memories_where(
    connection: Connection, column: ColumnElement[str], values: Iterable[str]
) -> list[Memory]:
    """The memories whose ``column`` holds one of ``values``, in order of creation."""
    found: list[Memory] = []
    for batch in in_batches(values):
        statement = select(memories).where(column.in_(batch)).order_by(memories.c.sequence)
        found += select_memories(connection, statement)
    return found


def known_hashes(connection: Connection, content_hashes: Iterable[str]) -> set[str]:
    """Those of the content hashes that some memory has."""
    column = memories.c.content_hash
    return {
        hashed
        for batch in in_batches(content_hashes)
        for (hashed,) in connection.execute(select(column).where(column.in_(batch)).distinct())
    }


def memories_by_id(connection: Connection, ids: Iterable[str]) -> dict[str, Memory]:
    """The memories of those ids that exist."""
    return reads.memories_by_id(reader_of(connection), ids)


def existing_memories(connection: Connection, ids: Sequence[str]) -> list[Memory]:
    """The memories of ``ids`` in their order, each once. Raises UnknownMemoryError."""
    found = memories_by_id(connection, ids)
    for memory_id in ids:
        if memory_id not in found:
            raise UnknownMemoryError(prefix=memory_id)
    return [found[memory_id] for memory_id in dict.fromkeys(ids)]


def memories_after(connection: Connection, ids: Iterable[str]) -> dict[str, Memory]:
    """All memories down the chains of successors from those ids."""
    reader = reader_of(connection)
    return reads.memories_by_id(reader, reads.ids_after(reader, ids))


def live_holders(connection: Connection, keys: Iterable[str]) -> list[Memory]:
    """The live memories that have one of the keys, in order of creation."""
    found: list[Memory] = []
    for batch in in_batches(keys):
        is_holder = and_(
            memories.c.key.in_(batch),
            memories.c.forgotten == false(),
            memories.c.superseded_by.is_(None),
        )
        statement = select(memories).where(is_holder).order_by(memories.c.sequence)
        found += select_memories(connection, statement)
    return found


@dataclass(frozen=True, slots=True)
class StoredChunk:
    """A chunk, and whether its document no longer has it."""

    chunk: Chunk
    retired: bool


def existing_documents(connection: Connection, ids: Sequence[str]) -> dict[str, Document]:
    """The documents of those ids. Raises UnknownDocumentError."""
    found = documents_by_id(connection, ids)
    _refuse_unknown(ids, found)
    return found


def documents_by_id(connection: Connection, ids: Iterable[str]) -> dict[str, Document]:
    """The documents of those ids that exist."""
    found: dict[str, Document] = {}
    for batch in in_batches(ids):
        statement = select(documents).where(documents.c.id.in_(batch))
        rows = connection.execute(statement).mappings()
        found |= {row["id"]: row_to_document(row) for row in rows}
    return found


def find_documents(connection: Connection, paths: Iterable[str]) -> dict[str, Document]:
    """The documents that there are of those paths, by path as it is stored."""
    found: dict[str, Document] = {}
    for batch in in_batches(map(encodable_text, paths)):
        statement = select(documents).where(documents.c.path.in_(batch))
        rows = connection.execute(statement).mappings()
        found |= {row["path"]: row_to_document(row) for row in rows}
    return found


def existing_chunks(connection: Connection, ids: Sequence[str]) -> dict[str, StoredChunk]:
    """The chunks of those ids, retired or not. Raises UnknownDocumentError."""
    found: dict[str, StoredChunk] = {}
    for batch in in_batches(ids):
        rows = connection.execute(select(chunks).where(chunks.c.id.in_(batch))).mappings()
        found |= {row["id"]: StoredChunk(row_to_chunk(row), row["retired"]) for row in rows}
    _refuse_unknown(ids, found)
    return found


def live_chunks(connection: Connection, document_ids: Iterable[str]) -> dict[str, list[Chunk]]:
    """By document, the chunks that it has now, by position."""
    found: dict[str, list[Chunk]] = {}
    for batch in in_batches(document_ids):
        statement = (
            select(chunks)
            .where(chunks.c.document_id.in_(batch), chunks.c.retired.is_(False))
            .order_by(chunks.c.document_id, chunks.c.position, chunks.c.id)
        )
        for row in connection.execute(statement).mappings():
            found.setdefault(row["document_id"], []).append(row_to_chunk(row))
    return found


def _refuse_unknown(ids: Sequence[str], found: Mapping[str, object]) -> None:
    for entry_id in ids:
        if entry_id not in found:
            raise UnknownDocumentError(id=entry_id)
