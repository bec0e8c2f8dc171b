"""The doctor's round: every check in order, then the repairs that are safe.

Looking changes nothing: a store that does not exist is not made, an old one not migrated. An error
of a check is a finding like any other, and the checks that need what failed are left out; a row
that cannot be read is one finding, whichever checks meet it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from memctl.backup.leftovers import remove_abandoned
from memctl.doctor import files, search_index, truth
from memctl.doctor.finding import BACKUP_HELPS, RECOVERING_HELPS, Finding, Repair, Severity
from memctl.embedding import Embedder
from memctl.errors import (
    CorruptStoreError,
    DamagedRowError,
    LockedError,
    MemctlError,
    SearchIndexError,
)
from memctl.maintenance.purge import MAINTENANCE_LOCK
from memctl.store.damaged_rows import damaged_rows, repair_damaged_rows
from memctl.store.database import Database
from memctl.store.graph import Graph
from memctl.store.index import SearchIndex
from memctl.store.index_place import PlaceState, is_left_alone, look_at_place
from memctl.store.integrity import (
    has_unreadable_entries,
    repair_circles,
    repair_dangling_references,
    stranded_memories,
)
from memctl.store.memory_store import MemoryStore

COMMAND = "doctor"


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What was looked at and what was found, in the order of the checks."""

    checks: tuple[str, ...]
    findings: tuple[Finding, ...]

    @property
    def is_healthy(self) -> bool:
        return all(finding.severity is Severity.NOTE for finding in self.findings)


@dataclass(slots=True, kw_only=True)
class Checkup:
    """One round. ``index_folder`` is None where the index lies on another machine."""

    folder: Path
    database_path: Path
    index_folder: Path | None
    configured_model: str
    wait_seconds: float
    clock: Callable[[], datetime]
    make_index: Callable[[], SearchIndex]
    make_embedder: Callable[[], Embedder]
    _checks: list[str] = field(default_factory=list)
    _findings: list[Finding] = field(default_factory=list)

    def run(self, round_trip: Callable[[], Iterable[Finding]] | None = None) -> Report:
        """All checks; with ``round_trip``, which belongs to `--deep`, the slow ones too."""
        if self.index_folder is not None and is_left_alone(self.database_path, self.index_folder):
            self._look("store", lambda: [self._lost_database()])
            return self._report()
        if not self.database_path.exists():
            self._look("store", lambda: [self._no_store()])
            return self._report()
        self._look("permissions", lambda: files.check_permissions(self.folder))
        self._look("disk space", lambda: files.check_space(self.folder, files.size_of(self.folder)))
        self._look("copies", lambda: files.check_copies(self.database_path.parent))
        database = self._open()
        if database is not None:
            try:
                self._look_into(database, deep=round_trip is not None)
            finally:
                database.close()
        if round_trip is not None:
            self._look("round trip", round_trip)
        return self._report()

    def _look_into(self, database: Database, *, deep: bool) -> None:
        self._look("database", lambda: truth.check_database(database))
        self._look("rows", lambda: truth.check_rows(database))
        self._look("references", lambda: truth.check_references(database))
        self._look("texts", lambda: truth.check_texts(database))
        self._look("documents", lambda: truth.check_documents(database))
        self._look("sources", lambda: truth.check_sources(database))
        self._look("locks", lambda: truth.check_locks(database))
        self._look("unfinished", lambda: truth.check_unfinished(database))
        self._look("watch", lambda: truth.check_watch(database))
        self._look("outbox", lambda: map(self._with_condition, search_index.check_outbox(database)))
        self._look("model", lambda: search_index.check_model(database, self.configured_model))
        self._look("index", lambda: map(self._with_condition, self._check_index(database)))
        if deep and self._has_index():
            self._look(
                "vectors",
                lambda: search_index.check_vectors(
                    database, self.make_index(), self.make_embedder()
                ),
            )

    def _check_index(self, database: Database) -> Iterable[Finding]:
        with database.reading() as connection:
            if has_unreadable_entries(connection):
                return []
        if self.index_folder is not None:
            state = look_at_place(self.index_folder)
            if state is PlaceState.READ_ONLY:
                return [search_index.read_only_place(self.index_folder)]
            if state in {PlaceState.OTHER, PlaceState.CLOSED}:
                return [search_index.blocked_place(self.index_folder, state)]
        if self._has_index():
            index = self.make_index()
            return [
                *search_index.check_index(database, index),
                *search_index.check_dimension(database, index),
            ]
        return [search_index.missing_index()] if Graph(database).counts().visible else []

    def _with_condition(self, finding: Finding) -> Finding:
        """The finding about the index, beside rows that no repair makes readable."""
        is_left = any(one.check == "rows" and one.repair is None for one in self._findings)
        if finding.repair is None or not is_left:
            return finding
        return replace(finding, fix=f"{finding.fix}, unless it needs a row that cannot be read")

    def _has_index(self) -> bool:
        if self.index_folder is None:
            return True
        is_usable = look_at_place(self.index_folder) is PlaceState.FOLDER
        return is_usable and any(self.index_folder.iterdir())

    def _open(self) -> Database | None:
        opened: list[Database] = []

        def open_database() -> Iterator[Finding]:
            opened.append(
                Database.inspect(
                    self.database_path, clock=self.clock, wait_seconds=self.wait_seconds
                )
            )
            yield from ()

        self._look("opening", open_database)
        return opened[0] if opened else None

    def _look(self, check: str, look: Callable[[], Iterable[Finding]]) -> None:
        self._checks.append(check)
        try:
            self._findings += look()
        except DamagedRowError as error:
            if not any(finding.check == "rows" for finding in self._findings):
                self._findings.append(
                    Finding(
                        check=check,
                        severity=Severity.ERROR,
                        problem=str(error),
                        fix=BACKUP_HELPS,
                    )
                )
        except LockedError as error:
            self._findings.append(_as_finding(check, error, Severity.WARNING))
        except (MemctlError, OSError) as error:
            self._findings.append(_as_finding(check, error, Severity.ERROR))

    def _report(self) -> Report:
        return Report(checks=tuple(self._checks), findings=tuple(self._findings))

    def _lost_database(self) -> Finding:
        return Finding(
            check="store",
            severity=Severity.ERROR,
            problem=f"the database {self.database_path} is gone or empty; only the search index is "
            "left",
            fix="memctl restore-backup FILE brings a backup back",
        )

    def _no_store(self) -> Finding:
        return Finding(
            check="store",
            severity=Severity.NOTE,
            problem=f"there is no store at {self.folder} yet",
            fix="`memctl save TEXT` makes it",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Repairs:
    """What `--fix` does about findings, with the parts of an opened store."""

    folder: Path
    store: MemoryStore
    database: Database
    rebuild_index: Callable[[], object]

    def apply(self, findings: Sequence[Finding]) -> list[Finding]:
        """Repairs what can be; gives the findings that were dealt with. Whether that helped, the
        next round says. Raises StoreError and its kinds, LockedError and RestoreConflictError."""
        wanted = {finding.repair for finding in findings if finding.repair is not None}
        if Repair.PERMISSIONS in wanted:
            files.close_to_others(self.folder)
        if Repair.COPIES in wanted:
            remove_abandoned(Path(self.database.location).parent)
        if Repair.ROWS in wanted:
            with self.store.operation(COMMAND) as operation, operation.transaction() as writes:
                repair_damaged_rows(writes)
        if Repair.REFERENCES in wanted:
            with self.store.operation(COMMAND) as operation, operation.transaction() as writes:
                repair_dangling_references(writes)
                repair_circles(writes)
        if Repair.STRANDED in wanted:
            self._bring_back_stranded()
        try:
            self._repair_index(wanted)
        except (CorruptStoreError, DamagedRowError):
            # The next round names the rows of which no index can be made.
            if not self._has_lasting_damage():
                raise
        return [finding for finding in findings if finding.repair is not None]

    def _repair_index(self, wanted: set[Repair]) -> None:
        if Repair.REBUILD in wanted:
            self._rebuild_index()
        if wanted - {Repair.PERMISSIONS, Repair.COPIES}:
            try:
                self._bring_index_up_to_date()
            except SearchIndexError:
                self._rebuild_index()
                self._bring_index_up_to_date()

    def _has_lasting_damage(self) -> bool:
        with self.database.reading() as connection:
            return any(not row.is_repairable for row in damaged_rows(connection))

    def _rebuild_index(self) -> None:
        with self.database.exclusive(MAINTENANCE_LOCK, wait_seconds=0):
            self.rebuild_index()

    def _bring_back_stranded(self) -> None:
        with self.database.reading() as connection:
            stranded = stranded_memories(connection)
        with self.store.operation(COMMAND) as operation:
            operation.restore(stranded)

    def _bring_index_up_to_date(self) -> None:
        self.store.queue_differences()
        report = self.store.drain()
        if report.error is not None:
            raise report.error


def _as_finding(check: str, error: MemctlError | OSError, severity: Severity) -> Finding:
    if isinstance(error, CorruptStoreError):
        problem, fix = str(error), f"{BACKUP_HELPS}; {RECOVERING_HELPS}"
    elif isinstance(error, MemctlError):
        problem, fix = str(error), error.next_step or BACKUP_HELPS
    else:
        problem, fix = f"{error.strerror}: {error.filename}", "see who owns that file"
    repair = Repair.REBUILD if isinstance(error, SearchIndexError) else None
    return Finding(check=check, severity=severity, problem=problem, fix=fix, repair=repair)
