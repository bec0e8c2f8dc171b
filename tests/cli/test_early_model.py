"""The embedding model is loaded beside the libraries of the store, not after them."""

from __future__ import annotations

import subprocess
import sys

import pytest

from memctl.ingestion.ahead import MANY_FILES

PROGRAM = """\
import sys
from memctl import embedding
from memctl.cli.main import main
from memctl.cli.session import Streams

def refuse(*_arguments, **_options):
    print("begun", "sqlalchemy" in sys.modules, file=sys.stderr)
    raise OSError

embedding.EmbeddingProcess = refuse
sys.exit(main(sys.argv[1:], Streams.of_process()))
"""


@pytest.fixture
def begun(memctl_environment, tmp_path):
    """Runs memctl and gives, for each attempt to start the process, whether SQLAlchemy was loaded
    before; the model then runs without one."""

    def run(*arguments: str) -> list[str]:
        result = subprocess.run(
            [sys.executable, "-c", PROGRAM, *arguments],
            cwd=tmp_path,
            env=memctl_environment,
            capture_output=True,
            text=True,
            check=True,
        )
        return [line.split()[1] for line in result.stderr.splitlines() if line.startswith("begun ")]

    return run


@pytest.fixture
def write(tmp_path):
    def write(count: int, suffix: str = "") -> None:
        folder = tmp_path / "notes"
        folder.mkdir(exist_ok=True)
        for number in range(count):
            text = f"- Ada owns shed {number}.\n" if number == 0 else "...\n"
            (folder / f"note-{number}{suffix}.md").write_text(text)

    return write


def test_many_new_files_have_the_model_started_first(begun, write):
    """A second run over the same files starts none, and one over others does so again."""
    write(MANY_FILES)
    assert begun("ingest", "notes")[:1] == ["False"]
    assert begun("ingest", "notes") == []
    write(MANY_FILES, "-more")
    assert begun("ingest", "notes")[:1] == ["False"]


def test_a_few_new_files_or_a_look_ahead_start_none(begun, write):
    """There the model has little to do, or nothing is embedded at all."""
    write(MANY_FILES - 1)
    assert begun("ingest", "notes") == []
    write(MANY_FILES, "-more")
    assert begun("ingest", "notes", "--dry-run") == []
