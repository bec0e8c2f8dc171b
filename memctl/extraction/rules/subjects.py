"""Whom or what a sentence is about, as far as its first words tell that it is nobody's.

A statement can be looked up again by somebody or something that its writer knows. A pronoun that
nothing precedes, a figure without a name, what the news are full of, the story of a film, a kind of
animal or a message of a program are nothing of that sort, unless the sentence says more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import lru_cache

from memctl.extraction.rules.generality import (
    has_clock_time,
    has_name,
    is_particular,
    names_day,
    names_weekday,
)
from memctl.extraction.rules.language import REMEMBERED_TEXTS, Language
from memctl.extraction.rules.sentences import has_digit, word_count

ATTRIBUTE_WORDS = 2
"""So many words may stand before a noun: "the very old man"."""

LONGEST_DENSE_SUBJECT = 4
"""Characters of a subject in a script without blanks."""

LONGEST_ELLIPSIS_WORDS = 10
"""A longer sentence says by itself what it is about."""

LONGEST_MESSAGE_WORDS = 6
"""What a program says about itself is short: "The connection was reset."."""


_CRIES = ("!", "！")


class Subject(StrEnum):
    """Kinds of subjects that are nobody's; the values are those of the sections ``subject ...``."""

    PRONOUN = "pronoun"
    """He, she or they."""
    UNNAMED = "unnamed"
    """People without a name, as in stories: an old man, the stranger."""
    PUBLIC = "public"
    """Who and what the news are about: ministers, shares."""
    WORK = "work"
    """A film or a book, of which its story is told."""
    KIND = "kind"
    """All animals, plants or things of a kind."""
    ANYBODY = "anybody"
    """Nobody, everybody, people."""
    PROGRAM = "program"
    """What programs tell of: a session, a connection."""
    EVERYDAY = "everyday"
    """What is another way every hour: meals, pets, neighbours, the weather."""


@lru_cache(maxsize=REMEMBERED_TEXTS)
def subject_of(core: str, table: Language) -> Subject | None:
    """The kind of nobody's subject that a folded sentence begins with, or None."""
    for word in _first_nouns(core, table):
        kind = table.subjects.get(word)
        if kind is not None:
            return Subject(kind)
    return None


def is_of_nobody(text: str, core: str, table: Language, *, is_placed: bool) -> Subject | None:
    """The subject of a sentence that is nobody's and says nothing that makes it its writer's; None
    for all other sentences.

    ``is_placed``: what stands before it may say whom it is about, or its day is known.
    """
    subject = subject_of(core, table)
    if subject is None or subject is Subject.EVERYDAY or table.has(core, "personal"):
        return None
    if subject is not Subject.PRONOUN and table.has(core, "at hand"):
        return None
    return None if _is_vouched_for(subject, text, core, table, is_placed=is_placed) else subject


def is_elliptic(text: str, core: str, table: Language) -> bool:
    """Whether a sentence has for its subject what was named before it ("mine", "the other one"),
    and no figure, day or name by which it could be found again."""
    if not table.has(core, "ellipsis") or table.day_findings(core):
        return False
    if word_count(text, table) > LONGEST_ELLIPSIS_WORDS:
        return False
    return not (has_digit(text) or names_day(text, table) or has_name(text, table))


def _is_vouched_for(
    subject: Subject, text: str, core: str, table: Language, *, is_placed: bool
) -> bool:
    """Whether something in a sentence makes it one about its writer's world all the same."""
    if subject is Subject.PUBLIC:
        return False
    is_timed = names_weekday(text, table) or has_clock_time(text)
    if subject is Subject.KIND:
        return is_timed or has_name(_behind_subject(text), table)
    if subject is Subject.WORK:
        return is_timed or has_digit(text)
    if subject is Subject.ANYBODY:
        return is_particular(text, core, table)
    if subject is Subject.PROGRAM and word_count(text, table) > LONGEST_MESSAGE_WORDS:
        return True
    is_cried = subject is Subject.PRONOUN and text.endswith(_CRIES)
    is_told_when = names_day(text, table) or (bool(table.day_findings(core)) and not is_cried)
    return is_placed or is_told_when or has_digit(text) or has_name(text, table)


def _behind_subject(text: str) -> str:
    """A text from its second word on, which ``has_name`` takes for the first: it may be the name of
    a star, with an article before it."""
    return " ".join(text.split()[1:])


def _first_nouns(core: str, table: Language) -> Iterator[str]:
    """What may be the noun or pronoun that a folded sentence begins with."""
    if table.is_dense:
        return _first_characters(core, table)
    if not table.has_word_ends:
        return _without_particles(core.split(" ", ATTRIBUTE_WORDS)[:ATTRIBUTE_WORDS], table)
    return _first_words(core, table)


def _first_characters(core: str, table: Language) -> Iterator[str]:
    for length in range(LONGEST_DENSE_SUBJECT, 0, -1):
        if core.startswith(table.subject_ends, length):
            yield core[:length]


def _without_particles(words: Sequence[str], table: Language) -> Iterator[str]:
    for word in words:
        for particle in table.subject_ends:
            if word.endswith(particle):
                yield word.removesuffix(particle)


def _first_words(core: str, table: Language) -> Iterator[str]:
    """The pronoun, or the words behind an article up to the first common one that is no adjective;
    where nouns stand before nouns, only those that a verb follows."""
    words = [word.rstrip(",.!") for word in core.split(" ", ATTRIBUTE_WORDS + 3)]
    first, elided, rest = words[0].partition("'")
    if elided and f"{first}'" in table.articles:
        words[:1] = [f"{first}'", rest]
    if table.subjects.get(words[0]) == Subject.PRONOUN:
        yield words[0]
    start = int(words[0] in table.articles)
    endings = table.subject_ends
    nouns = words[start : start + ATTRIBUTE_WORDS + 1]
    for word, following in zip(nouns, [*words[start + 1 :], ""], strict=False):
        if not table.followers or following in table.followers or following.endswith(endings):
            yield word
        if word in table.words and word not in table.attributes:
            return
