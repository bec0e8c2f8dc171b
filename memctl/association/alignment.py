"""Lays two analyses side by side: which words and values they share, and what is left over.

Symmetric but for the order of its two sides: aligning B with A gives the same pairs reversed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from memctl.association.analysis import Analysis
from memctl.association.lexicon import Lexicon
from memctl.association.measures import Match, PartialDate, Value, ValueKind, compare_values
from memctl.association.terms import Term

TermPair = tuple[Term, Term]
ValuePair = tuple[Value, Value]

_DENYING_PREFIXES = ("non", "un", "dis", "mis", "im", "ir", "il", "in", "anti", "a")
_IN_PREFIXES = frozenset({"im", "ir", "il", "in", "a"})
_ADJECTIVE_ENDINGS = (
    "able", "ible", "ive", "ent", "ant", "al", "ate", "ed", "ct", "ous", "ure", "ete", "id", "ic",
    "iar", "ular", "y", "uous",
)  # fmt: skip


@dataclass(slots=True)
class Alignment:
    """Pairs are (new, old). Light words that found no partner are dropped."""

    shared: list[TermPair] = field(default_factory=list)
    """One word, its inflections, or synonyms."""
    opposed: list[TermPair] = field(default_factory=list)
    rivals: list[TermPair] = field(default_factory=list)
    """Different words of one exclusive class: two colours, two cardinal points."""
    near: list[TermPair] = field(default_factory=list)
    """Words of one stem or one attribute."""
    left_new: list[Term] = field(default_factory=list)
    left_old: list[Term] = field(default_factory=list)
    equal: list[ValuePair] = field(default_factory=list)
    compatible: list[ValuePair] = field(default_factory=list)
    conflicts: list[ValuePair] = field(default_factory=list)
    only_new: list[Value] = field(default_factory=list)
    only_old: list[Value] = field(default_factory=list)


def align(new: Analysis, old: Analysis) -> Alignment:
    """Pairs the terms and the values of two analyses, best matches first."""
    result = Alignment()
    _align_terms(new, old, result)
    _align_values(new, old, result)
    return result


def _align_terms(new: Analysis, old: Analysis, result: Alignment) -> None:
    rest_new, rest_old = _take_identical(new.terms, old.terms, result.shared)
    steps: list[tuple[Callable[[Term, Term], bool], list[TermPair]]] = [
        (partial(_same_inflected, new.words), result.shared),
        (_opposed, result.opposed),
        (_synonyms, result.shared),
        (_rivals, result.rivals),
        (_near, result.near),
    ]
    if new.words is not old.words or not _any_may_pair(rest_new, rest_old):
        steps = []
    for fits, pairs in steps:
        if not rest_new or not rest_old:
            break
        rest_new, rest_old = _take(rest_new, rest_old, fits, pairs)
    result.left_new = [term for term in rest_new if not term.is_light]
    result.left_old = [term for term in rest_old if not term.is_light]


def _any_may_pair(new: Sequence[Term], old: Sequence[Term]) -> bool:
    """Whether any two terms can be more to each other than two words; most are not."""
    return any(_may_pair(one, other) for one in new for other in old)


def _may_pair(one: Term, other: Term) -> bool:
    return (
        one.stem == other.stem
        or (one.facts.has_relatives and other.facts.has_relatives)
        or not one.word.isascii()
        or _opposed(one, other)
    )


def _take_identical(
    new: Sequence[Term], old: Sequence[Term], pairs: list[TermPair]
) -> tuple[list[Term], list[Term]]:
    said_new, said_old = {term.word for term in new}, {term.word for term in old}
    waiting: dict[str, list[Term]] = {}
    rest_old = []
    for term in old:
        if term.word in said_new:
            waiting.setdefault(term.word, []).append(term)
        else:
            rest_old.append(term)
    rest_new = []
    for term in new:
        if term.word not in said_old:
            rest_new.append(term)
        elif partners := waiting[term.word]:
            # A word that is said again finds no partner and says nothing new.
            pairs.append((term, partners.pop(0)))
    return rest_new, rest_old


def _take(
    new: list[Term],
    old: list[Term],
    fits: Callable[[Term, Term], bool],
    pairs: list[TermPair],
) -> tuple[list[Term], list[Term]]:
    rest_new, rest_old = [], list(old)
    for term in new:
        for place, other in enumerate(rest_old):
            if fits(term, other):
                pairs.append((term, other))
                del rest_old[place]
                break
        else:
            rest_new.append(term)
    return rest_new, rest_old


def _same_inflected(words: Lexicon, one: Term, other: Term) -> bool:
    if one.stem != other.stem:
        return False
    if one.is_in("nouns_in_ing") != other.is_in("nouns_in_ing"):
        return one.is_verb or other.is_verb
    return words.are_forms_of_one(one.word, other.word)


def _opposed(one: Term, other: Term) -> bool:
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


def _synonyms(one: Term, other: Term) -> bool:
    if one.is_name and other.is_name:
        return False
    return bool(one.facts.synonyms & other.facts.synonyms or one.facts.sides & other.facts.sides)


def _rivals(one: Term, other: Term) -> bool:
    return bool(one.facts.classes & other.facts.classes)


def _near(one: Term, other: Term) -> bool:
    if one.stem == other.stem:
        return True
    if one.facts.attributes & other.facts.attributes and (one.is_verb or other.is_verb):
        return True
    return not one.word.isascii() and _share_compound(one.word, other.word)


def _share_compound(one: str, other: str) -> bool:
    """Whether two words of an unbroken script have two signs in a row in common."""
    if not ("⺀" <= one[0] <= "鿿" or "가" <= one[0] <= "힣" or "ぁ" <= one[0] <= "ヿ"):
        return False
    return any(one[start : start + 2] in other for start in range(len(one) - 1))


_NAMES_IN_SUBJECTS = frozenset({ValueKind.DATE, ValueKind.WEEKDAY, ValueKind.CODE})


def _align_values(new: Analysis, old: Analysis, result: Alignment) -> None:
    rest_new, rest_old = list(new.values), list(old.values)
    if rest_new and rest_old:
        matches = _match_all(rest_new, rest_old)
        for wanted, pairs in (
            (Match.EQUAL, result.equal),
            (Match.COMPATIBLE, result.compatible),
            (Match.CONFLICT, result.conflicts),
        ):
            rest_new, rest_old = _take_values(rest_new, rest_old, matches, wanted, pairs)
    result.only_new = [value for value in rest_new if not _is_event_day(value, old)]
    result.only_old = [value for value in rest_old if not _is_event_day(value, new)]


Matches = dict[tuple[int, int], Match]
"""How the values of two texts stand to each other, by their places."""


def _match_all(new: Sequence[Value], old: Sequence[Value]) -> Matches:
    return {
        (value.position, other.position): _match(value, other) for value in new for other in old
    }


def _take_values(
    new: list[Value],
    old: list[Value],
    matches: Matches,
    wanted: Match,
    pairs: list[ValuePair],
) -> tuple[list[Value], list[Value]]:
    rest_new, rest_old = [], list(old)
    for value in new:
        place = value.position
        partner = next(
            (other for other in rest_old if matches[place, other.position] is wanted), None
        )
        if partner is None:
            rest_new.append(value)
        else:
            rest_old.remove(partner)
            pairs.append((value, partner))
    return rest_new, rest_old


def _match(one: Value, other: Value) -> Match:
    match = compare_values(one, other)
    if match is Match.CONFLICT and not _speak_of_one_thing(one, other):
        return Match.UNLIKE
    return match


def _speak_of_one_thing(one: Value, other: Value) -> bool:
    """Whether two values can be rivals: 3 printers and 2 printers, room 3 and room 4.

    What names a thing in one text is no rival of what is said about it in the other: the July
    regatta, the regatta in June.
    """
    if one.kind is not other.kind:
        return {one.kind, other.kind} <= {ValueKind.NUMBER, ValueKind.VERSION}
    if one.in_subject != other.in_subject and one.kind in _NAMES_IN_SUBJECTS:
        return False
    return one.kind is not ValueKind.NUMBER or _count_one_thing(one, other)


def _count_one_thing(one: Value, other: Value) -> bool:
    if one.counted and other.counted:
        return one.counted == other.counted
    if one.counted or other.counted:
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
