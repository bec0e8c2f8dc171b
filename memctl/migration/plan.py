"""The plan of a migration: every file with its fate, and every memory that is to be stored.

Making it stores nothing and needs no model. Large trees are read by several processes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from pathlib import Path, PurePath

from memctl.content import hash_content, normalise_content
from memctl.document import DocumentStatus
from memctl.errors import SearchIndexError
from memctl.memory import EventTime, MemoryType, event_day
from memctl.migration.brain import read_brain
from memctl.migration.cleaning import REPEATED
from memctl.migration.discover import Discovery, discover_source
from memctl.migration.options import MigrationOptions
from memctl.migration.plugin_table import COLUMNS, TABLE_NAME, read_plugin_rows
from memctl.migration.readers_pool import read_all
from memctl.migration.reading import ReadFile, ReadTask, clean_secrets, extract_said
from memctl.migration.session_keys import SessionKeys, read_session_keys
from memctl.migration.source_file import Role, SourceFile, Workspace
from memctl.migration.statement import PlannedMemory, PlannedRow
from memctl.migration.tagged import EXPORTED
from memctl.store.foreign_table import read_foreign_rows

SAME_CONTENT = "the same content as {path}"

BeginReading = Callable[[int], Callable[[str], None]]
"""Told how many files are to be read, gives what is to hear the name of each that was."""

_ROW_ROLES = (Role.DATABASE, Role.TABLE)

_CONTEXT_END = re.compile(r" — |: (?=[^a-z])")
"""Behind the headings that a statement carries as its context."""

Claim = tuple[str, str | None]
"""A content hash and a channel."""


@dataclass(slots=True, kw_only=True)
class PlannedFile:
    """A file with what is to be stored of it.

    ``duplicates`` counts those of its memories that another file of the plan states before it.
    """

    source: SourceFile
    status: DocumentStatus
    reason: str | None = None
    read: ReadFile | None = None
    memories: list[PlannedMemory] = field(default_factory=list)
    rows: list[PlannedRow] = field(default_factory=list)
    redactions: tuple[str, ...] = ()
    rejected: Counter[str] = field(default_factory=Counter)
    duplicates: int = 0

    @property
    def all_memories(self) -> list[PlannedMemory]:
        """Its memories, those of rows included, in order."""
        return [*(row.memory for row in self.rows), *self.memories]

    @property
    def planned(self) -> int:
        """How many memories it gives that no earlier file does."""
        return len(self.memories) + len(self.rows) - self.duplicates

    @property
    def types(self) -> Counter[MemoryType]:
        return Counter(memory.memory_type for memory in self.all_memories)

    def channel_of(self, memory: PlannedMemory) -> str | None:
        """The channel that a memory is to be stored in."""
        if memory.channel_id is not None:
            return memory.channel_id
        return None if self.source.workspace is None else self.source.workspace.channel_id


@dataclass(slots=True, kw_only=True)
class MigrationPlan:
    """All files in the order in which they are stored, then those that are left."""

    paths: tuple[Path, ...]
    options: MigrationOptions
    files: list[PlannedFile]
    workspaces: list[Workspace]
    warnings: list[str]
    session_keys: SessionKeys

    @property
    def taken(self) -> list[PlannedFile]:
        """The files that were read."""
        return [file for file in self.files if file.status is DocumentStatus.DONE]

    @property
    def memory_count(self) -> int:
        return sum(file.planned for file in self.files)


class Planner:
    """Makes plans. ``home`` is where ``~`` in a configuration leads; ``clock`` bounds dates."""

    def __init__(self, *, home: Path, clock: Callable[[], datetime]) -> None:
        self._home = home
        self._clock = clock

    def plan(
        self,
        paths: Sequence[Path],
        options: MigrationOptions,
        begin_reading: BeginReading = lambda _: lambda _: None,
    ) -> MigrationPlan:
        """What moving in from ``paths`` would store.

        Raises MissingPathError, ArchiveError, and UsageError for a workspace that is not there.
        """
        with ExitStack() as unpacking:
            found = [discover_source(path, options, self._home, unpacking) for path in paths]
            discovery = Discovery(
                files=[file for one in found for file in one.files],
                workspaces=[workspace for one in found for workspace in one.workspaces],
                warnings=[warning for one in found for warning in one.warnings],
            )
            planned = list(self._read(discovery.files, options, begin_reading))
            session_keys = read_session_keys(discovery.files)
        planned = [_within(file, options) for file in _without_copies(sorted(planned, key=_order))]
        _drop_repeated_promotions(planned)
        _find_duplicates(planned)
        return MigrationPlan(
            paths=tuple(paths),
            options=options,
            files=planned,
            workspaces=discovery.workspaces,
            warnings=discovery.warnings,
            session_keys=session_keys,
        )

    def _read(
        self,
        files: Sequence[SourceFile],
        options: MigrationOptions,
        begin_reading: BeginReading,
    ) -> Iterator[PlannedFile]:
        pending = [file for file in files if file.status is DocumentStatus.PENDING]
        on_read = begin_reading(len(pending))
        texts = [file for file in pending if file.role not in _ROW_ROLES]
        tasks = list(self._tasks(texts, options))
        for file, read in zip(texts, read_all(tasks), strict=True):
            on_read(file.path.name)
            yield _planned_text(file, read)
        for file in files:
            if file.status is not DocumentStatus.PENDING:
                yield PlannedFile(source=file, status=file.status, reason=file.reason)
            elif file.role in _ROW_ROLES:
                on_read(file.path.name)
                yield _planned_rows(file, options)

    def _tasks(self, files: Sequence[SourceFile], options: MigrationOptions) -> Iterator[ReadTask]:
        today = self._clock().date()
        names: dict[Path, set[str]] = {}
        for file in files:
            if file.workspace is not None and file.path.is_relative_to(file.workspace.path):
                below = file.path.relative_to(file.workspace.path)
                names.setdefault(file.workspace.path, set()).add(below.as_posix())
        known = {path: frozenset(found) for path, found in names.items()}
        for file in files:
            holder = None if file.workspace is None else file.workspace.path
            yield ReadTask(
                path=str(file.path),
                real_path=str(file.real_path),
                identity=file.identity,
                role=file.role,
                max_bytes=options.max_bytes,
                today=today,
                known_sources=known.get(holder, frozenset()) if holder else frozenset(),
            )


def _planned_text(file: SourceFile, read: ReadFile) -> PlannedFile:
    return PlannedFile(
        source=file,
        status=read.status,
        reason=read.reason,
        read=read,
        memories=read.memories,
        redactions=read.redactions,
        rejected=read.rejected,
    )


def _planned_rows(file: SourceFile, options: MigrationOptions) -> PlannedFile:
    planned = PlannedFile(source=file, status=DocumentStatus.DONE)
    if file.role is Role.TABLE:
        try:
            found = read_foreign_rows(file.real_path.parent, TABLE_NAME, COLUMNS)
            planned.rows = list(read_plugin_rows(found))
        except SearchIndexError as error:
            planned.status, planned.reason = DocumentStatus.UNREADABLE, str(error.data["why"])
    else:
        _plan_brain(planned, options)
    cleaned = [clean_secrets(row.memory) for row in planned.rows]
    planned.rows = [
        replace(row, memory=memory) for row, (memory, _) in zip(planned.rows, cleaned, strict=True)
    ]
    planned.redactions += tuple(kind for _, kinds in cleaned for kind in kinds)
    return planned


def _plan_brain(planned: PlannedFile, options: MigrationOptions) -> None:
    brain = read_brain(planned.source.real_path, max_bytes=options.max_bytes)
    planned.rows, planned.reason = brain.rows, brain.reason
    if not brain.is_readable:
        planned.status = DocumentStatus.UNREADABLE
    elif not brain.is_brain:
        planned.status = DocumentStatus.IGNORED
    elif brain.conversations and options.sessions:
        path = str(planned.source.path)
        for text, said_at in brain.conversations:
            memories, kinds = extract_said(path, text, said_at)
            planned.memories += memories
            planned.redactions += kinds
    elif brain.conversations:
        planned.rejected["conversation; --sessions takes it"] += len(brain.conversations)


def _order(file: PlannedFile) -> tuple[int, date, str]:
    """Databases, then dated notes by day, then the rest: what knows its day goes before what
    repeats it without one. Files that are left come last."""
    if file.status is not DocumentStatus.DONE:
        return 4, date.max, str(file.source.path)
    if file.source.role in _ROW_ROLES:
        return 0, date.min, str(file.source.path)
    if file.source.role is Role.SESSION:
        return 3, file.read.day or date.max if file.read else date.max, str(file.source.path)
    day = None if file.read is None else file.read.day
    return (2, date.max, str(file.source.path)) if day is None else (1, day, str(file.source.path))


def _without_copies(files: Iterable[PlannedFile]) -> Iterator[PlannedFile]:
    """A file of the same content and day as an earlier one of that workspace's is left."""
    first: dict[tuple[object, ...], Path] = {}
    for file in files:
        read = file.read
        if file.status is not DocumentStatus.DONE or read is None or not file.memories:
            yield file
            continue
        workspace = file.source.workspace
        channel = None if workspace is None else workspace.channel_id
        key = (read.content_hash, read.day, channel, file.source.role)
        known = first.setdefault(key, file.source.path)
        if known == file.source.path:
            yield file
        else:
            reason = SAME_CONTENT.format(path=known)
            yield PlannedFile(source=file.source, status=DocumentStatus.IGNORED, reason=reason)


def _within(file: PlannedFile, options: MigrationOptions) -> PlannedFile:
    """The file, unless it is older than ``since``."""
    since = options.since
    read = file.read
    if since is None or file.status is not DocumentStatus.DONE:
        return file
    if read is None:
        file.rows = [row for row in file.rows if row.created_at is None or row.created_at >= since]
        return file
    is_old = (
        read.day < since.date()
        if read.day is not None
        else read.modified_at is not None and read.modified_at < since
    )
    if not is_old:
        return file
    reason = f"older than {since.date()}, which --since asks for"
    return PlannedFile(source=file.source, status=DocumentStatus.IGNORED, reason=reason)


def _drop_repeated_promotions(files: Iterable[PlannedFile]) -> None:
    """Leaves out what MEMORY.md has from a daily note that is taken itself, with its headings."""
    known: set[tuple[object, ...]] = set()
    with_promotions = []
    for file in files:
        if any(memory.is_promoted for memory in file.memories):
            with_promotions.append(file)
        known |= {_core(file, one) for one in file.all_memories if not one.is_promoted}
    for file in with_promotions:
        kept = [
            one for one in file.memories if not one.is_promoted or _core(file, one) not in known
        ]
        file.rejected[REPEATED] += len(file.memories) - len(kept)
        file.memories = kept


def _core(file: PlannedFile, memory: PlannedMemory) -> tuple[object, ...]:
    """A statement without the headings in front of it, with its channel and day."""
    day = None if memory.event_at is None else event_day(memory.event_at)
    core = _CONTEXT_END.split(memory.content)[-1]
    return hash_content(normalise_content(core)), file.channel_of(memory), day


def _find_duplicates(files: Iterable[PlannedFile]) -> None:
    """Counts, as the store will judge it, what says the same in one channel at a compatible time.

    Of two times on one day the earlier file's holds for both.
    """
    known: dict[Claim, list[EventTime | None]] = {}
    for file in files:
        for position, memory in enumerate(file.memories):
            file.memories[position] = _checked(file, memory, known)
        for position, row in enumerate(file.rows):
            file.rows[position] = replace(row, memory=_checked(file, row.memory, known))


def _checked(
    file: PlannedFile, memory: PlannedMemory, known: dict[Claim, list[EventTime | None]]
) -> PlannedMemory:
    times = known.setdefault(claim_of(file, memory), [])
    for time in times:
        if time is None or memory.event_at is None or time == memory.event_at:
            file.duplicates += 1
            return memory
        if memory.reason != EXPORTED and event_day(time) == event_day(memory.event_at):
            file.duplicates += 1
            return replace(memory, event_at=time)
    times.append(memory.event_at)
    return memory


def claim_of(file: PlannedFile, memory: PlannedMemory) -> Claim:
    """By what the store knows a memory's text again."""
    return hash_content(normalise_content(memory.content)), file.channel_of(memory)


def session_id_of(path: str) -> str:
    """A session's id by its file's name, where the file does not give one."""
    return PurePath(path).name.split(".", 1)[0]
