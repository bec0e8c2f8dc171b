"""One argument of a command, as usage lines, help and the manual name it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class ArgumentEntry:
    """One argument; ``metavar`` as it stands in the usage, such as ``ID...``."""

    metavar: str
    help: str
    is_required: bool

    @property
    def usage(self) -> str:
        """As the usage line names it: in brackets where it may be left out."""
        return self.metavar if self.is_required else f"[{self.metavar}]"


def argument_entry(parameter: Any) -> ArgumentEntry:
    """What Typer knows of an argument."""
    metavar = re.sub(r"[\[\]]", "", parameter.metavar or parameter.name.upper())
    if parameter.nargs == -1 and not metavar.endswith("..."):
        metavar += "..."
    return ArgumentEntry(
        metavar=metavar, help=parameter.help or "", is_required=bool(parameter.required)
    )
