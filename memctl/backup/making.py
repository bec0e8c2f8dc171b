"""Makes a backup while others go on reading and writing.

Database and index are copied under the index lock: nothing reaches the index meanwhile, and what
is committed to the database and not in the index yet stands in its outbox. So the two fit together.
"""

from __future__ import annotations

from collections.abc import Mapping
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
from memctl.errors import WriteError
from memctl.store.database import Database
from memctl.store.graph import Graph
from memctl.store.outbox import INDEX_LOCK
from memctl.times import format_iso


def make_backup(database: Database, index_folder: Path | None, target: Path) -> Manifest:
    """Writes the backup, reads it back, and only then puts it at ``target``.

    ``index_folder`` is None where the index lies on another machine: it is left out, and built
    again after restoring. Raises WriteError, BackupError, LockedError and StoreError.
    """
    try:
        with TemporaryDirectory(prefix=".memctl-backup-", dir=target.parent) as staging:
            draft = Path(staging, "backup.tar")
            _write(database, index_folder, draft, Path(staging, DATABASE_MEMBER))
            manifest = read_archive(draft, None)
            draft.replace(target)
    except OSError as error:
        raise WriteError(path=target, why=(error.strerror or str(error)).lower()) from error
    return manifest


def _write(database: Database, index_folder: Path | None, draft: Path, copy: Path) -> None:
    with writing_archive(draft) as archive:
        with database.exclusive(INDEX_LOCK):
            database.copy_to(copy)
            if index_folder is not None and index_folder.is_dir():
                archive.add_folder(INDEX_MEMBER, index_folder)
        archive.add_file(DATABASE_MEMBER, copy)
        archive.add_manifest(_manifest_of(copy, database, archive.files))


def _manifest_of(copy: Path, database: Database, files: Mapping[str, MemberFacts]) -> Manifest:
    copied = Database.inspect(copy, clock=database.clock)
    try:
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
