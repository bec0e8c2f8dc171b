"""From a path to what is to be extracted: the file is read, known ones are told apart, the text is
redacted and cut.

The file is only ever read. What is known already is noted in the receipt and goes no further.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import uuid4

from memctl.document import Document, DocumentStatus
from memctl.ingestion.discovery import FileContent, Found, read_found
from memctl.ingestion.gone import find_renamed
from memctl.ingestion.ledger import after_failure, attempts_before, is_closed, is_settled
from memctl.ingestion.preparation import cut_into_chunks, prepare
from memctl.ingestion.receipt import note_known, note_outcome
from memctl.memory import Chunk

if TYPE_CHECKING:
    from memctl.embedding import Embedder
    from memctl.extraction.extractor import DocumentText
    from memctl.ingestion.options import IngestOptions
    from memctl.ingestion.receipt import DocumentReceipt
    from memctl.store.graph import Graph
    from memctl.store.operation import Operation

MARKED_BYTES = 1_000_000
"""Files of this size and more are recorded as being read while they are: it takes seconds."""


@dataclass(frozen=True, slots=True)
class ReadFile:
    """The bytes of a file that is to be taken in, and what the ledger knows of its path."""

    item: Found
    content: FileContent
    content_hash: str
    attempts: int
    """How often these very bytes have failed before."""


@dataclass(frozen=True, slots=True)
class TakenFile:
    """A document as it is to be stored; ``text`` None when the file gave none."""

    document: Document
    text: DocumentText | None = None
    chunks: tuple[Chunk, ...] = ()


class Intake:
    """Reads files for one extractor, whose name decides whether a file is known."""

    def __init__(
        self,
        graph: Graph,
        *,
        extractor_name: str,
        measure: Callable[[], Embedder],
        clock: Callable[[], datetime],
    ) -> None:
        self._graph = graph
        self._extractor_name = extractor_name
        self._measure = measure
        self._clock = clock

    def read(
        self,
        operation: Operation,
        item: Found,
        known: Document | None,
        options: IngestOptions,
        receipt: DocumentReceipt,
    ) -> ReadFile | None:
        """The file's bytes; None when there is nothing to do, and why stands in the receipt.
        ``known`` is what the ledger has of its path."""
        if known is not None and is_closed(known, retry=options.retry):
            note_known(receipt, known)
            return None
        content = read_found(item)
        receipt.signature = content.signature
        if content.status is not DocumentStatus.PENDING:
            receipt.status, receipt.reason = content.status, content.reason
            is_news = known is None or (known.status, known.reason) != _state(receipt)
            if content.status is DocumentStatus.UNREADABLE and is_news:
                # Without a hash, so that the next run looks at the file again.
                unread = ReadFile(item, content, "", attempts=0)
                operation.record_document(self.document(unread, receipt, content.status))
            return None
        content_hash = hashlib.sha256(content.data).hexdigest()
        known = (
            known
            or self._archived(content_hash, options)
            or self._renamed(operation, content_hash, options, receipt)
        )
        has_password = options.password is not None
        extractor = self._extractor_name
        if known is not None and is_settled(
            known, content_hash, extractor, has_password=has_password, retry=options.retry
        ):
            note_known(receipt, known)
            return None
        attempts = attempts_before(known, content_hash, extractor, retry=options.retry)
        return ReadFile(item, content, content_hash, attempts)

    def prepare(
        self, operation: Operation, file: ReadFile, options: IngestOptions, receipt: DocumentReceipt
    ) -> TakenFile:
        """The file's text in chunks, or the state that stands in its place. Raises BrokenOff."""
        if len(file.content.data) >= MARKED_BYTES:
            operation.record_document(self.document(file, receipt, DocumentStatus.READING))
        with options.breakable:
            outcome, redactions = prepare(file.item, file.content, options)
        note_outcome(receipt, outcome, redactions)
        text = outcome.document
        status = DocumentStatus.EXTRACTING if text is not None else outcome.status
        document = replace(
            self.document(file, receipt, status),
            attempts=file.attempts + 1,
            encoding=outcome.encoding,
            page_count=outcome.page_count,
            pages_without_text=outcome.pages_without_text,
            document_date=None if text is None else text.document_date,
            redaction_count=len(redactions),
        )
        if status is DocumentStatus.FAILED:
            verdict = after_failure(document.attempts, options.max_attempts, self._clock())
            document = replace(
                document, status=verdict.status, next_attempt_at=verdict.next_attempt_at
            )
            receipt.status, receipt.next_attempt_at = verdict.status, verdict.next_attempt_at
        if text is None:
            return TakenFile(document)
        measure = self._measure()
        with options.breakable:
            chunks = cut_into_chunks(text, measure, options)
        return TakenFile(document, text, tuple(chunks))

    def document(
        self, file: ReadFile, receipt: DocumentReceipt, status: DocumentStatus
    ) -> Document:
        """What the ledger says of a file of which only the bytes are known."""
        now = self._clock()
        return Document(
            id=str(uuid4()),
            path=receipt.path,
            content_hash=file.content_hash,
            size_bytes=len(file.content.data),
            modified_at=file.content.modified_at,
            status=status,
            reason=receipt.reason,
            extractor=self._extractor_name,
            attempts=file.attempts,
            created_at=now,
            updated_at=now,
        )

    def _archived(self, content_hash: str, options: IngestOptions) -> Document | None:
        """The document of these bytes that was moved to the archive before."""
        if options.archive_folder is None:
            return None
        inside = f"{options.archive_folder}/"
        copies = self._graph.documents_with_hash(content_hash)
        return next((copy for copy in copies if copy.path.startswith(inside)), None)

    def _renamed(
        self,
        operation: Operation,
        content_hash: str,
        options: IngestOptions,
        receipt: DocumentReceipt,
    ) -> Document | None:
        """The document of these bytes whose file is gone from its old path: the ledger follows."""
        document = find_renamed(
            self._graph,
            content_hash,
            self._extractor_name,
            has_password=options.password is not None,
            retry=options.retry,
        )
        if document is None:
            return None
        receipt.renamed_from = document.path
        return operation.move_document(document.id, receipt.path)


def _state(receipt: DocumentReceipt) -> tuple[DocumentStatus, str | None]:
    return receipt.status, receipt.reason
