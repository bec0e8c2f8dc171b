"""All that lies within some steps of a memory, for `graph`."""

from __future__ import annotations

from dataclasses import dataclass

from memctl.memory import Association, Memory
from memctl.store.graph import Graph

MAXIMUM_MEMORIES = 500
"""A neighbourhood that is larger is cut off: nobody can look at more."""


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Memories by id, in the order in which they were reached, and the associations between them,
    the heaviest first."""

    memories: dict[str, Memory]
    associations: tuple[Association, ...]


def find_neighbourhood(graph: Graph, start: str, depth: int) -> Neighbourhood:
    """What can be reached from ``start`` in at most ``depth`` steps along associations of visible
    memories, in either direction. Raises UnknownMemoryError."""
    reached = {start: graph.memory(start)}
    frontier = [start]
    for _ in range(depth):
        steps = graph.neighbours(frontier)
        frontier = list(
            dict.fromkeys(step.neighbour_id for step in steps if step.neighbour_id not in reached)
        )[: MAXIMUM_MEMORIES - len(reached)]
        memories = graph.memories(frontier)
        reached |= {memory_id: memories[memory_id] for memory_id in frontier}
        if not frontier:
            break
    edges = [
        edge
        for edge in graph.associations_of(reached)
        if edge.source_id in reached and edge.target_id in reached
    ]
    edges.sort(key=lambda edge: (-edge.weight, edge.created_at, edge.id))
    return Neighbourhood(reached, tuple(edges))
