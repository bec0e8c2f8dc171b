"""Whether the verbs of two texts tell of one attribute, of a person who may be all they share."""

from __future__ import annotations

from memctl.association.alignment import TermPair
from memctl.association.analysis import Analysis
from memctl.association.comparison import Comparison


def have_common_attribute(comparison: Comparison) -> bool:
    """Whether a word of one text is a word for what the other one tells of the same thing."""
    pairs = comparison.alignment.shared + comparison.alignment.near
    return any(_is_one_attribute(pair, comparison) for pair in pairs)


def tell_of_two_attributes(comparison: Comparison) -> bool:
    """Whether the texts have nothing but a person in common, and verbs whose objects make them two
    attributes: planned the holiday for May, moved to Ghent in June."""
    if _shares_thing(comparison):
        return False
    verbs = [pair for pair in comparison.alignment.near if any(term.is_verb for term in pair)]
    return bool(verbs) and not any(_is_one_attribute(pair, comparison) for pair in verbs)


def _is_one_attribute(pair: TermPair, comparison: Comparison) -> bool:
    """Whether a verb and its counterpart mean the same of the same thing.

    A verb with a place in several rows ("move" a home, a thing, a date) takes its meaning from its
    object, and two verbs of one row ("run", "upgrade") may be about two things. So where the texts
    have no thing in common, objects or values of their own tell them apart.
    """
    new, old = pair
    is_row = new.facts.attributes & old.facts.attributes and (new.is_verb or old.is_verb)
    if not is_row and not (new.is_verb and old.is_verb and not new.is_light):
        return False
    if _shares_thing(comparison):
        return True
    has_object = [_has_object(side) for side in comparison.sides]
    if any(len(term.facts.attributes) > 1 for term in pair):
        return not any(has_object)
    if new.stem == old.stem:
        return True
    alignment = comparison.alignment
    has_own_values = bool(alignment.only_new and alignment.only_old)
    return not all(has_object) and not has_own_values


def _shares_thing(comparison: Comparison) -> bool:
    return any(not new.is_verb for new, _ in comparison.shared_terms)


def _has_object(side: Analysis) -> bool:
    """Whether a text tells of a deed that is done to a thing."""
    return any(
        term.preposition is None and not (term.is_verb or term.in_subject or term.in_front)
        for term in side.terms
    )
