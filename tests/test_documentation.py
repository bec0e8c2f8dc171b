"""The documentation is true: commands, dependencies, links, generated files."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from memctl.cli.root_help import COMMANDS
from memctl.errors import ExitCode

REPOSITORY = Path(__file__).resolve().parents[1]
PAGES = [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").glob("*.md"))]
README = (REPOSITORY / "README.md").read_text(encoding="utf-8")


def _line_after(marker: str) -> str:
    """The first line of the fenced block that follows the marker."""
    found = re.search(rf"<!-- {marker} -->\n```sh\n(.+)\n```\n", README)
    assert found is not None, f"the README has no block of one line after {marker}"
    return found[1]


def test_the_first_line_of_the_readme_keeps_away_from_the_users_own_store() -> None:
    line = _line_after("try-line")
    assert 'MEMCTL_STORE="$PWD/.venv/' in line
    assert line.index("MEMCTL_STORE") < line.index("memctl ingest sample_data")


def test_the_second_line_of_the_readme_installs_the_test_extra_and_runs_all_tests() -> None:
    line = _line_after("test-line")
    assert "'.[test]'" in line
    assert line.endswith(".venv/bin/pytest")


def test_every_dependency_has_a_row_with_its_licence() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = {re.match(r"[\w.-]+", entry)[0] for entry in project["dependencies"]}  # type: ignore[index]
    rows = re.findall(
        r"^\| \[([\w.-]+)\]\(https://\S+\) \| [^|]+ \| [^|]*\w[^|]* \|$", README, re.MULTILINE
    )
    assert set(rows) == wanted
    assert len(rows) == len(wanted)


def test_every_command_is_shown_in_the_readme() -> None:
    missing = [name for name in COMMANDS if not re.search(rf"\bmemctl {name}\b", README)]
    assert not missing


def test_every_exit_status_is_in_the_readme() -> None:
    cells = re.findall(r"^\| ([\d, ]+) \|", README, re.MULTILINE)
    numbers = {int(number) for cell in cells for number in cell.split(",")}
    assert numbers == {int(code) for code in ExitCode}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files_that_exist(page: Path) -> None:
    targets = re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8"))
    missing = [target for target in targets if not (page.parent / target).exists()]
    assert not missing


def test_the_sample_pdf_is_what_its_script_writes() -> None:
    script = REPOSITORY / "docs" / "handbook_pdf.py"
    check = subprocess.run(
        [sys.executable, script, "--check"], capture_output=True, text=True, check=False
    )
    assert check.returncode == 0, check.stderr
