"""Files that a command reads line by line; ``-`` is stdin."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from memctl.cli.session import Session
from memctl.errors import MissingPathError, UsageError

STDIN = Path("-")


def read_lines(
    session: Session, file: Path, what: str, *, keep_broken: bool = False
) -> Iterator[str]:
    """The lines of a UTF-8 text, one by one.

    Raises MissingPathError, and UsageError (``what`` cannot be done) for a file that cannot be
    read or is no UTF-8 text. With ``keep_broken`` the lines that are none come too, what cannot be
    read in them as lone surrogates.
    """
    with _opened(session, file) as stream:
        for number, line in enumerate(stream, start=1):
            whole = line.removeprefix(codecs.BOM_UTF8) if number == 1 else line
            try:
                yield whole.decode(errors="surrogateescape" if keep_broken else "strict")
            except UnicodeDecodeError as error:
                name = "stdin" if file == STDIN else str(file)
                why = f"line {number} of {name} is not UTF-8 text ({error.reason})"
                raise UsageError(what=what, why=why) from None


@contextmanager
def _opened(session: Session, file: Path) -> Iterator[BinaryIO]:
    if file == STDIN:
        yield session.streams.stdin
        return
    try:
        stream = file.open("rb")
    except FileNotFoundError:
        raise MissingPathError(path=file) from None
    except OSError as error:
        raise UsageError(what=f"read {file}", why=error.strerror or str(error)) from error
    with stream:
        yield stream
