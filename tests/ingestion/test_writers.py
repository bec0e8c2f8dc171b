"""Files that somebody is still writing are told from others."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from memctl.ingestion import writers
from memctl.ingestion.writers import KNOWN_SECONDS, Identity, Writers


def _identity(path: Path) -> Identity:
    status = path.stat()
    return status.st_dev, status.st_ino


@pytest.mark.skipif(sys.platform != "linux", reason="other systems show no open files")
def test_a_file_is_being_written_while_it_is_open_for_writing(tmp_path: Path) -> None:
    """Readers do not count; what one look has found holds for a moment."""
    path = tmp_path / "note.md"
    path.touch()
    found = Writers()
    with path.open("r"):
        assert not found.are_at(path, _identity(path), 0.0)
    with path.open("a"):
        assert not found.are_at(path, _identity(path), KNOWN_SECONDS)
        assert found.are_at(path, _identity(path), 2 * KNOWN_SECONDS + 0.1)
    assert not found.are_at(path, _identity(path), 9.0)


def test_a_file_is_being_written_while_a_download_of_its_name_goes_on(tmp_path: Path) -> None:
    """Browsers make the file first, without a byte, and put the download in its place."""
    path = tmp_path / "note.md"
    path.touch()
    partial = tmp_path / "note.md.part"
    partial.touch()

    assert Writers().are_at(path, _identity(path), 0.0)
    partial.unlink()
    assert not Writers().are_at(path, _identity(path), 0.0)


def test_nothing_is_known_where_the_system_shows_no_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then only the rest of a file tells that it is whole."""
    monkeypatch.setattr(writers, "PROCESSES", tmp_path / "nowhere")
    path = tmp_path / "note.md"
    with path.open("w"):
        assert not Writers().are_at(path, _identity(path), 0.0)
