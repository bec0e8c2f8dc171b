"""The words from which a wallet or a vault is restored, in a row or one below the other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memctl.extraction.secrets.joints import ASSIGNMENT, STATEMENT
from memctl.extraction.secrets.keywords import PHRASE_WORDS, SEED_WORDS
from memctl.extraction.secrets.searched import Detector, SearchedText
from memctl.extraction.secrets.span import Span

KIND = "recovery phrase"

NAMED_COUNTS = range(11, 26)
"""Words of a phrase that is called one: 12 to 24 by BIP 39, or one lost in copying."""

LISTED_COUNTS = (24, 21, 18, 15, 12)
"""Numbers of words that BIP 39 knows, the longest first."""

LONGEST_GAP = 40
"""Characters between a keyword and a list below it."""

_PLURAL_STATEMENT = re.compile(r"[ \t](?:are|sind|son|sont)[ \t]{0,2}[:：]?\s{1,4}", re.IGNORECASE)
_GAP = re.compile(
    rf"(?:[^\n.:=]{{0,{LONGEST_GAP}}}(?:[:：=]|[ \t](?:is|are|ist|sind|es|son|sont)\b))?"
    r"[*_]{0,3}\s{0,8}"
)
_CLAUSE = re.compile(r"[^\n\"`<>.;|:]{1,400}")
_LISTED_WORD = re.compile(
    r"[\s,>*•-]{0,8}(?:\d{1,2}[.):]?[ \t]{1,4})?[`\"']?([a-z]{3,8})[`\"']?(?![^\s,.;])"
)
_WORDS_OF_SENTENCES = frozenset(
    {"the", "and", "for", "are", "was", "not", "its", "der", "die", "und"}
)
"""Words that the lists of BIP 39 do not have, one of which any sentence of that length has."""


def find_recovery_phrases(searched: SearchedText) -> Iterator[Span]:
    """Recovery phrases behind words that name one."""
    text, lowered = searched.text, searched.lowered
    for word in PHRASE_WORDS:
        for start in searched.places(word):
            end = start + len(word)
            yield from _named_phrase(text, end)
            yield from _listed_phrase(text, end)
    for word in SEED_WORDS:
        for start in searched.places(word):
            end = start + len(word)
            if not (lowered[start - 1 : start].isalnum() or lowered[end : end + 1].isalnum()):
                yield from _whole_phrase(text, end)


def _named_phrase(text: str, end: int) -> Iterator[Span]:
    """What fills its line behind "seed phrase:", whatever language its words are of."""
    match = ASSIGNMENT.match(text, end) or _PLURAL_STATEMENT.match(text, end)
    match = match or STATEMENT.match(text, end)
    value = _CLAUSE.match(text, match.end()) if match else None
    words = value[0].replace(",", " ").split() if value else []
    if value and len(words) in NAMED_COUNTS and all(word.isalpha() for word in words):
        yield Span(value.start(), value.start() + len(value[0].rstrip()), KIND)


def _listed_phrase(text: str, end: int) -> Iterator[Span]:
    """Words of the length that BIP 39's have, in a row or in a list, with or without numbers."""
    words = _listed_words(text, end)
    count = next((count for count in LISTED_COUNTS if count <= len(words)), 0)
    if count:
        yield Span(words[0].start(1), words[count - 1].end(1), KIND)


def _whole_phrase(text: str, end: int) -> Iterator[Span]:
    """As ``_listed_phrase`` behind a word that may head another list too: no commas, no more."""
    words = _listed_words(text, end)
    if len(words) in LISTED_COUNTS:
        span = Span(words[0].start(1), words[-1].end(1), KIND)
        if "," not in text[span.start : span.end]:
            yield span


def _listed_words(text: str, end: int) -> Sequence[re.Match[str]]:
    """The words of a list behind ``end``, one more than a phrase has at most; none of prose."""
    gap = _GAP.match(text, end)
    position = gap.end() if gap else end
    words: list[re.Match[str]] = []
    while len(words) <= LISTED_COUNTS[0] and (word := _LISTED_WORD.match(text, position)):
        if word[1] in _WORDS_OF_SENTENCES:
            return ()
        words.append(word)
        position = word.end()
    return words


RECOVERY_PHRASES = Detector(find_recovery_phrases, frozenset({*PHRASE_WORDS, *SEED_WORDS}))
