"""What a command's function takes besides the session, read from the types of its parameters.

A command module defines one function of the command's own name whose first parameter is the
session. A parameter whose type is a dataclass, such as ``FilterOptions``, is a group: it stands for
the options that its fields describe. The shared options are added to every command.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from memctl.cli.declaration import Argument, Option

SHARED_OPTIONS: Mapping[str, Any] = {
    "as_json": Annotated[bool, Option("--json", help="Print one JSON object.")],
    "store": Annotated[Path | None, Option("--store", metavar="DIR", help="Folder of the store.")],
    "config": Annotated[
        Path | None, Option("--config", metavar="FILE", help="Configuration file (TOML).")
    ],
    "debug": Annotated[bool, Option("--debug", help="Show a traceback when something goes wrong.")],
}
"""The types of the options that every command takes, before its name or behind it, by
SharedOptions' fields."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One option or argument.

    ``plain_type`` is str, int, float, bool or Path: what one value of it is. ``default`` is
    ``MISSING`` for what must be given; ``group`` names the parameter of the function that holds it,
    None where it is one itself.
    """

    name: str
    annotation: Any
    declaration: Option | Argument
    plain_type: type
    repeats: bool
    default: Any
    group: str | None = None

    @property
    def is_required(self) -> bool:
        return self.default is MISSING

    @property
    def is_line(self) -> bool:
        """Whether its values are texts of one line: those of an option that is not prose."""
        declaration = self.declaration
        return self.plain_type is str and isinstance(declaration, Option) and not declaration.prose


@dataclass(frozen=True, slots=True)
class Signature:
    """The function's own parameters in their order, and the types of its groups by parameter."""

    parameters: tuple[Parameter, ...]
    groups: Mapping[str, type]


def signature_of(function: Callable[..., None]) -> Signature:
    """What a command's function takes."""
    hints = get_type_hints(function, include_extras=True)
    groups: dict[str, type] = {}
    parameters: list[Parameter] = []
    for taken in list(inspect.signature(function).parameters.values())[1:]:
        hint = hints[taken.name]
        if is_dataclass(hint):
            groups[taken.name] = hint  # type: ignore[assignment]
            parameters += _fields_of(hint, taken.name)
        else:
            default = MISSING if taken.default is inspect.Parameter.empty else taken.default
            parameters.append(_parameter(taken.name, hint, default))
    return Signature(tuple(parameters), groups)


def shared_parameters(options: Mapping[str, Any] = SHARED_OPTIONS) -> list[Parameter]:
    """The options that are added to all commands; none is given where nothing is said."""
    return [
        _parameter(name, hint, False if bool in get_args(hint) else None)
        for name, hint in options.items()
    ]


def _fields_of(group: Any, name: str) -> list[Parameter]:
    hints = get_type_hints(group, include_extras=True)
    return [
        _parameter(entry.name, hints[entry.name], entry.default, group=name)
        for entry in fields(group)
    ]


def _parameter(name: str, annotation: Any, default: Any, group: str | None = None) -> Parameter:
    hint, declaration = get_args(annotation)
    if isinstance(hint, UnionType):
        [hint] = [part for part in get_args(hint) if part is not type(None)]
    repeats = get_origin(hint) is list
    return Parameter(
        name=name,
        annotation=annotation,
        declaration=declaration,
        plain_type=get_args(hint)[0] if repeats else hint,
        repeats=repeats,
        default=default,
        group=group,
    )
