"""How a function becomes a command: it gets a Session, and the shared options are added to it.

A command module defines one function of the command's own name whose first parameter is the
session; its docstring's first line is the summary that `memctl --help` shows. A parameter whose
type is a dataclass, such as ``FilterOptions``, stands for the options that its fields describe.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from memctl.cli.session import Session, SharedOptions

StoreOption = Annotated[
    Path | None, typer.Option("--store", metavar="DIR", help="Folder of the store.")
]
ConfigOption = Annotated[
    Path | None, typer.Option("--config", metavar="FILE", help="Configuration file (TOML).")
]
DebugOption = Annotated[
    bool, typer.Option("--debug", help="Show a traceback when something goes wrong.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]

_SHARED = {
    "as_json": (JsonOption, False),
    "store": (StoreOption, None),
    "config": (ConfigOption, None),
    "debug": (DebugOption, False),
}

SHARED_NAMES = frozenset(_SHARED)
"""The parameters of the options that every command takes."""


def build_command(function: Callable[..., None], name: str) -> Any:
    """The Typer command of ``function``; it runs with the session that the context carries."""
    groups = _groups_of(function)
    own = [
        option
        for parameter in _parameters_of(function)
        for option in groups.get(parameter.name, _Group(None, (parameter,))).options
    ]
    shared = [
        inspect.Parameter(
            key, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation
        )
        for key, (annotation, default) in _SHARED.items()
    ]
    context = inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)

    def run(context: typer.Context, **values: Any) -> None:
        session: Session = context.obj
        session.command = f"memctl {name}"
        session.options.merge(SharedOptions(**{key: values.pop(key) for key in _SHARED}))
        for parameter_name, group in groups.items():
            chosen = {option.name: values.pop(option.name) for option in group.options}
            values[parameter_name] = group.type(**chosen)
        function(session, **values)

    run.__doc__ = function.__doc__
    run.__signature__ = inspect.Signature([*own, *shared, context])  # type: ignore[attr-defined]
    run.__annotations__ = {
        parameter.name: parameter.annotation for parameter in [*own, *shared, context]
    }
    app = typer.Typer(rich_markup_mode=None, add_completion=False)
    app.command(name, no_args_is_help=False)(run)
    return typer.main.get_command(app)


@dataclass(frozen=True, slots=True)
class _Group:
    """Options that reach the function as one object of ``type``, a dataclass."""

    type: Any
    options: tuple[inspect.Parameter, ...]


def _parameters_of(function: Callable[..., Any]) -> list[inspect.Parameter]:
    """The parameters after the session, as keywords with their types resolved."""
    hints = get_type_hints(function, include_extras=True)
    return [
        parameter.replace(annotation=hints[parameter.name], kind=inspect.Parameter.KEYWORD_ONLY)
        for parameter in list(inspect.signature(function).parameters.values())[1:]
    ]


def _groups_of(function: Callable[..., Any]) -> dict[str, _Group]:
    """The parameters whose type is a dataclass of options, such as FilterOptions."""
    groups = {}
    for parameter in _parameters_of(function):
        if is_dataclass(parameter.annotation):
            hints = get_type_hints(parameter.annotation, include_extras=True)
            options = tuple(
                inspect.Parameter(
                    entry.name,
                    inspect.Parameter.KEYWORD_ONLY,
                    default=entry.default,
                    annotation=hints[entry.name],
                )
                for entry in fields(parameter.annotation)
            )
            groups[parameter.name] = _Group(parameter.annotation, options)
    return groups
