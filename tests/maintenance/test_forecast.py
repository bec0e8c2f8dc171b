"""The decay forecast: what maintenance would compute at that time, and nothing else."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.maintenance.decay import DecayPolicy, decayed
from memctl.maintenance.forecast import FORECAST_DAYS, Fading, forecast

NOW = datetime(2026, 3, 4, tzinfo=UTC)
POLICY = DecayPolicy()

FADING = st.builds(
    Fading,
    importance=st.floats(0, 1),
    decayed_from=st.none(),
    touched_at=st.integers(0, 2_000).map(lambda days: NOW - timedelta(days=days)),
    is_exempt=st.booleans(),
)


@given(st.lists(FADING, min_size=1, max_size=20))
def test_a_forecast_never_rises_and_is_what_decay_gives_then(memories: list[Fading]) -> None:
    found = forecast(memories, NOW, POLICY, 0.1)
    assert [one.days for one in found] == list(FORECAST_DAYS)
    means = [one.mean_importance for one in found]
    assert all(later <= earlier + 1e-12 for earlier, later in pairwise(means))
    assert [one.below for one in found] == sorted(one.below for one in found)
    first = memories[0]
    [alone] = forecast([first], NOW, POLICY, 0.1, days=[90])
    then = decayed(first.importance, None, first.touched_at, NOW + timedelta(days=90), POLICY)[0]
    assert alone.mean_importance == (first.importance if first.is_exempt else then)


def test_what_is_exempt_never_fades_and_is_never_below() -> None:
    memory = Fading(0.05, None, NOW - timedelta(days=999), is_exempt=True)
    for one in forecast([memory], NOW, POLICY, 0.1):
        assert (one.mean_importance, one.below) == (pytest.approx(0.05), 0)


def test_without_memories_there_is_nothing_to_foresee() -> None:
    assert forecast([], NOW, POLICY, 0.1) == []
