"""``memctl config``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from memctl.cli.output import Column
from memctl.cli.session import Session
from memctl.errors import UsageError

COLUMNS = (
    Column("setting"),
    Column("value", wrap=True),
    Column("from", wrap=True),
    Column("meaning", wrap=True),
)


def config(
    session: Session,
    action: Annotated[
        str, typer.Argument(metavar="ACTION", help="show: every setting; path: the file's place.")
    ] = "show",
) -> None:
    """Show the settings.

    Each has a value from the command line, a MEMCTL_* variable, the configuration file or the
    built-in default, in this order.

    \b
    Examples:
      memctl config show
      memctl config show --json
      memctl config path
    """
    if action == "path":
        session.output.line(str(session.loaded_settings.config_path))
        return
    if action != "show":
        raise UsageError(what=f"run `memctl config {action}`", why="the actions are show and path")
    _show(session)


def _show(session: Session) -> None:
    from memctl.config import describe_settings

    loaded = session.loaded_settings
    entries = []
    for info in describe_settings():
        section, name = info.key.split(".")
        value = getattr(getattr(loaded.settings, section), name)
        entries.append((info, value, loaded.origins[info.key]))
    if session.output.as_json:
        session.output.json(
            {
                "path": str(loaded.config_path),
                "settings": {
                    info.key: {
                        "value": str(value) if isinstance(value, Path) else value,
                        "origin": origin,
                        "variable": info.variable,
                        "description": info.description,
                    }
                    for info, value, origin in entries
                },
            }
        )
        return
    session.output.table(
        COLUMNS,
        [
            (info.key, "" if value is None else str(value), origin, info.description)
            for info, value, origin in entries
        ],
        title=f"Configuration file: {loaded.config_path}",
    )
