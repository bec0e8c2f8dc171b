"""The search index: vectors and full text, derived from SQLite and rebuilt from it at any time.

``SearchIndex`` is what the rest of memctl knows; ``store/lance_index`` is its LanceDB adapter. The
index is fed by the outbox only and holds no fact of its own.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from memctl.errors import MemctlError, SearchIndexError
from memctl.memory import EntryKind, EventTime, MemoryFilter, MemoryType, Origin

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexEntry:
    """A row of the index: a visible memory or a chunk, and the columns that filters need.

    ``vector`` has shape (dimension,), float32, norm 1, or is None: such a row is found by full
    text only. The memory-only fields are empty for chunks.
    """

    id: str
    kind: EntryKind
    content: str
    vector: NDArray[np.float32] | None
    created_at: datetime
    memory_type: MemoryType | None = None
    channel_id: str | None = None
    session_id: str | None = None
    source: str | None = None
    origin: Origin | None = None
    tags: tuple[str, ...] = ()
    event_at: EventTime | None = None


@dataclass(frozen=True, slots=True)
class IndexHit:
    """A row found: ``score`` is a cosine similarity (vectors) or a BM25 score (text)."""

    id: str
    score: float


class SearchIndex(Protocol):
    """Rows keyed by id, in one table for each kind.

    Searches return hits with the best score first, equal scores by id; a filter applies before
    the limit, except ``minimum_importance`` and ``pinned``, which the index does not know.
    """

    def put(
        self, kind: EntryKind, entries: Sequence[IndexEntry], *, is_alone: bool = False
    ) -> None:
        """Inserts rows or replaces those of the same id, all at once. ``is_alone`` promises that
        nobody else puts rows meanwhile, which makes new ones cheaper."""
        ...

    def delete(self, kind: EntryKind, ids: Iterable[str]) -> None:
        """Removes rows; unknown ids are no error."""
        ...

    def search_vector(
        self,
        kind: EntryKind,
        vector: NDArray[np.float32],
        limit: int,
        memory_filter: MemoryFilter | None = None,
    ) -> list[IndexHit]:
        """The nearest rows by cosine similarity."""
        ...

    def search_vectors(
        self,
        kind: EntryKind,
        vectors: Sequence[NDArray[np.float32]],
        limit: int,
        least: float = -math.inf,
    ) -> list[list[IndexHit]]:
        """For each vector its nearest rows of a cosine of ``least`` or more, exactly; made for many
        vectors at once."""
        ...

    def search_text(
        self,
        kind: EntryKind,
        query: str,
        limit: int,
        memory_filter: MemoryFilter | None = None,
    ) -> list[IndexHit]:
        """The best rows by BM25 over any of the query's terms. Any text is a valid query."""
        ...

    def vectors(self, kind: EntryKind, ids: Iterable[str]) -> dict[str, NDArray[np.float32]]:
        """The stored vectors of those ids that have one."""
        ...

    def all_vectors(self, kind: EntryKind) -> Iterator[tuple[list[str], NDArray[np.float32]]]:
        """All ids with a vector, some thousand at a time, with their vectors of shape (n, d)."""
        ...

    def ids(self, kind: EntryKind) -> set[str]:
        """All ids of a kind."""
        ...

    def ids_without_vector(self, kind: EntryKind) -> set[str]:
        """The ids that only full text finds yet."""
        ...

    def count(self, kind: EntryKind) -> int:
        """How many rows of a kind there are."""
        ...

    def optimise_if_due(self, *, is_filling: bool = False) -> bool:
        """Compacts, folds new rows into the indexes and drops old versions when enough changed
        to make that worth while; True when it did. ``is_filling`` says that many more rows are
        about to come, so that more of them may wait."""
        ...

    def close(self) -> None:
        """Lets go of files and memory."""
        ...


def index_warning(error: MemctlError) -> str:
    """What is said of an error that keeps changes from the index while the command goes on."""
    if isinstance(error, SearchIndexError):
        return f"{error}; nothing is lost, and `memctl doctor --fix` builds the index again"
    return str(error)
