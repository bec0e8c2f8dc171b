"""Reads ordinary command lines as Typer does, without loading it.

What is read means exactly what Typer would make of it. A command line of which that is not certain
(an unknown option, a missing or wrong value, a call for help) is not read at all: it is left whole
to Typer, which then says what is wrong with it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

LINE = "line"
"""The kind of texts that are one line and not empty."""

SESSION = "session"
"""The group of the shared options: the session takes them."""


class SwitchRule(NamedTuple):
    """An option without a value: ``parameter``, of the group ``group`` if in one, is ``says``."""

    parameter: str
    says: bool
    group: str | None = None


class ValueRule(NamedTuple):
    """An option with a value, or an argument; ``kind`` is one of ``KINDS``.

    ``repeats`` makes a list of all that is given, else the last one counts. A number lies in
    ``minimum``..``maximum``.
    """

    parameter: str
    kind: str
    group: str | None = None
    repeats: bool = False
    is_required: bool = False
    minimum: float | None = None
    maximum: float | None = None


OptionRules: TypeAlias = Mapping[str, SwitchRule | ValueRule]
"""Options by each of their names."""


class CommandRule(NamedTuple):
    """What a command takes besides the shared options.

    ``arguments`` are in order; only the last one may repeat. ``groups`` tells module and name of a
    group's type by the parameter that takes the group.
    """

    options: OptionRules
    arguments: tuple[ValueRule, ...] = ()
    groups: Mapping[str, tuple[str, str]] = {}


Values: TypeAlias = dict[str | None, dict[str, object]]
"""By group (None: the function's own), the values of the parameters that were given."""


class CommandLine(NamedTuple):
    """A command and what it was given; whatever is not in ``values`` has its default."""

    command: str
    values: Values


class _UnclearError(Exception):
    """The command line is left to Typer."""


def read_command_line(
    words: Sequence[str],
    commands: Mapping[str, CommandRule],
    *,
    shared: OptionRules,
) -> CommandLine | None:
    """The command line; None when it is left to Typer.

    ``shared`` are the options that every command takes, before its name or behind it.
    """
    values: Values = {}
    try:
        "".join(words).encode()
        command, *rest = _read_options(values, words, shared, until_argument=True) or [""]
        if command not in commands:
            return None
        rule = commands[command]
        arguments = _read_options(values, rest, {**shared, **rule.options})
        _read_arguments(values, arguments, rule.arguments)
    except (_UnclearError, ValueError):
        return None
    return CommandLine(command, values)


def _read_options(
    values: Values, words: Sequence[str], rules: OptionRules, *, until_argument: bool = False
) -> list[str]:
    """Puts the options into ``values`` and gives all that is none."""
    others: list[str] = []
    rest = iter(words)
    for word in rest:
        if word == "--":
            others += rest
        elif word == "-" or not word.startswith("-"):
            others.append(word)
            if until_argument:
                others += rest
        else:
            for rule, text in _options_in(word, rest, rules):
                _put(values, rule, text)
    return others


def _options_in(
    word: str, rest: Iterator[str], rules: OptionRules
) -> Iterator[tuple[SwitchRule | ValueRule, str]]:
    """The options of one word, such as ``--limit=3`` or ``-rn3``, with their values."""
    if word.startswith("--"):
        name, is_attached, attached = word.partition("=")
        rule = _rule(name, rules)
        if isinstance(rule, ValueRule):
            yield rule, attached if is_attached else _next_value(rest)
        elif is_attached:
            raise _UnclearError
        else:
            yield rule, ""
        return
    letters = word[1:]
    while letters:
        rule = _rule(f"-{letters[0]}", rules)
        letters = letters[1:]
        if isinstance(rule, ValueRule):
            yield rule, letters or _next_value(rest)
            return
        yield rule, ""


def _rule(name: str, rules: OptionRules) -> SwitchRule | ValueRule:
    if name not in rules:
        raise _UnclearError
    return rules[name]


def _next_value(rest: Iterator[str]) -> str:
    """The next word, if it does not look like an option that was taken for a value."""
    text = next(rest, "--")
    if text.startswith("-") and text != "-":
        raise _UnclearError
    return text


def _read_arguments(values: Values, words: Sequence[str], rules: Sequence[ValueRule]) -> None:
    for rule in rules:
        taken = words if rule.repeats else words[:1]
        words = words[len(taken) :]
        if rule.is_required and not taken:
            raise _UnclearError
        for text in taken:
            _put(values, rule, text)
    if words:
        raise _UnclearError


def _put(values: Values, rule: SwitchRule | ValueRule, text: str) -> None:
    group = values.setdefault(rule.group, {})
    if isinstance(rule, SwitchRule):
        group[rule.parameter] = rule.says
        return
    value = KINDS[rule.kind](text)
    if isinstance(value, int | float) and not (
        (rule.minimum is None or value >= rule.minimum)
        and (rule.maximum is None or value <= rule.maximum)
    ):
        raise _UnclearError
    if rule.repeats:
        listed = group.setdefault(rule.parameter, [])
        assert isinstance(listed, list)
        listed.append(value)
    else:
        group[rule.parameter] = value


def _text(text: str) -> str:
    return text


def _line(text: str) -> str:
    if not is_one_line(text):
        raise _UnclearError
    return text


def is_one_line(text: str) -> bool:
    """Whether a text says something, and says it on one line."""
    return bool(text.strip()) and text.splitlines() == [text]


def _path(text: str) -> Path:
    """Typer refuses what is there and cannot be read."""
    if not text or (os.path.exists(text) and not os.access(text, os.R_OK)):  # noqa: PTH110
        raise _UnclearError
    return Path(text)


def _whole_number(text: str) -> int:
    _check_digits(text)
    return int(text)


def _number(text: str) -> float:
    for digits in text.split(".", 1):
        _check_digits(digits)
    return float(text)


def _check_digits(text: str) -> None:
    if not (text.isascii() and text.isdecimal()):
        raise _UnclearError


KINDS = {
    "text": _text,
    LINE: _line,
    "path": _path,
    "whole number": _whole_number,
    "number": _number,
}
"""How a value is understood."""
