"""From files to memories: read, redact, chunk, extract, store, and a receipt for each.

A document's chunks are stored before anything is taken from them, and a chunk's memories are
committed together with the mark that it is done, so a run that is broken off goes on where it
stopped. The files themselves are only ever read.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING
from uuid import uuid4

from memctl.associating import STORING_OUTCOMES
from memctl.errors import LanguageModelError, LanguageModelResponseError
from memctl.extraction.extractor import (
    RULES_EXTRACTOR,
    DocumentText,
    ExtractionResult,
    Extractor,
)
from memctl.ingestion.discovery import FileContent, Found, read_found
from memctl.ingestion.options import IngestOptions
from memctl.ingestion.preparation import cut_into_chunks, prepare
from memctl.ingestion.receipt import (
    DocumentReceipt,
    note_extraction,
    note_outcome,
    receipt_of,
)
from memctl.memory import (
    Candidate,
    Chunk,
    Document,
    DocumentStatus,
    NewMemory,
    Origin,
    Usage,
)
from memctl.store.document_writes import ExtractedChunk, ExtractedDocument

if TYPE_CHECKING:
    from memctl.associating import Associator
    from memctl.embedding import Embedder
    from memctl.ingestion.readers.outcome import ReadOutcome
    from memctl.store.graph import Graph
    from memctl.store.memory_store import MemoryStore
    from memctl.store.operation import Operation

SETTLED_STATUSES = frozenset(
    {
        DocumentStatus.DONE,
        DocumentStatus.EMPTY,
        DocumentStatus.NO_TEXT,
        DocumentStatus.ENCRYPTED,
        DocumentStatus.UNREADABLE,
        DocumentStatus.UNSUPPORTED,
    }
)
"""Ends that only a change of the file, or of the extractor, can alter."""

SETTLE_MEMORIES = 1_024
"""New memories after which the index is brought up to date: enough for full embedding batches."""

SETTLE_SECONDS = 2.0
"""Time after which it is brought up to date all the same, so that a slow run is searchable."""


SETTLE_DOCUMENTS = 64
"""Documents stored in one transaction at the most: six times cheaper for each than alone."""


@dataclass(slots=True)
class _Batch:
    """Documents in hand since the index was last brought up to date, and those of them that are
    extracted and wait to be stored."""

    begun_at: datetime
    receipts: list[DocumentReceipt] = field(default_factory=list)
    extracted: list[tuple[DocumentReceipt, ExtractedDocument]] = field(default_factory=list)

    @property
    def memory_count(self) -> int:
        waiting = sum(len(part.memories) for _, one in self.extracted for part in one.chunks)
        return waiting + sum(len(receipt.saved) for receipt in self.receipts)


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
        clock: Callable[[], datetime],
        warn: Callable[[str], None],
    ) -> None:
        self._store = store
        self._graph = graph
        self._extractor = extractor
        self._associator = associator
        self._measure = measure
        self._clock = clock
        self._warn = warn

    def ingest(self, found: Sequence[Found], options: IngestOptions) -> Iterator[DocumentReceipt]:
        """Takes every file in and yields its receipt, in the given order.

        One operation of the journal. A file of known content is left alone. When the language
        model cannot be asked at all, the remaining files stay pending and say so. Raises
        StoreError and its kinds.
        """
        paths = [str(item.path) for item in found]
        with self._store.operation("ingest", {"paths": paths}) as operation:
            batch = _Batch(self._clock())
            unavailable: LanguageModelError | None = None
            for item in found:
                if unavailable is not None:
                    batch.receipts.append(_not_tried(item, unavailable))
                    continue
                unavailable = self._take(operation, item, options, batch)
                if self._is_due(batch):
                    yield from self._settle(operation, batch)
                    batch = _Batch(self._clock())
            yield from self._settle(operation, batch)

    def _is_due(self, batch: _Batch) -> bool:
        waited = (self._clock() - batch.begun_at).total_seconds()
        return (
            batch.memory_count >= SETTLE_MEMORIES
            or len(batch.extracted) >= SETTLE_DOCUMENTS
            or waited >= SETTLE_SECONDS
        )

    def _settle(self, operation: Operation, batch: _Batch) -> Iterator[DocumentReceipt]:
        """Stores what was extracted, brings the index up to date, and says what the new memories
        mean for the old ones."""
        if batch.extracted:
            stored = operation.store_documents([document for _, document in batch.extracted])
            for (receipt, _), one in zip(batch.extracted, stored, strict=True):
                receipt.saved = list(one.receipts)
                receipt.hidden_count = len(one.hidden)
        drained = self._store.drain()
        if drained.error is not None:
            self._warn(str(drained.error))
        saved = [one for receipt in batch.receipts for one in receipt.saved]
        new = self._graph.memories(one.id for one in saved if one.outcome in STORING_OUTCOMES)
        judged = iter(self._associator.associate(operation, saved))
        for receipt in batch.receipts:
            receipt.types.update(new[one.id].memory_type for one in receipt.saved if one.id in new)
            receipt.saved = list(islice(judged, len(receipt.saved)))
            yield receipt

    def _take(
        self, operation: Operation, item: Found, options: IngestOptions, batch: _Batch
    ) -> LanguageModelError | None:
        started = self._clock()
        receipt = receipt_of(item)
        batch.receipts.append(receipt)
        unavailable = None
        if item.status is DocumentStatus.PENDING:
            unavailable = self._take_file(operation, item, options, batch)
        receipt.seconds = (self._clock() - started).total_seconds()
        return unavailable

    def _take_file(
        self, operation: Operation, item: Found, options: IngestOptions, batch: _Batch
    ) -> LanguageModelError | None:
        receipt = batch.receipts[-1]
        file = read_found(item)
        if file.status is not DocumentStatus.PENDING:
            receipt.status, receipt.reason = file.status, file.reason
            return None
        content_hash = hashlib.sha256(file.data).hexdigest()
        known = self._graph.document_by_path(receipt.path)
        if known is not None and self._is_settled(known, content_hash, options):
            _note_known(receipt, known)
            return None
        outcome, redactions = prepare(item, file, options)
        note_outcome(receipt, outcome, redactions)
        document = self._document(receipt, content_hash, file, outcome)
        if outcome.status is DocumentStatus.EMPTY:
            # Stored as a document without text, so that what an older version said is hidden.
            batch.extracted.append((receipt, ExtractedDocument(document, ())))
            return None
        if outcome.document is None:
            operation.record_document(document)
            return None
        chunks = cut_into_chunks(outcome.document, self._measure(), options)
        if self._extractor.name == RULES_EXTRACTOR:
            self._extract(document, chunks, outcome.document, options, batch)
            return None
        return self._ask_model(operation, document, chunks, outcome.document, options, receipt)

    def _is_settled(self, known: Document, content_hash: str, options: IngestOptions) -> bool:
        if known.status is DocumentStatus.ENCRYPTED and options.password is not None:
            return False
        same = known.content_hash == content_hash and known.extractor == self._extractor.name
        return same and known.status in SETTLED_STATUSES

    def _document(
        self,
        receipt: DocumentReceipt,
        content_hash: str,
        file: FileContent,
        outcome: ReadOutcome,
    ) -> Document:
        now = self._clock()
        text = outcome.document
        return Document(
            id=str(uuid4()),
            path=receipt.path,
            content_hash=content_hash,
            size_bytes=len(file.data),
            modified_at=file.modified_at,
            status=DocumentStatus.EXTRACTING if text is not None else outcome.status,
            reason=outcome.reason,
            encoding=outcome.encoding,
            page_count=outcome.page_count,
            pages_without_text=outcome.pages_without_text,
            document_date=None if text is None else text.document_date,
            extractor=self._extractor.name,
            attempts=1,
            redaction_count=len(receipt.redactions),
            created_at=now,
            updated_at=now,
        )

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
            result = extraction.extract(chunk)
            note_extraction(batch.receipts[-1], result)
            new = [self._new_memory(candidate, text, options) for candidate in result.candidates]
            extracted.append(ExtractedChunk(chunk, new))
        done = replace(document, status=DocumentStatus.DONE)
        batch.extracted.append((batch.receipts[-1], ExtractedDocument(done, extracted)))

    def _ask_model(
        self,
        operation: Operation,
        document: Document,
        chunks: Sequence[Chunk],
        text: DocumentText,
        options: IngestOptions,
        receipt: DocumentReceipt,
    ) -> LanguageModelError | None:
        """Extracts chunk by chunk, each in a transaction of its own: an answer costs time and
        money and must not be lost. Returns the error that makes asking on useless."""
        begun = operation.begin_document(document, chunks)
        extraction = self._extractor.begin(text)
        failure: LanguageModelError | None = None
        for chunk in begun.chunks:
            if chunk.extracted:
                continue
            try:
                result = extraction.extract(chunk)
            except LanguageModelError as error:
                operation.fail_chunk(chunk.id, str(error), _spent(error))
                failure = error
                if not isinstance(error, LanguageModelResponseError):
                    break
                continue
            self._commit(operation, chunk, result, text, options, receipt)
        self._finish(operation, begun.document, receipt, failure)
        return None if isinstance(failure, LanguageModelResponseError) else failure

    def _commit(
        self,
        operation: Operation,
        chunk: Chunk,
        result: ExtractionResult,
        text: DocumentText,
        options: IngestOptions,
        receipt: DocumentReceipt,
    ) -> None:
        new = [self._new_memory(candidate, text, options) for candidate in result.candidates]
        saved = operation.commit_chunk(chunk.id, new, _usage(result))
        note_extraction(receipt, result)
        receipt.saved += saved

    def _finish(
        self,
        operation: Operation,
        document: Document,
        receipt: DocumentReceipt,
        failure: LanguageModelError | None,
    ) -> None:
        receipt.status = DocumentStatus.DONE if failure is None else DocumentStatus.FAILED
        receipt.reason = None if failure is None else str(failure)
        receipt.model_failed = failure is not None
        hidden = operation.finish_document(
            document.id,
            receipt.status,
            receipt.reason,
            content_hash=document.content_hash,
        )
        receipt.hidden_count = len(hidden)

    def _new_memory(
        self, candidate: Candidate, text: DocumentText, options: IngestOptions
    ) -> NewMemory:
        return NewMemory(
            content=candidate.content,
            memory_type=candidate.memory_type,
            importance=candidate.importance,
            source=text.path,
            channel_id=options.channel_id,
            subject=candidate.subject,
            key=candidate.key,
            tags=(*text.tags, *candidate.tags, *options.tags),
            event_at=candidate.event_at,
            origin=Origin.FILE if self._extractor.name == RULES_EXTRACTOR else Origin.LLM,
            first_line=candidate.first_line,
            last_line=candidate.last_line,
            page=candidate.page,
        )


def _not_tried(item: Found, error: LanguageModelError) -> DocumentReceipt:
    receipt = receipt_of(item)
    if receipt.status is DocumentStatus.PENDING:
        receipt.reason = f"not tried: {error}"
        receipt.model_failed = True
    return receipt


def _note_known(receipt: DocumentReceipt, known: Document) -> None:
    receipt.already_ingested = True
    receipt.status = known.status
    receipt.reason = known.reason
    receipt.encoding = known.encoding
    receipt.page_count = known.page_count
    receipt.pages_without_text = known.pages_without_text


def _spent(error: LanguageModelError) -> Usage:
    usage = error.data.get("usage")
    return usage if isinstance(usage, Usage) else Usage()


def _usage(result: ExtractionResult) -> Usage:
    return Usage(
        calls=result.calls,
        input_tokens=result.input_tokens,
        output_tokens=result.output_tokens,
        cost_usd=result.cost_usd,
    )
