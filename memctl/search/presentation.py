"""Turns ranked ids into hits: each with its place in a file, what contradicts it, its parts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from memctl.memory import RelationType
from memctl.search_hit import SearchHit

if TYPE_CHECKING:
    from memctl.search.passage_search import RankedPassages
    from memctl.search.ranked import RankedMemories
    from memctl.store.graph import Graph
    from memctl.store.light_graph import LightGraph
    from memctl.store.reads import Neighbour


def memory_hits(
    graph: Graph | LightGraph,
    found: RankedMemories,
    folded: Mapping[str, Sequence[str]],
    links: Iterable[Neighbour],
) -> list[SearchHit]:
    """Hits for the keys of ``folded`` in their order; its values are folded into them, and
    ``links`` are their associations."""
    citations = graph.citations(folded)
    disputes: dict[str, list[str]] = {}
    for step in links:
        if step.relation_type is RelationType.CONTRADICTS:
            disputes.setdefault(step.memory_id, []).append(step.neighbour_id)
    return [
        SearchHit(
            rank=rank,
            score=found.sheet.scores[key],
            memory=found.memories[key],
            citation=citations.get(key),
            parts=found.sheet.parts_of(key),
            collapsed=tuple(folded[key]),
            contradicted_by=tuple(dict.fromkeys(sorted(disputes.get(key, ())))),
        )
        for rank, key in enumerate(folded, start=1)
    ]


def passage_hits(graph: Graph, found: RankedPassages, keys: Sequence[str]) -> list[SearchHit]:
    """Hits for passages, in the order of ``keys``."""
    citations = graph.chunk_citations(keys)
    return [
        SearchHit(
            rank=rank,
            score=found.sheet.scores[key],
            memory=None,
            chunk=found.chunks[key],
            citation=citations.get(key),
            parts=found.sheet.parts_of(key),
        )
        for rank, key in enumerate(keys, start=1)
    ]
