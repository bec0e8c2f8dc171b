"""The store's own folder, whose files are nobody's documents; the drop folder may lie in it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

STORES_OWN = "it belongs to the store"
"""Why a path of the store is left out."""


@dataclass(frozen=True, slots=True)
class OwnFolder:
    """Folders of the store and for dropped files, absolute and without symbolic links."""

    store: Path
    drop: Path

    def holds(self, path: Path) -> bool:
        """Whether a path lies in the store's folder, or is it, and is not in the drop folder."""
        is_dropped = self.store in self.drop.parents and path.is_relative_to(self.drop)
        return path.is_relative_to(self.store) and not is_dropped

    def dropped_below(self, folder: Path) -> Path | None:
        """The drop folder, where it lies in one of the store's folders."""
        return self.drop if folder in self.drop.parents else None
