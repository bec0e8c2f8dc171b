"""The user's editor: a draft goes out, a changed text comes back.

The draft is a file that only this user can read. It is removed when all went well, and kept when
what was written cannot be used, so that no work is lost.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from memctl.cli.errors import DraftError, EditorError
from memctl.cli.session import Session

EDITOR_VARIABLES = ("VISUAL", "EDITOR")
FALLBACK_EDITORS = ("sensible-editor", "nano", "vim", "vi")

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be edited, as errors name it; the draft's suffix; and a sentence about how the
    same can be done without an editor."""

    what: str
    suffix: str
    instead: str

    def error(self, why: str) -> EditorError:
        """Why it cannot be done."""
        return EditorError(what=self.what, why=why, instead=self.instead)


def edit_text(
    session: Session, text: str, task: Task, read: Callable[[str], Value]
) -> Value | None:
    """What ``read`` makes of the text that the user leaves; None when nothing was changed.

    ``read`` raises ValueError for a text that cannot be used. Raises EditorError, and DraftError,
    which names the draft.
    """
    command = _editor_command(session, task)
    descriptor, name = tempfile.mkstemp(prefix="memctl-", suffix=task.suffix)
    draft = Path(name)
    with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
        file.write(text)
    try:
        _run(command, draft, task)
        written = draft.read_bytes().decode("utf-8-sig")
        value = None if written == text else read(written)
    except ValueError as error:
        raise DraftError(what=task.what, why=str(error), draft=draft) from error
    except EditorError:
        draft.unlink(missing_ok=True)
        raise
    draft.unlink(missing_ok=True)
    return value


def _editor_command(session: Session, task: Task) -> list[str]:
    for name in EDITOR_VARIABLES:
        chosen = session.streams.environment.get(name, "").strip()
        if chosen:
            try:
                return shlex.split(chosen)
            except ValueError as error:
                raise task.error(f"{name} is {chosen!r}: {error}") from None
    # A script that forgot its options must not be left waiting in an editor that nobody sees.
    if session.streams.stdin.isatty():
        for program in FALLBACK_EDITORS:
            if shutil.which(program):
                return [program]
        why = (
            f"neither VISUAL nor EDITOR is set, and none of {', '.join(FALLBACK_EDITORS)} is there"
        )
        raise task.error(why)
    raise task.error("neither VISUAL nor EDITOR is set, and stdin is no terminal")


def _run(command: list[str], draft: Path, task: Task) -> None:
    try:
        ended = subprocess.run([*command, draft], check=False)
    except OSError as error:
        why = f"{command[0]} cannot be started: {(error.strerror or str(error)).lower()}"
        raise task.error(why) from error
    if ended.returncode:
        raise task.error(f"{command[0]} ended with status {ended.returncode}")
    if not draft.exists():
        raise task.error(f"{command[0]} removed the draft")
