"""Ranks the candidates of a hybrid search: lists into one score, and what adjusts it. Pure.

Each hit's score is the sum of its parts, so that an explanation adds up. What the texts and the
graph say decides; importance, recency, access and centrality only where that leaves two nearly
equal.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from datetime import datetime

from memctl.memory import Memory, MemoryType, happened_at
from memctl.search.evidence import matches_heading_only, names_subject, question_share
from memctl.search.fusion import RankedHit, RankedList, ScoreSheet, recency
from memctl.search.query import Query
from memctl.search.request import CompositeWeights
from memctl.search.settings import (
    COMPOSITE_DECAY_PER_DAY,
    RECENCY_HALF_LIFE_DAYS,
    SUPERSEDED_FACTOR,
    SearchSettings,
)
from memctl.search_hit import ScorePart

SECONDS_PER_DAY = 86_400

ACCESSES_OF_FULL_WEIGHT = 20
"""Recalls after which more of them make a memory no more likely."""


def session_list(
    seeds: Mapping[str, float], memories: Mapping[str, Memory], weight: float
) -> RankedList:
    """All memories of the sessions that the seeds (best first) belong to, by their session's best
    seed: what was said around a good hit is likely to be about the same."""
    best: dict[tuple[str | None, str], tuple[int, float]] = {}
    for key, strength in seeds.items():
        session = _session_of(memories.get(key))
        if session is not None and session not in best:
            best[session] = (len(best) + 1, strength)
    hits = []
    for key in sorted(memories):
        session = _session_of(memories[key])
        if session in best:
            rank, strength = best[session]
            hits.append(RankedHit(key, rank, strength, strength))
    return RankedList("session", weight, sorted(hits, key=lambda hit: hit.rank))


def weigh_texts(
    sheet: ScoreSheet, memories: Mapping[str, Memory], query: Query, settings: SearchSettings
) -> None:
    """Weighs what the candidates' own words say: whether they are about what the query names,
    whether only their heading is, and how much of them only asks."""
    terms = frozenset(query.terms)
    for key in list(sheet.scores):
        memory = memories[key]
        if names_subject(terms, memory):
            sheet.scale(key, "subject", 1 + settings.subject_bonus)
        if matches_heading_only(terms, memory.content):
            sheet.scale(key, "heading", 1 - settings.heading_penalty)
        asking = question_share(memory.content)
        if asking:
            sheet.scale(key, "question", 1 - settings.question_penalty * asking)


def weigh_telling(sheet: ScoreSheet, shares: Mapping[str, float], bonus: float) -> None:
    """Raises what tells more of the query's words, itself or by others of their concepts: keyword
    search knows the words themselves only. ``shares`` are in 0..1; the whole gains ``bonus`` times
    its score."""
    for key, share in shares.items():
        sheet.scale(key, "concepts", 1 + bonus * share)


def drop_tail(sheet: ScoreSheet, least_share: float) -> None:
    """Leaves out what is far below the best: a place in a list is no reason to be shown."""
    least = sheet.top_score * least_share
    for key in [key for key, score in sheet.scores.items() if score <= 0 or score < least]:
        sheet.drop(key)


def prior(memory: Memory, now: datetime) -> float:
    """What speaks for a memory whatever the query, in 0..1."""
    accesses = math.log1p(min(memory.access_count, ACCESSES_OF_FULL_WEIGHT))
    used = accesses / math.log1p(ACCESSES_OF_FULL_WEIGHT)
    fresh = recency(age_in_days(memory, now), RECENCY_HALF_LIFE_DAYS)
    return 0.6 * memory.importance + 0.3 * fresh + 0.1 * used


def place_superseded(
    sheet: ScoreSheet, successors: Mapping[str, str], leading: AbstractSet[str]
) -> None:
    """Puts each outdated id below the one that stands in its place, if that is a candidate.

    ``successors`` names, for every outdated id, the last of its chain. The successor of one of
    ``leading`` gets at least what that had: it answers the same question. One that says too little
    to lead goes with its successor, where that is no candidate by itself.
    """
    outdated = sorted(successors.keys() & sheet.scores.keys())
    for key in outdated:
        successor = successors[key]
        if key in leading and successor in sheet.scores:
            gain = sheet.scores[key] - sheet.scores[successor]
            sheet.change(successor, "successor", max(0.0, gain))
    for key in outdated:
        standing = sheet.scores.get(successors[key])
        if standing is None and key not in leading:
            sheet.drop(key)
            continue
        least = sheet.scores[key] if standing is None else min(sheet.scores[key], standing)
        sheet.change(key, "superseded", SUPERSEDED_FACTOR * least - sheet.scores[key])


def composite(
    sheet: ScoreSheet, memories: Mapping[str, Memory], weights: CompositeWeights, now: datetime
) -> ScoreSheet:
    """ScalyClaw's weighted sum of meaning, recency and importance, each in 0..1; meaning is the
    fused score over the best one."""
    best = sheet.top_score or 1.0
    weighted = ScoreSheet()
    for key, score in sheet.scores.items():
        age = age_in_days(memories[key], now)
        for name, weight, value in (
            ("semantic", weights.semantic, score / best),
            ("recency", weights.recency, math.exp(-COMPOSITE_DECAY_PER_DAY * age)),
            ("importance", weights.importance, memories[key].importance),
        ):
            weighted.add(key, ScorePart(name, weight * value, raw_score=value))
    return weighted


def decay(
    sheet: ScoreSheet, memories: Mapping[str, Memory], half_life_days: float, now: datetime
) -> None:
    """OpenClaw's temporal decay: scores halve with each half-life of age; what is pinned and who
    somebody is never ages."""
    for key in list(sheet.scores):
        memory = memories[key]
        if not (memory.pinned or memory.memory_type is MemoryType.IDENTITY):
            sheet.scale(key, "decay", recency(age_in_days(memory, now), half_life_days))


def age_in_days(memory: Memory, now: datetime) -> float:
    """Days since the thing happened, or since it was saved; 0 for what lies ahead."""
    age = now - happened_at(memory.event_at, memory.created_at)
    return max(0.0, age.total_seconds() / SECONDS_PER_DAY)


def _session_of(memory: Memory | None) -> tuple[str | None, str] | None:
    if memory is None or memory.session_id is None:
        return None
    return memory.channel_id, memory.session_id
