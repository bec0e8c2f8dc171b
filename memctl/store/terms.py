"""Text analysis for keyword search: a text becomes index terms, a query becomes search terms.

Both sides go through the same steps, so a word finds itself in any case, accent, compatibility
form or English inflection. The terms are stored: whoever changes what this module yields must
raise ``ANALYSER_VERSION``, so that stores know that their index needs to be filled again.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from py_rust_stemmers import SnowballStemmer

ANALYSER_VERSION = 1
"""Raised with every change of the terms that a text yields."""

MAXIMUM_TERM_LENGTH = 64
"""Characters of a term; longer ones (hashes, base64) keep their beginning on both sides."""

MAXIMUM_QUERY_TERMS = 256
"""Distinct terms of a query that are searched; a pasted document is cut off here."""

_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Myanmar, Khmer
    "\u3005-\u3007\u3041-\u309f\u30a0-\u30ff\u31f0-\u31ff"  # kana and iteration marks
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"  # Han
    "\uac00-\ud7a3"  # Hangul syllables: particles are attached to words
)
_IDEOGRAPH = re.compile(
    "[\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af]"
)
_MARKS = "\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0900-\u0dff"
_LETTER = f"[^\\W_{_UNSPACED}]|[{_MARKS}]"
_TOKEN = re.compile(
    f"(?P<unspaced>[{_UNSPACED}]+)"
    f"|(?P<symbolic>(?:(?<![^\\W_])[A-Za-z](?:\\+\\+|\\#))(?![\\w+#]))"
    f"|(?P<word>(?:{_LETTER})+(?:(?:['’]|[-_.:@&+]|(?<=\\d),(?=\\d))(?:{_LETTER})+)*)"
    "|(?P<symbol>[\u00a9\u00ae\u203c-\u3299\U0001f000-\U0001faff])"
)
_PART = re.compile(f"(?:{_LETTER})+")
_HUMP = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^A-Za-z\d]+")
_ACCENTS = re.compile("[\u0300-\u036f]")
_PLAIN_ENGLISH = re.compile("[a-z]{3,}")
_CONTRACTIONS = frozenset({"s", "t", "d", "m", "re", "ve", "ll"})
_UNDECOMPOSED = str.maketrans({"ø": "o", "đ": "d", "ł": "l", "æ": "ae", "œ": "oe", "ı": "i"})


def analyse_text(text: str) -> list[str]:
    """The index terms of a text, in reading order, with repetitions; none holds white space."""
    return list(_terms(text, for_query=False))


def analyse_query(text: str) -> list[str]:
    """The distinct search terms of a query, at most ``MAXIMUM_QUERY_TERMS``; empty when the text
    holds no letter, digit or pictogram."""
    distinct: dict[str, None] = {}
    for term in _terms(text, for_query=True):
        distinct[term] = None
        if len(distinct) == MAXIMUM_QUERY_TERMS:
            break
    return list(distinct)


def _terms(text: str, *, for_query: bool) -> Iterator[str]:
    for match in _TOKEN.finditer(unicodedata.normalize("NFKC", text)):
        token = match.group()
        if match.lastgroup == "word":
            yield from _word_terms(token)
        elif match.lastgroup == "unspaced":
            yield from _unspaced_terms(token, for_query=for_query)
        else:
            yield token.casefold()


@lru_cache(maxsize=65536)
def _word_terms(token: str) -> tuple[str, ...]:
    parts = _PART.findall(token)
    if len(parts) == 1:
        return tuple(dict.fromkeys(_simple_terms(token)))
    if any(character.isdigit() for character in token):
        terms = _numeric_terms(token, parts)
    elif "'" in token or "’" in token:
        terms = _apostrophe_terms(parts)
    else:
        terms = ["".join(parts), *parts]
    simple = [term for part in terms for term in _simple_terms(part)]
    return tuple(dict.fromkeys(simple))


def _numeric_terms(token: str, parts: list[str]) -> list[str]:
    """192.168.9.1 gives itself and its beginnings, so that 192.168 finds it and 168 does not."""
    ends = [match.end() for match in _PART.finditer(token)]
    beginnings = [token[:end] for end in ends]
    return beginnings[::-1] + [part for part in parts[1:] if not part.isdigit()]


def _apostrophe_terms(parts: list[str]) -> list[str]:
    """Gives dont for don't, ada for Ada's; the whole and the rest for l'avion and O'Brien."""
    *head, last = parts
    if last.casefold() == "s":
        return ["".join(head)]
    joined = "".join(parts)
    return [joined] if last.casefold() in _CONTRACTIONS else [joined, last]


def _simple_terms(word: str) -> Iterator[str]:
    folded = _fold(word)
    yield _stem(folded)[:MAXIMUM_TERM_LENGTH]
    humps = _HUMP.findall(word)
    if 1 < len(humps) <= 8 and not any(character in ".-:,@&+_" for character in word):
        for hump in humps:
            if len(hump) > 1 or hump.isdigit():
                yield _stem(_fold(hump))[:MAXIMUM_TERM_LENGTH]


def _unspaced_terms(run: str, *, for_query: bool) -> Iterator[str]:
    """Character pairs; single characters too in texts, and in queries where they mean something."""
    if len(run) == 1 or not for_query:
        yield from run
    else:
        yield from _IDEOGRAPH.findall(run)
    for start in range(len(run) - 1):
        yield run[start : start + 2]


def _fold(word: str) -> str:
    decomposed = unicodedata.normalize("NFD", word.casefold())
    return unicodedata.normalize("NFC", _ACCENTS.sub("", decomposed)).translate(_UNDECOMPOSED)


def _stem(word: str) -> str:
    return _stemmer().stem_word(word) if _PLAIN_ENGLISH.fullmatch(word) else word


@cache
def _stemmer() -> SnowballStemmer:
    from py_rust_stemmers import SnowballStemmer

    return SnowballStemmer("english")
