"""Which files are taken, and that nothing outside of what was named is ever opened."""

from __future__ import annotations

import os
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memctl.document import Document, DocumentStatus
from memctl.errors import MissingPathError
from memctl.ingestion import discovery
from memctl.ingestion.discovery import Found, discover, ignored_name, read_found
from memctl.ingestion.stability import Signature
from memctl.ingestion.watched import is_news

PENDING, IGNORED = DocumentStatus.PENDING, DocumentStatus.IGNORED
NOBODY = 65_534


def make(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)


def taken(paths: list[Path], **options: bool) -> list[str]:
    found = discover(paths, **options)
    return [item.path.name for item in found if item.status is PENDING]


def statuses(paths: list[Path]) -> dict[str, DocumentStatus]:
    return {item.path.name: item.status for item in discover(paths)}


@contextmanager
def without_privileges() -> Iterator[None]:
    """Acts as a user whom permissions bind; the superuser may read everything."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def shared_folder() -> Iterator[Path]:
    """A folder that every user may enter, which pytest's own is not."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        folder.chmod(0o755)
        if any(parent.stat().st_mode & 0o001 == 0 for parent in folder.parents):
            pytest.skip("the folder for temporary files is closed to other users")
        yield folder


def test_files_come_in_the_order_of_arguments_and_then_of_names(tmp_path: Path) -> None:
    make(tmp_path, "b/2.md", "b/10.md", "b/sub/1.md", "a.md")
    expected = ["10.md", "2.md", "1.md", "a.md"]
    assert taken([tmp_path / "b", tmp_path / "a.md"]) == expected
    assert taken([tmp_path / "a.md", tmp_path / "b"], recursive=False) == ["a.md", "10.md", "2.md"]


@pytest.mark.parametrize(
    "name",
    [
        *("draft.md~", "#draft.md#", ".#draft.md", "draft.swp", ".draft.md.swp", "x.swo", "4913"),
        *("menu.tmp", "menu.part", "menu.crdownload", "menu.PARTIAL", "menu.download", "a.bak"),
        *("~$letter.docx", "Thumbs.db", ".DS_Store", ".~lock.a.odt#", "poetry.lock"),
    ],
)
def test_what_programs_leave_behind_is_ignored_even_when_named(tmp_path: Path, name: str) -> None:
    make(tmp_path, name, "kept.md")
    assert taken([tmp_path]) == ["kept.md"]
    (item,) = discover([tmp_path / name])
    assert item.status is IGNORED
    assert item.reason


@pytest.mark.parametrize(
    "name", ["a.md", "README", "~", "#", "##", "49130", "part", "C#.md", "1.5"]
)
def test_ordinary_names_are_taken(name: str) -> None:
    assert (ignored_name(name) is None) == (name != "~")


def test_a_note_about_a_file_that_failed_is_no_document(tmp_path: Path) -> None:
    """A file of such a name that stands alone is one like any other."""
    make(tmp_path, "scan.pdf", "scan.pdf.error.txt", "build.error.txt")
    assert taken([tmp_path]) == ["build.error.txt", "scan.pdf"]


def test_hidden_things_are_taken_only_when_named_or_asked_for(tmp_path: Path) -> None:
    make(tmp_path, ".hidden.md", ".notes/a.md", "b.md", "node_modules/c.md", "x/__pycache__/d.md")
    assert taken([tmp_path]) == ["b.md"]
    assert taken([tmp_path / ".hidden.md", tmp_path / ".notes"]) == [".hidden.md", "a.md"]
    assert taken([tmp_path], include_hidden=True) == [".hidden.md", "a.md", "b.md"]


def test_links_in_a_folder_are_not_followed(tmp_path: Path) -> None:
    make(tmp_path, "outside/secret.md", "inside/a.md")
    inside = tmp_path / "inside"
    (inside / "file.md").symlink_to(tmp_path / "outside/secret.md")
    (inside / "folder").symlink_to(tmp_path / "outside")
    (inside / "loop").symlink_to(inside)
    (inside / "broken.md").symlink_to(inside / "nothing")
    assert statuses([inside]) == {
        "a.md": PENDING,
        "file.md": IGNORED,
        "folder": IGNORED,
        "loop": IGNORED,
        "broken.md": IGNORED,
    }


def test_a_link_that_the_user_names_is_followed(tmp_path: Path) -> None:
    make(tmp_path, "notes/a.md")
    (tmp_path / "link").symlink_to(tmp_path / "notes")
    (item,) = discover([tmp_path / "link"])
    assert item.path == tmp_path.resolve() / "notes/a.md"


def test_a_hard_link_is_taken_only_when_all_its_names_lie_inside(tmp_path: Path) -> None:
    make(tmp_path, "outside/secret.md", "inside/a.md", "inside/z.md")
    inside = tmp_path / "inside"
    os.link(tmp_path / "outside/secret.md", inside / "linked.md")
    os.link(inside / "a.md", inside / "again.md")
    found = {item.path.name: item for item in discover([inside])}
    assert found["linked.md"].status is IGNORED
    assert "hard link" in found["linked.md"].reason
    assert found["a.md"].status is PENDING
    assert "the same file as" in found["again.md"].reason
    assert taken([inside / "linked.md"]) == ["linked.md"]


def test_a_file_that_is_named_twice_is_taken_once(tmp_path: Path) -> None:
    make(tmp_path, "notes/a.md")
    notes = tmp_path / "notes"
    assert taken([notes, notes / "a.md", notes, tmp_path]) == ["a.md"]


def test_special_files_are_reported_and_never_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "socket.md"))
        found = {item.path.name: item for item in discover([tmp_path, Path("/dev/null")])}
    assert {item.status for item in found.values()} == {DocumentStatus.UNSUPPORTED}
    assert "named pipe" in found["pipe.md"].reason
    assert "device" in found["null"].reason
    assert read_found(found["pipe.md"]).status is DocumentStatus.UNSUPPORTED


def test_a_missing_path_is_named_in_its_place_and_keeps_nothing_from_the_others(
    tmp_path: Path,
) -> None:
    make(tmp_path, "a.md", "c.md")
    for missing in (tmp_path / "b.md", tmp_path / "a.md/b.md"):
        found = discover([tmp_path / "a.md", missing, tmp_path / "c.md", missing])
        assert [item.path for item in found] == [tmp_path / "a.md", missing, tmp_path / "c.md"]
        assert found[1].status is DocumentStatus.FAILED
        assert found[1].reason == "there is no such file or folder"


def test_where_all_paths_are_missing_the_first_one_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingPathError, match=r"a\.md: there is no such file"):
        discover([tmp_path / "a.md", tmp_path / "b.md"])


def test_what_may_not_be_read_is_reported(shared_folder: Path) -> None:
    make(shared_folder, "closed/a.md", "secret.md", "open.md")
    (shared_folder / "closed").chmod(0o000)
    (shared_folder / "secret.md").chmod(0o000)
    with without_privileges():
        found = {item.path.name: item for item in discover([shared_folder])}
        content = {name: read_found(item) for name, item in found.items()}
    (shared_folder / "closed").chmod(0o755)
    assert found["closed"].status is DocumentStatus.UNREADABLE
    assert found["closed"].reason == "permission denied"
    assert content["secret.md"].status is DocumentStatus.UNREADABLE
    assert content["open.md"].data == b"open.md"


def test_a_closed_folder_is_not_even_listed(tmp_path: Path, monkeypatch) -> None:
    make(tmp_path, "a.md", "processed/2026-01/b.md")
    listed = []
    scandir = os.scandir
    monkeypatch.setattr(os, "scandir", lambda path: listed.append(path) or scandir(path))
    [item] = discover([tmp_path], closed_folders=[tmp_path / "processed"])
    assert item.path == tmp_path / "a.md"
    assert listed == [tmp_path]


def test_a_name_that_is_no_text_is_reported(tmp_path: Path) -> None:
    try:
        (tmp_path / os.fsdecode(b"caf\xe9.md")).touch()
    except OSError:
        pytest.skip("this file system takes no such names")
    (item,) = discover([tmp_path])
    assert item.status is DocumentStatus.UNREADABLE
    assert "UTF-8" in item.reason


def test_a_large_file_is_refused_with_the_setting_that_allows_it(tmp_path: Path) -> None:
    (tmp_path / "big.txt").write_bytes(b"x" * 2_000)
    (item,) = discover([tmp_path], max_bytes=1_999)
    assert item.status is DocumentStatus.UNSUPPORTED
    assert "ingest.max_file_megabytes" in item.reason
    assert read_found(discover([tmp_path], max_bytes=2_000)[0]).data == b"x" * 2_000


@pytest.mark.parametrize("size", [0, 1, 4_095, 4_096, 4_097, 100_000])
def test_all_bytes_of_a_file_are_read_whatever_its_size_was_when_it_was_found(tmp_path, size):
    path = tmp_path / "grown.txt"
    path.write_bytes(b"x")
    (item,) = discover([path])
    path.write_bytes(b"y" * size)
    assert read_found(item).data == b"y" * size


def test_a_file_that_grew_over_the_limit_is_refused_when_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"x" * 10)
    (item,) = discover([path], max_bytes=10)
    path.write_bytes(b"x" * 11)
    assert read_found(item).status is DocumentStatus.UNSUPPORTED


def pending(path: Path) -> Found:
    (item,) = discover([path])
    assert item.status is PENDING
    return item


def test_a_file_that_was_exchanged_since_is_not_read(tmp_path: Path) -> None:
    make(tmp_path, "secret.md", "notes/a.md", "notes/b.md", "notes/c.md", "other/d.md")
    found = {name: pending(tmp_path / f"notes/{name}.md") for name in "abc"}
    (tmp_path / "notes/a.md").unlink()
    (tmp_path / "notes/a.md").symlink_to(tmp_path / "secret.md")
    (tmp_path / "notes/b.md").unlink()
    os.link(tmp_path / "secret.md", tmp_path / "notes/b.md")
    (tmp_path / "notes/c.md").unlink()
    contents = {name: read_found(item) for name, item in found.items()}
    assert {content.status for content in contents.values()} == {DocumentStatus.FAILED}
    assert all(content.data == b"" for content in contents.values())
    assert contents["c"].reason == "it is gone"


def test_a_folder_that_became_a_link_leads_nowhere(tmp_path: Path) -> None:
    make(tmp_path, "notes/a.md", "private/a.md")
    item = pending(tmp_path / "notes/a.md")
    (tmp_path / "notes").rename(tmp_path / "old")
    (tmp_path / "notes").symlink_to(tmp_path / "private")
    assert read_found(item).status is DocumentStatus.FAILED


def test_reading_gives_bytes_and_the_time_of_change(tmp_path: Path) -> None:
    make(tmp_path, "a.md")
    os.utime(tmp_path / "a.md", (1_772_712_000, 1_772_712_000))
    content = read_found(pending(tmp_path / "a.md"))
    assert content.data == b"a.md"
    assert content.modified_at.isoformat() == "2026-03-05T12:00:00+00:00"


def test_a_pipe_in_place_of_a_file_does_not_hold_the_reader_up(tmp_path: Path) -> None:
    make(tmp_path, "a.md")
    item = pending(tmp_path / "a.md")
    (tmp_path / "a.md").unlink()
    os.mkfifo(tmp_path / "a.md")
    assert read_found(replace(item, identity=None)).status is DocumentStatus.UNSUPPORTED


@pytest.mark.parametrize("seconds", [9e18 / 1e9, 3e11, -1e11, 253_402_300_799, -62_135_596_800])
def test_a_file_from_beyond_all_years_is_read_as_one_of_unknown_age(tmp_path: Path, seconds):
    """Not every file system keeps such a time, so that the system's answer is another one here."""
    make(tmp_path, "note.md")
    found = pending(tmp_path / "note.md")
    real = os.fstat

    def fstat(descriptor):
        values = list(real(descriptor))
        return os.stat_result(values, {"st_mtime": seconds, "st_mtime_ns": int(seconds * 1e9)})

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(discovery.os, "fstat", fstat)
        content = read_found(found)
    assert content.data
    is_known = 2 <= 1970 + seconds / 31_556_952 < 9_999
    assert (content.modified_at is not None) == is_known


def test_a_file_from_beyond_all_years_is_no_news_when_it_is_known():
    document = Document(
        id="1",
        path="/note.md",
        content_hash="hash",
        size_bytes=5,
        modified_at=None,
        status=DocumentStatus.DONE,
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
        updated_at=datetime(2026, 1, 1, tzinfo=UTC),
    )
    now = datetime(2026, 1, 2, tzinfo=UTC)
    assert not is_news(document, Signature(1, 1, 5, 10**21), now)
    assert is_news(document, Signature(1, 1, 5, 10**18), now)
    known = replace(document, modified_at=now)
    assert is_news(known, Signature(1, 1, 5, 10**21), now)
    assert not is_news(known, Signature(1, 1, 5, int(now.timestamp() * 1e9)), now)
