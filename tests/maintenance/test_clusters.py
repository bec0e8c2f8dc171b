"""Groups of one claim are pairwise the same, and the better statement is kept."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from memctl.maintenance.clusters import better_first, may_be_one, pairwise_clusters
from memctl.memory import Memory, MemoryType

NOW = datetime(2026, 3, 1, tzinfo=UTC)
IDS = [f"m{number}" for number in range(8)]

pairs = st.sets(st.sampled_from(list(combinations(IDS, 2))))


def memory(memory_id: str = "a", content: str = "text", **fields: object) -> Memory:
    values: dict[str, object] = {
        "id": memory_id, "content": content, "memory_type": MemoryType.FACT, "importance": 0.6,
        "created_at": NOW, "updated_at": NOW, "last_accessed_at": NOW,
    }  # fmt: skip
    return Memory(**(values | fields))  # type: ignore[arg-type]


@given(pairs)
def test_every_two_of_a_cluster_are_the_same(same: set[tuple[str, str]]) -> None:
    def is_same(one: str, other: str) -> bool:
        return (one, other) in same or (other, one) in same

    clusters = pairwise_clusters(IDS, same, is_same)
    members = [memory_id for cluster in clusters for memory_id in cluster]
    assert len(members) == len(set(members))
    for cluster in clusters:
        assert len(cluster) > 1
        assert all(is_same(*pair) for pair in combinations(cluster, 2))
    assert bool(clusters) is bool(same)


def test_a_chain_of_small_differences_is_no_cluster() -> None:
    same = [("m0", "m1"), ("m1", "m2")]
    assert pairwise_clusters(IDS, same, lambda *_: False) == [["m0", "m1"]]


def test_what_only_its_day_key_or_figures_tell_apart_is_not_one() -> None:
    base = memory(content="The job cost 20 euros on day 5")
    assert may_be_one(base, memory(content="On day 5 the job cost 20 euros"))
    assert may_be_one(base, memory(content="The job cost 20 euros"))
    assert not may_be_one(base, memory(content="The job cost 21 euros on day 5"))
    assert not may_be_one(base, replace(base, event_at=date(2026, 3, 1)))
    assert not may_be_one(replace(base, key="a"), replace(base, key="b"))
    assert not may_be_one(replace(base, subject="Ada"), replace(base, subject="Bo"))
    assert may_be_one(replace(base, key="a"), base)


def test_a_keyed_a_stated_an_important_and_a_fuller_memory_come_first_in_this_order() -> None:
    keyed = memory("k", key="k", stated_directly=False, importance=0.1)
    stated = memory("s", importance=0.2)
    important = memory("i", importance=0.9, decayed_from=1.0, stated_directly=False)
    fuller = memory("f", content="a longer text", stated_directly=False)
    rest = memory("r", stated_directly=False)
    expected = [keyed, stated, important, fuller, rest]
    assert better_first(reversed(expected)) == expected
