"""Marks in a text that is being written: on which lines of its file the characters behind them are.

A mark is a number in noncharacters of Unicode, which are for a program's own use. It always stands
in front of a character that is no blank, so that no stripping or folding of blanks touches it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from memctl.file_lines import FileLine, PlacedText

EXTRA_LINE_END = "\U0006fffe"
"""Stands in a text for a line end that its file writes as an entity."""

_DIGITS = "".join(chr(plane * 0x10000 + end) for plane in range(1, 6) for end in (0xFFFE, 0xFFFF))
_RESERVED = re.compile(f"[{_DIGITS}{EXTRA_LINE_END}]")
_MARK = re.compile(f"[{_DIGITS}]+")
_BLANKS = re.compile(f"[\\s{EXTRA_LINE_END}]*")
_TO_DIGITS = str.maketrans("0123456789", _DIGITS)
_FROM_DIGITS = str.maketrans(_DIGITS, "0123456789")


def without_mark_characters(text: str) -> str:
    """The text with U+FFFD for what could be taken for a mark, one for each character."""
    return _RESERVED.sub("\ufffd", text)


def mark_line(text: str, line: int) -> str:
    """A text that stands on one line (from 1) of its file, with a mark unless it is blank."""
    blanks = _BLANKS.match(text)
    begin = 0 if blanks is None else blanks.end()
    mark = str(line).translate(_TO_DIGITS)
    return f"{text[:begin]}{mark}{text[begin:]}" if begin < len(text) else text


def without_marks(text: str) -> str:
    """The text alone."""
    return _MARK.sub("", text)


def around_marks(text: str, rewrite: Callable[[str], str]) -> str:
    """The text as ``rewrite`` gives it back, which sees no marks and must keep its length."""
    if _MARK.search(text) is None:
        return rewrite(text)
    bare = rewrite(without_marks(text))
    pieces: list[str] = []
    position = end = 0
    for match in _MARK.finditer(text):
        length = match.start() - end
        pieces += bare[position : position + length], match[0]
        position, end = position + length, match.end()
    return "".join([*pieces, bare[position:]])


def read_marks(text: str) -> PlacedText:
    """The text alone, and on which lines of the file it stands as its marks say. What is in front
    of the first mark of a line goes with it, and so do lines without any directly above."""
    bare = without_marks(text)
    starts: list[FileLine] = []
    growth = last_mark = 0
    for match in _MARK.finditer(text):
        mark = match.start() - growth
        growth += len(match[0])
        line = int(match[0].translate(_FROM_DIGITS))
        start = _begin_of_part(bare, mark, last_mark if starts else -1)
        last_mark = mark
        if not starts or starts[-1].line != line:
            starts.append(FileLine(start, line))
    return PlacedText(bare, tuple(starts))


def _begin_of_part(text: str, mark: int, last_mark: int) -> int:
    """Where the part begins of which a mark tells the line; the one before stands at
    ``last_mark``."""
    start = text.rfind("\n", 0, mark) + 1
    if start <= last_mark:
        return mark
    while start > 0:
        above = text.rfind("\n", 0, start - 1) + 1
        if above <= last_mark or not text[above:start].strip():
            return start
        start = above
    return start
