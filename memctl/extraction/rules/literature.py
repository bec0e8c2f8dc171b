"""What is told or sung rather than noted: verse, jokes, and the dialogue of stories.

Told by form: lines that rhyme or break off within a sentence, and speech that stands before who
says it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from memctl.extraction.rules.classifier import core_of
from memctl.extraction.rules.generality import names_weekday
from memctl.extraction.rules.language import Language
from memctl.extraction.rules.phrases import fold
from memctl.extraction.rules.sentences import has_digit

VERSE_LINES = 2
LONGEST_VERSE_CHARACTERS = 60
"""A poem has so many lines at least, none of them longer."""

SHORTEST_VERSE_WORDS = 3

POEM_LINES = 3
BROKEN_OFF_LINES = 2
"""Lines that are paragraphs of their own are a poem where they are so many, and so many of them end
with a comma or dash before a new line that begins with a capital letter."""

REGULATED_LENGTHS = {5, 7}
REGULATED_CLAUSES = 4
JOKE_SENTENCES = 2

RHYME_DISTANCE = 2
"""A line rhymes with the next one or the one after it."""

REPORTING_CHARACTERS = 60
"""How far before and behind a speech is looked for who says it."""

_BREAKS = (",", ";", "–", "—")
_RHYME = re.compile(r"[aeiouyäöüáéíóúàèìòùâêîôûаеиоуыэюя]+[^\W\d_aeiou]*e?$")
_WORD = re.compile(r"[^\W\d_]+")
_HAN_CLAUSE = re.compile(r"[^，。！？；、,\s]+")
_SPEECH = re.compile(r"[\"“„”«»][^\"“”„«»]{1,300}(?:[,!?.…–—-] ?[\"“”»«]|[\"“”»«] ?[,–—])")
_CHAPTER_NUMBER = (
    r"(?:chapter|kapitel|chapitre|cap[ií]tulo|capitolo|hoofdstuk|rozdział|глава"
    r"|scene|szene|scène|escena|scena|сцена)"
    r" (?:\d+|[ivxlc]+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
)
_HAN_CHAPTER_NUMBER = r"第[一二三四五六七八九十百\d]+[章回話话]"
_CHAPTER = re.compile(
    rf"{_CHAPTER_NUMBER}(?:[.:] |\n)\S|{_HAN_CHAPTER_NUMBER}[ 　\n]\S", re.IGNORECASE
)
"""The number of a chapter and its text: ``Chapter Four. Rain fell``."""

_CHAPTER_TITLE = re.compile(rf"{_CHAPTER_NUMBER}[.:]?|{_HAN_CHAPTER_NUMBER}", re.IGNORECASE)
"""The number of a chapter on a line of its own."""

_SPEECH_IN_CORNERS = re.compile(r"「[^「」]{1,300}」")
_QUOTED = re.compile(r"[\"“„”«»][^\"“”„«»]*(?:[\"“”»«]|$)|「[^「」]*」")


def is_verse(lines: Sequence[str]) -> bool:
    """Whether lines rhyme, run on from one to the next and are short."""
    if len(lines) < VERSE_LINES or any(map(has_digit, lines)):
        return False
    words = [_WORD.findall(fold(line)) for line in lines]
    if any(len(line) > LONGEST_VERSE_CHARACTERS for line in lines):
        return False
    if min(map(len, words)) < SHORTEST_VERSE_WORDS or all(line.endswith(".") for line in lines):
        return False
    return _rhyming([line[-1] for line in words]) * 2 >= len(lines)


def is_poem(lines: Sequence[str]) -> bool:
    """Whether lines that stand each for itself are a poem: some break off within a sentence, and
    they rhyme or do so again."""
    if len(lines) < POEM_LINES or any(len(line) > LONGEST_VERSE_CHARACTERS for line in lines):
        return False
    if min(len(_WORD.findall(line)) for line in lines) < SHORTEST_VERSE_WORDS:
        return False
    broken_off = sum(
        line.endswith(_BREAKS) and following[:1].isupper() for line, following in pairwise(lines)
    )
    return broken_off >= BROKEN_OFF_LINES or (broken_off > 0 and is_verse(lines))


def is_regulated_verse(text: str) -> bool:
    """Whether a Chinese text is of clauses of five characters each, or of seven."""
    clauses = _HAN_CLAUSE.findall(text)
    lengths = set(map(len, clauses))
    return len(clauses) >= REGULATED_CLAUSES and len(lengths) == 1 and lengths <= REGULATED_LENGTHS


def is_joke(sentences: Sequence[str], language: Language) -> bool:
    """Whether a text begins as jokes do, or as some do of which it has the end too; a figure or a
    weekday makes it something that happened."""
    first, last = core_of(sentences[0], language), core_of(sentences[-1], language)
    begins = language.has(first, "joke")
    if not begins:
        begins = len(sentences) >= JOKE_SENTENCES and language.has(first, "joke setup")
        begins = begins and language.has(last, "joke end")
    return begins and not any(has_digit(one) or names_weekday(one, language) for one in sentences)


def told_around_speech(text: str) -> str:
    """What a text says outside of its quotation marks."""
    return _QUOTED.sub(" ", text)


def _rhyming(last_words: Sequence[str]) -> int:
    """How many of the words rhyme with another one near them."""
    rhyming: set[int] = set()
    for first, word in enumerate(last_words):
        for second in range(first + 1, min(first + 1 + RHYME_DISTANCE, len(last_words))):
            if word != last_words[second] and _rhyme_of(word) == _rhyme_of(last_words[second]):
                rhyming |= {first, second}
    return len(rhyming)


def _rhyme_of(word: str) -> str:
    match = _RHYME.search(word)
    return match[0] if match is not None else word


def begins_chapter(text: str, language: Language) -> bool:
    """Whether a text begins with the number of a chapter, and says nothing about its writer."""
    return _CHAPTER.match(text) is not None and not language.has(fold(text), "personal")


def is_chapter_title(line: str) -> bool:
    """Whether a line is only the number of a chapter."""
    return _CHAPTER_TITLE.fullmatch(line) is not None


def begins_rhyme(text: str, language: Language) -> bool:
    """Whether a text begins as a nursery rhyme does that everybody knows."""
    return fold(text[:LONGEST_VERSE_CHARACTERS]).startswith(language.rhymes)


def is_told(text: str, language: Language) -> bool:
    """Whether a text has speech in quotation marks, with who says it behind (``"...," he said``) or
    at the very beginning (``He said: "..."``), and nothing outside of them about its writer."""
    speech = _SPEECH_IN_CORNERS if language.is_dense else _SPEECH
    beside: list[str] = []
    for match in speech.finditer(text):
        beside.append(fold(text[match.end() : match.end() + REPORTING_CHARACTERS]).lstrip(" ,–—-"))
        if match.start() <= REPORTING_CHARACTERS:
            beside.append(fold(text[: match.start()]))
    if not any(language.has(rest, "reporting") for rest in beside):
        return False
    return not language.has(fold(told_around_speech(text)), "personal")
