"""What the doctor says: one thing that is wrong, how bad it is, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How much a finding matters; a NOTE is no reason to act."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Repair(StrEnum):
    """What `--fix` can do; all of it is safe to do twice."""

    PERMISSIONS = "permissions"
    REFERENCES = "references"
    STRANDED = "stranded"
    ROWS = "rows"
    INDEX = "index"
    REBUILD = "rebuild"
    COPIES = "copies"


BACKUP_HELPS = "`memctl restore-backup FILE` brings a backup back and keeps this store aside"

RECOVERING_HELPS = (
    "without one, `sqlite3 memctl.db .recover | sqlite3 recovered.db` may save what can be read"
)
"""The way that is left where a database opens no more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is wrong. ``examples`` name some of what it is about: ids, paths."""

    check: str
    severity: Severity
    problem: str
    fix: str
    repair: Repair | None = None
    examples: tuple[str, ...] = ()
