"""The file that a backup is: a plain tar of the database, the index and a manifest.

The manifest comes last and holds the size and SHA-256 of every other member, so a file that was
cut short or changed is never taken for a backup. Reading writes nothing outside its folder.
"""

from __future__ import annotations

import errno
import hashlib
import io
import json
import os
import tarfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path, PurePosixPath
from typing import IO, Any

from memctl.errors import BackupError
from memctl.store.counting import StoreCounts
from memctl.store.locks import FILE_MODE

FORMAT = "memctl backup"
FORMAT_VERSION = 1

DATABASE_MEMBER = "memctl.db"
INDEX_MEMBER = "index"
MANIFEST_MEMBER = "manifest.json"

UNWRITTEN_ERRNOS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""What the system says of a file that cannot be written to its end."""

MOST_MANIFEST_BYTES = 100_000_000
PIECE_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class MemberFacts:
    """Size and SHA-256 (hex) of one file in the archive."""

    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What a backup holds. ``counts`` are memories, forgotten, associations, documents, chunks."""

    memctl_version: str
    created_at: str
    schema_version: int
    embedding_model: str | None
    counts: Mapping[str, int]
    files: Mapping[str, MemberFacts] = field(default_factory=dict)

    @property
    def has_index(self) -> bool:
        return any(name.startswith(f"{INDEX_MEMBER}/") for name in self.files)


def counts_of(counts: StoreCounts) -> dict[str, int]:
    """The counts that a manifest keeps."""
    return {
        "memories": counts.visible,
        "forgotten": counts.forgotten,
        "associations": counts.associations,
        "documents": sum(counts.documents.values()),
        "chunks": counts.chunks,
    }


class ArchiveWriter:
    """Adds files to a new archive and keeps account of them."""

    def __init__(self, archive: tarfile.TarFile) -> None:
        self._archive = archive
        self.files: dict[str, MemberFacts] = {}

    def add_file(self, name: str, path: Path) -> None:
        """Adds one file; a member holds as many bytes as the file had when it was opened."""
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            reader = _HashingReader(file)
            self._archive.addfile(_member(name, size), reader)
        self.files[name] = MemberFacts(size, reader.digest.hexdigest())

    def add_folder(self, name: str, folder: Path) -> None:
        """Adds all regular files below a folder, by name."""
        for path in sorted(folder.rglob("*")):
            if path.is_file() and not path.is_symlink():
                self.add_file(f"{name}/{path.relative_to(folder).as_posix()}", path)

    def add_manifest(self, manifest: Manifest) -> None:
        """The last member."""
        document = {"format": FORMAT, "version": FORMAT_VERSION, **asdict(manifest)}
        data = json.dumps(document, indent=1).encode()
        self._archive.addfile(_member(MANIFEST_MEMBER, len(data)), io.BytesIO(data))


@contextmanager
def writing_archive(path: Path) -> Iterator[ArchiveWriter]:
    """A new archive at ``path``, 0600, on the disk when the block ends. Raises OSError."""
    descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FILE_MODE)
    with os.fdopen(descriptor, "wb") as file:
        with tarfile.open(fileobj=file, mode="w", format=tarfile.PAX_FORMAT) as archive:
            yield ArchiveWriter(archive)
        file.flush()
        os.fsync(file.fileno())


def read_archive(path: Path, folder: Path | None) -> Manifest:
    """Checks every byte of the archive and, with ``folder``, lays its files out there.

    Raises BackupError for whatever is not exactly what was written, and OSError where the disk of
    ``folder`` takes no more. The caller has seen to it that
    ``path`` exists and ``folder`` is empty.
    """
    found: dict[str, MemberFacts] = {}
    document: Any = None
    try:
        with tarfile.open(path, "r:") as archive:
            for member in archive:
                if document is not None:
                    raise BackupError(path=path, why="something follows its manifest")
                content = _content(archive, member, path)
                if member.name == MANIFEST_MEMBER:
                    document = json.loads(content.read(MOST_MANIFEST_BYTES))
                else:
                    found[member.name] = _lay_out(member.name, content, folder, path)
    except (tarfile.TarError, EOFError, ValueError) as error:
        why = "it is no tar archive, or was cut short" if not found else str(error)
        raise BackupError(path=path, why=why) from error
    except OSError as error:
        if error.errno in UNWRITTEN_ERRNOS:
            raise
        raise BackupError(path=path, why=(error.strerror or str(error)).lower()) from error
    manifest = _manifest(document, path)
    _compare(manifest, found, path)
    return manifest


class _HashingReader:
    """A file for tarfile to read from, whose bytes are hashed on the way."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.digest = hashlib.sha256()

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(size)
        self.digest.update(data)
        return data


def _member(name: str, size: int) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.size = size
    member.mode = FILE_MODE
    return member


def _content(archive: tarfile.TarFile, member: tarfile.TarInfo, path: Path) -> IO[bytes]:
    content = archive.extractfile(member) if member.isreg() else None
    if content is None:
        raise BackupError(path=path, why=f"its member {member.name!r} is no file")
    return content


def _lay_out(name: str, content: IO[bytes], folder: Path | None, path: Path) -> MemberFacts:
    parts = PurePosixPath(name).parts
    is_known = name == DATABASE_MEMBER or (len(parts) > 1 and parts[0] == INDEX_MEMBER)
    if not is_known or ".." in parts or name != "/".join(parts):
        raise BackupError(path=path, why=f"its member {name!r} has no place in a backup")
    digest, size = hashlib.sha256(), 0
    with _opened(folder, parts) as file:
        while piece := content.read(PIECE_BYTES):
            digest.update(piece)
            size += len(piece)
            if file is not None:
                file.write(piece)
    return MemberFacts(size, digest.hexdigest())


@contextmanager
def _opened(folder: Path | None, parts: tuple[str, ...]) -> Iterator[IO[bytes] | None]:
    if folder is None:
        yield None
        return
    target = folder.joinpath(*parts)
    target.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FILE_MODE)
    with os.fdopen(descriptor, "wb") as file:
        yield file


def _manifest(document: Any, path: Path) -> Manifest:
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise BackupError(path=path, why="it has no manifest: it was cut short, or is no backup")
    if document.get("version") != FORMAT_VERSION:
        why = f"its format is version {document.get('version')}, and {FORMAT_VERSION} is known"
        raise BackupError(path=path, why=why)
    parts: dict[str, Any] = {}
    for name, read in MANIFEST_PARTS.items():
        if name not in document:
            raise BackupError(path=path, why=f"its manifest lacks {name}")
        try:
            parts[name] = read(document[name])
        except (TypeError, ValueError, AttributeError) as error:
            raise BackupError(path=path, why=f"its manifest garbles {name}") from error
    return Manifest(**parts)


def _member_facts(files: dict[str, Any]) -> dict[str, MemberFacts]:
    return {name: MemberFacts(**facts) for name, facts in files.items()}


def _counts(counts: dict[str, Any]) -> dict[str, int]:
    return {name: int(count) for name, count in counts.items()}


def _text_or_none(value: object) -> str | None:
    return None if value is None else str(value)


MANIFEST_PARTS: Mapping[str, Callable[[Any], object]] = {
    "memctl_version": str,
    "created_at": str,
    "schema_version": int,
    "embedding_model": _text_or_none,
    "counts": _counts,
    "files": _member_facts,
}
"""The manifest's parts by name, and what reads each of them from JSON; raises TypeError, ValueError
or AttributeError where it is something else."""


def _compare(manifest: Manifest, found: Mapping[str, MemberFacts], path: Path) -> None:
    for name in sorted({*manifest.files, *found}):
        if manifest.files.get(name) != found.get(name):
            raise BackupError(path=path, why=f"its member {name} is not what was written")
    if DATABASE_MEMBER not in found:
        raise BackupError(path=path, why="it holds no database")
