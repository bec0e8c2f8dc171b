"""Hybrid search for memories: vector, full text, the graph around the best hits, their sessions.

Filters hold before every limit, and the gate looks at raw scores before anything is fused.
"""

from __future__ import annotations

from memctl.memory import Memory
from memctl.search import ranking
from memctl.search.degrees import Degrees
from memctl.search.expansion import expand
from memctl.search.fusion import Fusion, RankedList, ScoreSheet, fuse, in_order, ranked
from memctl.search.gate import GateThresholds
from memctl.search.hidden import Embed, with_hidden
from memctl.search.lookup import (
    IndexLists,
    IndexQuestion,
    base_lists,
    look_up_asked,
    look_up_memories,
    look_up_translated,
)
from memctl.search.names import names_in, terms_of_names
from memctl.search.query import Query
from memctl.search.ranked import RankedMemories
from memctl.search.scope import Scope
from memctl.search.settings import SearchSettings
from memctl.store.index import SearchIndex

TRUST_DEPTH = 5
"""Best rows by words that tell whether the query's words say what it is about."""

GATE_DEPTH = 8
"""Best rows of each list that are asked whether they know anything about the query."""


def search_memories(
    scope: Scope,
    index: SearchIndex,
    question: IndexQuestion,
    thresholds: GateThresholds,
    settings: SearchSettings,
    *,
    embed: Embed,
) -> RankedMemories:
    """All candidates with their scores; nothing when the store knows nothing about the query.
    ``embed`` gives a vector to what the index has none of."""
    request = scope.request
    depth = max(settings.depth, request.limit)
    lists = look_up_memories(index, question, depth=depth, wanted=request.limit, keep=scope.visible)
    noise = thresholds.noise if request.threshold else -1.0
    names = names_in(question.query, [memory.content for memory in lists.memories.values()])
    degrees = Degrees(question.query, lists, thresholds, least=request.threshold)
    if names and not _tells_more_than(names, lists, degrees):
        lists = look_up_asked(
            index, question, lists, names, depth=settings.depth, keep=scope.visible
        )
    if request.as_of is not None:
        lists = with_hidden(lists, scope, question, embed, depth=depth)
    degrees = Degrees(question.query, lists, thresholds, least=request.threshold)
    if not _knows(lists, degrees, noise):
        lists = look_up_translated(index, question, lists, depth=settings.depth, keep=scope.visible)
        degrees = Degrees(question.query, lists, thresholds, least=request.threshold)
        if not _knows(lists, degrees, noise):
            return RankedMemories(ScoreSheet(), {})
    return _fused(scope, question.query, lists, degrees, noise, settings)


def _fused(
    scope: Scope,
    query: Query,
    lists: IndexLists,
    degrees: Degrees,
    noise: float,
    settings: SearchSettings,
) -> RankedMemories:
    """What the lists hold, and what the graph and the sessions add, with the scores of all that
    they say together."""
    weights = settings.list_weights.with_text_trusted(_trust_in_words(lists, degrees, settings))
    sheet = ScoreSheet()
    for found in base_lists(lists, weights, noise):
        fuse(sheet, found, settings.fusion, settings.rrf_k)
    seeds = {
        key: sheet.scores[key]
        for key in sheet.best(settings.graph_seeds)
        if _leads(lists.memories[key], degrees)
    }
    reached = expand(scope.graph, seeds, settings)
    further = sorted(reached.keys() - lists.memories.keys())
    memories = {**lists.memories, **(scope.visible(further) if further else {})}
    pairs = ((key, reached[key]) for key in in_order(reached) if key in memories)
    around = RankedList("graph", weights.graph, ranked(pairs, floor=0.0, full=1.0))
    fuse(sheet, around, settings.fusion, settings.rrf_k)
    session = ranking.session_list(seeds, memories, weights.session)
    fuse(sheet, session, settings.fusion, settings.rrf_k)
    ranking.weigh_texts(sheet, memories, query, settings)
    shares = {key: degrees.share(memories[key]) for key in sheet.best(settings.telling_depth)}
    ranking.weigh_telling(sheet, shares, settings.telling_bonus)
    if settings.fusion is Fusion.RELATIVE:
        ranking.drop_tail(sheet, settings.least_share)
    leading = frozenset(key for key in sheet.scores if _leads(memories[key], degrees))
    return RankedMemories(sheet, memories, leading)


def _knows(lists: IndexLists, degrees: Degrees, noise: float) -> bool:
    """Whether any of the best rows says enough to be an answer; what only a cosine within ``noise``
    found would have no score."""
    nearest = (*lists.vector[:GATE_DEPTH], *lists.asked[:GATE_DEPTH])
    best = [*(hit for hit in nearest if hit.score > noise), *lists.text[:GATE_DEPTH]]
    return any(
        degrees.suffices(lists.memories[key]) for key in dict.fromkeys(hit.id for hit in best)
    )


def _tells_more_than(names: frozenset[str], lists: IndexLists, degrees: Degrees) -> bool:
    """Whether one of the best rows is an answer and tells a word of the query that is no name: then
    it need not be searched once more for what is asked about the names."""
    terms = terms_of_names(names)
    best = [*lists.vector[:GATE_DEPTH], *lists.text[:GATE_DEPTH]]
    return any(
        degrees.tells_more_than(terms, lists.memories[key])
        for key in dict.fromkeys(hit.id for hit in best)
    )


def _trust_in_words(lists: IndexLists, degrees: Degrees, settings: SearchSettings) -> float:
    """How much the list by words counts, in 0..1: BM25 gives the best of its rows a high score even
    if that shares but an idle word with the query."""
    shares = [degrees.share(lists.memories[hit.id]) for hit in lists.text[:TRUST_DEPTH]]
    most = max(shares, default=0.0) / settings.share_of_full_trust
    return min(1.0, max(settings.least_trust, most))


def _leads(memory: Memory, degrees: Degrees) -> bool:
    """Whether what is linked with a memory may come with it: with an outdated one only if that
    says enough itself, for the texts that stand in its place may be about nothing of the kind."""
    return memory.superseded_by is None or degrees.suffices(memory)
