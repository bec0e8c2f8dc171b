"""Calendars and address books are read as what they say: one entry for each event, task, person."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import PurePath

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from whole_chunk import whole_chunk

from memctl.document import Candidate
from memctl.extraction.extractor import TextFormat
from memctl.extraction.rules.extractor import RulesExtractor
from memctl.ingestion.readers.calendar_file import (
    NO_CALENDAR,
    NO_CONTACTS,
    read_calendar,
    read_contacts,
)
from memctl.ingestion.readers.recurrence import recurrence_text
from memctl.ingestion.readers.registry import read_document
from memctl.memory import MemoryType

CALENDAR = r"""BEGIN:VCALENDAR
VERSION:2.0
BEGIN:VTIMEZONE
TZID:Europe/Oslo
END:VTIMEZONE
BEGIN:VEVENT
UID:1@oars.example
DTSTART;TZID=Europe/Oslo:20260522T173000
DTEND;TZID=Europe/Oslo:20260522T193000
SUMMARY:Tar the
  boathouse roof
LOCATION:Slip 4\, Nordhavn
DESCRIPTION:Sigrid brings the tar.\nWe decided to leave the north side for autumn.
BEGIN:VALARM
TRIGGER:-PT15M
DESCRIPTION:Reminder
END:VALARM
END:VEVENT
BEGIN:VEVENT
DTSTART;VALUE=DATE:20260605
DTEND;VALUE=DATE:20260608
SUMMARY:Regatta weekend
STATUS:TENTATIVE
END:VEVENT
BEGIN:VEVENT
DTSTART;TZID=W. Europe Standard Time:20190305T193000
DURATION:PT1H30M
RRULE:FREQ=WEEKLY;BYDAY=TU,FR;INTERVAL=2;UNTIL=20261231T000000Z
SUMMARY:Rowing practice
ATTENDEE;CN="Nils Aas":mailto:nils@oars.example
END:VEVENT
BEGIN:VEVENT
DTSTART:20260305T183000Z
STATUS:CANCELLED
SUMMARY:Dinner that is off
END:VEVENT
BEGIN:VTODO
DUE;VALUE=DATE:20260301
SUMMARY:Pay the mooring fee
END:VTODO
BEGIN:VTODO
STATUS:COMPLETED
COMPLETED:20260103T101112Z
SUMMARY:Call the harbour office about the crane
END:VTODO
END:VCALENDAR
"""

CARDS = r"""BEGIN:VCARD
VERSION:2.1
N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=C3=98deg=C3=A5rd;J=C3=B8rn;;;
TEL;CELL:0170 555 0199
NOTE;ENCODING=QUOTED-PRINTABLE:J=C3=B8rn repairs the outboard motors.=0AHe is =
allergic to dogs.
END:VCARD
BEGIN:VCARD
VERSION:3.0
FN:Sigrid Aas
N:Aas;Sigrid;;;
ORG:Nordhavn Oars AS;Sales
item1.TEL;type=CELL;type=pref:+47 555 01 99
TEL;TYPE=HOME:+47 555 01 98
ADR;TYPE=HOME:;;Slip 4\, 2nd floor;Nordhavn;;24103;Norway
BDAY:19800502
PHOTO;ENCODING=b;TYPE=JPEG:AAAA
 BBBB
END:VCARD
BEGIN:VCARD
VERSION:4.0
FN:Nordhavn Rowing Club
TEL;VALUE=uri;TYPE="voice,work":tel:+47-555-01-97
BDAY:--0412
END:VCARD
"""


def candidates(text: str, name: str) -> list[Candidate]:
    """The memories that the rules make of a file."""
    document = read_document(PurePath(name), text.encode()).document
    assert document is not None
    assert document.text_format is TextFormat.ENTRIES
    chunk = whole_chunk(document.text, document.file_lines)
    return list(RulesExtractor().begin(document).extract(chunk).candidates)


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_a_calendar_gives_one_memory_for_each_entry_with_its_time(line_end: str) -> None:
    """Folded lines, escapes, zones, whole days and repetition are understood; what was cancelled is
    no event, alarms are none either, and the notes of an entry are read like other text."""
    found = candidates(CALENDAR.replace("\n", line_end), "club.ics")
    assert [(one.memory_type, one.event_at, one.content, one.first_line) for one in found] == [
        (
            MemoryType.EVENT,
            datetime(2026, 5, 22, 15, 30, tzinfo=UTC),
            "Tar the boathouse roof; until 19:30; place: Slip 4, Nordhavn",
            6,
        ),
        (MemoryType.FACT, None, "Tar the boathouse roof — Sigrid brings the tar.", 6),
        (
            MemoryType.DECISION,
            None,
            "Tar the boathouse roof — We decided to leave the north side for autumn.",
            6,
        ),
        (MemoryType.EVENT, date(2026, 6, 5), "Regatta weekend; until 2026-06-07; tentative", 19),
        (
            MemoryType.FACT,
            None,
            "Rowing practice; every 2 weeks on Tuesday and Friday until 2026-12-31, "
            "19:30 to 21:00, since 2019-03-05; with: Nils Aas",
            25,
        ),
        (MemoryType.TODO, None, "Pay the mooring fee; due: 2026-03-01", 37),
        (
            MemoryType.EVENT,
            datetime(2026, 1, 3, 10, 11, tzinfo=UTC),
            "Call the harbour office about the crane; done: 2026-01-03T10:11+00:00",
            41,
        ),
    ]


def test_an_address_book_gives_one_memory_for_each_person() -> None:
    """All three versions of the format are understood, and pictures stay out."""
    found = candidates(CARDS, "people.vcf")
    assert [(one.memory_type, one.content, one.first_line) for one in found] == [
        (MemoryType.FACT, "Jørn Ødegård; phone (cell): 0170 555 0199", 1),
        (MemoryType.FACT, "Jørn Ødegård — Jørn repairs the outboard motors.", 1),
        (MemoryType.IDENTITY, "Jørn Ødegård — He is allergic to dogs.", 1),
        (
            MemoryType.FACT,
            "Sigrid Aas; organisation: Nordhavn Oars AS, Sales; phone: +47 555 01 99; "
            "phone (home): +47 555 01 98; address (home): Slip 4, 2nd floor, Nordhavn, 24103, "
            "Norway; birthday: 1980-05-02",
            8,
        ),
        (
            MemoryType.FACT,
            "Nordhavn Rowing Club; phone (work): +47-555-01-97; birthday: 12 April",
            20,
        ),
    ]


def test_a_damaged_line_or_entry_takes_nothing_else_with_it() -> None:
    """Neither does an entry that does not end."""
    text = (
        "BEGIN:VEVENT\nX FOO BAR\nDTSTART:20269999\nSUMMARY:Boat wash\nEND:VEVENT\n"
        "BEGIN:VEVENT\nDTSTART:20260501\nSUMMARY:Boat race\n"
        "BEGIN:VEVENT\nDTSTART:20260601\nSUMMARY:Boat dance"
    )
    document = read_calendar(PurePath("a.ics"), text, "utf-8")
    assert [line for line in document.text.split("\n") if line] == [
        *("- Boat wash", "- 2026-05-01: Boat race", "- 2026-06-01: Boat dance")
    ]


@pytest.mark.parametrize("text", ["Only a sentence.", "BEGIN:VCALENDAR\nEND:VCALENDAR\n"])
def test_what_holds_no_entry_is_read_as_text_with_a_remark(text: str) -> None:
    for read, remark in ((read_calendar, NO_CALENDAR), (read_contacts, NO_CONTACTS)):
        document = read(PurePath("a"), text, "utf-8")
        assert (document.text, document.text_format) == (text, TextFormat.PLAIN)
        assert document.remarks == (remark,)


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ({"FREQ": ["DAILY"], "COUNT": [5]}, "every day 5 times"),
        ({"FREQ": ["MONTHLY"], "BYDAY": ["-1FR"]}, "every month on the last Friday"),
        ({"FREQ": ["MONTHLY"], "BYMONTHDAY": [1, 15]}, "every month on day 1 and 15"),
        (
            {"FREQ": ["YEARLY"], "BYMONTH": [5], "BYDAY": ["2SU"]},
            "every year on the second Sunday in May",
        ),
        ({"FREQ": ["WEEKLY"], "UNTIL": [date(2026, 5, 1)]}, "every week until 2026-05-01"),
        ({"FREQ": ["SOMETIMES"]}, ""),
        ({}, ""),
        (None, ""),
    ],
)  # fmt: skip
def test_a_rule_of_repetition_is_told_in_words(rule: object, text: str) -> None:
    assert recurrence_text(rule) == text


CONTENT_LINES = st.lists(
    st.sampled_from(
        "BEGIN:VEVENT|END:VEVENT|BEGIN:VCARD|END:VCARD|SUMMARY:a|DTSTART:20260101T000000Z|DTSTART:x"
        "|DTEND:20251231|DURATION:P1D|DURATION:-P99999999D|RRULE:FREQ=WEEKLY;BYMONTH=x|RRULE:a|FN:b"
        "|N:|ADR:;;;|ORG:|BDAY:--9999|TEL;=:|TEL;A;B:1|NOTE;QUOTED-PRINTABLE:=|NOTE;CHARSET=no;"
        "ENCODING=QUOTED-PRINTABLE:=FF=|PHOTO:|\t|:|;|DESCRIPTION:\\n|BEGIN:|END:| x|STATUS:"
        "|CATEGORIES:a,b|ATTENDEE:|ORGANIZER;CN=:x|DUE:2|COMPLETED:20260101|BEGIN:VALARM".split("|")
    ),
    max_size=14,
)


@given(CONTENT_LINES)
@example(["BEGIN:VEVENT", "SUMMARY:a", "DTSTART:99991231", "DURATION:P9D", "END:VEVENT"])
def test_any_lines_are_taken_without_complaint(lines: list[str]) -> None:
    text = "\n".join(lines)
    for read in (read_calendar, read_contacts):
        document = read(PurePath("a"), text, "utf-8")
        assert all(1 <= line <= len(lines) for _, line in document.file_lines)
        chunk = whole_chunk(document.text, document.file_lines)
        RulesExtractor().begin(document).extract(chunk)
