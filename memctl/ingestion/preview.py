"""What taking files in would store: the pipeline, which only looks into the ledger and writes
nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from uuid import uuid4

from memctl.document import Document, DocumentStatus
from memctl.embedding import Embedder
from memctl.extraction.extractor import DocumentText, Extractor
from memctl.ingestion.discovery import Found, read_found
from memctl.ingestion.gone import known_document
from memctl.ingestion.ledger import is_closed
from memctl.ingestion.options import IngestOptions
from memctl.ingestion.preparation import cut_into_chunks, new_memory, prepare
from memctl.ingestion.receipt import (
    DocumentReceipt,
    note_extraction,
    note_known,
    note_outcome,
    receipt_of,
)
from memctl.ingestion.revision import Reviser, Said
from memctl.new_memory import NewMemory, Outcome
from memctl.store.chunk_writes import ChunkPlan
from memctl.store.foresight import ForeseenDocument, Foresight
from memctl.store.graph import Graph


class IngestPreview:
    """Reads and extracts, and stores nothing; a language model is asked all the same.

    ``graph`` is None where there is no store yet, so that no file can be known.
    """

    def __init__(
        self,
        *,
        graph: Graph | None,
        foresight: Foresight,
        extractor: Extractor,
        measure: Callable[[], Embedder],
        clock: Callable[[], datetime],
    ) -> None:
        self._graph = graph
        self._foresight = foresight
        self._reviser = Reviser(measure)
        self._extractor = extractor
        self._measure = measure
        self._clock = clock

    def preview(self, found: Sequence[Found], options: IngestOptions) -> Iterator[DocumentReceipt]:
        """A receipt with candidates for each file, in the given order.

        Raises LanguageModelError and its kinds.
        """
        for item in found:
            started = self._clock()
            receipt = receipt_of(item)
            if item.status is DocumentStatus.PENDING:
                self._preview_file(receipt, item, options)
            receipt.seconds = (self._clock() - started).total_seconds()
            yield receipt

    def _preview_file(self, receipt: DocumentReceipt, item: Found, options: IngestOptions) -> None:
        at_path = None if self._graph is None else self._graph.document_by_path(receipt.path)
        if at_path is not None and is_closed(at_path, retry=options.retry):
            note_known(receipt, at_path)
            return
        file = read_found(item)
        if file.status is not DocumentStatus.PENDING:
            receipt.status, receipt.reason = file.status, file.reason
            return
        known = self._settled(at_path, file.data, options)
        if known is not None:
            note_known(receipt, known)
            if known.path != receipt.path:
                receipt.renamed_from = known.path
            return
        outcome, redactions = prepare(item, file, options)
        note_outcome(receipt, outcome, redactions)
        text = outcome.document
        if text is not None:
            cut = cut_into_chunks(text, self._measure(), options)
            plan = self._foresight.plan_chunks(at_path, self._document(receipt), cut)
            new = self._extract(receipt, text, plan, options)
        elif outcome.status is DocumentStatus.EMPTY:
            plan, new = self._foresight.plan_chunks(at_path, self._document(receipt), []), []
        else:
            return
        self._note(receipt, self._foresight.store(at_path, plan, new))

    def _extract(
        self,
        receipt: DocumentReceipt,
        text: DocumentText,
        plan: ChunkPlan,
        options: IngestOptions,
    ) -> list[NewMemory]:
        """What the chunks state of which that is not known."""
        extraction = self._extractor.begin(text)
        new = []
        for chunk in plan.current:
            if chunk.extracted:
                continue
            result = extraction.extract(chunk)
            note_extraction(receipt, result)
            receipt.candidates.extend(result.candidates)
            for candidate in result.candidates:
                stated = new_memory(candidate, text, options, self._extractor.name)
                new.append(replace(stated, document_id=chunk.document_id, chunk_id=chunk.id))
        return new

    def _note(self, receipt: DocumentReceipt, foreseen: ForeseenDocument) -> None:
        receipt.saved, receipt.hidden = list(foreseen.receipts), list(foreseen.hidden)
        said = Said(foreseen.memories, lambda _ids: foreseen.passages)
        self._reviser.foresee(receipt, said)
        receipt.types.update(
            foreseen.memories[one.id].memory_type.value
            for one in receipt.saved
            if one.outcome is not Outcome.UNCHANGED
        )

    def _document(self, receipt: DocumentReceipt) -> Document:
        now = self._clock()
        return Document(
            id=str(uuid4()),
            path=receipt.path,
            content_hash="",
            size_bytes=0,
            modified_at=None,
            status=receipt.status,
            extractor=self._extractor.name,
            created_at=now,
            updated_at=now,
        )

    def _settled(
        self, at_path: Document | None, data: bytes, options: IngestOptions
    ) -> Document | None:
        """The document of a file that would be left alone: as it was taken in, or renamed since."""
        if self._graph is None:
            return None
        known, is_left_alone = known_document(
            self._graph,
            at_path,
            hashlib.sha256(data).hexdigest(),
            self._extractor.name,
            has_password=options.password is not None,
            retry=options.retry,
        )
        return known if is_left_alone else None
