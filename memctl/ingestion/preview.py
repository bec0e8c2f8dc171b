"""What taking files in would store: the pipeline without a store."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

from memctl.document import DocumentStatus
from memctl.embedding import Embedder
from memctl.extraction.extractor import Extractor
from memctl.ingestion.discovery import Found, read_found
from memctl.ingestion.options import IngestOptions
from memctl.ingestion.preparation import cut_into_chunks, prepare
from memctl.ingestion.receipt import (
    DocumentReceipt,
    note_extraction,
    note_outcome,
    receipt_of,
)


class IngestPreview:
    """Reads and extracts, and stores nothing; a language model is asked all the same."""

    def __init__(
        self,
        *,
        extractor: Extractor,
        measure: Callable[[], Embedder],
        clock: Callable[[], datetime],
    ) -> None:
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
        file = read_found(item)
        if file.status is not DocumentStatus.PENDING:
            receipt.status, receipt.reason = file.status, file.reason
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
