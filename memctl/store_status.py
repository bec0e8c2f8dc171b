"""What `status` shows of a store: a value, gathered by the runtime."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from memctl.store.counting import StoreCounts

if TYPE_CHECKING:
    from memctl.ingestion.heartbeat import Heartbeat


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreStatus:
    """What a store holds, as `status` shows it. Models are named, None where there is none."""

    location: str
    schema_version: int
    created_at: datetime | None
    counts: StoreCounts
    indexed_memories: int
    indexed_chunks: int
    stored_model: str | None
    configured_model: str
    language_model: str | None
    watch: Heartbeat | None
    last_model_run: dict[str, Any] | None
    """``at``, ``model``, ``calls``, ``input_tokens``, ``output_tokens``, ``cost_usd``."""
