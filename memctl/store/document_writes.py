"""Writes about documents and their chunks, inside one write transaction.

A document keeps its id, its path and every chunk whose text it still has; what it no longer says is
retired, never removed, and what only it had said is hidden once its new text has been read. The
memories of other documents are not touched.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import ColumnElement, select

from memctl.memory import (
    Chunk,
    Document,
    DocumentStatus,
    EntryKind,
    ForgetReason,
    Memory,
    NewMemory,
    SaveReceipt,
    Usage,
)
from memctl.store.journal import WriteTransaction
from memctl.store.memory_writes import MakeId, hide, save_memories, update_memories
from memctl.store.queries import (
    existing_chunk,
    existing_document,
    find_document,
    in_batches,
    live_chunks,
    memories_where,
    select_memories,
)
from memctl.store.rows import Row, chunk_to_row, document_to_row, storable_text
from memctl.store.schema import chunks, documents, memories, memory_chunks

UNFINISHED_STATUSES = frozenset(
    {DocumentStatus.PENDING, DocumentStatus.READING, DocumentStatus.EXTRACTING}
)

READ_STATUSES = frozenset({DocumentStatus.DONE, DocumentStatus.EMPTY})
"""The ends at which a file's text is known as a whole, so that what it lacks is really gone."""


@dataclass(frozen=True, slots=True)
class BegunDocument:
    """A document as it is stored, and its chunks by position; those not extracted are to be."""

    document: Document
    chunks: tuple[Chunk, ...]


def record_document(writes: WriteTransaction, document: Document) -> Document:
    """Adds a document, or brings the one of that path up to date, without looking at chunks.

    The stored id, creation time and cost so far stay; its other fields are taken as given.
    """
    known = find_document(writes.connection, document.path)
    if known is None:
        recorded = replace(document, path=storable_text(document.path))
        writes.insert(documents, [document_to_row(recorded)])
        return recorded
    recorded = replace(
        document,
        id=known.id,
        path=known.path,
        created_at=known.created_at,
        input_tokens=known.input_tokens,
        output_tokens=known.output_tokens,
        cost_usd=known.cost_usd,
    )
    _update_document(writes, known, recorded)
    return recorded


def begin_document(
    writes: WriteTransaction, document: Document, new_chunks: Sequence[Chunk]
) -> BegunDocument:
    """Records a document and makes ``new_chunks`` its chunks.

    A chunk whose content hash the document has keeps its stored id and its extraction, and moves
    with its memories to the new lines; the others are added; what is left is retired. With another
    extractor than before nothing is kept.
    """
    before = find_document(writes.connection, document.path)
    recorded = record_document(writes, document)
    known = [] if before is None else live_chunks(writes.connection, recorded.id)
    same_extractor = before is not None and before.extractor == document.extractor
    kept, added = _pair_chunks(known if same_extractor else [], new_chunks, recorded.id)
    kept_ids = {chunk.id for chunk, _ in kept}
    _retire(writes, [chunk for chunk in known if chunk.id not in kept_ids])
    _move(writes, kept)
    writes.insert(chunks, [{**chunk_to_row(chunk), "retired": False} for chunk in added])
    current = sorted([after for _, after in kept] + added, key=lambda chunk: chunk.position)
    return BegunDocument(recorded, tuple(current))


def commit_chunk(
    writes: WriteTransaction,
    chunk_id: str,
    new_memories: Sequence[NewMemory],
    usage: Usage,
    make_id: MakeId,
) -> list[SaveReceipt]:
    """Saves what a chunk states, marks it extracted and adds the cost to its document.

    Nothing is saved for a chunk that was retired meanwhile: the file says something else by now.
    Raises UnknownDocumentError for an unknown chunk, and UsageError.
    """
    chunk, retired = existing_chunk(writes.connection, chunk_id)
    _add_usage(writes, chunk.document_id, usage)
    if retired:
        return []
    located = [
        replace(new, document_id=chunk.document_id, chunk_id=chunk_id) for new in new_memories
    ]
    receipts = save_memories(writes, located, make_id)
    _update_chunks(writes, [(chunk, replace(chunk, extracted=True, error=None))])
    # Which lines its memories cover decides whether the chunk gets a vector of its own.
    writes.mark_dirty(EntryKind.CHUNK, [chunk_id], text_changed=True)
    return receipts


def fail_chunk(writes: WriteTransaction, chunk_id: str, error: str, usage: Usage) -> None:
    """Keeps why a chunk could not be extracted, and what the attempt cost."""
    chunk, _ = existing_chunk(writes.connection, chunk_id)
    _add_usage(writes, chunk.document_id, usage)
    _update_chunks(writes, [(chunk, replace(chunk, error=error))])


def finish_document(
    writes: WriteTransaction,
    document_id: str,
    status: DocumentStatus,
    reason: str | None,
    *,
    content_hash: str | None,
    attempts: int | None,
    next_attempt_at: datetime | None,
) -> list[str]:
    """Ends a document; returns the ids of the memories that it hid.

    Where the whole text is known (``READ_STATUSES``), memories that only retired chunks of this
    document stated are hidden, but for pinned ones and those that somebody stated or edited. With
    ``content_hash``, nothing happens when the document has another one by now. ``attempts`` None
    keeps the count. Raises UnknownDocumentError.
    """
    document = existing_document(writes.connection, document_id)
    if content_hash is not None and document.content_hash != content_hash:
        return []
    finished = replace(
        document,
        status=status,
        reason=reason,
        attempts=document.attempts if attempts is None else attempts,
        next_attempt_at=next_attempt_at,
        updated_at=writes.now,
    )
    _update_document(writes, document, finished)
    waiting = [
        chunk.id for chunk in live_chunks(writes.connection, document_id) if not chunk.extracted
    ]
    writes.mark_dirty(EntryKind.CHUNK, waiting, text_changed=True)
    if status not in READ_STATUSES:
        return []
    gone = _unsaid_memories(writes, document_id)
    hide(writes, gone, ForgetReason.DOCUMENT)
    return [memory.id for memory in gone]


def _pair_chunks(
    known: Sequence[Chunk], new_chunks: Sequence[Chunk], document_id: str
) -> tuple[list[tuple[Chunk, Chunk]], list[Chunk]]:
    """Chunks that stay as (stored, moved), and those to be added; equal texts pair in order."""
    by_hash: dict[str, list[Chunk]] = {}
    for chunk in reversed(known):
        by_hash.setdefault(chunk.content_hash, []).append(chunk)
    kept: list[tuple[Chunk, Chunk]] = []
    added: list[Chunk] = []
    for new in new_chunks:
        stored = by_hash.get(new.content_hash)
        if stored:
            kept.append((stored[-1], _moved(stored.pop(), new)))
        else:
            added.append(replace(new, document_id=document_id))
    return kept, added


def _moved(stored: Chunk, new: Chunk) -> Chunk:
    return replace(
        new,
        id=stored.id,
        document_id=stored.document_id,
        content=stored.content,
        extracted=stored.extracted,
        error=stored.error,
    )


def _retire(writes: WriteTransaction, gone: Sequence[Chunk]) -> None:
    rows = [chunk_to_row(chunk) for chunk in gone]
    pairs = [({**row, "retired": False}, {**row, "retired": True}) for row in rows]
    writes.update(chunks, pairs)


def _move(writes: WriteTransaction, kept: Sequence[tuple[Chunk, Chunk]]) -> None:
    """Gives kept chunks, and the memories that they state, their new lines and pages."""
    _update_chunks(writes, kept)
    shifts = {
        chunk.id: _Shift(
            moved.first_line - chunk.first_line, (moved.first_page or 0) - (chunk.first_page or 0)
        )
        for chunk, moved in kept
    }
    shifts = {chunk_id: shift for chunk_id, shift in shifts.items() if shift.moves}
    for batch in in_batches(shifts):
        statement = select(memory_chunks).where(memory_chunks.c.chunk_id.in_(batch))
        rows = [dict(row) for row in writes.connection.execute(statement).mappings()]
        writes.update(memory_chunks, [(row, shifts[row["chunk_id"]].of(row)) for row in rows])
    moved_memories = memories_where(writes.connection, memories.c.chunk_id, shifts)
    changes = [
        (memory, shifts[memory.chunk_id or ""].of_memory(memory)) for memory in moved_memories
    ]
    update_memories(writes, changes)


@dataclass(frozen=True, slots=True)
class _Shift:
    """By how many lines and pages a chunk has moved."""

    lines: int
    pages: int

    @property
    def moves(self) -> bool:
        return bool(self.lines or self.pages)

    def of(self, row: Row) -> Row:
        return {
            **row,
            "first_line": _plus(row["first_line"], self.lines),
            "last_line": _plus(row["last_line"], self.lines),
            "page": _plus(row["page"], self.pages),
        }

    def of_memory(self, memory: Memory) -> Memory:
        return replace(
            memory,
            first_line=_plus(memory.first_line, self.lines),
            last_line=_plus(memory.last_line, self.lines),
            page=_plus(memory.page, self.pages),
        )


def _plus(number: int | None, shift: int) -> int | None:
    return None if number is None else number + shift


def _update_document(writes: WriteTransaction, before: Document, after: Document) -> None:
    writes.update(documents, [(document_to_row(before), document_to_row(after))])


def _update_chunks(writes: WriteTransaction, pairs: Sequence[tuple[Chunk, Chunk]]) -> None:
    writes.update(chunks, [(chunk_to_row(before), chunk_to_row(after)) for before, after in pairs])


def _add_usage(writes: WriteTransaction, document_id: str, usage: Usage) -> None:
    if usage == Usage():
        return
    document = existing_document(writes.connection, document_id)
    charged = replace(
        document,
        input_tokens=document.input_tokens + usage.input_tokens,
        output_tokens=document.output_tokens + usage.output_tokens,
        cost_usd=document.cost_usd + usage.cost_usd,
        updated_at=writes.now,
    )
    _update_document(writes, document, charged)


def _unsaid_memories(writes: WriteTransaction, document_id: str) -> list[Memory]:
    """Visible memories that chunks of this document stated, and no chunk states any more."""
    stated_here = (
        select(memory_chunks.c.memory_id)
        .join(chunks, chunks.c.id == memory_chunks.c.chunk_id)
        .where(chunks.c.document_id == document_id, chunks.c.retired.is_(True))
    )
    return select_memories(
        writes.connection,
        select(memories)
        .where(
            memories.c.id.in_(stated_here),
            memories.c.forgotten.is_(False),
            memories.c.pinned.is_(False),
            memories.c.stated_directly.is_(False),
            ~_is_still_stated(),
        )
        .order_by(memories.c.sequence),
    )


def _is_still_stated() -> ColumnElement[bool]:
    return (
        select(memory_chunks.c.chunk_id)
        .join(chunks, chunks.c.id == memory_chunks.c.chunk_id)
        .where(memory_chunks.c.memory_id == memories.c.id, chunks.c.retired.is_(False))
        .exists()
    )
