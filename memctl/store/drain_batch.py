"""The outbox rows that a drain has in hand, with the vectors for what they name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memctl.store.outbox_rows import EntryKey, OutboxRow
from memctl.store.truth import VisibleEntry

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Truth = Mapping[EntryKey, VisibleEntry]
"""What ought to be in the index, read at one moment."""

Vectors = dict[EntryKey, "NDArray[np.float32]"]
"""Vectors of shape (dimension,) and norm 1."""


@dataclass(slots=True)
class DrainBatch:
    """Rows in hand with what was true when they were read, and the vectors for that."""

    rows: Sequence[OutboxRow]
    keys: Sequence[EntryKey]
    seen: Truth
    stored: Vectors
    made: Vectors = field(default_factory=dict)

    def vector(self, key: EntryKey, truth: Truth) -> NDArray[np.float32] | None:
        """The vector for ``key``, if its text is still the one that was read."""
        if not self._fits(key, truth):
            return None
        return self.made.get(key, self.stored.get(key))

    def without_vector(self, truth: Truth) -> list[EntryKey]:
        """The keys whose vector could not be made. Where the text changed meanwhile it is not
        missing: that change has its own row."""
        return [
            key
            for key in self.keys
            if self._fits(key, truth) and key not in self.made and key not in self.stored
        ]

    def _fits(self, key: EntryKey, truth: Truth) -> bool:
        seen, now = self.seen.get(key), truth.get(key)
        return (
            seen is not None
            and now is not None
            and seen.wants_vector
            and now.wants_vector
            and seen.entry.content == now.entry.content
        )
