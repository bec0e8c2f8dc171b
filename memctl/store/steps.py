"""The steps of a write at which a process may die, by name.

Tests hand in a checkpoint that stops the process at one of them; in use it does nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum


class Step(StrEnum):
    """What has just been done when the checkpoint is called."""

    TRANSACTION_BEGUN = "transaction begun"
    TRUTH_WRITTEN = "truth written"
    JOURNAL_WRITTEN = "journal and outbox written"
    COMMITTED = "transaction committed"
    OUTBOX_READ = "outbox read"
    EMBEDDED = "texts embedded"
    INDEX_LOCKED = "index locked"
    MODEL_RECORDED = "embedding model recorded"
    INDEX_DELETED = "hidden rows deleted from the index"
    INDEX_PUT = "visible rows put into the index"
    OUTBOX_CLEARED = "outbox cleared"
    REBUILT_ROWS_PUT = "rows put into the index that is being built"
    INDEX_SWAPPED = "rebuilt index in its place"
    ERASED = "purged rows erased"
    ACCESSES_COUNTED = "accesses counted"


Checkpoint = Callable[[Step], None]


def no_checkpoint(step: Step) -> None:
    """Goes on."""
