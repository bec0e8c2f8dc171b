"""Where the function of a command is found: one module for each, imported when it is asked for."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from keyword import iskeyword


def command_function(command: str) -> Callable[..., None]:
    """The function of a command's module; one whose name Python keeps has an underscore more."""
    name = command.replace("-", "_")
    module = importlib.import_module(f"memctl.cli.commands.{name}_command")
    function: Callable[..., None] = getattr(module, f"{name}_" if iskeyword(name) else name)
    return function
