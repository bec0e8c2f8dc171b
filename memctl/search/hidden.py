"""Memories that are hidden by now and were not at the time that a request asks about.

The search index has lost them, so that they are compared with the query here, one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from memctl.memory import Memory
from memctl.search.evidence import coverage
from memctl.search.lookup import IndexLists, IndexQuestion
from memctl.search.scope import Scope
from memctl.store.index import IndexHit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_COMPARED = 256
"""Hidden memories whose vectors are made for one request: half a second's work of the model."""

Embed = Callable[[Sequence[str]], "NDArray[np.float32]"]
"""Gives texts their vectors: shape (texts, dimension), float32, norm 1."""


def with_hidden(
    lists: IndexLists, scope: Scope, question: IndexQuestion, embed: Embed, *, depth: int
) -> IndexLists:
    """``lists`` with what has been hidden since the time of the request, each again best first and
    at most ``depth`` rows long.

    Of very many hidden memories, those that hold most of the query's words are compared. A text
    that holds all of them counts as much as the best that the index found by text. Where the query
    has names, what it asks about them is not looked for apart.
    """
    terms = question.query.terms
    memories = {memory.id: memory for memory in scope.hidden_since()}
    held = {key: coverage(terms, memory.content) for key, memory in memories.items()}
    near = sorted(memories, key=lambda key: -held[key])[:MOST_COMPARED]
    best = lists.text[0].score if lists.text else 1.0
    text = [IndexHit(key, held[key] * best) for key in near if held[key]]
    vector = _similarities(question, memories, near, embed)
    return replace(
        lists,
        vector=_best(lists.vector, vector, depth),
        text=_best(lists.text, text, depth),
        asked=_best(lists.asked, vector, depth) if lists.asked else (),
        memories={**lists.memories, **{key: memories[key] for key in near}},
    )


def _similarities(
    question: IndexQuestion, memories: Mapping[str, Memory], keys: Sequence[str], embed: Embed
) -> list[IndexHit]:
    if question.vector is None or not keys:
        return []
    vectors = embed([memories[key].content for key in keys])
    return [
        IndexHit(key, float(similarity))
        for key, similarity in zip(keys, vectors @ question.vector, strict=True)
    ]


def _best(found: Sequence[IndexHit], further: Sequence[IndexHit], depth: int) -> list[IndexHit]:
    return sorted([*found, *further], key=lambda hit: -hit.score)[:depth]
