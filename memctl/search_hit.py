"""What recall answers: hits, each with the parts of its score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from memctl.memory import Chunk, Citation, Memory


class ScorePart(NamedTuple):
    """One contribution to a hit's score.

    ``rank`` counts from 1 in that strategy's list; ``raw_score`` is a cosine similarity (vector,
    asked), a BM25 score (text) or a path weight (graph).
    """

    strategy: str
    contribution: float
    rank: int | None = None
    raw_score: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchHit:
    """One answer of recall: a memory, or a chunk where passages were asked for.

    ``rank`` counts from 1; ``score`` is the fused score, higher is better, and is comparable only
    within one answer. ``collapsed`` are ids of other wordings of the same claim.
    """

    rank: int
    score: float
    memory: Memory | None
    chunk: Chunk | None = None
    citation: Citation | None = None
    parts: tuple[ScorePart, ...] = ()
    collapsed: tuple[str, ...] = ()
    contradicted_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """What recall answers: hits in order, and what the user should know about how it went."""

    hits: tuple[SearchHit, ...]
    warnings: tuple[str, ...] = ()
