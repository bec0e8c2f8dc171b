"""One setting: its default, what it is for, and which values it takes; and settings by key."""

from __future__ import annotations

from collections.abc import Mapping
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


def flatten(data: Mapping[str, object]) -> dict[str, object]:
    """The values of a TOML document by ``section.name``."""
    flat: dict[str, object] = {}
    for section, content in data.items():
        if isinstance(content, dict):
            flat.update({f"{section}.{name}": value for name, value in content.items()})
        else:
            flat[section] = content
    return flat
