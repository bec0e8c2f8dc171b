"""Ordinary command lines are read without Typer, and mean what they mean to Typer."""

from __future__ import annotations

import functools
import inspect
import io
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Annotated

import pytest
import typer
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from memctl.cli import app, direct_call
from memctl.cli.command_function import command_function
from memctl.cli.command_line import (
    OptionRules,
    SwitchRule,
    ValueRule,
    read_command_line,
)
from memctl.cli.command_rules import command_rule
from memctl.cli.declaration import Argument, Option
from memctl.cli.direct_call import called_directly
from memctl.cli.errors import CommandLineError
from memctl.cli.ready_commands import COMMAND_RULES, SHARED_RULES
from memctl.cli.session import Session, SharedOptions, Streams

WORDS = Annotated[list[str], Argument(metavar="WORDS", help="Words.")]
WORD = Annotated[str, Argument(metavar="WORD", help="A word.")]
NEEDED = Annotated[str, Option("--needed", help="It must be given.")]

Call = tuple[str, SharedOptions, dict[str, object]]
"""What a command's function saw: the session's name for it and options, and all its parameters."""


def new_session() -> Session:
    return Session(Streams(io.BytesIO(), io.StringIO(), io.StringIO(), {}))


@pytest.fixture(scope="module")
def calls() -> Iterator[list[Call]]:
    """The calls of all commands' functions, which do nothing but write them down."""
    seen: list[Call] = []

    @functools.cache
    def recorder(name: str) -> Callable[..., None]:
        function = command_function(name)

        @functools.wraps(function)
        def record(session: Session, *values: object, **named: object) -> None:
            bound = inspect.signature(function).bind(session, *values, **named)
            bound.apply_defaults()
            given_values = {**bound.arguments}
            del given_values["session"]
            seen.append((session.command, session.options, given_values))

        return record

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(app, "command_function", recorder)
        patch.setattr(
            app, "command_group", functools.cache(lambda: typer.main.get_command(app.app))
        )
        patch.setattr(direct_call, "command_function", recorder)
        yield seen


def call_by_typer(words: Sequence[str], calls: list[Call]) -> Call:
    app.run_command(words, new_session())
    return calls.pop()


def call_directly(words: Sequence[str], calls: list[Call]) -> Call | None:
    return calls.pop() if called_directly(words, new_session()) else None


PLAIN_VALUES = {
    "text": "word",
    "line": "word",
    "path": "file.txt",
    "whole number": "1",
    "number": "0.5",
}
"""A value of each kind."""

USUAL_VALUES = {
    "text": ["fact", "two words", "é", "", "-", "list", "a=b", "3"],
    "line": ["fact", "two words", "é", "-", "list", "a=b", "3"],
    "path": ["notes.md", ".", "/", "-", "é", "no/such/file"],
    "whole number": ["1", "10", "150", "007", "20000"],
    "number": ["0", "0.25", "1", "00.50", "12345678901234567890.5"],
}
ODD_VALUES = [
    "-5",
    "--",
    "--json",
    "-x",
    "+5",
    " 5",
    "1_0",
    "５",
    "1.",
    ".5",
    "nan",
    "1e3",
    "\udcff",
    " ",
    "two\nlines",
    "ends\r",
]
ODD_WORDS = ["--", "-", "", "-h", "--help", "--nothing", "--limi", "-z", "--version", "-", "\udcff"]


def plain_value(rule: ValueRule) -> str:
    """A value that is right: at the least where there is a least."""
    return PLAIN_VALUES[rule.kind] if rule.minimum is None else str(int(rule.minimum))


def option_forms(name: str, value: str) -> list[list[str]]:
    attached = f"{name}={value}" if name.startswith("--") else name + value
    return [[name, value], [attached]]


def parts_of_lines(options: OptionRules) -> st.SearchStrategy[list[str]]:
    """A few words of a command line: an option in one of the ways of writing it, or an argument."""
    usual, odd = [[word] for word in USUAL_VALUES["text"]], [[word] for word in ODD_WORDS]
    letters = "".join(
        name[1] for name, rule in options.items() if len(name) == 2 and isinstance(rule, SwitchRule)
    )
    for name, rule in options.items():
        if isinstance(rule, SwitchRule):
            usual.append([name])
            odd += option_forms(name, "yes")
            continue
        odd.append([name])
        for value in USUAL_VALUES[rule.kind]:
            usual += option_forms(name, value)
            if len(name) == 2:
                usual += option_forms(f"-{letters}{name[1]}", value)
        for value in ODD_VALUES:
            odd += option_forms(name, value)
    return st.one_of(*[st.sampled_from(usual)] * 5, st.sampled_from(odd))


@st.composite
def command_lines(draw: st.DrawFn) -> list[str]:
    """Any command with some of its options and arguments, right and wrong."""
    name = draw(st.sampled_from(sorted(COMMAND_RULES)))
    before = draw(st.lists(PARTS[""], max_size=1))
    after = draw(st.lists(PARTS[name], max_size=4))
    return [*chain(*before), name, *chain(*after)]


PARTS = {
    name: parts_of_lines({**SHARED_RULES, **rule.options}) for name, rule in COMMAND_RULES.items()
} | {"": parts_of_lines(SHARED_RULES)}


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(words=command_lines())
def test_what_is_read_without_typer_means_the_same_to_typer(calls, words):
    """A command's function is called with the values that Typer would hand to it."""
    directly = call_directly(words, calls)
    event(f"read: {directly is not None}")
    if directly is not None:
        assert directly == call_by_typer(words, calls)


@pytest.mark.parametrize("name", COMMAND_RULES)
def test_every_option_is_read_in_each_way_of_writing_it(calls, name):
    """No ordinary command line is left to Typer."""
    rule = COMMAND_RULES[name]
    arguments = [plain_value(argument) for argument in rule.arguments]
    lines = [[name, *arguments], [name, "--", *arguments]]
    for option, taken in {**SHARED_RULES, **rule.options}.items():
        if isinstance(taken, SwitchRule):
            lines += [[name, option, *arguments], [name, *arguments, option, option]]
            continue
        for form in option_forms(option, plain_value(taken)):
            lines += [
                [name, *form, *arguments],
                [name, *arguments, *form, *form],
                ["--store", "here", "--debug", name, *arguments, *form],
            ]
    for line in lines:
        assert call_directly(line, calls) == call_by_typer(line, calls), line


UNREAD = {
    "no command": [],
    "no such command": ["lisst"],
    "no such option": ["list", "--limits", "3"],
    "the beginning of an option": ["list", "--lim", "3"],
    "no such letter": ["list", "-rx"],
    "an option without its value": ["list", "--limit"],
    "an option for a value": ["list", "--tag", "--json"],
    "a switch with a value": ["list", "--json=yes"],
    "no number": ["list", "--limit", "many"],
    "a number in other digits": ["list", "--limit", "５"],
    "a number below the least": ["list", "--limit", "0"],
    "a number above the greatest": ["list", "--limit", "10001"],
    "an argument too many": ["list", "here"],
    "an argument too few": ["show"],
    "help": ["list", "--help"],
    "a command's option before its name": ["--limit", "3", "list"],
    "no text": ["save", "\udcff"],
    "an empty tag": ["list", "--tag", ""],
    "a tag of two lines": ["list", "--tag", "two\nlines"],
}


@pytest.mark.parametrize("words", UNREAD.values(), ids=UNREAD)
def test_what_is_wrong_or_doubtful_is_left_to_typer(words):
    """Then Typer says what is wrong."""
    assert read_command_line(words, COMMAND_RULES, shared=SHARED_RULES) is None


def test_wrong_command_lines_are_refused_before_anything_is_done(calls):
    """The function is not called when the command line is wrong."""
    for words, why in (
        (["list", "--limit", "0"], "must be 1 or more"),
        (["show"], "Missing argument"),
        (["list", "--tag", "\udcff"], "--tag.*no text in the encoding of the locale"),
        (["save", "--", "\udcff"], "TEXT.*no text in the encoding of the locale"),
        (["save", "--subject", " ", "x"], "--subject.*must not be empty"),
        (["ingest", "--tag", "two\nlines", "x"], "--tag.*must be one line"),
    ):
        with pytest.raises(CommandLineError, match=why):
            call_by_typer(words, calls)
    assert not calls


def test_what_a_rule_cannot_say_is_no_declaration():
    """A command whose rule would be wrong is refused when the rules are written."""

    def greedy(_session: Session, many: WORDS, last: WORD) -> None: ...

    def demanding(_session: Session, *, needed: NEEDED) -> None: ...

    for function in (greedy, demanding):
        with pytest.raises(ValueError, match=function.__name__):
            command_rule(function)
