"""Which lines of a text were edited in place: between lines that stayed, lines that most of their
old words make up.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

LEAST_COMMON_SHARE = 0.5
"""Of the words of both wordings, in their order; with fewer it is another statement."""

MOST_LINES = 60
"""A longer stretch that changed was written anew: what became of each line cannot be told."""

_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|\w+")
"""A word, or one character of the scripts that are written without blanks."""


def edited_lines(before: Sequence[str], after: Sequence[str]) -> dict[int, int]:
    """By the number (from 0) of a line that was edited, that of the line which it became."""
    found: dict[int, int] = {}
    for tag, first, last, new_first, new_last in _matcher(before, after).get_opcodes():
        if tag == "replace" and max(last - first, new_last - new_first) <= MOST_LINES:
            pairs = _pairs(before[first:last], after[new_first:new_last])
            found |= {first + old: new_first + new for old, new in pairs.items()}
    return found


def is_edited(before: str, after: str) -> bool:
    """Whether one wording was made from the other by changing the lesser part of its words."""
    return _common_share(_words(before), _words(after)) >= LEAST_COMMON_SHARE


def _pairs(before: Sequence[str], after: Sequence[str]) -> dict[int, int]:
    """Which lines of a stretch became which, those with the most in common first."""
    old_words, new_words = [_words(line) for line in before], [_words(line) for line in after]
    shares = sorted(
        (-share, old, new)
        for old, words in enumerate(old_words)
        for new, others in enumerate(new_words)
        if (share := _common_share(words, others)) >= LEAST_COMMON_SHARE
    )
    found: dict[int, int] = {}
    for _, old, new in shares:
        if old not in found and new not in found.values():
            found[old] = new
    return found


def _common_share(words: Sequence[str], others: Sequence[str]) -> float:
    return _matcher(words, others).ratio() if words and others else 0.0


def _matcher(before: Sequence[str], after: Sequence[str]) -> SequenceMatcher[str]:
    return SequenceMatcher(None, before, after, autojunk=False)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())
