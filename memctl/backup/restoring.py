"""Puts a backup in the place of the store, after it has been proven whole.

What is replaced is kept aside as a store of its own. The database's content changes in one
transaction; the index, which can always be built again, is out of the way while it does. So a
process that dies at any point leaves the old store or the new one, and at worst an index to build.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory

from memctl.backup.archive import (
    DATABASE_MEMBER,
    INDEX_MEMBER,
    Manifest,
    counts_of,
    read_archive,
)
from memctl.backup.index_copy import FindIndexError
from memctl.backup.leftovers import ASIDE_PREFIX, STAGING_PREFIX
from memctl.errors import (
    BackupError,
    CorruptStoreError,
    FullDiskError,
    NewerSchemaError,
    StoreAtWorkError,
    StoreError,
    WriteError,
)
from memctl.ingestion.heartbeat import HEARTBEAT_FACT
from memctl.store.database import FOLDER_MODE, Clock, Database
from memctl.store.facts import delete_facts
from memctl.store.graph import Graph
from memctl.store.integrity import damaged_pages, dangling_references
from memctl.store.locks import folder_lock
from memctl.store.outbox import DRAIN_LOCK, INDEX_LOCK
from memctl.store.sqlite_errors import translate_system_error

WAL_SUFFIXES = ("", "-wal", "-shm")

Checkpoint = Callable[["RestoreStep"], None]


class RestoreStep(StrEnum):
    """What has just been done when the checkpoint is called; tests stop the process there."""

    VERIFIED = "backup verified"
    DATABASE_KEPT = "old database copied aside"
    INDEX_KEPT = "old index moved aside"
    DATABASE_REPLACED = "new database in place"
    INDEX_REPLACED = "new index in place"


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifiedBackup:
    """What a backup holds, which can be restored.

    ``index_error`` says why its index cannot be used, if so: the store is restored without one.
    ``dangling_count`` rows of its database name rows that it does not hold.
    """

    manifest: Manifest
    index_error: StoreError | None
    dangling_count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreReport:
    """What was restored. ``kept_at`` is where the replaced store lies, if there was one, and
    ``is_kept_damaged`` whether its database could not be read."""

    backup: VerifiedBackup
    kept_at: Path | None
    is_kept_damaged: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Restoration:
    """One restoring. ``index_folder`` is None where the index lies on another machine."""

    database_path: Path
    index_folder: Path | None
    wait_seconds: float
    clock: Clock
    find_index_error: FindIndexError
    checkpoint: Checkpoint = lambda _step: None

    def verify(self, path: Path) -> VerifiedBackup:
        """Proves that a backup can be restored, without touching the store. Raises BackupError, and
        WriteError where there is no room to lay it out in."""
        with TemporaryDirectory(prefix="memctl-backup-") as folder:
            try:
                return self._prepare(path, Path(folder))
            except OSError as error:
                raise WriteError(path=folder, why=(error.strerror or str(error)).lower()) from error

    def run(self, path: Path) -> RestoreReport:
        """Verifies the backup, then replaces the store by it.

        Raises BackupError before anything has changed, StoreAtWorkError while another process works
        with the store, and StoreError and its kinds.
        """
        home = self.database_path.parent
        is_new = not home.exists()
        try:
            home.mkdir(parents=True, exist_ok=True, mode=FOLDER_MODE)
            with (
                TemporaryDirectory(prefix=STAGING_PREFIX, dir=home) as folder,
                folder_lock(Path(folder)),
            ):
                staging = Path(folder)
                backup = self._prepare(path, staging)
                self.checkpoint(RestoreStep.VERIFIED)
                kept_at, is_damaged = self._replace(staging)
        except OSError as error:
            place = Path(error.filename or self.database_path)
            raise translate_system_error(error, place) from error
        finally:
            if is_new and home.exists() and not any(home.iterdir()):
                home.rmdir()
        return RestoreReport(backup=backup, kept_at=kept_at, is_kept_damaged=is_damaged)

    def _prepare(self, path: Path, staging: Path) -> VerifiedBackup:
        """Lays the backup out in ``staging``, checks its database, brings it up to date, and
        removes an index that cannot be used."""
        manifest = read_archive(path, staging)
        copy = staging / DATABASE_MEMBER
        try:
            with _inspected(copy, self.clock) as database, database.reading() as connection:
                damage = damaged_pages(connection)
                dangling = 0 if damage else sum(dangling_references(connection).values())
                counts = counts_of(Graph(database).counts())
            if not damage:
                index_error = self._bring_up_to_date(copy, staging / INDEX_MEMBER)
        except NewerSchemaError as error:
            raise BackupError(path=path, why=error.reason.format_map(error.data)) from error
        except FullDiskError:
            raise
        except StoreError as error:
            raise BackupError(path=path, why=f"its database cannot be read: {error}") from error
        if damage:
            raise BackupError(path=path, why=f"its database is damaged: {damage[0]}")
        if counts != dict(manifest.counts):
            raise BackupError(path=path, why="its database holds other counts than its manifest")
        return VerifiedBackup(manifest=manifest, index_error=index_error, dangling_count=dangling)

    def _bring_up_to_date(self, copy: Path, index: Path) -> StoreError | None:
        """The database has the tables of today, and knows nothing of a process that watched folders
        when the backup was made. An index that does not answer is removed; gives its error."""
        database = Database.open(copy, clock=self.clock)
        try:
            with database.writing() as connection:
                delete_facts(connection, [HEARTBEAT_FACT])
            error = self.find_index_error(index, database) if index.is_dir() else None
        finally:
            database.close()
        if error is not None:
            shutil.rmtree(index)
        return error

    def _replace(self, staging: Path) -> tuple[Path | None, bool]:
        """Where the old store was put, and whether it is damaged."""
        if not self.database_path.exists():
            self._move_in(staging)
            return None, False
        aside = self._make_aside()
        try:
            database = self._open_whole()
            if database is None:
                # Nothing can be read from this file, so it is exchanged as a whole.
                self._move_aside(aside)
                self._move_in(staging)
            else:
                self._replace_content(database, staging, aside)
        finally:
            if not any(aside.iterdir()):
                aside.rmdir()
        return aside, database is None

    def _open_whole(self) -> Database | None:
        """The store's database; None when it is damaged."""
        try:
            database = Database.open(
                self.database_path, clock=self.clock, wait_seconds=self.wait_seconds
            )
            _refuse_while_others_work(database)
            with database.reading() as connection:
                damage = damaged_pages(connection)
        except CorruptStoreError:
            return None
        if damage:
            database.close()
            return None
        return database

    def _replace_content(self, database: Database, staging: Path, aside: Path) -> None:
        def keep_old() -> None:
            database.copy_to(aside / DATABASE_MEMBER)
            self.checkpoint(RestoreStep.DATABASE_KEPT)
            self._keep_index(aside)

        try:
            with database.exclusive(DRAIN_LOCK), database.exclusive(INDEX_LOCK):
                database.replace_content(staging / DATABASE_MEMBER, keep_old)
                self.checkpoint(RestoreStep.DATABASE_REPLACED)
                self._put_index(staging)
        finally:
            database.close()

    def _make_aside(self) -> Path:
        """A new folder in the store's, on the same disk, named after this moment."""
        home = self.database_path.parent
        moment = self.clock().strftime("%Y%m%dT%H%M%SZ")
        number = 1
        while True:
            ending = "" if number == 1 else f"-{number}"
            aside = home / f"{ASIDE_PREFIX}{moment}{ending}"
            try:
                aside.mkdir(mode=FOLDER_MODE)
            except FileExistsError:
                number += 1
            else:
                return aside

    def _move_aside(self, aside: Path) -> None:
        for suffix in reversed(WAL_SUFFIXES):
            old = self.database_path.with_name(self.database_path.name + suffix)
            if old.exists():
                old.replace(aside / f"{DATABASE_MEMBER}{suffix}")
        self.checkpoint(RestoreStep.DATABASE_KEPT)
        self._keep_index(aside)

    def _move_in(self, staging: Path) -> None:
        self._keep_index(staging / "old")
        (staging / DATABASE_MEMBER).replace(self.database_path)
        self.checkpoint(RestoreStep.DATABASE_REPLACED)
        self._put_index(staging)

    def _keep_index(self, aside: Path) -> None:
        if self.index_folder is not None and os.path.lexists(self.index_folder):
            aside.mkdir(exist_ok=True)
            shutil.move(self.index_folder, aside / INDEX_MEMBER)
        self.checkpoint(RestoreStep.INDEX_KEPT)

    def _put_index(self, staging: Path) -> None:
        if self.index_folder is not None and (staging / INDEX_MEMBER).is_dir():
            shutil.move(staging / INDEX_MEMBER, self.index_folder)
        self.checkpoint(RestoreStep.INDEX_REPLACED)


@contextmanager
def _inspected(path: Path, clock: Clock) -> Iterator[Database]:
    database = Database.inspect(path, clock=clock)
    try:
        yield database
    finally:
        database.close()


def _refuse_while_others_work(database: Database) -> None:
    held = [lock for lock in database.held_locks() if lock.name not in {DRAIN_LOCK, INDEX_LOCK}]
    if held:
        raise StoreAtWorkError(what="replace the store", holder=held[0].holder)
