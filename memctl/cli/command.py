"""How a function becomes a Typer command: it gets a Session, and the shared options are added.

Its docstring's first line is the summary that `memctl --help` shows.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterable
from dataclasses import MISSING
from pathlib import Path
from typing import Annotated, Any, get_args

import typer
from typer.core import TyperCommand

from memctl.cli.argument_entry import argument_entry
from memctl.cli.command_line import is_one_line
from memctl.cli.declaration import Argument, Option
from memctl.cli.session import Session, SharedOptions
from memctl.cli.signature import SHARED_OPTIONS, Parameter, shared_parameters, signature_of


class PlainCommand(TyperCommand):
    """A command whose help names arguments as manual pages do, without Python's types."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        arguments = (one for one in self.get_params(ctx) if one.param_type_name == "argument")
        return ["[OPTIONS]", *(argument_entry(one).usage for one in arguments)]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        rows: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is None:
                continue
            if parameter.param_type_name == "argument":
                rows["Arguments"].append((argument_entry(parameter).metavar, record[1]))
            else:
                rows["Options"].append(record)
        for title, listed in rows.items():
            if listed:
                with formatter.section(title):
                    formatter.write_dl(listed)


def build_command(function: Callable[..., None], name: str) -> Any:
    """The Typer command of ``function``; it runs with the session that the context carries."""
    taken = signature_of(function)

    def run(context: typer.Context, **values: Any) -> None:
        session: Session = context.obj
        session.command = f"memctl {name}"
        session.options.merge(SharedOptions(**{key: values.pop(key) for key in SHARED_OPTIONS}))
        for group, kind in taken.groups.items():
            chosen = [one.name for one in taken.parameters if one.group == group]
            values[group] = kind(**{option: values.pop(option) for option in chosen})
        function(session, **values)

    run.__doc__ = function.__doc__
    take_parameters(run, [*taken.parameters, *shared_parameters()])
    app = typer.Typer(rich_markup_mode=None, add_completion=False)
    app.command(name, cls=PlainCommand, no_args_is_help=False)(run)
    return typer.main.get_command(app)


def take_parameters(run: Callable[..., None], parameters: Iterable[Parameter]) -> None:
    """Lets Typer see these as the parameters of ``run``, after its context."""
    context = inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)
    signature = inspect.Signature([*map(_typer_parameter, parameters), context])
    run.__signature__ = signature  # type: ignore[attr-defined]
    run.__annotations__ = {
        name: parameter.annotation for name, parameter in signature.parameters.items()
    }


def _typer_parameter(parameter: Parameter) -> inspect.Parameter:
    hint, declaration = get_args(parameter.annotation)
    return inspect.Parameter(
        parameter.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=inspect.Parameter.empty if parameter.default is MISSING else parameter.default,
        annotation=Annotated[hint, _typer_declaration(declaration, _reader(parameter))],
    )


def _typer_declaration(declaration: Option | Argument, parser: Callable[[Any], Any] | None) -> Any:
    if isinstance(declaration, Option):
        return typer.Option(
            *declaration.names,
            metavar=declaration.metavar,
            help=declaration.help,
            min=declaration.minimum,
            max=declaration.maximum,
            parser=parser,
        )
    return typer.Argument(
        metavar=declaration.metavar, help=declaration.help, min=declaration.minimum, parser=parser
    )


def _reader(parameter: Parameter) -> Callable[[Any], Any] | None:
    """What makes a value of a word; None where Typer knows that itself."""
    if parameter.plain_type is Path:
        return _named_path if parameter.repeats else _read_path
    if parameter.plain_type is str:
        return _read_line if parameter.is_line else _read_text
    return None


def _read_text(text: str) -> str:
    """What the shell passed on is bytes; those that no encoding explains would be changed."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise typer.BadParameter(
            "it holds bytes that are no text in the encoding of the locale"
        ) from None
    return text


def _read_line(text: str) -> str:
    text = _read_text(text)
    if not text.strip():
        raise typer.BadParameter("it must not be empty")
    if not is_one_line(text):
        raise typer.BadParameter("it must be one line")
    return text


def _named_path(text: str | Path) -> Path:
    """An empty path would stand for the working folder, though most often a variable is unset.

    Of several paths, one that may not be read keeps nothing from the others.
    """
    if text == "":
        raise typer.BadParameter("a file or folder must be named, and here stands nothing")
    return Path(text)


def _read_path(text: str | Path) -> Path:
    path = _named_path(text)
    if path.exists() and not os.access(path, os.R_OK):
        raise typer.BadParameter(f"{str(path)!r} may not be read by this user")
    return path
