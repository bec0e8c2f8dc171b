"""Texts that say what is so and what is not: "it is B, not A", "not A but B".

Such a text is a claim and a denial of another one; each is read on its own here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from memctl.association.lexicon import Lexicon
from memctl.association.wording import expand_contractions

MOST_DENIED_WORDS = 8
"""A longer denial is a sentence of its own, not the value that something had."""

_WITHOUT_BLANKS = frozenset({"zh", "ja"})
_EDGES = " ,:;.!。！"
_DENIED = "denied"
_PARTS = ("first", "second", "third")
"""The groups of a pattern that make the affirmed claim, in the order of that claim."""


@dataclass(frozen=True, slots=True)
class Contrast:
    """What a text affirms, as a claim of its own, and the words that it says are not so."""

    affirmed: str
    denied: str


def read_contrast(plain: str, words: Lexicon) -> Contrast | None:
    """The two sides of a text without markup, or None where it sets nothing against another."""
    if not words.may_have_contrast(plain.lower()):
        return None
    text = expand_contractions(plain, words.code)
    for name, marker in words.markers:
        if name == "correction":
            text = marker.sub(" ", text)
    text = text.strip(_EDGES)
    for pattern in _patterns(words):
        match = pattern.match(text)
        if match is not None and len(match[_DENIED].split()) <= MOST_DENIED_WORDS:
            parts = [match[part] for part in _PARTS if part in pattern.groupindex]
            blank = "" if words.code in _WITHOUT_BLANKS else " "
            return Contrast(" ".join(blank.join(parts).split()), match[_DENIED].strip())
    return None


@cache
def _patterns(words: Lexicon) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(row, re.IGNORECASE) for row in words.table("contrasts"))
