"""Texts to sentences, and sentences to clauses that may stand alone.

Pure and linear; joined with what stands between them, the pieces are the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from memctl.extraction.rules.dates import day_names
from memctl.extraction.rules.language import Language, languages
from memctl.extraction.rules.phrases import fold

_TAG = re.compile(r"(?<!\S)#([^\W\d_][\w-]{1,40})")
_HEX_COLOUR = re.compile(r"[0-9a-f]{3,8}$", re.IGNORECASE)
_END = re.compile(
    r"(?P<dense>[。！？｡]+[」』”’）)\]]*)|(?P<mark>[.!?…]+)(?P<closer>[\"'”’»)\]*_]*)(?:\s+|$)"
)
_LAST_WORD = re.compile(r"[\w.'’-]*$")
_NEXT_WORD = re.compile(r"[\"'“„«(\[¿¡*_-]*(?P<word>\w+)")
_SHORT_FORMS = """
e.g i.e etc approx ca cf vs st mr mrs ms dr prof jr sr inc ltd co corp dept est ed eds op al ave
blvd max min avg incl excl resp bzw z.b d.h u.a usw evtl ggf inkl exkl vgl str hr fr m mme mlle p.ex
env av bd n° sra srta dña ud uds ej p.ej aprox dott ing avv sigg es ecc dr.a dra exmo ex dhr mw bv
nl o.a d.w.z enz np tzn m.in itd itp ul г гг т.е т.д т.п др см руб тыс a.m p.m am pm u.s u.k
"""
_FORMS_BEFORE_NUMBERS = """
no nos nr p pp vol fig art abs pag pág núm num sig tel tél ext cap ch стр рис
"""
_ABBREVIATIONS = frozenset(_SHORT_FORMS.split())
_NUMBER_ABBREVIATIONS = frozenset(_FORMS_BEFORE_NUMBERS.split())
_DIGIT = re.compile(r"\d")
_BLANK = r"\s"
_SHORT_NUMBER_DIGITS = 2
LONGEST_WORD = 30
"""Characters before a full stop that are looked at for an abbreviation."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a text and where it begins there."""

    text: str
    start: int


def split_sentences(text: str) -> list[Piece]:
    """The sentences of a text, in order, without the blanks around them; none is empty."""
    pieces: list[Piece] = []
    start = 0
    for match in _END.finditer(text):
        if match["dense"] is None and not _ends_sentence(text, match):
            continue
        _append(pieces, text, start, match.end())
        start = match.end()
    _append(pieces, text, start, len(text))
    return pieces


def _append(pieces: list[Piece], text: str, start: int, end: int) -> None:
    raw = text[start:end]
    stripped = raw.strip()
    if stripped:
        pieces.append(Piece(stripped, start + len(raw) - len(raw.lstrip())))


def _ends_sentence(text: str, match: re.Match[str]) -> bool:
    following = _NEXT_WORD.match(text, match.end())
    if following is None:
        return True
    word = following["word"]
    if match["mark"] != ".":
        return not word[0].islower() or match["mark"] not in ("...", "…")
    before = _LAST_WORD.search(text, max(match.start() - LONGEST_WORD, 0), match.start())
    last = before[0].casefold() if before is not None else ""
    if match["closer"] or not _is_short_form(last, word):
        return _begins_sentence(word, last)
    return False


def _is_short_form(last: str, following: str) -> bool:
    if last in _ABBREVIATIONS or (len(last) == 1 and last.isalpha()):
        return True
    return last in _NUMBER_ABBREVIATIONS and following[0].isdigit()


def _begins_sentence(word: str, last: str) -> bool:
    """Whether ``word`` may begin a sentence after one that ends with ``last``."""
    opens = fold(word) in _openers()
    if last.isdigit() and len(last) <= _SHORT_NUMBER_DIGITS:
        return word[0].isupper() and opens and fold(word) not in day_names()
    return word[0].isupper() or not word[0].isalpha() or (len(last) > 2 and opens)


@cache
def _openers() -> frozenset[str]:
    """Common words of all languages: what a sentence, not a name or a month, goes on with."""
    return frozenset().union(*(language.words for language in languages()))


def split_clauses(sentence: str, language: Language) -> Iterator[tuple[str, str, int]]:
    """Each way to cut a sentence in two at a connector: left, right, and where right begins."""
    for match in _connectors(language.code).finditer(sentence):
        left = sentence[: match.start()].strip(" ,，、;；")
        right = sentence[match.end() :].strip()
        if left and right:
            yield left, right, match.end()


@cache
def _connectors(code: str) -> re.Pattern[str]:
    language = next(one for one in languages() if one.code == code)
    phrases = sorted(map(str.strip, language.lines("connector")), key=len, reverse=True)
    patterns = [_connector(phrase, language) for phrase in phrases]
    # Those behind a blank stand together: ``re`` then looks for the blank once for all of them.
    blank = [pattern for pattern in patterns if pattern.startswith(_BLANK)]
    others = [pattern for pattern in patterns if not pattern.startswith(_BLANK)]
    groups = [f"(?:{'|'.join(group)})" for group in (blank, others) if group]
    return re.compile("|".join(groups), re.IGNORECASE)


def _connector(phrase: str, language: Language) -> str:
    """A connector as a pattern; what stands behind a bar in it belongs to the right clause."""
    taken, _, kept = phrase.partition("|")
    has_blanks = not language.is_dense and language.code != "ko"
    pattern = re.escape(taken.strip()).replace(r"\ ", r"\s+")
    pattern = pattern.replace("，", "[,，]").replace("、", "[、,]").replace("；", "[;；]")
    before = _BLANK if has_blanks and (taken[0].isalpha() or taken[0] in "—–") else ""
    after = r"\s+" if has_blanks else r"\s*"
    following = f"(?={re.escape(kept)}" + (r"\b)" if has_blanks else ")") if kept else ""
    return before + pattern + after + following


def has_digit(text: str) -> bool:
    """Whether there is a figure in the text."""
    return _DIGIT.search(text) is not None


def word_count(text: str, language: Language) -> int:
    """Words of a text; in a script without blanks two characters count as one."""
    if language.is_dense:
        return sum(char.isalnum() for char in text) // 2
    return len(text.split())


def tags_in(text: str) -> tuple[str, ...]:
    """The words behind ``#``, each once and in order; a colour is none."""
    tags = (match[1] for match in _TAG.finditer(text))
    return tuple(dict.fromkeys(tag for tag in tags if not _HEX_COLOUR.match(tag)))
