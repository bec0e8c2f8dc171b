"""Ranks the candidates of a hybrid search: lists into one score, and what adjusts it. Pure.

Each hit's score is the sum of its parts, so that an explanation adds up. What the texts and the
graph say decides; importance, recency and access only where that leaves two nearly equal.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from memctl.memory import Memory, MemoryType, happened_at
from memctl.search.evidence import names_subject, question_share
from memctl.search.fusion import (
    FUSIONS,
    Parts,
    RankedHit,
    RankedList,
    add_part,
    break_near_ties,
    composite_parts,
    recency,
    scaled,
    score_of,
)
from memctl.search.query import Query
from memctl.search.request import CompositeWeights
from memctl.search.settings import (
    COMPOSITE_DECAY_PER_DAY,
    RECENCY_HALF_LIFE_DAYS,
    SUPERSEDED_FACTOR,
    SearchSettings,
)

SECONDS_PER_DAY = 86_400

ACCESSES_OF_FULL_WEIGHT = 20
"""Recalls after which more of them make a memory no more likely."""


def session_list(
    seeds: Sequence[tuple[str, float]], memories: Mapping[str, Memory], weight: float
) -> RankedList:
    """All memories of the sessions that the seeds (best first) belong to, ranked by their
    session's best seed: what was said around a good hit is likely to be about the same."""
    best: dict[tuple[str | None, str], tuple[int, float]] = {}
    for key, strength in seeds:
        session = _session_of(memories.get(key))
        if session is not None and session not in best:
            best[session] = (len(best) + 1, strength)
    hits = []
    for key in sorted(memories):
        session = _session_of(memories[key])
        if session in best:
            rank, strength = best[session]
            hits.append(RankedHit(key, rank, strength))
    return RankedList("session", weight, sorted(hits, key=lambda hit: hit.rank))


def score(
    lists: Iterable[RankedList],
    memories: Mapping[str, Memory],
    query: Query,
    settings: SearchSettings,
    now: datetime,
) -> Parts:
    """The parts of every candidate's score; candidates are the ids of ``memories``."""
    fused = FUSIONS[settings.fusion](lists, settings.rrf_k)
    parts = {key: fused[key] for key in fused if key in memories}
    terms = frozenset(query.terms)
    first_place = settings.text_weight / (settings.rrf_k + 1)
    for key in list(parts):
        memory = memories[key]
        if names_subject(terms, memory):
            add_part(parts, key, "subject", settings.subject * first_place)
        left = 1 - settings.question_penalty * question_share(memory.content)
        parts[key] = scaled(parts[key], left, "question")
    priors = {key: prior(memories[key], now) for key in parts}
    break_near_ties(parts, priors, settings.prior_margin)
    return parts


def prior(memory: Memory, now: datetime) -> float:
    """What speaks for a memory whatever the query, in 0..1."""
    accesses = math.log1p(min(memory.access_count, ACCESSES_OF_FULL_WEIGHT))
    used = accesses / math.log1p(ACCESSES_OF_FULL_WEIGHT)
    fresh = recency(age_in_days(memory, now), RECENCY_HALF_LIFE_DAYS)
    return 0.6 * memory.importance + 0.3 * fresh + 0.1 * used


def place_superseded(parts: Parts, successors: Mapping[str, str]) -> None:
    """Puts each outdated id below the one that stands in its place, if that is a candidate.

    ``successors`` names, for every outdated id, the last of its chain. A successor gets at least
    what its predecessors had: it answers the same question.
    """
    outdated = sorted(key for key in successors if key in parts)
    for key in outdated:
        successor = successors[key]
        if successor in parts:
            gain = score_of(parts[key]) - score_of(parts[successor])
            add_part(parts, successor, "successor", max(0.0, gain))
    for key in outdated:
        parts[key] = scaled(parts[key], SUPERSEDED_FACTOR, "superseded")


def apply_composite(
    parts: Parts, memories: Mapping[str, Memory], weights: CompositeWeights, now: datetime
) -> Parts:
    """ScalyClaw's composite score in place of the fused one, which is its share of meaning."""
    best = max(map(score_of, parts.values()), default=0.0) or 1.0
    triple = (weights.semantic, weights.recency, weights.importance)
    return {
        key: composite_parts(
            score_of(parts[key]) / best,
            math.exp(-COMPOSITE_DECAY_PER_DAY * age_in_days(memories[key], now)),
            memories[key].importance,
            triple,
        )
        for key in parts
    }


def apply_decay(
    parts: Parts, memories: Mapping[str, Memory], half_life_days: float, now: datetime
) -> None:
    """OpenClaw's temporal decay: scores halve with each half-life of age; what is pinned and who
    somebody is never ages."""
    for key, memory in memories.items():
        if key in parts and not (memory.pinned or memory.memory_type is MemoryType.IDENTITY):
            factor = recency(age_in_days(memory, now), half_life_days)
            parts[key] = scaled(parts[key], factor, "decay")


def age_in_days(memory: Memory, now: datetime) -> float:
    """Days since the thing happened, or since it was saved; 0 for what lies ahead."""
    age = now - happened_at(memory.event_at, memory.created_at)
    return max(0.0, age.total_seconds() / SECONDS_PER_DAY)


def _session_of(memory: Memory | None) -> tuple[str | None, str] | None:
    if memory is None or memory.session_id is None:
        return None
    return memory.channel_id, memory.session_id
