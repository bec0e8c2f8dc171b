"""Whole copies of a store that lie beside it: those that were set aside when a backup took their
place, and what a restoring left that was killed.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from memctl.backup.archive import DATABASE_MEMBER
from memctl.store.locks import folder_lock

ASIDE_PREFIX = "replaced-"
"""Begins the names of folders with stores that a backup has replaced."""

STAGING_PREFIX = ".memctl-restore-"
"""Begins the names of folders in which a backup is laid out before it takes the store's place."""


def kept_stores(home: Path) -> list[Path]:
    """The folders in ``home`` that hold replaced stores, the oldest first."""
    folders = sorted(home.glob(f"{ASIDE_PREFIX}*"))
    return [folder for folder in folders if (folder / DATABASE_MEMBER).is_file()]


def abandoned(home: Path) -> list[Path]:
    """The folders in ``home`` that killed restorings left: nobody works in them."""
    found = []
    for folder in sorted(home.glob(f"{STAGING_PREFIX}*")):
        with folder_lock(folder) as is_ours:
            if is_ours:
                found.append(folder)
    return found


def remove_abandoned(home: Path) -> None:
    """Removes what killed restorings left in ``home``."""
    for folder in abandoned(home):
        shutil.rmtree(folder)
