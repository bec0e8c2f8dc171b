"""What became of each planned file, and what reading the store back has shown."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from memctl.migration.plan import PlannedFile
from memctl.new_memory import Outcome, SaveReceipt


@dataclass(slots=True, kw_only=True)
class FileOutcome:
    """One file after the migration. ``stored`` counts those of its planned memories that the
    store holds; ``hidden`` those that it no longer states."""

    file: PlannedFile
    receipts: list[SaveReceipt] = field(default_factory=list)
    was_known: bool = False
    hidden: int = 0
    messages: int = 0
    new_messages: int = 0
    stored: int = 0

    @property
    def outcomes(self) -> Counter[Outcome]:
        return Counter(receipt.outcome for receipt in self.receipts)

    @property
    def new(self) -> int:
        """Memories that the store did not have before."""
        return sum(receipt.outcome is not Outcome.UNCHANGED for receipt in self.receipts)

    @property
    def updated(self) -> int:
        return self.outcomes[Outcome.UPDATED]


@dataclass(slots=True, kw_only=True)
class Proof:
    """Counts of what was planned, is stored, and was found again.

    ``missing`` names what is not: ``file:line`` with why.
    """

    planned: int = 0
    stored: int = 0
    recalled: int = 0
    sampled: int = 0
    missing: list[str] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        return not self.missing and self.planned == self.stored
