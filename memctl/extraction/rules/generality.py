"""What concerns everybody, or nobody: common knowledge, advice to anyone, titles.

A personal word, a certain thing or a day makes a sentence one about its writer's own world.
"""

from __future__ import annotations

import re

from memctl.blocks.lines import is_terminated
from memctl.extraction.rules.dates import day_names
from memctl.extraction.rules.language import Language
from memctl.extraction.rules.phrases import fold
from memctl.extraction.rules.sentences import has_digit

TITLE_WORDS = 3
TITLE_COMMON_SHARE = 0.3
"""A title has so many words at least, and so large a share of the most common ones at most."""

TITLE_WORD_LETTERS = 4
"""Shorter words are not capitalised in titles."""

_WORD = re.compile(r"\w+")


def reject_public(core: str, table: Language) -> str | None:
    """``common knowledge`` or ``advertisement`` where a sentence says what is true for everybody,
    with no personal word in it; otherwise None."""
    if table.has(core, "personal"):
        return None
    sections = ("common knowledge", "advertisement")
    return next((section for section in sections if table.has(core, section)), None)


def reject_advice(text: str, core: str, table: Language) -> str | None:
    """``advice`` where a sentence tells anybody what is good for them; a personal word, a figure or
    a day makes it one about its writer or reader, and the answer None."""
    if table.has(core, "personal") or table.has(core, "kept"):
        return None
    if has_digit(text) or not day_names().isdisjoint(_WORD.findall(core)):
        return None
    is_advice = table.has(core, "advice") or table.has(core, "addressed")
    return "advice" if is_advice else None


def is_particular(text: str, core: str, table: Language) -> bool:
    """Whether a sentence speaks of some certain person, thing, number or day; True in languages
    without articles, where nothing tells."""
    if not table.lines("definite") or has_digit(text):
        return True
    if table.has(core, "personal") or table.has(core, "definite"):
        return True
    has_name = table.code != "de" and any(word[0].isupper() for word in text.split()[1:])
    return has_name or not day_names().isdisjoint(_WORD.findall(core))


def is_headline(text: str, table: Language) -> bool:
    """Whether a line is worded like a title: it has no end and no figure, and either all but its
    small words are capitalised, or none but the first is and hardly one is a common word."""
    words = text.split()
    if table.is_dense or has_digit(text) or is_terminated(text) or len(words) < TITLE_WORDS:
        return False
    if not text[0].isupper():
        return False
    if table.code != "de":
        capitals = [word for word in words if not word[0].islower()]
        if len(capitals) > 1:
            small = all(len(word) < TITLE_WORD_LETTERS for word in words if word not in capitals)
            return small and len(capitals) >= TITLE_WORDS
    common = sum(fold(word).strip(",:'") in table.words for word in words)
    return common <= TITLE_COMMON_SHARE * len(words)
