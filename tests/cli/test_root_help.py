"""The root page, the version, and the commands' summaries."""

import inspect

import pytest

from memctl import __version__
from memctl.cli.command_function import command_function
from memctl.cli.root_help import COMMANDS, root_help


@pytest.mark.parametrize("arguments", [[], ["-h"], ["--help"]])
def test_the_root_page_names_every_command(run_memctl, arguments):
    result = run_memctl(*arguments)
    assert all(f"  {name} " in result.stdout for name in COMMANDS)
    assert result.stderr == ""


@pytest.mark.parametrize("words", [[], ["save"], ["config", "set"], ["nonsense"]])
def test_help_in_front_is_what_the_option_is_behind(call_memctl, words):
    asked, option = (call_memctl(*w, status=None) for w in (["help", *words], [*words, "--help"]))
    assert asked == option


def test_typer_prints_the_same_root_page_as_the_short_way(run_memctl):
    assert run_memctl("--debug", "--help").stdout == run_memctl("--help").stdout


def test_the_root_page_fits_the_terminal(monkeypatch):
    for columns in (20, 40, 80, 300):
        monkeypatch.setenv("COLUMNS", str(columns))
        prose = [line for line in root_help().splitlines() if not is_command_line(line)]
        assert max(map(len, prose)) <= max(min(columns, 80), 40)


def is_command_line(line: str) -> bool:
    """Whether it is to be typed as it stands, or the usage, which no line may be broken of."""
    return line.startswith(("  memctl ", "Usage: "))


def test_the_version_is_printed(run_memctl):
    assert run_memctl("--version").stdout == f"memctl {__version__}\n"


@pytest.mark.parametrize("name", COMMANDS)
def test_a_summary_is_the_first_line_of_the_commands_own_help(name):
    function = command_function(name)
    assert inspect.getdoc(function).splitlines()[0] == COMMANDS[name]
    assert "Examples:" in inspect.getdoc(function)


def test_no_help_page_shows_the_mark_that_keeps_its_lines_apart(call_memctl) -> None:
    """Click reads a backspace character in a docstring; a raw docstring would print it."""
    for name in COMMANDS:
        page = call_memctl(name, "--help").stdout
        assert "\\b" not in page, name
        assert "Examples:\n" in page, name
