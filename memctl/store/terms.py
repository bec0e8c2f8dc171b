"""Text analysis for keyword search: a text becomes index terms, a query becomes search terms.

Both sides go through the same steps, so a word finds itself in any case, accent, compatibility
form or English inflection, and a part of a compound finds the whole. The terms are stored:
whoever changes what this module yields must raise ``INDEX_FORMAT`` in ``store/lance_index``, so
that stores fill a new index.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache

from py_rust_stemmers import SnowballStemmer

MAXIMUM_TERM_LENGTH = 64
"""Characters of a term; longer ones (hashes, base64) keep their beginning on both sides."""

MAXIMUM_QUERY_TERMS = 128
"""Distinct terms of a query that are searched; a pasted document is cut off here."""

MAXIMUM_QUERY_CHARACTERS = 10_000
"""Characters of a query that are looked at."""

LENGTH_PADDING = 64
"""Filler terms that every text gets in the index. LanceDB's BM25 divides by length with a fixed
b = 0.75, too harsh for statements of a sentence or two: with p fillers and a mean length m it acts
as b = 0.75 m / (m + p). Recall@5/@10 on the development half of LoCoMo (mean 27 terms) by p:
0 .536/.624, 32 .563/.637, 64 .572/.640, 128 .573/.640."""

_FILLER = "~"

_STOP_WORDS = """
a about am an and any are as at be because been being but by can could did do does doing for from
had has have having he her hers him his how i if in into is it its just me my of on or our ours she
should so some such than that the their theirs them then there these they this those to too very
was we were what when where which while who whom whose why with would you your yours
"""
"""English words that say nothing about what a question is about."""

_STOP_CHARACTERS = frozenset("的了是在我你他她它们們这這那有和就也都吗嗎呢吧啊么麼")
"""The same for single Chinese characters."""

_HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
_UNSPACED = (
    f"{_HAN}\u3041-\u309f\u30a0-\u30ff\u31f0-\u31ff"  # with kana
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Myanmar, Khmer
    "\uac00-\ud7a3"  # Hangul, where particles are attached to words
)
_MARKS = "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0900-\u0dff"
_PART_PATTERN = f"(?![_{_UNSPACED}])\\w(?:(?![_{_UNSPACED}])[\\w{_MARKS}])*"
_TOKEN = re.compile(
    f"(?P<unspaced>[{_UNSPACED}]+)"
    r"|(?P<thousands>(?<!\w)\d{1,3}(?:,\d{3})+(?![\w,]))"
    r"|(?P<symbolic>(?<!\w)[A-Za-z](?:\+\+|\#)(?![A-Za-z_+#]))"
    f"|(?P<word>{_PART_PATTERN}(?:['’_.:@&+-]{_PART_PATTERN}){{0,15}})"
    "|(?P<pictogram>(?![\U0001f3fb-\U0001f3ff])"
    "[\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff])"
)
_PART = re.compile(_PART_PATTERN)
_NUMBERS = re.compile(r"\d+(?:[^\w\s]\d+)+")
_VERSION_LETTER = re.compile(r"^[vV](?=\d)")
_HUMP = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_MAXIMUM_HUMPS = 8
_COMBINING = re.compile("[\u0300-\u036f]")
_UNDECOMPOSED = str.maketrans({"ø": "o", "đ": "d", "ł": "l", "æ": "ae", "œ": "oe", "ı": "i"})
_STEMMABLE = re.compile("[a-z]{3,}")
_CONTRACTIONS = frozenset({"t", "d", "m", "re", "ve", "ll"})


def analyse_text(text: str) -> list[str]:
    """The index terms of a text, in reading order, with repetitions; none holds white space."""
    return [term for _, terms in _analysed(text, for_query=False) for term in terms]


def index_column(text: str) -> str:
    """What the index keeps of a text: its terms and the fillers, with blanks between."""
    return " ".join([*analyse_text(text), *[_FILLER] * LENGTH_PADDING])


def analyse_query(text: str) -> list[str]:
    """The distinct search terms of a query, at most ``MAXIMUM_QUERY_TERMS``.

    Stop words are left out unless there is nothing else. Empty when the text holds no letter,
    digit or pictogram.
    """
    telling: dict[str, None] = {}
    idle: dict[str, None] = {}
    for token, terms in _analysed(text[:MAXIMUM_QUERY_CHARACTERS], for_query=True):
        (idle if _says_nothing(token, terms) else telling).update(dict.fromkeys(terms))
        if len(telling) >= MAXIMUM_QUERY_TERMS:
            break
    return list(telling or idle)[:MAXIMUM_QUERY_TERMS]


def _analysed(text: str, *, for_query: bool) -> Iterator[tuple[str, tuple[str, ...]]]:
    for match in _TOKEN.finditer(unicodedata.normalize("NFKC", text)):
        token = match.group()
        if match.lastgroup == "word":
            yield token, _word_terms(token)
        elif match.lastgroup == "unspaced":
            for term in _unspaced_terms(token, for_query=for_query):
                yield term, (term,)
        else:
            yield token, (token.replace(",", "").casefold(),)


def _says_nothing(token: str, terms: tuple[str, ...]) -> bool:
    """Whether a token is a stop word; IT and WHO in capitals are none."""
    if token in _STOP_CHARACTERS:
        return True
    return terms[0] in _stop_terms() and (len(token) == 1 or not token.isupper())


@lru_cache(maxsize=16384)
def _word_terms(token: str) -> tuple[str, ...]:
    token = _VERSION_LETTER.sub("", token)
    parts = _PART.findall(token)
    numbers = _NUMBERS.findall(token)
    if len(parts) == 1:
        words = parts
    elif numbers:
        words = [part for part in parts if not part.isdigit()]
    elif "'" in token or "’" in token:
        words = _apostrophe_words(parts)
    else:
        words = ["".join(parts), *parts]
    terms = [term for word in words for term in _terms_of_word(word)]
    terms += [beginning for some in numbers for beginning in _beginnings(some)]
    return tuple(dict.fromkeys(terms))


def _beginnings(numbers: str) -> list[str]:
    """192.168.9.1 gives itself, 192.168.9, 192.168 and 192: a beginning finds it, an end does
    not, and neither does another address of the same digits."""
    ends = [match.end() for match in _PART.finditer(numbers)]
    return [numbers[:end][:MAXIMUM_TERM_LENGTH] for end in reversed(ends)]


def _apostrophe_words(parts: list[str]) -> list[str]:
    """Gives dont for don't, Ada for Ada's; the whole and the rest for l'avion and O'Brien."""
    *head, last = parts
    if last.casefold() == "s":
        return ["".join(head)]
    whole = "".join(parts)
    return [whole] if last.casefold() in _CONTRACTIONS else [whole, last]


def _terms_of_word(word: str) -> Iterator[str]:
    """The word's term; for camelCase and 16GB those of their parts too."""
    yield _term(word)
    if word.isascii():
        humps = _HUMP.findall(word)
        if 1 < len(humps) <= _MAXIMUM_HUMPS:
            yield from (_term(hump) for hump in humps if len(hump) > 1 or hump.isdigit())


def _unspaced_terms(run: str, *, for_query: bool) -> Iterator[str]:
    """Pairs of characters; also single ones in texts, and in queries those that are words."""
    for character in run:
        if len(run) == 1 or not for_query or _is_han(character):
            yield character
    for start in range(len(run) - 1):
        yield run[start : start + 2]


def _is_han(character: str) -> bool:
    return _han().match(character) is not None


@cache
def _han() -> re.Pattern[str]:
    return re.compile(f"[{_HAN}]")


def _term(word: str) -> str:
    decomposed = unicodedata.normalize("NFD", word.casefold())
    folded = unicodedata.normalize("NFC", _COMBINING.sub("", decomposed)).translate(_UNDECOMPOSED)
    stem = _stemmer().stem_word(folded) if _STEMMABLE.fullmatch(folded) else folded
    return stem[:MAXIMUM_TERM_LENGTH]


@cache
def _stop_terms() -> frozenset[str]:
    return frozenset(_term(word) for word in _STOP_WORDS.split())


@cache
def _stemmer() -> SnowballStemmer:
    return SnowballStemmer("english")
