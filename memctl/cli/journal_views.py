"""How operations of the journal, their changes and the taking back of one look as text and JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memctl.cli.text import shorten
from memctl.memory import ID_DISPLAY_LENGTH
from memctl.plural import plural
from memctl.store.journal_reads import LoggedOperation, RowChange
from memctl.store.undoing import ROW_NAMES, UndoPlan

CONTENT_LENGTH = 70
VALUE_LENGTH = 30

TEXT_LENGTH = 40
"""Characters of a memory by which an operation is known again."""

SHOWN_TEXTS = 2

_NOUNS = {
    "memories": "memory",
    "memory_tags": "tag",
    "memory_chunks": "citation",
    "associations": "association",
    "documents": "document",
    "chunks": "passage",
    "messages": "message",
    "uncompared": "open comparison",
}
_SILENT_COLUMNS = frozenset({"updated_at", "content_hash"})
"""Follow from other columns, so nobody needs to read them."""


def operation_json(operation: LoggedOperation) -> dict[str, Any]:
    """One operation with the number of its changes by table and kind."""
    changes: dict[str, dict[str, int]] = {}
    for (table_name, kind), count in operation.counts.items():
        empty = {"added": 0, "changed": 0, "removed": 0}
        changes.setdefault(table_name, empty)[kind] = count
    return {
        "id": operation.id,
        "command": operation.command,
        "arguments": dict(operation.arguments),
        "started_at": operation.started_at.isoformat(),
        "finished_at": operation.finished_at.isoformat(),
        "changes": changes,
        "memories": [{"id": one.id, "content": one.content} for one in operation.memories],
        "undone_by": operation.undone_by,
        "undoes": operation.undoes,
        "unfinished": operation.is_unfinished,
    }


def change_json(change: RowChange) -> dict[str, Any]:
    """One change of a row."""
    return {
        "table": change.table_name,
        "row": change.row_key,
        "before": change.before,
        "after": change.after,
    }


def undo_json(plan: UndoPlan, *, dry_run: bool) -> dict[str, Any]:
    """What taking an operation back did, or would do."""
    return {
        "dry_run": dry_run,
        "operation": operation_json(plan.operation),
        "rows": [
            {
                "table": entry.table_name,
                "row": entry.row_key,
                "now": entry.now,
                "then": entry.then,
            }
            for entry in plan.repairs
        ],
        "conflicts": [
            {
                "table": later.conflict.table_name,
                "row": later.conflict.row_key,
                "columns": list(later.conflict.columns),
                "reason": later.conflict.why,
                "operation": later.operation_id,
                "command": later.command,
            }
            for later in plan.conflicts
        ],
        "broken_off_before": plan.broken_off,
    }


def summary(counts: Mapping[tuple[str, str], int]) -> str:
    """``2 memories added, 1 tag removed``."""
    parts = [
        f"{plural(counts[table_name, kind], noun)} {kind}"
        for table_name, noun in _NOUNS.items()
        for kind in ("added", "changed", "removed")
        if (table_name, kind) in counts
    ]
    return ", ".join(parts) or "nothing that can be taken back"


def summary_with_texts(operation: LoggedOperation) -> str:
    """``1 memory added, 1 tag added: "The tap drips"``; two texts at the most."""
    shown = [f'"{shorten(one.content, TEXT_LENGTH)}"' for one in operation.memories[:SHOWN_TEXTS]]
    if len(operation.memories) > SHOWN_TEXTS:
        shown.append("…")
    return summary(operation.counts) + (f": {', '.join(shown)}" if shown else "")


def operation_note(operation: LoggedOperation) -> str:
    """What changed, and what undo has to do with it."""
    note = summary_with_texts(operation)
    if operation.undoes is not None:
        note = f"took back {operation.undoes}: {note}"
    if operation.is_unfinished:
        note += " [not finished]"
    if operation.undone_by is not None:
        note += f" [taken back by {operation.undone_by}]"
    return note


def change_line(
    table_name: str, key: str, before: Mapping[str, Any] | None, after: Mapping[str, Any] | None
) -> str:
    """``+`` for a row that was added, ``-`` for one removed, ``~`` with what changed."""
    name = ROW_NAMES[table_name]
    if before is None or after is None:
        row = after or before or {}
        return f"{'+' if before is None else '-'} {name} {_row_text(table_name, key, row)}"
    names = [column for column in {**before, **after} if column not in _SILENT_COLUMNS]
    changed = [
        f"{column} {_value(before.get(column))} → {_value(after.get(column))}"
        for column in names
        if before.get(column) != after.get(column)
    ]
    return f"~ {name} {_short(key)}  {'; '.join(changed)}".rstrip()


def _row_text(table_name: str, key: str, row: Mapping[str, Any]) -> str:
    if table_name == "associations":
        source, target = _short(str(row["source_id"])), _short(str(row["target_id"]))
        return f"{source} {row['relation_type']} {target}"
    if table_name == "memory_tags":
        return f"{_short(str(row['memory_id']))} {row['tag']}"
    if table_name == "memory_chunks":
        return f"{_short(str(row['memory_id']))} in passage {_short(str(row['chunk_id']))}"
    text = row.get("content") or row.get("path") or ""
    return f"{_short(key)}  {shorten(str(text), CONTENT_LENGTH)}".rstrip()


def _value(value: object) -> str:
    return "nothing" if value is None else shorten(str(value), VALUE_LENGTH)


def _short(key: str) -> str:
    return key[:ID_DISPLAY_LENGTH]
