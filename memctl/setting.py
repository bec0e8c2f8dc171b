"""One setting: its default, what it is for, and which values it takes; and settings by key."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Any, Union, cast, get_args, get_origin


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


def plain_type(hint: Any) -> type:
    """``int`` for ``int`` and for ``int | None``."""
    if get_origin(hint) in (Union, types.UnionType):
        hint = next(part for part in get_args(hint) if part is not type(None))
    return cast("type", hint)


def type_name(hint: Any) -> str:
    """What people call a setting's type."""
    names = {int: "whole number", float: "number", str: "text", Path: "path", bool: "true or false"}
    optional = " or unset" if type(None) in get_args(hint) else ""
    return names[plain_type(hint)] + optional


def flatten(data: Mapping[str, object]) -> dict[str, object]:
    """The values of a TOML document by ``section.name``."""
    flat: dict[str, object] = {}
    for section, content in data.items():
        if isinstance(content, dict):
            flat.update({f"{section}.{name}": value for name, value in content.items()})
        else:
            flat[section] = content
    return flat
