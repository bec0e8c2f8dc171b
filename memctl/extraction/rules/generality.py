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

LONGEST_TITLE_CHARACTERS = 300
"""What is longer is no title. It is asked of each sentence of a block, which may be a whole book in
one line."""

TITLE_WORDS = 3
TITLE_COMMON_SHARE = 0.3
"""A title has so many words at least, and so large a share of the most common ones at most."""

TITLE_WORD_LETTERS = 4
"""Shorter words are not capitalised in titles."""

COMMON_KNOWLEDGE = "common knowledge"
"""Why a sentence is left out that encyclopaedias have."""

NEWS = "news"
"""Why a sentence is left out that reports what agencies and officials report."""

ADVERTISEMENT = "advertisement"
"""Why a sentence is left out that offers or praises goods to anybody."""

CAPITALISED_DAYS = ("en", "de")
"""Languages that write the names of months and weekdays with a capital letter."""

_WORD = re.compile(r"\w+")
_LETTERS = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_PAST_YEAR = re.compile(
    r"\b(?:in|since|until|around|circa|anno|en|em|depuis|desde|nel|dal|w|в|с) 1[0-8]\d\d\b",
    re.IGNORECASE,
)
"""A year before 1900."""

_I = re.compile(r"I(?![^\W_])")

_ADDRESS = re.compile(r"\w{2}[./@_]\w{2,}[./]?\w")
"""The name of a host, file or variable."""

_CLOCK_TIME = re.compile(r"\b\d{1,2}[:h]\d{2}\b|\b\d{1,2} ?(?:[ap]\.?m\b|uhr\b|h\b)", re.IGNORECASE)


def reject_public(text: str, core: str, table: Language) -> str | None:
    """``news``, ``common knowledge``, ``fiction`` or ``advertisement`` where a sentence says what
    is true for everybody, or for nobody, with no personal word in it; or where somebody praises to
    "you" what is his. Otherwise None."""
    if table.has(core, "personal"):
        praises = table.has(core, "own offer") and table.has(core, "addressed")
        is_exact = has_digit(text) or has_name(text, table)
        return ADVERTISEMENT if praises and not is_exact else None
    if table.has(core, "news"):
        return NEWS
    if table.has(core, "fiction") and not has_digit(text):
        return "fiction"
    if table.has(core, COMMON_KNOWLEDGE) or _is_history(text, core, table):
        return COMMON_KNOWLEDGE
    return ADVERTISEMENT if table.has(core, ADVERTISEMENT) else None


def _is_history(text: str, core: str, table: Language) -> bool:
    """Whether a sentence has a year long past and begins with a name; "the mill" was built by
    people whom its writer knows of."""
    if _PAST_YEAR.search(text) is None or not table.lines("definite") or table.code == "de":
        return False
    words = text.split()
    head = words[1 : 4 if "of" in words[2:3] else 3]
    is_described = any(one.start == 0 for one in table.findings(core, "definite"))
    return not is_described or any(word[0].isupper() for word in head)


def is_advice_to_anybody(text: str, core: str, table: Language, *, is_answer: bool = False) -> bool:
    """Whether a sentence tells anybody what is good for them; a personal word, a figure or a day
    makes it one about its writer or reader.

    ``is_answer``: a question stands before it, so that figures say nothing, as in a list of
    questions often asked.
    """
    if table.has(core, "personal") or table.has(core, "kept"):
        return False
    if not is_answer and (has_digit(text) or names_day(text, table)):
        return False
    if table.has(core, "addressed"):
        return True
    return table.has(core, "advice") and not table.has(core, "at hand")


def is_order_to_anybody(core: str, table: Language) -> bool:
    """Whether an order is about what its readers have ("keep your passwords safe"), and not about
    how an assistant is to answer; False in languages whose words for answers are not known."""
    if not table.lines("manner of answers") or table.has(core, "personal"):
        return False
    return table.has(core, "addressed") and not table.has(core, "manner of answers")


def is_particular(text: str, core: str, table: Language) -> bool:
    """Whether a sentence speaks of some certain person, thing, number or day; True in languages
    without articles, where nothing tells."""
    if not table.lines("definite") or has_digit(text) or _ADDRESS.search(text) is not None:
        return True
    if table.has(core, "personal") or table.has(core, "definite"):
        return True
    return has_name(text, table) or names_day(text, table)


def has_name(text: str, table: Language) -> bool:
    """Whether some word after the first is capitalised, where only names and the English "I" are,
    and is neither this nor a day."""
    if table.code == "de":
        return False
    words = (word for word in text.split()[1:] if word[0].isupper() and not _I.match(word))
    return any(fold(word).strip(".,;:!?") not in day_names() for word in words)


def names_day(text: str, table: Language) -> bool:
    """Whether a text has the name of a month or weekday; where those are capitalised, "may" and
    "sat" are words like others."""
    if not table.has_word_ends:
        return names_weekday(text, table)
    words = _WORD.findall(text)
    if table.code in CAPITALISED_DAYS:
        words = [word for word in words if word[0].isupper()]
    return not table.day_names.isdisjoint(map(fold, words))


def names_weekday(text: str, table: Language) -> bool:
    """Whether a text has the name of a weekday in its language."""
    if not table.has_word_ends:
        return any(name in text for name in table.weekdays)
    words = _WORD.findall(text)
    if table.code in CAPITALISED_DAYS:
        words = [word for word in words if word[0].isupper()]
    return not table.weekdays.keys().isdisjoint(map(fold, words))


def has_clock_time(text: str) -> bool:
    """Whether a text has a time of day in figures."""
    return _CLOCK_TIME.search(text) is not None


def begins_determined(core: str, table: Language) -> bool:
    """Whether a folded sentence begins with one certain thing or with its writer ("the", "my");
    False where no words for it are known."""
    determined = [*table.findings(core, "definite"), *table.findings(core, "personal")]
    return any(one.start == 0 for one in determined)


def naming_words(core: str, table: Language) -> int:
    """How many words of a folded text are not among the most common ones of its language: what is
    left are the names of things, of properties, and of what is done to them."""
    common = table.words
    return sum(word not in common for word in _LETTERS.findall(core))


def is_chatty(text: str, core: str, table: Language) -> bool:
    """Whether a line that begins small, as people type it in a chat, speaks of "I" or "you", or of
    nothing certain; a first word like "the" or "my" makes it a statement."""
    if not table.lines("definite") or has_digit(text) or names_day(text, table):
        return False
    if begins_determined(core, table):
        return False
    is_certain = table.has(core, "definite") or has_name(text, table)
    speaks = table.has(core, "personal") or table.has(core, "addressed")
    return speaks or not is_certain


def is_headline(text: str, table: Language) -> bool:
    """Whether a line is worded like a title: it has no end and no figure, and either all but its
    small words are capitalised, or none but the first is and hardly one is a common word."""
    if len(text) > LONGEST_TITLE_CHARACTERS:
        return False
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
