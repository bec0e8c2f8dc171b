"""The doctor's look into the database."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

from memctl.doctor.finding import BACKUP_HELPS, Finding, Repair, Severity
from memctl.document import DocumentStatus
from memctl.ingestion.gone import WHAT_ENDS_IT, is_gone, lost_sources
from memctl.ingestion.heartbeat import read_heartbeat
from memctl.maintenance.purge import MAINTENANCE_LOCK
from memctl.memory import ID_DISPLAY_LENGTH
from memctl.plural import plural
from memctl.store import integrity
from memctl.store.damaged_rows import damaged_rows
from memctl.store.database import Database
from memctl.store.facts import PURGING_KEY
from memctl.store.graph import Graph
from memctl.store.index_rebuild import BUILDING_KEY

SHOWN_EXAMPLES = 5

JOURNAL_HELP = (
    "the memories are as they were; `memctl restore-backup FILE` brings back a backup with a sound "
    "journal"
)

ABANDONED_AFTER = timedelta(hours=1)
"""A document that nobody has worked at for so long was left by a process that ended."""

LONG_HELD = timedelta(hours=1)
"""No command holds a lock for so long; only a process that hangs does."""


def check_database(database: Database) -> Iterator[Finding]:
    """The file itself, by SQLite's own check."""
    with database.reading() as connection:
        damage = integrity.damaged_pages(connection)
    if damage:
        yield Finding(
            check="database",
            severity=Severity.ERROR,
            problem=f"the database is damaged: {damage[0]}",
            fix="restore a backup with `memctl restore-backup FILE`, or save what can be read "
            "with `memctl export FILE` and import it into a new store",
            examples=tuple(damage[:SHOWN_EXAMPLES]),
        )


def check_rows(database: Database) -> Iterator[Finding]:
    """Rows that hold what memctl never writes, which no command can read."""
    with database.reading() as connection:
        damaged = damaged_rows(connection)
    lasting = [row for row in damaged if not row.is_repairable]
    in_journal = [row for row in lasting if row.is_of_journal]
    for rows, fix, repair in (
        (
            [row for row in damaged if row.is_repairable],
            "memctl doctor --fix puts back what the journal knows, and takes away what is only "
            "worked out from the rest",
            Repair.ROWS,
        ),
        (
            in_journal,
            f"`memctl log` and `memctl undo` may stop at them; {JOURNAL_HELP}",
            None,
        ),
        (
            [row for row in lasting if not row.is_of_journal],
            f"the journal does not know what stood there: {BACKUP_HELPS}",
            None,
        ),
    ):
        if rows:
            yield Finding(
                check="rows",
                severity=Severity.ERROR,
                problem=plural(len(rows), "row holds", "rows hold") + " what cannot be read",
                fix=fix,
                repair=repair,
                examples=tuple(str(row) for row in rows[:SHOWN_EXAMPLES]),
            )


def check_references(database: Database) -> Iterator[Finding]:
    """Links and places that name something that there is not."""
    with database.reading() as connection:
        dangling = integrity.dangling_references(connection)
        stranded = integrity.stranded_memories(connection)
        circular = integrity.circular_memories(connection)
        orphaned = integrity.orphaned_changes(connection)
    if dangling:
        yield Finding(
            check="references",
            severity=Severity.ERROR,
            problem=plural(sum(dangling.values()), "row names", "rows name")
            + " something that is not there",
            fix="memctl doctor --fix",
            repair=Repair.REFERENCES,
            examples=tuple(f"{name}: {count:,}" for name, count in dangling.items()),
        )
    if stranded:
        yield Finding(
            check="references",
            severity=Severity.WARNING,
            problem=plural(len(stranded), "memory is", "memories are")
            + " superseded by one that is forgotten",
            fix="memctl doctor --fix",
            repair=Repair.STRANDED,
            examples=_ids(stranded),
        )
    if circular:
        yield Finding(
            check="references",
            severity=Severity.ERROR,
            problem=f"{plural(len(circular), 'memory')} in a circle of successors: none is current",
            fix="memctl doctor --fix leaves all of them current; then `memctl forget` those that "
            "are old",
            repair=Repair.REFERENCES,
            examples=_ids(circular),
        )
    if orphaned:
        yield Finding(
            check="references",
            severity=Severity.WARNING,
            problem=plural(orphaned, "journal entry is", "journal entries are")
            + " of an operation that is not there",
            fix=f"`memctl log` and `memctl undo` leave them out; {JOURNAL_HELP}",
        )


def check_texts(database: Database) -> Iterator[Finding]:
    """Whether every text is the one that was stored."""
    with database.reading() as connection:
        changed = integrity.changed_texts(connection)
    if changed:
        yield Finding(
            check="texts",
            severity=Severity.ERROR,
            problem=f"the text of {plural(len(changed), 'memory')} was changed outside memctl, "
            "or by a faulty disk",
            fix="look at each with `memctl show ID` and save what is right with `memctl edit ID`",
            examples=_ids(changed),
        )


def check_documents(database: Database) -> Iterator[Finding]:
    """Files whose text never reached the store."""
    before = database.clock() - ABANDONED_AFTER
    with database.reading() as connection:
        bad = [row for row in integrity.bad_documents(connection) if not is_gone(Path(row[0]))]
        unfinished = integrity.unfinished_documents(connection, before)
    if bad:
        yield Finding(
            check="documents",
            severity=Severity.WARNING,
            problem=f"{plural(len(bad), 'file')} could not be taken in",
            fix="repair or remove each file, then `memctl ingest PATH` takes it in",
            examples=_documents(bad),
        )
    if unfinished:
        yield Finding(
            check="documents",
            severity=Severity.WARNING,
            problem=plural(len(unfinished), "file was", "files were") + " begun and not finished",
            fix="`memctl ingest PATH` goes on where it stopped",
            examples=_documents(unfinished),
        )


def check_sources(database: Database) -> Iterator[Finding]:
    """Files that memories rest on and that are gone; the memories stay."""
    lost = lost_sources(Graph(database).documents(statuses=[DocumentStatus.DONE]))
    if lost:
        yield Finding(
            check="sources",
            severity=Severity.NOTE,
            problem=plural(
                len(lost), "file that memories come from is", "files that memories come from are"
            )
            + " gone; the memories stay",
            fix=WHAT_ENDS_IT,
            examples=tuple(document.path for document in lost[:SHOWN_EXAMPLES]),
        )


def check_locks(database: Database) -> Iterator[Finding]:
    """Locks that are held, and for how long."""
    now = database.clock()
    for lock in database.held_locks():
        held = now - datetime.fromtimestamp(lock.since, now.tzinfo)
        is_long = held >= LONG_HELD and lock.name not in LASTING_LOCKS
        yield Finding(
            check="locks",
            severity=Severity.WARNING if is_long else Severity.NOTE,
            problem=f"{lock.holder} has held the {lock.name} lock for {_minutes(held)}",
            fix="see what that process does; if it hangs, end it, and the lock is free"
            if is_long
            else "nothing: it is at work",
        )


def check_unfinished(database: Database) -> Iterator[Finding]:
    """Work on the whole store that was stopped before its end."""
    facts = Graph(database).facts()
    is_held = any(lock.name == MAINTENANCE_LOCK for lock in database.held_locks())
    if PURGING_KEY in facts and not is_held:
        yield Finding(
            check="unfinished",
            severity=Severity.ERROR,
            problem="a purge was stopped: files of the store may still hold what it erased",
            fix="`memctl maintain` finishes it",
        )
    if BUILDING_KEY in facts and not is_held:
        yield Finding(
            check="unfinished",
            severity=Severity.NOTE,
            problem="a new search index was begun and not finished; the old one is in use",
            fix="`memctl maintain --reindex` goes on where that one stopped",
        )


def check_watch(database: Database) -> Iterator[Finding]:
    """Whether the process that watches folders, if there is one, is well."""
    heartbeat = read_heartbeat(Graph(database).facts())
    state = None if heartbeat is None else heartbeat.state(database.clock())
    if heartbeat is None or state not in WATCH_PROBLEMS:
        return
    yield Finding(
        check="watch",
        severity=Severity.WARNING,
        problem=f"process {heartbeat.process_id}, which watched folders, {WATCH_PROBLEMS[state]}",
        fix="start `memctl ingest --watch` again; it takes up where that one stopped",
        examples=heartbeat.folders[:SHOWN_EXAMPLES],
    )


WATCH_PROBLEMS = {
    "silent": "has not been heard of for minutes",
    "ended": "is gone without having stopped",
}

LASTING_LOCKS = frozenset({"daemon", "watch", "serve"})
"""Locks that are held as long as a daemon runs."""


def _ids(ids: list[str]) -> tuple[str, ...]:
    return tuple(key[:ID_DISPLAY_LENGTH] for key in ids[:SHOWN_EXAMPLES])


def _documents(rows: list[tuple[str, str, str | None]]) -> tuple[str, ...]:
    return tuple(
        f"{path} ({status}{f': {reason}' if reason else ''})"
        for path, status, reason in rows[:SHOWN_EXAMPLES]
    )


def _minutes(span: timedelta) -> str:
    minutes = max(int(span.total_seconds()) // 60, 0)
    return f"{minutes} min" if minutes else "less than a minute"
