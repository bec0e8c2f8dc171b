"""Moving a file of the drop folder happens with all that belongs to it, or not at all."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import pytest

from memctl.config import Settings, StoreSettings
from memctl.document import Document, DocumentStatus
from memctl.errors import FullDiskError, WatchError
from memctl.ingestion import drop_folder
from memctl.ingestion.discovery import discover, signature_of
from memctl.ingestion.drop_folder import DropFolder
from memctl.ingestion.own_folder import OwnFolder
from memctl.ingestion.receipt import DocumentReceipt
from memctl.ingestion.watched import WatchedFolders, resolve_folders
from memctl.ingestion.writers import Writers
from memctl.runtime import Runtime

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
LONGEST_NAMES = ("a" * 251 + ".txt", "é" * 125 + "e.txt", "\U0001f600" * 62 + "abc.txt")
"""Names of 255 bytes, the most that a file system takes."""


@pytest.fixture
def runtime(store_path: Path) -> Iterator[Runtime]:
    settings = Settings(store=StoreSettings(path=store_path))
    runtime = Runtime(settings, warn=lambda _: None, command="memctl test")
    yield runtime
    runtime.close()


@pytest.fixture
def drop(runtime: Runtime, tmp_path: Path) -> DropFolder:
    folder = tmp_path / "drop"
    folder.mkdir()
    return DropFolder(folder, store=runtime.store, graph=runtime.graph, clock=lambda: NOW)


def dropped(
    runtime: Runtime, drop: DropFolder, name: str, status: DocumentStatus
) -> DocumentReceipt:
    """The receipt of a file in the drop folder that the ledger knows."""
    path = drop.folder / name
    path.write_text(f"The anchor of {datetime.now(tz=UTC)} weighs 30 kg.\n")
    document = Document(
        id=str(uuid4()),
        path=str(path),
        content_hash=str(uuid4()),
        size_bytes=path.stat().st_size,
        modified_at=NOW,
        status=status,
        created_at=NOW,
        updated_at=NOW,
    )
    with runtime.store.operation("ingest", {}) as operation:
        operation.record_document(document)
    return DocumentReceipt(path=str(path), status=status, signature=signature_of(path.lstat()))


def files_below(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if not path.is_dir())


def paths_in_ledger(runtime: Runtime) -> set[str]:
    return {document.path for document in runtime.graph.documents()}


@pytest.mark.parametrize("name", LONGEST_NAMES, ids=["ascii", "two bytes", "four bytes"])
@pytest.mark.parametrize("status", [DocumentStatus.DONE, DocumentStatus.UNREADABLE])
def test_files_with_the_longest_names_move_again_and_again_each_with_its_note(
    runtime, drop, name, status
):
    is_failed = status is not DocumentStatus.DONE
    moved = {drop.settle(dropped(runtime, drop, name, status)) for _ in range(3)}
    assert len(moved) == 3
    assert all(target.stat().st_size for target in moved)
    notes = set(files_below(drop.folder)) - moved
    assert len(notes) == (3 if is_failed else 0)


@pytest.mark.parametrize("name", LONGEST_NAMES, ids=["ascii", "two bytes", "four bytes"])
def test_the_note_about_a_file_with_the_longest_name_is_no_document(runtime, drop, name):
    target = drop.settle(dropped(runtime, drop, name, DocumentStatus.UNREADABLE))
    taken = [one.path for one in discover([drop.folder]) if one.status is DocumentStatus.PENDING]
    assert taken == [target]


@pytest.mark.parametrize("name", LONGEST_NAMES, ids=["ascii", "two bytes", "four bytes"])
def test_whether_a_file_with_the_longest_name_is_written_can_be_asked(drop, name):
    path = drop.folder / name
    path.write_text("The anchor weighs 30 kg.\n")
    identity = path.stat().st_dev, path.stat().st_ino
    assert not Writers().are_at(path, identity, 0.0)


@pytest.mark.parametrize("status", [DocumentStatus.DONE, DocumentStatus.UNREADABLE])
def test_a_file_that_the_system_does_not_let_go_leaves_nothing_in_the_archive(
    runtime, drop, status, monkeypatch
):
    """Somebody else's file in a shared folder, or an archive on another disk: it is tried anew at
    every look."""
    receipt = dropped(runtime, drop, "note.md", status)

    def refuse(_source, _target):
        raise OSError(errno.EXDEV, "Invalid cross-device link")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", refuse)
        for _ in range(3):
            with pytest.raises(OSError, match="cross-device"):
                drop.settle(receipt)
    assert files_below(drop.folder) == [Path(receipt.path)]
    assert drop.settle(receipt) is not None


def test_a_file_whose_note_cannot_be_written_stays(runtime, drop, monkeypatch):
    """A full disk takes the empty note and not its words."""
    receipt = dropped(runtime, drop, "note.pdf", DocumentStatus.UNREADABLE)
    real = Path.write_text

    def write_half(path, text, **options):
        real(path, text[:10], **options)
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_text", write_half)
        with pytest.raises(OSError, match="No space"):
            drop.settle(receipt)
    assert files_below(drop.folder) == [Path(receipt.path)]
    target = drop.settle(receipt)
    assert "unreadable" in target.with_name("note.pdf.error.txt").read_text()


@pytest.mark.parametrize("status", [DocumentStatus.DONE, DocumentStatus.UNREADABLE])
@pytest.mark.parametrize("is_replaced", [False, True])
def test_a_file_goes_back_where_the_ledger_cannot_follow_it(
    runtime, drop, status, is_replaced, monkeypatch
):
    """Else the next file of its name would be taken for a new version of it. One that came
    meanwhile keeps its place."""
    receipt = dropped(runtime, drop, "note.md", status)
    text = Path(receipt.path).read_text()

    def refuse(*_):
        if is_replaced:
            Path(receipt.path).write_text("Another one.\n")
        raise FullDiskError(path=drop.folder)

    with monkeypatch.context() as patch:
        patch.setattr(drop, "_follow", refuse)
        with pytest.raises(FullDiskError):
            drop.settle(receipt)
    back = drop.folder / ("note-2.md" if is_replaced else "note.md")
    assert back.read_text() == text
    assert not files_below(drop.folder / "processed") + files_below(drop.folder / "failed")
    assert paths_in_ledger(runtime) == {receipt.path}
    if not is_replaced:
        assert paths_in_ledger(runtime) == {receipt.path}
        assert {str(drop.settle(receipt))} == paths_in_ledger(runtime)


def test_a_folder_that_may_not_be_looked_into_is_told_and_stops_nothing(runtime, drop, monkeypatch):
    """Whatever lies in it may be there still, so that no move is made good for it."""
    closed = drop.folder / "closed"
    closed.mkdir()
    receipt = dropped(runtime, drop, "closed/note.md", DocumentStatus.DONE)
    watched = WatchedFolders(
        [drop.folder],
        graph=runtime.graph,
        drop_folder=drop,
        own_folder=OwnFolder(Path("/none"), drop.folder),
        max_bytes=1_000,
    )
    real_scan, real_lstat, real_stat = drop_folder.os.scandir, Path.lstat, Path.stat

    def refusing(real):
        def call(path, **options):
            if (Path(path) == closed and real is real_scan) or closed in Path(path).parents:
                raise PermissionError(errno.EACCES, "Permission denied")
            return real(path, **options)

        return call

    monkeypatch.setattr(drop_folder.os, "scandir", refusing(real_scan))
    monkeypatch.setattr(Path, "lstat", refusing(real_lstat))
    monkeypatch.setattr(Path, "stat", refusing(real_stat))
    assert drop.repair() == 0
    assert watched.survey(NOW).missing == ((closed, "permission denied"),)
    assert paths_in_ledger(runtime) == {receipt.path}
    with pytest.raises(WatchError, match="permission denied"):
        resolve_folders([closed / "inner"])


@pytest.mark.parametrize("status", list(drop_folder._ADVICE))
def test_a_note_advises_what_can_change_the_end(runtime, drop, status):
    """Only of a file that was given up may the same bytes do better."""
    target = drop.settle(dropped(runtime, drop, "note.md", status))
    note = target.with_name("note.md.error.txt").read_text()
    assert ("put it back" in note) == (status is DocumentStatus.QUARANTINED)
    assert note.endswith(".\n") or "`" in note.splitlines()[-1]


@pytest.mark.parametrize("place", ["note.md", "sub/note.md", "other/note.md"])
def test_the_note_goes_wherever_its_file_is_dropped_again(runtime, drop, place):
    """Put back into its folder, into another one, or at the top."""
    for folder in ("sub", "other"):
        (drop.folder / folder).mkdir()
    target = drop.settle(dropped(runtime, drop, "sub/note.md", DocumentStatus.UNREADABLE))
    target.rename(drop.folder / place)
    drop.settle(dropped(runtime, drop, place, DocumentStatus.DONE))
    assert [path.name for path in files_below(drop.folder)] == ["note.md"]


def test_a_file_that_fails_again_has_one_note(runtime, drop):
    """The one about its last try."""
    target = drop.settle(dropped(runtime, drop, "note.md", DocumentStatus.UNREADABLE))
    target.rename(drop.folder / "note.md")
    target = drop.settle(dropped(runtime, drop, "note.md", DocumentStatus.ENCRYPTED))
    assert [path.name for path in files_below(drop.folder)] == ["note.md", "note.md.error.txt"]
    assert "encrypted" in target.with_name("note.md.error.txt").read_text()


def test_a_folder_that_the_daemon_emptied_goes_after_a_while(runtime, drop):
    """With those around it that hold nothing else; one in which something lies stays, and one that
    was empty from the beginning."""
    now = [NOW]
    drop = DropFolder(drop.folder, store=runtime.store, graph=runtime.graph, clock=lambda: now[0])
    for folder in ("a/b", "kept", "empty"):
        (drop.folder / folder).mkdir(parents=True)
    (drop.folder / "kept" / ".hidden").touch()
    for name in ("a/b/one.md", "kept/two.md"):
        drop.settle(dropped(runtime, drop, name, DocumentStatus.DONE))
    drop.remove_emptied()
    assert (drop.folder / "a" / "b").is_dir()
    now[0] += timedelta(seconds=drop_folder.EMPTIED_PAUSE_SECONDS)
    drop.remove_emptied()
    assert sorted(path.name for path in drop.folder.iterdir()) == ["empty", "kept", "processed"]
