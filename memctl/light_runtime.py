"""What light commands need of a store that is there and in order, built without heavy libraries.

It gives the answers of ``runtime`` for the questions that it takes; whoever asks another one, or
finds no light runtime, goes to that one.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from memctl.config import DATABASE_NAME
from memctl.store.light_graph import LightGraph

if TYPE_CHECKING:
    from memctl.config import Settings
    from memctl.search.request import RecallRequest
    from memctl.search_hit import SearchResult


class LightRuntime:
    """An opened store for reading; ``close`` it at the end."""

    def __init__(self, graph: LightGraph, *, clock: Callable[[], datetime]) -> None:
        self.graph = graph
        self.clock = clock

    @classmethod
    def open(cls, settings: Settings, *, clock: Callable[[], datetime]) -> LightRuntime | None:
        """The store of the settings; None where it needs more than to be read."""
        store = settings.store
        if store.database_url is not None:
            return None
        graph = LightGraph.open(store.path / DATABASE_NAME, wait_seconds=store.wait_seconds)
        return None if graph is None else cls(graph, clock=clock)

    @staticmethod
    def takes(request: RecallRequest) -> bool:
        """Whether ``recall`` can answer this request."""
        return not request.needs_index and request.as_of is None

    def recall(self, request: RecallRequest) -> SearchResult:
        """As ``Runtime.recall``, for a request that this ``takes``."""
        from memctl.search.listing import answer_in_order

        return answer_in_order(self.graph, request, self.clock())

    def record_accesses(self, result: SearchResult) -> None:
        """As ``Runtime.record_accesses``."""
        ids = [hit.memory.id for hit in result.hits if hit.memory is not None]
        if ids:
            self.graph.record_accesses(ids, self.clock())

    def close(self) -> None:
        """Lets go of the store."""
        self.graph.close()
