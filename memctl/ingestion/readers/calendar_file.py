"""Calendars (.ics) and address books (.vcf) as entries: one line for each event, task or person.

Each is parsed by itself, so that a damaged one takes no other with it; an entry that cannot be
parsed is left out and counted in a remark.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from memctl.blocks.entries import ENTRY_MARK, FIELD_SEPARATOR, OPEN_BOX, TICKED_BOX
from memctl.extraction.extractor import DocumentText, TextFormat
from memctl.file_lines import join_lines
from memctl.ingestion.readers.content_lines import LINE_END, Part, parts
from memctl.ingestion.readers.recurrence import MONTHS, recurrence_text
from memctl.plural import plural

if TYPE_CHECKING:
    from icalendar import Component

NO_CALENDAR = "it holds no entry of a calendar and was read as plain text"
NO_CONTACTS = "it holds no contact and was read as plain text"

_FAULTS = (ValueError, KeyError, IndexError, AttributeError, TypeError)
"""What the parser raises on damaged lines."""

MOST_NAMED_PEOPLE = 8
LONGEST_FIELD_CHARACTERS = 300

_EVENT, _TODO, _JOURNAL, _CARD = "VEVENT", "VTODO", "VJOURNAL", "VCARD"
_CANCELLED = "CANCELLED"
_DONE = "COMPLETED"
_NOTES_INDENT = "  "
_CARD_FIELDS = (
    ("NICKNAME", "nickname"),
    ("ORG", "organisation"),
    ("TITLE", "job"),
    ("ROLE", "role"),
    ("TEL", "phone"),
    ("EMAIL", "e-mail"),
    ("ADR", "address"),
    ("BDAY", "birthday"),
    ("ANNIVERSARY", "anniversary"),
    ("URL", "web"),
)
_DAY = re.compile(r"(?:(\d{4})-?|--)(\d{2})-?(\d{2})")
_ESCAPE = re.compile(r"\\([nN,;:\\])")
_NO_TYPES = frozenset({"PREF", "VOICE", "INTERNET", "TEXT", "OTHER"})


def read_calendar(path: PurePath, text: str, encoding: str) -> DocumentText:
    """The events, tasks and notes of a calendar that were not cancelled."""
    kinds = frozenset({_EVENT, _TODO, _JOURNAL})
    return _read(path, text, encoding, kinds, _calendar_entry, NO_CALENDAR)


def read_contacts(path: PurePath, text: str, encoding: str) -> DocumentText:
    """The people and organisations of an address book."""
    return _read(path, text, encoding, frozenset({_CARD}), _card_entry, NO_CONTACTS)


def _read(
    path: PurePath,
    text: str,
    encoding: str,
    kinds: frozenset[str],
    write: Callable[[Component], Sequence[str]],
    nothing: str,
) -> DocumentText:
    plain = DocumentText(text=text, text_format=TextFormat.PLAIN, path=str(path), encoding=encoding)
    lines: list[str] = []
    numbers: list[int] = []
    count = lost = 0
    for part in parts(text, kinds):
        count += 1
        component = _component(part)
        written = () if component is None else write(component)
        lost += component is None
        lines += written
        numbers += [part.first_line] * len(written)
    if not count or lost == count:
        return replace(plain, remarks=(nothing,))
    placed = join_lines(lines, numbers)
    remarks = (f"{plural(lost, 'entry')} could not be read",) if lost else ()
    return replace(
        plain,
        text=placed.text,
        text_format=TextFormat.ENTRIES,
        file_lines=placed.file_lines,
        remarks=remarks,
    )


def _component(part: Part) -> Component | None:
    """What a part says, without those of its lines that cannot be read; None where nothing can."""
    from icalendar import Component

    for source in (part.source, None):
        try:
            return Component.from_ical(source or _sound_lines(part.source))
        except _FAULTS:
            continue
    return None


def _sound_lines(source: str) -> str:
    from icalendar.parser import Contentlines

    kept = []
    lines: Any = Contentlines
    for line in lines.from_ical(source):
        try:
            if line:
                line.parts()
                kept.append(str(line))
        except _FAULTS:
            continue
    return LINE_END.join([*kept, ""])


def _calendar_entry(entry: Component) -> list[str]:
    if _text(entry, "STATUS").upper() == _CANCELLED:
        return []
    title = _text(entry, "SUMMARY")
    notes = _lines(entry, "DESCRIPTION") + _lines(entry, "COMMENT")
    if not title and not notes:
        return []
    fields = [title or notes.pop(0), *_calendar_fields(entry)]
    head = ""
    rule = recurrence_text(entry.get("RRULE"))
    start = _moment(entry, "DTSTART")
    if entry.name == _TODO:
        is_done = _text(entry, "STATUS").upper() == _DONE or "COMPLETED" in entry
        head = TICKED_BOX if is_done else OPEN_BOX
    elif start is not None and not rule:
        head = f"{_when(start)}: "
    return _entry_lines(head, fields, notes)


def _calendar_fields(entry: Component) -> Iterator[str]:
    start, end = _moment(entry, "DTSTART"), _end(entry)
    rule = recurrence_text(entry.get("RRULE"))
    if rule:
        yield f"{rule}{_span(start, end)}"
    elif start is not None and end is not None and entry.name != _TODO:
        yield f"until {_until(start, end)}"
    due, done = _moment(entry, "DUE"), _moment(entry, "COMPLETED")
    if due is not None:
        yield f"due: {_when(due)}"
    if done is not None:
        yield f"done: {_when(done)}"
    place = _text(entry, "LOCATION")
    if place:
        yield f"place: {place}"
    people = [*_people(entry, "ORGANIZER"), *_people(entry, "ATTENDEE")]
    if people:
        more = ", ..." if len(people) > MOST_NAMED_PEOPLE else ""
        yield f"with: {', '.join(dict.fromkeys(people[:MOST_NAMED_PEOPLE]))}{more}"
    if _text(entry, "STATUS").upper() == "TENTATIVE":
        yield "tentative"


def _card_entry(card: Component) -> list[str]:
    name = _text(card, "FN") or _parts_text(_values(card, "N")[:1], order=(3, 1, 2, 0, 4))
    organisation = _parts_text(_values(card, "ORG")[:1], joint=", ")
    fields = [name or organisation]
    if not fields[0]:
        return []
    for key, label in _CARD_FIELDS:
        for value in _values(card, key):
            said = _card_value(key, value)
            if said and said not in fields[0]:
                fields.append(f"{_label(label, value)}: {said}")
    return _entry_lines("", fields, _lines(card, "NOTE"))


def _card_value(key: str, value: Any) -> str:
    if key in {"ADR", "ORG"}:
        return _parts_text([value], joint=", ")
    said = _said(value)
    if key in {"BDAY", "ANNIVERSARY"}:
        return _day_text(said.split("T")[0])
    return said.removeprefix("tel:").removeprefix("mailto:")


def _day_text(day: str) -> str:
    """A day of vCard, which may be written without hyphens or without its year."""
    found = _DAY.fullmatch(day)
    if found is None:
        return day
    year, month, of_month = found.groups()
    if year is not None:
        return f"{year}-{month}-{of_month}"
    is_month = 1 <= int(month) <= len(MONTHS)
    return f"{int(of_month)} {MONTHS[int(month) - 1]}" if is_month else day


def _label(label: str, value: Any) -> str:
    types = getattr(value, "params", {}).get("TYPE", [])
    listed = types if isinstance(types, list) else str(types).split(",")
    told = [one for one in listed if one.upper() not in _NO_TYPES and not one.startswith("x-")]
    return f"{label} ({told[0].lower()})" if told else label


def _entry_lines(head: str, fields: Sequence[str], notes: Sequence[str]) -> list[str]:
    shown = [field[:LONGEST_FIELD_CHARACTERS] for field in fields]
    entry = f"{ENTRY_MARK}{head}{FIELD_SEPARATOR.join(shown)}"
    return [entry, *(f"{_NOTES_INDENT}{note}" for note in notes)]


def _values(entry: Component, key: str) -> list[Any]:
    value = entry.get(key)
    if value is None:
        return []
    return list(value) if isinstance(value, list) else [value]


def _said(value: Any) -> str:
    return " ".join(_unescaped(value).split())


def _unescaped(value: Any) -> str:
    """A value as text; of a property that it does not know, the parser leaves the escapes."""
    from icalendar import vUnknown

    if not isinstance(value, vUnknown):
        return str(value)
    return _ESCAPE.sub(lambda found: "\n" if found[1] in "nN" else found[1], str(value))


def _text(entry: Component, key: str) -> str:
    return FIELD_SEPARATOR.join(filter(None, map(_said, _values(entry, key))))


def _lines(entry: Component, key: str) -> list[str]:
    """The lines of a text that say something, each without blanks around it."""
    lines = [line for value in _values(entry, key) for line in _unescaped(value).split("\n")]
    return [" ".join(line.split()) for line in lines if line.strip()]


def _people(entry: Component, key: str) -> Iterator[str]:
    for value in _values(entry, key):
        name = getattr(value, "params", {}).get("CN") or str(value)
        yield _said(name).removeprefix("mailto:").removeprefix("MAILTO:")


def _parts_text(values: Sequence[Any], *, joint: str = " ", order: Sequence[int] = ()) -> str:
    """The parts of a name, an address or an organisation that are filled in."""
    for value in values:
        parted = _split(value)
        if order:
            parted = [parted[place] for place in order if place < len(parted)]
        return joint.join(filter(None, (_said(part) for part in parted)))
    return ""


def _split(value: Any) -> list[str]:
    fields = getattr(value, "fields", value)
    if isinstance(fields, str) or not hasattr(fields, "__iter__"):
        return str(fields).split(";")
    return [str(one) for one in fields]


def _moment(entry: Component, key: str) -> date | None:
    value = next(iter(_values(entry, key)), None)
    try:
        moment = value.dt if value is not None else None
    except (ValueError, AttributeError):
        return None
    return moment if isinstance(moment, date) else None


def _end(entry: Component) -> date | None:
    """When an entry ends; its last day where it is of whole days, None where it is of one."""
    start, end = _moment(entry, "DTSTART"), _moment(entry, "DTEND")
    if start is None:
        return None
    if end is None and "DURATION" in entry:
        try:
            duration: Any = entry["DURATION"]
            end = start + duration.dt
        except (ValueError, AttributeError, TypeError, OverflowError):
            return None
    if end is None or isinstance(end, datetime) is not isinstance(start, datetime):
        return None
    if isinstance(end, datetime):
        return end if str(end) != str(start) else None
    if end <= start:
        return None
    last = end - timedelta(days=1)
    return last if last > start else None


def _when(moment: date) -> str:
    return moment.isoformat(timespec="minutes") if isinstance(moment, datetime) else str(moment)


def _until(start: date, end: date) -> str:
    if not isinstance(start, datetime) or not isinstance(end, datetime):
        return str(end)
    is_one_day = start.date() == end.date() and start.utcoffset() == end.utcoffset()
    return f"{end:%H:%M}" if is_one_day else _when(end)


def _span(start: date | None, end: date | None) -> str:
    """When what comes back begins and ends, and since when it does so."""
    if start is None:
        return ""
    if not isinstance(start, datetime):
        return f", since {start}"
    until = f" to {end:%H:%M}" if isinstance(end, datetime) else ""
    zone = " UTC" if start.tzname() == "UTC" else ""
    return f", {start:%H:%M}{until}{zone}, since {start:%Y-%m-%d}"
