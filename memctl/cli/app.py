"""The Typer application: one group that knows all commands and imports one when asked for it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from memctl import __version__
from memctl.advice import advice
from memctl.cli.command import build_command, take_parameters
from memctl.cli.command_function import command_function
from memctl.cli.declaration import Option
from memctl.cli.errors import CommandLineError
from memctl.cli.root_help import COMMANDS, SUMMARY, root_help
from memctl.cli.session import Session, SharedOptions
from memctl.cli.signature import SHARED_OPTIONS, shared_parameters
from memctl.cli.synonyms import COMMAND_SYNONYMS, OPTION_SYNONYMS
from memctl.cli.wrong_value import wrong_value


class CommandGroup(TyperGroup):
    """Knows all commands by name; `memctl --help` needs none of their modules."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        if cmd_name not in self.commands:
            self.commands[cmd_name] = build_command(command_function(cmd_name), cmd_name)
        return self.commands[cmd_name]

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            meant = advice(name, COMMANDS, "; ", COMMAND_SYNONYMS)
            raise CommandLineError(command="memctl", why=f"there is no command {name!r}{meant}")
        return super().resolve_command(ctx, args)

    def get_help(self, ctx: Any) -> str:  # noqa: ARG002
        return root_help()


app = typer.Typer(
    cls=CommandGroup,
    rich_markup_mode=None,
    add_completion=False,
    help=SUMMARY,
    context_settings={"help_option_names": ["-h", "--help"]},
)


VersionOption = Annotated[bool, Option("--version", help="Show the version.")]


def root(context: typer.Context, *, version: bool, **shared: Any) -> None:
    """Takes the options that stand before the command's name."""
    session: Session = context.obj
    session.options.merge(SharedOptions(**shared))
    if version:
        session.output.line(f"memctl {__version__}")
    elif context.invoked_subcommand is None:
        session.output.line(root_help())


take_parameters(root, shared_parameters({**SHARED_OPTIONS, "version": VersionOption}))
app.callback(invoke_without_command=True)(root)


@cache
def command_group() -> Any:
    """Typer's form of the application, built once for all command lines of this process."""
    return typer.main.get_command(app)


def run_command(arguments: Sequence[str], session: Session) -> None:
    """Runs one command line in ``session``.

    Raises CommandLineError for a wrong option, argument or command name, KeyboardInterrupt for a
    broken-off prompt, and whatever the command raises.
    """
    command = command_group()
    context: typer.Context | None = None
    try:
        # Not main(), which turns a broken pipe and an interrupt into exits of its own.
        with command.make_context("memctl", list(arguments), obj=session) as context:
            command.invoke(context)
    except typer.Exit:
        return
    except typer.TyperException as error:
        path = _path_of(error, context)
        why = _other_option(error, path) or wrong_value(error)
        why = why or error.format_message() + _advice_on_dashes(error)
        raise CommandLineError(command=path, why=why) from None
    except typer.Abort:
        raise KeyboardInterrupt from None


def _path_of(error: Any, context: typer.Context | None) -> str:
    """The command that the error is about; that of an option without its value is only known by
    what was invoked."""
    failed = getattr(error, "ctx", None)
    if failed is not None:
        return str(failed.command_path)
    invoked = None if context is None else context.invoked_subcommand
    return "memctl" if invoked is None else f"memctl {invoked}"


def _other_option(error: Any, path: str) -> str | None:
    """What to say of an option that the command has not, and has by another name; else None."""
    name = getattr(error, "option_name", None)
    meant = OPTION_SYNONYMS.get(path.removeprefix("memctl "), {}).get(name or "")
    return None if meant is None else f"there is no option {name}; perhaps you mean {meant}"


def _advice_on_dashes(error: Any) -> str:
    """What else a line with a dash in it may need, as the end of a sentence."""
    option = getattr(error, "option_name", "--")
    return "" if option.startswith("--") else "; words that begin with a dash stand after --"
