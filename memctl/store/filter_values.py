"""A filter as what narrows it: conditions by name, each with the values of its parameters.

``where`` says what the conditions are, ``ready_sql`` says it as text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.store.rows import instant_to_text

if TYPE_CHECKING:
    from memctl.memory import MemoryFilter

LIST_CONDITIONS = ("types", "channels", "sessions", "sources", "origins")
"""Fields of a filter that name wanted values; a condition has the field's name."""


def filter_values(memory_filter: MemoryFilter | None) -> dict[str, dict[str, object]]:
    """By condition, the values of its parameters; a list stands for the values of an IN list."""
    if memory_filter is None:
        return {}
    values: dict[str, dict[str, object]] = {
        name: {name: [str(one) for one in getattr(memory_filter, name)]}
        for name in LIST_CONDITIONS
        if getattr(memory_filter, name)
    }
    if memory_filter.minimum_importance is not None:
        values["minimum_importance"] = {"minimum_importance": memory_filter.minimum_importance}
    if memory_filter.pinned:
        values["pinned"] = {}
    tags = sorted(set(memory_filter.tags))
    if tags:
        values["tags"] = {"tags": tags, "tag_count": len(tags)}
    for name in ("since", "until"):
        moment = getattr(memory_filter, name)
        if moment is not None:
            values[name] = {name: instant_to_text(moment)}
    return values
