"""What taking files in would store: the pipeline, which only looks into the ledger and writes
nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

from memctl.document import Document, DocumentStatus
from memctl.embedding import Embedder
from memctl.extraction.extractor import Extractor
from memctl.ingestion.discovery import Found, read_found
from memctl.ingestion.gone import known_document
from memctl.ingestion.ledger import is_closed
from memctl.ingestion.options import IngestOptions
from memctl.ingestion.preparation import cut_into_chunks, prepare
from memctl.ingestion.receipt import (
    DocumentReceipt,
    note_extraction,
    note_known,
    note_outcome,
    receipt_of,
)
from memctl.store.graph import Graph


class IngestPreview:
    """Reads and extracts, and stores nothing; a language model is asked all the same.

    ``graph`` is None where there is no store yet, so that no file can be known.
    """

    def __init__(
        self,
        *,
        graph: Graph | None,
        extractor: Extractor,
        measure: Callable[[], Embedder],
        clock: Callable[[], datetime],
    ) -> None:
        self._graph = graph
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
        if outcome.document is None:
            return
        extraction = self._extractor.begin(outcome.document)
        for chunk in cut_into_chunks(outcome.document, self._measure(), options):
            result = extraction.extract(chunk)
            note_extraction(receipt, result)
            receipt.candidates.extend(result.candidates)
            receipt.types.update(candidate.memory_type.value for candidate in result.candidates)

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
