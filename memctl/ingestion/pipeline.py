"""From files to memories: read, redact, chunk, extract, store, and a receipt for each.

A document's chunks are stored before anything is taken from them, and a chunk's memories are
committed together with the mark that it is done, so a run that is broken off goes on where it
stopped. The files themselves are only ever read.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING
from uuid import uuid4

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
    Outcome,
    SaveReceipt,
    Usage,
)

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
            batch: list[DocumentReceipt] = []
            settled_at = self._clock()
            unavailable: LanguageModelError | None = None
            for item in found:
                if unavailable is not None:
                    batch.append(_not_tried(item, unavailable))
                    continue
                receipt, unavailable = self._take(operation, item, options)
                batch.append(receipt)
                if self._is_due(batch, settled_at):
                    yield from self._settle(operation, batch)
                    batch, settled_at = [], self._clock()
            yield from self._settle(operation, batch)

    def _is_due(self, batch: Sequence[DocumentReceipt], settled_at: datetime) -> bool:
        new = sum(len(receipt.memory_ids) for receipt in batch)
        waited = (self._clock() - settled_at).total_seconds()
        return new >= SETTLE_MEMORIES or waited >= SETTLE_SECONDS

    def _settle(
        self, operation: Operation, batch: Sequence[DocumentReceipt]
    ) -> Iterator[DocumentReceipt]:
        """Brings the index up to date, then says what the new memories mean for the old ones."""
        if any(not receipt.already_ingested for receipt in batch):
            drained = self._store.drain()
            if drained.error is not None:
                self._warn(str(drained.error))
        saved = [one for receipt in batch for one in receipt.saved]
        judged = iter(self._associator.associate(operation, saved))
        for receipt in batch:
            receipt.saved = list(islice(judged, len(receipt.saved)))
            yield receipt

    def _take(
        self, operation: Operation, item: Found, options: IngestOptions
    ) -> tuple[DocumentReceipt, LanguageModelError | None]:
        started = self._clock()
        receipt = receipt_of(item)
        unavailable = None
        if item.status is DocumentStatus.PENDING:
            unavailable = self._take_file(operation, item, options, receipt)
        receipt.seconds = (self._clock() - started).total_seconds()
        return receipt, unavailable

    def _take_file(
        self, operation: Operation, item: Found, options: IngestOptions, receipt: DocumentReceipt
    ) -> LanguageModelError | None:
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
        if outcome.document is None:
            operation.record_document(document)
            return None
        return self._take_text(operation, document, outcome.document, options, receipt)

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

    def _take_text(
        self,
        operation: Operation,
        document: Document,
        text: DocumentText,
        options: IngestOptions,
        receipt: DocumentReceipt,
    ) -> LanguageModelError | None:
        chunks = cut_into_chunks(text, self._measure(), options)
        if self._extractor.name != RULES_EXTRACTOR:
            return self._ask_model(operation, document, chunks, text, options, receipt)
        extraction = self._extractor.begin(text)
        results = [extraction.extract(chunk) for chunk in chunks]
        with operation.transaction():
            begun = operation.begin_document(document, chunks)
            for chunk, result in zip(begun.chunks, results, strict=True):
                if not chunk.extracted:
                    self._commit(operation, chunk, result, text, options, receipt)
            self._finish(operation, begun.document, receipt, None)
        return None

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
                operation.fail_chunk(chunk.id, str(error))
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
        _note_saved(receipt, result.candidates, saved)

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


def _note_saved(
    receipt: DocumentReceipt, candidates: Sequence[Candidate], saved: Sequence[SaveReceipt]
) -> None:
    for candidate, one in zip(candidates, saved, strict=False):
        receipt.saved.append(one)
        if one.outcome is not Outcome.UNCHANGED:
            receipt.types[candidate.memory_type.value] += 1


def _usage(result: ExtractionResult) -> Usage:
    return Usage(
        calls=result.calls,
        input_tokens=result.input_tokens,
        output_tokens=result.output_tokens,
        cost_usd=result.cost_usd,
    )
