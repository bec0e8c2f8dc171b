"""The constants of ranking, each with its source, and the settings that hold them.

The weights were fitted by a listwise softmax on the development half of LoCoMo (five
conversations, 760 questions), each conversation ranked with weights from the other four, and then
rounded; ``benchmarks/locomo.py`` measures what they give.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from memctl.memory import RelationType
from memctl.search.fusion import Fusion

RRF_K = 5.0
"""Measured recall@5/@10 with all lists: 5 gives .69/.77, 10 .67/.76, 20 .64/.74, and the 60 of
Spacebot and of the original paper .55/.67: small answers want the first ranks to count."""

SEARCH_DEPTH = 64
"""Rows taken from each list before fusion. 50 and 400 measure the same within .005."""

GRAPH_SEEDS = 10
"""Best hits that the traversal starts from; 20 and 50 measure the same within .005."""

GRAPH_DEPTH = 2
"""Associations followed from a seed, one query for each level."""

GRAPH_FAN_OUT = 20
"""Heaviest associations followed from one memory, so that a hub does not drown the rest."""

ADJACENT_WEIGHTS = (0.5, 0.35)
"""Share that a memory passes to those one and two places away in its session or document."""

RELATION_WEIGHTS: Mapping[RelationType, float] = {
    RelationType.UPDATES: 0.75,
    RelationType.CAUSED_BY: 0.65,
    RelationType.RESULT_OF: 0.65,
    RelationType.RELATED_TO: 0.5,
    RelationType.PART_OF: 0.4,
    RelationType.CONTRADICTS: 0.25,
}
"""Share that goes along an association of weight 1: the order of Spacebot's multipliers (1.5, 1.3,
1.0, 0.8, 0.5), halved so that no way multiplies."""

PRIOR_MARGIN = 0.02
"""Share of the best score within which importance, recency and access decide."""

RECENCY_HALF_LIFE_DAYS = 30.0
"""OpenClaw's default half-life, for near-ties."""

COMPOSITE_DECAY_PER_DAY = 0.05
"""ScalyClaw's default: the composite score's recency is exp(-0.05 * days)."""

SUPERSEDED_FACTOR = 0.5
"""What is left of an outdated memory's score, whose successor gets at least the whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchSettings:
    """How hybrid recall fuses. Weights are relative to the text list's 1, ``subject`` is in first
    places of that list."""

    fusion: Fusion = Fusion.RRF
    rrf_k: float = RRF_K
    depth: int = SEARCH_DEPTH
    vector_weight: float = 0.5
    text_weight: float = 1.0
    graph_weight: float = 0.8
    session_weight: float = 0.5
    subject: float = 0.75
    """For a memory whose subject the query names."""
    question_penalty: float = 0.4
    """Share of its score that a memory loses if it only asks, and in proportion if in part."""
    graph_seeds: int = GRAPH_SEEDS
    graph_depth: int = GRAPH_DEPTH
    graph_fan_out: int = GRAPH_FAN_OUT
    adjacent_weights: tuple[float, ...] = ADJACENT_WEIGHTS
    relation_weights: Mapping[RelationType, float] = field(
        default_factory=lambda: dict(RELATION_WEIGHTS)
    )
    prior_margin: float = PRIOR_MARGIN
