"""The rules in their order: what a new statement means for an old one.

Each rule looks at one comparison and gives a judgement or passes; the first that judges decides.
An embedding alone never makes two texts one, and no rule makes two texts one while a value, a
name, a denial or a content word tells them apart.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from memctl.association.alignment import align
from memctl.association.analysis import Analysis, analyse, in_language_of
from memctl.association.comparison import Comparison
from memctl.association.rules.corrected import corrected
from memctl.association.rules.opposite import opposite_claim
from memctl.association.rules.other_row import other_row
from memctl.association.rules.roles import exchanged
from memctl.association.rules.same import same_claim, same_words
from memctl.association.rules.state import ended, finished_task, next_state
from memctl.association.rules.topic import other_thing, topic
from memctl.association.rules.value import changed_value
from memctl.association.rules.word import changed_word
from memctl.association.thresholds import MINILM_THRESHOLDS, SimilarityThresholds
from memctl.association.values import Judgement, Statement

Rule = Callable[[Comparison], Judgement | None]

RULES: Sequence[Rule] = (
    finished_task,
    same_words,
    other_row,
    corrected,
    opposite_claim,
    exchanged,
    next_state,
    changed_value,
    changed_word,
    ended,
    other_thing,
    same_claim,
)

RULES_FOR_LOOSE_TEXTS: Sequence[Rule] = (
    same_words,
    other_row,
    corrected,
    other_thing,
    same_claim,
)
"""For texts that say much beside what they have in common, and for those that deny what the other
one does not say: neither replaces the other."""


RULES_FOR_OTHER_THINGS: Sequence[Rule] = (
    other_row,
    corrected,
    exchanged,
    changed_word,
    other_thing,
)
"""Those of the rules that can judge where something tells that there are two things."""


def judge(
    new: Statement | Analysis,
    old: Statement | Analysis,
    similarity: float,
    thresholds: SimilarityThresholds = MINILM_THRESHOLDS,
) -> Judgement:
    """What ``new`` means for ``old``.

    ``similarity`` is the cosine of their embeddings, ``thresholds`` belong to the model that made
    them. Analyses may be handed in where one statement is compared more than once.
    """
    new_side = analyse(new) if isinstance(new, Statement) else new
    old_side = analyse(old) if isinstance(old, Statement) else old
    if new_side.words is not old_side.words:
        new_side, old_side = in_language_of(new_side, old_side), in_language_of(old_side, new_side)
    comparison = Comparison(new_side, old_side, align(new_side, old_side), similarity, thresholds)
    for rule in _rules_for(comparison):
        judgement = rule(comparison)
        if judgement is not None:
            return judgement
    return topic(comparison)


def _rules_for(comparison: Comparison) -> Sequence[Rule]:
    if comparison.new.is_cut or comparison.old.is_cut:
        return ()
    if comparison.new.contrast is not None or not comparison.is_focused:
        return RULES_FOR_LOOSE_TEXTS
    return RULES if comparison.other_thing is None else RULES_FOR_OTHER_THINGS
