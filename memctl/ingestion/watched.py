"""The folders that are watched: which of their files are to be taken in, and what of that the
ledger does not know yet.

Links are not followed, hidden and temporary names are nobody's documents, and the archive of the
drop folder is left alone: see ``discovery`` and ``drop_folder``.
"""

from __future__ import annotations

import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from memctl.document import Document, DocumentStatus
from memctl.errors import MissingPathError, WatchError
from memctl.ingestion import ledger
from memctl.ingestion.discovery import (
    OWN_NOTE,
    Found,
    discover,
    discover_below,
    ignored_name,
    signature_of,
)
from memctl.ingestion.gone import lost_sources
from memctl.ingestion.own_folder import OwnFolder
from memctl.ingestion.stability import Signature
from memctl.times import instant_of_file

if TYPE_CHECKING:
    from memctl.ingestion.drop_folder import DropFolder
    from memctl.store.graph import Graph

MODIFIED_TOLERANCE_SECONDS = 0.001
"""The ledger keeps times to the microsecond; file systems keep more digits."""

_LOOKED_AT = frozenset(
    {DocumentStatus.PENDING, DocumentStatus.UNREADABLE, DocumentStatus.UNSUPPORTED}
)

Identity = tuple[int, int]
"""Device and inode of a folder."""


@dataclass(frozen=True, slots=True)
class Survey:
    """What a look through all folders found. ``news`` are files that are not in the ledger as they
    are now, whose next try is due, or that are finished and still lie in the drop folder;
    ``next_retry_at`` is when another one will be tried; ``missing`` are folders that cannot be
    looked into, with the reason; ``lost`` are paths of documents whose files are gone; ``left`` are
    what lies in the drop folder and is left there, with the reason."""

    news: tuple[Path, ...]
    on_disk: int
    recorded: int
    next_retry_at: datetime | None
    missing: tuple[tuple[Path, str], ...]
    lost: tuple[str, ...]
    left: tuple[Found, ...]


class WatchedFolders:
    """Folders as they are on the disk and in the ledger."""

    def __init__(
        self,
        folders: Sequence[Path],
        *,
        graph: Graph,
        drop_folder: DropFolder | None,
        own_folder: OwnFolder,
        max_bytes: int,
    ) -> None:
        self._own_folder = own_folder
        self.folders = tuple(folders)
        self._graph = graph
        self._drop_folder = drop_folder
        self._max_bytes = max_bytes
        self._closed_folders = () if drop_folder is None else drop_folder.archive_folders

    def identities(self) -> dict[Path, Identity]:
        """Those of the folders that are there now."""
        found = {}
        for folder in self.folders:
            try:
                status = folder.stat()
            except OSError:
                continue
            found[folder] = (status.st_dev, status.st_ino)
        return found

    def root_of(self, path: Path) -> Path | None:
        """The watched folder from which the path is to be taken, if it is."""
        root = next((folder for folder in self.folders if folder in path.parents), None)
        drop = self._drop_folder
        if self._own_folder.holds(path):
            return None
        if root is None or (drop and drop.folder in path.parents and not drop.takes(path)):
            return None
        return root

    def find(self, path: Path) -> Found | None:
        """What is to become of the file; None where nothing is to be said about it. An ignored one
        is spoken of in the drop folder alone, where it will lie for good."""
        root = self.root_of(path)
        if root is None:
            return None
        found = discover_below(
            root, path, max_bytes=self._max_bytes, closed_folders=self._closed_folders
        )
        if found is None or found.status is not DocumentStatus.IGNORED:
            return found
        return found if self._is_left(found) else None

    def _is_left(self, found: Found) -> bool:
        """Whether it is ignored in the drop folder, and is none that a program keeps a while."""
        drop = self._drop_folder
        return (
            found.status is DocumentStatus.IGNORED
            and drop is not None
            and drop.folder in found.path.parents
            and drop.takes(found.path)
            and ignored_name(found.path.name) is None
            and found.reason != OWN_NOTE
        )

    def files_in(self, folder: Path) -> Iterator[tuple[Path, Signature]]:
        """The files in one of the folders, or below, that are to be taken in, each as it looks
        now. Raises MissingPathError."""
        return self._to_be_taken(self._found_in(folder))

    def _found_in(self, folder: Path) -> list[Found]:
        return discover(
            [folder],
            max_bytes=self._max_bytes,
            closed_folders=self._closed_folders,
            own_folder=self._own_folder,
        )

    def _to_be_taken(self, all_found: Sequence[Found]) -> Iterator[tuple[Path, Signature]]:
        for found in all_found:
            is_looked_at = found.status in _LOOKED_AT and found.identity is not None
            if not is_looked_at or self.root_of(found.path) is None:
                continue
            try:
                yield found.path, signature_of(found.path.lstat())
            except OSError:
                continue

    def survey(self, now: datetime) -> Survey:
        """Compares the folders with the ledger."""
        news: list[Path] = []
        missing: list[tuple[Path, str]] = []
        later: list[datetime] = []
        lost: list[str] = []
        left: list[Found] = []
        on_disk = recorded = 0
        for folder in self.folders:
            documents = self._graph.documents(
                under=str(folder), outside=list(map(str, self._closed_folders))
            )
            known = {document.path: document for document in documents}
            later += [moment for one in documents if (moment := _later(one, now)) is not None]
            try:
                found = self._found_in(folder)
                missing += _closed(found)
                left += filter(self._is_left, found)
                for path, signature in self._to_be_taken(found):
                    document = known.get(str(path))
                    on_disk += 1
                    recorded += document is not None
                    if (
                        document is None
                        or is_news(document, signature, now)
                        or self._is_left_over(document)
                    ):
                        news.append(path)
            except MissingPathError as error:
                missing.append((folder, str(error)))
            else:
                lost += [document.path for document in lost_sources(documents)]
        return Survey(
            tuple(news),
            on_disk,
            recorded,
            min(later, default=None),
            tuple(missing),
            tuple(lost),
            tuple(left),
        )

    def _is_left_over(self, document: Document) -> bool:
        """Whether the file of a finished document lies in the drop folder all the same: a process
        ended between what it stored and the move, or the move failed."""
        drop = self._drop_folder
        if drop is None or drop.folder not in Path(document.path).parents:
            return False
        return drop.archives(document.status)


def is_news(document: Document, signature: Signature, now: datetime) -> bool:
    """Whether a file looks another than the one that the ledger knows, or is to be tried again."""
    if document.status is DocumentStatus.IGNORED:
        return False
    if document.status in ledger.WAITING_STATUSES and document.next_attempt_at is None:
        return True
    if document.size_bytes != signature.size_bytes or ledger.is_due(document, now):
        return True
    known, seen = document.modified_at, instant_of_file(signature.modified_ns / 1e9)
    if known is None or seen is None:
        return known is not seen
    return abs((known - seen).total_seconds()) > MODIFIED_TOLERANCE_SECONDS


def resolve_folders(folders: Sequence[Path]) -> tuple[Path, ...]:
    """Absolute paths without symbolic links, and none that lies in another one. Raises WatchError
    for what is no folder."""
    resolved = []
    for folder in folders:
        try:
            is_folder = stat.S_ISDIR(folder.stat().st_mode)
        except FileNotFoundError:
            raise WatchError(path=str(folder), why="there is no such folder") from None
        except OSError as error:
            raise WatchError(path=str(folder), why=(error.strerror or str(error)).lower()) from None
        if not is_folder:
            raise WatchError(path=str(folder), why="it is no folder")
        resolved.append(folder.resolve())
    unique = list(dict.fromkeys(resolved))
    return tuple(one for one in unique if not any(other in one.parents for other in unique))


def _closed(all_found: Sequence[Found]) -> Iterator[tuple[Path, str]]:
    """What below a folder could not even be looked at, with the reason."""
    for found in all_found:
        if found.status is DocumentStatus.UNREADABLE and found.identity is None:
            yield found.path, found.reason or ""


def _later(document: Document, now: datetime) -> datetime | None:
    """When the document is to be tried again, if that is still to come."""
    moment = document.next_attempt_at
    if document.status not in ledger.WAITING_STATUSES or moment is None or moment <= now:
        return None
    return moment
