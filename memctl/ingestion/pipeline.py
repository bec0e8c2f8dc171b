"""From files to memories: read, redact, chunk, extract, store, and a receipt for each.

A document's chunks are stored before anything is taken from them, and a chunk's memories are
committed together with the mark that it is done, so a run that is broken off goes on where it
stopped. The files themselves are only ever read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING

from memctl.associating import STORING_OUTCOMES
from memctl.association import Statement
from memctl.content import hash_content, normalise_content
from memctl.document import Candidate, Document, DocumentStatus
from memctl.extraction.extractor import (
    RULES_EXTRACTOR,
    DocumentText,
    Extractor,
)
from memctl.ingestion.ahead import MANY_FILES, embed_unknown_ahead
from memctl.ingestion.breaking_off import BrokenOff
from memctl.ingestion.discovery import Found
from memctl.ingestion.intake import Intake
from memctl.ingestion.model_run import ModelParts, ModelRun
from memctl.ingestion.options import IngestOptions
from memctl.ingestion.preparation import new_memory
from memctl.ingestion.receipt import (
    DocumentReceipt,
    note_extraction,
    receipt_of,
)
from memctl.ingestion.revision import Change, Reviser
from memctl.memory import Chunk
from memctl.new_memory import NewMemory
from memctl.store.document_writes import ExtractedChunk, ExtractedDocument
from memctl.store.index import index_warning
from memctl.store.live import is_live

if TYPE_CHECKING:
    from memctl.associating import Associator
    from memctl.embedding import Embedder
    from memctl.ingestion.known import KnownMemories
    from memctl.store.graph import Graph
    from memctl.store.memory_store import MemoryStore
    from memctl.store.operation import Operation

SETTLE_SECONDS = 2.0
"""Time after which the index is brought up to date, so that a slow run is searchable."""

TEXTS_AHEAD = 256
"""Statements that are embedded ahead together: enough that each batch of the model holds texts of
one length."""

FIRST_TEXTS_AHEAD = 32
"""The first statements of a run do not wait for so many others: they let the model be loaded while
further files are read. Each portion after them is twice as large, so that the model never waits
long."""

SETTLE_DOCUMENTS = 256
"""Documents stored in one transaction at the most: six times cheaper for each than alone."""

LEAST_DOCUMENTS = 32
"""Documents of the last batches of a run, each of which is half of what is left: what is embedded
and compared when there is nothing left to read beside is little then."""

LOOKED_UP = 64
"""Files of which the ledger is asked at once: forty times cheaper for each than alone, and few
enough that the answer is seconds old at the most for all but large files."""


@dataclass(slots=True)
class _Batch:
    """Documents that are stored together: their receipts, those of them that are extracted, and
    which of their statements no one has begun to embed yet, once there are ``texts_ahead``."""

    begun_at: datetime
    most_documents: int
    texts_ahead: int
    receipts: list[DocumentReceipt] = field(default_factory=list)
    extracted: list[tuple[DocumentReceipt, ExtractedDocument]] = field(default_factory=list)
    unembedded: list[str] = field(default_factory=list)
    memory_count: int = 0


class IngestPipeline:
    """Takes files in, one after the other; see ``ingest``."""

    def __init__(
        self,
        *,
        store: MemoryStore,
        graph: Graph,
        extractor: Extractor,
        associator: Associator,
        measure: Callable[[], Embedder],
        embedder: Callable[[], Embedder],
        known: KnownMemories,
        clock: Callable[[], datetime],
        warn: Callable[[str], None],
    ) -> None:
        self._store = store
        self._graph = graph
        self._extractor = extractor
        self._associator = associator
        self._embedder = embedder
        self._known = known
        self._clock = clock
        self._warn = warn
        self._reviser = Reviser(measure)
        self._is_prepared = True
        self._intake = Intake(graph, extractor_name=extractor.name, measure=measure, clock=clock)

    def ingest(self, found: Sequence[Found], options: IngestOptions) -> Iterator[DocumentReceipt]:
        """Takes every file in and yields its receipt, in the given order.

        One operation of the journal. A file of known content is left alone. When the language
        model cannot be asked at all, the remaining files stay pending and say so. When
        ``options.should_stop`` says so the run ends early, without receipts for the rest. Raises
        StoreError and its kinds.
        """
        paths = [str(item.path) for item in found]
        with self._store.operation("ingest", {"paths": paths}, in_parts=True) as operation:
            if self._extractor.name == RULES_EXTRACTOR:
                self._is_prepared = len(found) < MANY_FILES
                try:
                    yield from self._ingest_by_rules(operation, found, options)
                finally:
                    self._store.release_backlog()
                    if len(found) >= MANY_FILES and self._is_prepared:
                        self._embedder().close()
            else:
                yield from ModelRun(self._model_parts(), operation, options).run(found)

    def _ingest_by_rules(
        self, operation: Operation, found: Sequence[Found], options: IngestOptions
    ) -> Iterator[DocumentReceipt]:
        """One batch of documents stays behind: while it is compared with what is known, the next
        one is being embedded."""
        left = len(found)
        behind, batch = None, self._batch(left, FIRST_TEXTS_AHEAD)
        for item, known in self._looked_up(found):
            left -= 1
            self._take(operation, item, known, options, batch)
            if options.should_stop():
                break
            if self._is_due(batch, options):
                yield from self._advance(operation, behind, batch, options)
                behind, batch = batch, self._batch(left, TEXTS_AHEAD)
        else:
            yield from self._advance(operation, behind, batch, options)
            behind = batch
        if behind is not None:
            yield from self._settle(operation, behind, options, more_to_come=False)

    def _batch(self, left: int, texts_ahead: int) -> _Batch:
        """A new one, when so many files are left."""
        most = max(LEAST_DOCUMENTS, min(SETTLE_DOCUMENTS, left // 2))
        return _Batch(self._clock(), most, texts_ahead)

    def _looked_up(self, found: Sequence[Found]) -> Iterator[tuple[Found, Document | None]]:
        """Each file with what the ledger has of its path."""
        for start in range(0, len(found), LOOKED_UP):
            some = found[start : start + LOOKED_UP]
            documents = self._graph.documents_by_path(str(item.path) for item in some)
            for item in some:
                yield item, documents.get(str(item.path))

    def _advance(
        self, operation: Operation, behind: _Batch | None, batch: _Batch, options: IngestOptions
    ) -> Iterator[DocumentReceipt]:
        self._embed_ahead(batch)
        if behind is not None:
            yield from self._settle(operation, behind, options, more_to_come=True)
        self._keep(operation, batch)

    def _model_parts(self) -> ModelParts:
        return ModelParts(
            store=self._store,
            graph=self._graph,
            extractor=self._extractor,
            associator=self._associator,
            intake=self._intake,
            known=self._known,
            reviser=self._reviser,
            make_memory=self._new_memory,
            clock=self._clock,
            warn=self._warn,
        )

    def _is_due(self, batch: _Batch, options: IngestOptions) -> bool:
        waited = (self._clock() - batch.begun_at).total_seconds()
        return (
            batch.memory_count >= options.settle_memories
            or len(batch.extracted) >= batch.most_documents
            or waited >= SETTLE_SECONDS
        )

    def _embed_ahead(self, batch: _Batch) -> None:
        """Begins to embed what the batch will store."""
        texts, batch.unembedded = batch.unembedded, []
        if texts:
            embed_unknown_ahead(self._graph, self._embedder(), texts)

    def _keep(self, operation: Operation, batch: _Batch) -> None:
        """Stores what was extracted; what that leaves to be indexed is done when it is settled."""
        if not batch.extracted:
            return
        documents = [document for _, document in batch.extracted]
        self._reviser.prepare(self._changes(documents))
        self._store.hold_backlog()
        with operation.transaction():
            stored = operation.store_documents(documents)
            for (receipt, _), one in zip(batch.extracted, stored, strict=True):
                receipt.saved = list(one.receipts)
                receipt.hidden = list(one.hidden)
            self._reviser.revise(
                operation, self._graph, [receipt for receipt, _ in batch.extracted]
            )

    def _changes(self, documents: Sequence[ExtractedDocument]) -> Iterator[Change]:
        """What storing the documents will do to what known ones among them say."""
        chunks = [(one.document, [each.chunk for each in one.chunks]) for one in documents]
        for one, foreseen in zip(documents, self._graph.foresee_changes(chunks), strict=True):
            if not foreseen.to_hide:
                continue
            places = {chunk.position for chunk in foreseen.to_extract}
            statements = [
                Statement(
                    content=normalise_content(memory.content),
                    memory_type=memory.memory_type or memory.suggested_type,
                    subject=memory.subject,
                    event_at=memory.event_at,
                    said_at=self._clock(),
                )
                for each in one.chunks
                if each.chunk.position in places
                for memory in each.memories
            ]
            known = self._graph.memories_saying(
                hash_content(statement.content) for statement in statements
            )
            live = frozenset(memory.content for memory in known if is_live(memory))
            yield Change(foreseen.to_hide, statements, live)

    def _settle(
        self, operation: Operation, batch: _Batch, options: IngestOptions, *, more_to_come: bool
    ) -> Iterator[DocumentReceipt]:
        """Brings the index up to date, and says what the new memories mean for the old ones; what
        of that is left out when the run is to stop, the next one makes up for.

        The time that it takes is shared among the receipts by their statements.
        """
        started = self._clock()
        drained = self._store.drain(
            more_to_come=more_to_come, on_progress=lambda _done, _total: options.should_stop()
        )
        if drained.error is not None:
            self._warn(index_warning(drained.error))
        saved = [one for receipt in batch.receipts for one in receipt.saved]
        new = self._graph.memory_types(one.id for one in saved if one.outcome in STORING_OUTCOMES)
        judged = iter(
            self._associator.associate(
                operation, saved, take_up_all=True, should_stop=options.should_stop
            )
        )
        seconds = (self._clock() - started).total_seconds()
        for receipt in batch.receipts:
            receipt.types.update(new[one.id] for one in receipt.saved if one.id in new)
            receipt.seconds += seconds * len(receipt.saved) / max(1, len(saved))
            receipt.saved = list(islice(judged, len(receipt.saved)))
            yield receipt

    def _take(
        self,
        operation: Operation,
        item: Found,
        known: Document | None,
        options: IngestOptions,
        batch: _Batch,
    ) -> None:
        started = self._clock()
        receipt = receipt_of(item)
        batch.receipts.append(receipt)
        if item.status is DocumentStatus.PENDING:
            # Once it was broken off, the run is told to stop.
            with suppress(BrokenOff):
                self._take_file(operation, item, known, options, batch)
        receipt.seconds = (self._clock() - started).total_seconds()

    def _take_file(
        self,
        operation: Operation,
        item: Found,
        known: Document | None,
        options: IngestOptions,
        batch: _Batch,
    ) -> None:
        receipt = batch.receipts[-1]
        file = self._intake.read(operation, item, known, options, receipt)
        if file is None:
            return
        if not self._is_prepared:
            self._embedder().expect_many()
            self._is_prepared = True
        taken = self._intake.prepare(operation, file, options, receipt)
        if options.should_stop():
            return
        if taken.text is not None:
            self._extract(taken.document, taken.chunks, taken.text, options, batch)
        elif taken.document.status is DocumentStatus.EMPTY:
            # Stored as a document without text, so that what an older version said is hidden.
            batch.extracted.append((receipt, ExtractedDocument(taken.document, ())))
        else:
            operation.record_document(taken.document)

    def _extract(
        self,
        document: Document,
        chunks: Sequence[Chunk],
        text: DocumentText,
        options: IngestOptions,
        batch: _Batch,
    ) -> None:
        """By the rules: as a whole and at once, to be stored together with other documents."""
        extraction = self._extractor.begin(text)
        extracted = []
        for chunk in chunks:
            if options.should_stop():
                return
            with options.breakable:
                result = extraction.extract(chunk)
            note_extraction(batch.receipts[-1], result)
            new = [self._new_memory(candidate, text, options) for candidate in result.candidates]
            extracted.append(ExtractedChunk(chunk, new))
            batch.memory_count += len(new)
            batch.unembedded += [memory.content for memory in new]
        if len(batch.unembedded) >= batch.texts_ahead:
            self._embed_ahead(batch)
            batch.texts_ahead = min(2 * batch.texts_ahead, TEXTS_AHEAD)
        done = replace(document, status=DocumentStatus.DONE)
        batch.extracted.append((batch.receipts[-1], ExtractedDocument(done, extracted)))

    def _new_memory(
        self, candidate: Candidate, text: DocumentText, options: IngestOptions
    ) -> NewMemory:
        return new_memory(candidate, text, options, self._extractor.name)
