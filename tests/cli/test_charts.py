"""Bars of small charts."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from memctl.cli.charts import ASCII_FULL, EIGHTHS, FULL, LEAST_BAR, bar, bar_lines

WIDTHS = st.integers(LEAST_BAR, 300)
VALUES = st.integers(0, 10**6)


@given(st.tuples(VALUES, VALUES), WIDTHS, st.booleans())
def test_a_bar_fits_its_width_grows_with_its_value_and_is_seen(values, width, unicode) -> None:
    small, large = sorted(values)
    short, long = (bar(value, large, width, unicode=unicode) for value in (small, large))
    assert len(short) <= len(long) <= width
    assert bool(short) == (small > 0)
    assert set(long) <= ({FULL, *EIGHTHS} if unicode else {ASCII_FULL})
    if large:
        assert len(long) == width


@settings(max_examples=40)
@given(st.lists(st.tuples(st.text("abc", max_size=8), VALUES), max_size=9), st.integers(20, 300))
def test_lines_are_aligned_and_fit_the_terminal(pairs, width) -> None:
    rows = [(name, value, f"{value}") for name, value in pairs]
    lines = list(bar_lines(rows, width, unicode=True))
    assert len(lines) == len(rows)
    names = max((len(name) for name, _ in pairs), default=0)
    texts = max((len(text) for _, _, text in rows), default=0)
    assert all(len(line) <= max(width, names + texts + 6 + LEAST_BAR) for line in lines)
