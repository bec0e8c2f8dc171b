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


@pytest.mark.parametrize(
    ("line", "when"),
    [
        ("I can come on Tuesday, 27 January, at 8:00.", datetime(2026, 1, 27, 8, tzinfo=UTC)),
        ("Ich komme am Dienstag, den 27. Januar, um 8 Uhr.", datetime(2026, 1, 27, 8, tzinfo=UTC)),
        ("Je viens le mardi 27 janvier à 8h00.", datetime(2026, 1, 27, 8, tzinfo=UTC)),
        ("Vengo el martes 27 de enero a las 8:00.", datetime(2026, 1, 27, 8, tzinfo=UTC)),
        ("Vengo martedì 27 gennaio alle 8:00.", datetime(2026, 1, 27, 8, tzinfo=UTC)),
        ("Ik kom op dinsdag 27 januari om 8:00.", datetime(2026, 1, 27, 8, tzinfo=UTC)),
        ("The plumber comes on January 27 (Tuesday).", date(2026, 1, 27)),
        ("The plumber comes on Tuesday.", date(2026, 1, 20)),
    ],
)
def test_a_weekday_beside_a_date_is_no_day_of_its_own(line: str, when: EventTime) -> None:
    """Said on a Thursday, the nearest Tuesday is meant only where no date stands with it."""
    mail = f"From: Petra <p@x.example>\nDate: Thu, 15 Jan 2026 09:41:00 +0100\n\n{line}\n"
    document = read_document(PurePath("a.eml"), mail.encode()).document
    assert document is not None
    found = RulesExtractor().begin(document).extract(whole_chunk(document.text)).candidates

    assert [(str(one.memory_type), one.event_at) for one in found] == [("event", when)]


@pytest.mark.parametrize(
    ("line", "when"),
    [
        ("Er kommt am Freitag, 6. Februar 2026, um 9 Uhr.", datetime(2026, 2, 6, 9, tzinfo=UTC)),
        ("Freitag, 6. Februar 2026: Die Heizung wurde gewartet.", date(2026, 2, 6)),
        ("vendredi 6 février 2026 : la chaudière a été réparée.", date(2026, 2, 6)),
        ("Fri, 6 February 2026: the boiler was serviced.", date(2026, 2, 6)),
        ("The painter arrives on Friday, 6 February 2026.", date(2026, 2, 6)),
    ],
)
def test_a_whole_date_needs_no_day_of_the_file(line: str, when: EventTime) -> None:
    """With its weekday in front, in whatever language, it dates what is said of it."""
    assert [(kind, at) for kind, at, _ in stated(f"- {line}\n")] == [("event", when)]


class TestDecisions:
    def test_what_is_decided_in_a_message_was_decided_on_its_day(self) -> None:
        """A fact that somebody tells has no day, whenever it was told."""
        text = (
            "13/01/2026, 07:55 - Anna: We decided to buy the red sofa.\n"
            "14/01/2026, 07:58 - Jonas: I live in Kiel and work as a baker.\n"
            "15/01/2026, 08:10 - Anna: Wir haben beschlossen, im August zu fahren.\n"
        )
        assert [(kind, when) for kind, when, _ in stated(text, "chat.txt")] == [
            ("decision", date(2026, 1, 13)),
            ("fact", None),
            ("decision", date(2026, 1, 15)),
        ]

    @pytest.mark.parametrize(
        ("line", "when"),
        [
            ("We decided to keep the oak worktop.", date(2026, 11, 24)),
            ("We decided to sell the car on 5 December.", date(2026, 11, 24)),
            ("We decided to return what came yesterday.", None),
            ("The boiler is 60 cm wide.", None),
        ],
    )
    def test_a_decision_has_the_day_in_the_name_of_its_file(
        self, line: str, when: EventTime | None
    ) -> None:
        """Unless it names an earlier one, of which nothing tells what was on it."""
        assert days(f"{line}\n", "2026-11-24.md") == [when]
