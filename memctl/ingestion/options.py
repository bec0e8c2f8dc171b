"""What one run of ingestion is told."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path


def never() -> bool:
    """A run that nobody stops."""
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestOptions:
    """What a run adds to every document, and its bounds.

    ``retry``: also try what was given up. ``archive_folder``: documents that were moved there are
    known by their content. ``should_stop`` is asked between two steps, at least once a second
    while a model is waited for; when it says so the run ends, and leaves the document in hand as
    it was or with the chunks that are finished. ``breakable`` stands around what changes nothing
    and may take long: BrokenOff may be raised there, once ``should_stop`` says so.
    """

    channel_id: str | None = None
    tags: tuple[str, ...] = ()
    password: str | None = None
    pdf_timeout_seconds: float = 60.0
    chunk_tokens: int = 200
    max_attempts: int = 5
    max_concurrency: int = 1
    settle_memories: int = 512
    """New memories after which the index is brought up to date: enough for full batches."""
    retry: bool = False
    archive_folder: Path | None = None
    should_stop: Callable[[], bool] = never
    breakable: AbstractContextManager[None] = field(default_factory=nullcontext)
