"""Every example of every command's help is a command line that works."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from fakes.openai_server import OpenAiServer, answer

from memctl.cli.app import command_group
from memctl.cli.command_tree import command_entries
from memctl.cli.session import Session, Streams
from memctl.errors import ExitCode

SHELL_LINES = ("mkdir ", "fpath+=")
"""How examples begin that make a shell ready for the one below them."""

EXAMPLES = [
    example
    for entry in command_entries()
    for example in entry.examples
    if not example.startswith(SHELL_LINES)
]

ENDLESS = {"memctl ingest --watch notes/", "memctl serve", "memctl serve --idle-minutes 15 &"}
"""Run by tests of their own."""

OTHER_STATUSES = {
    "memctl undo 12 --dry-run --limit 100": {ExitCode.FAILED},
    "memctl undo 12 --force": {ExitCode.OK},
    "memctl ingest notes/ --estimate": {ExitCode.OK},
    "memctl doctor": {ExitCode.OK, ExitCode.FAILED},
    "memctl doctor --deep --json": {ExitCode.OK, ExitCode.FAILED},
    "memctl doctor --fix": {ExitCode.OK, ExitCode.FAILED},
    # Another model has to be downloaded first.
    "memctl maintain --model sentence-transformers/all-MiniLM-L6-v2": {ExitCode.MODEL},
}

BEFORE = {
    "memctl restore 3fa9": ["forget", "3fa9"],
    "memctl unlink 3fa9 77c1": ["link", "3fa9", "caused_by", "77c1"],
    "memctl unlink 3fa9 77c1 --relation contradicts": ["link", "3fa9", "contradicts", "77c1"],
    "memctl restore-backup memctl-2026-03-04.tar": ["backup", "memctl-2026-03-04.tar"],
    "memctl restore-backup memctl-2026-03-04.tar --dry-run": ["backup", "memctl-2026-03-04.tar"],
    "memctl config edit": ["config", "init"],
    "memctl config unset llm.model": ["config", "set", "llm.model", "ollama_chat/llama3.2"],
    "memctl channel agent:main:telegram:direct --limit 50": [
        "migrate-openclaw", "home/.openclaw", "--sessions",
    ],
}  # fmt: skip
"""What must have been done, so that an example has something to work on."""


def own_words(example: str, home: Path) -> tuple[list[str], str]:
    """The words behind `memctl`, as a shell would hand them on, and what comes in on stdin."""
    in_eval = re.fullmatch(r'eval "\$\((.*)\)"', example)
    if in_eval is not None:
        example = in_eval[1]
    lexer = shlex.shlex(example, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    tokens = list(lexer)
    stdin = ""
    if tokens[0] == "echo":
        stdin, tokens = tokens[1] + "\n", tokens[tokens.index("|") + 1 :]
    assert tokens[0] == "memctl", example
    words = []
    for token in tokens[1:]:
        if token in {"|", ">", "&"}:
            break
        words.append(str(home) + token[1:] if token.startswith("~/") else token)
    return words, stdin


def test_every_command_has_examples_and_every_example_is_understood(tmp_path: Path) -> None:
    """By the command line's parser; what they do is another test's."""
    assert all(entry.examples for entry in command_entries())
    streams: Any = Streams(*([None] * 3), {})  # type: ignore[misc,arg-type]
    for example in EXAMPLES:
        words, _ = own_words(example, tmp_path)
        group = command_group()
        with group.make_context("memctl", words, obj=Session(streams)) as context:
            name, command, rest = group.resolve_command(
                context, context._protected_args + context.args
            )
            command.make_context(name, rest, parent=context).close()


@pytest.mark.slow
@pytest.mark.parametrize("example", [one for one in EXAMPLES if one not in ENDLESS])
def test_an_example_does_what_it_says(furnished, example: str) -> None:
    with OpenAiServer() as server:
        server.play(answer('{"bulletin": "PostgreSQL was chosen."}'))
        environment = {"VISUAL": "true"}
        if any(word in example for word in ("--llm", "--estimate", "--consolidate")):
            environment |= {
                "MEMCTL_LLM_MODEL": "openai/test",
                "MEMCTL_LLM_API_BASE": server.api_base,
                "OPENAI_API_KEY": "none",
            }
        before = BEFORE.get(example)
        if before is not None:
            furnished.call(*before)
        if example == "memctl export memories.jsonl":
            (furnished.folder / "memories.jsonl").unlink()
        words, stdin = own_words(example, furnished.home)
        result = furnished.call(*words, stdin=stdin, environment=environment, status=None)
    wanted = OTHER_STATUSES.get(example, {ExitCode.OK})
    assert result.returncode in {int(code) for code in wanted}, result.stderr
    assert "Traceback" not in result.stderr
