"""Whether somebody is still writing a file, as far as the system and the names beside it tell.

A hint only: programs of other users and of other machines cannot be seen.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

PROCESSES = Path("/proc")
"""Where Linux shows every process with its open files; other systems have no such place."""

KNOWN_SECONDS = 0.5
"""How long one look at all processes holds: many files come to rest together."""

Identity = tuple[int, int]
"""Device and inode of a file."""

_PARTIAL_SUFFIXES = (".part", ".crdownload", ".download")
"""Behind a file's whole name, that of the download which will take its place."""

_OCTAL = 8


class Writers:
    """The processes that have files open for writing."""

    def __init__(self) -> None:
        self._open: frozenset[Identity] = frozenset()
        self._looked_at = float("-inf")

    def are_at(self, path: Path, identity: Identity, now: float) -> bool:
        """Whether the file is open for writing, or a download of its name goes on. ``now`` is any
        clock in seconds that never goes back."""
        if now - self._looked_at > KNOWN_SECONDS:
            self._open = frozenset(_open_for_writing())
            self._looked_at = now
        return identity in self._open or any(
            # A name that this makes too long is none that a download has.
            os.path.lexists(path.with_name(path.name + suffix))
            for suffix in _PARTIAL_SUFFIXES
        )


def _open_for_writing() -> Iterator[Identity]:
    try:
        processes = [entry for entry in PROCESSES.iterdir() if entry.name.isdecimal()]
    except OSError:
        return
    for process in processes:
        try:
            descriptors = list((process / "fdinfo").iterdir())
        except OSError:
            continue
        for information in descriptors:
            try:
                if _is_for_writing(information):
                    status = (process / "fd" / information.name).stat()
                    yield status.st_dev, status.st_ino
            except OSError:
                continue


def _is_for_writing(information: Path) -> bool:
    """Whether the flags of an open file say so. Raises OSError."""
    lines = information.read_text(encoding="ascii", errors="replace").splitlines()
    flags = next((line.split()[1] for line in lines if line.startswith("flags:")), "0")
    return int(flags, _OCTAL) & os.O_ACCMODE != os.O_RDONLY
