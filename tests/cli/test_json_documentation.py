"""The JSON output is what its description says: every key, in both directions, and every shape.

The shapes stand in ``json_shapes/``, one file a command. After a change that is meant,
``WRITE_JSON_SHAPES=1 pytest tests/cli/test_json_documentation.py`` writes them anew.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fakes.openai_server import OpenAiServer, answer
from furnished_folder import FIRST, SECOND, THIRD

from memctl.cli.manual.pages import JSON_SOURCE, error_kinds, json_page
from memctl.cli.manual.plain import to_plain
from memctl.cli.root_help import COMMANDS

SHAPES = Path(__file__).with_name("json_shapes")
SOURCE = JSON_SOURCE.read_text(encoding="utf-8")
REPOSITORY = Path(__file__).resolve().parents[2]

MAPS = {
    "after",
    "arguments",
    "before",
    "by_origin",
    "by_type",
    "changes",
    "counts",
    "documents",
    "now",
    "rejected",
    "settings",
    "then",
    "types",
}
"""Keys whose value maps names of the user's or of a table to numbers or values."""

RUNS: list[list[str]] = [
    ["save", "We chose MariaDB for the shop", "--tag", "shop"],
    ["save", "We chose SQLite for the shop. Wi-Fi password: hunter2-Badger!9"],
    ["recall", "which database for billing?"],
    ["recall", "which database for billing?", "--explain"],
    ["recall", "which database for billing?", "--answer"],
    ["recall", "--batch", "queries.txt"],
    ["context", "--query", "which database?"],
    ["context", "--llm"],
    ["ingest", "notes/", "--dry-run"],
    ["ingest", "notes/", "minutes.md", "broken.pdf"],
    ["ingest", "--status"],
    ["ingest", "notes/", "--estimate"],
    ["ingest", "--forget-source", "minutes.md"],
    ["ingest", "--install-service", "--print"],
    ["ingest", "--install-service"],
    ["recall", "oven 1974", "--kind", "chunk"],
    ["list"],
    ["show", FIRST],
    ["show", FIRST, SECOND],
    ["edit", FIRST, "--content", "We chose PostgreSQL 17 for billing"],
    ["link", FIRST, "contradicts", SECOND],
    ["graph", FIRST],
    ["unlink", FIRST, SECOND],
    ["log", "--limit", "5"],
    ["log", "1"],
    ["undo", "--dry-run"],
    ["undo"],
    ["forget", SECOND, "--dry-run"],
    ["restore", THIRD],
    ["forget", SECOND, "--purge"],
    ["ingest", "--forget-source", "notes/", "--purge", "--dry-run"],
    ["maintain", "--dry-run"],
    ["maintain", "--if-due"],
    ["maintain", "--if-due"],
    ["maintain", "--install-timer", "--dry-run"],
    ["migrate-openclaw", "home/.openclaw", "--dry-run", "--verbose"],
    ["migrate-openclaw", "home/.openclaw", "--sessions"],
    ["channel"],
    ["channel", "agent:main:telegram:direct"],
    ["import", "memories.jsonl"],
    ["export", "all.jsonl"],
    ["export", "moved", "--format", "openclaw"],
    ["status"],
    ["serve", "--stop"],
    ["stats"],
    ["doctor"],
    ["backup", "b.tar"],
    ["restore-backup", "b.tar", "--dry-run"],
    ["restore-backup", "b.tar"],
    ["config", "show"],
    ["config", "get", "recall.limit"],
    ["config", "init"],
    ["config", "set", "recall.limit", "5"],
    ["config", "unset", "recall.limit"],
    ["config", "edit"],
    ["config", "path"],
    ["man", "save"],
    ["completion", "fish"],
]
"""One after the other on one store; what a run needs is done by those before it."""

FAILING_RUNS: list[list[str]] = [
    ["show", "ffff"],
    ["list", "--frobnicate"],
    ["config", "get", "recall.limitt"],
    ["ingest", "missing.md"],
]

ERROR = ("error", "An error")
"""Under which name their shapes are recorded, and the title of the part about them."""

DEPENDS_ON_THE_MACHINE = {"crontab", "enable", "files", "start"}


NOT_SEEN_HERE = {
    *(
        "folders",
        "in_hand",
        "in_hand_since",
        "is_polling",
        "on_disk",
        "paused_until",
        "process_id",
        "queued",
        "recorded",
    ),
    *("failed", "in_hand", "seen_at", "state", "stopped_at", "waiting"),
    *("into", "note", "ids"),
    "columns",
    "at",
    "added",
    "retired",
    "autostarted",
}
"""Described keys of what these runs have not: a watching process, a server, a merge or other
change of maintenance, a conflict of `undo`, a paid run of a language model, keys inside maps, and
a passage by its id, which is another one each time."""


def part_of(command: str) -> str:
    """What the page says about a command: its part, and those about memories and associations."""
    parts = re.split(r"^## ", SOURCE, flags=re.MULTILINE)
    own = [part for part in parts if command in re.split(r", |\n", part.split("\n")[0])]
    assert own, f"the description of the JSON output has no part about {command}"
    shared = [part for part in parts if part.startswith(("A memory", "An association"))]
    return "\n".join([*own, *shared])


def shape_of(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Each place in a document and the kind of value that stands there."""
    if isinstance(value, dict):
        for key, inner in value.items():
            place = f"{path}.{key}" if path else key
            if key in DEPENDS_ON_THE_MACHINE and not holds_objects(inner):
                yield place, "any"
            elif key in MAPS and isinstance(inner, dict):
                yield place, "map"
            elif isinstance(inner, dict | list):
                yield place, "object" if isinstance(inner, dict) else "list"
                yield from shape_of(inner, place)
            else:
                yield place, kind_of(inner)
    elif isinstance(value, list):
        for inner in value:
            if isinstance(inner, dict | list):
                yield from shape_of(inner, f"{path}[]")
            else:
                yield f"{path}[]", kind_of(inner)


def holds_objects(value: Any) -> bool:
    """Whether a value is a list of objects."""
    return isinstance(value, list) and any(isinstance(inner, dict) for inner in value)


def kind_of(value: Any) -> str:
    """The kind of a plain value."""
    kinds = {bool: "truth", int: "number", float: "number", str: "text", type(None): "null"}
    return kinds[type(value)]


def shape_text(documents: list[Any]) -> str:
    """One place a line, with all kinds that were seen there."""
    seen: dict[str, set[str]] = {}
    for document in documents:
        for place, kind in shape_of(document):
            seen.setdefault(place, set()).add(kind)
    return "".join(f"{place}: {' or '.join(sorted(seen[place]))}\n" for place in sorted(seen))


def keys_of(shapes: str) -> set[str]:
    """The last name of each place."""
    places = (line.partition(": ")[0] for line in shapes.splitlines() if not line.startswith("$"))
    return {re.split(r"[.\[\]]+", place.rstrip("[]"))[-1] for place in places if place}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_part(command: str) -> None:
    part_of(command)


def test_the_documentation_and_the_manual_say_what_the_source_says() -> None:
    copy = (REPOSITORY / "docs" / "json.md").read_text(encoding="utf-8")
    assert copy.partition("-->\n\n")[2] == SOURCE
    manual = " ".join(to_plain(json_page(), 200).split())
    names = {name for line in SOURCE.splitlines() for name in re.findall(r"`(\w+)`", line)}
    assert not [name for name in sorted(names) if name not in manual]


def test_every_name_of_an_error_is_documented_with_its_exit_status() -> None:
    rows = re.findall(r"^\| (\d+) \| (.*) \|$", part_of(ERROR[1]), re.MULTILINE)
    documented = {(int(code), name) for code, names in rows for name in re.findall(r"\w+", names)}
    assert documented == {(int(kind.exit_code), kind().name) for kind in error_kinds()}


@pytest.mark.slow
def test_every_shape_is_as_recorded_and_every_key_is_described(furnished) -> None:
    texts: dict[str, str] = {}
    unknown: set[tuple[str, str]] = set()
    with OpenAiServer() as server:
        environment = {
            "MEMCTL_LLM_API_BASE": server.api_base,
            "OPENAI_API_KEY": "none",
            "VISUAL": "true",
        }
        for words in [*RUNS, *FAILING_RUNS]:
            name, title = ERROR if words in FAILING_RUNS else (words[0], words[0])
            asks = {"--answer", "--llm", "--estimate"} & set(words)
            model = {"MEMCTL_LLM_MODEL": "openai/test"} if asks else {}
            server.play(answer('{"answer": "PostgreSQL.", "used": ["K1"]}'))
            result = furnished.call(
                *words, "--json", environment={**environment, **model}, status=None
            )
            shape = shape_text(result.json_lines)
            assert shape, f"{words}: {result.stderr}"
            part = set(re.findall(r"\w+", part_of(title))) | {"schema_version"}
            unknown |= {(name, key) for key in keys_of(shape) - part}
            texts[name] = texts.get(name, "") + f"$ memctl {' '.join(words)}\n{shape}\n"
    assert not sorted(unknown), "keys that the page does not describe"
    if os.environ.get("WRITE_JSON_SHAPES"):
        SHAPES.mkdir(exist_ok=True)
        for name, text in texts.items():
            (SHAPES / f"{name}.txt").write_text(text, encoding="utf-8")
    recorded = {path.stem: path.read_text(encoding="utf-8") for path in SHAPES.iterdir()}
    assert texts == recorded
    assert set(texts) == {*COMMANDS, ERROR[0]}
    seen = set.union(*map(keys_of, texts.values()))
    assert described_keys() - seen == NOT_SEEN_HERE


def described_keys() -> set[str]:
    """The keys that the page promises: those in braces, and those of its tables."""
    body = SOURCE.partition("# Exit statuses")[0]
    in_braces = re.findall(r"`[^`]*\{([^`]*)\}[^`]*`", " ".join(body.split()))
    in_tables = re.findall(r"^\| ((?:`\w+`(?:, )?)+)", body, re.MULTILINE)
    return {
        name
        for text in [*in_braces, *in_tables]
        for name in re.findall(r"(?:^|[{,\s`])([a-z_]+)(?=[,}:`\s]|$)", text)
    } - {"memory", "association", "operation", "message", "false", "null", "key"}
