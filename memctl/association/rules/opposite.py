"""Denials and antonyms: one text says what the other denies."""

from __future__ import annotations

from collections.abc import Sequence

from memctl.association.comparison import Comparison
from memctl.association.measures import ValueKind
from memctl.association.sentence import Tense
from memctl.association.terms import Quantifier, Term
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
        return Judgement(Relation.UPDATES, "it is said to have changed", 0.8, comparison.newer)
    if Tense.PRESENT in {new.tense, old.tense} and not comparison.tenses_agree:
        return Judgement(Relation.UPDATES, "it was otherwise before", 0.6, comparison.newer)
    both_may_hold = comparison.happened_on_other_days or (
        {new.found.quantifier, old.found.quantifier} == {Quantifier.EXISTENTIAL}
    )
    if both_may_hold:
        return Judgement(Relation.RELATED, "opposite, but of another day or of others", 0.5)
    return Judgement(Relation.CONTRADICTS, "one denies the other", 0.8)


def _is_about_one_thing(comparison: Comparison) -> bool:
    alignment = comparison.alignment
    if comparison.other_thing is not None or alignment.conflicts:
        return False
    if any(new.kind in _WHEN for new, _ in alignment.compatible):
        return False
    if alignment.only_new and alignment.only_old:
        return False
    if not comparison.shared_terms and not comparison.predicate_opposed:
        return False
    is_open = {comparison.new.frame, comparison.old.frame} & _OPEN_FRAMES
    return comparison.frames_agree or not is_open


def _leaves_little(comparison: Comparison) -> bool:
    """Whether little is said by one text alone, and nothing that narrows what is denied.

    "No coffee after six" does not deny "drinks coffee", but "no coffee" denies "coffee with milk".
    """
    left_new, left_old = comparison.left_without_change
    if comparison.change_is_announced:
        return min(len(left_new), len(left_old)) <= 1
    if comparison.new.found.denied == comparison.old.found.denied:
        return not (left_new and left_old) and len(left_new + left_old) <= MOST_WORDS_LEFT
    new_denies = comparison.new.found.denied
    denied, affirmed = (left_new, left_old) if new_denies else (left_old, left_new)
    if any(_denies_by_itself(term, comparison) for term in affirmed):
        return False
    if _lacks_what_is_needed(comparison, [*denied, *affirmed]):
        return True
    is_conditional = comparison.new.found.conditional != comparison.old.found.conditional
    return len(denied) <= int(is_conditional) and len(affirmed) <= MOST_WORDS_LEFT


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
