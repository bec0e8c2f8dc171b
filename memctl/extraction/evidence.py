"""What a statement and a text have in common: the check on what a language model says it read.

Words are compared by their beginnings, so that inflection does not matter; Chinese, Japanese,
Korean and Thai by pairs of characters.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from datetime import date

from memctl.extraction.word_set import word_set
from memctl.memory import EventTime, event_day

STEM_LENGTH = 5
MINIMUM_SUPPORT = 0.2
"""Share of a long statement's words that the text must have; low, because rewording is wanted."""
LONG_STATEMENT_WORDS = 8
COMPARABLE_WORDS = 3
"""Fewest words of a script in a text for it to count as written in it."""
RELATIVE_DATE_DAYS = 366
"""How far a date may lie from the document's own when the text does not give it in figures."""

_UNSPACED = "\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_TOKENS = re.compile(rf"[{_UNSPACED}]+|\d+(?:[.,:]\d+)*|[^\W\d_{_UNSPACED}]+")
_IS_UNSPACED = re.compile(rf"[{_UNSPACED}]")
_CHINESE_DATE = re.compile("[〇零一二三四五六七八九十]+[年月日]")
_DATE_NUMBERS = re.compile(r"(\d{4})(\d{2})(\d{2})(?!\d)|(\d+)")
_COMMON_WORDS = word_set(
    """
    the and for that this with from was were are has have had will would can could not but who which
    their there they them his her its our your you she him all any been into than then user der die
    das und ist ein eine mit von auf für den dem des nicht les des une est dans pour que qui los las
    una con por para del
    """
)


def evidence_of(text: str) -> frozenset[str]:
    """The beginnings of the words, the numbers and the character pairs that carry meaning."""
    found: set[str] = set()
    for token in _TOKENS.findall(unicodedata.normalize("NFKC", text).casefold()):
        if _IS_UNSPACED.match(token):
            found.update(token[place : place + 2] for place in range(max(1, len(token) - 1)))
        elif token[0].isdigit() or (len(token) > 2 and token not in _COMMON_WORDS):
            found.add(token[:STEM_LENGTH])
    return frozenset(found)


def is_supported(statement: str, text: str) -> bool:
    """Whether ``statement`` can have been taken from ``text``.

    What the text hardly has the statement's script for, as after a translation, cannot be told and
    counts as supported.
    """
    claimed = evidence_of(statement)
    script = Counter(map(_script_of, claimed)).most_common(1)
    if not script:
        return True
    present = evidence_of(text)
    comparable = sum(_script_of(token) == script[0][0] for token in present)
    if comparable < COMPARABLE_WORDS and comparable <= len(present) / 2:
        return True
    shared = len(claimed & present)
    if len(claimed) < LONG_STATEMENT_WORDS:
        return shared > 0
    return shared / len(claimed) >= MINIMUM_SUPPORT


def _script_of(token: str) -> str:
    """The first word of the first letter's Unicode name, such as LATIN or CYRILLIC."""
    return "UNSPACED" if _IS_UNSPACED.match(token) else unicodedata.name(token[0], "").split(" ")[0]


def supported_date(
    event_at: EventTime | None, text: str, document_date: date | None
) -> EventTime | None:
    """``event_at`` if the text gives its year and day, or if it lies near the document's date.

    A first of January that stands nowhere is how models write "in that year": it is dropped too.
    """
    if event_at is None:
        return None
    day = event_day(event_at)
    numbers: set[int] = set()
    for year, month, day_of_month, number in _DATE_NUMBERS.findall(text):
        numbers.update(int(part) for part in (year, month, day_of_month, number) if part)
    in_figures = day.day in numbers and not numbers.isdisjoint({day.year, day.year % 100})
    if in_figures or _CHINESE_DATE.search(text):
        return event_at
    if document_date is None or (day.month, day.day) == (1, 1):
        return None
    return event_at if abs((day - document_date).days) <= RELATIVE_DATE_DAYS else None


def locate(
    statement: str, lines: Sequence[str], first: int | None, last: int | None
) -> tuple[int, int]:
    """First and last index into ``lines`` (not empty) of what ``statement`` was taken from.

    ``first`` and ``last`` are the model's own indices. They are kept inside the text, and given up
    where they are missing, or where their lines share nothing with the statement and others do.
    """
    claimed = evidence_of(statement)
    if first is not None and 0 <= first < len(lines):
        last = min(max(first, last if last is not None else first), len(lines) - 1)
        if claimed & evidence_of("\n".join(lines[first : last + 1])):
            return first, last
    shared = [len(claimed & evidence_of(line)) for line in lines]
    best = max(range(len(lines)), key=lambda place: (shared[place], -place))
    if shared[best] == 0 and first is not None:
        first = min(max(first, 0), len(lines) - 1)
        return first, min(max(first, last if last is not None else first), len(lines) - 1)
    return best, best
