"""How a function becomes a command: it gets a Session, and the shared options are added to it.

A command module defines one function of the command's own name whose first parameter is the
session; its docstring's first line is the summary that `memctl --help` shows.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
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


def build_command(function: Callable[..., None], name: str) -> Any:
    """The Typer command of ``function``; it runs with the session that the context carries."""
    hints = get_type_hints(function, include_extras=True)
    parameters = [
        parameter.replace(annotation=hints[parameter.name])
        for parameter in list(inspect.signature(function).parameters.values())[1:]
    ]
    shared = [
        inspect.Parameter(
            key, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation
        )
        for key, (annotation, default) in _SHARED.items()
    ]
    context = inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)
    keyword_only = [
        parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in parameters
    ]

    def run(context: typer.Context, **values: Any) -> None:
        session: Session = context.obj
        session.command = f"memctl {name}"
        session.options.merge(SharedOptions(**{key: values.pop(key) for key in _SHARED}))
        function(session, **values)

    run.__doc__ = function.__doc__
    run.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [*keyword_only, *shared, context]
    )
    run.__annotations__ = {
        parameter.name: parameter.annotation for parameter in [*keyword_only, *shared, context]
    }
    app = typer.Typer(rich_markup_mode=None, add_completion=False)
    app.command(name, no_args_is_help=False)(run)
    return typer.main.get_command(app)
