"""A store with recall for tests, whose memories are named by their contents."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

from fakes.steady_clock import SteadyClock

from memctl.embedding import Embedder
from memctl.memory import MemoryFilter, MemoryType, RelationType
from memctl.new_memory import NewMemory
from memctl.search.recall import Recall
from memctl.search.request import RecallRequest
from memctl.search.settings import SearchSettings
from memctl.search_hit import SearchResult
from memctl.store.database import Database
from memctl.store.graph import Graph
from memctl.store.index import SearchIndex
from memctl.store.memory_store import MemoryStore


class Library:
    """A store with recall. Memories are named by their contents."""

    def __init__(self, folder: Path, index: SearchIndex, embedder: Embedder) -> None:
        self.folder = folder
        self.clock = SteadyClock()
        self.index = index
        self.embedder = embedder
        self.built: list[str] = []
        self.database = Database.open(folder / "memctl.db", clock=self.clock)
        self.graph = Graph(self.database)
        self.store = MemoryStore(
            self.database, index_factory=lambda: index, embedder_factory=lambda: embedder
        )
        self.recaller = self.make_recall()

    def make_recall(self, settings: SearchSettings | None = None) -> Recall:
        def index() -> SearchIndex:
            self.built.append("index")
            return self.index

        def embedder() -> Embedder:
            self.built.append("embedder")
            return self.embedder

        return Recall(
            self.graph,
            index_factory=index,
            embedder_factory=embedder,
            clock=lambda: self.clock.now,
            settings=settings,
        )

    def save(self, *contents: str, **fields: Any) -> list[str]:
        with self.store.operation("save") as operation:
            fields.setdefault("memory_type", MemoryType.FACT)
            receipts = operation.save_many(
                [NewMemory(content=content, **fields) for content in contents]
            )
        self.store.drain()
        return [receipt.id for receipt in receipts]

    def link(self, source: str, relation: RelationType, target: str, weight: float = 1.0) -> None:
        with self.store.operation("link") as operation:
            operation.associate([(source, target, relation, weight)])

    def supersede(self, old: str, by: str) -> None:
        with self.store.operation("save") as operation:
            operation.supersede(old, by=by)
        self.store.drain()

    def recall(self, query: str = "", **options: Any) -> SearchResult:
        return self.recaller.recall(RecallRequest(query=query, **options))

    def found(self, query: str = "", **options: Any) -> list[str]:
        return [hit.memory.content for hit in self.recall(query, **options).hits if hit.memory]

    def filtered(self, query: str, limit: int = 10, **fields: Any) -> list[str]:
        return self.found(query, limit=limit, memory_filter=MemoryFilter(**fields))

    @property
    def now(self) -> datetime:
        return self.clock.now
