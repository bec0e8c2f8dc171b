"""What a caller may ask of recall: plain values, checked when they are made.

Importing this module loads nothing heavy, so that the command line can name modes and sorts.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from memctl.memory import MemoryFilter
from memctl.search.gate import PASS_THRESHOLD


class RecallMode(StrEnum):
    """How memories are found; only HYBRID needs a query, the index and the embedding model."""

    HYBRID = "hybrid"
    RECENT = "recent"
    IMPORTANT = "important"
    TYPED = "typed"


class RecallSort(StrEnum):
    """The order of TYPED; equal ones go by creation, newest first."""

    RECENT = "recent"
    IMPORTANCE = "importance"
    ACCESSED = "accessed"


class RecallKind(StrEnum):
    """What HYBRID answers with: memories, verbatim passages of documents, or both. BEST is
    memories, and passages where no memory is an answer."""

    BEST = "best"
    MEMORY = "memory"
    CHUNK = "chunk"
    ALL = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class CompositeWeights:
    """ScalyClaw's composite score: how much meaning, freshness and importance count (each >= 0).

    The defaults are ScalyClaw's.
    """

    semantic: float = 0.6
    recency: float = 0.2
    importance: float = 0.2

    def __post_init__(self) -> None:
        parts = (self.semantic, self.recency, self.importance)
        if min(parts) < 0 or not any(parts):
            raise ValueError("weights must be 0 or more, and one of them above 0")


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallRequest:
    """One question to the store.

    ``as_of`` answers with what was known at that instant and was current then.
    ``minimum_score`` takes the place of the gate's threshold, a degree of evidence in 0..1 (see
    ``gate``); 0 lets everything through. ``include_superseded`` keeps outdated memories, below
    their successors. ``weights`` orders by the composite score. ``mmr_lambda`` in 0..1 (OpenClaw:
    0.7) trades relevance for variety, and ``half_life_days`` halves scores with age.
    """

    query: str = ""
    mode: RecallMode = RecallMode.HYBRID
    memory_filter: MemoryFilter = field(default_factory=MemoryFilter)
    limit: int = 10
    sort: RecallSort = RecallSort.RECENT
    kind: RecallKind = RecallKind.BEST
    as_of: datetime | None = None
    minimum_score: float | None = None
    include_superseded: bool = True
    weights: CompositeWeights | None = None
    mmr_lambda: float | None = None
    half_life_days: float | None = None

    def __post_init__(self) -> None:
        if self.limit < 1:
            raise ValueError("limit must be 1 or more")
        for name in ("minimum_score", "mmr_lambda"):
            value = getattr(self, name)
            if value is not None and not 0 <= value <= 1:
                raise ValueError(f"{name} must lie in 0..1")
        if self.half_life_days is not None and self.half_life_days <= 0:
            raise ValueError("half_life_days must be above 0")

    @property
    def threshold(self) -> float:
        """The degree of evidence that opens the gate."""
        return PASS_THRESHOLD if self.minimum_score is None else self.minimum_score

    @property
    def needs_index(self) -> bool:
        """Whether the search index and, if it can be had, the embedding model are used."""
        return self.mode is RecallMode.HYBRID
