"""Calls a command's function for an ordinary command line, without Typer."""

from __future__ import annotations

import importlib
from collections.abc import Sequence

from memctl.cli.command_function import command_function
from memctl.cli.command_line import SESSION, CommandLine, read_command_line
from memctl.cli.ready_commands import COMMAND_RULES, SHARED_RULES
from memctl.cli.session import Session, SharedOptions


def called_directly(arguments: Sequence[str], session: Session) -> bool:
    """Runs a command line; False, and nothing is done, when it is one for Typer.

    Raises whatever the command raises.
    """
    line = read_command_line(arguments, COMMAND_RULES, shared=SHARED_RULES)
    if line is None:
        return False
    function = command_function(line.command)
    session.command = f"memctl {line.command}"
    session.options.merge(SharedOptions(**line.values.get(SESSION, {})))  # type: ignore[arg-type]
    function(session, **line.values.get(None, {}), **_groups(line))
    return True


def _groups(line: CommandLine) -> dict[str, object]:
    """The groups of the command's function by parameter, each of its type."""
    return {
        parameter: getattr(importlib.import_module(module), name)(**line.values.get(parameter, {}))
        for parameter, (module, name) in COMMAND_RULES[line.command].groups.items()
    }
