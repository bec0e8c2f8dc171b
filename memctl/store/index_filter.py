"""SQL conditions for the search index, built from typed values only.

Every text becomes a quoted literal and every other value a number, so no name, tag or channel can
change what a condition means.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta

from memctl.memory import MemoryFilter

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def condition_of(memory_filter: MemoryFilter | None) -> str | None:
    """The condition for a filter, or None where it lets everything through.

    ``minimum_importance`` and ``pinned`` are left out: the index does not know them.
    """
    if memory_filter is None:
        return None
    conditions = [
        *_any_of("memory_type", memory_filter.types),
        *_any_of("channel_id", memory_filter.channels),
        *_any_of("session_id", memory_filter.sessions),
        *_any_of("source", memory_filter.sources),
        *_any_of("origin", memory_filter.origins),
    ]
    if memory_filter.tags:
        conditions.append(f"array_has_all(tags, [{_literals(memory_filter.tags)}])")
    if memory_filter.since is not None:
        conditions.append(f"happened_at >= {microseconds(memory_filter.since)}")
    if memory_filter.until is not None:
        conditions.append(f"happened_at < {microseconds(memory_filter.until)}")
    return " AND ".join(conditions) or None


def condition_of_ids(ids: Iterable[str]) -> str:
    """The condition for rows with any of these ids, of which there must be one at least."""
    return f"id IN ({_literals(ids)})"


def microseconds(moment: datetime) -> int:
    """Microseconds since 1970 UTC: the sortable form of a time in the index."""
    return (moment - _EPOCH) // timedelta(microseconds=1)


def _any_of(column: str, values: Sequence[str]) -> list[str]:
    return [f"{column} IN ({_literals(values)})"] if values else []


def _literals(values: Iterable[str]) -> str:
    return ", ".join("'" + str(value).replace("'", "''") + "'" for value in values)
