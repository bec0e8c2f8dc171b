"""The process's own stdin, stdout and stderr where they are closed, full, or nobody reads them."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO


def open_missing_streams() -> None:
    """Puts streams in the place of the standard ones that the caller has closed.

    Their numbers must not stay free: the next file that is opened, the store among them, would be
    taken for the stream and written into. Nothing can be read from such a stdin; an answer that is
    written on such a stdout fails as it would on the closed one; and such a stderr leads nowhere.
    """
    for number, (name, mode, access) in enumerate(
        (
            ("stdin", "r", os.O_RDONLY),
            ("stdout", "w", os.O_RDONLY),
            ("stderr", "w", os.O_WRONLY),
        )
    ):
        if getattr(sys, name) is None:
            descriptor = os.open(os.devnull, access)
            if descriptor > number:
                os.dup2(descriptor, number)
            setattr(sys, name, open(number, mode, closefd=False))  # noqa: SIM115


def lead_nowhere(stream: TextIO) -> None:
    """Has what is still to be written on a stream go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def let_go_of_stderr() -> None:
    """The interpreter's last flush of a stderr that takes nothing would change the exit status."""
    try:
        sys.stderr.flush()
    except OSError:
        lead_nowhere(sys.stderr)
