"""Which files of the given paths are taken, and safe reading of one of them.

Nothing outside what the user named is ever opened: links met in a folder are not followed, special
files are not opened, and a file that was exchanged between the look and the read is refused. The
order is that of the arguments and, within a folder, by name.
"""

from __future__ import annotations

import errno
import os
import stat
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from glob import escape
from pathlib import Path

from memctl.document import DocumentStatus
from memctl.encodable import is_encodable
from memctl.errors import MissingPathError
from memctl.ingestion.own_folder import STORES_OWN, OwnFolder
from memctl.ingestion.stability import Signature
from memctl.times import instant_of_file

DEFAULT_MAX_BYTES = 100_000_000
"""Larger files are refused unless the caller says otherwise."""

ERROR_NOTE_SUFFIX = ".error.txt"
"""Ends the name of the note that says why the file beside it was not taken in."""

NAME_BYTES = 255
"""The longest name that the usual file systems take."""

NAME_IS_NO_TEXT = "its name is not valid UTF-8; rename it"
"""The reason why a file is refused by whose path no memory could be traced back to it."""

OWN_NOTE = "memctl's own note about another file"
"""The reason why an error note is ignored."""

_IGNORED_FOLDERS = frozenset({"node_modules", "__pycache__", ".git", ".venv", "__MACOSX"})
_SYSTEM_NAMES = frozenset({".ds_store", "thumbs.db", "desktop.ini", "icon\r"})
_VIM_PROBE = "4913"
_LOCK_PREFIXES = (".#", "~$", ".~lock.")
_SUFFIXES = (
    (("~", ".bak", ".orig"), "backup copy of an editor"),
    ((".swp", ".swo", ".swn", ".swx"), "swap file of an editor"),
    ((".part", ".partial", ".crdownload", ".download", ".opdownload"), "unfinished download"),
    ((".tmp", ".temp"), "temporary file"),
    ((".lock",), "lock file"),
)

_LONGEST_CHARACTER = 4
"""Bytes that one character of a name takes at the most."""

_LEAST_READ_BYTES = 4_096
"""Read at once of files that say they are empty, as those of a virtual file system do."""

_SPECIAL_KINDS = (
    (stat.S_ISFIFO, "a named pipe, not a file"),
    (stat.S_ISSOCK, "a socket, not a file"),
    (stat.S_ISCHR, "a device, not a file"),
    (stat.S_ISBLK, "a device, not a file"),
)

Identity = tuple[int, int]
"""Device and inode: what stays the same under all names of a file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A path that was met.

    ``path`` is absolute and without symbolic links. PENDING files are to be read; every other
    status (IGNORED, UNREADABLE, UNSUPPORTED, FAILED) is final and has a reason. ``identity`` is
    None where nothing could be looked at but the path.
    """

    path: Path
    status: DocumentStatus = DocumentStatus.PENDING
    reason: str | None = None
    identity: Identity | None = None
    max_bytes: int = DEFAULT_MAX_BYTES


@dataclass(frozen=True, slots=True, kw_only=True)
class FileContent:
    """A file's bytes, or the status and reason why there are none (then ``data`` is empty).

    ``modified_at`` is in UTC, None where it is beyond all years; ``signature`` tells this state of
    the file from later ones. FAILED is for what another try may cure.
    """

    data: bytes = b""
    signature: Signature | None = None
    modified_at: datetime | None = None
    status: DocumentStatus = DocumentStatus.PENDING
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class _Entry:
    """A path with what ``lstat`` says; ``link_count`` counts the names of a regular file."""

    found: Found
    link_count: int = 1
    named: bool = False


def discover(
    paths: Sequence[Path],
    *,
    recursive: bool = True,
    include_hidden: bool = False,
    max_bytes: int = DEFAULT_MAX_BYTES,
    closed_folders: Collection[Path] = (),
    own_folder: OwnFolder | None = None,
) -> list[Found]:
    """Every file under ``paths`` with what is to become of it; one entry for each file.

    Hidden files and folders are left out unless they are named, and so is all that lies in
    ``closed_folders`` (absolute, without symbolic links), which are not even listed. What
    ``own_folder`` holds is left out even when it is named. A path that does not exist is FAILED.
    Raises MissingPathError where none of several, or the only one, exists.
    """
    roots = [_resolve(path) for path in paths]
    if paths and not any(roots):
        raise MissingPathError(path=str(paths[0]))
    walk = _Walk(
        recursive=recursive,
        include_hidden=include_hidden,
        max_bytes=max_bytes,
        closed_folders=closed_folders,
        own_folder=own_folder,
    )
    entries: list[_Entry] = []
    for path, root in zip(paths, roots, strict=True):
        entries += [_missing(path)] if root is None else walk.entries(root)
    return list(_unique(entries))


def discover_below(
    root: Path,
    path: Path,
    *,
    max_bytes: int = DEFAULT_MAX_BYTES,
    closed_folders: Collection[Path] = (),
) -> Found | None:
    """What ``discover`` would say about the file ``path`` in the folder ``root``, without a look
    at all the others; both are absolute and without symbolic links. None where no file is."""
    walk = _Walk(recursive=True, include_hidden=False, max_bytes=max_bytes)
    try:
        if not all(walk.enters(folder) for folder in _folders_between(root, path)):
            return None
        status = path.lstat()
    except OSError:
        return None
    if stat.S_ISDIR(status.st_mode):
        return None
    if stat.S_ISREG(status.st_mode) and status.st_nlink > 1:
        found = discover([root], max_bytes=max_bytes, closed_folders=closed_folders)
        return next((one for one in found if one.path == path), None)
    return walk.judged(path, status)


def _folders_between(root: Path, path: Path) -> list[Path]:
    parts = path.relative_to(root).parts[:-1]
    return [root.joinpath(*parts[: depth + 1]) for depth in range(len(parts))]


def read_found(found: Found) -> FileContent:
    """The bytes of a file that ``discover`` gave, read without following links or blocking."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        descriptor = os.open(found.path, flags)
    except OSError as error:
        return _unreadable(error)
    try:
        return _read_open(descriptor, found)
    except OSError as error:
        return _unreadable(error)
    finally:
        os.close(descriptor)


def size_of(path: Path) -> int:
    """Bytes of a file; 0 where none can be looked at."""
    try:
        return path.lstat().st_size
    except OSError:
        return 0


def fitting_name(stem: str, ending: str) -> str:
    """A file's name with another ending, its stem shortened where it would be too long."""
    while stem and len(os.fsencode(stem + ending)) > NAME_BYTES:
        stem = stem[:-1]
    return stem + ending


def error_note_name(name: str) -> str:
    """The name of the note about a file of this name."""
    return fitting_name(name, ERROR_NOTE_SUFFIX)


def signature_of(status: os.stat_result) -> Signature:
    """What ``stat`` says about a file's state."""
    return Signature(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)


def ignored_name(name: str) -> str | None:
    """Why a file of this name is nobody's document, or None. Hidden names are another matter."""
    if len(name) > 2 and name.startswith("#") and name.endswith("#"):
        return "backup copy of an editor"
    if name == _VIM_PROBE:
        return "swap file of an editor"
    folded = name.casefold()
    if folded in _SYSTEM_NAMES:
        return "system file"
    if name.startswith(_LOCK_PREFIXES):
        return "lock file of an editor"
    return next((why for suffixes, why in _SUFFIXES if folded.endswith(suffixes)), None)


class _Walk:
    """Lists folders without following links, each folder once."""

    def __init__(
        self,
        *,
        recursive: bool,
        include_hidden: bool,
        max_bytes: int,
        closed_folders: Collection[Path] = (),
        own_folder: OwnFolder | None = None,
    ) -> None:
        self._own_folder = own_folder
        self._recursive = recursive
        self._include_hidden = include_hidden
        self._max_bytes = max_bytes
        self._closed_folders = frozenset(closed_folders)
        self._seen_folders: set[Identity] = set()

    def enters(self, folder: Path) -> bool:
        """Whether a folder met below a root is looked into. Raises OSError."""
        status = folder.lstat()
        is_folder = stat.S_ISDIR(status.st_mode)
        return is_folder and self._refused_folder(folder, status, is_root=False) is None

    def judged(self, path: Path, status: os.stat_result) -> Found:
        """What is to become of a file met below a root."""
        return self._file(path, status, named=False).found

    def entries(self, root: Path) -> Iterator[_Entry]:
        """What a named path stands for, in order."""
        try:
            status = root.lstat()
            if stat.S_ISLNK(status.st_mode):
                # The link of an open pipe, which stands for a file without a name.
                status = root.stat()
        except OSError as error:
            yield self._refused(root, DocumentStatus.UNREADABLE, _why(error))
            return
        if stat.S_ISDIR(status.st_mode):
            yield from self._folder(root, status)
        elif self._is_own(root):
            yield self._refused(root, DocumentStatus.IGNORED, STORES_OWN)
        else:
            yield self._file(root, status, named=True)

    def _is_own(self, path: Path) -> bool:
        return self._own_folder is not None and self._own_folder.holds(path)

    def _dropped_below(self, folder: Path) -> Iterator[tuple[Path, os.stat_result]]:
        """The drop folder, where it is there and lies in this folder of the store."""
        drop = None if self._own_folder is None else self._own_folder.dropped_below(folder)
        if drop is not None and drop.is_dir():
            yield drop, drop.stat()

    def _folder(self, root: Path, status: os.stat_result) -> Iterator[_Entry]:
        pending = [(root, status)]
        while pending:
            path, status = pending.pop()
            if not stat.S_ISDIR(status.st_mode):
                yield self._file(path, status, named=False)
                continue
            if path in self._closed_folders:
                continue
            if self._is_own(path):
                yield self._refused(path, DocumentStatus.IGNORED, STORES_OWN)
                pending.extend(self._dropped_below(path))
                continue
            refused = self._refused_folder(path, status, is_root=path == root)
            if refused is not None:
                yield refused
                continue
            children, failures = self._list(path)
            yield from failures
            pending.extend(reversed(children))

    def _refused_folder(
        self, path: Path, status: os.stat_result, *, is_root: bool
    ) -> _Entry | None:
        if not is_root:
            if path.name in _IGNORED_FOLDERS:
                return self._refused(path, DocumentStatus.IGNORED, "folder of a tool")
            if path.name.startswith(".") and not self._include_hidden:
                return self._refused(path, DocumentStatus.IGNORED, "hidden folder")
            if not self._recursive:
                return self._refused(path, DocumentStatus.IGNORED, "folder inside the folder")
        identity = (status.st_dev, status.st_ino)
        if identity in self._seen_folders:
            return self._refused(path, DocumentStatus.IGNORED, "folder that was named already")
        self._seen_folders.add(identity)
        return None

    def _list(self, folder: Path) -> tuple[list[tuple[Path, os.stat_result]], list[_Entry]]:
        """The children by name with their status, and those that cannot be looked at."""
        children: list[tuple[Path, os.stat_result]] = []
        failures: list[_Entry] = []
        try:
            with os.scandir(folder) as listing:
                names = sorted(entry.name for entry in listing)
        except OSError as error:
            return [], [self._refused(folder, DocumentStatus.UNREADABLE, _why(error))]
        for name in names:
            path = folder / name
            try:
                children.append((path, path.lstat()))
            except FileNotFoundError:
                continue
            except OSError as error:
                failures.append(self._refused(path, DocumentStatus.UNREADABLE, _why(error)))
        return children, failures

    def _file(self, path: Path, status: os.stat_result, *, named: bool) -> _Entry:
        outcome, reason = self._judge(path, status, named=named)
        found = Found(
            path=path,
            status=outcome,
            reason=reason,
            identity=(status.st_dev, status.st_ino),
            max_bytes=self._max_bytes,
        )
        return _Entry(found, status.st_nlink if stat.S_ISREG(status.st_mode) else 1, named)

    def _judge(
        self, path: Path, status: os.stat_result, *, named: bool
    ) -> tuple[DocumentStatus, str | None]:
        if stat.S_ISLNK(status.st_mode):
            return DocumentStatus.IGNORED, "symbolic link, which is not followed"
        kind = _special_kind(status.st_mode)
        if kind is not None:
            return DocumentStatus.UNSUPPORTED, f"it is {kind}"
        is_hidden = path.name.startswith(".") and not named and not self._include_hidden
        ignored = (
            ignored_name(path.name) or _own_note(path) or ("hidden file" if is_hidden else None)
        )
        if ignored is not None:
            return DocumentStatus.IGNORED, ignored
        if status.st_size > self._max_bytes:
            return DocumentStatus.UNSUPPORTED, _too_large(status.st_size, self._max_bytes)
        if not is_encodable(str(path)):
            return DocumentStatus.UNREADABLE, NAME_IS_NO_TEXT
        return DocumentStatus.PENDING, None

    def _refused(self, path: Path, status: DocumentStatus, reason: str) -> _Entry:
        return _Entry(Found(path=path, status=status, reason=reason))


def _unique(entries: Sequence[_Entry]) -> Iterator[Found]:
    """Each file once; a hard link in a folder only when all its names lie in what was named."""
    named = {entry.found.identity for entry in entries if entry.named}
    names_by_path = {entry.found.path: entry.found.identity for entry in entries}
    name_counts = Counter(names_by_path.values())
    taken: dict[Identity, Path] = {}
    seen: set[Path] = set()
    for entry in entries:
        found = entry.found
        if found.path in seen:
            continue
        seen.add(found.path)
        identity = found.identity
        if found.status is not DocumentStatus.PENDING or identity is None:
            yield found
        elif identity in taken:
            yield _ignored(found, f"the same file as {taken[identity]}")
        elif entry.link_count > name_counts[identity] and identity not in named:
            yield _ignored(found, "hard link, another name of which lies elsewhere")
        else:
            taken[identity] = found.path
            yield found


def _ignored(found: Found, reason: str) -> Found:
    return replace(found, status=DocumentStatus.IGNORED, reason=reason)


def _missing(path: Path) -> _Entry:
    return _Entry(
        Found(path=path.absolute(), status=DocumentStatus.FAILED, reason=MissingPathError.reason)
    )


def _resolve(path: Path) -> Path | None:
    """The absolute path without symbolic links, None where nothing is: what the user names is
    followed, unless it leads to what has no path, such as a pipe of the shell's."""
    try:
        return path.resolve(strict=True)
    except (FileNotFoundError, NotADirectoryError):
        if path.exists():
            return path.absolute()
        return None
    except (OSError, RuntimeError):
        return path.absolute()


def _read_open(descriptor: int, found: Found) -> FileContent:
    before = os.fstat(descriptor)
    kind = _special_kind(before.st_mode)
    if kind is not None:
        return FileContent(status=DocumentStatus.UNSUPPORTED, reason=f"it is {kind}")
    if found.identity is not None and found.identity != (before.st_dev, before.st_ino):
        return FileContent(status=DocumentStatus.FAILED, reason="another file took its place")
    data = _read_up_to(descriptor, found.max_bytes + 1, expected=before.st_size)
    if len(data) > found.max_bytes:
        reason = _too_large(max(before.st_size, len(data)), found.max_bytes)
        return FileContent(status=DocumentStatus.UNSUPPORTED, reason=reason)
    after = os.fstat(descriptor)
    if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
        return FileContent(status=DocumentStatus.FAILED, reason="it changed while it was read")
    modified_at = instant_of_file(after.st_mtime)
    return FileContent(data=data, modified_at=modified_at, signature=signature_of(after))


def _read_up_to(descriptor: int, limit: int, *, expected: int) -> bytes:
    """All bytes, but ``limit`` at the most. No more room is asked for than the ``expected`` size
    takes, and one byte, which tells whether the file has grown: asking for the room of the limit
    costs more than reading a small file."""
    parts = []
    left = limit
    while left > 0:
        part = os.read(descriptor, min(left, max(expected + 1, _LEAST_READ_BYTES)))
        if not part:
            break
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def _unreadable(error: OSError) -> FileContent:
    if isinstance(error, FileNotFoundError):
        return FileContent(status=DocumentStatus.FAILED, reason="it is gone")
    if error.errno == errno.ELOOP:
        return FileContent(status=DocumentStatus.FAILED, reason="a symbolic link took its place")
    return FileContent(status=DocumentStatus.UNREADABLE, reason=_why(error))


def _own_note(path: Path) -> str | None:
    if not path.name.endswith(ERROR_NOTE_SUFFIX):
        return None
    beginning = path.name.removesuffix(ERROR_NOTE_SUFFIX)
    if os.path.lexists(path.with_name(beginning)) or any(
        error_note_name(other.name) == path.name for other in _beginning_with(path, beginning)
    ):
        return OWN_NOTE
    return None


def _beginning_with(path: Path, beginning: str) -> list[Path]:
    """The files beside ``path`` whose names, too long for a note's, begin so."""
    longest = NAME_BYTES - len(os.fsencode(path.name))
    return list(path.parent.glob(f"{escape(beginning)}?*")) if longest < _LONGEST_CHARACTER else []


def _special_kind(mode: int) -> str | None:
    for is_kind, noun in _SPECIAL_KINDS:
        if is_kind(mode):
            return noun
    return None if stat.S_ISREG(mode) else "no regular file"


def _too_large(size: int, limit: int) -> str:
    return (
        f"it has {size / 1e6:,.1f} MB and the limit is {limit / 1e6:,g} MB; "
        "raise ingest.max_file_megabytes"
    )


def _why(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
