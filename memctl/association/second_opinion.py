"""What a second opinion may change: pairs that the rules only call related.

The rules keep their say on what cannot be one claim: an opinion never makes two texts one whose
values or denials differ, and never says which of two is newer where nothing else says so.
"""

from __future__ import annotations

from collections.abc import Mapping

from memctl.association.alignment import align
from memctl.association.analysis import Analysis, analyse, in_language_of
from memctl.association.comparison import Comparison
from memctl.association.plan import make_link, make_plan
from memctl.association.thresholds import MINILM_THRESHOLDS, SimilarityThresholds
from memctl.association.values import (
    AssociationPlan,
    Judgement,
    Link,
    Newer,
    Relation,
    Statement,
)

OPINION_CONFIDENCE = 0.6


def unclear_links(
    plan: AssociationPlan, thresholds: SimilarityThresholds = MINILM_THRESHOLDS
) -> list[Link]:
    """The links that a second opinion may be asked about, the most similar first: those that are
    only related and yet as near as rewordings are."""
    return [
        link
        for link in plan.links
        if link.relation is Relation.RELATED and link.similarity >= thresholds.same
    ]


def weigh_opinion(
    opinion: Relation,
    new: Statement | Analysis,
    old: Statement | Analysis,
    similarity: float,
    thresholds: SimilarityThresholds = MINILM_THRESHOLDS,
) -> Judgement | None:
    """The judgement that an opinion becomes, or None where the rules do not let it stand."""
    new_side = analyse(new) if isinstance(new, Statement) else new
    old_side = analyse(old) if isinstance(old, Statement) else old
    new_side, old_side = in_language_of(new_side, old_side), in_language_of(old_side, new_side)
    comparison = Comparison(new_side, old_side, align(new_side, old_side), similarity, thresholds)
    if opinion is Relation.SAME and _are_told_apart(comparison):
        return None
    if opinion is Relation.UPDATES:
        return _update(comparison.newer)
    return Judgement(opinion, "the language model says so", OPINION_CONFIDENCE)


def _are_told_apart(comparison: Comparison) -> bool:
    denied = [side.found.denied for side in comparison.sides]
    return comparison.values_differ or comparison.opposite or denied[0] != denied[1]


def _update(newer: Newer | None) -> Judgement:
    reason = "the language model says so"
    if newer is None:
        return Judgement(Relation.CONTRADICTS, f"{reason}; nothing says which is newer", 0.5)
    return Judgement(Relation.UPDATES, reason, OPINION_CONFIDENCE, newer)


def reconsider(plan: AssociationPlan, judgements: Mapping[str, Judgement]) -> AssociationPlan:
    """The plan with other judgements of some of its links; ``judgements`` are by id."""
    links = []
    for link in plan.links:
        judgement = judgements.get(link.id)
        if judgement is None:
            links.append(link)
        elif judgement.relation is not Relation.DISTINCT:
            links.append(make_link(link.id, judgement, link.similarity))
    return make_plan(links)
