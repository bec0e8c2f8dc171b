"""Which dates and times are read, and which are not because nothing says what they mean."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.extraction.rules.dates import DateReader
from memctl.extraction.rules.language import LANGUAGE_CODES, language
from memctl.memory import EventTime

ANCHOR = date(2026, 3, 14)


def read(text: str, code: str = "en", reader: DateReader | None = None) -> list[EventTime]:
    mentions = (reader or DateReader()).mentions(text, language(code))
    return [mention.value for mention in mentions if not mention.deadline]


@pytest.mark.parametrize(
    ("code", "text", "day"),
    [
        ("en", "on 2026-03-02 it broke", date(2026, 3, 2)),
        ("en", "On 2 March 2026 it broke", date(2026, 3, 2)),
        ("en", "March 2nd, 2026", date(2026, 3, 2)),
        ("en", "the 3rd of May 2026", date(2026, 5, 3)),
        ("en", "03/14/2026", date(2026, 3, 14)),
        ("de", "Am 2. März 2026 war Richtfest", date(2026, 3, 2)),
        ("de", "am 02.03.2026", date(2026, 3, 2)),
        ("fr", "le 1er février 2026", date(2026, 2, 1)),
        ("es", "El 2 de marzo de 2026", date(2026, 3, 2)),
        ("es", "el 2/3/2026", date(2026, 3, 2)),
        ("it", "il 5 marzo 2026", date(2026, 3, 5)),
        ("pt", "em 4 de março de 2026", date(2026, 3, 4)),
        ("nl", "op 3 maart 2026", date(2026, 3, 3)),
        ("pl", "3 marca 2026", date(2026, 3, 3)),
        ("ru", "2 марта 2026 года", date(2026, 3, 2)),
        ("zh", "2026年3月14日，新窑送到了", date(2026, 3, 14)),
        ("ja", "2026年3月14日に届いた", date(2026, 3, 14)),
        ("ko", "2026년 3월 14일에 도착했다", date(2026, 3, 14)),
    ],
)
def test_a_complete_date_is_read_in_every_language(code: str, text: str, day: date) -> None:
    assert read(text, code) == [day]


@pytest.mark.parametrize(
    "text",
    [
        "2026-13-45",
        "30 February 2026",
        "03/04/2026",
        "May 2026",
        "version 1.2.2026.4",
        "3026-01-01",
        "2026-03-04-7",
        "on 2 March",
        "yesterday",
        "12:30",
        "1066-10-14",
    ],
)
def test_what_is_no_date_or_reads_two_ways_is_left_unknown(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("2026-03-07T14:05:09Z", datetime(2026, 3, 7, 14, 5, tzinfo=UTC)),
        ("2026-03-07 14:05+02:00", datetime(2026, 3, 7, 12, 5, tzinfo=UTC)),
        ("2026-03-07 14:05", datetime(2026, 3, 7, 14, 5, tzinfo=UTC)),
    ],
)
def test_an_instant_is_in_utc(text: str, instant: datetime) -> None:
    assert read(text) == [instant]


def test_a_naive_time_is_in_the_zone_that_is_handed_in() -> None:
    reader = DateReader(timezone=timezone(timedelta(hours=1)))
    assert read("2026-03-07 14:05", reader=reader) == [datetime(2026, 3, 7, 13, 5, tzinfo=UTC)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("we met at 14:20", datetime(2026, 3, 7, 12, 20, tzinfo=UTC)),
        ("we met at 14:20 UTC", datetime(2026, 3, 7, 14, 20, tzinfo=UTC)),
        ("we met at 2 pm GMT", datetime(2026, 3, 7, 14, 0, tzinfo=UTC)),
        ("we met at 14:20+01:00", datetime(2026, 3, 7, 13, 20, tzinfo=UTC)),
        ("we met at 14:20 CET", None),
        ("we met at 2 pm PT", None),
    ],
)
def test_a_time_of_day_is_in_the_zone_named_behind_it(text: str, expected: datetime | None) -> None:
    """A zone behind a time counts; letters that mean several zones leave the day alone known."""
    reader = DateReader(timezone=timezone(timedelta(hours=2)))
    assert reader.clock_time(text, date(2026, 3, 7)) == expected


def test_a_line_that_begins_with_a_time_in_utc_is_read_as_such() -> None:
    """The zone in front of a line counts before that of the machine."""
    reader = DateReader(timezone=timezone(timedelta(hours=2)))
    day = date(2026, 3, 7)
    assert reader.line_time("14:20 UTC - the kiln cracked", day) == (
        datetime(2026, 3, 7, 14, 20, tzinfo=UTC),
        len("14:20 UTC - "),
    )


def test_the_day_of_a_time_is_the_one_that_was_written() -> None:
    """A quarter to one at night in the east belongs to the day of its text, not to that in UTC."""
    reader = DateReader(timezone=timezone(timedelta(hours=2)))
    found = reader.mentions("2026-03-07 00:45", language("en"))
    assert [(one.day, one.value) for one in found] == [
        (date(2026, 3, 7), datetime(2026, 3, 6, 22, 45, tzinfo=UTC))
    ]
    assert reader.day_of(found[0].value) == date(2026, 3, 7)


@pytest.mark.parametrize(
    ("code", "text", "day"),
    [
        ("en", "it broke on 2 March", date(2026, 3, 2)),
        ("en", "it broke yesterday", date(2026, 3, 13)),
        ("en", "today we met", date(2026, 3, 14)),
        ("de", "gestern ist er gekommen", date(2026, 3, 13)),
        ("ru", "вчера привезли печь", date(2026, 3, 13)),
        ("zh", "昨天送到了", date(2026, 3, 13)),
        ("ja", "3月2日に届いた", date(2026, 3, 2)),
        ("en", "on 28 December it snowed", date(2025, 12, 28)),
    ],
)
def test_relative_and_partial_dates_count_from_the_day_of_the_document(
    code: str, text: str, day: date
) -> None:
    assert read(text, code, DateReader(ANCHOR)) == [day]


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("en", "send it by 15 May 2026"),
        ("en", "valid until 2026-05-15"),
        ("de", "bis zum 15. Mai 2026"),
        ("fr", "avant le 15 mai 2026"),
        ("es", "antes del 15 de mayo de 2026"),
        ("ru", "до 15 мая 2026"),
        ("ja", "2026年5月15日までに出す"),
        ("ko", "2026년 5월 15일까지 보내기"),
        ("zh", "2026年5月15日之前"),
    ],
)
def test_a_deadline_is_not_when_something_was(code: str, text: str) -> None:
    mentions = DateReader().mentions(text, language(code))
    assert [mention.deadline for mention in mentions] == [True]


@pytest.mark.parametrize(
    ("text", "hour", "minute"),
    [
        ("passed at 14:00", 14, 0),
        ("at 2.30 pm it rang", 14, 30),
        ("um 14h05", 14, 5),
        ("14時30分に届いた", 14, 30),
        ("at 12 am", 0, 0),
    ],
)
def test_the_only_time_of_day_of_a_text_is_read(text: str, hour: int, minute: int) -> None:
    assert DateReader().clock_time(text, ANCHOR) == datetime(2026, 3, 14, hour, minute, tzinfo=UTC)


@pytest.mark.parametrize("text", ["between 07:00 and 22:00", "10.50 credits", "no time", "99:99"])
def test_several_times_or_none_give_none(text: str) -> None:
    assert DateReader().clock_time(text, ANCHOR) is None


def test_a_line_may_begin_with_a_time() -> None:
    moment, end = DateReader().line_time("14:20 - The tide", ANCHOR) or (None, 0)
    assert (moment, end) == (datetime(2026, 3, 14, 14, 20, tzinfo=UTC), len("14:20 - "))
    assert DateReader().line_time("10.50 credits a loaf", ANCHOR) is None


@given(st.dates(date(1900, 1, 1), date(2100, 12, 31)))
def test_every_day_is_read_back_from_iso_form(day: date) -> None:
    assert read(f"it was {day.isoformat()} then") == [day]


@given(st.text("0123456789-/.: TZ年月日März", max_size=40), st.sampled_from(LANGUAGE_CODES))
def test_no_text_of_figures_makes_it_fail(text: str, code: str) -> None:
    reader = DateReader(ANCHOR)
    mentions = reader.mentions(text, language(code))
    ends = [(mention.start, mention.end) for mention in mentions]
    assert all(0 <= start < end <= len(text) for start, end in ends)
    reader.clock_time(text, ANCHOR)
    reader.line_time(text, ANCHOR)
