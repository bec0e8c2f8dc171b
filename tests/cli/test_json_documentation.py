"""Every key that a command's --json prints stands in docs/json.md, in the command's own part."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memctl.cli.root_help import COMMANDS

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "json.md").read_text(encoding="utf-8")

MAPS = {"by_type", "by_origin", "counts", "settings", "documents"}
"""Keys whose value maps names of the user's or of a table to numbers or values."""


def part_of(command: str) -> str:
    """What the page says about a command: its part, and those about memories and associations."""
    parts = re.split(r"^## ", PAGE, flags=re.MULTILINE)
    own = [part for part in parts if command in re.split(r", |\n", part.split("\n")[0])]
    assert own, f"docs/json.md has no part about {command}"
    shared = [part for part in parts if part.startswith(("A memory", "An association"))]
    return "\n".join([*own, *shared])


def keys_in(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            if key not in MAPS:
                yield from keys_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from keys_in(inner)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_part(command: str) -> None:
    part_of(command)


def test_every_key_is_documented(call_memctl, tmp_path, store_path) -> None:
    first = call_memctl("save", "We chose PostgreSQL for billing", "--json").json["id"]
    second = call_memctl("save", "The oven is from 1974", "--tag", "x", "--json").json["id"]
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7\n1 0 obj\n<<")
    call_memctl("ingest", "broken.pdf", status=None)
    lines = [
        ["context", "--query", "which database?"],
        ["list"],
        ["show", first],
        ["edit", first, "--pin"],
        ["link", first, "related_to", second],
        ["graph", first],
        ["unlink", first, second],
        ["forget", second, "--dry-run"],
        ["stats"],
        ["status"],
        ["doctor"],
        ["backup", "b.tar"],
        ["restore-backup", "b.tar", "--dry-run"],
        ["config", "show"],
        ["config", "get", "recall.limit"],
        ["config", "set", "recall.limit", "5"],
        ["config", "path"],
        ["man", "save"],
        ["completion", "fish"],
    ]
    for words in lines:
        document = call_memctl(*words, "--json", status=None).json
        part = part_of(words[0])
        documented = set(re.findall(r"\w+", part)) | {"schema_version"}
        unknown = sorted(set(keys_in(document)) - documented)
        assert not unknown, f"docs/json.md does not say what {unknown} of {words[0]} are"
