"""Reads that the graph and the writer share: rows by id, hash or key, as values.

Every function works in the transaction of the connection that it is given. Ids are asked for
``BATCH_SIZE`` at a time, so the number of statements does not grow with the rows for any usual
request.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from sqlalchemy import ColumnElement, Connection, Select, and_, bindparam, false, select

from memctl.errors import UnknownDocumentError, UnknownMemoryError
from memctl.memory import Chunk, Document, Memory
from memctl.store.rows import row_to_chunk, row_to_document, row_to_memory, storable_text
from memctl.store.schema import chunks, documents, memories, memory_tags

BATCH_SIZE = 5_000
"""Ids of one IN list; SQLite takes 32,766 parameters of a statement."""

_TAGS = (
    select(memory_tags.c.memory_id, memory_tags.c.tag)
    .where(memory_tags.c.memory_id.in_(bindparam("ids", expanding=True)))
    .order_by(memory_tags.c.memory_id, memory_tags.c.tag)
)

Item = TypeVar("Item")


def in_batches(items: Iterable[Item], size: int = BATCH_SIZE) -> Iterator[list[Item]]:
    """The distinct items in their order, at most ``size`` at a time."""
    distinct = list(dict.fromkeys(items))
    for start in range(0, len(distinct), size):
        yield distinct[start : start + size]


def select_memories(
    connection: Connection,
    statement: Select[tuple[object, ...]],
    values: Mapping[str, object] | None = None,
) -> list[Memory]:
    """The memories of a SELECT of all columns of table memories, in its order; ``values`` are for
    its parameters."""
    found = connection.execute(statement, values).mappings().all()
    tags = _tags_of(connection, [row["id"] for row in found])
    return [row_to_memory(row, tags.get(row["id"], ())) for row in found]


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
    return {memory.id: memory for memory in memories_where(connection, memories.c.id, ids)}


def existing_memories(connection: Connection, ids: Sequence[str]) -> list[Memory]:
    """The memories of ``ids`` in their order, each once. Raises UnknownMemoryError."""
    found = memories_by_id(connection, ids)
    for memory_id in ids:
        if memory_id not in found:
            raise UnknownMemoryError(prefix=memory_id)
    return [found[memory_id] for memory_id in dict.fromkeys(ids)]


def memories_after(connection: Connection, ids: Iterable[str]) -> dict[str, Memory]:
    """All memories down the chains of successors from those ids."""
    return memories_by_id(connection, _ids_after(connection, ids))


def chain(connection: Connection, memory_id: str) -> list[Memory]:
    """All memories before and after one, with itself, by creation. Raises UnknownMemoryError."""
    existing_memories(connection, [memory_id])
    superseded_by = memories.c.superseded_by
    before = select(memories.c.id).where(superseded_by == memory_id).cte(recursive=True)
    earlier = select(memories.c.id).where(superseded_by == before.c.id)
    ids = {memory_id, *connection.scalars(select(before.union(earlier).c.id))}
    return memories_where(connection, memories.c.id, ids | _ids_after(connection, [memory_id]))


def _ids_after(connection: Connection, ids: Iterable[str]) -> set[str]:
    found: set[str] = set()
    superseded_by = memories.c.superseded_by
    for batch in in_batches(ids):
        after = (
            select(superseded_by.label("id"))
            .where(memories.c.id.in_(batch), superseded_by.is_not(None))
            .cte(recursive=True)
        )
        later = select(superseded_by).where(memories.c.id == after.c.id, superseded_by.is_not(None))
        found |= set(connection.scalars(select(after.union(later).c.id)))
    return found


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
    for batch in in_batches(map(storable_text, paths)):
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


def _tags_of(connection: Connection, ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
    tags: dict[str, tuple[str, ...]] = {}
    for batch in in_batches(ids):
        for memory_id, tag in connection.execute(_TAGS, {"ids": batch}):
            tags[memory_id] = (*tags.get(memory_id, ()), tag)
    return tags
