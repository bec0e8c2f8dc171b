"""The place on disk where the search index lies: a folder of memctl's own, or what is in its way.

What lies there holds no fact that the database does not hold, so it may always be removed.
"""

from __future__ import annotations

import os
from enum import StrEnum
from pathlib import Path

from memctl.store.sqlite_errors import translate_system_error

FOLDER_MODE = 0o700

LOST_DATABASE_WARNING = (
    "the database {path} is gone, though its search index is there: an empty store is begun; "
    "`memctl restore-backup FILE` brings a backup back"
)


class PlaceState(StrEnum):
    """What a place for an index is; only FREE and FOLDER can be written to."""

    FREE = "free"
    FOLDER = "folder"
    OTHER = "no folder"
    CLOSED = "closed folder"
    READ_ONLY = "folder on a read-only file system"


def look_at_place(folder: Path) -> PlaceState:
    """What lies at ``folder``. Nothing is changed."""
    if not os.path.lexists(folder):
        return PlaceState.FREE
    if not folder.is_dir():
        return PlaceState.OTHER
    if os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        return PlaceState.FOLDER
    is_read_only = os.statvfs(folder).f_flag & os.ST_RDONLY
    return PlaceState.READ_ONLY if is_read_only else PlaceState.CLOSED


def is_left_alone(database_path: Path, folder: Path) -> bool:
    """Whether an index lies at ``folder`` while the database that it was built from is missing or
    of no bytes."""
    if database_path.exists() and database_path.stat().st_size > 0:
        return False
    return look_at_place(folder) is PlaceState.FOLDER and any(folder.glob("*.lance"))


def free_place(folder: Path) -> None:
    """Lets an index be made at ``folder``: removes what is no folder, opens one that is closed.

    Raises StoreError and its kinds where the system does not allow that.
    """
    state = look_at_place(folder)
    try:
        if state is PlaceState.OTHER:
            folder.unlink()
        elif state is PlaceState.CLOSED:
            folder.chmod(FOLDER_MODE)
    except OSError as error:
        raise translate_system_error(error, folder) from error
