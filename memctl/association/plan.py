"""From judgements to associations: which links a new memory gets, and the outcome of its saving.

What is decided by words is always linked; of what is only related, the nearest few.
"""

from __future__ import annotations

from collections.abc import Sequence

from memctl.association.analysis import Analysis, analyse
from memctl.association.decide import judge
from memctl.association.thresholds import MINILM_THRESHOLDS, SimilarityThresholds
from memctl.association.values import (
    AssociationPlan,
    Judgement,
    Link,
    Newer,
    Relation,
    Statement,
)
from memctl.memory import RelationType
from memctl.new_memory import Outcome

Candidate = tuple[str, Statement | Analysis, float]
"""An old memory: its id, what it says, and its cosine similarity with the new one."""

MOST_RELATED = 5
"""Links to memories that are only related: enough for a graph walk, too few to drown in."""

SAME_WEIGHT = 1.0
"""Weight of a link between wordings of one claim; no other RELATED_TO link weighs as much."""

MOST_RELATED_WEIGHT = 0.99

_LINKS = {
    Relation.SAME: RelationType.RELATED_TO,
    Relation.UPDATES: RelationType.UPDATES,
    Relation.CONTRADICTS: RelationType.CONTRADICTS,
    Relation.RELATED: RelationType.RELATED_TO,
}
_ORDER = (Relation.SAME, Relation.UPDATES, Relation.CONTRADICTS, Relation.RELATED)


def associate(
    new: Statement | Analysis,
    candidates: Sequence[Candidate],
    thresholds: SimilarityThresholds = MINILM_THRESHOLDS,
    most_related: int = MOST_RELATED,
) -> AssociationPlan:
    """What to link a new memory with, and what to call the outcome.

    Links come in the order same, updates, contradicts, related, then by similarity and id. The
    outcome is that of the first link; a new memory that an old one updates counts as related.
    """
    side = analyse(new) if isinstance(new, Statement) else new
    links = [
        make_link(id_, judgement, similarity)
        for id_, old, similarity in candidates
        if (judgement := judge(side, old, similarity, thresholds)).relation is not Relation.DISTINCT
    ]
    return make_plan(links, most_related)


def make_plan(links: list[Link], most_related: int = MOST_RELATED) -> AssociationPlan:
    """The links in their order, of those that are only related the nearest few, and the outcome."""
    links = sorted(links, key=lambda link: (_ORDER.index(link.relation), -link.similarity, link.id))
    decided = [link for link in links if link.relation is not Relation.RELATED]
    related = [link for link in links if link.relation is Relation.RELATED]
    chosen = (*decided, *related[:most_related])
    return AssociationPlan(_outcome(chosen), chosen)


def make_link(id_: str, judgement: Judgement, similarity: float) -> Link:
    """What a judgement other than DISTINCT means for the old memory ``id_``."""
    weight = judgement.confidence
    if judgement.relation is Relation.SAME:
        weight = SAME_WEIGHT
    elif judgement.relation is Relation.RELATED:
        weight = min(max(similarity, 0.0), MOST_RELATED_WEIGHT)
    return Link(
        id=id_,
        relation_type=_LINKS[judgement.relation],
        weight=weight,
        relation=judgement.relation,
        reason=judgement.reason,
        similarity=similarity,
        reversed=judgement.relation is Relation.UPDATES and judgement.newer is Newer.OLD,
    )


def _outcome(links: Sequence[Link]) -> Outcome:
    if not links:
        return Outcome.CREATED
    first = links[0]
    if first.relation is Relation.SAME:
        return Outcome.SAME
    if any(link.relation is Relation.UPDATES and not link.reversed for link in links):
        return Outcome.UPDATED
    if any(link.relation is Relation.CONTRADICTS for link in links):
        return Outcome.CONTRADICTS
    return Outcome.RELATED
