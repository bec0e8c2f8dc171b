"""What stands around a block: headings, list parents, introducing lines, and what they say.

They give a statement its type, its day, and the words that it needs to stand alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import lru_cache

from memctl.blocks.lines import is_terminated
from memctl.extraction.rules.classifier import heading_type
from memctl.extraction.rules.dates import DateReader, day_names
from memctl.extraction.rules.labels import SKIP, TOPIC, label_of, normalise_title
from memctl.extraction.rules.language import Language, detect_language
from memctl.extraction.rules.machine_text import is_release_title
from memctl.extraction.rules.phrases import fold
from memctl.extraction.rules.sentences import word_count
from memctl.memory import EventTime, MemoryType

FRAGMENT_WORDS = 6
"""Fewer words than these need their heading to be understood."""

VALUE_WORDS = 2
"""So few words are no sentence, even if they end like one."""

INDEPENDENT_WORDS = 14
"""So many words bring their own context along."""

LONGEST_CONTEXT_CHARACTERS = 100
"""How much of a parent item or heading goes in front of a statement."""

SHORTEST_CLAUSE_CHARACTERS = 16

MOST_PLACES = 4
"""So many keys and names tell the place of a value in structured data, the nearest ones."""

_FILE_NAME = re.compile(r"^[\w.-]+\.(?:md|markdown|txt|org|rst|csv|pdf|html?)\b.*$", re.IGNORECASE)
_TIME_ONLY = re.compile(r"^\W*\d{1,2}[:h.]\d{2}(?::\d{2})?\s*(?:[ap]\.?m\.?|uhr|h)?", re.IGNORECASE)
_ISO_DAY = re.compile(r"\d{4}-\d{2}(?:-\d{2})?|\d{4}年(?:\d{1,2}月)?(?:\d{1,2}日)?")
_IDEOGRAPHS = re.compile(r"[一-鿿゠-ヿ가-힣]{2,}")
_CONTENT_WORD = re.compile(r"[^\W\d_]{4,}")
_DISTINCT = re.compile(
    r"(?<=\s)[\"'“„«(]?(?:[^\W\d_a-z]\w+|\w*[A-Za-z]\w*\d\w*|\w*\d\w*[A-Za-z]\w*)"
)
_POINTS_UP = re.compile(
    r"(?:we|i)(?:'ve| have)? (?:decided|agreed|chose|resolved) to \w+ (?:it|them)\b"
)
"""What was decided of a thing that only the heading names."""

_CLAUSE_END = re.compile(r"[.;!?。；]\s|[,，(（]\s?")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The titles above a block, outermost first, and what they say.

    ``titles`` are headings and pseudo headings, ``parents`` list items and introducing lines.
    """

    titles: tuple[str, ...] = ()
    parents: tuple[str, ...] = ()
    day: date | None = None
    moment: datetime | None = None
    skip: bool = False
    is_release: bool = False
    """Whether a title names a version of a program."""

    @property
    def path(self) -> tuple[str, ...]:
        """All of them, for what they say about the type."""
        return self.titles + self.parents

    @property
    def event_at(self) -> EventTime | None:
        """The day, or the instant where a heading gives a time too."""
        return self.moment or self.day

    def as_path(self) -> Surroundings:
        """The same, with the nearest of the titles and parents as one parent that names the place
        of a value in structured data."""
        titles = [context_words(title) for title in self.titles]
        around = [*filter(None, titles), *map(shorten, self.parents)]
        return replace(self, parents=(" > ".join(around[-MOST_PLACES:]),) if around else ())


def read_surroundings(
    titles: tuple[str, ...], parents: tuple[str, ...], dates: DateReader
) -> Surroundings:
    """What the titles and parents of a block say."""
    day: date | None = None
    moment: datetime | None = None
    for title in (*titles, *parents):
        day, moment = _title_time(title, day, moment, dates)
    skip = any((label := label_of(title)) and label.meaning == SKIP for title in titles)
    is_release = any(map(is_release_title, titles))
    return Surroundings(titles, parents, day, moment, skip, is_release)


def _title_time(
    title: str, day: date | None, moment: datetime | None, dates: DateReader
) -> tuple[date | None, datetime | None]:
    mentions = [
        mention
        for mention in dates.mentions(title, detect_language(fold(title)))
        if not mention.deadline
    ]
    if len(mentions) == 1:
        value = mentions[0].value
        if isinstance(value, datetime):
            return value.date(), value
        return _right_year(value, dates.anchor), None
    known_day = day or dates.anchor
    line_time = dates.line_time(title, known_day) if known_day is not None else None
    return (day, line_time[0]) if line_time is not None else (day, moment)


def _right_year(day: date, anchor: date | None) -> date:
    """The document's day where a title only has its year wrong, as in a copied daily note."""
    if anchor is not None and (day.month, day.day) == (anchor.month, anchor.day):
        return anchor
    return day


@lru_cache(maxsize=4096)
def context_words(title: str) -> str:
    """The title if it says what its text is about, not only of what kind or from when it is."""
    if _FILE_NAME.match(title.strip()):
        return ""
    text = title.strip(" -–—:：#*")
    bare = _without_dates(text)
    label = label_of(bare)
    if label is not None and label.meaning != TOPIC:
        own_words = not label.exact and isinstance(label.meaning, MemoryType)
        if not own_words:
            return ""
    words = normalise_title(bare)
    return shorten(_TIME_ONLY.sub("", text)) if any(map(str.isalpha, words)) else ""


def _without_dates(title: str) -> str:
    """A title without dates, times, months, weekdays and numbers."""
    text = _TIME_ONLY.sub("", _ISO_DAY.sub("", title))
    names = day_names()
    kept = [word for word in text.split() if fold(word).strip(".,;:()[]") not in names]
    kept = [word for word in kept if any(map(str.isalpha, word))]
    return " ".join(kept).strip(" -–—:：#*(),")


def shorten(text: str) -> str:
    """A context's first clauses, at most ``LONGEST_CONTEXT_CHARACTERS``."""
    text = text.strip().rstrip(" :：.。")
    if len(text) <= LONGEST_CONTEXT_CHARACTERS:
        return text
    cut = 0
    for match in _CLAUSE_END.finditer(text[:LONGEST_CONTEXT_CHARACTERS]):
        cut = match.start()
    if cut < SHORTEST_CLAUSE_CHARACTERS:
        cut = text.rfind(" ", 0, LONGEST_CONTEXT_CHARACTERS)
    return text[: cut if cut > 0 else LONGEST_CONTEXT_CHARACTERS].rstrip(" ,;，；(（")


def is_value(text: str, language: Language) -> bool:
    """Whether what stands behind a name is no sentence: ``approved``, ``in the shed``."""
    words = word_count(text, language)
    is_whole = text[:1].isupper() and is_terminated(text) and words > VALUE_WORDS
    return not is_whole and words < FRAGMENT_WORDS


def with_context(
    statement: str, around: Surroundings, *, language: Language, is_field: bool, by_heading: bool
) -> str:
    """The statement with the headings and parents in front that it needs to stand alone.

    ``is_field``: it is a ``name: value`` line or a table row. ``by_heading``: its type comes from
    a heading alone, which then belongs to what it says.
    """
    contexts = [shorten(parent) for parent in around.parents[-1:] if _adds(parent, statement)]
    if not contexts and _needs_title(statement, around, language, is_field=is_field):
        contexts = _title_contexts(statement, around)
    if not contexts and by_heading and word_count(statement, language) < FRAGMENT_WORDS:
        named = heading_type(around.path)
        contexts = [shorten(named[1])] if named is not None else []
    if not contexts:
        return statement
    mark = " — " if is_field or _is_sentence(statement, language) else ": "
    return f"{' > '.join(contexts)}{mark}{statement}"


def _title_contexts(statement: str, around: Surroundings) -> list[str]:
    """The nearest title that says something; where that is one word, the one above it too."""
    informative = (context_words(title) for title in around.titles)
    fresh = [title for title in informative if title and _adds(title, statement)]
    if len(fresh) > 1 and " " not in fresh[-1] and fresh[-1].isascii():
        return fresh[-2:]
    return fresh[-1:]


def _adds(context: str, statement: str) -> bool:
    return bool(context.strip()) and fold(context) not in fold(statement)


def _is_sentence(statement: str, language: Language) -> bool:
    if statement[-1:] in ".!。！":
        return True
    return statement[:1].isupper() and word_count(statement, language) >= FRAGMENT_WORDS


def _needs_title(
    statement: str, around: Surroundings, language: Language, *, is_field: bool
) -> bool:
    if is_field:
        return True
    words = word_count(statement, language)
    if words < INDEPENDENT_WORDS and _POINTS_UP.match(fold(statement)) is not None:
        return True
    if words >= INDEPENDENT_WORDS or language.has(fold(statement), "first person"):
        return False
    if words < FRAGMENT_WORDS:
        return True
    if language.code != "de" and _DISTINCT.search(statement):
        return False
    title_words = {word for title in around.titles for word in _stems(title)}
    return not title_words & _stems(statement)


def _stems(text: str) -> set[str]:
    """What two texts that speak of one thing share: beginnings of words, pairs of ideographs."""
    folded = fold(text)
    stems = {word[:5] for word in _CONTENT_WORD.findall(folded)}
    for run in _IDEOGRAPHS.findall(folded):
        stems.update(run[start : start + 2] for start in range(len(run) - 1))
    return stems
