"""A person's folder with everything that the examples of the help name, and a store to match."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from command_runner import RunMemctl
from furnished_folder import FILES, FIRST, ROWS, SAMPLE_PDF, THIRD


@dataclass(frozen=True, slots=True)
class Furnished:
    """The folder in which commands run, the home folder in it, and how to run one there."""

    folder: Path
    home: Path
    call: RunMemctl


@pytest.fixture
def furnished(
    call_memctl: RunMemctl, memctl_environment: dict[str, str], tmp_path: Path
) -> Furnished:
    """Files, three memories of known ids, one of them forgotten, and a dozen operations."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    shutil.copy(SAMPLE_PDF, tmp_path / "report.pdf")
    home = tmp_path / "home"
    for folder in ("backups", ".config/fish/completions"):
        (home / folder).mkdir(parents=True)
    (home / ".local/share/bash-completion/completions").mkdir(parents=True)
    shutil.make_archive(
        str(tmp_path / "2026-03-09-openclaw-backup"), "gztar", root_dir=home, base_dir=".openclaw"
    )
    rows = [{"created_at": "2026-03-04T10:00:00Z", **row} for row in ROWS]
    (tmp_path / "memories.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n")
    memctl_environment["HOME"] = str(home)
    call_memctl("import", "memories.jsonl")
    call_memctl("forget", THIRD)
    for number in range(11):
        call_memctl("edit", FIRST, "--importance", f"0.{60 + number}")
    return Furnished(tmp_path, home, call_memctl)
