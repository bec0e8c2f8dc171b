"""Lays two analyses side by side: which words and values they share, and what is left over.

Symmetric but for the order of its two sides: aligning B with A gives the same pairs reversed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from memctl.association.analysis import Analysis
from memctl.association.lazy import lazy
from memctl.association.lexicon import Lexicon
from memctl.association.measures import Match, PartialDate, Value, ValueKind, compare_values
from memctl.association.terms import Term

Part = TypeVar("Part", Term, Value)

TermPair = tuple[Term, Term]
ValuePair = tuple[Value, Value]

_Places = tuple[int, int]
"""Where two parts stand: in the new text, in the old one."""

_DENYING_PREFIXES = ("non", "un", "dis", "mis", "im", "ir", "il", "in", "anti", "a")
_IN_PREFIXES = frozenset({"im", "ir", "il", "in", "a"})
_ADJECTIVE_ENDINGS = (
    "able", "ible", "ive", "ent", "ant", "al", "ate", "ed", "ct", "ous", "ure", "ete", "id", "ic",
    "iar", "ular", "y", "uous",
)  # fmt: skip


@dataclass(slots=True)
class ValueAlignment:
    """The values of two analyses; pairs are (new, old)."""

    equal: list[ValuePair] = field(default_factory=list)
    compatible: list[ValuePair] = field(default_factory=list)
    conflicts: list[ValuePair] = field(default_factory=list)
    only_new: list[Value] = field(default_factory=list)
    only_old: list[Value] = field(default_factory=list)


@dataclass
class Alignment:
    """Pairs are (new, old). Light words that found no partner are dropped. Values are laid side by
    side when they are first asked for: of most pairs of texts the words tell enough."""

    new: Analysis = field(repr=False, compare=False)
    old: Analysis = field(repr=False, compare=False)
    shared: list[TermPair]
    """One word, its inflections, or synonyms."""
    opposed: list[TermPair]
    rivals: list[TermPair]
    """Different words of one exclusive class: two colours, two cardinal points."""
    near: list[TermPair]
    """Words of one stem or one attribute."""
    left_new: list[Term]
    left_old: list[Term]

    @lazy
    def values(self) -> ValueAlignment:
        """What the values of the two texts are to each other."""
        return _align_values(self.new, self.old)

    @property
    def equal(self) -> list[ValuePair]:
        return self.values.equal

    @property
    def compatible(self) -> list[ValuePair]:
        return self.values.compatible

    @property
    def conflicts(self) -> list[ValuePair]:
        return self.values.conflicts

    @property
    def only_new(self) -> list[Value]:
        return self.values.only_new

    @property
    def only_old(self) -> list[Value]:
        return self.values.only_old


def align(new: Analysis, old: Analysis) -> Alignment:
    """Pairs the terms and the values of two analyses, best matches first."""
    shared, rest_new, rest_old = _take_identical(new, old)
    opposed: list[TermPair] = []
    rivals: list[TermPair] = []
    near: list[TermPair] = []
    open_places = _places_that_may_pair(rest_new, rest_old) if new.words is old.words else []
    if open_places:
        pairing = _Pairing(rest_new, rest_old)
        for fits, pairs in zip(_FITTING, (shared, opposed, shared, rivals, near), strict=True):
            open_places = pairing.take_fitting(open_places, fits, new.words, pairs)
        rest_new, rest_old = pairing.left_new, pairing.left_old
    left_new = [term for term in rest_new if not term.is_light]
    left_old = [term for term in rest_old if not term.is_light]
    return Alignment(new, old, shared, opposed, rivals, near, left_new, left_old)


class _Pairing(Generic[Part]):
    """Gives the parts of two texts partners in the other one, each one at the most."""

    def __init__(self, new: Sequence[Part], old: Sequence[Part]) -> None:
        self._new: Sequence[Part] = new
        self._old: Sequence[Part] = old
        self._met_new: set[int] = set()
        self._met_old: set[int] = set()

    def take(self, places: Iterable[_Places], pairs: list[tuple[Part, Part]]) -> None:
        """Adds what stands at each pair of ``places`` to ``pairs``, unless one is taken already."""
        for new, old in places:
            if new not in self._met_new and old not in self._met_old:
                self._met_new.add(new)
                self._met_old.add(old)
                pairs.append((self._new[new], self._old[old]))

    def take_fitting(
        self,
        places: Iterable[_Places],
        fits: Callable[[Part, Part, Lexicon], bool],
        words: Lexicon,
        pairs: list[tuple[Part, Part]],
    ) -> list[_Places]:
        """Takes those of ``places`` whose parts fit; returns the others that may still be taken."""
        rest: list[_Places] = []
        for place in places:
            new, old = place
            if new in self._met_new or old in self._met_old:
                continue
            if fits(self._new[new], self._old[old], words):
                self.take([place], pairs)
            else:
                rest.append(place)
        return rest

    @property
    def left_new(self) -> list[Part]:
        return [part for place, part in enumerate(self._new) if place not in self._met_new]

    @property
    def left_old(self) -> list[Part]:
        return [part for place, part in enumerate(self._old) if place not in self._met_old]


def _places_that_may_pair(new: Sequence[Term], old: Sequence[Term]) -> list[_Places]:
    """The places of terms that can be more to each other than two words; most cannot."""
    found: list[_Places] = []
    for place, one in enumerate(new):
        word, stem, rows = one.word, one.stem, one.facts.rows
        is_of_another_script = not word.isascii()
        for other_place, other in enumerate(old):
            if (
                is_of_another_script
                or stem == other.stem
                or word in other.word
                or other.word in word
                or (rows and not rows.isdisjoint(other.facts.rows))
            ):
                found.append((place, other_place))
    return found


def _take_identical(new: Analysis, old: Analysis) -> tuple[list[TermPair], list[Term], list[Term]]:
    """The pairs of terms of one word, and the terms of both texts that have no such partner."""
    here, there = new.terms_by_word, old.terms_by_word
    if here.keys().isdisjoint(there):
        return [], new.terms, old.terms
    if len(here) < len(new.terms) or len(there) < len(old.terms):
        return _take_repeated(new, old)
    return (
        [(term, there[word]) for word, term in here.items() if word in there],
        [term for word, term in here.items() if word not in there],
        [term for word, term in there.items() if word not in here],
    )


def _take_repeated(new: Analysis, old: Analysis) -> tuple[list[TermPair], list[Term], list[Term]]:
    """The same where a word is said again: then it finds no partner and says nothing new."""
    common = new.terms_by_word.keys() & old.terms_by_word.keys()
    waiting: dict[str, list[Term]] = {word: [] for word in common}
    for term in old.terms:
        if term.word in common:
            waiting[term.word].append(term)
    pairs = [
        (term, waiting[term.word].pop(0))
        for term in new.terms
        if term.word in common and waiting[term.word]
    ]
    rest_new = [term for term in new.terms if term.word not in common]
    return pairs, rest_new, [term for term in old.terms if term.word not in common]


def _same_inflected(one: Term, other: Term, words: Lexicon) -> bool:
    if one.stem != other.stem:
        return False
    if one.is_in("nouns_in_ing") != other.is_in("nouns_in_ing"):
        return one.is_verb or other.is_verb
    return words.are_forms_of_one(one.word, other.word)


def _opposed(one: Term, other: Term, _: Lexicon) -> bool:
    sides = other.facts.sides
    if sides and any((row, 1 - side) in sides for row, side in one.facts.sides):
        return not (one.facts.synonyms & other.facts.synonyms)
    if len(one.word) > len(other.word):
        return _denies(one.word, other.word)
    return _denies(other.word, one.word)


def _denies(word: str, base: str) -> bool:
    """Whether one word is the other with a prefix or ending that denies it."""
    if word.endswith("less") and word.removesuffix("less") == base:
        return True
    if not word.endswith(base) or len(base) < 4:
        return False
    prefix = word.removesuffix(base).rstrip("-")
    if prefix not in _DENYING_PREFIXES:
        return False
    return prefix not in _IN_PREFIXES or base.endswith(_ADJECTIVE_ENDINGS)


def _synonyms(one: Term, other: Term, _: Lexicon) -> bool:
    if one.is_name and other.is_name:
        return False
    return bool(one.facts.synonyms & other.facts.synonyms or one.facts.sides & other.facts.sides)


def _rivals(one: Term, other: Term, _: Lexicon) -> bool:
    return bool(one.facts.classes & other.facts.classes)


def _near(one: Term, other: Term, _: Lexicon) -> bool:
    if one.stem == other.stem:
        return True
    if one.facts.attributes & other.facts.attributes and (one.is_verb or other.is_verb):
        return True
    return not one.word.isascii() and _share_compound(one.word, other.word)


_FITTING = (_same_inflected, _opposed, _synonyms, _rivals, _near)
"""What two terms may be to each other, best first."""


def _share_compound(one: str, other: str) -> bool:
    """Whether two words of an unbroken script have two signs in a row in common."""
    if not ("⺀" <= one[0] <= "鿿" or "가" <= one[0] <= "힣" or "ぁ" <= one[0] <= "ヿ"):
        return False
    return any(one[start : start + 2] in other for start in range(len(one) - 1))


_NAMES_IN_SUBJECTS = frozenset({ValueKind.DATE, ValueKind.WEEKDAY, ValueKind.CODE})


def _align_values(new: Analysis, old: Analysis) -> ValueAlignment:
    result = ValueAlignment()
    rest_new, rest_old = new.values, old.values
    if rest_new and rest_old:
        equal, compatible, conflicts = _places_by_match(rest_new, rest_old)
        pairing = _Pairing(rest_new, rest_old)
        pairing.take(equal, result.equal)
        pairing.take(compatible, result.compatible)
        pairing.take(conflicts, result.conflicts)
        rest_new, rest_old = pairing.left_new, pairing.left_old
    result.only_new = [value for value in rest_new if not _is_event_day(value, old)]
    result.only_old = [value for value in rest_old if not _is_event_day(value, new)]
    return result


def _places_by_match(
    new: Sequence[Value], old: Sequence[Value]
) -> tuple[list[_Places], list[_Places], list[_Places]]:
    """The places of values of two texts that are equal, compatible, and in conflict."""
    equal: list[_Places] = []
    compatible: list[_Places] = []
    conflicts: list[_Places] = []
    for place, value in enumerate(new):
        for other_place, other in enumerate(old):
            match = compare_values(value, other)
            if match is Match.EQUAL:
                equal.append((place, other_place))
            elif match is Match.COMPATIBLE:
                compatible.append((place, other_place))
            elif match is Match.CONFLICT and _speak_of_one_thing(value, other):
                conflicts.append((place, other_place))
    return equal, compatible, conflicts


def _speak_of_one_thing(one: Value, other: Value) -> bool:
    """Whether two values can be rivals: 3 printers and 2 printers, room 3 and room 4.

    What names a thing in one text is no rival of what is said about it in the other: the July
    regatta, the regatta in June.
    """
    if one.kind is not other.kind:
        return {one.kind, other.kind} <= {ValueKind.NUMBER, ValueKind.VERSION}
    if one.kind is ValueKind.NUMBER:
        return _count_one_thing(one, other)
    return one.in_subject == other.in_subject or one.kind not in _NAMES_IN_SUBJECTS


def _count_one_thing(one: Value, other: Value) -> bool:
    if one.counted or other.counted:
        if one.counted and other.counted:
            return one.counted == other.counted
        return not (one.may_be_year or other.may_be_year)
    if not (one.label and other.label):
        return True
    return one.label == other.label or one.in_subject == other.in_subject


def _is_event_day(value: Value, other: Analysis) -> bool:
    """Whether a date in one text is the event time that the other carries beside its text."""
    day = other.event_day
    if day is None or not isinstance(value.amount, PartialDate):
        return False
    return value.amount == PartialDate(day.year, day.month, day.day)
