"""Who does what to whom: the same words in exchanged places are another claim."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations, pairwise

from memctl.association.alignment import TermPair
from memctl.association.comparison import Comparison
from memctl.association.rules.succession import succession
from memctl.association.values import Judgement, Relation

Places = tuple[str | None, str | None]
"""The prepositions before one word in the new and in the old text."""


LOOSE_PREPOSITIONS = frozenset(
    {"of", "in", "on", "at", "de", "del", "du", "des", "d'", "von", "vom", "en"}
)
"""Prepositions that come and go with the wording: the wall in the kitchen, the kitchen wall."""

LEAST_PAIRED = 4
"""Two things and what is said of each; fewer words stand in no pairs."""

LEAST_FALL = 3
"""The two that changed places, and what lies between them."""


def exchanged(comparison: Comparison) -> Judgement | None:
    """The same words in exchanged places: Anna is older than Ben, Ben is older than Anna."""
    alignment = comparison.alignment
    if alignment.left_new or alignment.left_old or alignment.rivals or alignment.opposed:
        return None
    if comparison.opposite or comparison.values_differ or not roles_differ(comparison):
        return None
    prefers = any(new.is_in("preference_plus") for new, _ in comparison.shared_terms)
    if not prefers and not comparison.new.found.links & comparison.old.found.links:
        return Judgement(Relation.RELATED, "the same words in exchanged places", 0.7)
    if comparison.change_is_announced:
        return succession(comparison, "the other way round now", 0.8, excludes=True)
    return Judgement(Relation.CONTRADICTS, "the other way round", 0.8)


def roles_differ(comparison: Comparison) -> bool:
    """Whether words change places: Anna pays Ben, Ben pays Anna; from A to B, from B to A."""
    listed = shared_enumeration(comparison)
    alone = [pair for pair in comparison.shared_terms if pair[0].position not in listed]
    places = [(new.preposition, old.preposition) for new, old in alone]
    places += [(new.preposition, old.preposition) for new, old in comparison.alignment.equal]
    if any(_directions_differ(place, comparison) for place in places):
        return True
    if _prepositions_exchanged([place for place in places if place[0] != place[1]]):
        return True
    if not comparison.new.has_verb and not comparison.old.has_verb and _order_differs(comparison):
        return True
    return _pairing_differs(comparison) or _subject_exchanged(comparison)


def _pairing_differs(comparison: Comparison) -> bool:
    """Whether two words or values have changed places about one between them: red means stop and
    green means go, green means stop and red means go.

    Whole clauses that move keep their order within, and so do the other words when two neighbours
    in a list change places; in neither do three stand the other way round. A word that stands
    there twice tells nothing, and the order of a note without a verb neither.
    """
    if comparison.new.structure.passive != comparison.old.structure.passive:
        return False
    if not (comparison.new.has_verb and comparison.old.has_verb):
        return False
    often = Counter(new.stem for new, _ in comparison.shared_terms)
    once = [pair for pair in comparison.shared_terms if often[pair[0].stem] == 1]
    places = _places(comparison, once)
    places += [(new.position, old.position) for new, old in comparison.alignment.equal]
    if len(places) < LEAST_PAIRED:
        return False
    moved = [old for _, old in sorted(places)]
    falls = [1] * len(moved)
    for earlier, later in combinations(range(len(moved)), 2):
        if moved[earlier] > moved[later]:
            falls[later] = max(falls[later], falls[earlier] + 1)
    return max(falls) >= LEAST_FALL


def _directions_differ(place: Places, comparison: Comparison) -> bool:
    """Whether one word stands after "from" here and after "to" there, or after in and on."""
    if None in place or place[0] == place[1]:
        return False
    rows = comparison.new.words.table("opposite_prepositions")
    return any(set(place) <= set(row.split()) for row in rows)


def _prepositions_exchanged(places: Sequence[Places]) -> bool:
    """Whether two words have exchanged their prepositions: prefers tea to milk, milk to tea."""
    return any((old, new) in places for new, old in places if not {new, old} & LOOSE_PREPOSITIONS)


def _order_differs(comparison: Comparison) -> bool:
    places = sorted(_places(comparison, comparison.shared_terms))
    return any(one > other for (_, one), (_, other) in pairwise(places))


def _places(comparison: Comparison, pairs: Iterable[TermPair]) -> list[tuple[int, int]]:
    """Where words stand in the new and in the old text; those of an enumeration that both have
    stand where it begins."""
    begins = shared_enumeration(comparison)
    return [begins.get(new.position, (new.position, old.position)) for new, old in pairs]


def shared_enumeration(comparison: Comparison) -> dict[int, tuple[int, int]]:
    """By the position of each of its words in the new text, where the one enumeration begins that
    both texts have. Beside other ones or several values its order may tell which belongs to which:
    Ada, Ben and Cora are 3, 4 and 5."""
    new, old = comparison.new, comparison.old
    if len(new.enumerations) != 1 or len(old.enumerations) != 1 or len(new.values) > 1:
        return {}
    [here], [there] = new.enumerations, old.enumerations
    partners = {one.position: other.position for one, other in comparison.shared_terms}
    if {partners.get(position) for position in here} != set(there):
        return {}
    return dict.fromkeys(here, (here[0], there[0]))


def _subject_exchanged(comparison: Comparison) -> bool:
    """Whether one word left the subject and another one entered it, in the same voice."""
    moves = [(new.in_subject, old.in_subject) for new, old in comparison.shared_terms]
    old_people = dict(comparison.old.found.people)
    moves += [
        (in_subject, old_people[person])
        for person, in_subject in comparison.new.found.people
        if person in old_people
    ]
    if (True, False) not in moves or (False, True) not in moves:
        return False
    if comparison.new.structure.passive != comparison.old.structure.passive:
        return False
    return comparison.same_verb or bool(comparison.new.found.links)
