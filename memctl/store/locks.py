"""Locks between processes: named ones beside the store, and who holds SQLite's own write lock.

A named lock is an ``flock`` on a file that stays where it is; the kernel frees it when its process
ends, however it ends. The file holds the process id and the command of the last holder.
"""

from __future__ import annotations

import errno
import fcntl
import glob
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from memctl.errors import LockedError

POLL_SECONDS = 0.02
"""Pause between two attempts; flock itself has no time-out."""

FILE_MODE = 0o600

HOLDER_TEXT_BYTES = 400
"""How much of a holder's text a message repeats."""

SQLITE_WRITE_LOCK_BYTE = 120
"""The byte of the -shm file that a WAL writer locks (SQLite's wal.c, WAL_WRITE_LOCK)."""

UNKNOWN_HOLDER = "another process"


@contextmanager
def named_lock(path: Path, *, what: str, command: str, wait_seconds: float) -> Iterator[None]:
    """Holds the lock file ``path`` (made when missing) for the time of the block.

    Raises LockedError with ``what`` when another holds it for longer than ``wait_seconds``, and
    OSError when the file cannot be made.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, FILE_MODE)
    try:
        if not _acquire(descriptor, wait_seconds):
            holder = _holder_text(*_read_holder(descriptor))
            raise LockedError(what=what, holder=holder, waited_seconds=wait_seconds)
        os.fchmod(descriptor, FILE_MODE)
        os.truncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()} {command}".encode(), 0)
        yield
    finally:
        os.close(descriptor)


@contextmanager
def folder_lock(folder: Path) -> Iterator[bool]:
    """Locks a folder that one process works in for the time of the block; gives False where
    another one has it. Raises OSError where there is no such folder."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield _acquire(descriptor, 0)
    finally:
        os.close(descriptor)


class LockHolder(NamedTuple):
    """The process that holds a named lock: its id (None where the file does not say it), what it
    calls its command, and since when (seconds since 1970)."""

    process_id: int | None
    command: str
    since: float


def lock_holder(path: Path) -> LockHolder | None:
    """Who holds the named lock ``path`` now; None where nobody does, or no such file is there.

    Locks the file for an instant to see whether it can be. Raises OSError when it cannot be read.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    try:
        if _acquire(descriptor, 0):
            return None
        return LockHolder(*_read_holder(descriptor), os.fstat(descriptor).st_mtime)
    finally:
        os.close(descriptor)


class HeldLock(NamedTuple):
    """A named lock that a process holds: its name, who, and since when (seconds since 1970)."""

    name: str
    holder: str
    since: float


def held_locks(database_path: Path) -> list[HeldLock]:
    """The named locks beside a database that some process holds now, by name.

    Each file is locked for an instant to see whether it can be.
    """
    found = []
    prefix, suffix = f"{database_path.name}.", ".lock"
    for path in sorted(database_path.parent.glob(f"{glob.escape(prefix)}*{suffix}")):
        holder = lock_holder(path)
        if holder is not None:
            name = path.name.removeprefix(prefix).removesuffix(suffix)
            text = _holder_text(holder.process_id, holder.command)
            found.append(HeldLock(name, text, holder.since))
    return found


def _acquire(descriptor: int, wait_seconds: float) -> bool:
    deadline = time.monotonic() + wait_seconds
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno not in {errno.EWOULDBLOCK, errno.EACCES}:
                raise
            if time.monotonic() >= deadline:
                return False
            time.sleep(POLL_SECONDS)
        else:
            return True


def _read_holder(descriptor: int) -> tuple[int | None, str]:
    """The process id (None where the file names none) and the command of the last holder."""
    text = os.pread(descriptor, HOLDER_TEXT_BYTES, 0).decode("utf-8", "replace")
    pid, _, command = text.partition(" ")
    return (int(pid), command) if pid.isdecimal() else (None, "")


def _holder_text(process_id: int | None, command: str) -> str:
    return UNKNOWN_HOLDER if process_id is None else f"process {process_id} ({command})"


def sqlite_writer(database_path: Path) -> str:
    """Who holds the write lock of a WAL database, in words, as far as the system tells.

    Reads Linux's /proc/locks. The -shm file is never opened here: closing it would drop the locks
    that this process itself holds on it (POSIX advisory locks).
    """
    try:
        inode = Path(f"{database_path}-shm").stat().st_ino
        lines = Path("/proc/locks").read_text(encoding="ascii").splitlines()
    except OSError:
        return UNKNOWN_HOLDER
    for line in lines:
        pid = _write_lock_owner(line, inode)
        if pid is not None:
            return _describe_process(pid)
    return UNKNOWN_HOLDER


def _write_lock_owner(line: str, inode: int) -> int | None:
    """The process id in a line like ``1: POSIX ADVISORY WRITE 4242 08:02:131 120 120``."""
    words = line.split()
    if len(words) != 8 or words[1] != "POSIX" or words[3] != "WRITE":
        return None
    _, _, _, _, pid, device_and_inode, first, last = words
    if device_and_inode.rpartition(":")[2] != str(inode):
        return None
    if last != "EOF" and not int(first) <= SQLITE_WRITE_LOCK_BYTE <= int(last):
        return None
    return int(pid) if int(pid) > 0 else None


def _describe_process(pid: int) -> str:
    try:
        command_line = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return f"process {pid}"
    words = command_line.rstrip(b"\0").decode("utf-8", "replace").split("\0")
    return f"process {pid} ({' '.join(words)[:HOLDER_TEXT_BYTES]})"
