"""Makes a backup while others go on reading and writing.

Database and index are copied under the index lock: nothing reaches the index meanwhile, and what
is committed to the database and not in the index yet stands in its outbox. So the two fit together.
An index that is damaged is left out, since it can be built again from the database.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from memctl import __version__
from memctl.backup.archive import (
    DATABASE_MEMBER,
    INDEX_MEMBER,
    Manifest,
    MemberFacts,
    counts_of,
    read_archive,
    writing_archive,
)
from memctl.backup.index_copy import FindIndexError
from memctl.errors import CorruptStoreError, StoreError, WriteError
from memctl.store.database import Database
from memctl.store.graph import Graph
from memctl.store.integrity import damaged_pages
from memctl.store.outbox import INDEX_LOCK
from memctl.times import format_iso


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeBackup:
    """What a new backup holds, and why the index was left out where it was damaged."""

    manifest: Manifest
    index_error: StoreError | None


def make_backup(
    database: Database,
    index_folder: Path | None,
    target: Path,
    *,
    find_index_error: FindIndexError,
) -> MadeBackup:
    """Writes the backup, reads it back, and only then puts it at ``target``.

    ``index_folder`` is None where the index lies on another machine: it is left out, and built
    again after restoring. Raises WriteError, BackupError, LockedError, CorruptStoreError where
    the database is damaged, and other kinds of StoreError.
    """
    try:
        with TemporaryDirectory(prefix=".memctl-backup-", dir=target.parent) as staging:
            draft = Path(staging, "backup.tar")
            copy = Path(staging, DATABASE_MEMBER)
            index_error = _write(database, index_folder, draft, copy, find_index_error)
            manifest = read_archive(draft, None)
            draft.replace(target)
    except OSError as error:
        raise WriteError(path=target, why=(error.strerror or str(error)).lower()) from error
    return MadeBackup(manifest=manifest, index_error=index_error)


def _write(
    database: Database,
    index_folder: Path | None,
    draft: Path,
    copy: Path,
    find_index_error: FindIndexError,
) -> StoreError | None:
    """Writes the archive; gives what was wrong with an index that it therefore lacks."""
    index_error = None
    with writing_archive(draft) as archive:
        with database.exclusive(INDEX_LOCK):
            database.copy_to(copy)
            if index_folder is not None and os.path.lexists(index_folder):
                index_error = find_index_error(index_folder, database)
                if index_error is None:
                    archive.add_folder(INDEX_MEMBER, index_folder)
        archive.add_file(DATABASE_MEMBER, copy)
        archive.add_manifest(_manifest_of(copy, database, archive.files))
    return index_error


def _manifest_of(copy: Path, database: Database, files: Mapping[str, MemberFacts]) -> Manifest:
    copied = Database.inspect(copy, clock=database.clock)
    try:
        with copied.reading() as connection:
            damage = damaged_pages(connection)
        if damage:
            raise CorruptStoreError(path=database.location, why=damage[0])
        graph = Graph(copied)
        model = graph.embedding_model()
        return Manifest(
            memctl_version=__version__,
            created_at=format_iso(database.clock()),
            schema_version=int(graph.facts()["schema_version"]),
            embedding_model=None if model is None else model.name,
            counts=counts_of(graph.counts()),
            files=files,
        )
    finally:
        copied.close()
