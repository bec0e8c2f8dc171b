"""What `status` shows of a store, and how it is gathered."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from memctl.errors import SearchIndexError
from memctl.ingestion.heartbeat import Heartbeat, read_heartbeat
from memctl.memory import EntryKind
from memctl.store.counting import StoreCounts

if TYPE_CHECKING:
    from memctl.config import Settings
    from memctl.store.database import Database
    from memctl.store.graph import Graph
    from memctl.store.index import SearchIndex

LAST_MODEL_RUN_FACT = "last_model_run"
"""The fact of the store that says what the last run of a language model has cost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreStatus:
    """What a store holds, as `status` shows it. Models are named, None where there is none."""

    location: str
    schema_version: int
    created_at: datetime | None
    counts: StoreCounts
    indexed_memories: int | None
    indexed_chunks: int | None
    index_error: SearchIndexError | None
    """Why the rows of the search index cannot be counted; the two counts are None then."""
    stored_model: str | None
    configured_model: str
    language_model: str | None
    watch: Heartbeat | None
    last_model_run: dict[str, Any] | None
    """``at``, ``model``, ``calls``, ``input_tokens``, ``output_tokens``, ``cost_usd``."""


def gather_status(
    database: Database, graph: Graph, index_factory: Callable[[], SearchIndex], settings: Settings
) -> StoreStatus:
    """Reads all of it; a search index that cannot be used is said, and no reason to know less."""
    facts = graph.facts()
    last_run = facts.get(LAST_MODEL_RUN_FACT)
    stored = graph.embedding_model()
    created_at = facts.get("created_at")
    indexed, index_error = _index_counts(index_factory)
    return StoreStatus(
        location=database.location,
        schema_version=int(facts["schema_version"]),
        created_at=None if created_at is None else datetime.fromisoformat(created_at),
        counts=graph.counts(),
        indexed_memories=indexed.get(EntryKind.MEMORY),
        indexed_chunks=indexed.get(EntryKind.CHUNK),
        index_error=index_error,
        stored_model=None if stored is None else stored.name,
        configured_model=settings.embedding.model,
        language_model=settings.llm.model,
        watch=read_heartbeat(facts),
        last_model_run=None if last_run is None else json.loads(last_run),
    )


def _index_counts(
    index_factory: Callable[[], SearchIndex],
) -> tuple[dict[EntryKind, int], SearchIndexError | None]:
    """The rows of the search index by kind, or why they cannot be counted."""
    try:
        index = index_factory()
        return {kind: index.count(kind) for kind in EntryKind}, None
    except SearchIndexError as error:
        return {}, error
