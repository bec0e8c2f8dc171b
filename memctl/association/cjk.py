"""Chinese, Japanese and Korean texts: values, denials and words without blanks between them.

Numbers with their counters are taken out first; what is left is cut into words by script and by
the particles of the language's table. Words are compared as they stand, never by stem.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial

from memctl.association.lexicon import Lexicon
from memctl.association.measures import (
    MINUTES_OF_HALF_A_DAY,
    Amount,
    ClockTime,
    PartialDate,
    Value,
    ValueKind,
)
from memctl.association.numerals import read_cjk_number
from memctl.association.tokens import PREPARED_CLOSE, PREPARED_OPEN
from memctl.association.units import find_unit

_NUMERAL = r"\d+(?:[.,]\d+)?|[〇零一二两三四五六七八九十百千万萬億]+"
_KOREAN_NUMERAL = (
    r"\d+(?:[.,]\d+)?|[영일이삼사오육칠팔구십백천만]+"
    r"|열한|열두|열|스무|서른|하나|한|두|둘|세|셋|네|넷|다섯|여섯|일곱|여덟|아홉"
)


@cache
def _patterns(words: Lexicon) -> list[tuple[str, re.Pattern[str]]]:
    """What to look for in a text, in order: the kind of value, and its pattern."""
    numeral = _KOREAN_NUMERAL if words.code == "ko" else _NUMERAL
    units = "|".join(sorted(words.counted_units, key=len, reverse=True))
    rows = [row.split(maxsplit=1) for row in words.table("counted_values")]
    return [
        (kind, re.compile(pattern.replace("NUM", f"({numeral})").replace("UNIT", units)))
        for kind, pattern in rows
    ]


_WEEKDAYS = {c: i for i, c in enumerate("一二三四五六", 1)} | {"日": 7, "天": 7}
_WEEKDAYS |= {c: i for i, c in enumerate("月火水木金土", 1)}
_WEEKDAYS |= {c: i for i, c in enumerate("월화수목금토일", 1)}


@dataclass(slots=True)
class Prepared:
    """A text whose values, denials and quantifiers are taken out."""

    text: str
    values: list[Value]
    denials: int
    universal: bool
    existential: bool


_BLANK_BEFORE_UNIT = re.compile(r"(?<=\d)\s+(?=[一-鿿ァ-ヺ])")


def prepare_cjk(text: str, words: Lexicon) -> Prepared:
    """Takes denials, quantifiers and numbers with their counters out of a text.

    Each value leaves its number between two private signs.
    """
    for word, usual in words.rewrites:
        text = text.replace(word, usual)
    text = _BLANK_BEFORE_UNIT.sub("", text)
    text, universal = words.pattern("universal_signs").subn(" ", text)
    text, existential = words.pattern("existential_signs").subn(" ", text)
    text, denials = words.pattern("denials").subn(" ", text)
    values: list[Value] = []
    for kind, pattern in _patterns(words):
        text = pattern.sub(partial(_take, kind, values, words), text)
    return Prepared(text, values, denials, universal > 0, existential > 0)


def _take(kind: str, values: list[Value], words: Lexicon, match: re.Match[str]) -> str:
    value = _read(kind, match, words)
    if value is None:
        return match.group()
    values.append(value)
    return f" {PREPARED_OPEN}{len(values) - 1}{PREPARED_CLOSE} "


def _read(kind: str, match: re.Match[str], words: Lexicon) -> Value | None:
    if kind == "weekday":
        return _value(ValueKind.WEEKDAY, frozenset({_WEEKDAYS[match[1]]}), match)
    numbers = [read_cjk_number(group) if group else None for group in match.groups()]
    if kind == "date":
        parts = [None if number is None else int(number) for number in numbers]
        return _value(ValueKind.DATE, PartialDate(*parts), match)
    first = numbers[0]
    return None if first is None else _read_number(kind, first, numbers[1:], match, words)


def _read_number(
    kind: str,
    first: Fraction,
    others: list[Fraction | None],
    match: re.Match[str],
    words: Lexicon,
) -> Value | None:
    if kind in {"time", "half_past"}:
        minutes = int(first) * 60 + (30 if kind == "half_past" else int(others[0] or 0))
        spoken = minutes <= MINUTES_OF_HALF_A_DAY
        return _value(ValueKind.TIME, ClockTime(minutes, spoken), match)
    if kind == "day":
        return _value(ValueKind.DATE, PartialDate(day=int(first)), match)
    if kind == "counted":
        return _value(ValueKind.NUMBER, first, match, counted=match[2])
    unit = find_unit("%" if kind == "percent" else words.counted_units[match[2]])
    if unit is None:
        return None
    return _value(ValueKind.QUANTITY, first * unit.factor + unit.offset, match, unit.dimension)


def _value(
    kind: ValueKind,
    amount: Amount,
    match: re.Match[str],
    dimension: str = "",
    counted: str | None = None,
) -> Value:
    return Value(kind, amount, match.group().strip(), 0, dimension, counted=counted)


def cut_words(word: str, words: Lexicon, *, after_kanji: bool = False) -> list[str]:
    """The content words of a run of one script; endings and particles are taken off.

    ``after_kanji`` says that a run of hiragana follows a Chinese sign, so that it begins with the
    ending of that word.
    """
    if words.code == "ko":
        return [] if words.pattern("endings").fullmatch(word) else [_without_particle(word, words)]
    if _HIRAGANA.fullmatch(word):
        return _cut_hiragana(word, words, after_kanji=after_kanji)
    if words.code == "zh":
        parts = words.pattern("particles").split(word)
        return [piece for part in parts for piece in words.known_words.split(part) if piece]
    return [piece for piece in words.known_words.split(word) if piece]


_HIRAGANA = re.compile(r"[ぁ-ゟ]+")
_TRAILING_PARTICLES = re.compile(r"(?:が|は|を|に|の|と|も|で|へ|から|まで)+$")

_LONGEST_OKURIGANA = 2


def _cut_hiragana(word: str, words: Lexicon, *, after_kanji: bool) -> list[str]:
    """Nothing for particles and endings; a word written in hiragana without its particles."""
    endings = words.pattern("endings").pattern
    okurigana = f"[ぁ-ゟ]{{0,{_LONGEST_OKURIGANA}}}" if after_kanji else ""
    if re.fullmatch(f"{okurigana}(?:{endings})*", word):
        return []
    rest = _TRAILING_PARTICLES.sub("", word)
    return [rest] if rest else []


def _without_particle(word: str, words: Lexicon) -> str:
    """A Korean word without its one particle or ending."""
    match = words.pattern("endings").search(word)
    return word[: match.start()] if match is not None and match.start() else word


def is_label(label: str, words: Lexicon) -> bool:
    """Whether a number after this run names a thing (部屋12), no particle standing between."""
    parts = cut_words(label, words)
    return bool(parts) and label.endswith(parts[-1])
