"""What a watching process is given to work with, and what it is told to watch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from memctl.ingestion.own_folder import OwnFolder

if TYPE_CHECKING:
    from memctl.ingestion.discovery import Found
    from memctl.ingestion.drop_folder import DropFolder
    from memctl.ingestion.options import IngestOptions
    from memctl.ingestion.receipt import DocumentReceipt
    from memctl.store.database import Database
    from memctl.store.graph import Graph
    from memctl.store.memory_store import MemoryStore


class Log(Protocol):
    """Writes one line about one thing that happened; ``level`` is info, warning or error."""

    def __call__(self, event: str, *, level: str = "info", **details: object) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchSettings:
    """What is watched, and how often it is looked at without being told of a change."""

    folders: tuple[Path, ...]
    rescan_seconds: float
    poll_seconds: float
    max_bytes: int
    own_folder: OwnFolder


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchParts:
    """What the daemon works with. ``finished`` gets each receipt, with the place that its file was
    moved to; ``renew_budget`` is called when a new day's spending begins."""

    database: Database
    store: MemoryStore
    graph: Graph
    ingest: Callable[[Sequence[Found], IngestOptions], Iterator[DocumentReceipt]]
    options: IngestOptions
    drop_folder: DropFolder | None
    log: Log
    finished: Callable[[DocumentReceipt, Path | None], None]
    renew_budget: Callable[[], None]
    clock: Callable[[], datetime]
