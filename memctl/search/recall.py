"""Recall: answers requests in all modes, with what a reader needs to trust each answer.

The same store and request give the same answer. Only the hybrid mode loads the index and the
embedding model, once for all requests; where there is no usable vector it goes on by keyword and
says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING

from memctl.embedding import Embedder
from memctl.errors import EmbeddingModelError
from memctl.memory import RelationType
from memctl.search import ranking
from memctl.search.collapse import collapse
from memctl.search.fusion import break_near_ties, maximal_marginal_relevance
from memctl.search.gate import PASSAGE_THRESHOLD, GateThresholds, gate_for, understands
from memctl.search.listing import LINK_TYPES, answer_in_order
from memctl.search.lookup import IndexQuestion
from memctl.search.memory_search import search_memories
from memctl.search.passage_search import search_passages
from memctl.search.presentation import memory_hits, passage_hits
from memctl.search.query import Query, read_query
from memctl.search.ranked import RankedMemories
from memctl.search.request import RecallKind, RecallMode, RecallRequest
from memctl.search.scope import Scope
from memctl.search.settings import SearchSettings
from memctl.search_hit import ScorePart, SearchHit, SearchResult
from memctl.store.graph import Graph
from memctl.store.index import SearchIndex
from memctl.store.reads import Neighbour
from memctl.store.terms import analyse_text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

EMPTY_QUERY_WARNING = "the query holds no word to look for"

NO_WORD_WARNING = "the query holds no word that says what to look for"

OTHER_MODEL_WARNING = (
    "the store's vectors come from {stored}, not from {configured}: searched by keyword only"
)

KEYWORD_ONLY_WARNING = "searched by keyword only: {error}"

SHOWN_CANDIDATES_FACTOR = 3
"""Candidates, as a multiple of the limit, among which rewordings are folded and variety is
sought."""

REWORDING_WEIGHT = 0.999
"""Weight from which a related_to association says "another wording of one claim"."""


class Recall:
    """Answers requests about one store."""

    def __init__(
        self,
        graph: Graph,
        *,
        index_factory: Callable[[], SearchIndex],
        embedder_factory: Callable[[], Embedder],
        clock: Callable[[], datetime],
        settings: SearchSettings | None = None,
    ) -> None:
        """The factories are called when the first hybrid request comes."""
        self._graph = graph
        self._index_factory = index_factory
        self._embedder_factory = embedder_factory
        self._clock = clock
        self._settings = settings or SearchSettings()

    def recall(self, request: RecallRequest) -> SearchResult:
        """The best hits in order, at most ``limit``, and what went otherwise than asked.

        Raises SearchIndexError when the index cannot be read, which is not the same as no hit,
        and UsageError for the typed mode without a type.
        """
        now = self._clock()
        if request.mode is RecallMode.HYBRID:
            with self._graph.one_state():
                return self._hybrid(Scope(self._graph, request, request.as_of or now))
        return answer_in_order(self._graph, request, now)

    def recall_many(self, requests: Iterable[RecallRequest]) -> list[SearchResult]:
        """The answers to several requests, in their order."""
        return [self.recall(request) for request in requests]

    def _hybrid(self, scope: Scope) -> SearchResult:
        query = read_query(scope.request.query)
        if query.is_empty:
            return SearchResult(hits=(), warnings=(EMPTY_QUERY_WARNING,))
        vector, warnings = self._vector(query)
        question = IndexQuestion(
            query=query,
            vector=vector,
            embed=self._embedder.embed_query,
            memory_filter=self._graph.filter_of_index(scope.request.memory_filter),
        )
        kind = scope.request.kind
        hits = [] if kind is RecallKind.CHUNK else self._memories(scope, question)
        least = scope.request.threshold
        if kind is RecallKind.BEST:
            least = max(least, PASSAGE_THRESHOLD)
        # Passages stand in where no memory is an answer, but not for memories of a wanted type.
        is_missing = not hits and not scope.request.memory_filter.types
        if kind in {RecallKind.CHUNK, RecallKind.ALL} or (kind is RecallKind.BEST and is_missing):
            hits = _merged(hits, self._passages(scope, question, least), scope.request.limit)
        if not hits and not query.holds_word:
            warnings = (*warnings, NO_WORD_WARNING)
        return SearchResult(hits=tuple(hits), warnings=warnings)

    def _memories(self, scope: Scope, question: IndexQuestion) -> list[SearchHit]:
        settings = self._settings
        found = search_memories(
            scope,
            self._index,
            question,
            self._thresholds,
            settings,
            embed=self._embed,
        )
        if not found.sheet.scores:
            return []
        arranged = self._arranged(scope, found)
        keys = self._in_order(scope, arranged)
        links = self._links(keys)
        rewordings = [
            (link.memory_id, link.neighbour_id)
            for link in links
            if link.relation_type is RelationType.RELATED_TO and link.weight >= REWORDING_WEIGHT
        ]
        folded = collapse(keys, arranged.memories, rewordings, scope.request.limit)
        return memory_hits(self._graph, arranged, folded, links)

    def _passages(self, scope: Scope, question: IndexQuestion, least: float) -> list[SearchHit]:
        settings = self._settings
        found = search_passages(
            scope, self._index, question, self._thresholds, settings, least=least
        )
        return passage_hits(self._graph, found, found.sheet.best(scope.request.limit))

    def _arranged(self, scope: Scope, found: RankedMemories) -> RankedMemories:
        """The candidates with outdated ones below their successors, and the request's options."""
        request, sheet = scope.request, found.sheet
        memories = scope.with_successors(found.memories)
        successors = scope.last_successors(memories)
        leading = found.leading & successors.keys()
        missing = sorted({successors[key] for key in leading} - sheet.scores.keys())
        for key in scope.visible(missing) if missing else ():
            sheet.add(key, ScorePart("successor", 0.0))
        if request.half_life_days is not None:
            ranking.decay(sheet, memories, request.half_life_days, scope.now)
        if request.weights is not None:
            sheet = ranking.composite(sheet, memories, request.weights, scope.now)
        ranking.place_superseded(sheet, successors, leading)
        if not request.include_superseded:
            for key in successors.keys() & sheet.scores.keys():
                sheet.drop(key)
        if request.weights is None:
            shown = sheet.best(request.limit * SHOWN_CANDIDATES_FACTOR)
            priors = {key: ranking.prior(memories[key], scope.now) for key in shown}
            break_near_ties(sheet, priors, self._settings.prior_margin)
            central = self._graph.centrality(shown)
            margin = self._settings.centrality_margin
            break_near_ties(sheet, central, margin, part="centrality")
        return RankedMemories(sheet, memories)

    def _in_order(self, scope: Scope, found: RankedMemories) -> list[str]:
        """The best candidates, some more than the limit; with variety where that is asked for."""
        request, sheet = scope.request, found.sheet
        keys = sheet.best(request.limit * SHOWN_CANDIDATES_FACTOR)
        if request.mmr_lambda is None:
            return keys
        terms = {key: frozenset(analyse_text(found.memories[key].content)) for key in keys}
        scores = {key: sheet.scores[key] for key in keys}
        return maximal_marginal_relevance(scores, terms, request.mmr_lambda)

    def _links(self, keys: list[str]) -> list[Neighbour]:
        """The associations that fold hits together or set them against each other."""
        return self._graph.neighbours(keys, relation_types=LINK_TYPES)

    def _vector(self, query: Query) -> tuple[NDArray[np.float32] | None, tuple[str, ...]]:
        """The query's vector, or None and why there is no usable one."""
        stored = self._graph.embedding_model()
        try:
            configured = self._embedder.model
            if stored is not None and stored != configured:
                warning = OTHER_MODEL_WARNING.format(stored=stored.name, configured=configured.name)
                return None, (warning,)
            if not understands(self._thresholds, query.text):
                return None, ()
            return self._embedder.embed_query(query.text), ()
        except EmbeddingModelError as error:
            return None, (KEYWORD_ONLY_WARNING.format(error=error),)

    def _embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._embedder.embed_passages(texts)

    @cached_property
    def _index(self) -> SearchIndex:
        return self._index_factory()

    @cached_property
    def _embedder(self) -> Embedder:
        return self._embedder_factory()

    @cached_property
    def _thresholds(self) -> GateThresholds:
        """Those of the model whose vectors there are; without vectors none of them counts."""
        stored = self._graph.embedding_model()
        return gate_for("" if stored is None else stored.name)


def _merged(memories: list[SearchHit], passages: list[SearchHit], limit: int) -> list[SearchHit]:
    """The best of both, numbered anew; of equal scores memories come first."""
    both = sorted([*memories, *passages], key=lambda hit: -hit.score)[:limit]
    return [replace(hit, rank=rank) for rank, hit in enumerate(both, start=1)]
