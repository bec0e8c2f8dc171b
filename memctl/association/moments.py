"""Dates, weekdays and times of day as a text states them, in figures or in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from memctl.association.lexicon import Lexicon
from memctl.association.measures import ClockTime, PartialDate
from memctl.association.numerals import read_figure, read_number
from memctl.association.tokens import Token, TokenKind

FIRST_YEAR, LAST_YEAR = 1000, 2199

_ISO_DATE = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_DOTTED_DATE = re.compile(r"(\d{1,2})[./](\d{1,2})[./](\d{2,4})")
_DAY_NUMBER = re.compile(r"#?(\d{1,2})(?:st|nd|rd|th|er|re|º|ª|-?го|-?е)?")
_DATE_JOINTS = frozenset({"of", "de", "del", ",", "."})
FIRST_YEAR_OF_SHORT_ONES = 2000


def read_date_token(text: str, code: str) -> PartialDate | None:
    """A date in figures: year first, or day first; a month above 12 means month first.

    2.4.10 is a date in German and a version in English.
    """
    if match := _ISO_DATE.match(text):
        year, month, day = map(int, match.groups())
    elif match := _DOTTED_DATE.fullmatch(text):
        day, month, year = map(int, match.groups())
        if year < 100 and code == "en":
            return None
        if month > 12 >= day:
            day, month = month, day
        year += FIRST_YEAR_OF_SHORT_ONES if year < 100 else 0
    else:
        return None
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    return PartialDate(year, month, day)


def read_date(
    tokens: Sequence[Token], index: int, words: Lexicon
) -> tuple[PartialDate, int] | None:
    """A date that starts at a token, and how many tokens it takes."""
    token = tokens[index]
    if token.kind is TokenKind.DATE:
        date = read_date_token(token.text, words.code)
        return None if date is None else (date, 1)
    if token.kind is TokenKind.NUMBER:
        year = _year_alone(tokens, index, words)
        return _day_first(tokens, index, words) if year is None else (PartialDate(year=year), 1)
    return _day_first(tokens, index, words) or _month_first(tokens, index, words)


def _day_first(
    tokens: Sequence[Token], index: int, words: Lexicon
) -> tuple[PartialDate, int] | None:
    """14 March 2026, 12. Mai, 3 de mayo de 2026."""
    position = _skip_joints(tokens, index + 1)
    month = _month(tokens, position, words, beside_a_number=True)
    if month is None:
        return None
    day = _day(tokens[index], words)
    if day is None:
        return None
    year_position = _skip_joints(tokens, position + 1)
    year = _year(tokens, year_position)
    count = (year_position if year is not None else position) + 1 - index
    return PartialDate(year, month, day), count


def _month_first(
    tokens: Sequence[Token], index: int, words: Lexicon
) -> tuple[PartialDate, int] | None:
    """March 14, 2026; March 2026; March."""
    if tokens[index].lower.rstrip(".") not in words.months:
        return None
    following = tokens[index + 1] if index + 1 < len(tokens) else None
    day = None
    if following is not None and not _figure_belongs_elsewhere(tokens, index + 1):
        day = _day(following, words)
    year_position = _skip_joints(tokens, index + (1 if day is None else 2))
    year = _year(tokens, year_position)
    beside_a_number = day is not None or year is not None
    month = _month(tokens, index, words, beside_a_number)
    if month is None:
        return None
    last = year_position if year is not None else index + (0 if day is None else 1)
    return PartialDate(year, month, day), last + 1 - index


def _figure_belongs_elsewhere(tokens: Sequence[Token], index: int) -> bool:
    """Whether a figure after a month counts something: in March 12 people came."""
    following = tokens[index + 1] if index + 1 < len(tokens) else None
    return (
        following is not None
        and following.kind is TokenKind.WORD
        and following.lower.endswith("s")
        and len(following.lower) > 3
    )


def _day(token: Token, words: Lexicon) -> int | None:
    if token.kind in {TokenKind.NUMBER, TokenKind.CODE}:
        match = _DAY_NUMBER.fullmatch(token.lower)
        day = int(match[1]) if match else 0
    else:
        day = words.numbers.get(token.lower, 0) or words.ordinals.get(token.lower, 0)
    return day if 1 <= day <= 31 else None


def _month(
    tokens: Sequence[Token], position: int, words: Lexicon, beside_a_number: bool
) -> int | None:
    """The month that a word names; words that mean something else as well need a sign of it."""
    if position >= len(tokens):
        return None
    token = tokens[position]
    month = words.months.get(token.lower.rstrip("."))
    if month is None or beside_a_number or words.code != "en":
        return month
    before = tokens[position - 1].lower if position else ""
    after_preposition = before in _year_prepositions(words) or before in _PARTS_OF_A_MONTH
    starts_the_text = position == 0
    if token.lower == "may":
        return month if token.capitalised and not starts_the_text else None
    if token.lower == "march" or len(token.lower) == 3:
        return month if after_preposition or token.capitalised else None
    return month


_PARTS_OF_A_MONTH = frozenset({"early", "mid", "late", "last", "next", "this"})


def _year(tokens: Sequence[Token], position: int) -> int | None:
    if position >= len(tokens) or tokens[position].kind is not TokenKind.NUMBER:
        return None
    text = tokens[position].text
    if not re.fullmatch(r"\d{4}", text):
        return None
    return int(text) if FIRST_YEAR <= int(text) <= LAST_YEAR else None


def _year_alone(tokens: Sequence[Token], index: int, words: Lexicon) -> int | None:
    """A four-digit figure after a preposition of time: founded in 1974."""
    if index == 0 or tokens[index - 1].lower not in _year_prepositions(words):
        return None
    return _year(tokens, index)


def _year_prepositions(words: Lexicon) -> frozenset[str]:
    return words.words_of("year_prepositions")


def _skip_joints(tokens: Sequence[Token], position: int) -> int:
    while position < len(tokens) and tokens[position].lower in _DATE_JOINTS:
        position += 1
    return position


def read_weekday(token: Token, words: Lexicon) -> frozenset[int] | None:
    """The days (Monday is 1) that a word names; three-letter forms need a capital."""
    lower = token.lower
    found = words.weekdays.get(lower) or words.weekdays.get(lower.rstrip("s"))
    if found is None or (len(lower) <= 3 and not token.capitalised):
        return None
    return found


def read_time(tokens: Sequence[Token], index: int, words: Lexicon) -> tuple[ClockTime, int] | None:
    """A time of day that starts at a token, and how many tokens it takes."""
    kind = tokens[index].kind
    if kind is TokenKind.NUMBER:
        return _hour(tokens, index, words)
    if kind is TokenKind.WORD:
        return _spoken_time(tokens, index, words) or _hour(tokens, index, words)
    return _clock_token(tokens, index, words) if kind is TokenKind.CLOCK else None


def _is(tokens: Sequence[Token], position: int, words: Lexicon, name: str) -> bool:
    return 0 <= position < len(tokens) and tokens[position].lower in words.clock_words(name)


def starts_a_time(token: Token, words: Lexicon) -> bool:
    """Whether a time of day in words can start with a word that is no number."""
    return any(token.lower in words.clock_words(name) for name in _STARTS_OF_TIMES)


_STARTS_OF_TIMES = ("noon", "midnight", "half_before", "half_past", "quarter")


def _clock_token(
    tokens: Sequence[Token], index: int, words: Lexicon
) -> tuple[ClockTime, int] | None:
    token = tokens[index]
    hours_only = token.lower.endswith("h")
    if hours_only and not words.clock_words("h_is_a_time"):
        return None
    hour, _, minute = token.lower.replace("h", ":").partition(":")
    minutes = int(hour) * 60 + int(minute[:2] or 0)
    return _half_day(tokens, index + 1, words, minutes, count=1, stated=True)


def _half_day(
    tokens: Sequence[Token], position: int, words: Lexicon, minutes: int, count: int, stated: bool
) -> tuple[ClockTime, int] | None:
    """Applies a.m., p.m. or a word for "o'clock" that may follow at ``position``."""
    hour = minutes // 60
    if hour > 24 or minutes >= 25 * 60:
        return None
    if _is(tokens, position, words, "pm"):
        shifted = minutes + (12 * 60 if hour < 12 else 0)
        return ClockTime(shifted), count + 1
    if _is(tokens, position, words, "am"):
        return ClockTime(minutes - (12 * 60 if hour == 12 else 0)), count + 1
    if _is(tokens, position, words, "hour_word"):
        return _with_minutes(tokens, position + 1, words, minutes, count + 1)
    return (ClockTime(minutes, half_day_unknown=False), count) if stated else None


def _with_minutes(
    tokens: Sequence[Token], position: int, words: Lexicon, minutes: int, count: int
) -> tuple[ClockTime, int]:
    """``7 Uhr 30``, ``siete y media``; without more, an hour below 13 may be of either half."""
    if position < len(tokens) and tokens[position].kind is TokenKind.NUMBER:
        extra = read_figure(tokens[position].text, words.code)
        if extra is not None and extra.denominator == 1 and 0 < extra < 60 and minutes % 60 == 0:
            return ClockTime(minutes + int(extra)), count + 1
    if _is(tokens, position, words, "and") and _is(tokens, position + 1, words, "half_after"):
        return ClockTime(minutes + 30, minutes < 12 * 60), count + 2
    if _is(tokens, position, words, "and") and _is(tokens, position + 1, words, "quarter"):
        return ClockTime(minutes + 15, minutes < 12 * 60), count + 2
    return ClockTime(minutes, half_day_unknown=minutes <= 12 * 60), count


def _spoken_time(
    tokens: Sequence[Token], index: int, words: Lexicon
) -> tuple[ClockTime, int] | None:
    """noon; half past six; quarter to nine; halb sieben; viertel nach acht."""
    if _is(tokens, index, words, "noon"):
        return ClockTime(12 * 60), 1
    if _is(tokens, index, words, "midnight"):
        return ClockTime(0), 1
    if _is(tokens, index, words, "half_before"):
        return _relative(tokens, index + 1, words, -30, 1)
    for part, direction, offset in _PARTS_OF_AN_HOUR:
        if _is(tokens, index, words, part) and _is(tokens, index + 1, words, direction):
            return _relative(tokens, index + 2, words, offset, 2)
    return None


_PARTS_OF_AN_HOUR = (("half_past", "past", 30), ("quarter", "past", 15), ("quarter", "to", -15))
"""What stands before an hour, and the minutes that it adds."""


def _relative(
    tokens: Sequence[Token], position: int, words: Lexicon, offset: int, count: int
) -> tuple[ClockTime, int] | None:
    number = read_number(tokens, position, words) if position < len(tokens) else None
    if number is None or number[0].denominator != 1 or not 1 <= number[0] <= 24:
        return None
    minutes = (int(number[0]) * 60 + offset) % (24 * 60)
    total = count + number[1]
    shifted = _half_day(tokens, position + number[1], words, minutes, total, stated=False)
    return shifted or (ClockTime(minutes, half_day_unknown=True), total)


def _hour(tokens: Sequence[Token], index: int, words: Lexicon) -> tuple[ClockTime, int] | None:
    """7 am, 6 o'clock, 8.15 Uhr, at seven, a las siete, в девять часов."""
    number = read_number(tokens, index, words)
    if number is None or not 0 <= number[0].numerator <= 24 * number[0].denominator:
        return None
    minutes = _minutes(tokens[index], number[0])
    if minutes is None:
        return None
    following = index + number[1]
    after_at = _is(tokens, index - 1, words, "at")
    if words.clock_words("hour_word_needs_at") and not after_at:
        return None
    read = _half_day(tokens, following, words, minutes, number[1], stated=False)
    if read is not None or not after_at or _counts_something(tokens, following, words):
        return read
    clock, count = _with_minutes(tokens, following, words, minutes, number[1])
    return clock, count


def _minutes(token: Token, number: Fraction) -> int | None:
    """7 → 420; 8.15 → 495: figures after the point are minutes, not a fraction."""
    if number.denominator == 1:
        return int(number) * 60
    hour, _, minute = token.text.replace(",", ".").partition(".")
    return int(hour) * 60 + int(minute) if len(minute) == 2 and int(minute) < 60 else None


def _counts_something(tokens: Sequence[Token], position: int, words: Lexicon) -> bool:
    """Whether a noun or unit follows, so that "at 7" goes on: at 7 bar, at seven schools."""
    if position >= len(tokens):
        return False
    token = tokens[position]
    if token.kind in {TokenKind.SYMBOL, TokenKind.CODE}:
        return True
    if token.kind is not TokenKind.WORD or words.is_function_word(token.lower):
        return False
    return read_weekday(token, words) is None
