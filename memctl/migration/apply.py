"""Carries a plan out: one operation of the journal, written batch by batch.

What was stored stays when a migration is broken off; the next run finds it by the files' hashes
and goes on. Embedding and comparing happen between the transactions, and the next batch is embedded
while this one is compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING
from uuid import uuid4

from memctl.content import hash_content, normalise_content
from memctl.document import Document, DocumentStatus
from memctl.errors import UsageError
from memctl.extraction.extractor import DocumentText, TextFormat
from memctl.ingestion.ahead import embed_unknown_ahead
from memctl.ingestion.options import IngestOptions
from memctl.ingestion.preparation import cut_into_chunks
from memctl.memory import Chunk, Citation, Memory, Origin, RelationType
from memctl.migration.edits import pair_edits
from memctl.migration.known import extractor_name, is_settled, known_documents
from memctl.migration.messages import messages_of
from memctl.migration.outcome import FileOutcome
from memctl.migration.plan import MigrationPlan, PlannedFile
from memctl.migration.statement import PlannedMemory, PlannedRow
from memctl.migration.succession import succeeds
from memctl.migration.tagged import EXPORTED
from memctl.new_memory import ForeignMemory, NewMemory, Outcome, RelatedMemory, SaveReceipt
from memctl.store.document_writes import ExtractedChunk, ExtractedDocument
from memctl.store.index import index_warning

if TYPE_CHECKING:
    from memctl.associating import Associator
    from memctl.embedding import Embedder
    from memctl.store.comparable import ComparableMemory
    from memctl.store.graph import Graph
    from memctl.store.memory_store import MemoryStore
    from memctl.store.operation import Operation

COMMAND = "migrate-openclaw"

BATCH_MEMORIES = 1_024
BATCH_DOCUMENTS = 64
"""What is stored in one transaction: enough for full embedding batches."""

_TOLD_BY_CHARACTERS = 40

BATCH_ROWS = 1_000
BATCH_MESSAGES = 2_000


@dataclass(slots=True)
class _Batch:
    """Files that are stored together; ``tables`` are those whose memories are rows."""

    outcomes: list[FileOutcome] = field(default_factory=list)
    tables: list[FileOutcome] = field(default_factory=list)
    documents: list[tuple[FileOutcome, ExtractedDocument]] = field(default_factory=list)

    @property
    def is_full(self) -> bool:
        return len(list(self.memories)) >= BATCH_MEMORIES or len(self.documents) >= BATCH_DOCUMENTS

    @property
    def memories(self) -> Iterator[PlannedMemory]:
        """All that it is to store; what the store may know already is among it."""
        for outcome in (*self.tables, *(outcome for outcome, _ in self.documents)):
            yield from outcome.file.all_memories


class Applier:
    """Stores plans; see ``apply``."""

    def __init__(
        self,
        *,
        store: MemoryStore,
        graph: Graph,
        associator: Associator,
        measure: Callable[[], Embedder],
        embedder: Callable[[], Embedder],
        clock: Callable[[], datetime],
        warn: Callable[[str], None],
    ) -> None:
        self._store = store
        self._graph = graph
        self._associator = associator
        self._measure = measure
        self._embedder = embedder
        self._clock = clock
        self._warn = warn
        self._exported: set[str] = set()
        self._document_ids: dict[str, str] = {}

    def apply(self, plan: MigrationPlan) -> Iterator[FileOutcome]:
        """Stores every taken file of the plan and yields what became of it, in the plan's order.

        A file that has not changed since it was stored is left alone. Raises StoreError and its
        kinds.
        """
        arguments = {"paths": [str(path) for path in plan.paths], "sessions": plan.options.sessions}
        known = known_documents(self._graph, plan)
        self._document_ids = {path: document.id for path, document in known.items()}
        with self._store.operation(COMMAND, arguments, in_parts=True) as operation:
            ready: _Batch | None = None
            for batch in self._batches(plan, known):
                contents = [memory.content for memory in batch.memories]
                embed_unknown_ahead(self._graph, self._embedder(), contents)
                if ready is not None:
                    yield from self._settle(operation, plan, ready)
                ready = batch
            if ready is not None:
                yield from self._settle(operation, plan, ready)

    def _batches(self, plan: MigrationPlan, known: Mapping[str, Document]) -> Iterator[_Batch]:
        batch = _Batch()
        for file in plan.taken:
            outcome = FileOutcome(file=file)
            batch.outcomes.append(outcome)
            if file.read is not None:
                self._take_document(plan, outcome, batch, known)
            else:
                batch.tables.append(outcome)
            if batch.is_full:
                yield batch
                batch = _Batch()
        yield batch

    def _take_document(
        self,
        plan: MigrationPlan,
        outcome: FileOutcome,
        batch: _Batch,
        known: Mapping[str, Document],
    ) -> None:
        file = outcome.file
        read = file.read
        assert read is not None
        before = known.get(read.path)
        if is_settled(file, before):
            outcome.was_known = True
            return
        has_messages = read.transcript is not None and plan.options.sessions
        if not file.memories and before is None and not has_messages:
            return
        document = self._document(file)
        chunks = self._chunks(plan, file) if file.memories or read.transcript else []
        batch.documents.append((outcome, ExtractedDocument(document, chunks)))

    def _document(self, file: PlannedFile) -> Document:
        read = file.read
        assert read is not None
        now = self._clock()
        return Document(
            id=str(uuid4()),
            path=read.path,
            content_hash=read.content_hash,
            size_bytes=read.size_bytes,
            modified_at=read.modified_at,
            status=DocumentStatus.DONE,
            reason=read.reason,
            encoding=read.encoding,
            document_date=read.day,
            extractor=extractor_name(file),
            attempts=1,
            redaction_count=len(read.redactions),
            created_at=now,
            updated_at=now,
        )

    def _chunks(self, plan: MigrationPlan, file: PlannedFile) -> list[ExtractedChunk]:
        read = file.read
        assert read is not None
        text = DocumentText(text=read.text, text_format=TextFormat.MARKDOWN, path=read.path)
        options = IngestOptions(chunk_tokens=plan.options.chunk_tokens)
        chunks = cut_into_chunks(text, self._measure(), options)
        stated: list[list[NewMemory]] = [[] for _ in chunks]
        position = 0
        for memory in sorted(file.memories, key=lambda one: one.first_line or 0):
            position = _chunk_of(chunks, memory, position)
            stated[position].append(_new_memory(memory, file))
        return [ExtractedChunk(chunk, found) for chunk, found in zip(chunks, stated, strict=True)]

    def _take_rows(self, operation: Operation, outcome: FileOutcome) -> None:
        """Rows keep their ids and times; one whose text has changed since is edited."""
        file = outcome.file
        foreign = [_foreign(row, file, self._clock()) for row in file.rows]
        before = self._graph.memories(one.memory.id for one in foreign)
        for start in range(0, len(foreign), BATCH_ROWS):
            some = foreign[start : start + BATCH_ROWS]
            outcome.receipts += operation.import_memories(some)
            self._edit_changed(operation, outcome, some, before)
        said = [_new_memory(memory, file) for memory in file.memories]
        if said:
            outcome.receipts += operation.save_many(said)

    def _edit_changed(
        self,
        operation: Operation,
        outcome: FileOutcome,
        foreign: Sequence[ForeignMemory],
        before: Mapping[str, Memory],
    ) -> None:
        for one in foreign:
            known = before.get(one.memory.id)
            content = normalise_content(one.memory.content)
            if known is None or known.content_hash == hash_content(content):
                continue
            written = one.memory.updated_at
            if known.forgotten or known.superseded_by or written <= known.updated_at:
                continue
            try:
                operation.edit(known.id, {"content": content})
            except UsageError:
                # Another memory says so by now: this one stays as it is.
                continue
            outcome.receipts = [
                replace(receipt, outcome=Outcome.UPDATED) if receipt.id == known.id else receipt
                for receipt in outcome.receipts
            ]

    def _settle(
        self, operation: Operation, plan: MigrationPlan, batch: _Batch
    ) -> Iterator[FileOutcome]:
        """Stores what is in hand, indexes it, and says what it means for what was there."""
        for outcome in batch.tables:
            self._take_rows(operation, outcome)
        stored = operation.store_documents([document for _, document in batch.documents])
        for (outcome, _), one in zip(batch.documents, stored, strict=True):
            outcome.receipts = list(one.receipts)
            outcome.hidden = len(one.hidden)
            self._document_ids[one.document.path] = one.document.id
            if one.hidden:
                self._pair_edits(operation, outcome, one.hidden)
        self._add_messages(operation, plan, batch.outcomes)
        drained = self._store.drain()
        if drained.error is not None:
            self._warn(index_warning(drained.error))
        self._note_exported(batch.outcomes)
        saved = [receipt for outcome in batch.outcomes for receipt in outcome.receipts]
        judged = iter(self._associator.associate(operation, saved, may_replace=self._may_replace))
        for outcome in batch.outcomes:
            outcome.receipts = list(islice(judged, len(outcome.receipts)))
            yield outcome

    def _pair_edits(
        self, operation: Operation, outcome: FileOutcome, hidden_ids: Sequence[str]
    ) -> None:
        """An edited line's new memory takes the place of the one that it had stated."""
        created = [one.id for one in outcome.receipts if one.outcome is Outcome.CREATED]
        memories = self._graph.memories([*hidden_ids, *created])
        pairs = pair_edits(
            [memories[one] for one in hidden_ids if one in memories],
            [memories[one] for one in created if one in memories],
        )
        with operation.transaction():
            for old, new in pairs:
                operation.supersede(old.id, by=new.id)
        successors = {new.id: old.id for old, new in pairs}
        outcome.hidden -= len(pairs)
        outcome.receipts = [_updated(one, successors.get(one.id)) for one in outcome.receipts]

    def _note_exported(self, outcomes: Iterable[FileOutcome]) -> None:
        for outcome in outcomes:
            if any(memory.reason == EXPORTED for memory in outcome.file.memories):
                self._exported |= {receipt.id for receipt in outcome.receipts}

    def _may_replace(self, old: ComparableMemory, new: ComparableMemory) -> bool:
        """Whether the wording shows it; never among what was exported: all of that was current
        beside each other."""
        if {old.id, new.id} <= self._exported:
            return False
        return succeeds(old, new)

    def _add_messages(
        self,
        operation: Operation,
        plan: MigrationPlan,
        outcomes: Iterable[FileOutcome],
    ) -> None:
        if not plan.options.sessions:
            return
        for outcome in outcomes:
            path = str(outcome.file.source.path)
            messages = messages_of(outcome.file, plan, self._document_ids.get(path))
            outcome.messages = len(messages)
            for start in range(0, len(messages), BATCH_MESSAGES):
                added = operation.add_messages(messages[start : start + BATCH_MESSAGES])
                outcome.new_messages += len(added)


def _updated(receipt: SaveReceipt, old_id: str | None) -> SaveReceipt:
    if old_id is None:
        return receipt
    related = (RelatedMemory(old_id, RelationType.UPDATES), *receipt.related)
    return replace(receipt, outcome=Outcome.UPDATED, related=related)


def _chunk_of(chunks: Sequence[Chunk], memory: PlannedMemory, position: int) -> int:
    """The chunk that states a memory, at ``position`` or after it; of several that share its line
    the first that has its words."""
    line = memory.first_line
    if line is None:
        return position
    holding = [
        number
        for number in range(position, len(chunks))
        if chunks[number].first_line <= line <= chunks[number].last_line
    ]
    words = memory.content[-_TOLD_BY_CHARACTERS:]
    telling = [number for number in holding if words in chunks[number].content]
    return next(iter([*telling, *holding]), position)


def _new_memory(memory: PlannedMemory, file: PlannedFile) -> NewMemory:
    return NewMemory(
        content=memory.content,
        memory_type=memory.memory_type,
        importance=memory.importance,
        source=str(file.source.path),
        channel_id=file.channel_of(memory),
        session_id=memory.session_id,
        subject=memory.subject,
        key=memory.key,
        tags=memory.tags,
        event_at=memory.event_at,
        expires_at=memory.expires_at,
        pinned=memory.pinned,
        origin=Origin.FILE,
        first_line=memory.first_line,
        last_line=memory.last_line,
    )


def _foreign(row: PlannedRow, file: PlannedFile, now: datetime) -> ForeignMemory:
    memory = row.memory
    created_at = row.created_at or now
    updated_at = row.updated_at or created_at
    path = str(file.source.path)
    return ForeignMemory(
        memory=Memory(
            id=row.row_id,
            content=memory.content,
            memory_type=memory.memory_type,
            importance=memory.importance,
            created_at=created_at,
            updated_at=updated_at,
            last_accessed_at=updated_at,
            source=path,
            channel_id=file.channel_of(memory),
            session_id=memory.session_id,
            subject=memory.subject,
            tags=memory.tags,
            event_at=memory.event_at,
            origin=Origin.IMPORT,
        ),
        citation=Citation(path),
    )
