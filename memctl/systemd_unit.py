"""Words and variables in the text of a systemd unit, so that it takes all of them literally."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def exec_start(command: Sequence[str]) -> str:
    """The line that runs ``command``: no specifier or variable in it means anything."""
    return "ExecStart=" + " ".join(_quoted(word).replace("$", "$$") for word in command)


def environment_lines(variables: Mapping[str, str]) -> list[str]:
    """A line for each variable; a dollar sign means nothing there."""
    return [f"Environment={_quoted(f'{name}={value}')}" for name, value in variables.items()]


def _quoted(word: str) -> str:
    text = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return '"' + text.replace("\n", "\\n") + '"'
