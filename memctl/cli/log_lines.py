"""Log lines of a process that runs for long: `key=value` pairs, one event a line, on stderr."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from typing import TextIO

from memctl.cli.output import tell
from memctl.cli.text import one_line

_BARE = re.compile(r"[^\s\"=\\]+")


class LogLines:
    """Writes events as lines; see ``memctl.ingestion.daemon.Log``."""

    def __init__(self, stream: TextIO, clock: Callable[[], datetime]) -> None:
        self._stream = stream
        self._clock = clock

    def __call__(self, event: str, *, level: str = "info", **details: object) -> None:
        """One line: time, level, event, and the details in their order."""
        moment = self._clock().isoformat(timespec="milliseconds").replace("+00:00", "Z")
        pairs = {"time": moment, "level": level, "event": event, **details}
        line = " ".join(f"{name}={_value(value)}" for name, value in pairs.items())
        tell(self._stream, line + "\n")
        with suppress(OSError):
            self._stream.flush()


def _value(value: object) -> str:
    """A value without blanks as it is, another one in quotes; nothing in it ends the line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    text = one_line(value.isoformat() if isinstance(value, datetime) else str(value))
    if _BARE.fullmatch(text):
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
