"""What lets the system run `maintain --if-due` every day: systemd units, or a line for cron."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

UNIT_NAME = "memctl-maintain"

DAILY_HOUR = 4
"""When cron runs it: at night. Whether anything is done then is for --if-due to say."""


def service_unit(command: Sequence[str]) -> str:
    """The systemd service that runs ``command`` once."""
    quoted = " ".join(_systemd_quoted(word) for word in command)
    return (
        "[Unit]\nDescription=Maintenance of the memctl store\n\n"
        f"[Service]\nType=oneshot\nNice=10\nExecStart={quoted}\n"
    )


def timer_unit() -> str:
    """The systemd timer that starts the service daily, or later when the machine was off."""
    return (
        "[Unit]\nDescription=Daily maintenance of the memctl store\n\n"
        "[Timer]\nOnCalendar=daily\nRandomizedDelaySec=1h\nPersistent=true\n\n"
        "[Install]\nWantedBy=timers.target\n"
    )


def crontab_line(command: Sequence[str]) -> str:
    """A line for `crontab -e`."""
    return f"0 {DAILY_HOUR} * * * {shlex.join(command)}".replace("%", "\\%")


def _systemd_quoted(word: str) -> str:
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{escaped}"'
