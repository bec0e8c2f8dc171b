"""What maintenance is told and what it answers: plain values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from memctl.errors import MemctlError
from memctl.maintenance.decay import DecayPolicy

MAINTAIN_COMMAND = "maintain"


class StepName(StrEnum):
    """The steps of maintenance, in the order in which they run."""

    DECAY = "decay"
    EXPIRE = "expire"
    PRUNE = "prune"
    MERGE = "merge"
    CONSOLIDATE = "consolidate"
    CENTRALITY = "centrality"
    REINDEX = "reindex"
    COMPACT = "compact"


DEFAULT_STEPS = tuple(name for name in StepName if name is not StepName.CONSOLIDATE)
"""What a run does unless told otherwise: all that needs no language model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MaintenancePolicy:
    """The thresholds of all steps. ``hide_share`` (0..1) bounds what one run hides by
    whichever steps, None not at all; the similarities are cosines."""

    interval: timedelta = timedelta(hours=168)
    decay: DecayPolicy = field(default_factory=DecayPolicy)
    prune_below: float = 0.1
    prune_age: timedelta = timedelta(days=30)
    hide_share: float | None = 0.2
    merge_similarity: float = 0.95
    consolidate_similarity: float = 0.85
    journal_age: timedelta = timedelta(days=365)


@dataclass(frozen=True, slots=True)
class PlannedChange:
    """One thing that a step is to do to a memory: ``note`` says what, in words."""

    memory_id: str
    note: str
    into: str | None = None
    """The memory that is to stand in its place."""


@dataclass(frozen=True, slots=True)
class StepPlan:
    """What a step is to do: ``count`` things, of which ``changes`` names those about memories.

    ``withheld`` more were left for a later run; ``work`` is what the step itself needs to know.
    """

    count: int
    changes: Sequence[PlannedChange] = ()
    withheld: int = 0
    work: object = None


@dataclass(frozen=True, slots=True)
class Consolidated:
    """A memory that a language model wrote, and those that are hidden behind it."""

    memory_id: str
    content: str
    hidden_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LeftAlone:
    """Memories for which no statement was taken, and why."""

    memory_ids: tuple[str, ...]
    why: str


@dataclass(slots=True)
class Consolidation:
    """What a language model was asked about and what became of it; ``error`` is what stopped the
    asking, None where all was asked."""

    written: list[Consolidated] = field(default_factory=list)
    left_alone: list[LeftAlone] = field(default_factory=list)
    error: MemctlError | None = None


@dataclass(frozen=True, slots=True)
class StepReport:
    """What a step planned and did; ``planned`` counts what ``applied`` does."""

    name: StepName
    plan: StepPlan
    applied: int
    seconds: float
    consolidation: Consolidation | None = None
    error: MemctlError | None = None
    """What kept the step from being done."""

    @property
    def planned(self) -> int:
        return self.plan.count


@dataclass(frozen=True, slots=True)
class Due:
    """When maintenance ran as a whole last, and when it is to run again."""

    last: datetime | None
    next: datetime | None

    def is_due(self, now: datetime) -> bool:
        """A last run that lies in the future was one of a clock that was wrong, and counts for
        nothing."""
        if self.last is None or self.next is None:
            return True
        return not self.last <= now < self.next


def hide_budget(visible: int, share: float | None) -> int | None:
    """How many memories a run may hide: a share of those there are, but always one, so that a
    small store is maintained too. None without a bound."""
    return None if share is None else max(1, int(visible * share))
