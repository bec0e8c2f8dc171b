"""From what a command's function takes to the rules by which its command lines are read.

``docs/generate.py`` writes them into ``ready_commands``, because working them out takes as long as
a short command.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from memctl.cli.command_function import command_function
from memctl.cli.command_line import LINE, SESSION, CommandRule, SwitchRule, ValueRule
from memctl.cli.declaration import Argument, Option
from memctl.cli.root_help import COMMANDS
from memctl.cli.signature import Parameter, shared_parameters, signature_of

KIND_NAMES = {str: "text", Path: "path", int: "whole number", float: "number"}


def all_command_rules() -> dict[str, CommandRule]:
    """The rule of every command, in the order of the help."""
    return {name: command_rule(command_function(name)) for name in COMMANDS}


def shared_rules() -> dict[str, SwitchRule | ValueRule]:
    """The rules of the options that every command takes, before its name or behind it."""
    return _option_rules(shared_parameters(), SESSION)


def command_rule(function: Callable[..., None]) -> CommandRule:
    """The rule of a command's function.

    Raises ValueError for what a rule cannot say: a repeated argument before another one, an option
    that must be given.
    """
    taken = signature_of(function)
    arguments = [one for one in taken.parameters if isinstance(one.declaration, Argument)]
    options = [one for one in taken.parameters if isinstance(one.declaration, Option)]
    if any(argument.repeats for argument in arguments[:-1]):
        raise ValueError(f"{function.__name__}: an argument follows one that repeats")
    if any(option.is_required for option in options):
        raise ValueError(f"{function.__name__}: an option is required")
    return CommandRule(
        options=_option_rules(options),
        arguments=tuple(_value_rule(argument, None) for argument in arguments),
        groups={name: (kind.__module__, kind.__name__) for name, kind in taken.groups.items()},
    )


def _option_rules(
    parameters: Iterable[Parameter], group: str | None = None
) -> dict[str, SwitchRule | ValueRule]:
    return {
        name: rule
        for parameter in parameters
        for name, rule in _named_rules(parameter, parameter.group or group)
    }


def _named_rules(
    parameter: Parameter, group: str | None
) -> Iterator[tuple[str, SwitchRule | ValueRule]]:
    assert isinstance(parameter.declaration, Option)
    for names in parameter.declaration.names:
        if parameter.plain_type is not bool:
            yield names, _value_rule(parameter, group)
            continue
        name, _, opposite = names.partition("/")
        yield name, SwitchRule(parameter.name, says=True, group=group)
        if opposite:
            yield opposite, SwitchRule(parameter.name, says=False, group=group)


def _value_rule(parameter: Parameter, group: str | None) -> ValueRule:
    declaration = parameter.declaration
    return ValueRule(
        parameter.name,
        LINE if parameter.is_line else KIND_NAMES[parameter.plain_type],
        group=group,
        repeats=parameter.repeats,
        is_required=parameter.is_required,
        minimum=declaration.minimum,
        maximum=declaration.maximum if isinstance(declaration, Option) else None,
    )
