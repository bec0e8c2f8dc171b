"""Values that tell which thing is meant although it is not the subject: the oven number 12, BUG-7.

With another such value a text speaks of another thing. Values that something is said to have, such
as its port, its address or the room that it is in, are no names: they change.
"""

from __future__ import annotations

import re

from memctl.association.alignment import Alignment, ValuePair
from memctl.association.analysis import Analysis
from memctl.association.measures import Value, ValueKind
from memctl.association.terms import Term

_STATING_LISTS = ("functional", "preference_plus", "preference_minus", "requiring")
"""Verbs whose values are what the text says of something: uses, runs, prefers, needs."""

_PROJECT_KEY = re.compile(r"#?([A-Za-z]*)[-_]?\d+")


def other_designation(new: Analysis, old: Analysis, alignment: Alignment) -> ValuePair | None:
    """The values that show two texts, of which neither is said to have changed, to be about two
    things; None if nothing does."""
    identifying = [
        (one, other)
        for one, other in alignment.conflicts
        if one.label == other.label and one.is_identifier and other.is_identifier
    ]
    if len(identifying) > 1:
        return identifying[0]
    for pair in identifying:
        if _designates(pair[0], new) and _designates(pair[1], old):
            return pair
    return None


def _designates(value: Value, side: Analysis) -> bool:
    if value.kind in {ValueKind.ADDRESS, ValueKind.ORDINAL}:
        return False
    if not side.has_verb or side.main_verb is not None:
        return False
    return any(
        tells(value, side)
        for tells in (_is_numbered, _is_ticket, _is_part_of_a_name, _is_dealt_with)
    )


def _word_before(value: Value, side: Analysis, distance: int) -> Term | None:
    """The content word so many places before a value, unless it is a verb."""
    place = value.position - distance
    return next((term for term in side.terms if term.position == place and not term.is_verb), None)


def _is_numbered(value: Value, side: Analysis) -> bool:
    """Whether it numbers a thing, as in "repairs the oven number 12", rather than an attribute."""
    if value.label not in side.words.words_of("numbering"):
        return False
    thing = _word_before(value, side, 2) or _word_before(value, side, 3)
    if thing is None or thing.is_in("slots"):
        return False
    return thing.preposition is None or thing.preposition in side.words.words_of("belonging")


def _is_ticket(value: Value, side: Analysis) -> bool:
    tickets = side.words.words_of("tickets")
    if value.label is not None and value.label in tickets:
        return True
    key = _PROJECT_KEY.fullmatch(value.text)
    return (
        value.kind is ValueKind.CODE
        and key is not None
        and (not key[1] or key[1].lower() in tickets)
    )


def _is_part_of_a_name(value: Value, side: Analysis) -> bool:
    """Whether it belongs to a thing that another one belongs to: the kitchen of house 3."""
    label = None if value.label is None else _word_before(value, side, 1)
    return label is not None and label.preposition in side.words.words_of("belonging")


def _is_dealt_with(value: Value, side: Analysis) -> bool:
    """Whether it names the object of a deed: cleans room 3."""
    label = None if value.label is None else _word_before(value, side, 1)
    if label is None or label.preposition is not None or label.in_subject:
        return False
    verb = next((term for term in side.terms if term.position == side.structure.verb), None)
    return verb is not None and not any(verb.is_in(each) for each in _STATING_LISTS)
