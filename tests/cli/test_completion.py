"""What the shells are offered at each press of Tab."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest

from memctl.cli.command_tree import command_entries
from memctl.cli.completion import ARGUMENT_SOURCES, FILE_METAVARS, OPTION_SOURCES
from memctl.cli.completion_scripts import SCRIPTS
from memctl.cli.root_help import COMMANDS
from memctl.memory import MemoryType, RelationType

FREE_ARGUMENTS = {"TEXT...", "QUERY...", "VALUE", "LINE", "TEXT", "QUERY"}
"""What only the user knows."""


@pytest.fixture
def complete(call_memctl):
    """The candidates for the last word, without what they stand for."""

    def run(*words: str) -> list[str]:
        result = call_memctl("__complete", *words)
        assert result.stderr == ""
        return [line.split("\t")[0] for line in result.stdout.splitlines()]

    return run


@pytest.fixture
def saved(call_memctl):
    first = call_memctl("save", "The oven is from 1974", "--tag", "kitchen", "--json").json["id"]
    second = call_memctl("save", "Bees: swarm in May", "--channel", "big garden", "--json").json[
        "id"
    ]
    call_memctl("forget", first)
    return first, second


def test_a_value_that_is_joined_to_its_option_is_completed_with_it(complete, saved):
    assert complete("list", "--channel=b") == ["--channel=big garden"]
    assert complete("recall", "--type=deci") == ["--type=decision"]
    assert complete("list", "--store=x") == [":files"]
    assert complete("list", "--json=") == complete("list", "--nonsense=x") == []


def test_the_store_is_the_one_that_is_named_anywhere_on_the_line(complete, saved, tmp_path):
    assert complete("list", "--channel", "b") == ["big garden"]
    for words in (
        ["--store", str(tmp_path), "list"],
        [f"--store={tmp_path}", "list"],
        ["list", "--store", str(tmp_path)],
    ):
        assert complete(*words, "--channel", "b") == []


def test_commands_are_completed_with_their_summaries(call_memctl, complete):
    assert complete("") == list(COMMANDS)
    assert complete("rec") == complete("help", "rec") == ["recall"]
    assert complete("help", "") == list(COMMANDS)
    assert "recall\tFind memories" in call_memctl("__complete", "rec").stdout
    assert complete("--st") == ["--store"]
    assert complete("--store", "somewhere", "--debug", "rec") == ["recall"]


@pytest.mark.parametrize("entry", list(command_entries()), ids=lambda entry: entry.name)
def test_every_option_of_every_command_is_completed(complete, entry):
    assert complete(entry.name, "--") == [
        option.names[-1] for option in entry.options if option.names[-1].startswith("--")
    ]


@pytest.mark.parametrize("entry", list(command_entries()), ids=lambda entry: entry.name)
def test_every_argument_is_completed_or_known_to_be_free(entry):
    for argument in entry.arguments:
        known = {*ARGUMENT_SOURCES, *FILE_METAVARS, *FREE_ARGUMENTS}
        assert argument.metavar in known, f"say in cli/completion.py where {argument} comes from"


def test_every_source_belongs_to_an_option():
    options = {
        name
        for entry in command_entries()
        for option in entry.options
        for name in (option.names[-1], f"{entry.name} {option.names[-1]}")
    }
    assert set(OPTION_SOURCES) <= options


def test_ids_are_completed_by_what_the_command_acts_on(call_memctl, complete, saved):
    first, second = saved
    assert complete("show", "") == [second[:8]]
    assert complete("show", second[:3]) == [second[:8]]
    assert complete("show", second[:10]) == [second]
    assert complete("forget", second[:8], "") == [second[:8]]
    assert complete("restore", "") == [first[:8]]
    assert complete("link", second, "upd") == ["updates"]
    assert complete("link", second, "updates", "") == [second[:8]]
    assert complete("link", second, "updates", second, "") == []
    line = call_memctl("__complete", "show", "").stdout
    assert "Bees: swarm in May" in line


def test_values_of_options_are_completed(complete, saved):
    assert complete("list", "--type", "") == list(MemoryType)
    assert complete("list", "-t", "d") == ["decision"]
    assert complete("list", "--tag", "") == ["kitchen"]
    assert complete("list", "--channel", "b") == ["big garden"]
    assert complete("list", "--sort", "imp") == ["importance"]
    assert complete("recall", "--mode", "") == ["hybrid", "recent", "important", "typed"]
    assert complete("unlink", "a", "b", "--relation", "") == list(RelationType)
    assert complete("export", "--format", "") == ["jsonl", "markdown", "openclaw"]
    assert complete("maintain", "--only", "co") == ["consolidate", "compact"]
    assert complete("list", "--limit", "") == []
    assert complete("config", "se") == ["set"]
    assert complete("config", "set", "llm.mod") == ["llm.model"]
    assert complete("man", "sett") == ["settings"]
    assert complete("undo", "")[0].isdecimal()


@pytest.mark.parametrize(
    "words", [["ingest", ""], ["backup", ""], ["--store", ""], ["list", "--config", ""]]
)
def test_paths_are_left_to_the_shell(complete, words):
    assert complete(*words) == [":files"]


@pytest.mark.parametrize("words", [[], ["nonsense", ""], ["show", "zz"], ["save", ""], ["--", ""]])
def test_nothing_to_offer_is_no_error(complete, words):
    complete(*words)


def test_a_store_that_cannot_be_read_has_no_words(complete, store_path):
    assert complete("show", "") == []
    assert not store_path.exists()
    store_path.mkdir()
    (store_path / "memctl.db").write_bytes(b"no database")
    assert complete("show", "") == []
    assert complete("--config", "/nonexistent.toml", "show", "") == []


def test_another_store_on_the_command_line_is_read(call_memctl, complete, tmp_path):
    call_memctl("--store", tmp_path / "other", "save", "Elsewhere", "--tag", "there")
    assert complete("--store", str(tmp_path / "other"), "list", "--tag", "") == ["there"]


def test_stored_text_never_acts_on_the_terminal(call_memctl, complete):
    call_memctl("save", "x \x1b[31m y", "--tag", "red \x1b[31m", "--tag", "fine")
    assert complete("list", "--tag", "") == ["fine"]
    assert "\x1b" not in call_memctl("__complete", "show", "").stdout


def test_no_heavy_library_is_loaded(complete, saved, monkeypatch):
    for name in ("lancedb", "fastembed", "litellm", "numpy", "pyarrow"):
        monkeypatch.setitem(sys.modules, name, None)
    assert complete("show", "")


@pytest.mark.parametrize("shell", SCRIPTS)
def test_every_shell_understands_its_script(call_memctl, tmp_path, shell):
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    script = tmp_path / "script"
    script.write_text(call_memctl("completion", shell).stdout)
    subprocess.run([shell, "-n", script], check=True)


def test_an_unknown_shell_is_refused(call_memctl):
    assert "bash, zsh, fish" in call_memctl("completion", "tcsh", status=2).stderr


@pytest.fixture
def program(tmp_path, memctl_command):
    """memctl under its own name, as the shells call it."""
    path = tmp_path / "bin" / "memctl"
    path.parent.mkdir()
    words = " ".join(memctl_command)
    path.write_text(f'#!/bin/sh\nexec {words} "$@"\n')
    path.chmod(0o755)
    return path


def completed_by_bash(script: str, environment, *pieces: str) -> list[str]:
    """COMPREPLY for a line that bash has cut into these pieces, of which it is at the last."""
    commands = f"""{script}
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _memctl; printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    shell = subprocess.run(
        ["bash", "--norc", "-c", commands, "bash", *pieces],
        env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return shell.stdout.splitlines()


@pytest.mark.slow
def test_bash_completes_words_with_quotes_blanks_and_the_signs_at_which_it_cuts(
    call_memctl, memctl_environment, saved, program
):
    call_memctl("save", "The kiln is from 1981", "--tag", "work:2024", "--session", "it's $x")
    script = call_memctl("completion", "bash").stdout
    for pieces, expected in {
        ("show", ""): None,
        ("list", "--channel", "b"): "big\\ garden",
        ("list", "--channel", "big\\ g"): "big\\ garden",
        ("list", "--channel", '"big g'): "big garden",
        ("list", "--channel", "'big g"): "big garden",
        ("list", "--channel", "=", "big"): "big\\ garden",
        ("list", "--channel", "="): "big\\ garden",
        ("list", "--tag", "work", ":", "2"): "2024",
        ("list", "--tag", "=", "work", ":"): "2024",
        ("list", "--tag", "=", "w"): "work:2024",
        ("list", "--session", "it"): "it\\'s\\ \\$x",
        ("list", "--channel", '"big garden"', "--tag", "w"): "work:2024",
    }.items():
        found = completed_by_bash(script, memctl_environment, str(program), *pieces)
        assert saved[1][:8] in found if expected is None else found == [expected], pieces


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
@pytest.mark.parametrize("typed", ["b", "big\\ g", '"big g', "'big g"])
def test_fish_completes_a_word_that_is_quoted_or_escaped(
    call_memctl, memctl_environment, saved, tmp_path, program, typed
):
    (tmp_path / "script.fish").write_text(call_memctl("completion", "fish").stdout)
    environment = {**memctl_environment, "PATH": f"{program.parent}:{memctl_environment['PATH']}"}
    commands = f"source {tmp_path}/script.fish; complete -C $argv[1]"
    shell = subprocess.run(
        ["fish", "--no-config", "-c", commands, f"memctl list --channel {typed}"],
        env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert shell.stdout.startswith("big garden")


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
def test_fish_completes_an_id(call_memctl, memctl_environment, saved, tmp_path, program):
    (tmp_path / "script.fish").write_text(call_memctl("completion", "fish").stdout)
    commands = f"source {tmp_path}/script.fish; complete -C 'memctl show '"
    environment = {**memctl_environment, "PATH": f"{program.parent}:{memctl_environment['PATH']}"}
    shell = subprocess.run(
        ["fish", "--no-config", "-c", commands],
        env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert saved[1][:8] in shell.stdout
