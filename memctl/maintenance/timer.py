"""What lets the system run `maintain --if-due` every day: systemd units, or a line for cron."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence

from memctl.systemd_unit import environment_lines, exec_start

UNIT_NAME = "memctl-maintain"

DAILY_HOUR = 4
"""When cron runs it: at night. Whether anything is done then is for --if-due to say."""


def service_unit(command: Sequence[str], variables: Mapping[str, str]) -> str:
    """The systemd service that runs ``command`` once, with these variables."""
    lines = [
        "[Unit]",
        "Description=Maintenance of the memctl store",
        "",
        "[Service]",
        "Type=oneshot",
        "Nice=10",
        *environment_lines(variables),
        exec_start(command),
    ]
    return "\n".join(lines) + "\n"


def timer_unit() -> str:
    """The systemd timer that starts the service daily, or later when the machine was off."""
    return (
        "[Unit]\nDescription=Daily maintenance of the memctl store\n\n"
        "[Timer]\nOnCalendar=daily\nRandomizedDelaySec=1h\nPersistent=true\n\n"
        "[Install]\nWantedBy=timers.target\n"
    )


def crontab_line(command: Sequence[str], variables: Mapping[str, str]) -> str:
    """A line for `crontab -e` that runs ``command`` with these variables."""
    assignments = [f"{name}={value}" for name, value in variables.items()]
    words = ["env", *assignments, *command] if assignments else command
    return f"0 {DAILY_HOUR} * * * {shlex.join(words)}".replace("%", "\\%")
