"""Fuses ranked lists into one order and adjusts it: pure functions on ids and numbers.

Every score is the sum of its parts, and equal scores go by id, so the same lists always give the
same order.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from memctl.memory import ScorePart


class Fusion(StrEnum):
    """How ranked lists become one score: by rank, or by score relative to the list's best."""

    RRF = "rrf"
    RELATIVE = "relative"


@dataclass(frozen=True, slots=True)
class RankedHit:
    """One id of a list with its rank (from 1; several may share one) and its raw score."""

    id: str
    rank: int
    raw_score: float


@dataclass(frozen=True, slots=True)
class RankedList:
    """What one strategy found, the best first; ``weight`` is its say."""

    strategy: str
    weight: float
    hits: Sequence[RankedHit]


def ranked(pairs: Iterable[tuple[str, float]]) -> tuple[RankedHit, ...]:
    """Ids with raw scores, the best first, numbered from 1."""
    return tuple(RankedHit(key, rank, raw) for rank, (key, raw) in enumerate(pairs, start=1))


Parts = dict[str, tuple[ScorePart, ...]]
"""By id, all contributions to its score."""


def reciprocal_rank_fusion(lists: Iterable[RankedList], k: float) -> Parts:
    """Each list contributes weight / (k + rank), ranks from 1 (Cormack, Clarke and Büttcher,
    SIGIR 2009, with weights)."""
    return _fuse(lists, lambda found, hit: found.weight / (k + hit.rank))


def relative_score_fusion(lists: Iterable[RankedList], k: float) -> Parts:
    """Each list contributes weight / (k + 1) times its raw score over the list's best.

    ``k`` only keeps the scale of ``reciprocal_rank_fusion``: a first place is worth the same.
    """

    def contribution(found: RankedList, hit: RankedHit) -> float:
        best = found.hits[0].raw_score
        share = max(hit.raw_score, 0.0) / best if best > 0 else 0.0
        return found.weight * share / (k + 1)

    return _fuse(lists, contribution)


FUSIONS: Mapping[Fusion, Callable[[Iterable[RankedList], float], Parts]] = {
    Fusion.RRF: reciprocal_rank_fusion,
    Fusion.RELATIVE: relative_score_fusion,
}


def score_of(parts: Iterable[ScorePart]) -> float:
    """The score that parts add up to."""
    return math.fsum(part.contribution for part in parts)


def in_order(scores: Mapping[str, float]) -> list[str]:
    """Ids by falling score, equal ones by id."""
    return sorted(scores, key=lambda key: (-scores[key], key))


def add_part(parts: Parts, key: str, strategy: str, contribution: float) -> None:
    """Adds one contribution, unless it is nothing."""
    if contribution:
        parts[key] = (*parts.get(key, ()), ScorePart(strategy, contribution))


def break_near_ties(parts: Parts, priors: Mapping[str, float], margin: float) -> None:
    """Adds up to ``margin`` times the best score, by each id's prior in 0..1.

    Two ids change places only if their scores differ by less than that.
    """
    best = max(map(score_of, parts.values()), default=0.0)
    for key in list(parts):
        add_part(parts, key, "prior", best * margin * min(1.0, max(0.0, priors.get(key, 0.0))))


def recency(age_days: float, half_life_days: float) -> float:
    """A factor in 0..1 that halves with each half-life; the future counts as now."""
    return math.exp2(-max(0.0, age_days) / half_life_days)


def scaled(parts: tuple[ScorePart, ...], factor: float, strategy: str) -> tuple[ScorePart, ...]:
    """The parts with one more that brings their sum to ``factor`` times what it was."""
    change = score_of(parts) * (factor - 1)
    return (*parts, ScorePart(strategy, change)) if change else parts


def composite_parts(
    relevance: float,
    recency_factor: float,
    importance: float,
    weights: tuple[float, float, float],
) -> tuple[ScorePart, ...]:
    """ScalyClaw's weighted sum of relevance, recency and importance, each in 0..1."""
    values = {"semantic": relevance, "recency": recency_factor, "importance": importance}
    return tuple(
        ScorePart(name, weight * value, raw_score=value)
        for (name, value), weight in zip(values.items(), weights, strict=True)
    )


def maximal_marginal_relevance(
    scores: Mapping[str, float],
    terms: Mapping[str, frozenset[str]],
    trade: float,
    limit: int,
) -> list[str]:
    """Up to ``limit`` ids, each the one with the best ``trade`` times relevance less ``1 - trade``
    times its likeness to what stands above (Carbonell and Goldstein, SIGIR 1998).

    Relevance is the score over the best one, likeness the Jaccard index of ``terms``, as in
    OpenClaw.
    """
    best = max(scores.values(), default=0.0) or 1.0
    open_ids = in_order(scores)
    likeness = dict.fromkeys(open_ids, 0.0)
    chosen: list[str] = []
    while open_ids and len(chosen) < limit:
        values = {key: trade * scores[key] / best - (1 - trade) * likeness[key] for key in open_ids}
        taken = in_order(values)[0]
        chosen.append(taken)
        open_ids.remove(taken)
        for key in open_ids:
            likeness[key] = max(likeness[key], jaccard(terms[key], terms[taken]))
    return chosen


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """Shared terms over all terms, in 0..1; 0 where there are none."""
    union = len(one | other)
    return len(one & other) / union if union else 0.0


def _fuse(
    lists: Iterable[RankedList], contribution: Callable[[RankedList, RankedHit], float]
) -> Parts:
    parts: Parts = {}
    for found in lists:
        for hit in found.hits:
            part = ScorePart(found.strategy, contribution(found, hit), hit.rank, hit.raw_score)
            parts[hit.id] = (*parts.get(hit.id, ()), part)
    return parts
