"""The command tree as values: what each command is called, takes and says about itself.

Manual pages and completion are made from it, so a new command is in both as soon as it is in
``root_help.COMMANDS``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from memctl.cli.argument_entry import ArgumentEntry, argument_entry
from memctl.cli.root_help import COMMANDS

HELP_NAMES = ("-h", "--help")


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionEntry:
    """One option. ``metavar`` is None for a switch; ``default`` is None where there is none."""

    names: tuple[str, ...]
    metavar: str | None
    help: str
    default: str | None = None
    minimum: float | None = None
    maximum: float | None = None
    repeats: bool = False
    is_shared: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandEntry:
    """One command: its help in parts, its arguments in order, its own options before the shared."""

    name: str
    summary: str
    description: tuple[str, ...]
    examples: tuple[str, ...]
    arguments: tuple[ArgumentEntry, ...]
    options: tuple[OptionEntry, ...]


def command_entries() -> Iterator[CommandEntry]:
    """All commands in the order of the help."""
    return map(command_entry, COMMANDS)


@cache
def command_entry(name: str) -> CommandEntry:
    """The command of that name, which exists."""
    command = command_of(name)
    summary, *paragraphs = _paragraphs(command.help)
    options = [
        *(_option(one) for one in command.params if hasattr(one, "is_flag")),
        OptionEntry(names=HELP_NAMES, metavar=None, help="Show the help and exit.", is_shared=True),
    ]
    return CommandEntry(
        name=name,
        summary=summary,
        description=tuple(text for text in paragraphs if not text.startswith("Examples:")),
        examples=_examples(paragraphs),
        arguments=tuple(
            argument_entry(one) for one in command.params if not hasattr(one, "is_flag")
        ),
        options=tuple(sorted(options, key=lambda option: option.is_shared)),
    )


def command_of(name: str) -> Any:
    """The Typer command of that name."""
    from memctl.cli.app import command_group

    return command_group().get_command(None, name)


def _paragraphs(text: str) -> list[str]:
    r"""The paragraphs of a docstring; one that starts with ``\b`` keeps its lines."""
    found = []
    for part in re.split(r"\n\s*\n", text.strip()):
        if part.startswith("\b"):
            found.append(part.removeprefix("\b").strip("\n"))
        else:
            found.append(" ".join(part.split()))
    return found


def _examples(paragraphs: list[str]) -> tuple[str, ...]:
    for text in paragraphs:
        if text.startswith("Examples:"):
            return tuple(line.strip() for line in text.splitlines()[1:])
    return ()


def _option(parameter: Any) -> OptionEntry:
    from memctl.cli.signature import SHARED_OPTIONS

    default = parameter.default
    is_told = default is not None and default is not False and not callable(default)
    return OptionEntry(
        names=tuple(sorted(parameter.opts, key=len)),
        metavar=None if parameter.is_flag else parameter.metavar,
        help=parameter.help or "",
        default=str(default) if is_told else None,
        minimum=parameter.min,
        maximum=parameter.max,
        repeats=bool(parameter.multiple),
        is_shared=parameter.name in SHARED_OPTIONS,
    )
