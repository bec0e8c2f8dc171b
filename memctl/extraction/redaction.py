"""Takes secrets out of a text before it is stored, embedded or sent anywhere.

What a secret was stays as ``[redacted: password]``; the rest of the line and the number of lines
stay as they are. Redacting a redacted text changes nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from memctl.extraction.secrets.access_codes import ACCESS_CODES
from memctl.extraction.secrets.addresses import ADDRESSES
from memctl.extraction.secrets.cards import CARDS
from memctl.extraction.secrets.columns import COLUMNS
from memctl.extraction.secrets.credentials import CREDENTIALS
from memctl.extraction.secrets.named_credentials import NAMED_CREDENTIALS
from memctl.extraction.secrets.private_keys import PRIVATE_KEYS
from memctl.extraction.secrets.recovery_phrases import RECOVERY_PHRASES
from memctl.extraction.secrets.searched import Searcher
from memctl.extraction.secrets.span import Span
from memctl.extraction.secrets.tokens import DISCORD_TOKENS, TOKENS

DETECTORS = (
    PRIVATE_KEYS,
    TOKENS,
    DISCORD_TOKENS,
    ADDRESSES,
    CREDENTIALS,
    NAMED_CREDENTIALS,
    ACCESS_CODES,
    RECOVERY_PHRASES,
    COLUMNS,
    CARDS,
)

_MARK = re.compile(r"\[redacted: [a-z0-9 -]{1,40}\]")


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text without secrets, and the kind of each that was in it, in reading order. ``places`` are
    where those characters stand now that were asked about and are no part of a secret; of
    ``starts`` those in a secret are where its mark ends."""

    text: str
    kinds: tuple[str, ...] = ()
    places: tuple[int, ...] = ()
    starts: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class _Mark:
    position: int
    kind: str


def redact(text: str, places: Sequence[int] = (), starts: Sequence[int] = ()) -> Redacted:
    """``text`` with every secret replaced by its kind; ``places`` and ``starts`` (from 0,
    ascending) are characters to follow, the latter without losing one.

    Takes any text, in time linear in its length. What one secret hid behind itself can make
    another one visible, so detection is repeated until nothing more is found.
    """
    marks: list[_Mark] = []
    while spans := _merge(_outside_marks(text)):
        places = _moved(places, text, spans)
        starts = _moved(starts, text, spans, keeps_all=True)
        text, marks = _replace(text, spans, marks)
    return Redacted(text, tuple(mark.kind for mark in marks), tuple(places), tuple(starts))


def _moved(
    places: Sequence[int], text: str, spans: Iterable[Span], *, keeps_all: bool = False
) -> list[int]:
    """Where the characters at these places stand once the spans are replaced; those in a span are
    gone, or stand behind its mark if all are to be kept."""
    moved: list[int] = []
    position = growth = 0
    for span in spans:
        start, end = bisect_left(places, span.start), bisect_left(places, span.end)
        moved += (place + growth for place in places[position:start])
        growth += len(_marker(text, span)) - (span.end - span.start)
        if keeps_all:
            moved += [span.end + growth] * (end - start)
        position = end
    return [*moved, *(place + growth for place in places[position:])]


def _marker(text: str, span: Span) -> str:
    """What stands in the place of a secret, with as many lines as it has."""
    return f"[redacted: {span.kind}]" + "\n" * text.count("\n", span.start, span.end)


def _outside_marks(text: str) -> Iterator[Span]:
    """What the detectors find, less what is a mark already.

    Each round thus turns text outside marks into marks, so the rounds come to an end.
    """
    marks = [match.span() for match in _MARK.finditer(text)]
    starts = [start for start, _ in marks]
    for span in _searcher().spans(text):
        before = bisect_right(starts, span.start) - 1
        if before >= 0 and span.start < marks[before][1]:
            continue
        last = bisect_right(starts, span.end - 1) - 1
        cut = last > before and span.end < marks[last][1]
        yield span._replace(end=marks[last][0]) if cut else span


@cache
def _searcher() -> Searcher:
    return Searcher(DETECTORS)


def _merge(spans: Iterable[Span]) -> list[Span]:
    """Spans in order without overlaps; of overlapping ones the longest gives its kind to all."""
    merged: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if merged and span.start < merged[-1].end:
            last = merged[-1]
            kind = max(last, span, key=lambda one: one.end - one.start).kind
            merged[-1] = Span(last.start, max(last.end, span.end), kind)
        elif span.start < span.end:
            merged.append(span)
    return merged


def _replace(text: str, spans: list[Span], marks: list[_Mark]) -> tuple[str, list[_Mark]]:
    pieces: list[str] = []
    moved: list[_Mark] = []
    older = iter(marks)
    mark = next(older, None)
    position = length = 0
    for span in spans:
        while mark is not None and mark.position < span.end:
            if mark.position < span.start:
                moved.append(_Mark(mark.position - position + length, mark.kind))
            mark = next(older, None)
        kept = text[position : span.start]
        marker = _marker(text, span)
        moved.append(_Mark(length + len(kept), span.kind))
        pieces += kept, marker
        length += len(kept) + len(marker)
        position = span.end
    pieces.append(text[position:])
    while mark is not None:
        moved.append(_Mark(mark.position - position + length, mark.kind))
        mark = next(older, None)
    return "".join(pieces), moved
