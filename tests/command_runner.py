"""What the fixtures that run memctl share with the tests: the result, the runner's type, the
environment of a child process."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

GUARD_FOLDER = Path(__file__).parent / "network_guard"
FIXED_ENVIRONMENT = {
    "HF_HUB_OFFLINE": "1",
    "LANG": "C.UTF-8",
    "LC_ALL": "C.UTF-8",
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "TZ": "UTC",
}
XDG_FOLDERS = {
    "XDG_CACHE_HOME": ".cache",
    "XDG_CONFIG_HOME": ".config",
    "XDG_DATA_HOME": ".local/share",
    "XDG_RUNTIME_DIR": ".run",
    "XDG_STATE_HOME": ".local/state",
}


@dataclass(frozen=True, slots=True)
class CommandResult:
    """What a run of memctl gave: exit status and both streams as text."""

    returncode: int
    stdout: str
    stderr: str

    @property
    def json(self) -> Any:
        """stdout read as one JSON value."""
        return json.loads(self.stdout)

    @property
    def json_lines(self) -> list[Any]:
        """stdout read as one JSON value a line."""
        return [json.loads(line) for line in self.stdout.splitlines()]


class RunMemctl(Protocol):
    """Runs ``memctl ARGUMENTS...`` on the test's store and gives what came of it.

    ``stdin`` is empty unless given; ``environment`` adds to the clean one, and a value of None
    takes a variable away. Unless ``status`` is None, another exit status fails the test and shows
    both streams.
    """

    def __call__(
        self,
        *arguments: str | os.PathLike[str],
        stdin: str | bytes = "",
        environment: Mapping[str, str | None] | None = None,
        status: int | None = 0,
    ) -> CommandResult: ...


def child_environment(home: Path) -> dict[str, str]:
    """The whole environment of a child process that may run memctl, with that home folder."""
    import memctl

    package_folder = Path(memctl.__file__).parents[1]
    inherited = ("PATH", "REFUSED_CONNECTIONS_LOG", "TMPDIR")
    return {
        **{name: os.environ[name] for name in inherited if name in os.environ},
        **FIXED_ENVIRONMENT,
        **{name: str(home / folder) for name, folder in XDG_FOLDERS.items()},
        "HOME": str(home),
        "PYTHONPATH": os.pathsep.join([str(GUARD_FOLDER), str(package_folder)]),
    }
