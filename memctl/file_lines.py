"""Lines of a file under a text that a reader made of it and whose own lines are others.

What is cited are lines of the file, from 1. Where something stands in a text is told by places: the
numbers of the text's own lines, from 0.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate, groupby
from operator import itemgetter
from typing import NamedTuple

_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|\w+")
"""A word, or one character of the scripts that are written without blanks."""


class FileLine(NamedTuple):
    """From its character ``start`` (from 0) on, a text stands on ``line`` (from 1) of its file."""

    start: int
    line: int


class LineStart(NamedTuple):
    """From ``column`` of the line ``place`` (both from 0) on, a passage stands on ``line`` (from 1)
    of its file."""

    place: int
    column: int
    line: int


class StatedAt(NamedTuple):
    """Where a passage states a memory: on lines of the file (from 1; None: by the whole passage),
    and on which of its own lines, which is None where those follow each other in the file."""

    first_line: int | None
    last_line: int | None
    first_place: int | None = None
    last_place: int | None = None


class PlacedText(NamedTuple):
    """A text, and on which lines of its file it stands, by ascending characters; nothing where its
    own lines are those."""

    text: str
    file_lines: tuple[FileLine, ...]


def join_lines(lines: Sequence[str], numbers: Sequence[int]) -> PlacedText:
    """The lines as a text, given the line (from 1) that each of them has in the file; a blank one
    parts those between which the file has others."""
    if list(numbers) == list(range(1, len(numbers) + 1)):
        return PlacedText("\n".join(lines), ())
    parts: list[str] = []
    starts: list[FileLine] = []
    position = 0
    for line, number in zip(lines, numbers, strict=True):
        if starts and number > starts[-1].line + 1 and parts[-1] and line:
            parts.append("")
            position += 1
        if not starts or number != starts[-1].line:
            starts.append(FileLine(position, number))
        parts.append(line)
        position += len(line) + 1
    return PlacedText("\n".join(parts), tuple(starts))


def line_of(file_lines: Sequence[FileLine], character: int) -> int:
    """The line of the file on which a character (from 0) of the text stands."""
    return file_lines[max(bisect_right(file_lines, character, key=itemgetter(0)) - 1, 0)].line


def starts_within(
    text: str, file_lines: Sequence[FileLine], start: int, end: int
) -> tuple[LineStart, ...]:
    """The lines of the file under the characters ``start`` up to and without ``end``; none where
    the text has none."""
    if not file_lines:
        return ()
    found = [LineStart(0, 0, line_of(file_lines, start))]
    place, line_begin = 0, start
    first = bisect_right(file_lines, start, key=itemgetter(0))
    behind = bisect_left(file_lines, end, first, key=itemgetter(0))
    for character, line in file_lines[first:behind]:
        place += text.count("\n", line_begin, character)
        line_begin = max(line_begin, text.rfind("\n", line_begin, character) + 1)
        found.append(LineStart(place, character - line_begin, line))
    return tuple(found)


def cited_lines(
    content: str,
    line_starts: Sequence[LineStart],
    first_place: int,
    last_place: int,
    statement: str,
) -> tuple[int, int]:
    """The first and last line of the file on which a passage makes a statement, given the places of
    the lines that it is taken from: the fewest lines that have all words that these share with it,
    the first ones if there are several such."""
    segments = _segments(content, line_starts, first_place, last_place)
    if len(segments) == 1:
        return segments[0][0], segments[0][0]
    words = [set(_words(text)) for _, text in segments]
    wanted = set(_words(statement)).intersection(set().union(*words))
    first, last = _shortest_run([one & wanted for one in words], len(wanted))
    lines = [line for line, _ in segments[first : last + 1]]
    return min(lines), max(lines)


def places_of(
    content: str, line_starts: Sequence[LineStart], first_line: int, last_line: int
) -> tuple[int, int]:
    """The places of those lines of a passage that stand on these lines of the file; all where none
    does."""
    last_place = content.count("\n")
    on_line = [
        place
        for place in range(last_place + 1)
        for line, _ in _segments(content, line_starts, place, place)
        if first_line <= line <= last_line
    ]
    return (on_line[0], on_line[-1]) if on_line else (0, last_place)


def stated_places(
    content: str, first_line: int, line_starts: Sequence[LineStart], stated: StatedAt
) -> tuple[int, int]:
    """The places of the first and last line with which a passage states a memory. ``first_line`` is
    where the passage begins in its file; without ``line_starts`` its lines follow each other. They
    may lie outside of the passage."""
    if stated.first_line is None:
        return 0, content.count("\n")
    last_line = stated.first_line if stated.last_line is None else stated.last_line
    if stated.first_place is not None:
        last_place = stated.first_place if stated.last_place is None else stated.last_place
        return stated.first_place, last_place
    if line_starts:
        return places_of(content, line_starts, stated.first_line, last_line)
    return stated.first_line - first_line, last_line - first_line


def moved_places(before: str, after: str, first_place: int, last_place: int) -> tuple[int, int]:
    """Where lines of a text stand in one of the same words with other blanks and line ends."""
    ends_before, ends_after = _written_ends(before), _written_ends(after)
    begin = ends_before[first_place - 1] if 0 < first_place <= len(ends_before) else 0
    end = ends_before[min(max(last_place, 0), len(ends_before) - 1)]
    first = bisect_right(ends_after, begin)
    last = bisect_left(ends_after, end)
    bottom = len(ends_after) - 1
    return min(first, last, bottom), min(last, bottom)


def _written_ends(text: str) -> list[int]:
    """How many characters that are no blanks there are down to the end of each line."""
    counts = (
        len("".join(unicodedata.normalize("NFKC", line).split())) for line in text.split("\n")
    )
    return list(accumulate(counts))


def _segments(
    content: str, line_starts: Sequence[LineStart], first_place: int, last_place: int
) -> list[tuple[int, str]]:
    """What the lines of these places say on each line of the file, in order; one at least."""
    lines = content.split("\n")
    last_place = min(max(last_place, 0), len(lines) - 1)
    pieces: list[tuple[int, str]] = []
    for place in range(min(max(first_place, 0), last_place), last_place + 1):
        first = bisect_right(line_starts, (place, 0), key=itemgetter(0, 1))
        end_of_line = bisect_right(line_starts, place, key=itemgetter(0))
        begin = LineStart(place, 0, line_starts[max(first - 1, 0)].line)
        cuts = [begin, *line_starts[first:end_of_line]]
        ends = [*(start.column for start in cuts[1:]), len(lines[place])]
        pieces += (
            (cut.line, lines[place][cut.column : end]) for cut, end in zip(cuts, ends, strict=True)
        )
    return [
        (line, "\n".join(text for _, text in same))
        for line, same in groupby(pieces, key=itemgetter(0))
    ]


def _shortest_run(parts: Sequence[set[str]], wanted: int) -> tuple[int, int]:
    """The first and last of the fewest neighbouring parts that have ``wanted`` different words;
    all of them where that is none."""
    if not wanted:
        return 0, len(parts) - 1
    best = 0, len(parts) - 1
    held: Counter[str] = Counter()
    first = 0
    for last, words in enumerate(parts):
        held.update(words)
        while len(held) == wanted and first <= last:
            if last - first < best[1] - best[0]:
                best = first, last
            for word in parts[first]:
                held[word] -= 1
                if not held[word]:
                    del held[word]
            first += 1
    return best


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())
