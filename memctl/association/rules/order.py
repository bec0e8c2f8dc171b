"""In what order two texts say what they share, and how they join it.

Who does a thing stands before what it is done to, and a denial before what it denies: the same
words in another order are another claim, but for a phrase of time or place that moves, a list, the
passive, and the two sides of "is".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise

from memctl.association.alignment import TermPair
from memctl.association.analysis import Analysis
from memctl.association.comparison import Comparison
from memctl.association.measures import ValueKind
from memctl.association.rules.roles import LOOSE_PREPOSITIONS, shared_enumeration
from memctl.association.terms import Quantifier, Term

VERB_SECOND_LANGUAGES = frozenset({"de"})
"""Where the verb stands before the subject as soon as something else comes first."""

_GENITIVE = frozenset({None, "of", "de", "del", "du", "des", "d'", "von", "vom"})
_WHEN = frozenset({ValueKind.DATE, ValueKind.WEEKDAY, ValueKind.TIME})

_Places = tuple[int, int]
"""Where one thing stands in the new text and in the old one."""


def says_otherwise(comparison: Comparison) -> bool:
    """Whether two texts of the same words make two claims of them, by their order or by what joins
    them. Where other words are used, they tell what is meant."""
    return _has_the_same_words(comparison) and (
        comparison.new.found.modality is not comparison.old.found.modality
        or _is_said_again(comparison)
        or _order_differs(comparison)
        or _prepositions_differ(comparison)
        or particles_differ(comparison)
    )


def _has_the_same_words(comparison: Comparison) -> bool:
    alignment = comparison.alignment
    if alignment.left_new or alignment.left_old or alignment.near or alignment.opposed:
        return False
    return all(new.word == old.word for new, old in alignment.shared)


def _is_said_again(comparison: Comparison) -> bool:
    """Whether one alone says a word of itself: a mother, a mother's mother."""
    here, there = (
        [
            one.word
            for one, other in pairwise(side.terms)
            if one.word == other.word and other.position - one.position == 1
        ]
        for side in comparison.sides
    )
    return here != there


def _order_differs(comparison: Comparison) -> bool:
    if comparison.new.structure.passive != comparison.old.structure.passive:
        return _subject_stays(comparison)
    if _lists_differ(comparison):
        return True
    moved = [there for _, there in sorted(_places(comparison))]
    if all(one <= other for one, other in pairwise(moved)):
        return False
    return not (_may_turn_round(comparison) and _is_turned_round(moved))


def _prepositions_differ(comparison: Comparison) -> bool:
    """Whether a word is joined by another preposition: in Rome, near Rome; on the box, the box."""
    if comparison.new.structure.passive != comparison.old.structure.passive:
        return False
    listed = _order_free_list(comparison)
    pairs: list[tuple[str | None, str | None]] = [
        (new.preposition, old.preposition)
        for new, old in comparison.shared_terms
        if new.position not in listed
    ]
    pairs += [(new.preposition, old.preposition) for new, old in comparison.alignment.equal]
    changed = [pair for pair in pairs if pair[0] != pair[1]]
    if any((old, new) in changed for new, old in changed):
        return True
    return any(None not in pair or not LOOSE_PREPOSITIONS & {*pair} for pair in changed)


def particles_differ(comparison: Comparison) -> bool:
    """Whether words have exchanged their particles: 犬が猫を追う, 犬を猫が追う."""
    particles = comparison.new.words.words_of("case_particles")
    if not particles:
        return False
    found = [
        [_particle_behind(term, side, particles) for term in terms]
        for side, terms in zip(
            comparison.sides, zip(*comparison.shared_terms, strict=True), strict=False
        )
    ]
    changed = {(one, other) for one, other in zip(*found, strict=True) if one != other}
    return any((other, one) in changed for one, other in changed)


def _particle_behind(term: Term, side: Analysis, particles: Collection[str]) -> str | None:
    _, _, behind = side.plain.partition(term.word)
    return next((particle for particle in particles if behind.startswith(particle)), None)


def _places(comparison: Comparison) -> Iterator[_Places]:
    """Those of the words, values and marks whose order counts."""
    listed = _order_free_list(comparison)
    often = Counter(new.stem for new, _ in comparison.shared_terms)
    marks = list(_marks(comparison))
    for new, old in comparison.shared_terms:
        if often[new.stem] == 1 and (marks or not _moves_freely((new, old), comparison)):
            yield listed.get(new.position, (new.position, old.position))
    for one, other in comparison.alignment.equal:
        if marks or one.kind not in _WHEN:
            yield one.position, other.position
    yield from marks


def _moves_freely(pair: TermPair, comparison: Comparison) -> bool:
    """Whether a word stands in a phrase of place or manner, or is a verb whose place the grammar
    of the language decides."""
    new, old = pair
    if new.is_verb and comparison.new.words.code in VERB_SECOND_LANGUAGES:
        return True
    return new.preposition == old.preposition and new.preposition not in _GENITIVE


def _marks(comparison: Comparison) -> Iterator[_Places]:
    """Denials and words such as "only", where both texts have as many of each."""
    new, old = comparison.new.found.marks, comparison.old.found.marks
    for kind in {word for word, _ in new}:
        here = [position for word, position in new if word == kind]
        there = [position for word, position in old if word == kind]
        if len(here) == len(there):
            yield from zip(here, there, strict=True)


def _order_free_list(comparison: Comparison) -> dict[int, _Places]:
    """The places of the list that both texts have, unless something in it is denied, or of two
    words that are joined by "and" in both."""
    listed = shared_enumeration(comparison)
    if not listed:
        return _joined_neighbours(comparison)
    for side in comparison.sides:
        first, last = side.enumerations[0][0], side.enumerations[0][-1]
        if any(first < position < last for _, position in side.found.marks):
            return {}
    return listed


def _joined_neighbours(comparison: Comparison) -> dict[int, _Places]:
    shared = sorted(comparison.shared_terms, key=lambda pair: pair[0].position)
    for (new, old), (next_new, next_old) in pairwise(shared):
        if _are_joined(comparison.new, new, next_new) and _are_joined(
            comparison.old, next_old, old
        ):
            place = (new.position, next_old.position)
            return {new.position: place, next_new.position: place}
    return {}


def _are_joined(side: Analysis, one: Term, other: Term) -> bool:
    conjunctions = side.words.words_of("conjunctions")
    return any(
        (first, last) == (one.word, other.word) and between in conjunctions
        for first, between, last in zip(side.key, side.key[1:], side.key[2:], strict=False)
    )


def _lists_differ(comparison: Comparison) -> bool:
    """Whether both have one list, of words that they share, and other words are in it: Anna visited
    Bob and Clara, Anna and Bob visited Clara."""
    sides = comparison.sides
    if any(len(side.enumerations) != 1 for side in sides):
        return False
    partner = {new.position: old.position for new, old in comparison.shared_terms}
    here = {partner.get(position) for position in sides[0].enumerations[0]}
    there = set(sides[1].enumerations[0])
    return here != there and None not in here and there <= set(partner.values())


def _subject_stays(comparison: Comparison) -> bool:
    """Whether one is in the passive and yet both are about the same: Anna pays, Anna is paid."""
    return any(
        new.in_subject and old.in_subject and not new.is_verb
        for new, old in comparison.shared_terms
    )


def _may_turn_round(comparison: Comparison) -> bool:
    """Whether the two sides of the claim may change places: 40 euros is the price, the price is 40
    euros; but not: all users are admins, nor two words about a verb that does something."""
    if comparison.new.found.quantifier is Quantifier.UNIVERSAL:
        return False
    if comparison.new.words.code in VERB_SECOND_LANGUAGES or not comparison.same_verb:
        return True
    is_said_of_value = bool(comparison.alignment.equal)
    return is_said_of_value or any(side.main_verb == "be" for side in comparison.sides)


def _is_turned_round(moved: Sequence[int]) -> bool:
    """Whether two parts have changed places as wholes."""
    return sum(one > other for one, other in _ring(moved)) <= 1


def _ring(moved: Sequence[int]) -> Iterable[tuple[int, int]]:
    return pairwise([*moved, moved[0]])
