"""Denials and antonyms: one text says what the other denies."""

from __future__ import annotations

from collections.abc import Sequence

from memctl.association.comparison import Comparison
from memctl.association.measures import ValueKind
from memctl.association.rules.succession import succession
from memctl.association.sentence import Tense
from memctl.association.terms import Modality, Quantifier, Term
from memctl.association.values import Judgement, Relation
from memctl.association.wording import Frame

MOST_WORDS_LEFT = 2
"""Content words that the affirming text may say beyond the denying one."""

_WHEN = frozenset({ValueKind.WEEKDAY, ValueKind.DATE})
_OPEN_FRAMES = frozenset({Frame.TODO, Frame.GOAL, Frame.PLAN})


def opposite_claim(comparison: Comparison) -> Judgement | None:
    """One denies what the other says."""
    if not comparison.opposite:
        return None
    if not (_is_about_one_thing(comparison) and _leaves_little(comparison)):
        return None
    new, old = comparison.new, comparison.old
    if comparison.change_is_announced:
        return succession(comparison, "it is said to have changed", 0.8, excludes=True)
    if Tense.PRESENT in {new.tense, old.tense} and not comparison.tenses_agree:
        return succession(comparison, "it was otherwise before", 0.6, excludes=False)
    both_may_hold = comparison.happened_on_other_days or _speak_of_some(comparison)
    if both_may_hold:
        return Judgement(Relation.RELATED, "opposite, but of another day or of others", 0.5)
    return Judgement(Relation.CONTRADICTS, "one denies the other", 0.8)


def _speak_of_some(comparison: Comparison) -> bool:
    """Whether some are so and some are not; most cannot be both."""
    found = [side.found for side in comparison.sides]
    if any(each.quantifier is not Quantifier.EXISTENTIAL for each in found):
        return False
    majority = comparison.new.words.words_of("majority")
    return not all(majority & set(each.symbols) for each in found)


def _is_about_one_thing(comparison: Comparison) -> bool:
    if comparison.other_thing is not None or _values_stand_apart(comparison):
        return False
    if not comparison.shared_terms and not comparison.same_person:
        return False
    if comparison.narrower_subject and not _covers_the_narrower(comparison):
        return False
    is_open = {comparison.new.frame, comparison.old.frame} & _OPEN_FRAMES
    return comparison.frames_agree or not is_open


def _values_stand_apart(comparison: Comparison) -> bool:
    """Whether the values show two claims: at another time, or of other amounts."""
    alignment = comparison.alignment
    holds_at_another_time = any(new.kind in _WHEN for new, _ in alignment.compatible)
    both_say_more = bool(alignment.only_new and alignment.only_old)
    return holds_at_another_time or both_say_more or bool(alignment.conflicts)


def _covers_the_narrower(comparison: Comparison) -> bool:
    """Whether one text speaks of all or none, so that it speaks of the narrower thing too."""
    if any(side.found.quantifier is Quantifier.UNIVERSAL for side in comparison.sides):
        return True
    if all(side.found.modality is Modality.LEAVE for side in comparison.sides):
        return True
    denying = next((side for side in comparison.sides if side.found.denied), comparison.new)
    return not any(term.in_subject for term in denying.terms)


def _leaves_little(comparison: Comparison) -> bool:
    """Whether little is said by one text alone, and nothing that narrows what is denied.

    "No coffee after six" does not deny "drinks coffee", but "no coffee" denies "coffee with milk".
    """
    left_new, left_old = comparison.left_without_change
    if comparison.change_is_announced:
        return min(len(left_new), len(left_old)) <= 1 and _shares_what_is_said(comparison)
    if comparison.new.found.denied == comparison.old.found.denied:
        return not (left_new and left_old) and len(left_new + left_old) <= MOST_WORDS_LEFT
    return _shares_what_is_said(comparison) and _denial_covers_claim(comparison)


def _denial_covers_claim(comparison: Comparison) -> bool:
    alignment = comparison.alignment
    left_new, left_old = comparison.left_without_change
    denied, affirmed, narrowing = left_old, left_new, alignment.only_old
    if comparison.new.found.denied:
        denied, affirmed, narrowing = left_new, left_old, alignment.only_new
    narrows = any(not value.in_subject for value in narrowing)
    if narrows or any(_denies_by_itself(term, comparison) for term in affirmed):
        return False
    if _lacks_what_is_needed(comparison, [*denied, *affirmed]):
        return True
    is_conditional = comparison.new.found.conditional != comparison.old.found.conditional
    return len(denied) <= int(is_conditional) and len(affirmed) <= MOST_WORDS_LEFT


def _shares_what_is_said(comparison: Comparison) -> bool:
    """Whether more than a topic is shared: something is said in both, or most of both."""
    if comparison.predicate_opposed:
        return True
    near = [(new, old) for new, old in comparison.alignment.near if new.stem == old.stem]
    pairs = [*comparison.alignment.shared, *near]
    if _denies_the_thing_itself(comparison):
        return True
    if len(pairs) < 2 and not comparison.same_person:
        left = [*comparison.alignment.left_new, *comparison.alignment.left_old]
        return not left and not comparison.values_differ
    is_nominal = not any(side.has_verb for side in comparison.sides)
    return is_nominal or any(not (new.in_subject and old.in_subject) for new, old in pairs)


def _denies_the_thing_itself(comparison: Comparison) -> bool:
    """Whether one text says no more than that there is none of what the other one deals with."""
    denying, left = comparison.old, comparison.alignment.left_new
    if comparison.new.found.denied:
        denying, left = comparison.new, comparison.alignment.left_old
    heavy = [term for term in denying.terms if not term.is_light]
    is_shared = len(heavy) == 1 == len(comparison.shared_terms)
    return is_shared and not heavy[0].is_verb and len(left) == 1 and left[0].is_verb


def _denies_by_itself(term: Term, comparison: Comparison) -> bool:
    """Whether a word such as "closed" makes an affirming text a denying one."""
    rows = comparison.new.words.complementary
    return any(row in rows and side == 1 for row, side in term.facts.sides)


def _lacks_what_is_needed(comparison: Comparison, left: Sequence[Term]) -> bool:
    """Needs a key, works without a key: the verbs differ, but only one can be so."""
    denying = comparison.new if comparison.new.found.denied else comparison.old
    if not denying.found.withouts or not comparison.shared_subject:
        return False
    pairs = comparison.shared_terms
    shares_what = any(not (new.in_subject and old.in_subject) for new, old in pairs)
    return shares_what and len(left) <= 2 and all(term.is_verb for term in left)
