"""Centrality: degree, and PageRank along weighted associations."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from memctl.maintenance.centrality import centralities

ids = st.sampled_from(["a", "b", "c", "d", "e"])
edges = st.lists(st.tuples(ids, ids, st.floats(0, 1)).filter(lambda e: e[0] != e[1]), max_size=12)


def test_the_middle_of_a_star_is_the_most_central() -> None:
    found = centralities([("m", leaf, 0.5) for leaf in "abcd"])
    assert found["m"] == (4, 1.0)
    assert {found[leaf] for leaf in "abcd"} == {(1, found["a"][1])}
    assert 0 < found["a"][1] < 0.5
    assert centralities([]) == {}


@given(edges)
@example([("a", "b", 2.2250738585e-313)])
def test_weights_lie_between_0_and_1_and_every_end_has_its_degree(
    edges: list[tuple[str, str, float]],
) -> None:
    found = centralities(edges)
    ends = [end for source, target, _ in edges for end in (source, target)]
    assert {key: degree for key, (degree, _) in found.items()} == {
        key: ends.count(key) for key in ends
    }
    assert all(0 <= weight <= 1 for _, weight in found.values())
    assert not edges or max(weight for _, weight in found.values()) == 1.0
