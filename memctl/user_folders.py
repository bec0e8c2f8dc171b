"""Where a person's settings, data and caches lie: by the XDG variables, else where the system has
them.

The library for this takes longer to load than a short command reads.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path


def user_folder(variable: str, *, linux: str, macos: str) -> Path:
    """Memctl's folder in the one that the XDG variable names; where that is unset or relative,
    ``linux`` or ``macos``, in which ``~`` is the home folder.

    Raises RuntimeError where there is no home folder.
    """
    named = Path(os.environ.get(variable, ""))
    if named.is_absolute():
        return named / "memctl"
    return Path(macos if sys.platform == "darwin" else linux).expanduser()
