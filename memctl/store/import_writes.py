"""Writes memories that come with ids and times of their own, as they were exported elsewhere.

An id that the store has stays as it is there. What a file stated keeps its citation by way of a
document that stands for the file until it is ingested here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memctl.content import hash_content, normalise_content
from memctl.document import IMPORT_EXTRACTOR, Document, DocumentStatus
from memctl.memory import Association, Memory, RelationType
from memctl.new_memory import ForeignMemory, Outcome, SaveReceipt
from memctl.store.association_writes import associations_between
from memctl.store.document_writes import record_documents
from memctl.store.journal import MakeId, WriteTransaction
from memctl.store.live import LiveMemories, is_live
from memctl.store.memory_writes import (
    insert_memories,
    update_memories,
)
from memctl.store.queries import (
    documents_by_id,
    find_documents,
    live_holders,
    memories_by_id,
    memories_where,
)
from memctl.store.rows import association_to_row
from memctl.store.schema import associations, memories


def import_memories(
    writes: WriteTransaction, foreign: Sequence[ForeignMemory], make_id: MakeId
) -> list[SaveReceipt]:
    """Adds what the store does not have; one receipt for each, in the given order.

    ``unchanged`` when the id is there already with that text, ``different`` when it is with
    another; ``unchanged`` too when a live memory of that channel and event time says the same: then
    its id is given. Two memories never hold one key: the one that is there keeps it.
    """
    clean = [_cleaned(one) for one in foreign]
    known = memories_by_id(writes.connection, [one.memory.id for one in clean])
    hashes = {one.memory.content_hash for one in clean}
    live = LiveMemories(memories_where(writes.connection, memories.c.content_hash, hashes))
    documents = _documents(writes, clean, make_id)
    receipts: list[SaveReceipt] = []
    created: dict[str, Memory] = {}
    for one in clean:
        memory = one.memory
        twin = live.saying(memory) if is_live(memory) else None
        namesake = known.get(memory.id) or created.get(memory.id)
        if namesake is not None or twin is not None:
            same_text = twin or (namesake and namesake.content_hash == memory.content_hash)
            outcome = Outcome.UNCHANGED if same_text else Outcome.DIFFERENT
            receipts.append(SaveReceipt(twin or memory.id, outcome))
            continue
        if one.citation is not None:
            memory = replace(memory, document_id=documents[one.citation.path])
        if is_live(memory):
            live.add(memory)
        created[memory.id] = memory
        receipts.append(SaveReceipt(memory.id, Outcome.CREATED))
    _insert(writes, created, known)
    return receipts


def import_associations(
    writes: WriteTransaction, foreign: Sequence[Association]
) -> list[Association | None]:
    """Adds associations with their own ids and times where there is none of that kind between the
    two; for each, in the given order, the one that is there now, or None where an end is missing.
    """
    ends = [end for edge in foreign for end in (edge.source_id, edge.target_id)]
    existing = memories_by_id(writes.connection, ends)
    wanted = [edge for edge in foreign if {edge.source_id, edge.target_id} <= existing.keys()]
    known = associations_between(writes, [_edge(edge) for edge in wanted])
    created = {_edge(edge): edge for edge in reversed(wanted) if _edge(edge) not in known}
    writes.insert(associations, [association_to_row(edge) for edge in created.values()])
    present = known | created
    return [present.get(_edge(edge)) for edge in foreign]


def _edge(association: Association) -> tuple[str, str, RelationType]:
    return association.source_id, association.target_id, association.relation_type


def _insert(writes: WriteTransaction, created: dict[str, Memory], known: dict[str, Memory]) -> None:
    """Memories first, then who stands in whose place: either may come first in the file."""
    keys = [memory.key for memory in created.values() if memory.key is not None]
    taken = {memory.key for memory in live_holders(writes.connection, keys)}
    rows = {}
    for memory in created.values():
        keyless = memory.key in taken and is_live(memory)
        rows[memory.id] = replace(memory, key=None) if keyless else memory
        if memory.key is not None and is_live(memory):
            taken.add(memory.key)
    bare = [replace(memory, superseded_by=None, key=None) for memory in rows.values()]
    whole = [_with_successor(memory, rows, known) for memory in rows.values()]
    insert_memories(writes, bare)
    update_memories(writes, [pair for pair in zip(bare, whole, strict=True) if pair[0] != pair[1]])


def _with_successor(memory: Memory, created: dict[str, Memory], known: dict[str, Memory]) -> Memory:
    """The memory; a successor that exists nowhere is left out."""
    if memory.superseded_by in created or memory.superseded_by in known:
        return memory
    return replace(memory, superseded_by=None)


def _cleaned(foreign: ForeignMemory) -> ForeignMemory:
    content = normalise_content(foreign.memory.content)
    memory = replace(foreign.memory, content=content, content_hash=hash_content(content))
    return replace(foreign, memory=memory)


def _documents(
    writes: WriteTransaction, foreign: Sequence[ForeignMemory], make_id: MakeId
) -> dict[str, str]:
    """By path, the id of the document that stands for it."""
    wanted = {
        one.citation.path: one.memory.document_id or make_id()
        for one in foreign
        if one.citation is not None
    }
    known = find_documents(writes.connection, wanted)
    taken = documents_by_id(writes.connection, wanted.values())
    missing = {
        path: make_id() if document_id in taken else document_id
        for path, document_id in wanted.items()
        if path not in known
    }
    added = [
        Document(
            id=document_id,
            path=path,
            content_hash="",
            size_bytes=0,
            modified_at=None,
            status=DocumentStatus.DONE,
            extractor=IMPORT_EXTRACTOR,
            created_at=writes.now,
            updated_at=writes.now,
        )
        for path, document_id in missing.items()
    ]
    recorded = record_documents(writes, added)
    return {document.path: document.id for document in known.values()} | {
        now.path: now.id for _, now in recorded
    }
