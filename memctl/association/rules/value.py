"""Changed values: the same attribute of the same thing with another number, date or address."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memctl.association.analysis import Analysis
from memctl.association.attribute import tell_of_two_attributes
from memctl.association.comparison import Comparison
from memctl.association.measures import ValueKind
from memctl.association.rules.succession import succession
from memctl.association.sentence import Tense
from memctl.association.terms import Term
from memctl.association.values import Judgement, Relation

MOST_WORDS_LEFT = 1
MOST_WORDS_LEFT_WITH_CUE = 4
"""Content words that may stand on one side alone while both still speak of one attribute."""

_FIELD = re.compile(r"[:：](?:\s|$)")
"""What stands between the name of a field and its value."""

_WHEN = frozenset({ValueKind.WEEKDAY, ValueKind.DATE})
"""Kinds that say when something holds: with another value changed too, both may hold."""


def changed_value(comparison: Comparison) -> Judgement | None:
    """The same attribute of the same thing with another value."""
    if comparison.other_thing is not None or not _has_another_value(comparison):
        return None
    if not _speaks_of_one_attribute(comparison):
        return None
    if not comparison.change_is_announced and _are_two_occurrences(comparison):
        return Judgement(Relation.RELATED, "the same at another time", 0.6)
    if comparison.change_is_announced:
        excludes = bool(comparison.value_conflicts)
        return succession(comparison, _reason(comparison), 0.9, excludes=excludes)
    if comparison.new.found.denied != comparison.old.found.denied:
        return _denied_value(comparison)
    return _other_circumstances(comparison) or _by_tense(comparison)


def _are_two_occurrences(comparison: Comparison) -> bool:
    """Whether the texts tell when something takes place that may take place again: a stand-up on
    Monday, one on Tuesday. What has one date, such as a deadline, has another one instead."""
    sides = comparison.sides
    if any(side.is_task or _FIELD.search(side.plain) for side in sides):
        return False
    if any(side.tense in {Tense.PAST, Tense.PERFECT} for side in sides):
        return False
    if any(new.kind not in _WHEN for new, _ in comparison.value_conflicts):
        return False
    heads = [term for term in comparison.new.terms if term.preposition is None]
    if not heads or heads[-1].is_in("slots"):
        return False
    return not _has_one_time(comparison)


def _has_one_time(comparison: Comparison) -> bool:
    """Whether a certain thing is at some time, or a verb tells what has one time: it starts."""
    sides = comparison.sides
    if all(side.main_verb == "be" for side in sides):
        return all(side.structure.definite and _is_of_a_thing(side) for side in sides)
    return any(
        (new.is_verb or old.is_verb) and new.is_in("functional")
        for new, old in comparison.shared_terms
    )


def _is_of_a_thing(side: Analysis) -> bool:
    """Whether the subject is a thing, not somebody who will do something on that day."""
    does = any(
        term.word.endswith("ing") and term.is_in("verbs") and not term.in_subject
        for term in side.terms
    )
    return not does and any(term.in_subject for term in side.terms)


def _has_another_value(comparison: Comparison) -> bool:
    if comparison.change_is_announced:
        return bool(comparison.value_conflicts) or _adds_displacing_value(comparison)
    return bool(comparison.value_conflicts) and not comparison.predicate_opposed


def _adds_displacing_value(comparison: Comparison) -> bool:
    """Whether the old value is repeated beside a new one of its kind: 20 MB instead of 5."""
    kinds = {(new.kind, new.dimension) for new, _ in comparison.alignment.equal}
    return any((value.kind, value.dimension) in kinds for value in comparison.alignment.only_new)


def _speaks_of_one_attribute(comparison: Comparison) -> bool:
    """Whether little else differs, and the two do not report two different deeds."""
    alignment = comparison.alignment
    if not comparison.shared_terms and not comparison.same_person:
        return False
    longest = max(
        len([term for term in left if not term.in_front]) for left in comparison.left_without_change
    )
    if not comparison.change_is_announced:
        return longest <= MOST_WORDS_LEFT and not _name_two_things(comparison)
    if _reports(comparison.new, alignment.left_new) and _reports(
        comparison.old, alignment.left_old
    ):
        return False
    if tell_of_two_attributes(comparison) or _name_two_attributes(comparison):
        return False
    if _tell_of_two_deeds(comparison) or _differ_throughout(comparison):
        return False
    is_about_the_same = comparison.shared_subject or comparison.shares_most
    return is_about_the_same and longest <= MOST_WORDS_LEFT_WITH_CUE


def _name_two_attributes(comparison: Comparison) -> bool:
    """Whether only the subject is common and each text names an attribute of its own: a node now
    reaches the gateway at SF9, it has the address A1."""
    near = [(new, old) for new, old in comparison.alignment.near if new.is_verb == old.is_verb]
    pairs = [*comparison.alignment.shared, *near]
    if any(not (new.in_subject and old.in_subject) for new, old in pairs):
        return False
    return all(
        any(not term.is_verb and not term.in_front and not term.in_subject for term in left)
        for left in comparison.left_without_change
    )


def _tell_of_two_deeds(comparison: Comparison) -> bool:
    """Whether each text has a deed and a thing of its own, whatever else they share: one wants the
    van moved by 14:00, the other labelled the counter at 9:00, for the same long reason."""
    return _name_two_things(comparison) and all(
        any(term.is_verb for term in left) for left in comparison.left_without_change
    )


def _differ_throughout(comparison: Comparison) -> bool:
    """Whether each text has a word of its own and several values, of which the other one has none:
    an update changes one value of a thing and leaves the others, or the words about it."""
    several = len(comparison.value_conflicts) > 1
    return several and not comparison.alignment.equal and _name_two_things(comparison)


def _name_two_things(comparison: Comparison) -> bool:
    """Whether each text has a word of its own: version 2.4 of one app and 2.5 of another one."""
    left_new, left_old = (
        any(not term.is_verb and not term.in_front for term in left)
        for left in comparison.left_without_change
    )
    return left_new and left_old


def _reports(side: Analysis, left: Sequence[Term]) -> bool:
    """Whether a text tells of a deed that the other one does not tell of."""
    return side.tense is not Tense.PRESENT and any(term.is_past for term in left)


def _denied_value(comparison: Comparison) -> Judgement | None:
    """Not ripe until September contradicts ripe in July; not open at ten leaves nine free."""
    words = comparison.new.words.words_of("not_until")
    left = comparison.alignment.left_new + comparison.alignment.left_old
    if not any(term.word in words for term in left):
        return None
    return Judgement(Relation.CONTRADICTS, _reason(comparison), 0.6)


def _reason(comparison: Comparison) -> str:
    if not comparison.value_conflicts:
        return "another value in its place"
    new, old = comparison.value_conflicts[0]
    return f"{old.text} became {new.text}"


def _other_circumstances(comparison: Comparison) -> Judgement | None:
    """Two values that both may hold: at two times, or one wanted and one real."""
    kinds = {new.kind for new, _ in comparison.value_conflicts}
    if comparison.narrower_subject:
        return Judgement(Relation.RELATED, "another value of a narrower thing", 0.5)
    if comparison.predicate_rivals:
        return Judgement(Relation.RELATED, "another value of another kind", 0.5)
    if kinds & _WHEN and len(kinds) > 1:
        return Judgement(Relation.RELATED, "another value at another time", 0.5)
    if not comparison.frames_agree:
        return Judgement(Relation.RELATED, "one is meant, the other is so", 0.5)
    is_state = comparison.new.tense is comparison.old.tense is Tense.PRESENT
    if comparison.happened_on_other_days and not is_state:
        return Judgement(Relation.RELATED, "another value on another day", 0.5)
    return None


def _by_tense(comparison: Comparison) -> Judgement:
    new_tense, old_tense = comparison.new.tense, comparison.old.tense
    reason = _reason(comparison)
    if new_tense is Tense.PAST and old_tense is Tense.PRESENT:
        return Judgement(Relation.RELATED, "another value in the past", 0.5)
    if new_tense is Tense.PAST and old_tense in {Tense.PAST, Tense.PERFECT}:
        if _may_have_happened_twice(comparison):
            return Judgement(Relation.DISTINCT, "it happened more than once", 0.6)
        return Judgement(Relation.CONTRADICTS, reason, 0.7)
    if comparison.happens_once:
        return Judgement(Relation.CONTRADICTS, reason, 0.8)
    return succession(comparison, reason, 0.7, excludes=_leaves_nothing(comparison))


def _leaves_nothing(comparison: Comparison) -> bool:
    """Whether the texts say the same of the same thing but for the value."""
    return comparison.shared_subject and not any(comparison.left_without_change)


def _may_have_happened_twice(comparison: Comparison) -> bool:
    """Whether only the time differs, of something that people do again and again."""
    only_when = all(new.kind in _WHEN | {ValueKind.TIME} for new, _ in comparison.value_conflicts)
    repeats = any(
        new.is_in("repeat_verbs") and new.is_verb for new, _ in comparison.alignment.shared
    )
    return only_when and repeats and not comparison.happens_once
