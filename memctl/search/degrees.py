"""How much speaks for each candidate as an answer to one question, worked out when asked for."""

from __future__ import annotations

from memctl.memory import Memory
from memctl.search.concepts import Telling, telling_of, wanted_words
from memctl.search.gate import GateThresholds, degree_of_evidence, rise, usual_similarity
from memctl.search.lookup import IndexLists
from memctl.search.query import Query

LACKED_ATTRIBUTE_FACTOR = 0.5
"""What is left of the degree of a text that does not speak of the attribute which is asked for,
however near it is: it may be about the person whose telephone number somebody wants."""

LEAST_ASKED_RISE = 0.08
"""How far a text must rise above noise by what is asked, where it shares nothing but a name with
the query. Of 48 questions about something that was never told of somebody known, 10 reach it, and
19 of 21 that are answered do. Up to .12 the same."""


class Degrees:
    """The degrees of evidence of candidates, by their own cosine and words."""

    def __init__(
        self,
        query: Query,
        lists: IndexLists,
        thresholds: GateThresholds,
        *,
        least: float,
    ) -> None:
        """``lists`` are what the index found; ``least`` in 0..1 is the degree from which a text may
        be an answer."""
        contents = [memory.content for memory in lists.memories.values()]
        self._words = wanted_words(query, contents)
        self._similarities = {hit.id: hit.score for hit in lists.vector}
        self._asked_similarities = {hit.id: hit.score for hit in lists.asked}
        self._asked_terms = {word.term for word in self._words if word.weight} - lists.name_terms
        self._at_most = lists.vector[-1].score if lists.vector else None
        self._usual = usual_similarity([hit.score for hit in lists.vector])
        self._thresholds = thresholds
        self._least = least
        self._tellings: dict[str, Telling] = {}

    def share(self, memory: Memory) -> float:
        """How much of the query's words a memory tells, in 0..1."""
        return self._telling(memory).share

    def suffices(self, memory: Memory) -> bool:
        """Whether enough speaks for a memory; one that no vector found is taken for as near as the
        last that one found."""
        similarity = self._similarities.get(memory.id, self._at_most)
        telling = self._telling(memory)
        degree = degree_of_evidence(similarity, telling.share, self._thresholds, self._usual)
        factor = LACKED_ATTRIBUTE_FACTOR if telling.lacks_attribute else 1.0
        if degree * factor < self._least:
            return False
        return self._least == 0 or not self._is_only_named(memory)

    def tells_more_than(self, terms: frozenset[str], memory: Memory) -> bool:
        """Whether enough speaks for a memory, and it tells a word of some weight that is none of
        ``terms``."""
        weighty = {word.term for word in self._words if word.weight} - terms
        return self.suffices(memory) and not weighty.isdisjoint(self._telling(memory).told)

    def _is_only_named(self, memory: Memory) -> bool:
        """Whether a memory has to do with the query by nothing but a name: it tells none of what is
        asked, neither by its words nor by its meaning."""
        if not (self._asked_similarities and self._asked_terms):
            return False
        if not self._asked_terms.isdisjoint(self._telling(memory).told):
            return False
        similarity = self._asked_similarities.get(memory.id, -1.0)
        return rise(similarity, self._thresholds) < LEAST_ASKED_RISE

    def _telling(self, memory: Memory) -> Telling:
        found = self._tellings.get(memory.id)
        if found is None:
            found = self._tellings[memory.id] = telling_of(self._words, memory.content)
        return found
