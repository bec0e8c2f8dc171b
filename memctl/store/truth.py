"""What the search index ought to hold for some ids, read from the database at one moment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from memctl.document import DocumentStatus
from memctl.file_lines import StatedAt
from memctl.memory import Chunk, EntryKind, Memory
from memctl.store.coverage import UNCOVERED_SHARE_FOR_VECTOR, StatedLines, uncovered_share
from memctl.store.index import IndexEntry
from memctl.store.outbox_rows import EntryKey
from memctl.store.queries import memories_by_id
from memctl.store.readings import read_columns, read_value, text_to_instant
from memctl.store.reads import in_batches
from memctl.store.rows import PLACE_READINGS, row_to_chunk, row_to_stated
from memctl.store.schema import chunks, documents, memories, memory_chunks

UNFINISHED_STATUSES = frozenset(
    {DocumentStatus.PENDING, DocumentStatus.READING, DocumentStatus.EXTRACTING}
)
"""While a document stands so, nobody knows yet what its memories will cover."""


@dataclass(frozen=True, slots=True)
class VisibleEntry:
    """A row that the index ought to have, still without its vector."""

    entry: IndexEntry
    wants_vector: bool


def visible_entries(
    connection: Connection, keys: Iterable[EntryKey]
) -> dict[EntryKey, VisibleEntry]:
    """What ought to be in the index of ``keys``: those that are missing here ought not to be."""
    ids: dict[EntryKind, list[str]] = {kind: [] for kind in EntryKind}
    for kind, entry_id in keys:
        ids[kind].append(entry_id)
    found: dict[EntryKey, VisibleEntry] = {}
    for memory in memories_by_id(connection, ids[EntryKind.MEMORY]).values():
        if not memory.forgotten:
            found[EntryKind.MEMORY, memory.id] = _visible_memory(memory)
    for batch in in_batches(ids[EntryKind.CHUNK]):
        found |= _visible_chunks(connection, batch)
    return found


def _visible_memory(memory: Memory) -> VisibleEntry:
    entry = IndexEntry(
        id=memory.id,
        kind=EntryKind.MEMORY,
        content=memory.content,
        vector=None,
        created_at=memory.created_at,
        memory_type=memory.memory_type,
        channel_id=memory.channel_id,
        session_id=memory.session_id,
        source=memory.source,
        origin=memory.origin,
        tags=memory.tags,
        event_at=memory.event_at,
    )
    return VisibleEntry(entry, wants_vector=True)


def _visible_chunks(connection: Connection, ids: list[str]) -> dict[EntryKey, VisibleEntry]:
    stated = _stated_lines(connection, ids)
    statement = (
        select(chunks, documents.c.status, documents.c.path, documents.c.created_at)
        .join(documents, documents.c.id == chunks.c.document_id)
        .where(chunks.c.id.in_(ids), chunks.c.retired.is_(False))
    )
    found: dict[EntryKey, VisibleEntry] = {}
    for row in connection.execute(statement).mappings():
        chunk = row_to_chunk(row)
        entry = IndexEntry(
            id=chunk.id,
            kind=EntryKind.CHUNK,
            content=chunk.content,
            vector=None,
            created_at=read_value(
                f"document {chunk.document_id}", "created_at", row["created_at"], text_to_instant
            ),
            source=row["path"],
        )
        is_settled = chunk.extracted or row["status"] not in UNFINISHED_STATUSES
        wants_vector = is_settled and _leaves_much(chunk, stated)
        found[EntryKind.CHUNK, chunk.id] = VisibleEntry(entry, wants_vector)
    return found


def _leaves_much(chunk: Chunk, stated: Mapping[str, list[tuple[StatedAt, int]]]) -> bool:
    lines = [
        StatedLines(*chunk.places(place), characters)
        for place, characters in stated.get(chunk.id, ())
    ]
    return uncovered_share(chunk, lines) >= UNCOVERED_SHARE_FOR_VECTOR


def _stated_lines(
    connection: Connection, chunk_ids: list[str]
) -> dict[str, list[tuple[StatedAt, int]]]:
    """Also of hidden memories: forgetting a statement must not give its text a vector again."""
    statement = (
        select(
            memory_chunks.c.chunk_id,
            memory_chunks.c.first_line,
            memory_chunks.c.last_line,
            memory_chunks.c.page,
            memory_chunks.c.first_place,
            memory_chunks.c.last_place,
            func.length(memories.c.content).label("characters"),
        )
        .join(memories, memories.c.id == memory_chunks.c.memory_id)
        .where(memory_chunks.c.chunk_id.in_(chunk_ids))
        .order_by(memory_chunks.c.chunk_id, memory_chunks.c.first_line, memories.c.sequence)
    )
    found: dict[str, list[tuple[StatedAt, int]]] = {}
    for row in connection.execute(statement).mappings():
        place = read_columns("place in passage", row, PLACE_READINGS, "chunk_id")
        found.setdefault(row["chunk_id"], []).append((row_to_stated(place), row["characters"]))
    return found
