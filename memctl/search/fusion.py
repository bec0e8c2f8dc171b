"""Fuses ranked lists into one order and adjusts it: pure functions on ids and numbers.

Every score is the sum of its parts, and equal scores go by id, so the same lists always give the
same order.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from memctl.search_hit import ScorePart


class Fusion(StrEnum):
    """What of a list counts in the score: how near each hit comes to the best there could be, or
    its rank alone."""

    RELATIVE = "relative"
    RRF = "rrf"


class RankedHit(NamedTuple):
    """One id of a list with its rank (from 1; several may share one), its raw score, and
    ``share``, the raw score on a scale where 0 is nothing and 1 the best that is to be expected."""

    id: str
    rank: int
    raw_score: float
    share: float


class RankedList(NamedTuple):
    """What one strategy found, the best first; ``weight`` is its say."""

    strategy: str
    weight: float
    hits: Sequence[RankedHit]


def ranked(pairs: Iterable[tuple[str, float]], *, floor: float, full: float) -> list[RankedHit]:
    """Ids with raw scores, the best first, numbered from 1; a raw score of ``floor`` counts as
    nothing and one of ``full`` as all."""
    span = full - floor
    return [
        RankedHit(key, rank, raw, max(0.0, raw - floor) / span if span > 0 else 0.0)
        for rank, (key, raw) in enumerate(pairs, start=1)
    ]


class ScoreSheet:
    """Scores by id, each the sum of named parts. ``scores`` may be read, not written."""

    def __init__(self) -> None:
        self.scores: dict[str, float] = {}
        self._parts: dict[str, list[ScorePart]] = {}

    def parts_of(self, key: str) -> tuple[ScorePart, ...]:
        """What the score of an id consists of, in the order in which it was added."""
        return tuple(self._parts.get(key, ()))

    def add(self, key: str, part: ScorePart) -> None:
        """Adds a part to the score of an id, which need not be known yet."""
        self.scores[key] = self.scores.get(key, 0.0) + part.contribution
        self._parts.setdefault(key, []).append(part)

    def change(self, key: str, strategy: str, contribution: float) -> None:
        """Adds a part without rank and raw score, unless it is nothing."""
        if contribution:
            self.add(key, ScorePart(strategy, contribution))

    def scale(self, key: str, strategy: str, factor: float) -> None:
        """Adds the part that makes the score ``factor`` times what it is."""
        self.change(key, strategy, self.scores[key] * (factor - 1))

    def take(self, key: str, other: ScoreSheet) -> None:
        """Adds all parts that an id has on another sheet."""
        for part in other.parts_of(key):
            self.add(key, part)

    def drop(self, key: str) -> None:
        """Forgets an id."""
        del self.scores[key], self._parts[key]

    def best(self, count: int | None = None) -> list[str]:
        """The ids of the highest scores, best first, equal ones by id."""
        return in_order(self.scores)[:count]

    @property
    def top_score(self) -> float:
        """The highest score, 0 without any."""
        return max(self.scores.values(), default=0.0)


def fuse(sheet: ScoreSheet, found: RankedList, fusion: Fusion, k: float) -> None:
    """Adds what a list contributes to the score of each id in it.

    RRF: weight / (k + rank), which is reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR
    2009) with weights. RELATIVE: weight times share, a convex combination of scores, which keeps
    how far the hits lie apart (Bruch, Gai and Ingber, TOIS 2023).
    """
    for hit in found.hits:
        amount = (
            found.weight * hit.share
            if fusion is Fusion.RELATIVE
            else (found.weight / (k + hit.rank))
        )
        sheet.add(hit.id, ScorePart(found.strategy, amount, hit.rank, hit.raw_score))


def in_order(scores: Mapping[str, float]) -> list[str]:
    """Ids by falling score, equal ones by id."""
    return sorted(scores, key=lambda key: (-scores[key], key))


def break_near_ties(
    sheet: ScoreSheet, priors: Mapping[str, float], margin: float, *, part: str = "prior"
) -> None:
    """Adds up to ``margin`` times the best score, by each id's prior in 0..1, as that ``part``.

    Two of these ids change places only if their scores differ by less than that.
    """
    share = sheet.top_score * margin
    for key, prior in priors.items():
        sheet.change(key, part, share * min(1.0, max(0.0, prior)))


def recency(age_days: float, half_life_days: float) -> float:
    """A factor in 0..1 that halves with each half-life; the future counts as now."""
    return math.exp2(-max(0.0, age_days) / half_life_days)


def maximal_marginal_relevance(
    scores: Mapping[str, float], terms: Mapping[str, frozenset[str]], trade: float
) -> list[str]:
    """The ids anew: each is the one with the best ``trade`` times relevance less ``1 - trade``
    times its likeness to what stands above (Carbonell and Goldstein, SIGIR 1998).

    Relevance is the score over the best one, likeness the Jaccard index of ``terms``, as in
    OpenClaw.
    """
    best = max(scores.values(), default=0.0) or 1.0
    open_ids = in_order(scores)
    likeness = dict.fromkeys(open_ids, 0.0)
    chosen: list[str] = []
    while open_ids:
        values = {key: trade * scores[key] / best - (1 - trade) * likeness[key] for key in open_ids}
        taken = in_order(values)[0]
        chosen.append(taken)
        open_ids.remove(taken)
        for key in open_ids:
            likeness[key] = max(likeness[key], jaccard(terms[key], terms[taken]))
    return chosen


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """Shared terms over all terms, in 0..1; 0 where there are none."""
    shared = len(one & other)
    union = len(one) + len(other) - shared
    return shared / union if union else 0.0
