"""Unpacks a backup of a state folder or workspace into a private folder that goes away again.

An archive is somebody else's bytes. Nothing is written outside of the private folder, no link or
special file is made, and what is written is bounded by what really comes out of it. Only what a
migration may read is unpacked; of the rest an empty file stands for the name, so that every member
gets its fate by its name and no credential is ever written anywhere.
"""

from __future__ import annotations

import lzma
import os
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO

from memctl.document import DocumentStatus
from memctl.errors import ArchiveError
from memctl.migration.roles import is_database_part, is_markdown, is_session_log
from memctl.migration.session_keys import INDEX_NAME
from memctl.migration.state_config import CONFIG_NAMES
from memctl.migration.tree import TABLE_SUFFIX, Refused
from memctl.plural import plural

ARCHIVE_SUFFIXES = (
    ".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz",
)  # fmt: skip

MOST_MEMBERS = 100_000
MOST_UNPACKED_BYTES = 4_000_000_000
"""More than years of an agent's memory and transcripts; a bomb is stopped here at the latest."""

MOST_PASSED_BYTES = 100_000_000_000
"""What members that are not unpacked may have: it must be read to come to those behind it."""

DEEPEST = 64
"""Folders in folders."""

COPY_BYTES = 1_000_000
_FOLDER_MODE, _FILE_MODE = 0o700, 0o600
_ENCRYPTED_FLAG = 0x1
_SYMBOLIC_LINK_MODE = 0o120000
_KIND_MASK = 0o170000

BROKEN = (
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    OSError,
    NotImplementedError,
    RuntimeError,
    ValueError,
)
"""What the libraries raise over archives that are cut short, damaged, or of a kind unknown."""


@dataclass(slots=True)
class Unpacked:
    """Where an archive's members lie, and those that could not be unpacked, by their names in it.

    ``problem`` says why not all members could be seen.
    """

    root: Path
    refused: list[Refused] = field(default_factory=list)
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class _Member:
    name: str
    size_bytes: int
    modified_at: float | None
    open: Callable[[], IO[bytes] | None]
    obstacle: str | None = None
    """Why it is no file that can be unpacked."""


def is_archive(path: Path) -> bool:
    """Whether a name is that of an archive."""
    return path.name.lower().endswith(ARCHIVE_SUFFIXES)


@contextmanager
def unpacked(path: Path, *, max_bytes: int) -> Iterator[Unpacked]:
    """The members of an archive as files, until the block ends; ``max_bytes`` bounds each.

    Raises ArchiveError for what is no archive or wants too much room.
    """
    with tempfile.TemporaryDirectory(prefix="memctl-") as folder:
        root = Path(folder) / _stem(path)
        root.mkdir(_FOLDER_MODE)
        unpacking = _Unpacking(path, Unpacked(root), max_bytes)
        unpacking.run()
        yield unpacking.result


def _stem(path: Path) -> str:
    """The archive's name without its suffix: what the unpacked folder is called."""
    lowered = path.name.lower()
    suffix = max((one for one in ARCHIVE_SUFFIXES if lowered.endswith(one)), key=len, default="")
    return path.name.removesuffix(path.name[len(path.name) - len(suffix) :]) or "archive"


class _Unpacking:
    def __init__(self, path: Path, result: Unpacked, max_bytes: int) -> None:
        self._path = path
        self.result = result
        self._max_bytes = max_bytes
        self._count = self._passed = self._written = 0

    def run(self) -> None:
        """Takes one member after the other; a break in the middle keeps those before it."""
        try:
            is_zip = zipfile.is_zipfile(self._path)
            for member in (_zip_members if is_zip else _tar_members)(self._path):
                self._take(member)
        except BROKEN as error:
            why = _why(error)
            if self._count == 0:
                raise ArchiveError(path=str(self._path), why=why) from error
            self.result.problem = f"it breaks off after {plural(self._count, 'member')}: {why}"

    def _take(self, member: _Member) -> None:
        self._count += 1
        self._passed += member.size_bytes
        if self._count > MOST_MEMBERS:
            raise self._too_much(f"it has more than {MOST_MEMBERS:,} members")
        if self._passed > MOST_PASSED_BYTES:
            raise self._too_much(f"it unpacks to more than {MOST_PASSED_BYTES / 1e9:g} GB")
        parts = PurePosixPath(member.name).parts
        if not _stays_inside(member.name, parts):
            self._refuse(member.name, "its name leads out of the archive")
        elif len(parts) > DEEPEST:
            self._refuse(member.name, f"it lies more than {DEEPEST} folders deep")
        elif member.obstacle is not None:
            self._refuse(member.name, member.obstacle)
        elif member.size_bytes > self._max_bytes and _is_wanted(parts):
            why = f"it is larger than {self._max_bytes / 1e6:,g} MB"
            self._refuse(member.name, why, DocumentStatus.UNSUPPORTED)
        else:
            self._unpack(member, self.result.root.joinpath(*parts), parts)

    def _unpack(self, member: _Member, target: Path, parts: tuple[str, ...]) -> None:
        try:
            target.parent.mkdir(_FOLDER_MODE, parents=True, exist_ok=True)
            # Of two members of one name the later one counts, as it does for tar.
            target.unlink(missing_ok=True)
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
            with os.fdopen(os.open(target, flags, _FILE_MODE), "wb") as stream:
                if _is_wanted(parts):
                    self._copy(member, stream)
            if member.modified_at is not None:
                os.utime(target, (member.modified_at, member.modified_at))
        except _TooLargeError:
            target.unlink(missing_ok=True)
            why = f"it is larger than {self._max_bytes / 1e6:,g} MB"
            self._refuse(member.name, why, DocumentStatus.UNSUPPORTED)
        except BROKEN as error:
            with suppress(OSError):
                target.unlink()
            self._refuse(member.name, _why(error), DocumentStatus.UNREADABLE)

    def _copy(self, member: _Member, stream: IO[bytes]) -> None:
        source = member.open()
        if source is None:
            return
        size = 0
        with source:
            while data := source.read(COPY_BYTES):
                size += len(data)
                self._written += len(data)
                if self._written > MOST_UNPACKED_BYTES:
                    raise self._too_much(
                        f"it unpacks to more than {MOST_UNPACKED_BYTES / 1e9:g} GB"
                    )
                if size > self._max_bytes:
                    raise _TooLargeError
                stream.write(data)

    def _too_much(self, why: str) -> ArchiveError:
        return ArchiveError(path=str(self._path), why=why)

    def _refuse(
        self, name: str, reason: str, status: DocumentStatus = DocumentStatus.IGNORED
    ) -> None:
        shown = name.encode("utf-8", "replace").decode("utf-8").replace("\0", "?")
        self.result.refused.append(Refused(Path(shown.lstrip("/")), status, reason))


class _TooLargeError(Exception):
    """More came out of a member than one file may have."""


def _tar_members(path: Path) -> Iterator[_Member]:
    with tarfile.open(path, "r:*") as archive:
        while (info := archive.next()) is not None:
            if not info.isdir():
                yield _Member(
                    name=info.name,
                    size_bytes=info.size,
                    modified_at=_moment(info.mtime),
                    open=partial(archive.extractfile, info),
                    obstacle=_tar_obstacle(info),
                )


def _tar_obstacle(info: tarfile.TarInfo) -> str | None:
    if info.issym():
        return "symbolic link in an archive, which is not followed"
    if info.islnk():
        return f"the same file as {info.linkname}"
    return None if info.isreg() else "no regular file"


def _zip_members(path: Path) -> Iterator[_Member]:
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            if not info.is_dir():
                yield _Member(
                    name=info.filename
                    if "/" in info.filename
                    else info.filename.replace("\\", "/"),
                    size_bytes=info.file_size,
                    modified_at=_zip_moment(info),
                    open=partial(archive.open, info),
                    obstacle=_zip_obstacle(info),
                )


def _zip_obstacle(info: zipfile.ZipInfo) -> str | None:
    if info.external_attr >> 16 & _KIND_MASK == _SYMBOLIC_LINK_MODE:
        return "symbolic link in an archive, which is not followed"
    return "encrypted member of an archive" if info.flag_bits & _ENCRYPTED_FLAG else None


def _zip_moment(info: zipfile.ZipInfo) -> float | None:
    try:
        return datetime(*info.date_time, tzinfo=UTC).timestamp()
    except (ValueError, OverflowError):
        return None


def _moment(seconds: float) -> float | None:
    return seconds if 0 < seconds < 2**33 else None


def _stays_inside(name: str, parts: tuple[str, ...]) -> bool:
    """Whether a member's name leads to a place below the root."""
    is_drive = bool(parts) and ":" in parts[0][1:2]
    return bool(parts) and not name.startswith("/") and ".." not in parts and not is_drive


def _is_wanted(parts: tuple[str, ...]) -> bool:
    """Whether a migration may read a file of that name."""
    name = parts[-1]
    return (
        is_markdown(name)
        or is_database_part(name)
        or is_session_log(name)
        or name in (*CONFIG_NAMES, INDEX_NAME)
        or any(part.endswith(TABLE_SUFFIX) for part in parts[:-1])
    )


def _why(error: BaseException) -> str:
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return text[:1].lower() + text[1:]
