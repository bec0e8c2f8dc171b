"""Reaches what the graph connects with the best hits: associations, and neighbours in a session or
document. One query for each level."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from memctl.search.settings import SearchSettings
from memctl.search.traversal import Step, spread
from memctl.store.graph import Graph


def expand(graph: Graph, seeds: Mapping[str, float], settings: SearchSettings) -> dict[str, float]:
    """What reaches each memory from the seeds, whose strengths are given; more is better."""

    def associated(level: Sequence[str]) -> Iterator[Step]:
        for found in graph.neighbours(level):
            share = settings.relation_weights.get(found.relation_type, 0.0)
            yield Step(found.memory_id, found.neighbour_id, share * found.weight)

    def adjacent(level: Sequence[str]) -> Iterator[Step]:
        weights = settings.adjacent_weights
        for found in graph.adjacent(level, reach=len(weights)):
            yield Step(found.memory_id, found.neighbour_id, weights[found.distance - 1])

    fan_out = settings.graph_fan_out
    reached = spread(seeds, associated, depth=settings.graph_depth, fan_out=fan_out)
    for key, strength in spread(seeds, adjacent, depth=1, fan_out=fan_out).items():
        reached[key] = max(reached.get(key, 0.0), strength)
    return reached
