"""Decay depends on the time that passed, and on nothing else."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from memctl.maintenance.decay import DecayPolicy, decayed

START = datetime(2026, 3, 1, tzinfo=UTC)
POLICY = DecayPolicy()

importances = st.floats(0, 1)
hours = st.integers(0, 24 * 365 * 3)


def after(importance: float, *moments: int) -> tuple[float, float | None]:
    """The importance after decay was computed at those hours since the last use."""
    state: tuple[float, float | None] = (importance, None)
    for moment in sorted(moments):
        state = decayed(*state, START, START + timedelta(hours=moment), POLICY)
    return state


@given(importances, hours, st.lists(hours, max_size=8))
def test_splitting_the_time_changes_nothing(
    importance: float, last: int, others: list[int]
) -> None:
    earlier = [moment for moment in others if moment <= last]
    assert after(importance, *earlier, last) == after(importance, last)


@given(importances, hours)
def test_importance_falls_and_never_below_nothing(importance: float, last: int) -> None:
    now, whole = after(importance, last)
    later, _ = after(importance, last + 168)
    assert 0 <= later <= now <= importance
    assert whole in {None, importance}


@given(importances, hours, hours)
def test_a_use_brings_the_whole_importance_back(importance: float, last: int, used: int) -> None:
    state = after(importance, last)
    moment = START + timedelta(hours=used)
    assert decayed(*state, moment, moment + POLICY.grace, POLICY) == (importance, None)


def test_the_first_interval_counts_once_the_grace_is_over() -> None:
    assert after(0.6, 30 * 24 + 167) == (0.6, None)
    assert after(0.6, 30 * 24 + 168) == (0.6 * 0.95, 0.6)
    assert after(0.6, 30 * 24 + 2 * 168) == (0.6 * 0.95**2, 0.6)


def test_every_hour_of_a_year_gives_what_every_month_gives() -> None:
    year = 365 * 24
    assert after(0.8, *range(year + 1)) == after(0.8, *range(0, year, 30 * 24), year)
