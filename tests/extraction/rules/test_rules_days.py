"""Which day a statement of a file is dated with: its own, that of its entry, that of the file."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import PurePath

import pytest
from whole_chunk import whole_chunk

from memctl.extraction.rules.extractor import RulesExtractor
from memctl.ingestion.readers.registry import read_document
from memctl.memory import EventTime

Stated = tuple[str, EventTime | None, str]
"""Type, event time and content of a statement."""


def stated(text: str, name: str = "notes.md") -> list[Stated]:
    """What the file of that name and text states."""
    document = read_document(PurePath(name), text.encode()).document
    assert document is not None
    whole = whole_chunk(text)
    found = RulesExtractor().begin(document).extract(whole).candidates
    return [(str(one.memory_type), one.event_at, one.content) for one in found]


def days(text: str, name: str = "notes.md") -> list[EventTime | None]:
    return [when for _, when, _ in stated(text, name)]


MEETING = datetime(2026, 9, 28, 19, 30, tzinfo=UTC)


class TestOwnDays:
    @pytest.mark.parametrize(
        ("line", "when"),
        [
            ("Next meeting 28 September, 19:30", MEETING),
            ("Next meeting: 28 September, 19:30", MEETING),
            ("Nächste Besprechung am 28. September um 19:30 Uhr", MEETING),
            ("Prochaine réunion le 28 septembre à 19h30", MEETING),
            ("Scaffolding goes up on 5 October", date(2026, 10, 5)),
            ("Das Gerüst kommt am 5. Oktober", date(2026, 10, 5)),
            ("The new lift opens on 5 January", date(2027, 1, 5)),
            ("Follow-up on Dec 4 at 10:00.", datetime(2026, 12, 4, 10, tzinfo=UTC)),
        ],
    )
    @pytest.mark.parametrize("above", ["# Minutes 14 September 2026", "---\ndate: 2026-09-14\n---"])
    def test_a_day_to_come_that_a_statement_names_wins(
        self, above: str, line: str, when: EventTime
    ) -> None:
        """It is an event of that day, in the year that is next from when it was written."""
        assert stated(f"{above}\n\n- {line}\n") == [("event", when, line)]

    def test_an_appointment_among_next_steps_is_an_event(self) -> None:
        text = "# 2026-09-14\n\n## Next steps\n\n- Next meeting 28 September, 19:30\n"
        assert [(kind, when) for kind, when, _ in stated(text)] == [("event", MEETING)]

    def test_a_task_has_the_day_for_which_it_is_planned(self) -> None:
        """A deadline is no such day, and neither is a day that is past."""
        text = (
            "# 2026-09-14\n\n- [ ] call the roofer on 5 October\n"
            "- [ ] send the letter by 20 September\n- [ ] pay the invoice of 1 September\n"
        )
        assert days(text) == [date(2026, 10, 5), date(2026, 9, 14), date(2026, 9, 14)]

    def test_what_comes_back_every_year_is_no_event_to_come(self) -> None:
        text = "# 2026-09-14\n\n- Ada's birthday is on 20 September\n"
        assert [kind for kind, _, _ in stated(text)] == ["fact"]

    def test_the_day_after_an_entry_is_counted_from_it(self) -> None:
        text = "# Log\n\n## 2026-09-14\n\nTomorrow: dentist at 8:30.\n\n## 2026-09-20\n\nSlept.\n"
        assert days(text)[0] == datetime(2026, 9, 15, 8, 30, tzinfo=UTC)

    def test_what_happened_was_not_tomorrow(self) -> None:
        text = "# 2026-09-14\n\nWe repaired the pump and visited Ada, who leaves tomorrow.\n"
        assert days(text) == [date(2026, 9, 14)]


class TestDayLines:
    @pytest.mark.parametrize(
        "line",
        [
            "23/11/2026",
            "Monday 23 November 2026",
            "Monday, 23 November 2026:",
            "Montag, 23. November 2026",
            "23.11.2026",
            "lundi 23 novembre 2026",
            "2026年11月23日",
        ],
    )
    @pytest.mark.parametrize("name", ["log.md", "log.txt"])
    def test_a_day_on_a_line_of_its_own_dates_the_entry_below(self, line: str, name: str) -> None:
        """It is no memory itself."""
        text = f"{line}\n\nVisited the museum with Nora.\n\nThe boiler was repaired by Radwerk.\n"
        assert [when for _, when, _ in stated(text, name)] == [date(2026, 11, 23)] * 2

    def test_each_entry_has_the_day_above_it(self) -> None:
        text = "22/11/2026\n\nVisited the museum.\n\n03/12/2026\n\nBought a bicycle.\n"
        assert days(text) == [date(2026, 11, 22), date(2026, 12, 3)]

    def test_where_months_go_first_so_they_do_in_all_dates(self) -> None:
        text = "11/22/2026\n\nVisited the museum.\n\n03/12/2026\n\nBought a bicycle.\n"
        assert days(text) == [date(2026, 11, 22), date(2026, 3, 12)]

    def test_a_day_that_reads_two_ways_ends_the_entry_before_it(self) -> None:
        text = "2026-11-22\n\nVisited the museum.\n\n03/12/2026\n\nBought a bicycle.\n"
        assert days(text) == [date(2026, 11, 22), None]


class TestNamedFiles:
    @pytest.mark.parametrize("name", ["2026-11-24.md", "2026-11-24.txt", "2026-11-24.org"])
    def test_the_day_in_the_name_of_a_file_is_that_of_its_events(self, name: str) -> None:
        """Its facts have none, and a day that an event names wins."""
        text = (
            "The oven is 60 cm wide.\n\nVisited Ada in Rome.\n\nOn 3 March 2026 the pump broke.\n"
        )
        assert days(text, name) == [None, date(2026, 11, 24), date(2026, 3, 3)]


@pytest.mark.parametrize(
    ("line", "when"),
    [
        ("下周三去看牙医。", date(2026, 3, 11)),
        ("这周五开会。", date(2026, 3, 6)),
        ("来週の水曜日に歯医者の予約がある。", date(2026, 3, 11)),
        ("今度の金曜日に会議がある。", date(2026, 3, 6)),
        ("다음 주 수요일에 회의가 있다.", date(2026, 3, 11)),
        ("The dentist is on Friday next week.", date(2026, 3, 13)),
        ("Nächste Woche Freitag ist Zahnarzttermin.", date(2026, 3, 13)),
    ],
)
def test_a_weekday_of_this_or_the_next_week_is_a_day(line: str, when: date) -> None:
    """Counted from the day of the entry, a Wednesday here."""
    assert days(f"# 2026-03-04\n\n- {line}\n") == [when]
