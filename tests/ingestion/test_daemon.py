"""The watching process takes in what comes to rest, once, and moves only what it may move.

It runs in a thread here, with a real store; the pauses after which a file counts as whole are
shortened.
"""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from fakes.openai_server import OpenAiServer, failure, memories

from memctl.config import IngestSettings, LlmSettings, Settings, StoreSettings
from memctl.document import DocumentStatus
from memctl.errors import AlreadyWatchingError, FullDiskError, WatchError
from memctl.file_runtime import FileRuntime
from memctl.ingestion import daemon, pulse, stability
from memctl.ingestion.daemon import Daemon
from memctl.ingestion.drop_folder import DropFolder
from memctl.ingestion.heartbeat import Heartbeat, read_heartbeat
from memctl.ingestion.intake import Intake
from memctl.ingestion.options import IngestOptions
from memctl.ingestion.watcher import FolderWatcher
from memctl.runtime import Runtime

PATIENCE_SECONDS = 150.0
"""Longest wait for something to happen, on a busy machine."""


class Watching:
    """A daemon in a thread, what it said, and the store that it fills."""

    def __init__(
        self,
        store: Path,
        drop: Path,
        folders: tuple[Path, ...],
        llm: LlmSettings | None = None,
        **ingest: float,
    ) -> None:
        settings = Settings(
            store=StoreSettings(path=store),
            ingest=IngestSettings(drop_folder=drop, **ingest),
            llm=llm or LlmSettings(),
        )
        self.warnings: list[str] = []
        self.events: list[tuple[str, dict[str, object]]] = []
        self.receipts: list[tuple[str, DocumentStatus, Path | None]] = []
        self.runtime = Runtime(settings, warn=self.warnings.append, command="memctl test")
        self.files = FileRuntime(self.runtime)
        self.daemon = self.files.daemon(
            folders, IngestOptions(), log=self._log, finished=self._finished
        )
        self.thread = threading.Thread(target=self.daemon.run, daemon=True)

    def _log(self, event: str, *, level: str = "info", **details: object) -> None:
        self.events.append((event, {"level": level, **details}))

    def _finished(self, receipt: Any, target: Path | None) -> None:
        self.receipts.append((Path(receipt.path).name, receipt.status, target))

    def contents(self) -> list[str]:
        return sorted(memory.content for memory in self.runtime.graph.list_memories(limit=1_000))

    def said(self, event: str) -> list[dict[str, object]]:
        return [details for name, details in self.events if name == event]


def wait_for(condition: Callable[[], Any]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)


@pytest.fixture
def drop(tmp_path: Path) -> Path:
    folder = tmp_path / "drop"
    folder.mkdir()
    return folder


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    return folder


@pytest.fixture
def watching(store_path, drop, monkeypatch) -> Iterator[Callable[..., Any]]:
    """Starts a daemon on these folders (none: the drop folder); it is stopped at the end."""
    monkeypatch.setattr(stability, "SETTLE_SECONDS", 0.4)
    monkeypatch.setattr(stability, "CLOSED_SETTLE_SECONDS", 0.2)
    monkeypatch.setattr(stability, "EMPTY_SETTLE_SECONDS", 600.0)
    monkeypatch.setattr(stability, "CLOSED_EMPTY_SETTLE_SECONDS", 0.4)
    monkeypatch.setattr(stability, "RETURNED_SETTLE_SECONDS", 1.0)

    @contextmanager
    def start(*folders: Path, **options: Any) -> Iterator[Watching]:
        one = Watching(store_path, drop, folders, **options)
        one.thread.start()
        wait_for(lambda: one.said("watching"))
        try:
            yield one
        finally:
            one.daemon.stop()
            one.thread.join(PATIENCE_SECONDS)
            assert not one.thread.is_alive()
            one.runtime.close()

    with ExitStack() as stack:
        yield lambda *folders, **options: stack.enter_context(start(*folders, **options))


@pytest.mark.slow
def test_a_file_that_is_copied_slowly_is_taken_once_and_whole(watching, notes):
    one = watching(notes)
    with (notes / "slow.md").open("w") as stream:
        for number in range(5):
            stream.write(f"- The shelf number {number} holds {number + 3} jars of plums.\n")
            stream.flush()
            time.sleep(0.2)
    wait_for(lambda: one.receipts)
    assert one.receipts == [("slow.md", DocumentStatus.DONE, None)]
    assert len(one.contents()) == 5


@pytest.mark.slow
def test_files_from_before_moved_in_and_in_new_folders_are_all_found(watching, notes, tmp_path):
    (notes / "early.md").write_text("The early kettle is made of copper.\n")
    one = watching(notes)
    (tmp_path / "aside.md").write_text("The moved kettle is made of steel.\n")
    (tmp_path / "aside.md").rename(notes / "moved.md")
    deep = tmp_path / "tree" / "inner"
    deep.mkdir(parents=True)
    (deep / "deep.md").write_text("The deep kettle is made of brass.\n")
    (tmp_path / "tree").rename(notes / "tree")
    wait_for(lambda: len(one.receipts) == 3)
    assert {name for name, _, _ in one.receipts} == {"early.md", "moved.md", "deep.md"}
    assert (notes / "early.md").exists()


@pytest.mark.slow
def test_a_replaced_file_is_read_again_and_a_deleted_one_leaves_no_word(watching, notes):
    one = watching(notes)
    page = notes / "page.md"
    page.write_text("The ferry leaves at 8:15.\n")
    wait_for(lambda: len(one.receipts) == 1)
    (notes / "new.tmp").write_text("The ferry leaves at 9:30.\n")
    (notes / "new.tmp").replace(page)
    short_lived = notes / "gone.md"
    short_lived.write_text("This will not last.\n")
    short_lived.unlink()
    wait_for(lambda: len(one.receipts) == 2)
    assert [name for name, _, _ in one.receipts] == ["page.md", "page.md"]
    current = [m.content for m in one.runtime.graph.list_memories(limit=9) if not m.superseded_by]
    assert any("9:30" in content for content in current)
    assert not any("8:15" in content for content in current)


def test_links_and_hidden_and_temporary_names_are_left_alone(watching, notes, tmp_path):
    secret = tmp_path / "secret.md"
    secret.write_text("The code of the safe is blue.\n")
    one = watching(notes)
    (notes / "soft.md").symlink_to(secret)
    os.link(secret, notes / "hard.md")
    (notes / ".hidden.md").write_text("The hidden lamp is green.\n")
    (notes / "download.part").write_text("The half lamp is green.\n")
    (notes / "seen.md").write_text("The seen lamp is green.\n")
    wait_for(lambda: one.receipts)
    time.sleep(0.6)
    assert [name for name, _, _ in one.receipts] == ["seen.md"]


@pytest.mark.parametrize("is_there_before", [False, True])
def test_what_lies_in_the_drop_folder_for_good_is_told_once(
    watching, drop, tmp_path, is_there_before
):
    """Links and hidden files, with the reason; not what programs keep for a while."""
    secret = tmp_path / "secret.md"
    secret.write_text("The code of the safe is blue.\n")

    def drop_all():
        (drop / "soft.md").symlink_to(secret)
        (drop / ".hidden.md").write_text("The hidden lamp is green.\n")
        (drop / "download.part").write_text("The half lamp is green.\n")
        (drop / "README.md").write_text("About this folder.\n")

    if is_there_before:
        drop_all()
    one = watching(rescan_seconds=1.0)
    if not is_there_before:
        drop_all()
    wait_for(lambda: len(one.said("ignored")) == 2)
    time.sleep(2.5)
    told = {Path(str(line["path"])).name: line["why"] for line in one.said("ignored")}
    assert told == {
        "soft.md": "symbolic link, which is not followed",
        ".hidden.md": "hidden file",
    }
    assert len(one.said("ignored")) == 2


def test_taking_in_a_file_is_undone_at_once_although_the_file_was_moved_since(watching, drop):
    """Where it lies now is no later change of what it said."""
    one = watching(drop)
    (drop / "good.md").write_text("The oven is from 1974.\n")
    wait_for(lambda: list(drop.glob("processed/*/good.md")))
    one.daemon.stop()
    one.thread.join(PATIENCE_SECONDS)
    assert one.contents() == ["The oven is from 1974."]
    with one.runtime.store.operation("undo") as operation:
        operation.undo()
    assert one.contents() == []
    assert one.files.ledger() == []


def test_finished_files_of_the_drop_folder_move_and_others_stay(watching, drop, notes):
    """Good ones to processed by month, others to failed with a note; the ledger follows."""
    one = watching(drop, notes)
    (drop / "README.md").write_text("This folder is for dropping files into.\n")
    (notes / "mine.md").write_text("The mine is closed on Mondays.\n")
    (drop / "good.md").write_text("The oven is from 1974.\n")
    (drop / "sub").mkdir()
    (drop / "sub" / "bad.txt").write_bytes(b"\0\1\2binary\0")
    wait_for(lambda: len(one.receipts) == 3)
    [good] = drop.glob("processed/*/good.md")
    assert good.read_text() == "The oven is from 1974.\n"
    note = (drop / "failed" / "sub" / "bad.txt.error.txt").read_text()
    assert "NUL bytes" in note
    assert "What to do:" in note
    assert (drop / "README.md").exists()
    assert (notes / "mine.md").exists()
    paths = {document.path for document in one.files.ledger()}
    assert paths == {
        str(good),
        str(drop / "failed" / "sub" / "bad.txt"),
        str(notes / "mine.md"),
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "data", "archive"),
    [
        ("photo.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "failed"),
        ("note.md", b"The pantry key hangs behind the blue door.\n", "processed/*"),
    ],
)
def test_a_file_that_is_put_back_keeps_the_name_that_it_has_now(
    watching, drop, name, data, archive
):
    """The archive and the ledger have a known file under its new name, or under its old one again
    where that stayed."""
    one = watching()
    (drop / name).write_bytes(data)
    for new_name in (f"renamed-{name}", f"renamed-{name}"):
        count = len(one.receipts) + 1
        wait_for(lambda count=count: len(one.receipts) == count)
        [archived] = drop.glob(f"{archive}/*{name}")
        archived.rename(drop / new_name)
    wait_for(lambda: len(one.receipts) == 3)

    [archived] = drop.glob(f"{archive}/*{name}")
    assert archived.name == f"renamed-{name}"
    assert [document.path for document in one.files.ledger()] == [str(archived)]


@pytest.mark.slow
def test_an_empty_file_is_finished_when_its_writer_is(watching, drop):
    """A file without a byte moves soon after it was closed, and one from long before at once; one
    that somebody has open, or whose download goes on, waits for its text."""
    (drop / "old.md").touch()
    os.utime(drop / "old.md", (1_000_000_000, 1_000_000_000))
    (drop / "download.md").touch()
    (drop / "download.md.part").touch()
    one = watching()
    (drop / "open.md").touch()
    with (drop / "open.md").open("a") as stream:
        (drop / "made.md").touch()
        wait_for(lambda: len(one.receipts) == 2)
        wait_for(lambda: one.said("waiting"))
        stream.write("The pantry key hangs behind the blue door.\n")
    (drop / "download.md.part").write_text("The cellar key hangs behind the red door.\n")
    (drop / "download.md.part").rename(drop / "download.md")
    wait_for(lambda: len(one.receipts) == 4)

    assert {name: status for name, status, _ in one.receipts} == {
        "old.md": DocumentStatus.EMPTY,
        "made.md": DocumentStatus.EMPTY,
        "open.md": DocumentStatus.DONE,
        "download.md": DocumentStatus.DONE,
    }
    assert len(one.contents()) == 2


@pytest.mark.slow
def test_a_file_of_the_drop_folder_is_not_moved_away_from_its_writer(watching, drop):
    """A program that writes a line now and then is waited for until it closes its file."""
    one = watching()
    with (drop / "log.md").open("w") as stream:
        stream.write("- The pantry key hangs behind the blue door.\n")
        stream.flush()
        wait_for(lambda: one.said("waiting"))
        assert one.receipts == []
        stream.write("- The cellar key hangs behind the red door.\n")
    wait_for(lambda: one.receipts)

    assert len(one.contents()) == 2


@pytest.mark.slow
@pytest.mark.slow
def test_a_large_file_is_named_before_it_is_read(watching, drop, monkeypatch):
    """In the log and in the heartbeat, until it is done; a small one is not."""
    monkeypatch.setattr(daemon, "LARGE_BYTES", 100)
    beats = []
    beat = Daemon._beat
    monkeypatch.setattr(
        Daemon, "_beat", lambda one: (beat(one), beats.append(one._heartbeat.in_hand))
    )
    one = watching()
    (drop / "small.md").write_text("The oven is from 1974.\n")
    wait_for(lambda: one.receipts)
    (drop / "large.md").write_text("The boiler in the cellar is serviced by Nora Pohl.\n" * 9)
    wait_for(lambda: len(one.receipts) == 2)
    wait_for(lambda: beats[-1] is None)
    [said] = one.said("reading")
    assert (Path(str(said["path"])).name, said["bytes"]) == ("large.md", 459)
    assert {Path(path).name for path in beats if path} == {"large.md"}


@pytest.mark.slow
def test_the_heart_beats_while_one_file_takes_long(watching, drop, monkeypatch):
    """Status goes on saying that the process is alive, and since when it is at work on what."""
    monkeypatch.setattr(pulse, "HEARTBEAT_SECONDS", 0.1)
    monkeypatch.setattr(daemon, "LARGE_BYTES", 10)
    may_end = threading.Event()
    real = Intake.prepare

    def prepare(self: Intake, *arguments: Any) -> Any:
        assert may_end.wait(PATIENCE_SECONDS)
        return real(self, *arguments)

    monkeypatch.setattr(Intake, "prepare", prepare)
    one = watching()
    (drop / "long.md").write_text("The oven is from 1974.\n")

    def beat() -> Heartbeat:
        found = read_heartbeat(one.runtime.graph.facts())
        assert found is not None
        return found

    wait_for(lambda: beat().in_hand)
    first = beat()
    wait_for(lambda: beat().seen_at > first.seen_at)
    assert Path(str(beat().in_hand)).name == "long.md"
    assert first.in_hand_since is not None
    assert beat().in_hand_since == first.in_hand_since < beat().seen_at
    may_end.set()
    wait_for(lambda: one.receipts)
    wait_for(lambda: beat().stored == 1)


@pytest.mark.slow
def test_nothing_is_said_after_the_last_word(watching, monkeypatch):
    """However often the heart beats: status would take a process for alive that has ended."""
    monkeypatch.setattr(pulse, "HEARTBEAT_SECONDS", 0.01)
    one = watching()
    one.daemon.end_hard()
    time.sleep(0.2)
    beat = read_heartbeat(one.runtime.graph.facts())
    assert beat is not None
    assert beat.stopped_at is not None


@pytest.mark.slow
def test_a_process_that_must_end_in_the_midst_of_work_says_so(watching, drop):
    """Another thread writes the last word, while the daemon's own is busy."""
    one = watching()
    one.daemon.end_hard()
    beat = read_heartbeat(one.runtime.graph.facts())
    assert beat is not None
    assert beat.stopped_at is not None
    assert one.said("stopped")


@pytest.mark.slow
def test_what_was_moved_without_being_taken_in_is_counted_as_failed(watching, drop):
    """Whatever the reason: ``failed/`` holds as many files as status counts."""
    (drop / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(40))
    (drop / "binary.txt").write_bytes(bytes(range(256)))
    (drop / "note.md").write_text("The oven is from 1974.\n")
    one = watching()
    wait_for(lambda: len(one.receipts) == 3)
    wait_for(lambda: read_heartbeat(one.runtime.graph.facts()).failed == 2)
    assert read_heartbeat(one.runtime.graph.facts()).stored == 1
    assert len([path for path in (drop / "failed").iterdir() if path.suffix != ".txt"]) == 1


@pytest.mark.slow
def test_the_note_about_a_failed_file_goes_when_the_file_was_put_right(watching, drop):
    """Its own note alone, and not while the failed file lies beside it."""
    for name in ("kept.txt", "right.txt"):
        (drop / name).write_bytes(bytes(range(256)))
    failed = drop / "failed"
    notes = {name: failed / f"{name}.error.txt" for name in ("kept.txt", "right.txt", "own.txt")}
    one = watching()
    wait_for(lambda: len(one.receipts) == 2)
    notes["own.txt"].write_text("my own words about own.txt\n")
    (failed / "right.txt").write_text("The oven is from 1974.\n")
    (failed / "right.txt").rename(drop / "right.txt")
    (drop / "kept.txt").write_text("The boiler is from 1982.\n")
    (drop / "own.txt").write_text("The stove is from 1990.\n")
    wait_for(lambda: len(one.receipts) == 5)
    assert {name for name, note in notes.items() if note.exists()} == {"kept.txt", "own.txt"}


def test_two_files_of_one_name_are_two_documents_and_the_same_file_twice_is_one(watching, drop):
    one = watching()
    for text in (
        "The first pump is red.\n",
        "The second pump is blue.\n",
        "The first pump is red.\n",
    ):
        count = len(one.receipts)
        (drop / "note.md").write_text(text)
        wait_for(lambda count=count: len(one.receipts) > count)
    assert len(one.contents()) == 2
    assert len(one.files.ledger()) == 2
    kept = sorted(path.read_text() for path in drop.glob("processed/*/*.md"))
    assert kept == [
        "The first pump is red.\n",
        "The first pump is red.\n",
        "The second pump is blue.\n",
    ]


@pytest.mark.slow
def test_a_file_that_is_appended_to_again_and_again_does_not_end_in_a_piece_for_each_line(
    watching, drop
):
    one = watching()
    for number in range(6):
        with (drop / "log.md").open("a") as stream:
            stream.write(f"The pump number {number} has {number + 3} valves.\n")
        time.sleep(0.6)
    wait_for(lambda: len(one.contents()) == 6 and not (drop / "log.md").exists())
    assert len(list(drop.glob("processed/*/log*.md"))) < 4


@pytest.mark.slow
def test_a_move_that_was_cut_off_is_made_good_at_the_next_start(watching, drop, monkeypatch):
    """The process ended after the file had moved and before the ledger knew."""
    with monkeypatch.context() as patch:
        patch.setattr(DropFolder, "_follow", lambda *_: None)
        one = watching()
        (drop / "note.md").write_text("The anchor weighs 30 kg.\n")
        wait_for(lambda: one.receipts)
        one.daemon.stop()
        one.thread.join(PATIENCE_SECONDS)
    assert [document.path for document in one.files.ledger()] == [str(drop / "note.md")]
    again = watching()
    [moved] = drop.glob("processed/*/note.md")
    wait_for(lambda: [document.path for document in again.files.ledger()] == [str(moved)])


@pytest.mark.slow
def test_a_finished_file_that_was_not_moved_is_moved_at_the_next_start(watching, drop, monkeypatch):
    """The process ended after the file was stored and before it had moved."""
    with monkeypatch.context() as patch:
        patch.setattr(DropFolder, "settle", lambda *_: None)
        one = watching()
        (drop / "note.md").write_text("The anchor weighs 30 kg.\n")
        (drop / "blank.md").write_text("  \n")
        wait_for(lambda: len(one.receipts) == 2)
        one.daemon.stop()
        one.thread.join(PATIENCE_SECONDS)
    again = watching()
    wait_for(lambda: len(again.receipts) == 2)
    assert [path.name for path in drop.glob("processed/*/*.md")] == ["note.md"]
    assert [path.name for path in drop.glob("failed/*.md")] == ["blank.md"]
    assert not list(drop.glob("*.md"))
    assert again.contents() == ["The anchor weighs 30 kg."]


@pytest.mark.slow
def test_a_name_that_is_no_text_is_refused_with_a_note_and_changes_nothing_for_others(
    watching, drop, tmp_path
):
    """Whether the file was there at the start or came later, alone or in such a folder."""
    try:
        (drop / os.fsdecode(b"fold\xe9r")).mkdir()
    except OSError:
        pytest.skip("this file system takes no such names")
    early, inner, late = (
        drop / os.fsdecode(name) for name in (b"early\xff.md", b"fold\xe9r/in.md", b"late\xff.md")
    )
    early.write_text("The early anchor weighs 10 kg.\n")
    inner.write_text("The inner anchor weighs 20 kg.\n")
    one = watching()
    wait_for(lambda: len(one.receipts) == 2)
    late.write_text("The late anchor weighs 30 kg.\n")
    (drop / "late.md").write_text("The good anchor weighs 40 kg.\n")
    wait_for(lambda: len(one.receipts) == 4)
    failed = [drop / "failed" / path.relative_to(drop) for path in (early, inner, late)]
    refused = {target for _, status, target in one.receipts if status is DocumentStatus.UNREADABLE}
    assert refused == set(failed)
    assert one.contents() == ["The good anchor weighs 40 kg."]
    assert not one.said("cannot-move")
    note = failed[2].with_name(failed[2].name + ".error.txt").read_text(encoding="utf-8")
    assert note.startswith("late\\udcff.md was not taken in: unreadable.\n")
    assert "names in UTF-8" in note


@pytest.mark.slow
def test_a_fault_in_moving_one_file_changes_nothing_that_is_said_of_others(
    watching, drop, monkeypatch
):
    """A refusal of the system that is no OSError, as one of a character, is told as one is."""
    real, known = DropFolder.settle, {}

    def refuse(self, receipt):
        known.setdefault(Path(receipt.path).name, receipt.already_ingested)
        if receipt.path.endswith("cursed.md"):
            raise ValueError("no such character")
        return real(self, receipt)

    monkeypatch.setattr(DropFolder, "settle", refuse)
    for name in ("a", "cursed", "z"):
        (drop / f"{name}.md").write_text(f"The stool called {name} has three legs.\n")
    one = watching()
    wait_for(lambda: len(one.receipts) == 3)
    assert known == {"a.md": False, "cursed.md": False, "z.md": False}
    assert [said["why"] for said in one.said("cannot-move")] == ["no such character"]


@pytest.mark.slow
def test_a_file_that_cannot_be_moved_is_tried_again_and_told_of_once(watching, drop, monkeypatch):
    failures: list[str] = []

    def refuse(_drop, receipt):
        failures.append(receipt.path)
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(DropFolder, "settle", refuse)
        one = watching(rescan_seconds=1)
        (drop / "note.md").write_text("The anchor weighs 30 kg.\n")
        wait_for(lambda: len(failures) > 2)
        assert [said["why"] for said in one.said("cannot-move")] == ["Permission denied"]
    wait_for(lambda: list(drop.glob("processed/*/note.md")))


@pytest.mark.slow
def test_one_throttled_document_does_not_hold_up_those_that_come_later(watching, notes):
    def respond(request: dict[str, Any]) -> Any:
        text = request["messages"][1]["content"]
        if "boat" in text:
            return failure(429, retry_after="300")
        return memories("The kiln needs nine hours to cool down.")

    with OpenAiServer() as server:
        server.respond = respond
        one = watching(notes, llm=LlmSettings(model="openai/fake", api_base=server.api_base))
        (notes / "boat.md").write_text("The boat has a blue hull and nine oars.\n")
        wait_for(lambda: one.receipts)
        (notes / "kiln.md").write_text("The kiln needs nine hours to cool down.\n")
        wait_for(lambda: len(one.receipts) == 2)
    assert [(name, status) for name, status, _ in one.receipts] == [
        ("boat.md", DocumentStatus.PENDING),
        ("kiln.md", DocumentStatus.DONE),
    ]
    assert not one.said("paused")


@pytest.mark.slow
def test_where_the_system_tells_nothing_it_looks_by_itself_and_says_so_once(
    watching, notes, monkeypatch
):
    monkeypatch.setattr(FolderWatcher, "start", lambda *_: "No space left on device")
    one = watching(notes, poll_seconds=0.2)
    (notes / "polled.md").write_text("The polled vase is white.\n")
    wait_for(lambda: one.receipts)
    assert len(one.said("polling")) == 1


def remove_and_make(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.mkdir()


def move_and_make(folder: Path) -> None:
    folder.rename(folder.with_name("old notes"))
    folder.mkdir()


def remove_and_make_later(folder: Path) -> None:
    shutil.rmtree(folder)
    time.sleep(2.5)
    folder.mkdir()


def replace_by_another(folder: Path) -> None:
    other = folder.with_name("other notes")
    other.mkdir()
    (other / "moved in.md").write_text("The bees swarm in May.\n")
    shutil.rmtree(folder)
    other.rename(folder)


@pytest.mark.slow
@pytest.mark.parametrize(
    "replace", [remove_and_make, move_and_make, remove_and_make_later, replace_by_another]
)
def test_a_folder_that_is_made_again_is_watched_at_once(watching, notes, replace):
    """Long before all folders are looked through again."""
    one = watching(notes, rescan_seconds=10_000.0)
    (notes / "first.md").write_text("The first vase is white.\n")
    wait_for(lambda: len(one.receipts) == 1)
    replace(notes)
    began = time.monotonic()
    (notes / "second.md").write_text("The second vase is blue.\n")
    wait_for(lambda: "second.md" in {name for name, *_ in one.receipts})
    time.sleep(1)
    (notes / "third.md").write_text("The third vase is green.\n")
    wait_for(lambda: "third.md" in {name for name, *_ in one.receipts})
    assert time.monotonic() - began < PATIENCE_SECONDS
    assert not one.said("polling")


@pytest.mark.slow
def test_what_no_event_told_of_is_found_by_looking_again(watching, notes, monkeypatch):
    monkeypatch.setattr(FolderWatcher, "start", lambda *_: None)
    one = watching(notes, rescan_seconds=1.0)
    (notes / "unheard.md").write_text("The unheard bell is cracked.\n")
    wait_for(lambda: one.receipts)

    def told() -> int:
        beat = read_heartbeat(one.runtime.graph.facts())
        return 0 if beat is None else beat.stored

    # Long before the next heartbeat is due.
    wait_for(lambda: told() == 1)


@pytest.mark.slow
def test_a_fault_of_our_own_in_one_document_stops_no_other_and_is_counted(
    watching, notes, monkeypatch
):
    real = Intake.prepare

    def prepare(self: Intake, operation: Any, file: Any, *rest: Any) -> Any:
        if file.item.path.name == "cursed.md":
            raise ZeroDivisionError("a fault")
        return real(self, operation, file, *rest)

    monkeypatch.setattr(Intake, "prepare", prepare)
    for name in ("a", "cursed", "z"):
        (notes / f"{name}.md").write_text(f"The stool called {name} has three legs.\n")
    one = watching(notes)
    wait_for(lambda: len(one.receipts) == 3)
    ends = {name: status.value for name, status, _ in one.receipts}
    assert ends == {"a.md": "done", "cursed.md": "failed", "z.md": "done"}
    [failed] = [one for one in one.files.ledger() if one.status is DocumentStatus.FAILED]
    assert failed.attempts == 1
    assert failed.next_attempt_at is not None
    assert "ZeroDivisionError" in (failed.reason or "")


def test_a_fault_that_cannot_be_written_down_ends_nothing_and_is_written_later(
    watching, notes, monkeypatch
):
    """A full disk, or another process that holds the store, at that very moment."""
    refusals: list[str] = []
    real = Daemon._give_up

    def prepare(*_: Any) -> Any:
        raise ZeroDivisionError("a fault")

    def give_up(self: Daemon, found: Any, why: str) -> None:
        if not refusals:
            refusals.append(why)
            raise FullDiskError(path=notes)
        real(self, found, why)

    monkeypatch.setattr(Intake, "prepare", prepare)
    monkeypatch.setattr(Daemon, "_give_up", give_up)
    monkeypatch.setattr(daemon, "STORE_PAUSE_SECONDS", 0.2)
    (notes / "cursed.md").write_text("The stool has three legs.\n")
    one = watching(notes)
    wait_for(lambda: one.receipts)
    assert len(refusals) == len(one.said("store")) == 1
    [failed] = one.files.ledger()
    assert failed.status is DocumentStatus.FAILED


def test_a_store_has_one_watching_process_and_the_second_says_who_it_is(
    watching, notes, store_path, drop
):
    """Before it does anything else, such as answering other commands."""
    watching(notes)
    second = Watching(store_path, drop, (notes,))
    entered: list[str] = []

    @contextmanager
    def beside() -> Iterator[None]:
        entered.append("beside")
        yield

    with pytest.raises(AlreadyWatchingError, match=f"process {os.getpid()} .memctl test. does so"):
        second.daemon.run(beside())
    assert entered == []
    second.runtime.close()


def test_a_folder_that_is_none_cannot_be_watched(store_path, drop, tmp_path):
    with pytest.raises(WatchError, match="no such folder"):
        Watching(store_path, drop, (tmp_path / "missing",))


@pytest.mark.slow
def test_a_folder_that_comes_back_is_watched_again(watching, notes, tmp_path):
    one = watching(notes, rescan_seconds=1.0)
    notes.rename(tmp_path / "away")
    wait_for(lambda: one.said("cannot-look"))
    notes.mkdir()
    (notes / "back.md").write_text("The new barn has a tin roof.\n")
    wait_for(lambda: one.receipts)


@pytest.mark.slow
def test_a_look_through_the_folders_follows_a_renamed_file_and_misses_another(watching, notes):
    """What is gone is said once, after all that came has been taken in; the memories stay."""
    (notes / "renamed.md").write_text("- The shelf holds plums.\n")
    (notes / "removed.md").write_text("- The cellar holds onions.\n")
    with_both = watching(notes, rescan_seconds=1)
    wait_for(lambda: len(with_both.receipts) == 2)
    (notes / "removed.md").unlink()
    (notes / "renamed.md").rename(notes / "shelf.md")
    wait_for(lambda: with_both.said("gone"))
    wait_for(lambda: len(with_both.receipts) == 3)
    [gone] = with_both.said("gone")
    assert gone["path"] == str(notes / "removed.md")
    assert len(with_both.contents()) == 2
    assert with_both.runtime.graph.document_by_path(str(notes / "shelf.md")) is not None


@pytest.mark.slow
def test_a_watched_folder_around_the_store_gives_no_file_of_the_store(watching, store_path, notes):
    """What the store writes all the time is no news to the process that watches."""
    one = watching(store_path.parent)
    (notes / "plums.md").write_text("- The shelf holds plums.\n")
    wait_for(lambda: one.receipts)
    time.sleep(1)
    assert [name for name, _, _ in one.receipts] == ["plums.md"]
