"""What a user's paths stand for, and whether that is worth a process for the embedding model."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from memctl.config import DATABASE_NAME, Settings, StoreSettings
from memctl.found_files import find_files, has_many_new
from memctl.ingestion.ahead import MANY_FILES
from memctl.ingestion.discovery import Found


@pytest.fixture
def settings(store_path: Path) -> Settings:
    return Settings(store=StoreSettings(path=store_path))


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """As many files as it takes to be many."""
    folder = tmp_path / "notes"
    folder.mkdir()
    for number in range(MANY_FILES):
        (folder / f"note-{number}.txt").write_text("...")
    return folder


def found_in(settings: Settings, folder: Path) -> list[Found]:
    return find_files(settings, [folder], warn=print)


def test_all_files_are_new_to_a_store_that_is_not_there(settings, notes):
    """The look at the store makes none; one file less is not many."""
    assert has_many_new(settings, found_in(settings, notes))
    (notes / "note-0.txt").unlink()
    assert not has_many_new(settings, found_in(settings, notes))
    assert not settings.store.path.exists()


def test_files_that_are_not_read_are_not_counted(settings, notes):
    """A file that is ignored by its name says nothing about how much there is to do."""
    (notes / "note-0.txt").rename(notes / "note-0.txt~")
    assert len(found_in(settings, notes)) == MANY_FILES
    assert not has_many_new(settings, found_in(settings, notes))


def test_files_that_the_ledger_has_are_not_new(settings, notes, call_memctl):
    """Whatever has become of them; others count, as if they were alone."""
    call_memctl("ingest", notes / "note-0.txt")
    assert not has_many_new(settings, found_in(settings, notes))
    (notes / "another.txt").write_text("...")
    assert has_many_new(settings, found_in(settings, notes))


def test_a_store_that_has_to_be_opened_first_is_not_asked(settings, notes, call_memctl):
    """One of an older version, one that is no database, and one that another URL leads to."""
    call_memctl("ingest", notes / "note-0.txt")
    found = found_in(settings, notes)[1:] * 2
    database = settings.store.path / DATABASE_NAME
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE meta SET value = '1' WHERE key = 'schema_version'")
    connection.close()
    assert not has_many_new(settings, found)
    database.write_bytes(b"no database")
    assert not has_many_new(settings, found)
    elsewhere = StoreSettings(path=settings.store.path, database_url="postgresql://there")
    assert not has_many_new(Settings(store=elsewhere), found)
