"""The search index without a disk: brute force over a dictionary, under the contract of LanceIndex.

Text is analysed by the real analyser and ranked by BM25 (k1 = 1.2, b = 0.75), so that tests of
recall see the order that LanceDB would give, up to small differences of the scores.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from memctl.errors import DimensionMismatchError
from memctl.memory import EntryKind, MemoryFilter, happened_at
from memctl.store.index import IndexEntry, IndexHit
from memctl.store.terms import analyse_query, index_column


class MemoryIndex:
    """Rows in memory; lost when it is closed. ``optimised`` counts calls to tidy up."""

    def __init__(self, dimension: int) -> None:
        self._dimension = dimension
        self._rows: dict[EntryKind, dict[str, IndexEntry]] = {kind: {} for kind in EntryKind}
        self.is_new = True
        self.optimised = 0

    def put(
        self,
        kind: EntryKind,
        entries: Sequence[IndexEntry],
        *,
        is_alone: bool = False,  # noqa: ARG002
    ) -> None:
        for entry in entries:
            if entry.vector is not None:
                self._check(entry.vector)
        self._rows[kind] |= {entry.id: entry for entry in entries}

    def delete(self, kind: EntryKind, ids: Iterable[str]) -> None:
        for entry_id in ids:
            self._rows[kind].pop(entry_id, None)

    def search_vector(
        self,
        kind: EntryKind,
        vector: NDArray[np.float32],
        limit: int,
        memory_filter: MemoryFilter | None = None,
    ) -> list[IndexHit]:
        self._check(vector)
        scores = {
            entry.id: float(entry.vector @ vector)
            for entry in self._rows[kind].values()
            if entry.vector is not None
        }
        return self._best(kind, scores, limit, memory_filter)

    def search_vectors(
        self,
        kind: EntryKind,
        vectors: Sequence[NDArray[np.float32]],
        limit: int,
        least: float = -math.inf,
    ) -> list[list[IndexHit]]:
        each = (self.search_vector(kind, vector, limit) for vector in vectors)
        return [[hit for hit in hits if hit.score >= least] for hits in each]

    def search_text(
        self,
        kind: EntryKind,
        query: str,
        limit: int,
        memory_filter: MemoryFilter | None = None,
    ) -> list[IndexHit]:
        counts = {
            entry.id: Counter(index_column(entry.content).split())
            for entry in self._rows[kind].values()
        }
        weigh = _bm25(counts.values())
        terms = analyse_query(query)
        scores = {
            entry_id: sum(weigh(term, of) for term in terms) for entry_id, of in counts.items()
        }
        found = {entry_id: score for entry_id, score in scores.items() if score > 0}
        return self._best(kind, found, limit, memory_filter)

    def vectors(self, kind: EntryKind, ids: Iterable[str]) -> dict[str, NDArray[np.float32]]:
        rows = self._rows[kind]
        wanted = (rows[entry_id] for entry_id in ids if entry_id in rows)
        return {entry.id: entry.vector for entry in wanted if entry.vector is not None}

    def all_vectors(self, kind: EntryKind) -> Iterator[tuple[list[str], NDArray[np.float32]]]:
        for entry_id, vector in self.vectors(kind, self.ids(kind)).items():
            yield [entry_id], vector[np.newaxis]

    def ids(self, kind: EntryKind) -> set[str]:
        return set(self._rows[kind])

    def ids_without_vector(self, kind: EntryKind) -> set[str]:
        return {entry.id for entry in self._rows[kind].values() if entry.vector is None}

    def count(self, kind: EntryKind) -> int:
        return len(self._rows[kind])

    def optimise_if_due(self, *, is_filling: bool = False) -> bool:  # noqa: ARG002
        self.optimised += 1
        return False

    def close(self) -> None:
        for rows in self._rows.values():
            rows.clear()

    def _best(
        self,
        kind: EntryKind,
        scores: dict[str, float],
        limit: int,
        memory_filter: MemoryFilter | None,
    ) -> list[IndexHit]:
        hits = [
            IndexHit(entry_id, score)
            for entry_id, score in scores.items()
            if passes(self._rows[kind][entry_id], memory_filter or MemoryFilter())
        ]
        return sorted(hits, key=lambda hit: (-hit.score, hit.id))[: max(limit, 0)]

    def _check(self, vector: NDArray[np.float32]) -> None:
        if vector.shape != (self._dimension,):
            raise DimensionMismatchError(
                path=":memory:", found=vector.size, expected=self._dimension
            )


def passes(entry: IndexEntry, wanted: MemoryFilter) -> bool:
    """What a filter means, said in Python."""
    moment = happened_at(entry.event_at, entry.created_at)
    return (
        (not wanted.types or entry.memory_type in wanted.types)
        and (not wanted.channels or entry.channel_id in wanted.channels)
        and (not wanted.sessions or entry.session_id in wanted.sessions)
        and (not wanted.sources or entry.source in wanted.sources)
        and (not wanted.origins or entry.origin in wanted.origins)
        and set(wanted.tags) <= set(entry.tags)
        and (wanted.since is None or moment >= wanted.since)
        and (wanted.until is None or moment < wanted.until)
    )


def _bm25(documents: Iterable[Counter[str]]) -> Callable[[str, Counter[str]], float]:
    """The weight of a term in a document, among these documents."""
    all_documents = list(documents)
    total = len(all_documents)
    frequency = Counter(term for document in all_documents for term in document)
    mean_length = sum(document.total() for document in all_documents) / max(total, 1)

    def weigh(term: str, document: Counter[str]) -> float:
        rarity = math.log(1 + (total - frequency[term] + 0.5) / (frequency[term] + 0.5))
        length = 1.2 * (0.25 + 0.75 * document.total() / mean_length)
        return rarity * document[term] * 2.2 / (document[term] + length)

    return weigh
