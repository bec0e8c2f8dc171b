"""Writes about documents, inside one write transaction and for several documents at a time.

A document keeps its id and its path. What only it had said, and says no longer, is hidden once its
new text is known as a whole; the memories of other documents are not touched.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import select

from memctl.document import Document, DocumentStatus, Usage
from memctl.encodable import encodable_text
from memctl.memory import Chunk, EntryKind, ForgetReason, Memory
from memctl.new_memory import NewMemory, SaveReceipt
from memctl.store.chunk_writes import apply_chunk_plans, plan_chunks, update_chunks
from memctl.store.document_rows import document_to_row
from memctl.store.journal import MakeId, WriteTransaction
from memctl.store.memory_writes import hide, save_memories
from memctl.store.queries import (
    existing_chunks,
    existing_documents,
    find_documents,
    live_chunks,
    memories_by_id,
)
from memctl.store.reads import in_batches
from memctl.store.schema import chunks, documents, memories, memory_chunks

READ_STATUSES = frozenset({DocumentStatus.DONE, DocumentStatus.EMPTY})
"""The ends at which a file's text is known as a whole, so that what it lacks is really gone."""

HIDING_STATUSES = READ_STATUSES | {DocumentStatus.IGNORED}
"""The ends that hide what only retired chunks state: those, and that of a forgotten source."""

FORGOTTEN_SOURCE = "forgotten as a source; `memctl ingest --retry PATH` takes it in again"
"""The reason of documents that the user wants to hear no more of."""

NO_USAGE = Usage()
"""What an extraction costs that asks no model."""


@dataclass(frozen=True, slots=True)
class BegunDocument:
    """A document as it is stored, and its chunks by position; those not extracted are to be."""

    document: Document
    chunks: tuple[Chunk, ...]


@dataclass(frozen=True, slots=True)
class ExtractedChunk:
    """A chunk with what it states and what finding that out cost."""

    chunk: Chunk
    memories: Sequence[NewMemory]
    usage: Usage = NO_USAGE


@dataclass(frozen=True, slots=True)
class ExtractedDocument:
    """A file that has been read and extracted as a whole; ``document.status`` is its end."""

    document: Document
    chunks: Sequence[ExtractedChunk]


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A document as it is stored now, one receipt for each text of the chunks that were new, in
    their order, and the ids of the memories that it hid."""

    document: Document
    receipts: tuple[SaveReceipt, ...]
    hidden: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a document ends. With ``content_hash`` set it applies to that version only; ``attempts``
    None keeps the count."""

    document_id: str
    status: DocumentStatus
    reason: str | None = None
    content_hash: str | None = None
    attempts: int | None = None
    next_attempt_at: datetime | None = None


def record_documents(
    writes: WriteTransaction, recorded: Sequence[Document]
) -> list[tuple[Document | None, Document]]:
    """Adds documents, or brings those of the same paths up to date, without looking at chunks.

    The stored id, creation time and cost so far stay; other fields are taken as given. Returns
    each as (before, now). No path may occur twice.
    """
    known = find_documents(writes.connection, [document.path for document in recorded])
    pairs = [
        (known.get(encodable_text(document.path)), _recorded(document, known))
        for document in recorded
    ]
    writes.insert(documents, [document_to_row(now) for before, now in pairs if before is None])
    _update_documents(writes, [(before, now) for before, now in pairs if before is not None])
    return pairs


def begin_documents(
    writes: WriteTransaction, begun: Sequence[tuple[Document, Sequence[Chunk]]]
) -> list[BegunDocument]:
    """Records documents and makes the given chunks theirs; see ``chunk_writes``.

    With another extractor than before none of the chunks is kept.
    """
    recorded = record_documents(writes, [document for document, _ in begun])
    known_ids = [before.id for before, _ in recorded if before is not None]
    known = live_chunks(writes.connection, known_ids)
    plans = [
        plan_chunks(
            now.id,
            known.get(now.id, []),
            new_chunks,
            keep=before is not None and before.extractor == now.extractor,
        )
        for (before, now), (_, new_chunks) in zip(recorded, begun, strict=True)
    ]
    apply_chunk_plans(writes, plans)
    return [
        BegunDocument(now, plan.current) for (_, now), plan in zip(recorded, plans, strict=True)
    ]


def commit_chunks(
    writes: WriteTransaction,
    extracted: Sequence[tuple[str, Sequence[NewMemory], Usage]],
    make_id: MakeId,
) -> list[list[SaveReceipt]]:
    """Saves what chunks (id, memories, usage) state, marks them extracted, and adds the cost to
    their documents; gives the receipts of each chunk.

    Nothing is saved for a chunk that was retired meanwhile, since the file says something else by
    now, nor for one that another process extracted meanwhile. What it cost is counted all the same.
    Raises UnknownDocumentError for an unknown chunk, and UsageError.
    """
    known = existing_chunks(writes.connection, [chunk_id for chunk_id, _, _ in extracted])
    located = [
        []
        if known[chunk_id].retired or known[chunk_id].chunk.extracted
        else [_located(new, known[chunk_id].chunk) for new in new_memories]
        for chunk_id, new_memories, _ in extracted
    ]
    receipts = iter(save_memories(writes, [new for group in located for new in group], make_id))
    current = [
        stored.chunk
        for stored in known.values()
        if not stored.retired and not stored.chunk.extracted
    ]
    update_chunks(
        writes, [(chunk, replace(chunk, extracted=True, error=None)) for chunk in current]
    )
    # Which lines its memories cover decides whether a chunk gets a vector of its own.
    writes.mark_dirty(EntryKind.CHUNK, [chunk.id for chunk in current], text_changed=True)
    _charge(writes, [(known[chunk_id].chunk, usage) for chunk_id, _, usage in extracted])
    return [[next(receipts) for _ in group] for group in located]


def fail_chunk(writes: WriteTransaction, chunk_id: str, error: str, usage: Usage) -> None:
    """Keeps why a chunk could not be extracted, and what the attempt cost."""
    chunk = existing_chunks(writes.connection, [chunk_id])[chunk_id].chunk
    update_chunks(writes, [(chunk, replace(chunk, error=error))])
    _charge(writes, [(chunk, usage)])


def finish_documents(writes: WriteTransaction, endings: Sequence[Ending]) -> dict[str, list[str]]:
    """Ends documents; gives, by document, the ids of the memories that it hid.

    Where the whole text is known (``READ_STATUSES``), memories that only retired chunks stated are
    hidden, but for pinned ones and those that somebody stated or edited. Raises
    UnknownDocumentError.
    """
    known = existing_documents(writes.connection, [ending.document_id for ending in endings])
    current = [
        ending
        for ending in endings
        if ending.content_hash in {None, known[ending.document_id].content_hash}
    ]
    changes = [
        (known[ending.document_id], _ended(known[ending.document_id], ending, writes.now))
        for ending in current
    ]
    _update_documents(writes, changes)
    ids = [ending.document_id for ending in current]
    left = [
        chunk.id
        for document_chunks in live_chunks(writes.connection, ids).values()
        for chunk in document_chunks
        if not chunk.extracted
    ]
    writes.mark_dirty(EntryKind.CHUNK, left, text_changed=True)
    read = [ending.document_id for ending in current if ending.status in HIDING_STATUSES]
    gone = _unsaid_memories(writes, read)
    hide(writes, list({memory.id: memory for _, memory in gone}.values()), ForgetReason.DOCUMENT)
    hidden: dict[str, list[str]] = {document_id: [] for document_id in ids}
    for document_id, memory in gone:
        hidden[document_id].append(memory.id)
    return hidden


def store_documents(
    writes: WriteTransaction, extracted: Sequence[ExtractedDocument], make_id: MakeId
) -> list[StoredDocument]:
    """Begins documents, commits those of their chunks that are new, and ends them.

    They are recorded as they end, so that the journal has each of them once.
    """
    begun = begin_documents(
        writes,
        [
            (replace(entry.document, updated_at=writes.now), [each.chunk for each in entry.chunks])
            for entry in extracted
        ],
    )
    groups = [
        _chunks_to_commit(document, entry) for document, entry in zip(begun, extracted, strict=True)
    ]
    receipts = iter(commit_chunks(writes, [chunk for group in groups for chunk in group], make_id))
    endings = [
        Ending(
            document_id=entry.document.id,
            status=entry.document.status,
            reason=entry.document.reason,
            next_attempt_at=entry.document.next_attempt_at,
        )
        for entry in begun
    ]
    hidden = finish_documents(writes, endings)
    return [
        StoredDocument(
            entry.document,
            tuple(receipt for _ in group for receipt in next(receipts)),
            tuple(hidden[entry.document.id]),
        )
        for entry, group in zip(begun, groups, strict=True)
    ]


def forget_documents(writes: WriteTransaction, forgotten: Sequence[Document]) -> list[str]:
    """Retires all chunks of stored documents and hides what only they had said, but for pinned
    memories and those that somebody stated or edited; returns the ids of the hidden ones."""
    begun = begin_documents(
        writes,
        [
            (
                replace(
                    document,
                    status=DocumentStatus.IGNORED,
                    reason=FORGOTTEN_SOURCE,
                    next_attempt_at=None,
                    updated_at=writes.now,
                ),
                (),
            )
            for document in forgotten
        ],
    )
    endings = [
        Ending(document_id=one.document.id, status=one.document.status, reason=one.document.reason)
        for one in begun
    ]
    hidden = finish_documents(writes, endings)
    return list(dict.fromkeys(memory_id for ids in hidden.values() for memory_id in ids))


def move_document(writes: WriteTransaction, document_id: str, path: str) -> Document:
    """Notes that a document's file lies at another path now. Another document that was recorded
    there keeps its memories under a path of its own. Raises UnknownDocumentError."""
    document = existing_documents(writes.connection, [document_id])[document_id]
    path = encodable_text(path)
    holder = find_documents(writes.connection, [path]).get(path)
    if holder is not None and holder.id != document_id:
        aside = replace(holder, path=f"{path}#{holder.id}", updated_at=writes.now)
        _update_documents(writes, [(holder, aside)])
    moved = replace(document, path=path, updated_at=writes.now)
    _update_documents(writes, [(document, moved)])
    return moved


def _chunks_to_commit(
    begun: BegunDocument, entry: ExtractedDocument
) -> list[tuple[str, Sequence[NewMemory], Usage]]:
    by_position = {each.chunk.position: each for each in entry.chunks}
    return [
        (chunk.id, by_position[chunk.position].memories, by_position[chunk.position].usage)
        for chunk in begun.chunks
        if not chunk.extracted
    ]


def _recorded(document: Document, known: dict[str, Document]) -> Document:
    path = encodable_text(document.path)
    before = known.get(path)
    if before is None:
        return replace(document, path=path)
    return replace(
        document,
        id=before.id,
        path=path,
        created_at=before.created_at,
        input_tokens=before.input_tokens,
        output_tokens=before.output_tokens,
        cost_usd=before.cost_usd,
    )


def _located(new: NewMemory, chunk: Chunk) -> NewMemory:
    return replace(new, document_id=chunk.document_id, chunk_id=chunk.id)


def _ended(document: Document, ending: Ending, now: datetime) -> Document:
    return replace(
        document,
        status=ending.status,
        reason=ending.reason,
        attempts=document.attempts if ending.attempts is None else ending.attempts,
        next_attempt_at=ending.next_attempt_at,
        updated_at=now,
    )


def _update_documents(
    writes: WriteTransaction, changes: Sequence[tuple[Document, Document]]
) -> None:
    pairs = [
        (document_to_row(before), document_to_row(after))
        for before, after in changes
        if before != after
    ]
    writes.update(documents, pairs)


def _charge(writes: WriteTransaction, usages: Sequence[tuple[Chunk, Usage]]) -> None:
    charged = [(chunk.document_id, usage) for chunk, usage in usages if usage != NO_USAGE]
    before = existing_documents(writes.connection, [document_id for document_id, _ in charged])
    after = dict(before)
    for document_id, usage in charged:
        document = after[document_id]
        after[document_id] = replace(
            document,
            input_tokens=document.input_tokens + usage.input_tokens,
            output_tokens=document.output_tokens + usage.output_tokens,
            cost_usd=document.cost_usd + usage.cost_usd,
            updated_at=writes.now,
        )
    _update_documents(writes, [(before[key], after[key]) for key in before])


def _unsaid_memories(
    writes: WriteTransaction, document_ids: Sequence[str]
) -> list[tuple[str, Memory]]:
    """Visible memories that only retired chunks state, with the documents of those chunks.

    Outdated ones stay: they are the history of what took their place.
    """
    still_stated = memory_chunks.alias()
    still_there = chunks.alias()
    is_still_stated = (
        select(still_stated.c.chunk_id)
        .join(still_there, still_there.c.id == still_stated.c.chunk_id)
        .where(still_stated.c.memory_id == memories.c.id, still_there.c.retired.is_(False))
        .exists()
    )
    found: list[tuple[str, str]] = []
    for batch in in_batches(document_ids):
        statement = (
            select(chunks.c.document_id, memories.c.id, memories.c.sequence)
            .join(memory_chunks, memory_chunks.c.chunk_id == chunks.c.id)
            .join(memories, memories.c.id == memory_chunks.c.memory_id)
            .where(
                chunks.c.document_id.in_(batch),
                chunks.c.retired.is_(True),
                memories.c.forgotten.is_(False),
                memories.c.superseded_by.is_(None),
                memories.c.pinned.is_(False),
                memories.c.stated_directly.is_(False),
                ~is_still_stated,
            )
            .distinct()
            .order_by(memories.c.sequence)
        )
        rows = writes.connection.execute(statement)
        found += [(document_id, memory_id) for document_id, memory_id, _ in rows]
    gone = memories_by_id(writes.connection, [memory_id for _, memory_id in found])
    return [(document_id, gone[memory_id]) for document_id, memory_id in found]
