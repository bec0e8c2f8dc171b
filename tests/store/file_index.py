"""A SearchIndex of pickled rows in a folder: what it holds survives the process, as on a disk."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from memctl.memory import EntryKind, MemoryFilter
from memctl.store.index import IndexEntry, IndexHit


class FileIndex:
    """Each change is one rename, so a process that dies leaves the old or the new rows."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.waits: list[bool] = []
        """For each time that it was to be tidied up, whether more rows may wait for that."""

    def put(
        self,
        kind: EntryKind,
        entries: Sequence[IndexEntry],
        *,
        is_alone: bool = False,  # noqa: ARG002
    ) -> None:
        self._save(kind, self.rows(kind) | {entry.id: entry for entry in entries})

    def delete(self, kind: EntryKind, ids: Iterable[str]) -> None:
        gone = set(ids)
        rows = self.rows(kind)
        self._save(kind, {key: row for key, row in rows.items() if key not in gone})

    def rows(self, kind: EntryKind) -> dict[str, IndexEntry]:
        path = self._folder / kind.value
        return pickle.loads(path.read_bytes()) if path.exists() else {}

    def vectors(self, kind: EntryKind, ids: Iterable[str]) -> dict[str, Any]:
        rows = self.rows(kind)
        found = [rows[entry_id] for entry_id in ids if entry_id in rows]
        return {entry.id: entry.vector for entry in found if entry.vector is not None}

    def ids(self, kind: EntryKind) -> set[str]:
        return set(self.rows(kind))

    def ids_without_vector(self, kind: EntryKind) -> set[str]:
        return {key for key, row in self.rows(kind).items() if row.vector is None}

    def count(self, kind: EntryKind) -> int:
        return len(self.rows(kind))

    def optimise_if_due(self, *, is_filling: bool = False) -> bool:
        self.waits.append(is_filling)
        return True

    def search_vector(
        self, kind: EntryKind, vector: Any, limit: int, memory_filter: MemoryFilter | None = None
    ) -> list[IndexHit]:
        raise NotImplementedError

    def search_text(
        self, kind: EntryKind, query: str, limit: int, memory_filter: MemoryFilter | None = None
    ) -> list[IndexHit]:
        raise NotImplementedError

    def close(self) -> None:
        """Nothing is held."""

    def _save(self, kind: EntryKind, rows: dict[str, IndexEntry]) -> None:
        draft = self._folder / f"{kind.value}.draft"
        draft.write_bytes(pickle.dumps(rows))
        draft.rename(self._folder / kind.value)
