"""A line for `crontab -e`, where no systemd runs what is to be run."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence


def crontab_line(when: str, command: Sequence[str], variables: Mapping[str, str]) -> str:
    """A line that runs ``command`` with these variables; ``when`` as cron says it, ``0 4 * * *`` or
    ``@reboot``."""
    assignments = [f"{name}={value}" for name, value in variables.items()]
    words = ["env", *assignments, *command] if assignments else command
    return f"{when} {shlex.join(words)}".replace("%", "\\%")
