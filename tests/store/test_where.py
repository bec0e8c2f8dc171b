"""Filters in SQL let through what the same rules, written in Python, let through."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from harness import Harness
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memctl.memory import Memory, MemoryFilter, MemorySort, MemoryType, Origin, happened_at
from memctl.new_memory import NewMemory
from memctl.store.light_graph import LightGraph

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)
TAGS = ("work", "home", "it's", "100%")
CHANNELS = ("general", "ops", None)
DAYS = (date(2026, 3, 3), date(2026, 3, 4), date(2026, 3, 5))
EVENTS = (
    None,
    *DAYS,
    datetime(2026, 3, 4, tzinfo=UTC),
    datetime(2026, 3, 4, 11, 59, 59, 999_999, tzinfo=UTC),
    NOON,
    datetime(2026, 3, 5, tzinfo=UTC),
)


def sample() -> list[NewMemory]:
    """Memories in which every kind of field takes many values, independently of the others."""
    types, origins = list(MemoryType), list(Origin)
    return [
        NewMemory(
            content=f"statement {number}",
            memory_type=types[number % len(types)],
            importance=number % 11 / 10,
            origin=origins[number % len(origins)],
            tags=tuple(tag for bit, tag in enumerate(TAGS) if number >> bit & 1),
            channel_id=CHANNELS[number % 3],
            session_id=f"session {number % 4}" if number % 5 else None,
            source=f"source {number % 7}",
            event_at=EVENTS[number // 3 % len(EVENTS)],
            pinned=number % 4 == 1,
        )
        for number in range(120)
    ]


@pytest.fixture(scope="module")
def stocked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Harness]:
    harness = Harness(tmp_path_factory.mktemp("where") / "memory")
    with harness.store.operation("save") as operation:
        receipts = operation.save_many(sample())
        operation.forget([receipt.id for receipt in receipts[::9]])
    yield harness
    harness.close()


def happens_within(memory: Memory, since: datetime | None, until: datetime | None) -> bool:
    moment = happened_at(memory.event_at, memory.created_at)
    return (since is None or moment >= since) and (until is None or moment < until)


def passes(memory: Memory, wanted: MemoryFilter) -> bool:
    return all(
        (
            not wanted.types or memory.memory_type in wanted.types,
            set(wanted.tags) <= set(memory.tags),
            not wanted.channels or memory.channel_id in wanted.channels,
            not wanted.sessions or memory.session_id in wanted.sessions,
            not wanted.sources or memory.source in wanted.sources,
            not wanted.origins or memory.origin in wanted.origins,
            wanted.minimum_importance is None or memory.importance >= wanted.minimum_importance,
            memory.pinned or not wanted.pinned,
            happens_within(memory, wanted.since, wanted.until),
        )
    )


def some(*values: str) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(st.sampled_from(values), max_size=2).map(tuple)


zones = st.sampled_from(
    [UTC, timezone(timedelta(hours=5, minutes=30)), timezone(-timedelta(hours=8))]
)
bounds = st.one_of(
    st.none(),
    st.sampled_from([event for event in EVENTS if isinstance(event, datetime)]),
    st.datetimes(datetime(2026, 3, 2), datetime(2026, 3, 7), timezones=zones),
)
filters = st.builds(
    MemoryFilter,
    types=st.lists(st.sampled_from(MemoryType), max_size=2).map(tuple),
    tags=some(*TAGS, "unknown"),
    channels=some("general", "ops", "unknown"),
    sessions=some("session 0", "session 1"),
    sources=some("source 1", "source 2", "source 3"),
    origins=st.lists(st.sampled_from(Origin), max_size=2).map(tuple),
    minimum_importance=st.one_of(st.none(), st.sampled_from([0.0, 0.3, 0.5, 1.0])),
    pinned=st.booleans(),
    since=bounds,
    until=bounds,
)
single_filters = st.one_of(
    st.builds(MemoryFilter, tags=some(*TAGS)),
    st.builds(MemoryFilter, since=bounds, until=bounds),
    st.builds(MemoryFilter, types=st.lists(st.sampled_from(MemoryType), max_size=3).map(tuple)),
    filters,
)


@settings(max_examples=80)
@given(single_filters)
@pytest.mark.slow
def test_a_filter_lets_through_what_it_says(stocked: Harness, wanted: MemoryFilter) -> None:
    everything = stocked.graph.list_memories()
    expected = [memory.id for memory in everything if passes(memory, wanted)]
    assert [memory.id for memory in stocked.graph.list_memories(wanted)] == expected
    ids = [memory.id for memory in everything]
    assert stocked.graph.visible_memories(ids, wanted).keys() == set(expected)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(single_filters, st.sampled_from(MemorySort), st.booleans(), st.booleans(), st.booleans())
def test_a_light_graph_lists_what_the_graph_lists(
    stocked: Harness,
    wanted: MemoryFilter,
    sort: MemorySort,
    reverse: bool,
    forgotten: bool,
    superseded: bool,
) -> None:
    """The statements that were written down beforehand say what SQLAlchemy says, filters too."""
    seen = {"only_forgotten": forgotten, "include_superseded": superseded, "now": stocked.clock()}
    order = {"sort": sort, "reverse": reverse, "limit": 7, "offset": 2}
    path = stocked.folder / "truth" / "memory.db"
    light = LightGraph.open(path, wait_seconds=1)
    assert light is not None
    try:
        listed = light.list_memories(wanted, **order, **seen)
        count = light.count_memories(wanted, **seen)
    finally:
        light.close()
    assert listed == stocked.graph.list_memories(wanted, **order, **seen)
    assert count == stocked.graph.count_memories(wanted, **seen)


@settings(max_examples=30)
@given(single_filters, st.integers(1, 5))
def test_the_limit_applies_after_the_filter(
    stocked: Harness, wanted: MemoryFilter, limit: int
) -> None:
    every = stocked.graph.list_memories(wanted)
    assert stocked.graph.list_memories(wanted, limit=limit) == every[:limit]
    assert stocked.graph.list_memories(wanted, limit=limit, offset=2) == every[2 : 2 + limit]


def test_since_is_included_and_until_is_not(stocked: Harness) -> None:
    at_noon = stocked.graph.list_memories(
        MemoryFilter(since=NOON, until=NOON + timedelta(seconds=1))
    )
    assert NOON in {memory.event_at for memory in at_noon}
    before_noon = stocked.graph.list_memories(MemoryFilter(until=NOON))
    assert NOON not in {memory.event_at for memory in before_noon}


@pytest.mark.parametrize("hours", [-10, -5, 0, 5.5, 9, 13])
def test_an_event_of_which_only_the_day_is_known_lies_between_the_midnights_of_its_zone(
    stocked: Harness, hours: float
) -> None:
    zone = timezone(timedelta(hours=hours))
    since, until = (datetime(2026, 3, day, tzinfo=zone).astimezone(UTC) for day in (4, 5))
    found = stocked.graph.list_memories(MemoryFilter(since=since, until=until))
    assert {memory.event_at for memory in found} & set(DAYS) == {date(2026, 3, 4)}


def test_text_in_a_filter_is_only_ever_a_value(stocked: Harness) -> None:
    before = len(stocked.graph.list_memories())
    for text in ("' OR 1=1 --", "x'); DROP TABLE memories; --", "%", "_", '"'):
        assert stocked.graph.list_memories(MemoryFilter(tags=(text,), sources=(text,))) == []
    assert len(stocked.graph.list_memories()) == before
