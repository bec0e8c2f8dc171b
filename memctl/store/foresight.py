"""What storing a document would do, read without writing anything.

The plans are those by which it is stored, so that the two say the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import uuid4

from sqlalchemy import Connection, select

from memctl.document import Document
from memctl.encodable import encodable_text
from memctl.memory import Chunk, ForgetReason, Memory, Passage
from memctl.new_memory import NewMemory, SaveReceipt
from memctl.store import queries, reads
from memctl.store.chunk_writes import ChunkPlan, plan_chunks
from memctl.store.database import Database
from memctl.store.memory_writes import known_rivals
from memctl.store.saving import clean, plan_saves
from memctl.store.schema import chunks as all_chunks
from memctl.store.schema import memory_chunks


@dataclass(frozen=True, slots=True)
class ForeseenDocument:
    """One receipt for each text, in their order, and the ids of the memories that would be hidden.

    ``memories`` holds all that these name, by id, as they would be, and ``passages`` where the new
    and the hidden ones are stated; new ones have ids that nothing else has.
    """

    receipts: tuple[SaveReceipt, ...]
    hidden: tuple[str, ...]
    memories: Mapping[str, Memory]
    passages: Mapping[str, Sequence[Passage]]


class Foresight:
    """Foresees one run, document by document; ``database`` is None where there is no store yet."""

    def __init__(self, database: Database | None, *, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock
        self._memories: dict[str, Memory] = {}
        self._stated: set[str] = set()

    def plan_chunks(
        self, before: Document | None, now: Document, chunks: Sequence[Chunk]
    ) -> ChunkPlan:
        """What would become of the chunks of a document that is ``before`` in the ledger."""
        if self._database is None or before is None:
            return plan_chunks(now.id, [], chunks, keep=False)
        with self._database.reading() as connection:
            known = queries.live_chunks(connection, [before.id]).get(before.id, [])
        return plan_chunks(before.id, known, chunks, keep=before.extractor == now.extractor)

    def store(
        self, before: Document | None, plan: ChunkPlan, texts: Sequence[NewMemory]
    ) -> ForeseenDocument:
        """What would become of ``texts``, which name the chunks of ``plan`` that state them, and
        of what the document said ``before``; taken for stored from now on. Raises UsageError."""
        cleaned = [clean(text) for text in texts]
        gone: dict[str, Memory] = {}
        passages: dict[str, list[Passage]] = {}
        rivals: list[Memory] = []
        if self._database is not None:
            with self._database.reading() as connection:
                rivals = known_rivals(connection, cleaned)
                if before is not None:
                    passages = _gone_passages(connection, before, plan)
                    gone = queries.memories_by_id(connection, passages)
        known = {memory.id: memory for memory in rivals} | self._memories
        saves = plan_saves(cleaned, known.values(), now=self._clock(), make_id=lambda: str(uuid4()))
        self._stated |= {statement.memory_id for statement in saves.statements}
        self._memories |= {memory.id: memory for memory in saves.created}
        self._memories |= {memory.id: memory for _, memory in saves.changed}
        gone = {
            memory_id: memory
            for memory_id, memory in (gone | self._memories).items()
            if memory_id in gone and memory_id not in self._stated and _may_be_hidden(memory)
        }
        self._memories |= {memory.id: _hidden(memory) for memory in gone.values()}
        passages = {memory_id: passages[memory_id] for memory_id in gone}
        standing = {chunk.id: chunk for chunk in plan.current}
        for statement in saves.statements:
            passage = Passage(standing[statement.chunk_id], statement.stated, retired=False)
            passages.setdefault(statement.memory_id, []).append(passage)
        memories = known | self._memories | gone
        return ForeseenDocument(tuple(saves.receipts), tuple(gone), memories, passages)


@dataclass(frozen=True, slots=True)
class ForeseenChange:
    """The memories that storing a document would hide, and its chunks that would be extracted."""

    to_hide: Sequence[Memory] = ()
    to_extract: Sequence[Chunk] = ()


def foresee_changes(
    connection: Connection, changed: Sequence[tuple[Document, Sequence[Chunk]]]
) -> list[ForeseenChange]:
    """What storing documents with these chunks would do; nothing is said of those that are new."""
    known = queries.find_documents(connection, [document.path for document, _ in changed])
    ids = [document.id for document in known.values()]
    chunks_before = queries.live_chunks(connection, ids)
    found: list[ForeseenChange] = []
    for now, new_chunks in changed:
        before = known.get(encodable_text(now.path))
        if before is None:
            found.append(ForeseenChange())
            continue
        is_kept = before.extractor == now.extractor
        stored = chunks_before.get(before.id, [])
        plan = plan_chunks(before.id, stored, new_chunks, keep=is_kept)
        gone = queries.memories_by_id(connection, _gone_passages(connection, before, plan))
        to_hide = [memory for memory in gone.values() if _may_be_hidden(memory)]
        to_extract = [chunk for chunk in plan.current if not chunk.extracted]
        found.append(ForeseenChange(to_hide, to_extract))
    return found


def _gone_passages(
    connection: Connection, before: Document, plan: ChunkPlan
) -> dict[str, list[Passage]]:
    """By memory, the passages of those that only chunks state which no document would have."""
    retired = {chunk.id for chunk in plan.retired}
    query = (
        select(memory_chunks.c.memory_id, all_chunks.c.id, all_chunks.c.retired)
        .join(all_chunks, all_chunks.c.id == memory_chunks.c.chunk_id)
        .where(all_chunks.c.document_id == before.id)
    )
    rows = connection.execute(query).all()
    ids = {memory_id for memory_id, chunk_id, was in rows if was or chunk_id in retired}
    found = reads.passages(queries.reader_of(connection), sorted(ids))
    return {
        memory_id: [replace(passage, retired=True) for passage in passages]
        for memory_id, passages in found.items()
        if all(passage.retired or passage.chunk.id in retired for passage in passages)
    }


def _may_be_hidden(memory: Memory) -> bool:
    """Whether a memory that no document states any more is hidden for that: the condition under
    which ``document_writes`` selects those, for a memory that is in no table."""
    is_current = not memory.forgotten and memory.superseded_by is None
    return is_current and not memory.pinned and not memory.stated_directly


def _hidden(memory: Memory) -> Memory:
    return replace(memory, forgotten=True, forgotten_reason=ForgetReason.DOCUMENT)
