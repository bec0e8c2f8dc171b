"""How much speaks for each candidate as an answer to one question, worked out when asked for."""

from __future__ import annotations

from collections.abc import Sequence

from memctl.memory import Memory
from memctl.search.evidence import coverage
from memctl.search.gate import GateThresholds, degree_of_evidence
from memctl.search.lookup import IndexQuestion
from memctl.store.index import IndexHit


class Degrees:
    """The degrees of evidence of candidates, by their own cosine and words."""

    def __init__(
        self,
        question: IndexQuestion,
        nearest: Sequence[IndexHit],
        thresholds: GateThresholds,
        *,
        least: float,
    ) -> None:
        """``nearest`` are the rows found by vector, best first; ``least`` in 0..1 is the degree
        from which a text may be an answer."""
        self._terms = question.query.terms
        self._similarities = {hit.id: hit.score for hit in nearest}
        self._at_most = nearest[-1].score if nearest else None
        self._thresholds = thresholds
        self._least = least

    def suffices(self, memory: Memory) -> bool:
        """Whether enough speaks for a memory; one that no vector found is taken for as near as the
        last that one found."""
        similarity = self._similarities.get(memory.id, self._at_most)
        share = coverage(self._terms, memory.content)
        return degree_of_evidence(similarity, share, self._thresholds) >= self._least
