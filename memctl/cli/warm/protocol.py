"""What client and server of the warm path say to each other, and where they meet.

One connection carries one command line, in lines of JSON: the client's request, the server's word
that it is ready (or why not), the client's ``GO``, the server's reply. Until ``GO`` nothing has
been done, so a client that grows impatient can go and do the work itself.

A client must load fast: nothing but the light parts of the standard library is imported here,
``pathlib`` and ``typing`` not among them.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Mapping, Sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PROTOCOL = 1
"""Goes up with every change of the lines below; another number is never answered."""

COMMANDS = frozenset({"recall", "save", "list", "show", "forget", "context"})
"""Commands that a server may run. They take no files and ask nothing of the user."""

COLD_WORDS = frozenset(
    {"-", "-h", "--help", "--debug", "--answer", "--batch", "--llm", "--purge", "--version"}
)
"""Words on a command line that need the client's own process: its stdin, keys, or time."""

SWITCH = "MEMCTL_NO_DAEMON"
"""A variable that, when set, keeps a client from asking a server."""

AUTOSTARTED = "MEMCTL_AUTOSTARTED"
"""A variable that, when set, tells a server that a command has left it behind."""

GO = b"go\n"

LONGEST_LINE_BYTES = 64 * 1024 * 1024

PLACE_VARIABLES = (
    "MEMCTL_CONFIG",
    "MEMCTL_STORE",
    "MEMCTL_STORE_DATABASE_URL",
    "MEMCTL_STORE_INDEX_URI",
    "MEMCTL_EMBEDDING_CACHE_FOLDER",
)
"""What names files that the commands of a server open."""

FOLDER_VARIABLES = ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")
"""What the places of settings, store and models hang on."""


def server_socket(arguments: Sequence[str], environment: Mapping[str, str]) -> str | None:
    """Where a server may listen that can do this; None when there is none to ask."""
    if environment.get(SWITCH) or not COMMANDS.intersection(arguments):
        return None
    if any(word.split("=", 1)[0] in COLD_WORDS for word in arguments):
        return None
    store, config = option_value(arguments, "--store"), option_value(arguments, "--config")
    places = (store, config, *(environment.get(name) for name in PLACE_VARIABLES))
    if any(place is not None and is_relative(place) for place in places):
        return None
    path = socket_path(environment, store, config)
    return path if os.path.exists(path) else None


def is_relative(place: str) -> bool:
    """Whether a path, or a URL, of a file means another file in another working folder."""
    scheme, is_url, rest = place.partition("://")
    if is_url:
        return scheme.startswith("sqlite") and not rest.startswith("//")
    return bool(place) and not os.path.isabs(place)


def socket_path(environment: Mapping[str, str], store: str | None, config: str | None) -> str:
    """Where a server with these options would listen; both sides reckon alike.

    The name comes from what decides which store is meant, not from the store: finding that out
    needs the configuration. A server settles the store anew for every request, so that a chance
    meeting costs time and nothing else.
    """
    named = store or environment.get("MEMCTL_STORE") or ""
    parts = [
        os.path.abspath(named) if named else "",
        os.path.abspath(config) if config else "",
        *(environment.get(name, "") for name in (*FOLDER_VARIABLES, "MEMCTL_CONFIG")),
    ]
    digest = zlib.crc32("\0".join(parts).encode("utf-8", "surrogateescape"))
    return os.path.join(runtime_folder(environment), f"{digest:08x}.sock")


def runtime_folder(environment: Mapping[str, str]) -> str:
    """The folder of sockets: in the user's runtime folder, else one for the user in the temporary
    folder."""
    runtime, temporary = (environment.get(name, "") for name in ("XDG_RUNTIME_DIR", "TMPDIR"))
    if os.path.isabs(runtime):
        return os.path.join(runtime, "memctl")
    if not os.path.isabs(temporary):
        temporary = "/tmp"  # noqa: S108
    return os.path.join(temporary, f"memctl-{os.getuid()}")


def write_line(value: Mapping[str, Any]) -> bytes:
    """One line of the conversation; text that is no UTF-8 survives."""
    return json.dumps(value).encode("ascii") + b"\n"


def read_line(line: bytes) -> dict[str, Any]:
    """Raises ValueError for what is no such line, cut-off ones too."""
    if not line.endswith(b"\n"):
        raise ValueError("the line is cut off")
    try:
        value = json.loads(line)
    except RecursionError:
        raise ValueError("the line is nested too deeply") from None
    if not isinstance(value, dict):
        raise ValueError("not an object")
    return value


def option_value(arguments: Sequence[str], option: str) -> str | None:
    """The last value that a command line gives for a long option."""
    value = None
    for position, word in enumerate(arguments):
        if word == "--":
            break
        if word == option and position + 1 < len(arguments):
            value = arguments[position + 1]
        elif word.startswith(option + "="):
            value = word[len(option) + 1 :]
    return value
