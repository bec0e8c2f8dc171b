"""The page that `memctl --help` prints, made without Typer because it must come at once.

The Typer group prints this very text, so there is only one.
"""

from __future__ import annotations

import shutil
import textwrap

COMMANDS = {
    "save": "Remember a statement.",
    "recall": "Find memories by meaning and by keyword.",
    "context": "Print a briefing for the prompt of an agent.",
    "show": "Show memories in full, with their source and associations.",
    "list": "List memories, the newest first.",
    "edit": "Change a memory, in your editor or by options.",
    "forget": "Hide memories; `restore` brings them back.",
    "restore": "Bring forgotten memories back.",
    "maintain": "Keep the store in shape: fade, hide, merge, and tidy up.",
    "log": "Show what was done to the store, the newest first.",
    "undo": "Take back what a command did.",
    "link": "Say what one memory is to another.",
    "unlink": "Take back what one memory is to another, in both directions.",
    "graph": "Show what a memory is connected with.",
    "migrate-openclaw": "Move in from OpenClaw or ZeroClaw, with proof.",
    "channel": "Read the transcript of a channel back, the newest messages last.",
    "ingest": "Turn files and folders into memories.",
    "export": "Write all memories to a file.",
    "import": "Take memories in from a file of JSON lines.",
    "status": "Show what the store holds and whether all is well.",
    "stats": "Show figures about the memories as small charts.",
    "backup": "Copy the whole store into one file, while others use it.",
    "restore-backup": "Put a backup in the place of the store, which is kept aside.",
    "doctor": "Look for what is wrong with the store, and say how to put it right.",
    "serve": "Answer other memctl commands at once, from a process that stays loaded.",
    "config": "Show and change the settings.",
    "man": "Show a page of the manual.",
    "completion": "Print what lets a shell complete memctl's command lines.",
}
"""Every command and its summary, in the order in which help shows them."""

OPTIONS = {
    "--json": "Print one JSON object.",
    "--store DIR": "Folder of the store.",
    "--config FILE": "Configuration file (TOML).",
    "--debug": "Show a traceback when something goes wrong.",
    "--version": "Show the version.",
    "-h, --help": "Show this message and exit.",
}

FIRST_STEPS = {
    'memctl save "We chose PostgreSQL for billing"': "remember a statement",
    'memctl recall "which database for billing?"': "find it again",
    "memctl ingest notes/": "take in what files say",
    "memctl list": "ids, for show and forget",
    "memctl undo": "take the last change back",
    "memctl maintain --install-timer": "tidy up whenever it is due",
}
"""From nothing to a store that looks after itself, each step with what it does."""

MORE_HELP = (
    "`memctl help COMMAND` shows a command's options with examples.",
    "`memctl man` shows the manual.",
)

SUMMARY = "Long-term memory for you and your agents, on your own machine."

MAXIMUM_WIDTH = 80
MINIMUM_WIDTH = 40


def root_help() -> str:
    """The page, as wide as the terminal allows and no wider than 80 columns."""
    width = max(min(shutil.get_terminal_size().columns, MAXIMUM_WIDTH) - 2, MINIMUM_WIDTH)
    parts = [
        "Usage: memctl [OPTIONS] COMMAND [ARGS]...",
        textwrap.fill(SUMMARY, width, initial_indent="  ", subsequent_indent="  "),
        "First steps:\n" + _steps(width),
        "Commands:\n" + _rows(COMMANDS, width),
        "Options:\n" + _rows(OPTIONS, width),
        "\n".join(textwrap.fill(line, width) for line in MORE_HELP),
    ]
    return "\n\n".join(parts)


def _steps(width: int) -> str:
    """What to type, and beside it, where there is room, what for."""
    column = max(map(len, FIRST_STEPS)) + 2
    lines = (
        f"  {line:<{column}}# {purpose}" if column + len(purpose) + 4 <= width else f"  {line}"
        for line, purpose in FIRST_STEPS.items()
    )
    return "\n".join(lines)


def _rows(rows: dict[str, str], width: int) -> str:
    column = max(map(len, rows)) + 4
    return "\n".join(
        textwrap.fill(
            text,
            width,
            initial_indent=f"  {name:<{column - 2}}",
            subsequent_indent=" " * column,
        )
        for name, text in rows.items()
    )
