"""Finds the values of a text: tokens go in, values and the remaining words come out in order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from memctl.association.lexicon import Lexicon
from memctl.association.measures import Amount, Bound, Value, ValueKind
from memctl.association.moments import read_date, read_time, read_weekday, starts_a_time
from memctl.association.numerals import read_number
from memctl.association.tokens import Token, TokenKind
from memctl.association.units import MONEY, Unit, find_unit

Item = Token | Value

_THOUSANDS = re.compile(r"(\d+(?:\.\d+)?)([kK])")
_NUMBERED = re.compile(r"#?(\d+)(?:st|nd|rd|th|er|re|ème|e|º|ª)")
_NAME_KINDS = {
    TokenKind.ADDRESS: ValueKind.ADDRESS,
    TokenKind.VERSION: ValueKind.VERSION,
    TokenKind.CODE: ValueKind.CODE,
    TokenKind.DATE: ValueKind.VERSION,
    TokenKind.CLOCK: ValueKind.CODE,
    TokenKind.NUMBER: ValueKind.CODE,
}
"""What a token names that no other reader could take: 2.0.21 is no date, but a name."""


_RATE_ARTICLES = frozenset({"a", "an", "per", "each", "every", "/"})

_MOST_REMEMBERED_WORDS = 20_000


@dataclass(slots=True)
class _Reader:
    """Walks over the tokens of one text once."""

    tokens: Sequence[Token]
    words: Lexicon
    prepared: Sequence[Value]
    items: list[Item]
    has_fraction_word: bool = False

    def run(self) -> list[Item]:
        index = 0
        lowers = [token.lower for token in self.tokens]
        self.has_fraction_word = not _FRACTION_WORDS.isdisjoint(lowers)
        while index < len(self.tokens):
            token = self.tokens[index]
            beginning = self._beginning(token)
            if beginning is _OF_NOTHING:
                self.items.append(token)
                index += 1
            elif token.kind is TokenKind.PREPARED:
                self.items.append(self.prepared[int(token.text[1:-1])])
                index += 1
            else:
                index += self._step(index, token, beginning)
        return self.items

    def _step(self, index: int, token: Token, beginning: _Beginning) -> int:
        """Takes one value or word; returns how many tokens it took."""
        if (
            (beginning.moment and (taken := self._moment(index)))
            or (beginning.figure and (taken := self._figure(index)))
            or (beginning.name and (taken := self._name(token)))
            or (beginning.rate and (taken := self._rate(index)))
        ):
            return taken
        self.items.append(token)
        return 1

    def _beginning(self, token: Token) -> _Beginning:
        """What a token can begin."""
        if token.kind is TokenKind.BREAK:
            return _OF_NOTHING
        if token.kind is not TokenKind.WORD or self.has_fraction_word:
            return _OF_ANYTHING
        return _beginning_of_word(token.text, self.words)

    def _moment(self, index: int) -> int:
        token = self.tokens[index]
        if date := read_date(self.tokens, index, self.words):
            return self._add(ValueKind.DATE, date[0], index, date[1])
        if token.kind is TokenKind.WORD and (days := read_weekday(token, self.words)):
            return self._add(ValueKind.WEEKDAY, days, index, 1)
        if time := read_time(self.tokens, index, self.words):
            return self._add(ValueKind.TIME, time[0], index, time[1])
        return 0

    def _add(self, kind: ValueKind, amount: Amount, index: int, count: int) -> int:
        bound = self._take_bound()
        previous = self.items[-1] if self.items else None
        deadlines = self.words.words_of("deadline_prepositions")
        if isinstance(previous, Token) and previous.lower in deadlines:
            bound = Bound.AT_MOST
        text = self._text(index, count)
        self.items.append(Value(kind, amount, text, 0, bound=bound))
        return count

    def _text(self, index: int, count: int) -> str:
        if count == 1:
            return self.tokens[index].text
        return " ".join([token.text for token in self.tokens[index : index + count]])

    def _figure(self, index: int) -> int:
        """A number with what belongs to it: currency, unit, percent sign, counted noun."""
        if self.tokens[index].kind is not TokenKind.NUMBER:
            currency = self._unit_at(index)
            if currency is not None and currency.dimension in MONEY and self._has(index + 1):
                number = read_number(self.tokens, index + 1, self.words)
                if number is not None:
                    return self._add_quantity(number[0], currency, index, number[1] + 1)
            fraction = self._fraction(index)
            if fraction is not None:
                return self._add_quantity(*fraction)
        number = read_number(self.tokens, index, self.words) or self._thousands(index)
        if number is None:
            return 0
        return self._with_unit(number[0], index, number[1])

    def _has(self, index: int) -> bool:
        return index < len(self.tokens)

    def _thousands(self, index: int) -> tuple[Fraction, int] | None:
        match = _THOUSANDS.fullmatch(self.tokens[index].text)
        return (Fraction(match[1]) * 1000, 1) if match else None

    def _fraction(self, index: int) -> tuple[Fraction, Unit, int, int] | None:
        """A fraction in words, as in "half an hour": amount, unit, index, tokens taken."""
        if not self.has_fraction_word:
            return None
        lowers = [token.lower for token in self.tokens[index : index + 6]]
        articles = self.words.words_of("articles")
        for pattern, amount in _FRACTIONS:
            words = [word for word in pattern if word != "UNIT"]
            if len(lowers) < len(pattern) or not _fits(pattern, lowers, articles):
                continue
            unit = self._unit_at(index + pattern.index("UNIT"))
            if unit is not None and words:
                return amount, unit, index, len(pattern)
        return None

    def _with_unit(self, amount: Fraction, index: int, count: int) -> int:
        following = index + count
        if self._half_follows(following):
            amount, following = amount + Fraction(1, 2), following + 3
        unit = self._unit_at(following)
        if unit is not None:
            taken = following + self._unit_length(following) - index
            if self._half_follows(index + taken):
                amount, taken = amount + Fraction(1, 2), taken + 3
            if self._has(index + taken):
                taken += self.tokens[index + taken].lower in self.words.words_of("age_words")
            return self._add_quantity(amount, unit, index, taken)
        return self._add_number(amount, index, following - index)

    def _half_follows(self, index: int) -> bool:
        if not self._has(index) or self.tokens[index].lower != "and":
            return False
        return [token.lower for token in self.tokens[index + 1 : index + 3]] == ["a", "half"]

    def _unit_at(self, index: int) -> Unit | None:
        """The unit whose sign or name stands at a token."""
        if not self._has(index):
            return None
        token = self.tokens[index]
        if token.kind is TokenKind.BREAK:
            return None
        if self._is_per_cent(index):
            return find_unit("%")
        if token.kind is TokenKind.SYMBOL and token.text == "°" and self._has(index + 1):
            scale = self.tokens[index + 1].text
            return find_unit(f"°{scale}" if scale in {"C", "F"} else "°")
        if token.kind not in {TokenKind.WORD, TokenKind.SYMBOL, TokenKind.CODE}:
            return None
        return _named_unit(token.text, token.lower, self.words)

    def _is_per_cent(self, index: int) -> bool:
        if self.tokens[index].lower != "per" or not self._has(index + 1):
            return False
        return self.tokens[index + 1].lower == "cent"

    def _unit_length(self, index: int) -> int:
        if self._is_per_cent(index):
            return 2
        is_degree = self.tokens[index].text == "°" and self._has(index + 1)
        return 2 if is_degree and self.tokens[index + 1].text in {"C", "F"} else 1

    def _add_quantity(self, amount: Fraction, unit: Unit, index: int, count: int) -> int:
        bound = self._take_bound()
        base = amount * unit.factor + unit.offset
        value = Value(ValueKind.QUANTITY, base, self._text(index, count), 0, unit.dimension, bound)
        previous = self.items[-1] if self.items else None
        if isinstance(previous, Value) and self._continues(previous, value, index):
            self.items[-1] = replace(previous, amount=_sum(previous, value))
        else:
            self.items.append(value)
        return count

    def _continues(self, previous: Value, value: Value, index: int) -> bool:
        """1 h 30 min is one value; so is 1 m 80 cm."""
        return (
            previous.kind is ValueKind.QUANTITY
            and previous.dimension == value.dimension
            and isinstance(previous.amount, Fraction)
            and isinstance(value.amount, Fraction)
            and value.amount < previous.amount
            and self.tokens[index - 1].kind in {TokenKind.WORD, TokenKind.SYMBOL}
            and value.dimension in {"time", "length", "mass"}
        )

    def _add_number(self, amount: Fraction, index: int, count: int) -> int:
        bound = self._take_bound()
        label = self._label()
        counted = self._counted(index + count, label is not None)
        text = self._text(index, count)
        self.items.append(
            Value(ValueKind.NUMBER, amount, text, 0, "", bound, label=label, counted=counted)
        )
        return count

    def _label(self) -> str | None:
        """The word right before a number, unless it is a function word; "Nr" in "Nr. 7"."""
        previous = self.items[-1] if self.items else None
        if len(self.items) > 1 and isinstance(previous, Token) and previous.text == ".":
            shortened = self.items[-2]
            if isinstance(shortened, Token) and shortened.lower in self.words.words_of("numbering"):
                return shortened.lower
        if not isinstance(previous, Token) or previous.kind is not TokenKind.WORD:
            return None
        return None if self.words.is_function_word(previous.lower) else previous.lower

    def _counted(self, index: int, labelled: bool) -> str | None:
        """The stem of the word right after a number, if it can be what is counted."""
        if not self._has(index) or self.tokens[index].kind is not TokenKind.WORD:
            return None
        word = self.tokens[index].lower
        if self.words.is_function_word(word) or self.words.is_verb_like(word, labelled):
            return None
        if labelled and self.words.code != "en":
            return None
        return self.words.stem(word)

    def _name(self, token: Token) -> int:
        """Codes, addresses and versions; 3rd and its like are ordinals."""
        if ordinal := _NUMBERED.fullmatch(token.lower):
            self.items.append(Value(ValueKind.ORDINAL, Fraction(ordinal[1]), token.text, 0))
            return 1
        if token.kind is TokenKind.WORD and token.lower in self.words.ordinals:
            amount = Fraction(self.words.ordinals[token.lower])
            self.items.append(Value(ValueKind.ORDINAL, amount, token.text, 0))
            return 1
        kind = _NAME_KINDS.get(token.kind)
        if kind is None:
            return 0
        name = token.lower.lstrip("#") if kind is ValueKind.CODE else token.lower
        self.items.append(Value(kind, name.rstrip("/"), token.text, 0))
        return 1

    def _rate(self, index: int) -> int:
        """``a day``, ``per week`` and ``each month`` become the words daily, weekly, monthly."""
        if not self._has(index + 1):
            return 0
        token, following = self.tokens[index], self.tokens[index + 1]
        rate = self.words.rates.get(following.lower)
        if rate is None or token.lower not in _RATE_ARTICLES:
            return 0
        if token.lower in {"a", "an"} and not (self.items and isinstance(self.items[-1], Value)):
            return 0
        self.items.append(Token(TokenKind.WORD, rate, rate, token.start))
        return 2

    def _take_bound(self) -> Bound:
        """Removes words such as "at most" that stand right before a value."""
        if not self.items:
            return Bound.EXACT
        previous = self.items[-1]
        if isinstance(previous, Token) and previous.lower not in self.words.bounds_by_last_word:
            return Bound.EXACT
        before_value = [item for item in self.items[-5:] if isinstance(item, Token)]
        if not before_value:
            return Bound.EXACT
        phrases = self.words.bounds_by_last_word.get(before_value[-1].lower)
        if phrases is None:
            return Bound.EXACT
        lowers = [item.lower for item in before_value]
        movements = self.words.words_of("movements")
        for phrase, bound in phrases:
            before = lowers[: -len(phrase)]
            if before and before[-1] in movements:
                continue
            if phrase == tuple(lowers[-len(phrase) :]):
                del self.items[-len(phrase) :]
                return Bound(bound)
        return Bound.EXACT


class _Beginning(NamedTuple):
    """Which readers may find something that begins with a token, alone or with what follows it."""

    moment: bool
    figure: bool
    name: bool
    rate: bool


_OF_NOTHING = _Beginning(moment=False, figure=False, name=False, rate=False)
_OF_ANYTHING = _Beginning(moment=True, figure=True, name=True, rate=True)


@lru_cache(maxsize=_MOST_REMEMBERED_WORDS)
def _beginning_of_word(word: str, words: Lexicon) -> _Beginning:
    """What a word can begin in a text that has no fraction in words. A unit stands behind its
    figure, unless it is a currency."""
    token = Token(TokenKind.WORD, word, word.lower(), 0)
    lower = token.lower
    if "-" in lower:
        return _OF_ANYTHING
    is_ordinal = lower in words.ordinals
    is_number = (
        lower in words.words_of("number_pronouns") or read_number([token], 0, words) is not None
    )
    unit = _named_unit(word, lower, words)
    found = _Beginning(
        moment=is_number
        or is_ordinal
        or lower.rstrip(".") in words.months
        or read_weekday(token, words) is not None
        or starts_a_time(token, words),
        figure=is_number or (unit is not None and unit.dimension in MONEY),
        name=is_ordinal,
        rate=lower in _RATE_ARTICLES,
    )
    return found if any(found) else _OF_NOTHING


@lru_cache(maxsize=_MOST_REMEMBERED_WORDS)
def _named_unit(text: str, lower: str, words: Lexicon) -> Unit | None:
    """The unit of a name in the language, else of a sign as it is written."""
    name = words.unit_name(lower)
    return find_unit(text if name is None else name)


_FRACTIONS: list[tuple[tuple[str, ...], Fraction]] = [
    (("half", "ARTICLE", "UNIT"), Fraction(1, 2)),
    (("ARTICLE", "half", "UNIT"), Fraction(1, 2)),
    (("ARTICLE", "quarter", "of", "ARTICLE", "UNIT"), Fraction(1, 4)),
    (("quarter", "of", "ARTICLE", "UNIT"), Fraction(1, 4)),
    (("three", "quarters", "of", "ARTICLE", "UNIT"), Fraction(3, 4)),
    (("ARTICLE", "UNIT", "and", "ARTICLE", "half"), Fraction(3, 2)),
    (("eine", "halbe", "UNIT"), Fraction(1, 2)),
    (("eine", "viertel", "UNIT"), Fraction(1, 4)),
    (("une", "demi", "UNIT"), Fraction(1, 2)),
    (("media", "UNIT"), Fraction(1, 2)),
    (("anderthalb", "UNIT"), Fraction(3, 2)),
    (("eineinhalb", "UNIT"), Fraction(3, 2)),
    (("полтора", "UNIT"), Fraction(3, 2)),
]
"""Fractions of a unit in words; UNIT and ARTICLE stand for any."""

_FRACTION_WORDS = frozenset(
    word for pattern, _ in _FRACTIONS for word in pattern if len(word) > 3 and word.islower()
)


def _fits(pattern: Sequence[str], lowers: Sequence[str], articles: frozenset[str]) -> bool:
    return all(
        part == "UNIT" or (lower in articles if part == "ARTICLE" else lower == part)
        for part, lower in zip(pattern, lowers, strict=False)
    )


def _sum(one: Value, other: Value) -> Fraction:
    if not isinstance(one.amount, Fraction) or not isinstance(other.amount, Fraction):
        raise TypeError(f"only quantities can be added, not {one.kind} and {other.kind}")
    return one.amount + other.amount


def read_items(tokens: Sequence[Token], words: Lexicon, prepared: Sequence[Value]) -> list[Item]:
    """Values and remaining words in reading order; ``prepared`` are values found before."""
    return _Reader(tokens, words, prepared, []).run()
