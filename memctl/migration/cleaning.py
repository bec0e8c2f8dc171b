"""Takes out of a memory file what machines wrote into it, line by line, and reads what it says.

The cleaned text has as many lines as the text, each at its own place, so that a citation of it
holds for the file. Nothing inside fenced code is touched.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import PurePosixPath

from memctl.ingestion.readers.dates import date_in_file_name

IMPORTANCE_SCALE = 10.0
"""``importance: 9`` is nine of ten; what is at most 1 is a share already."""

REPEATED = "repeats a daily note"

_FENCE = re.compile(r"\s{0,3}(`{3,}|~{3,})")
_COMMENT = re.compile(r"<!--(.*?)-->", re.DOTALL)
_DREAMING = re.compile(r"\s*openclaw:dreaming:?(?P<name>[\w:-]*?):?(?P<mark>start|end)\s*$")
_DREAM_END = re.compile(r"<!--\s*openclaw:dreaming:?[\w:-]*:?end\s*-->")
_PROMOTION = re.compile(r"\s*openclaw-memory-promotion:[^\n]*?(?P<path>memory/[^\n]+?\.md)\b")
_IMPORTANCE = re.compile(r"\s*importance\s*[:=]\s*(?P<value>\d+(?:\.\d+)?)\s*$", re.IGNORECASE)
_HEADING = re.compile(r"\s{0,3}(?P<marks>#{1,6})\s+(?P<title>.*?)\s*#*$")
_SLEEP = re.compile(r"(?:light|rem|deep) sleep|dreaming|dream (?:diary|log)", re.IGNORECASE)
_TAIL = re.compile(r"\s*\[score=(?P<fields>[^\]\n]*)\]\s*$")
_TAIL_SOURCE = re.compile(r"source=(?P<path>[^\s\]]+?\.md)\b")
_TAIL_RECALLS = re.compile(r"recalls=(?P<count>\d+)")
_SOURCE_LINE = re.compile(
    r"\s*(?:[-*+>]\s*)?[*_]{0,2}Source:?[*_]{0,2}:?\s*(?P<path>[\w./-]+\.md)#L\d+(?:-L?\d+)?\s*$"
)
_CANDIDATE = re.compile(
    r"(?P<front>\s*[-*+]\s+)(?:Candidate:\s*)?(?:(?:User|Assistant):\s*|#{1,6}\s+)?"
)
_ITEM = re.compile(r"\s*(?:[-*+]|\d{1,3}[.)])\s")


@dataclass(frozen=True, slots=True)
class LineNote:
    """What comments say about the statement that begins on a line."""

    importance: float | None = None
    day: date | None = None
    is_promoted: bool = False
    """Whether OpenClaw copied it from a daily note."""


@dataclass(slots=True)
class Cleaned:
    """The text, what is known about its lines (from 1), and what was dropped, by reason."""

    text: str
    notes: dict[int, LineNote] = field(default_factory=dict)
    dropped: Counter[str] = field(default_factory=Counter)


def clean_markdown(text: str, known_sources: Collection[str] = ()) -> Cleaned:
    """``text`` without the marks and blocks of machines.

    ``known_sources`` are the files, as promotions name them, that are taken themselves: what was
    promoted from there without ever having been recalled only repeats them.
    """
    cleaner = _Cleaner(text, known_sources)
    for line in _joined_comments(text):
        cleaner.take(line)
    return cleaner.result()


def _joined_comments(text: str) -> Iterator[str]:
    """The lines; a comment over several of them that begins outside of fenced code stands on its
    first, and nothing of it on the others."""

    def on_one_line(match: re.Match[str]) -> str:
        breaks = match[0].count("\n")
        return match[0].replace("\n", " ") + "\n" * breaks if breaks else match[0]

    lines = text.split("\n")
    last_end = max((number for number, line in enumerate(lines) if "-->" in line), default=0)
    fence = _FenceState()
    place = 0
    while place < len(lines):
        length = 1 if fence.takes(lines[place]) else _comment_length(lines, place, last_end)
        block = "\n".join(lines[place : place + length])
        yield from (_COMMENT.sub(on_one_line, block) if length > 1 else block).split("\n")
        place += length


def _comment_length(lines: Sequence[str], place: int, last_end: int) -> int:
    """How many lines those comments take that begin on the line at ``place``; 1 where none goes on
    behind it. At ``last_end`` the last comment of all ends."""
    last = place
    rest = _COMMENT.sub("", lines[place])
    while "<!--" in rest and last < last_end:
        last = next(number for number in range(last + 1, len(lines)) if "-->" in lines[number])
        rest = _COMMENT.sub("", lines[last].partition("-->")[2])
    return last - place + 1


class _FenceState:
    """Whether the lines of a text, taken one after the other, lie in fenced code."""

    def __init__(self) -> None:
        self._fence = ""

    def takes(self, line: str) -> bool:
        """Whether a line opens, closes or lies in fenced code."""
        fence = _FENCE.match(line)
        if not self._fence:
            self._fence = fence[1] if fence is not None else ""
            return bool(self._fence)
        if fence is not None and fence[1].startswith(self._fence) and line.strip() == fence[1]:
            self._fence = ""
        return True


class _Cleaner:
    def __init__(self, text: str, known_sources: Collection[str]) -> None:
        self._known_sources = known_sources
        self._lines: list[str] = []
        self._result = Cleaned(text)
        self._fence = _FenceState()
        self._dreaming = False
        self._dreaming_level = 0
        self._ends_left = len(_DREAM_END.findall(text))
        self._importance: float | None = None
        self._day: date | None = None
        self._promoted_from: str | None = None
        self._open_note: LineNote | None = None

    def take(self, line: str) -> None:
        self._lines.append(self._taken(line))

    def result(self) -> Cleaned:
        self._result.text = "\n".join(self._lines)
        return self._result

    def _taken(self, line: str) -> str:
        if self._fence.takes(line):
            return "" if self._in_dream else line
        heading = _HEADING.match(line)
        if heading is not None:
            self._enter(heading)
        line = self._without_comments(line)
        if self._in_dream:
            self._result.dropped["dreaming"] += bool(line.strip())
            return ""
        source = _SOURCE_LINE.match(line)
        if source is not None:
            self._note_source(source["path"])
            return ""
        if not line.strip():
            self._open_note = None
            return line
        return self._with_notes(line)

    @property
    def _in_dream(self) -> bool:
        return self._dreaming or self._dreaming_level > 0

    def _enter(self, heading: re.Match[str]) -> None:
        """A section of dreams ends at the next heading that is not inside of it."""
        level = len(heading["marks"])
        if self._dreaming_level and level <= self._dreaming_level:
            self._dreaming_level = 0
        if level <= 2 and not self._dreaming_level and _SLEEP.fullmatch(heading["title"].strip()):
            self._dreaming_level = level
        elif level == 1 or (level == 2 and not self._ends_left):
            self._dreaming = False

    def _without_comments(self, line: str) -> str:
        if "<!--" not in line:
            return line
        for match in _COMMENT.finditer(line):
            self._read_comment(match[1])
        return _COMMENT.sub("", line).rstrip()

    def _read_comment(self, comment: str) -> None:
        dreaming = _DREAMING.match(comment)
        promotion = _PROMOTION.match(comment)
        importance = _IMPORTANCE.match(comment)
        if dreaming is not None:
            self._dreaming = dreaming["mark"] == "start"
            self._ends_left -= not self._dreaming
            self._dreaming_level = 0
        elif promotion is not None:
            self._promoted_from = promotion["path"]
            self._day = _day_of(promotion["path"])
        elif importance is not None:
            self._importance = scaled_importance(float(importance["value"]))

    def _note_source(self, path: str) -> None:
        """``Source: memory/2026-03-02.md#L4`` under a statement says from when it is."""
        day = _day_of(path)
        for number in range(len(self._lines), 0, -1):
            if not self._lines[number - 1].strip():
                return
            known = self._result.notes.get(number)
            if day is not None and (known is None or known.day is None):
                self._result.notes[number] = replace(known or LineNote(), day=day)

    def _with_notes(self, line: str) -> str:
        if _HEADING.match(line) is not None:
            self._open_note = None
            return line
        tail = _TAIL.search(line)
        if tail is not None:
            line = self._without_tail(line, tail)
            self._day = self._day or _tail_day(tail)
        elif self._promoted_from is not None:
            line = _CANDIDATE.sub(r"\g<front>", line, count=1)
        is_promoted = tail is not None or self._promoted_from is not None
        note = LineNote(self._importance, self._day, is_promoted)
        self._importance = self._day = self._promoted_from = None
        if note != LineNote():
            self._open_note = note
        elif _ITEM.match(line) is not None:
            self._open_note = None
        if self._open_note is not None and line:
            self._result.notes[len(self._lines) + 1] = self._open_note
        return line

    def _without_tail(self, line: str, tail: re.Match[str]) -> str:
        """A promoted line without its scores; blank when it repeats a file that is taken."""
        recalls = _TAIL_RECALLS.search(tail["fields"])
        source = _TAIL_SOURCE.search(tail["fields"])
        origin = source["path"] if source is not None else self._promoted_from
        if recalls is not None and recalls["count"] == "0" and origin in self._known_sources:
            self._result.dropped[REPEATED] += 1
            return ""
        return _CANDIDATE.sub(r"\g<front>", line[: tail.start()], count=1)


def scaled_importance(value: float) -> float:
    """A marked importance as a number from 0 to 1."""
    return min(value if value <= 1 else value / IMPORTANCE_SCALE, 1.0)


def _day_of(path: str) -> date | None:
    return date_in_file_name(PurePosixPath(path).stem)


def _tail_day(tail: re.Match[str] | None) -> date | None:
    source = _TAIL_SOURCE.search(tail["fields"]) if tail is not None else None
    return _day_of(source["path"]) if source is not None else None
