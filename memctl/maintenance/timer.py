"""What lets the system run `maintain --if-due` every day: systemd units, or a time for cron."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memctl.systemd_unit import environment_lines, exec_start

UNIT_NAME = "memctl-maintain"

CRON_TIME = "0 4 * * *"
"""When cron runs it: every night. Whether anything is done then is for --if-due to say."""


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
