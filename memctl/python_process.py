"""Another Python process that finds what this one finds, to run one function."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

_PROGRAM = (
    "import json, sys; sys.path[:], module, function, *rest = json.loads(sys.argv[1]); "
    "getattr(__import__(module, fromlist=[function]), function)(*rest)"
)


def python_command(module: str, function: str, arguments: Sequence[object] = ()) -> list[str]:
    """The words that run ``module.function(*arguments)`` in an interpreter of its own, which looks
    for modules where this one does. ``arguments`` go as JSON; warnings are not shown."""
    # An empty entry means the current folder, where a file may be called like a module.
    search_path = [entry for entry in sys.path if entry]
    package_root = str(Path(__file__).resolve().parent.parent)
    if package_root not in search_path:
        search_path.append(package_root)
    call = json.dumps([search_path, module, function, *arguments])
    return [sys.executable, "-P", "-W", "ignore", "-c", _PROGRAM, call]
