"""Reads ZeroClaw's brain.db, and tells other SQLite files apart from it.

The file is opened read-only and as one that nobody changes; where its write-ahead log still holds
something, a copy is opened in its place. So the source is never written, locked or touched.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from uuid import NAMESPACE_URL, UUID, uuid5

from memctl.migration.cleaning import scaled_importance
from memctl.migration.snapshot import keyed_memory
from memctl.migration.statement import PlannedRow

_HEADER = b"SQLite format 3\0"
_WANTED = {"key", "content"}
CONVERSATION = "conversation"
DAILY = "daily"


@dataclass(slots=True)
class BrainRows:
    """The memories of a database; ``reason`` says why there are none, or what was left out."""

    rows: list[PlannedRow] = field(default_factory=list)
    conversations: list[tuple[str, datetime | None]] = field(default_factory=list)
    """What the user said, kept automatically, with its time."""
    reason: str | None = None
    is_readable: bool = True
    is_brain: bool = True


def read_brain(path: Path, *, max_bytes: int) -> BrainRows:
    """The rows of table ``memories``, oldest first."""
    try:
        with path.open("rb") as stream:
            header = stream.read(len(_HEADER))
        if header != _HEADER:
            why = "it has no bytes" if not header else "it is no SQLite database"
            return BrainRows(reason=why, is_readable=False, is_brain=False)
        with _copy_or_source(path, max_bytes) as (source, immutable):
            return _read(source, immutable=immutable)
    except (OSError, sqlite3.Error) as error:
        why = getattr(error, "strerror", None) or str(error)
        return BrainRows(reason=f"SQLite cannot read it: {why}", is_readable=False)


@contextmanager
def _copy_or_source(path: Path, max_bytes: int) -> Iterator[tuple[Path, bool]]:
    log = path.with_name(path.name + "-wal")
    if not log.is_file() or log.is_symlink() or log.stat().st_size == 0:
        yield path, True
        return
    if path.stat().st_size + log.stat().st_size > max_bytes:
        raise OSError(f"it is larger than {max_bytes / 1e6:,g} MB and its log must be copied")
    with tempfile.TemporaryDirectory(prefix="memctl-") as folder:
        copy = Path(folder) / "source.db"
        shutil.copyfile(path, copy)
        shutil.copyfile(log, copy.with_name(copy.name + "-wal"))
        yield copy, False


def _read(path: Path, *, immutable: bool) -> BrainRows:
    mode = "mode=ro&immutable=1" if immutable else "mode=rw"
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?{mode}", uri=True)) as connection:
        connection.row_factory = sqlite3.Row
        names = {row["name"] for row in connection.execute("PRAGMA table_info(memories)")}
        if not names >= _WANTED:
            tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
            derived = {"chunks", "files"} <= tables
            reason = "an index derived from the files" if derived else "a database without memories"
            return BrainRows(reason=reason, is_brain=False)
        rows = [dict(row) for row in connection.execute("SELECT * FROM memories")]
    return _collect(sorted(rows, key=_age))


def _age(row: Mapping[str, object]) -> str:
    return str(row.get("created_at") or row.get("timestamp") or "")


def _collect(rows: Iterable[Mapping[str, object]]) -> BrainRows:
    found = BrainRows()
    outdated = 0
    for row in rows:
        content = row.get("content")
        if not isinstance(content, str) or not content.strip():
            continue
        key = str(row.get("key") or "")
        created_at = _moment(row.get("created_at")) or _moment(row.get("timestamp"))
        if row.get("superseded_by"):
            outdated += 1
        elif str(row.get("category")).lower() == CONVERSATION:
            if not key.startswith("assistant"):
                found.conversations.append((content, created_at))
        else:
            found.rows.append(_row(row, key, content, created_at))
    if outdated:
        found.reason = f"{outdated} outdated rows were left"
    return found


def _row(
    row: Mapping[str, object], key: str, content: str, created_at: datetime | None
) -> PlannedRow:
    memory = keyed_memory(key, content)
    weight = row.get("importance")
    if isinstance(weight, int | float) and weight > 0:
        memory = replace(memory, importance=scaled_importance(float(weight)))
    if str(row.get("category")).lower() == DAILY and created_at is not None:
        memory = replace(memory, event_at=created_at.date())
    session_id = row.get("session_id")
    return PlannedRow(
        row_id=uuid_of(str(row.get("id") or key)),
        memory=replace(memory, session_id=session_id if isinstance(session_id, str) else None),
        created_at=created_at,
        updated_at=_moment(row.get("updated_at")) or created_at,
    )


def uuid_of(name: str) -> str:
    """The id of a row as memctl writes ids: itself where it is a UUID, else one made of it."""
    try:
        return str(UUID(name))
    except ValueError:
        return str(uuid5(NAMESPACE_URL, f"memctl-migrated:{name}"))


def _moment(value: object) -> datetime | None:
    if not isinstance(value, str):
        return None
    try:
        found = datetime.fromisoformat(value)
    except ValueError:
        return None
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
