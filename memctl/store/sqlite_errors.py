"""What SQLite's and the system's errors mean to the user.

Every error by which a disk, a lock or a damaged file stops a statement becomes one of our own;
those that only a mistake in our code can cause stay as they are.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from pathlib import Path

from memctl.errors import (
    CorruptStoreError,
    FullDiskError,
    LockedError,
    MemctlError,
    ReadOnlyStoreError,
    StoreError,
)
from memctl.store.locks import sqlite_writer

_PRIMARY_CODE_MASK = 0xFF
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_CORRUPT = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_DENIED = {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH}
_SYSTEM = {sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN}
_UNWRITTEN = {
    sqlite3.SQLITE_IOERR_WRITE,
    sqlite3.SQLITE_IOERR_FSYNC,
    sqlite3.SQLITE_IOERR_TRUNCATE,
}
_READ_ONLY_ERRNOS = {errno.EACCES, errno.EPERM, errno.EROFS}
_FULL_ERRNOS = {errno.ENOSPC, errno.EDQUOT}

UNDECODABLE = "Could not decode to UTF-8"
"""How the driver begins its only error that is its own and not SQLite's: a text is no UTF-8."""

LOW_SPACE_BYTES = 65_536
"""Below this much free space an I/O error is taken for a full disk: less than one -shm region
and a page cannot be written."""


def translate_sqlite_error(
    error: BaseException | None, path: Path, *, waited_seconds: float
) -> MemctlError | None:
    """Our error for one of the sqlite3 module's, or None where it is a fault of our own code."""
    code = getattr(error, "sqlite_errorcode", None)
    if isinstance(error, sqlite3.OperationalError) and str(error).startswith(UNDECODABLE):
        return CorruptStoreError(path=path, why=str(error))
    if not isinstance(error, sqlite3.Error) or code is None:
        return None
    primary = code & _PRIMARY_CODE_MASK
    if primary in _BUSY:
        what, holder = f"write to the store {path}", sqlite_writer(path)
        return LockedError(what=what, holder=holder, waited_seconds=waited_seconds)
    if primary == sqlite3.SQLITE_FULL or (primary in _SYSTEM and _is_full(path)):
        return FullDiskError(path=path)
    kind = _kind_of(error, primary, path)
    return None if kind is None else kind(path=path, why=str(error))


def writing_refused(error: sqlite3.Error, target: Path) -> OSError | None:
    """The system's error behind one of SQLite's, where it could not write ``target``; None where
    anything else went wrong. SQLite does not tell what the system said."""
    if error.sqlite_errorcode & _PRIMARY_CODE_MASK == sqlite3.SQLITE_FULL:
        return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(target))
    if error.sqlite_errorcode in _UNWRITTEN:
        return OSError(errno.EIO, str(error), str(target))
    return None


def _kind_of(error: sqlite3.Error, primary: int, path: Path) -> type[StoreError] | None:
    if primary in _CORRUPT:
        return CorruptStoreError
    if primary in _DENIED or (primary in _SYSTEM and not _is_writable(path)):
        return ReadOnlyStoreError
    if isinstance(error, sqlite3.OperationalError | sqlite3.InternalError | sqlite3.DataError):
        return StoreError
    return None


def translate_system_error(error: OSError, path: Path) -> MemctlError:
    """Our error for a folder or file of the store that the system refuses."""
    why = error.strerror or str(error)
    if error.errno in _FULL_ERRNOS:
        return FullDiskError(path=path)
    if error.errno in _READ_ONLY_ERRNOS:
        return ReadOnlyStoreError(path=path, why=why)
    return StoreError(path=path, why=why)


def _is_full(path: Path) -> bool:
    try:
        system = os.statvfs(path.parent)
    except OSError:
        return False
    return system.f_bavail * system.f_frsize < LOW_SPACE_BYTES


def _is_writable(path: Path) -> bool:
    return os.access(path.parent, os.W_OK) and (not path.exists() or os.access(path, os.W_OK))
