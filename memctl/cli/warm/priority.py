"""Who goes first on the processor when a server and long work on the same store want it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from memctl.cli.warm.protocol import option_value, socket_path

LONG_COMMANDS = frozenset({"ingest", "import", "maintain", "migrate-openclaw"})
"""Commands that may use all cores for minutes."""

LOWERED_BY = 5
"""Of nice(2): a third of a server's share of a core that both want, and all of one that is free."""


def give_way_to_server(arguments: Sequence[str], environment: Mapping[str, str]) -> None:
    """Lowers the priority of this process for a long command where a server listens: people and
    agents wait for its answers."""
    if not LONG_COMMANDS.intersection(arguments) or not hasattr(os, "nice"):
        return
    store, config = option_value(arguments, "--store"), option_value(arguments, "--config")
    if Path(socket_path(environment, store, config)).exists():
        os.nice(LOWERED_BY)
