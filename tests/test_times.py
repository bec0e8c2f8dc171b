"""Times as people write them."""

import contextlib
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl import times

NOW = datetime(2026, 3, 12, 15, 30, tzinfo=UTC)
"""A Thursday."""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("7d", timedelta(days=7)),
        ("2w", timedelta(days=14)),
        ("36h", timedelta(hours=36)),
        ("90 minutes", timedelta(minutes=90)),
        ("1 day 12 hours", timedelta(days=1, hours=12)),
        ("1y", timedelta(days=365)),
        ("6mo", timedelta(days=180)),
        ("1.5h", timedelta(minutes=90)),
    ],
)
def test_a_duration_is_a_number_with_a_unit(text, expected):
    assert times.parse_duration(text) == expected


@pytest.mark.parametrize("text", ["", "7", "d", "-3d", "0d", "7 parsecs", "7d!", "999999999y"])
def test_what_is_no_duration_is_refused_with_a_reason(text):
    with pytest.raises(ValueError, match=r"is no duration|no time at all|longer than 200 years"):
        times.parse_duration(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-03-04", date(2026, 3, 4)),
        ("2026-03-04T14:20", datetime(2026, 3, 4, 14, 20, tzinfo=UTC)),
        ("2026-03-04 14:20:05", datetime(2026, 3, 4, 14, 20, 5, tzinfo=UTC)),
        ("2026-03-04T14:20+02:00", datetime(2026, 3, 4, 12, 20, tzinfo=UTC)),
        ("2026-03-04T14:20Z", datetime(2026, 3, 4, 14, 20, tzinfo=UTC)),
        ("today", date(2026, 3, 12)),
        ("Yesterday", date(2026, 3, 11)),
        ("last week", date(2026, 3, 5)),
        ("monday", date(2026, 3, 9)),
        ("last thursday", date(2026, 3, 5)),
        ("3d", date(2026, 3, 9)),
        ("3 days ago", date(2026, 3, 9)),
        ("in 3 days", date(2026, 3, 15)),
        ("tomorrow", date(2026, 3, 13)),
        ("next week", date(2026, 3, 19)),
        ("next tuesday", date(2026, 3, 17)),
        ("Next Thursday", date(2026, 3, 19)),
        ("in 2h", datetime(2026, 3, 12, 17, 30, tzinfo=UTC)),
        ("2h", datetime(2026, 3, 12, 13, 30, tzinfo=UTC)),
    ],
)
def test_an_event_time_is_a_day_or_an_instant(text, expected):
    assert times.parse_event_time(text, NOW, UTC) == expected
    assert type(times.parse_event_time(text, NOW, UTC)) is type(expected)


@pytest.mark.parametrize("text", ["", "soon", "2026-13-40", "2026-02-30", "12.03.2026", "9999y"])
def test_what_is_no_time_is_refused_with_examples(text):
    with pytest.raises(ValueError, match="2026-03-04"):
        times.parse_event_time(text, NOW, UTC)


def test_a_time_without_an_offset_is_taken_in_the_given_zone():
    zone = timezone(timedelta(hours=5, minutes=30))
    moment = times.parse_event_time("2026-03-04 02:00", NOW, zone)
    assert moment == datetime(2026, 3, 3, 20, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "first", "after"),
    [
        ("2026-03-04", datetime(2026, 3, 4, tzinfo=UTC), datetime(2026, 3, 5, tzinfo=UTC)),
        ("2026-03", datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 4, 1, tzinfo=UTC)),
        ("2026-12", datetime(2026, 12, 1, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC)),
        ("2026", datetime(2026, 1, 1, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC)),
    ],
)
def test_a_day_month_or_year_counts_whole_as_a_bound(text, first, after):
    assert times.parse_bound(text, NOW, UTC) == first
    assert times.parse_upper_bound(text, NOW, UTC) == after


@given(st.text(max_size=30))
def test_any_text_is_a_time_or_a_value_error(text):
    for parse in (times.parse_event_time, times.parse_bound, times.parse_upper_bound):
        with contextlib.suppress(ValueError):
            assert parse(text, NOW, UTC) is not None


@given(
    st.datetimes(min_value=datetime(1900, 1, 1), max_value=datetime(2200, 1, 1)).map(
        lambda moment: moment.replace(tzinfo=UTC)
    )
)
def test_an_instant_survives_being_printed_and_read(moment):
    assert times.parse_event_time(times.format_iso(moment), NOW, UTC) == moment


@pytest.mark.parametrize(
    ("age", "text"),
    [
        (timedelta(0), "now"),
        (timedelta(seconds=42), "42 s ago"),
        (timedelta(minutes=5), "5 min ago"),
        (timedelta(hours=23), "23 h ago"),
        (timedelta(days=3), "3 d ago"),
        (timedelta(days=21), "3 w ago"),
        (timedelta(days=90), "3 mo ago"),
        (timedelta(days=800), "2 y ago"),
        (timedelta(days=-3), "in 3 d"),
    ],
)
def test_an_age_is_short(age, text):
    assert times.format_relative(NOW - age, NOW) == text


FAR_TIMES = ["0001-01-01", "9999-12-31", "9999-12-31T23:59:59-14:00", "0001-01-01T00:00+14:00"]


@pytest.mark.parametrize("text", [*FAR_TIMES, "0000", "9999", "0001", "9999-12"])
@pytest.mark.parametrize("zone", [timezone(timedelta(hours=offset)) for offset in (-12, 14)])
@pytest.mark.parametrize(
    "read", [times.parse_event_time, times.parse_bound, times.parse_upper_bound]
)
def test_a_time_beyond_all_clocks_is_refused(read, text, zone):
    """The first and the last years cannot be told in every time zone: they are no times at all."""
    with pytest.raises(ValueError, match=r"out of reach|is no time"):
        read(text, NOW, zone)


@given(
    day=st.dates(date(times.EARLIEST_YEAR, 1, 1), date(times.LATEST_YEAR, 12, 31)),
    hours=st.integers(-14, 14),
)
def test_any_other_day_is_a_bound_on_both_sides(day, hours):
    zone = timezone(timedelta(hours=hours))
    assert times.parse_bound(day.isoformat(), NOW, zone) == times.start_of_day(day, zone)
    assert times.parse_upper_bound(day.isoformat(), NOW, zone) > times.start_of_day(day, zone)
