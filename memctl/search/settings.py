"""The constants of ranking, each with its source, and the settings that hold them.

"Measured" means on the development half of LoCoMo (five conversations, 760 questions) with
``benchmarks/locomo.py``; figures are recall@5/@10. Weights were first fitted by a listwise softmax
on four of the conversations and tested on the fifth, in turn, and then rounded: the optimum is
flat, and a fifth more or less of any one changes less than .01.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from memctl.memory import RelationType
from memctl.search.fusion import Fusion

RRF_K = 5.0
"""For fusion by rank, measured with all lists: 5 gives .69/.76 and 60, as in Spacebot and the
original paper, .58/.71: of few candidates the first ranks must count."""

SEARCH_DEPTH = 48
"""Rows taken from each list before fusion. 32 and 400 measure the same within .005."""

GRAPH_SEEDS = 10
"""Best hits that the traversal starts from; 20 and 50 measure the same within .005."""

GRAPH_DEPTH = 2
"""Associations followed from a seed, one query for each level."""

GRAPH_FAN_OUT = 20
"""Heaviest associations followed from one memory, so that a hub does not drown the rest."""

ADJACENT_WEIGHTS = (0.5, 0.35)
"""Share that a memory passes to those one and two places away in its session or document. Without
any .64/.69; .6/.4 and sums instead of the best neighbour measure the same within .005."""

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

CENTRALITY_MARGIN = 0.005
"""Share of the best score within which it decides how central a memory is in the graph, as
`maintain` computed it last. A quarter of the other priors: a hub is near to many queries and an
answer to few."""

LEAST_SHARE = 0.1
"""Share of the best score below which a hit is not shown, where scores are relative. Up to .3 it
costs nothing, .4 costs .006 of recall@10."""

RECENCY_HALF_LIFE_DAYS = 30.0
"""OpenClaw's default half-life, for near-ties."""

COMPOSITE_DECAY_PER_DAY = 0.05
"""ScalyClaw's default: the composite score's recency is exp(-0.05 * days)."""

SUPERSEDED_FACTOR = 0.5
"""What is left of an outdated memory's score, whose successor gets at least the whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListWeights:
    """How much each list says; ``text`` is the unit."""

    vector: float
    text: float = 1.0
    graph: float
    session: float

    def with_text_trusted(self, trust: float) -> ListWeights:
        """The same with ``trust``, in 0..1, in the list by words."""
        return replace(self, text=self.text * trust)


LIST_WEIGHTS: Mapping[Fusion, ListWeights] = {
    Fusion.RELATIVE: ListWeights(vector=0.9, graph=1.0, session=0.5),
    Fusion.RRF: ListWeights(vector=0.5, graph=0.8, session=0.5),
}
"""Measured for each way of fusing. By rank, a neighbour of a hit gains as much whether that hit was
excellent or only the best of a bad lot; so scores are the default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchSettings:
    """How hybrid recall finds and fuses; ``weights`` None takes those of ``fusion``."""

    fusion: Fusion = Fusion.RELATIVE
    rrf_k: float = RRF_K
    weights: ListWeights | None = None
    depth: int = SEARCH_DEPTH
    subject_bonus: float = 0.35
    """Share of its score that a memory gains whose subject the query names. Without it .64/.74; .2
    gives .67/.75, .5 the same as .35."""
    question_penalty: float = 0.6
    """Share of its score that a memory loses that only asks, and in proportion one that asks in
    part. Without it .68/.75; .4 and .8 measure the same within .005."""
    heading_penalty: float = 0.3
    """Share of its score that a memory loses that has the query's words in its heading only; chosen
    on the notes in sample_data, where all items under a heading begin with it."""
    telling_bonus: float = 0.6
    """Share of its score that a memory gains which tells all of the query's words, by themselves or
    by others of their concepts. Without it .687/.776 and a mean reciprocal rank of .579; .3 gives
    .682/.780 and .589, .6 .686/.778 and .591."""
    share_of_full_trust: float = 0.5
    """Share of the query's words that the best rows by words must tell, for that list to count in
    full. On a third of the questions it measures the same within .005; of 240 questions about a
    life, where many words differ, 9 more have their answer first."""
    least_trust: float = 0.3
    """What that list counts at least."""
    telling_depth: int = 12
    """Best candidates that are read for that."""
    graph_seeds: int = GRAPH_SEEDS
    graph_depth: int = GRAPH_DEPTH
    graph_fan_out: int = GRAPH_FAN_OUT
    adjacent_weights: tuple[float, ...] = ADJACENT_WEIGHTS
    relation_weights: Mapping[RelationType, float] = field(
        default_factory=lambda: dict(RELATION_WEIGHTS)
    )
    prior_margin: float = PRIOR_MARGIN
    centrality_margin: float = CENTRALITY_MARGIN
    least_share: float = LEAST_SHARE

    @property
    def list_weights(self) -> ListWeights:
        """The weights that hold."""
        return self.weights or LIST_WEIGHTS[self.fusion]
