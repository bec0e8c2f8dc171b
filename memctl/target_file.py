"""Files that a user asks for: only a regular file is replaced, and that only when allowed."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from memctl.errors import MissingFolderError, WriteError


def target_of(path: Path, *, may_replace: bool) -> Path:
    """The file that is to be written where ``path`` is asked for: what a link leads to.

    Raises WriteError for a folder, a device, a pipe, and a file that may not be replaced, and
    MissingFolderError where there is no folder to write in.
    """
    try:
        target = path.resolve()
    except (OSError, RuntimeError) as error:
        # A working folder that is gone, or links in a circle.
        raise WriteError(path=path, why="its folder cannot be found") from error
    if target.is_dir():
        raise WriteError(path=path, why="it is a folder")
    if target.exists() and not target.is_file():
        raise WriteError(path=path, why="it is no regular file")
    if target.exists() and not may_replace:
        raise WriteError(path=path, why="it exists already (--force replaces it)")
    if not target.parent.is_dir():
        raise MissingFolderError(path=path, folder=path.parent)
    return target


def write_whole(target: Path, lines: Iterable[str]) -> int:
    """Writes beside the file and renames, so that it is either whole or as it was; gives how many
    lines there were. Raises WriteError, and whatever making the lines raises."""
    count = 0
    try:
        with replacing(target) as draft:
            for line in lines:
                draft.write(line + "\n")
                count += 1
    except OSError as error:
        raise WriteError(path=target, why=(error.strerror or str(error)).lower()) from error
    return count


@contextmanager
def replacing(target: Path) -> Iterator[TextIO]:
    """A UTF-8 draft beside ``target``, 0600, that takes its name when the block ends without an
    error, and is gone otherwise. Raises OSError."""
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    draft = Path(name)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as handle:
            yield handle
            handle.flush()
            os.fsync(handle.fileno())
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)
