"""The table of OpenClaw's LanceDB plugin: id, text, importance, category, createdAt.

Its vectors are not taken: they are another model's, and memctl embeds the texts afresh.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from memctl.extraction.rules.classifier import classify
from memctl.memory import MemoryType
from memctl.migration.brain import uuid_of
from memctl.migration.cleaning import scaled_importance
from memctl.migration.statement import PlannedMemory, PlannedRow

COLUMNS = ("id", "text", "importance", "category", "createdAt")
TABLE_NAME = "memories"
_TYPES = {
    "preference": MemoryType.PREFERENCE,
    "decision": MemoryType.DECISION,
    "fact": MemoryType.FACT,
}


def read_plugin_rows(rows: Iterable[Mapping[str, Any]]) -> Iterator[PlannedRow]:
    """Rows of the table as memories, the oldest first; those without text are left out."""
    ordered = sorted(rows, key=lambda row: (_number(row.get("createdAt")), str(row.get("id"))))
    for row in ordered:
        text = row.get("text")
        if not isinstance(text, str) or not text.strip() or row.get("id") == "__schema__":
            continue
        created_at = _moment(row.get("createdAt"))
        yield PlannedRow(
            row_id=uuid_of(str(row.get("id"))),
            memory=_memory(text.strip(), row),
            created_at=created_at,
            updated_at=created_at,
        )


def _memory(text: str, row: Mapping[str, Any]) -> PlannedMemory:
    found = classify(text)
    named = _TYPES.get(str(row.get("category")))
    # The plugin calls a fact whatever has "is" or "has" in it; wording that is sure knows better.
    is_telling = named not in (None, MemoryType.FACT) or not found.from_wording
    memory_type = named if named is not None and is_telling else found.memory_type
    weight = _number(row.get("importance"))
    return PlannedMemory(
        content=text,
        memory_type=memory_type,
        importance=scaled_importance(weight) if weight > 0 else memory_type.default_importance,
        reason="category of the plugin" if memory_type is named else found.reason,
    )


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0


def _moment(value: object) -> datetime | None:
    milliseconds = _number(value)
    if milliseconds <= 0:
        return None
    try:
        return datetime.fromtimestamp(milliseconds / 1_000, tz=UTC)
    except (ValueError, OverflowError, OSError):
        return None
