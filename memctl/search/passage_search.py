"""Hybrid search for passages: the verbatim chunks of documents, by their text and by the memories
that they state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from memctl.memory import Chunk, EntryKind, MemoryFilter
from memctl.search.evidence import coverage
from memctl.search.fusion import RankedList, ScoreSheet, fuse, ranked
from memctl.search.gate import GateThresholds, degree_of_evidence
from memctl.search.lookup import IndexQuestion, base_lists, look_up, look_up_memories
from memctl.search.scope import Scope
from memctl.search.settings import SearchSettings
from memctl.store.index import SearchIndex

CHECKED_FACTOR = 2
"""Best passages, as a multiple of the limit, that are read: they are long."""


@dataclass(frozen=True, slots=True)
class RankedPassages:
    """The passages' scores, and the passages themselves."""

    sheet: ScoreSheet
    chunks: Mapping[str, Chunk]


def search_passages(
    scope: Scope,
    index: SearchIndex,
    question: IndexQuestion,
    thresholds: GateThresholds,
    settings: SearchSettings,
    *,
    least: float,
) -> RankedPassages:
    """The best passages, those with a degree of evidence of ``least`` and more, with their scores.

    A passage whose memories say what it says has no vector of its own: theirs stand for it. Where
    the filter asks for more than a time, a passage is found through memories that pass it only.
    """
    noise = thresholds.noise
    lists = [_by_memory(scope, index, question, settings, noise)]
    if _is_of_time_only(scope.request.memory_filter):
        lists += _own(scope, index, question, settings, noise)
    sheet = ScoreSheet()
    similarities: dict[str, float] = {}
    for found in lists:
        fuse(sheet, found, settings.fusion, settings.rrf_k)
        for hit in found.hits if found.strategy != "text" else ():
            similarities[hit.id] = max(hit.raw_score, similarities.get(hit.id, -1.0))
    at_most = min(similarities.values(), default=None)
    best = sheet.best(scope.request.limit * CHECKED_FACTOR)
    chunks = _as_they_were(scope, scope.graph.chunks(best, include_retired=False))
    terms = question.query.terms
    passing = ScoreSheet()
    for key in best:
        if key in chunks and least <= degree_of_evidence(
            similarities.get(key, at_most), coverage(terms, chunks[key].content), thresholds
        ):
            passing.take(key, sheet)
    return RankedPassages(passing, chunks)


def _as_they_were(scope: Scope, chunks: Mapping[str, Chunk]) -> Mapping[str, Chunk]:
    """Without those of documents that say something else since the time that is asked about."""
    if scope.request.as_of is None:
        return chunks
    changed = scope.graph.documents_changed_after(
        {chunk.document_id for chunk in chunks.values()}, scope.request.as_of
    )
    return {key: chunk for key, chunk in chunks.items() if chunk.document_id not in changed}


def _own(
    scope: Scope,
    index: SearchIndex,
    question: IndexQuestion,
    settings: SearchSettings,
    noise: float,
) -> list[RankedList]:
    """The lists of the passages' own vectors and texts."""
    wanted = scope.request.memory_filter
    bounds = [bound for bound in (wanted.until, scope.request.as_of) if bound is not None]
    times = MemoryFilter(since=wanted.since, until=min(bounds, default=None))
    depth = max(settings.depth, scope.request.limit)
    lists = look_up(index, EntryKind.CHUNK, replace(question, memory_filter=times), depth)
    return base_lists(lists, settings.list_weights, noise)


def _by_memory(
    scope: Scope,
    index: SearchIndex,
    question: IndexQuestion,
    settings: SearchSettings,
    noise: float,
) -> RankedList:
    """The passages that state the nearest memories, by the best similarity of each."""
    if question.vector is None:
        return RankedList("memory", settings.list_weights.vector, ())
    lists = look_up_memories(
        index,
        question,
        depth=max(settings.depth, scope.request.limit),
        wanted=scope.request.limit,
        keep=scope.visible,
    )
    stating = scope.graph.passages([hit.id for hit in lists.vector])
    found: dict[str, float] = {}
    for hit in lists.vector:
        for passage in stating.get(hit.id, ()):
            found.setdefault(passage.chunk.id, hit.score)
    hits = ranked(found.items(), floor=noise, full=1.0)
    return RankedList("memory", settings.list_weights.vector, hits)


def _is_of_time_only(memory_filter: MemoryFilter) -> bool:
    return replace(memory_filter, since=None, until=None).is_empty
