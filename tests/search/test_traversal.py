"""Traversal: bounded, one query a level, nothing counted twice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.search.traversal import Step, spread

nodes = st.sampled_from("abcdefg")
edges = st.lists(st.builds(Step, nodes, nodes, st.floats(0.1, 1)), max_size=25)
start_maps = st.dictionaries(nodes, st.floats(0.1, 2), max_size=4)


class Edges:
    """A graph in memory that counts how often it is asked."""

    def __init__(self, steps: Iterable[Step]) -> None:
        self.steps = list(steps)
        self.asked: list[list[str]] = []

    def __call__(self, level: Sequence[str]) -> list[Step]:
        self.asked.append(list(level))
        return [step for step in self.steps if step.source in level]


def test_strength_fades_along_the_way() -> None:
    graph = Edges([Step("a", "b", 0.5), Step("b", "c", 0.5), Step("c", "d", 0.5)])
    assert spread({"a": 2.0}, graph, depth=2, fan_out=9) == {"b": 1.0, "c": 0.5}
    assert graph.asked == [["a"], ["b"]]


def test_of_several_starts_the_one_that_brings_most_counts() -> None:
    graph = Edges([Step("a", "c", 0.5), Step("b", "c", 0.5)])
    assert spread({"a": 1.0, "b": 3.0}, graph, depth=1, fan_out=9) == {"c": 1.5}


def test_starts_receive_from_each_other_and_not_from_themselves() -> None:
    graph = Edges([Step("a", "b", 0.5), Step("b", "a", 0.5)])
    assert spread({"a": 1.0, "b": 4.0}, graph, depth=2, fan_out=9) == {"a": 2.0, "b": 0.5}


def test_the_heaviest_of_two_edges_between_the_same_nodes_counts_once() -> None:
    graph = Edges([Step("a", "b", 0.2), Step("a", "b", 0.6)])
    assert spread({"a": 1.0}, graph, depth=1, fan_out=1) == {"b": 0.6}


def test_a_hub_passes_on_by_its_heaviest_edges_only() -> None:
    graph = Edges([Step("a", f"n{number}", number / 100) for number in range(1, 60)])
    reached = spread({"a": 1.0}, graph, depth=1, fan_out=3)
    assert reached == pytest.approx({"n59": 0.59, "n58": 0.58, "n57": 0.57})


def test_nothing_to_start_from_asks_nothing() -> None:
    graph = Edges([])
    assert spread({}, graph, depth=2, fan_out=9) == {}
    assert graph.asked == []


@given(start_maps, edges, st.integers(1, 3), st.integers(1, 5))
def test_traversal_is_bounded_whatever_the_graph(
    starts: dict[str, float], steps: list[Step], depth: int, fan_out: int
) -> None:
    graph = Edges(steps)
    reached = spread(starts, graph, depth=depth, fan_out=fan_out)
    assert len(graph.asked) <= depth
    assert all(strength <= max(starts.values()) for strength in reached.values())
    assert reached == spread(
        dict(reversed(starts.items())), Edges(steps[::-1]), depth=depth, fan_out=fan_out
    )
