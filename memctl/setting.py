"""One setting: its default, what it is for, and which values it takes."""

from __future__ import annotations

from dataclasses import field
from typing import Any


def setting(
    default: Any,
    description: str,
    *,
    minimum: float | None = None,
    maximum: float | None = None,
    choices: tuple[str, ...] = (),
) -> Any:
    """A dataclass field that also knows its description and which values it takes."""
    metadata = {
        "description": description,
        "minimum": minimum,
        "maximum": maximum,
        "choices": choices,
    }
    if callable(default):
        return field(default_factory=default, metadata=metadata)
    return field(default=default, metadata=metadata)
