"""Backups: whole or refused, consistent while others write, and replaced in one step."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import pickle
import random
import shutil
import sqlite3
import tarfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from file_index import FileIndex
from harness import Harness, ingest

from memctl.backup.archive import read_archive
from memctl.backup.making import MadeBackup, make_backup
from memctl.backup.restoring import Restoration, RestoreStep
from memctl.errors import BackupError, SearchIndexError, StoreAtWorkError
from memctl.ingestion.heartbeat import HEARTBEAT_FACT
from memctl.memory import EntryKind, RelationType
from memctl.store.database import Database

FLIPPED_BYTES = 40


@pytest.fixture
def harness(tmp_path: Path) -> Iterator[Harness]:
    opened = Harness(tmp_path / "memory")
    fill(opened)
    yield opened
    opened.close()


def fill(harness: Harness) -> None:
    first, second = harness.save("kept", key="k", tags=("a", "b")), harness.save("other")
    with harness.store.operation("link") as operation:
        operation.associate([(first.id, second.id, RelationType.CAUSED_BY, 0.5)])
    harness.forget(harness.save("hidden").id)
    ingest(harness, "/notes/a.md", ["alpha one\nalpha two", "beta one"])
    harness.drain()
    harness.save("not drained yet")


def change(harness: Harness) -> None:
    """What happens after the backup."""
    for memory in harness.graph.list_memories():
        if memory.content == "kept":
            harness.edit(memory.id, content="edited")
    harness.save("later")
    harness.drain()


def rows(harness: Harness) -> dict[str, list[Any]]:
    return rows_of(harness.folder / "truth" / "memory.db")


def rows_of(path: Path) -> dict[str, list[Any]]:
    """All rows of all tables."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        return {
            name: sorted(connection.execute(f'SELECT * FROM "{name}"').fetchall(), key=repr)
            for (name,) in tables.fetchall()
        }


def backed_up(harness: Harness) -> Path:
    target = harness.folder / "backup.tar"
    make(harness, target)
    return target


def make(harness: Harness, target: Path) -> MadeBackup:
    return make_backup(
        harness.database, harness.folder / "index", target, find_index_error=find_unreadable
    )


def find_unreadable(folder: Path, _database: Database) -> SearchIndexError | None:
    """What is wrong with an index of pickled rows."""
    index = FileIndex(folder)
    try:
        for kind in EntryKind:
            index.ids(kind)
    except pickle.UnpicklingError:
        return SearchIndexError(path=folder, why="files of it are damaged")
    return None


def restoration(harness: Harness, **options: Any) -> Restoration:
    return Restoration(
        database_path=harness.folder / "truth" / "memory.db",
        index_folder=harness.folder / "index",
        wait_seconds=0.2,
        clock=harness.clock,
        find_index_error=find_unreadable,
        **options,
    )


def test_a_restored_store_knows_nothing_of_who_watched_folders_then(harness: Harness) -> None:
    """That process is another one's by now, or none."""
    harness.store.write_facts({HEARTBEAT_FACT: "{}", "another": "fact"})
    backup = backed_up(harness)
    restoration(harness).run(backup)
    assert HEARTBEAT_FACT not in harness.graph.facts()
    assert harness.graph.facts()["another"] == "fact"


def settle(harness: Harness) -> None:
    """What `memctl restore-backup` and every next command do."""
    harness.reopen()
    harness.store.queue_differences()
    harness.drain()
    harness.check_agreement()


def test_a_restored_store_is_the_one_that_was_backed_up(harness: Harness) -> None:
    before = rows(harness)
    target = backed_up(harness)
    change(harness)
    changed = rows(harness)
    report = restoration(harness).run(target)
    assert rows(harness) == before
    assert report.backup.manifest.counts["memories"] == len(harness.visible_ids())
    settle(harness)
    assert report.kept_at is not None
    assert rows_of(report.kept_at / "memctl.db") == changed
    assert (report.kept_at / "index").is_dir()


def damage_index(folder: Path) -> None:
    for path in folder.iterdir():
        path.write_bytes(b"no rows")


def test_a_damaged_index_is_left_out_of_the_backup(harness: Harness) -> None:
    """What it holds stands in the database, from which the restored store builds it again."""
    before = rows(harness)
    damage_index(harness.folder / "index")
    target = harness.folder / "backup.tar"
    made = make(harness, target)
    assert isinstance(made.index_error, SearchIndexError)
    assert not made.manifest.has_index
    restoration(harness).run(target)
    assert rows(harness) == before
    settle(harness)


def test_a_damaged_index_inside_a_backup_does_not_stop_the_restoring(harness: Harness) -> None:
    """Earlier releases put damaged indexes into backups; only the index is lost."""
    before = rows(harness)
    damage_index(harness.folder / "index")
    target = harness.folder / "backup.tar"
    make_backup(
        harness.database,
        harness.folder / "index",
        target,
        find_index_error=lambda _folder, _database: None,
    )
    assert restoration(harness).verify(target).index_error is not None
    assert restoration(harness).run(target).backup.index_error is not None
    assert rows(harness) == before
    settle(harness)


def test_rows_that_hang_in_the_air_are_backed_up_and_restored(harness: Harness) -> None:
    """A store with a link to nothing is still a store; the verification counts such rows."""
    with contextlib.closing(sqlite3.connect(harness.folder / "truth" / "memory.db")) as connection:
        connection.execute("DELETE FROM memories WHERE content = 'other'")
        connection.commit()
    before = rows(harness)
    target = backed_up(harness)
    assert restoration(harness).verify(target).dangling_count > 0
    restoration(harness).run(target)
    assert rows(harness) == before


def test_only_the_owner_can_read_a_backup_and_what_was_replaced(harness: Harness) -> None:
    target = backed_up(harness)
    assert target.stat().st_mode & 0o777 == 0o600
    kept_at = restoration(harness).run(target).kept_at
    assert kept_at is not None
    assert kept_at.stat().st_mode & 0o777 == 0o700
    assert (kept_at / "memctl.db").stat().st_mode & 0o777 == 0o600


def test_nothing_else_is_left_behind(harness: Harness) -> None:
    target = backed_up(harness)
    kept_at = restoration(harness).run(target).kept_at
    names = {path.name for path in harness.folder.iterdir()}
    assert names == {"backup.tar", "index", "truth"}
    truth = {path.name for path in (harness.folder / "truth").iterdir()}
    assert not {name for name in truth if name.startswith(".")}
    assert kept_at is not None
    assert kept_at.name in truth


def test_no_changed_byte_passes(harness: Harness) -> None:
    target = backed_up(harness)
    before = rows(harness)
    whole = target.read_bytes()
    manifest = read_archive(target, None)
    positions = random.Random(7).sample(range(len(whole)), FLIPPED_BYTES)
    for position in positions:
        target.write_bytes(whole[:position] + bytes([whole[position] ^ 1]) + whole[position + 1 :])
        try:
            # Bytes between the members and at the end carry nothing.
            assert read_archive(target, None) == manifest
        except BackupError:
            with pytest.raises(BackupError):
                restoration(harness).run(target)
    assert rows(harness) == before


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9])
def test_a_backup_that_was_cut_short_is_refused(harness: Harness, share: float) -> None:
    target = backed_up(harness)
    whole = target.read_bytes()
    target.write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(BackupError):
        restoration(harness).run(target)


@pytest.mark.parametrize("name", ["../evil", "/tmp/evil", "index/../../evil", "other", "index"])
def test_members_that_have_no_place_in_a_backup_are_refused(harness: Harness, name: str) -> None:
    target = harness.folder / "hostile.tar"
    with tarfile.open(target, "w") as archive:
        member = tarfile.TarInfo(name)
        member.size = 4
        archive.addfile(member, io.BytesIO(b"evil"))
    with pytest.raises(BackupError, match="no place in a backup"):
        restoration(harness).run(target)
    assert not list(harness.folder.rglob("evil"))


def test_a_link_in_a_backup_is_refused(harness: Harness) -> None:
    target = harness.folder / "hostile.tar"
    with tarfile.open(target, "w") as archive:
        member = tarfile.TarInfo("memctl.db")
        member.type, member.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(member)
    with pytest.raises(BackupError, match="is no file"):
        restoration(harness).run(target)


def write_foreign(target: Path, parts: dict[str, object], *, without: str | None = None) -> None:
    """Writes an archive of a file that is no database of memctl's, with a manifest that fits but
    for ``parts`` and the part ``without``."""
    data = b"SQLite format 3\0" + bytes(4080)
    facts = {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    manifest: dict[str, object] = {
        "format": "memctl backup",
        "version": 1,
        "memctl_version": "1",
        "created_at": "now",
        "schema_version": 1,
        "embedding_model": None,
        "counts": {},
        "files": {"memctl.db": facts},
        **parts,
    }
    if without is not None:
        del manifest[without]
    with tarfile.open(target, "w") as archive:
        for name, content in (
            ("memctl.db", data),
            ("manifest.json", json.dumps(manifest).encode()),
        ):
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))


def test_another_database_with_a_fitting_manifest_is_refused(harness: Harness) -> None:
    """Checksums prove that nothing was damaged on the way, not that it is a store of memctl's."""
    target = harness.folder / "foreign.tar"
    write_foreign(target, {})
    with pytest.raises(BackupError, match="its database"):
        restoration(harness).run(target)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("counts", None),
        ("counts", {"memories": "many"}),
        ("files", []),
        ("files", {"memctl.db": {"bytes": 1}}),
        ("files", {"memctl.db": None}),
        ("schema_version", "first"),
    ],
)
def test_a_garbled_part_of_a_manifest_is_named(tmp_path: Path, name: str, value: object) -> None:
    """A manifest that holds something else than memctl writes is refused by the part's name."""
    target = tmp_path / "garbled.tar"
    write_foreign(target, {name: value})
    with pytest.raises(BackupError, match=f"its manifest garbles {name}$"):
        read_archive(target, None)


def test_a_missing_part_of_a_manifest_is_named(tmp_path: Path) -> None:
    """A manifest without one of its parts is refused by the part's name."""
    target = tmp_path / "lacking.tar"
    write_foreign(target, {}, without="counts")
    with pytest.raises(BackupError, match=r"its manifest lacks counts$"):
        read_archive(target, None)


class StoppedError(BaseException):
    """The process ends here."""


@pytest.mark.slow
@pytest.mark.parametrize("stop_at", list(RestoreStep))
def test_a_restoring_that_stops_leaves_the_old_store_or_the_new_one(
    harness: Harness, stop_at: RestoreStep
) -> None:
    before = rows(harness)
    target = backed_up(harness)
    change(harness)
    changed = rows(harness)

    def stop(step: RestoreStep) -> None:
        if step is stop_at:
            raise StoppedError

    with pytest.raises(StoppedError):
        restoration(harness, checkpoint=stop).run(target)
    replaced = stop_at in {RestoreStep.DATABASE_REPLACED, RestoreStep.INDEX_REPLACED}
    assert rows(harness) == (before if replaced else changed)
    settle(harness)
    restoration(harness).run(target)
    assert rows(harness) == before
    settle(harness)


@pytest.mark.parametrize("stop_at", [None, *RestoreStep])
def test_a_damaged_store_is_exchanged_and_kept(
    harness: Harness, stop_at: RestoreStep | None
) -> None:
    before = rows(harness)
    target = backed_up(harness)
    harness.close()
    path = harness.folder / "truth" / "memory.db"
    damaged = b"no database" * 999
    path.write_bytes(damaged)

    def stop(step: RestoreStep) -> None:
        if step is stop_at:
            raise StoppedError

    if stop_at is not None:
        with pytest.raises(StoppedError):
            restoration(harness, checkpoint=stop).run(target)
    report = restoration(harness).run(target)
    assert rows(harness) == before
    kept = [folder / "memctl.db" for folder in path.parent.glob("replaced-*")]
    assert damaged in [file.read_bytes() for file in kept if file.exists()]
    assert report.backup.manifest.has_index
    settle(harness)


def test_a_link_to_nowhere_in_the_place_of_the_index_is_kept_aside(harness: Harness) -> None:
    """Whatever lies there is out of the way before anything is replaced."""
    before = rows(harness)
    target = backed_up(harness)
    shutil.rmtree(harness.folder / "index")
    (harness.folder / "index").symlink_to(harness.folder / "nowhere")
    kept_at = restoration(harness).run(target).kept_at
    assert kept_at is not None
    assert (kept_at / "index").is_symlink()
    assert rows(harness) == before
    settle(harness)


def test_a_store_that_is_not_there_is_made(harness: Harness) -> None:
    before = rows(harness)
    target = backed_up(harness)
    harness.close()
    shutil.rmtree(harness.folder / "truth")
    shutil.rmtree(harness.folder / "index")
    assert restoration(harness).run(target).kept_at is None
    assert rows(harness) == before
    settle(harness)


def test_a_bad_backup_makes_no_store(harness: Harness) -> None:
    target = backed_up(harness)
    target.write_bytes(b"nothing")
    harness.close()
    shutil.rmtree(harness.folder / "truth")
    with pytest.raises(BackupError):
        restoration(harness).run(target)
    assert not (harness.folder / "truth").exists()


def test_nothing_is_replaced_below_a_process_that_holds_a_lock(harness: Harness) -> None:
    target = backed_up(harness)
    with harness.database.exclusive("daemon"), pytest.raises(StoreAtWorkError) as refused:
        restoration(harness).run(target)
    assert "stop it first" in str(refused.value.hint)


@pytest.mark.slow
def test_a_backup_is_consistent_while_others_write(harness: Harness) -> None:
    done = threading.Event()

    def write() -> None:
        number = 0
        while not done.is_set():
            number += 1
            saved = harness.save(f"statement {number}")
            if number % 3 == 0:
                harness.drain()
            if number % 5 == 0:
                harness.forget(saved.id)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        targets = []
        for number in range(4):
            target = harness.folder / f"{number}.tar"
            make(harness, target)
            targets.append(target)
    finally:
        done.set()
        writer.join()
    for target in targets:
        restoration(harness).run(target)
        harness.reopen()
        harness.drain()
        harness.check_agreement()
