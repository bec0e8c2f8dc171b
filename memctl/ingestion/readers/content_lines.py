"""Content lines, of which calendars (iCalendar) and address books (vCard) consist: what begins and
ends a part, and on which line of its file it stands."""

from __future__ import annotations

import quopri
import re
from collections.abc import Iterator
from typing import NamedTuple

LINE_END = "\r\n"

_BEGIN = re.compile(r"begin:([\w-]+)\s*$", re.IGNORECASE)
_GROUP = re.compile(r"\A[\w-]+\.(?=[A-Za-z-]+[;:])")
_QUOTED_PRINTABLE = re.compile(r"[^:\"]*;(?:encoding=)?quoted-printable\b", re.IGNORECASE)
_CHARSET = re.compile(r";charset=\"?([\w.:-]+)", re.IGNORECASE)
_BARE_TYPE = re.compile(r";(?=[A-Za-z-]+(?:[;:]|$))")
"""What stands before a parameter that is only a value, by vCard 2.1: ``TEL;CELL:``."""

_LINE_BREAK = re.compile(r"\r?\n")
_DATA = re.compile(
    r"(?:photo|logo|sound|key|attach|x-alt-desc|x-apple-structured-location|x-ms-[\w-]*)[;:]",
    re.IGNORECASE,
)
"""Names of lines that hold pictures and other data for programs."""


class Part(NamedTuple):
    """The content lines of a part, without data for programs, and the line (from 1) on which it
    begins."""

    kind: str
    source: str
    first_line: int


def parts(text: str, kinds: frozenset[str]) -> Iterator[Part]:
    """The parts of those kinds (in capitals) in the order of the file, with all that is in them.

    One that does not end reaches to the end of the file, or to where the next of its kind begins.
    """
    begun: str | None = None
    first_line = 0
    lines: list[str] = []
    all_lines = [*text.split("\n"), ""]
    for number, line in enumerate(all_lines, start=1):
        opening = _BEGIN.match(line)
        kind = opening[1].upper() if opening is not None else None
        if begun is not None and (kind == begun or number == len(all_lines)):
            yield _part(begun, lines, first_line)
            begun = None
        if begun is None and kind in kinds:
            begun, first_line, lines = kind, number, []
        if begun is not None:
            lines.append(line.rstrip("\r"))
            if line.strip().upper() == f"END:{begun}":
                yield _part(begun, lines, first_line)
                begun = None


def _part(kind: str, lines: list[str], first_line: int) -> Part:
    if lines[-1].strip().upper() != f"END:{kind}":
        lines = [*lines, f"END:{kind}"]
    kept: list[str] = []
    is_data = False
    for written in _without_quoted_printable(lines):
        line = _GROUP.sub("", written, count=1)
        if line[:1] not in (" ", "\t"):
            head, colon, value = line.partition(":")
            line = f"{_BARE_TYPE.sub(';TYPE=', head)}{colon}{value}"
            is_data = _DATA.match(line) is not None
        if not is_data and line.strip():
            kept.append(line)
    return Part(kind, LINE_END.join([*kept, ""]), first_line)


def _without_quoted_printable(lines: list[str]) -> Iterator[str]:
    """The lines with what is written as ``=C3=A4``, by vCard 2.1, as it is."""
    waiting = ""
    for written in lines:
        line = waiting + written.lstrip() if waiting else written
        waiting = ""
        if _QUOTED_PRINTABLE.match(line) is None:
            yield line
        elif line.endswith("="):
            waiting = line[:-1]
        else:
            yield _decoded(line)
    if waiting:
        yield _decoded(waiting)


def _decoded(line: str) -> str:
    head, _, value = line.partition(":")
    charset = _CHARSET.search(head)
    data = quopri.decodestring(value.encode("utf-8", "replace"))
    try:
        text = data.decode(charset[1] if charset is not None else "utf-8", "replace")
    except (LookupError, ValueError):
        text = data.decode("utf-8", "replace")
    name = head.split(";", 1)[0]
    one_line = _LINE_BREAK.sub(r"\\n", text)
    return f"{name}:{one_line}"
