"""Spreads what is known about some memories to those that the graph connects with them.

Pure: the graph is a function that gives the steps from a whole level of nodes at once, so that a
traversal of depth d asks d times. A node is reached once from each start, by its shortest way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Step:
    """A way from one node to the next. ``weight`` in 0..1 is the share that goes along it."""

    source: str
    target: str
    weight: float


StepsFrom = Callable[[Sequence[str]], Iterable[Step]]
"""All steps that begin at some nodes."""


def spread(
    starts: Mapping[str, float], steps_from: StepsFrom, *, depth: int, fan_out: int
) -> dict[str, float]:
    """How much of the starts' strengths reaches each other node within ``depth`` steps.

    A start passes its strength on, times the weights along the way. Nothing counts twice: of all
    ways to a node only the one that brings most does, so that memories which stand close together
    do not lift each other. Starts receive from each other, never from themselves. Only the
    ``fan_out`` heaviest steps of a node are taken.
    """
    reached: dict[str, float] = {}
    seen = {start: {start} for start in starts}
    frontier = {start: {start: strength} for start, strength in starts.items()}
    for _ in range(depth):
        level = sorted({node for nodes in frontier.values() for node in nodes})
        if not level:
            break
        steps = _heaviest(steps_from(level), fan_out)
        for start in starts:
            frontier[start] = _next_level(frontier[start], steps, seen[start])
            seen[start].update(frontier[start])
            for node, strength in frontier[start].items():
                reached[node] = max(reached.get(node, 0.0), strength)
    return reached


def _heaviest(steps: Iterable[Step], fan_out: int) -> dict[str, list[Step]]:
    by_source: dict[str, dict[str, Step]] = {}
    for step in steps:
        known = by_source.setdefault(step.source, {})
        if step.target not in known or known[step.target].weight < step.weight:
            known[step.target] = step
    return {
        source: sorted(targets.values(), key=lambda step: (-step.weight, step.target))[:fan_out]
        for source, targets in by_source.items()
    }


def _next_level(
    frontier: Mapping[str, float], steps: Mapping[str, list[Step]], seen: set[str]
) -> dict[str, float]:
    level: dict[str, float] = {}
    for node, strength in frontier.items():
        for step in steps.get(node, ()):
            if step.target not in seen:
                level[step.target] = max(level.get(step.target, 0.0), strength * step.weight)
    return level
