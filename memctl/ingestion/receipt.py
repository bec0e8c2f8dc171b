"""What became of one document: the value that ingestion hands to whoever asked for it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from memctl.memory import Candidate, DocumentStatus, Outcome, SaveReceipt

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
    already_ingested: bool = False
    hidden_count: int = 0
    """Memories that the file no longer states and that are hidden now."""
    calls: int = 0
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
