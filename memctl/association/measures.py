"""Values that a text states, in canonical form, and how two of them compare.

Equal values are equal whatever their wording: 1.5 kg and 1500 g, half past six and 6:30, three
hundred and 300. Amounts are exact fractions, never floats.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from memctl.direct_members import with_direct_members

LENGTH_OF_A_YEAR = 4
MINUTES_OF_HALF_A_DAY = 12 * 60


@with_direct_members
class ValueKind(StrEnum):
    """What a value measures or names."""

    NUMBER = "number"
    QUANTITY = "quantity"
    DATE = "date"
    WEEKDAY = "weekday"
    TIME = "time"
    VERSION = "version"
    CODE = "code"
    ADDRESS = "address"
    ORDINAL = "ordinal"


@with_direct_members
class Bound(StrEnum):
    """Whether a figure is the value itself or a limit of it."""

    EXACT = "exact"
    ABOUT = "about"
    AT_MOST = "at_most"
    AT_LEAST = "at_least"
    OVER = "over"
    UNDER = "under"


@dataclass(frozen=True, slots=True)
class PartialDate:
    """A date of which only a part may be said: 2026, March, 14 March, 14 March 2026."""

    year: int | None = None
    month: int | None = None
    day: int | None = None

    @property
    def parts(self) -> tuple[int | None, int | None, int | None]:
        return (self.year, self.month, self.day)


@dataclass(frozen=True, slots=True)
class ClockTime:
    """Minutes since midnight; ``half_day_unknown`` where neither a.m. nor p.m. is said."""

    minutes: int
    half_day_unknown: bool = False


Amount = Fraction | PartialDate | ClockTime | frozenset[int] | str


_IDENTIFYING = frozenset({ValueKind.CODE, ValueKind.ADDRESS, ValueKind.VERSION, ValueKind.ORDINAL})
_DAYS = frozenset({ValueKind.DATE, ValueKind.WEEKDAY})


@dataclass(slots=True)
class Value:
    """One value of a text, never changed. ``dimension`` is "" for plain numbers, else length, EUR.

    ``position`` is its place among the items of the text, from 0. ``label`` is the word before
    a plain number or code (``port`` 8093), ``counted`` the word after it (3 ``printers``).
    """

    kind: ValueKind
    amount: Amount
    text: str
    position: int
    dimension: str = ""
    bound: Bound = Bound.EXACT
    label: str | None = None
    counted: str | None = None
    preposition: str | None = None
    in_subject: bool = False
    ratio: tuple[int, int] | None = field(init=False, repr=False, compare=False)
    """The amount as a fraction in lowest terms, if it is a number whose figures say no more than
    that; each value is compared with many."""

    def __post_init__(self) -> None:
        amount = self.amount
        if isinstance(amount, Fraction) and not _is_dotted(self):
            self.ratio = amount.as_integer_ratio()
        else:
            self.ratio = None

    def placed(self, position: int, *, preposition: str | None, in_subject: bool) -> Value:
        """The same value at a place."""
        return Value(
            self.kind,
            self.amount,
            self.text,
            position,
            self.dimension,
            self.bound,
            self.label,
            self.counted,
            preposition,
            in_subject,
        )

    @property
    def is_identifier(self) -> bool:
        """Whether it tells which thing is meant, as in room 12, rather than how much."""
        if self.kind in _IDENTIFYING:
            return True
        return self.kind is ValueKind.NUMBER and self.label is not None and self.counted is None

    @property
    def is_money(self) -> bool:
        """Whether it is an amount of money: currencies are written in capitals."""
        return self.dimension.isupper()

    @property
    def names_things(self) -> bool:
        """Whether in a subject it tells which thing is meant: room 12, the January report."""
        return self.is_identifier or self.kind in _DAYS

    @property
    def may_be_year(self) -> bool:
        """Whether it is a year, or a plain figure of four digits."""
        if self.kind is ValueKind.DATE:
            return isinstance(self.amount, PartialDate) and self.amount.parts[1:] == (None, None)
        is_bare = self.label is None and self.counted is None and not self.dimension
        return is_bare and len(self.text) == LENGTH_OF_A_YEAR and self.text.isdigit()


@with_direct_members
class Match(StrEnum):
    """How two values stand to each other."""

    EQUAL = "equal"
    COMPATIBLE = "compatible"
    """Both may hold: one is less exact, or a limit that the other keeps."""
    CONFLICT = "conflict"
    """Of one kind, and different."""
    UNLIKE = "unlike"
    """Of different kinds: they say nothing about each other."""


def compare_values(one: Value, other: Value) -> Match:
    """How two values stand to each other; symmetric."""
    if (
        one.kind is other.kind
        and one.bound is other.bound is Bound.EXACT
        and one.ratio is not None
        and other.ratio is not None
        and one.dimension == other.dimension
    ):
        return Match.EQUAL if one.ratio == other.ratio else Match.CONFLICT
    if not _comparable(one, other):
        return Match.UNLIKE
    match = _compare_amounts(one, other)
    if match is Match.CONFLICT:
        if one.bound is other.bound is Bound.EXACT:
            return match
        is_kept = _keeps_limit(one, other) or _keeps_limit(other, one)
        return Match.COMPATIBLE if is_kept else match
    if one.bound is other.bound:
        return match
    return _with_bounds(match, one.bound, other.bound)


_FIGURES = frozenset({ValueKind.NUMBER, ValueKind.VERSION})
_NAMES = frozenset({ValueKind.CODE, ValueKind.ADDRESS, ValueKind.VERSION, ValueKind.NUMBER})


def _comparable(one: Value, other: Value) -> bool:
    if one.kind is other.kind:
        return one.dimension == other.dimension or (one.is_money and other.is_money)
    kinds = {one.kind, other.kind}
    if kinds == {ValueKind.NUMBER, ValueKind.DATE}:
        return one.may_be_year and other.may_be_year
    if kinds <= _FIGURES or kinds == {ValueKind.CODE, ValueKind.NUMBER}:
        return not one.dimension and not other.dimension
    return False


def _compare_amounts(one: Value, other: Value) -> Match:
    """How the amounts of two values of comparable kinds stand to each other."""
    if _is_dotted(one) or _is_dotted(other):
        return _compare_dotted(one, other)
    first, second = one.amount, other.amount
    if one.kind is not other.kind:
        first, second = _as_year(one, other), _as_year(other, one)
    if isinstance(first, Fraction) and isinstance(second, Fraction):
        # Comparing fractions as such looks up abstract base classes, which takes ten times longer.
        is_alike = first.as_integer_ratio() == second.as_integer_ratio()
    elif isinstance(first, PartialDate) and isinstance(second, PartialDate):
        return _compare_dates(first, second)
    elif isinstance(first, ClockTime) and isinstance(second, ClockTime):
        return _compare_times(first, second)
    elif isinstance(first, frozenset) and isinstance(second, frozenset):
        return _compare_sets(first, second)
    else:
        is_alike = str(first) == str(second)
    is_equal = is_alike and one.dimension == other.dimension
    return Match.EQUAL if is_equal else Match.CONFLICT


def _as_year(value: Value, other: Value) -> Amount:
    """A plain figure beside a year is a year: founded in 1974, founded: 1974."""
    amount = value.amount
    if value.kind is ValueKind.NUMBER and other.kind is ValueKind.DATE:
        return PartialDate(year=int(amount)) if isinstance(amount, Fraction) else amount
    return amount


def _compare_dates(one: PartialDate, other: PartialDate) -> Match:
    pairs = list(zip(one.parts, other.parts, strict=True))
    if any(a is not None and b is not None and a != b for a, b in pairs):
        return Match.CONFLICT
    if one == other:
        return Match.EQUAL
    shares_a_part = any(a is not None and a == b for a, b in pairs)
    return Match.COMPATIBLE if shares_a_part else Match.UNLIKE


def _compare_times(one: ClockTime, other: ClockTime) -> Match:
    if one.minutes == other.minutes:
        return Match.EQUAL
    if not (one.half_day_unknown or other.half_day_unknown):
        return Match.CONFLICT
    same_hand = (one.minutes - other.minutes) % MINUTES_OF_HALF_A_DAY == 0
    return Match.COMPATIBLE if same_hand else Match.CONFLICT


def _compare_sets(one: frozenset[int], other: frozenset[int]) -> Match:
    if one == other:
        return Match.EQUAL
    return Match.COMPATIBLE if one & other else Match.CONFLICT


def _is_dotted(value: Value) -> bool:
    """A figure that may be a version, where 3.1 and 3.10 differ though the numbers do not."""
    return "." in value.text and value.kind in _FIGURES and not value.dimension


def _compare_dotted(one: Value, other: Value) -> Match:
    first, second = (value.text.lower().lstrip("v") for value in (one, other))
    if first == second:
        return Match.EQUAL
    numbers_agree = isinstance(one.amount, Fraction) and one.amount == other.amount
    return Match.COMPATIBLE if numbers_agree else Match.CONFLICT


def _keeps_limit(limit: Value, value: Value) -> bool:
    """Whether an exact amount keeps a limit: 60 keeps "at least 20"."""
    if not isinstance(limit.amount, Fraction) or not isinstance(value.amount, Fraction):
        return False
    if value.bound is not Bound.EXACT or limit.dimension != value.dimension:
        return False
    if limit.bound in {Bound.AT_MOST, Bound.UNDER}:
        return value.amount <= limit.amount
    return limit.bound in {Bound.AT_LEAST, Bound.OVER} and value.amount >= limit.amount


def _with_bounds(match: Match, one: Bound, other: Bound) -> Match:
    """Equal figures of which only one is a limit, or that limit opposite sides."""
    kinds = {one, other}
    if kinds == {Bound.EXACT, Bound.ABOUT}:
        return match
    upper, lower = {Bound.AT_MOST, Bound.UNDER}, {Bound.AT_LEAST, Bound.OVER}
    if kinds & upper and kinds & lower:
        return Match.CONFLICT
    return Match.COMPATIBLE
