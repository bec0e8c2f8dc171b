"""What a new memory means for the old ones: the same claim, an update, a contradiction, a relation.

Embeddings say which old memories to compare with; the texts decide. Pure: no clock, no store.
"""

from memctl.association.analysis import Analysis, analyse
from memctl.association.decide import judge
from memctl.association.plan import MOST_RELATED, SAME_WEIGHT, associate
from memctl.association.repetition import may_repeat
from memctl.association.second_opinion import reconsider, unclear_links, weigh_opinion
from memctl.association.thresholds import (
    MINILM_THRESHOLDS,
    SimilarityThresholds,
    thresholds_for,
)
from memctl.association.values import (
    AssociationPlan,
    Judgement,
    Link,
    Newer,
    Relation,
    Statement,
)

__all__ = [
    "MINILM_THRESHOLDS",
    "MOST_RELATED",
    "SAME_WEIGHT",
    "Analysis",
    "AssociationPlan",
    "Judgement",
    "Link",
    "Newer",
    "Relation",
    "SimilarityThresholds",
    "Statement",
    "analyse",
    "associate",
    "judge",
    "may_repeat",
    "reconsider",
    "thresholds_for",
    "unclear_links",
    "weigh_opinion",
]
