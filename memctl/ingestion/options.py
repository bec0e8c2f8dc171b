"""What one run of ingestion is told."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestOptions:
    """What a run adds to every document."""

    channel_id: str | None = None
    tags: tuple[str, ...] = ()
    password: str | None = None
    pdf_timeout_seconds: float = 60.0
    chunk_tokens: int = 200
