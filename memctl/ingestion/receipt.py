"""What became of one document: the value that ingestion hands to whoever asked for it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime

from memctl.document import Candidate, Document, DocumentStatus, Usage
from memctl.errors import LanguageModelError
from memctl.extraction.extractor import ExtractionResult
from memctl.extraction.llm_errors import MissingKeyError
from memctl.ingestion.discovery import Found
from memctl.ingestion.readers.outcome import ReadOutcome
from memctl.ingestion.stability import Signature
from memctl.new_memory import Outcome, SaveReceipt

FAILED_STATUSES = frozenset(
    {
        DocumentStatus.PENDING,
        DocumentStatus.NO_TEXT,
        DocumentStatus.ENCRYPTED,
        DocumentStatus.UNREADABLE,
        DocumentStatus.FAILED,
        DocumentStatus.QUARANTINED,
    }
)
"""Ends that the user should do something about; they make the command's exit status 1 or 7."""


@dataclass(slots=True, kw_only=True)
class DocumentReceipt:
    """Status, memories and remarks of one document.

    ``saved`` says of each of its statements, in reading order, which memory now stands for it and
    what saving it did; ``types`` counts the new ones. ``candidates`` is filled by a dry run only.
    """

    path: str
    status: DocumentStatus
    reason: str | None = None
    encoding: str | None = None
    page_count: int | None = None
    pages_without_text: tuple[int, ...] = ()
    saved: list[SaveReceipt] = field(default_factory=list)
    types: Counter[str] = field(default_factory=Counter)
    candidates: list[Candidate] = field(default_factory=list)
    redactions: tuple[str, ...] = ()
    rejected: dict[str, int] = field(default_factory=dict)
    model_failed: bool = False
    """Whether it was the language model that failed."""
    model_unavailable: bool = False
    """Whether the model is to be asked about no other document either."""
    is_misconfigured: bool = False
    """Whether the model can be asked by nobody until its configuration is another."""
    next_step: str | None = None
    """What people can do so that the model can be asked again."""
    already_ingested: bool = False
    known_path: str | None = None
    """Of a file that was ingested already: the path under which the ledger knows it."""
    renamed_from: str | None = None
    """Of a file that was ingested already and renamed since: the path that it had."""
    signature: Signature | None = None
    """The state of the file that was read."""
    hidden: list[str] = field(default_factory=list)
    """Memories that the file no longer states and that are hidden now."""
    attempts: int = 0
    next_attempt_at: datetime | None = None
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
    seconds: float = 0.0

    @property
    def memory_ids(self) -> list[str]:
        """The memories that stand for its statements, those known before included."""
        return [receipt.id for receipt in self.saved]

    @property
    def outcomes(self) -> Counter[Outcome]:
        """How many statements had each outcome."""
        return Counter(receipt.outcome for receipt in self.saved)


def receipt_of(item: Found) -> DocumentReceipt:
    """The receipt of a file that has not been read."""
    return DocumentReceipt(path=str(item.path), status=item.status, reason=item.reason)


def note_known(receipt: DocumentReceipt, known: Document) -> None:
    """What the ledger has of a file that need not be read again."""
    receipt.already_ingested = True
    receipt.known_path = known.path
    receipt.status = known.status
    receipt.reason = known.reason
    receipt.encoding = known.encoding
    receipt.page_count = known.page_count
    receipt.pages_without_text = known.pages_without_text


def note_outcome(
    receipt: DocumentReceipt, outcome: ReadOutcome, redactions: tuple[str, ...]
) -> None:
    """What reading the file came to, and the kinds of secret that were taken out."""
    receipt.status = outcome.status
    receipt.reason = outcome.reason or "; ".join(outcome.warnings) or None
    receipt.encoding = outcome.encoding
    receipt.page_count = outcome.page_count
    receipt.pages_without_text = outcome.pages_without_text
    receipt.redactions = redactions


def note_extraction(receipt: DocumentReceipt, result: ExtractionResult) -> None:
    """What one chunk gave, candidates apart."""
    for reason, count in result.rejected:
        receipt.rejected[reason] = receipt.rejected.get(reason, 0) + count
    note_usage(receipt, usage_of(result))


def note_model_error(receipt: DocumentReceipt, error: LanguageModelError) -> None:
    """That a model failed which is to blame for it, and not the document."""
    receipt.model_failed = True
    receipt.is_misconfigured = isinstance(error, MissingKeyError)
    receipt.next_step = error.next_step


def note_usage(receipt: DocumentReceipt, usage: Usage) -> None:
    """What a language model was asked for the document."""
    receipt.calls += usage.calls
    receipt.input_tokens += usage.input_tokens
    receipt.output_tokens += usage.output_tokens
    receipt.cost_usd += usage.cost_usd


def usage_of(result: ExtractionResult) -> Usage:
    """What an extraction cost."""
    return Usage(
        calls=result.calls,
        input_tokens=result.input_tokens,
        output_tokens=result.output_tokens,
        cost_usd=result.cost_usd,
    )
