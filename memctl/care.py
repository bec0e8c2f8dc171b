"""What keeps a store well: the doctor's round, backups, and their way back.

Beside the runtime, because none of it opens the store in the usual way: a store may be damaged,
or may not be there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from memctl.errors import MissingStoreError
from memctl.plural import plural
from memctl.runtime import Runtime
from memctl.target_file import target_of

if TYPE_CHECKING:
    from memctl.backup.archive import Manifest
    from memctl.backup.restoring import Restoration, RestoreReport, VerifiedBackup
    from memctl.doctor.checkup import Checkup
    from memctl.doctor.finding import Finding

INDEX_LEFT_OUT = (
    "{error}: it is left out of the backup, which holds all of the store without it; "
    "`memctl doctor --fix` builds it again"
)

INDEX_BUILT_AGAIN = (
    "the backup's search index cannot be used ({why}): it is built again from its database"
)

DANGLING_ROWS = (
    "in the backup's database {rows} another that it does not hold; "
    "`memctl doctor` says what helps once it is restored"
)


@dataclass(frozen=True, slots=True)
class Care:
    """Works on the store of a runtime, which opens nothing that is not asked for."""

    runtime: Runtime

    @property
    def checkup(self) -> Checkup:
        """A look at the store that changes nothing, not even a store that is not there yet."""
        from memctl.doctor.checkup import Checkup

        settings = self.runtime.settings
        return Checkup(
            folder=settings.store.path,
            database_path=self.runtime.database_path,
            index_folder=self.runtime.index_folder,
            configured_model=settings.embedding.model,
            wait_seconds=settings.store.wait_seconds,
            clock=self.runtime.clock,
            make_index=lambda: self.runtime.index,
            make_embedder=lambda: self.runtime.embedder,
        )

    def repair(self, findings: Sequence[Finding]) -> list[Finding]:
        """Repairs what is safe to repair; gives the findings that were dealt with."""
        from memctl.doctor.checkup import Repairs

        repairs = Repairs(
            folder=self.runtime.settings.store.path,
            store=self.runtime.store,
            database=self.runtime.database,
            rebuild_index=self._rebuild_index,
        )
        return repairs.apply(findings)

    def _rebuild_index(self) -> None:
        from memctl.maintaining import Maintaining

        Maintaining(self.runtime).rebuild(self.runtime.settings.embedding.model).run()

    def round_trip(self) -> list[Finding]:
        """Saves, recalls, forgets and restores in a store of its own that is gone afterwards."""
        from memctl.doctor.round_trip import check_round_trip

        settings = self.runtime.settings
        with TemporaryDirectory(prefix="memctl-doctor-") as folder:
            store = replace(settings.store, path=Path(folder), database_url=None, index_uri=None)
            scratch = self.runtime.with_settings(replace(settings, store=store))
            try:
                return list(check_round_trip(scratch))
            finally:
                scratch.close()

    def back_up(self, target: Path, *, overwrite: bool) -> Manifest:
        """Writes both stores into one file while others go on working, a damaged search index left
        out with a warning.

        Raises WriteError where the file exists and may not be overwritten, or cannot be made,
        MissingFolderError, and MissingStoreError where there is nothing to copy.
        """
        return self._make_backup(target_of(target, may_replace=overwrite))

    @contextmanager
    def passing_backup(self) -> Iterator[tuple[Path, Manifest]]:
        """A backup in a file of its own that is gone after the block, for whoever passes it on.

        Raises as ``back_up`` does.
        """
        with TemporaryDirectory(prefix="memctl-backup-") as folder:
            target = Path(folder, "memctl.tar")
            yield target, self._make_backup(target)

    def _make_backup(self, target: Path) -> Manifest:
        from memctl.backup.index_copy import find_index_error
        from memctl.backup.making import make_backup

        if not self.runtime.database_path.exists():
            raise MissingStoreError(path=self.runtime.database_path)
        made = make_backup(
            self.runtime.database,
            self.runtime.index_folder,
            target,
            find_index_error=find_index_error,
        )
        if made.index_error is not None:
            self.runtime.warn(INDEX_LEFT_OUT.format(error=made.index_error))
        return made.manifest

    def verify_backup(self, path: Path) -> VerifiedBackup:
        """Proves that a backup can be restored, without touching the store. Raises BackupError."""
        backup = self._restoration.verify(path)
        self._warn_of(backup)
        return backup

    def restore_backup(self, path: Path) -> RestoreReport:
        """Verifies a backup, puts it in the store's place, and sees that the index fits it."""
        report = self._restoration.run(path)
        self._warn_of(report.backup)
        self.runtime.store.queue_differences()
        self.runtime.drain()
        return report

    def _warn_of(self, backup: VerifiedBackup) -> None:
        if backup.index_error is not None:
            error = backup.index_error
            self.runtime.warn(INDEX_BUILT_AGAIN.format(why=error.reason.format_map(error.data)))
        if backup.dangling_count:
            rows = plural(backup.dangling_count, "row names", "rows name")
            self.runtime.warn(DANGLING_ROWS.format(rows=rows))

    @property
    def _restoration(self) -> Restoration:
        from memctl.backup.index_copy import find_index_error
        from memctl.backup.restoring import Restoration

        return Restoration(
            database_path=self.runtime.database_path,
            index_folder=self.runtime.index_folder,
            wait_seconds=self.runtime.settings.store.wait_seconds,
            clock=self.runtime.clock,
            find_index_error=find_index_error,
        )
