"""Changed words: the same attribute of the same thing with another name or word for a value."""

from __future__ import annotations

from collections.abc import Sequence

from memctl.association.attribute import have_common_attribute
from memctl.association.comparison import CHANGE_CUES, Comparison
from memctl.association.rules.succession import succession
from memctl.association.sentence import Tense
from memctl.association.terms import Term
from memctl.association.values import Judgement, Relation
from memctl.association.wording import Cue

LONGEST_VALUE = 2
"""Content words that a value may have where no word of change points it out."""

_TOWARDS = frozenset({"to", "into"})


def changed_word(comparison: Comparison) -> Judgement | None:
    """Another word in one place: works at A, now works at B; the wall is yellow, it is grey."""
    if comparison.other_thing is not None:
        return _changed_role(comparison)
    if comparison.alignment.conflicts or not _is_about_the_same(comparison):
        return None
    left_new, left_old = (
        [term for term in left if not term.is_verb] for left in comparison.predicate_left
    )
    if comparison.change_is_announced and _has_another_word(comparison, left_new, left_old):
        if _is_replaced(comparison, left_old):
            return succession(comparison, _reason(comparison), 0.8, excludes=False)
        return None
    if comparison.predicate_rivals and not left_new and not left_old:
        return Judgement(Relation.CONTRADICTS, _reason(comparison), 0.7)
    return _functional_change(comparison, left_new, left_old)


def _is_about_the_same(comparison: Comparison) -> bool:
    if comparison.shared_subject:
        return True
    takes_up = comparison.shares_most or comparison.takes_up_subject
    return comparison.change_is_announced and takes_up


def _is_replaced(comparison: Comparison, left_old: Sequence[Term]) -> bool:
    if _only_ends_something(comparison) or _is_of_another_kind(comparison, left_old):
        return False
    return _attribute_matches(comparison)


def _only_ends_something(comparison: Comparison) -> bool:
    """Whether all that is said about change is that something ended: stopped drinking coffee names
    nothing that came in its place."""
    return (comparison.new_cues | comparison.old_cues) & CHANGE_CUES == {Cue.ENDED}


def _has_another_word(
    comparison: Comparison, left_new: Sequence[Term], left_old: Sequence[Term]
) -> bool:
    return bool(comparison.predicate_rivals or (left_new and left_old))


def _reason(comparison: Comparison) -> str:
    for pairs in (comparison.predicate_rivals, comparison.alignment.near):
        for new, old in pairs:
            if not new.is_verb:
                return f"{old.word} became {new.word}"
    left_new, left_old = comparison.predicate_left
    if left_new and left_old:
        return f"{left_old[-1].word} became {left_new[-1].word}"
    return "another value"


def _is_of_another_kind(comparison: Comparison, left_old: Sequence[Term]) -> bool:
    """Whether the texts are about a thing and a narrower one, or say much else besides."""
    if any(comparison.subject_left):
        return True
    return bool(comparison.predicate_rivals) and len(left_old) > 1


def _attribute_matches(comparison: Comparison) -> bool:
    """Whether both speak of one attribute: by a common verb or by a word of one row."""
    return (
        bool(comparison.predicate_rivals)
        or have_common_attribute(comparison)
        or _shares_slot(comparison)
        or _is_another_name(comparison)
        or _is_moved_to(comparison)
    )


def _is_another_name(comparison: Comparison) -> bool:
    """Whether both say who or what a thing is, by a name: Clara's partner is Martin."""
    if not all(side.main_verb == "be" for side in comparison.sides):
        return False
    names = [[term.is_name for term in left] for left in comparison.predicate_left]
    is_same_thing = comparison.same_subject and not comparison.new.found.denied
    return is_same_thing and all(left and all(left) for left in names)


def _is_moved_to(comparison: Comparison) -> bool:
    """Whether the new text moves all that the old one is about to something else."""
    left_new, left_old = comparison.alignment.left_new, comparison.alignment.left_old
    has_target = any(term.preposition in _TOWARDS for term in left_new)
    moves = any(term.is_in("change_verbs") for term in comparison.new.terms)
    states_all = all(
        not term.in_subject and (not term.is_verb or term.is_in("functional")) for term in left_old
    )
    is_somewhere = comparison.old.main_verb != "have"
    return moves and has_target and states_all and is_somewhere and bool(comparison.shared_terms)


def _functional_change(
    comparison: Comparison, left_new: Sequence[Term], left_old: Sequence[Term]
) -> Judgement | None:
    """Attributes that have one value at a time, changed without a word of change."""
    alignment = comparison.alignment
    if not left_new or not left_old or max(len(left_new), len(left_old)) > LONGEST_VALUE:
        return None
    if not comparison.frames_agree or alignment.only_new or alignment.only_old:
        return None
    if _prefers_another_kind(comparison, left_new, left_old):
        return Judgement(Relation.CONTRADICTS, _reason(comparison), 0.5)
    if not _is_functional(comparison) or left_new[0].preposition != left_old[0].preposition:
        return None
    if comparison.happens_once or comparison.new.tense is Tense.PAST:
        return Judgement(Relation.CONTRADICTS, _reason(comparison), 0.6)
    return succession(comparison, _reason(comparison), 0.6, excludes=True)


def _prefers_another_kind(
    comparison: Comparison, left_new: Sequence[Term], left_old: Sequence[Term]
) -> bool:
    """Whether two kinds of one thing are preferred: dark roast coffee, light roast coffee."""
    pairs = comparison.shared_terms
    if not any(new.is_in("preference_plus") for new, _ in pairs):
        return False
    after = (left_new[-1].position + 1, left_old[-1].position + 1)
    return any((new.position, old.position) == after for new, old in pairs if not new.is_verb)


def _is_functional(comparison: Comparison) -> bool:
    return _shares_slot(comparison) or any(
        new.is_verb
        and old.is_verb
        and (new.is_in("functional") or (new.is_in("once_verbs") and new.is_past))
        for new, old in comparison.shared_terms
    )


def _shares_slot(comparison: Comparison) -> bool:
    """Whether both say what a thing's owner, name or address is."""
    if not all(side.main_verb == "be" or not side.has_verb for side in comparison.sides):
        return False
    return any(
        new.is_in("slots") and new.in_subject and old.in_subject
        for new, old in comparison.shared_terms
    )


def _changed_role(comparison: Comparison) -> Judgement | None:
    """Another person in the same role, with a word of change: Goran now manages the warehouse."""
    if not comparison.new_announces_change or comparison.values_differ:
        return None
    left_new, left_old = comparison.subject_left
    if len(left_new) != 1 or len(left_old) != 1 or any(comparison.predicate_left):
        return None
    pairs = comparison.shared_terms
    if not any(new.is_in("role_verbs") or new.is_in("slots") for new, _ in pairs):
        return None
    reason = f"{left_old[0].word} became {left_new[0].word}"
    return succession(comparison, reason, 0.6, excludes=False)
