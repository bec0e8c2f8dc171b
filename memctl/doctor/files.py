"""The doctor's look at files and folders: who may read them, how much room is left."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from memctl.backup.leftovers import abandoned, kept_stores
from memctl.doctor.finding import Finding, Repair, Severity
from memctl.plural import plural

OTHERS_MASK = 0o077
"""Permission bits of group and others, of which a store has none."""

WORKING_ROOM_BYTES = 10_000_000
"""Free space that any work on a store may take for a while: SQLite's journal, and the pieces of an
index before they are compacted."""

SHOWN_EXAMPLES = 5


def check_permissions(folder: Path) -> Iterator[Finding]:
    """Files that others could read, and files that are not this user's.

    What lies in a folder that is closed to others is out of their reach whatever its own mode.
    """
    is_closed = not folder.stat().st_mode & OTHERS_MASK
    open_paths, foreign_paths = [], []
    for path in _below(folder):
        status = path.lstat()
        if status.st_uid != os.geteuid():
            foreign_paths.append(path)
        elif not is_closed and status.st_mode & OTHERS_MASK and not path.is_symlink():
            open_paths.append(path)
    if open_paths:
        yield Finding(
            check="permissions",
            severity=Severity.WARNING,
            problem=f"other users may reach {len(open_paths):,} of the store's files and folders",
            fix="memctl doctor --fix",
            repair=Repair.PERMISSIONS,
            examples=_some(open_paths),
        )
    if foreign_paths:
        yield Finding(
            check="permissions",
            severity=Severity.WARNING,
            problem=plural(
                len(foreign_paths), "of the store's files belongs", "of the store's files belong"
            )
            + " to another user",
            fix=f"sudo chown -R {os.geteuid()} {folder}",
            examples=_some(foreign_paths),
        )


def close_to_others(folder: Path) -> None:
    """Takes from all but the owner what they may do with the store's files.

    The folder itself keeps its mode: whoever made it may have had a reason.
    """
    for path in _below(folder):
        status = path.lstat()
        if status.st_uid == os.geteuid() and not path.is_symlink():
            path.chmod(status.st_mode & ~OTHERS_MASK & 0o777)


def check_space(folder: Path, size_bytes: int) -> Iterator[Finding]:
    """Whether there is room to work, and room for a second index, which a rebuild needs."""
    free = shutil.disk_usage(folder).free
    wanted = WORKING_ROOM_BYTES + size_bytes
    if free < wanted:
        yield Finding(
            check="disk space",
            severity=Severity.ERROR if free < WORKING_ROOM_BYTES else Severity.WARNING,
            problem=f"{free / 1e6:,.0f} MB are free where the store lies; "
            f"rebuilding its index may need {wanted / 1e6:,.0f} MB",
            fix="free some space on that disk",
        )


def check_copies(home: Path) -> Iterator[Finding]:
    """Whole copies of the store that lie beside it: what a killed `restore-backup` left, and the
    stores that were replaced, which are the user's to keep."""
    left = abandoned(home)
    if left:
        yield Finding(
            check="copies",
            severity=Severity.WARNING,
            problem=f"{plural(len(left), 'folder')} of a restore-backup that was killed",
            fix="memctl doctor --fix removes what it left",
            repair=Repair.COPIES,
            examples=_some(left),
        )
    kept = kept_stores(home)
    if kept:
        size = sum(map(size_of, kept))
        yield Finding(
            check="copies",
            severity=Severity.NOTE,
            problem=f"{plural(len(kept), 'folder')} with stores that a backup has replaced: "
            f"{size / 1e6:,.0f} MB",
            fix=f"look into one that is sound with memctl --store {kept[0]} list; remove what you "
            "need no more",
            examples=_some(kept),
        )


def size_of(folder: Path) -> int:
    """Bytes of all files of the store."""
    return sum(path.lstat().st_size for path in _below(folder) if path.is_file())


def _below(folder: Path) -> Iterator[Path]:
    """All in a folder, at every depth; what disappears meanwhile is left out."""
    for parent, folders, files in os.walk(folder):
        for name in sorted([*folders, *files]):
            path = Path(parent, name)
            if os.path.lexists(path):
                yield path


def _some(paths: list[Path]) -> tuple[str, ...]:
    return tuple(map(str, paths[:SHOWN_EXAMPLES]))
