"""Whether somebody's word that one statement only repeats another one may be believed.

A language model sees that two texts say the same where the rules see only that they are related.
It is believed unless a value, a name or a denial tells the texts apart, since what is taken for a
repetition is not stored.
"""

from __future__ import annotations

from memctl.association.alignment import align
from memctl.association.analysis import analyse, in_language_of
from memctl.association.comparison import Comparison
from memctl.association.decide import judge
from memctl.association.thresholds import MINILM_THRESHOLDS, SimilarityThresholds
from memctl.association.values import Relation, Statement


def may_repeat(
    new: Statement,
    old: Statement,
    similarity: float,
    thresholds: SimilarityThresholds = MINILM_THRESHOLDS,
) -> bool:
    """Whether nothing in the texts speaks against ``new`` saying what ``old`` says. ``similarity``
    is the cosine of their embeddings."""
    new_side, old_side = analyse(new), analyse(old)
    relation = judge(new_side, old_side, similarity, thresholds).relation
    if relation is not Relation.RELATED:
        return relation is Relation.SAME
    new_side, old_side = in_language_of(new_side, old_side), in_language_of(old_side, new_side)
    comparison = Comparison(new_side, old_side, align(new_side, old_side), similarity, thresholds)
    return not (
        comparison.values_differ
        or comparison.opposite
        or comparison.other_thing is not None
        or comparison.alignment.rivals
    )
