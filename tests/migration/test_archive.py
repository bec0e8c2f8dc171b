"""Backups: unpacked into a private folder, bounded, and never anywhere else."""

from __future__ import annotations

import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from memctl.document import DocumentStatus
from memctl.errors import ArchiveError
from memctl.migration import archive as archives
from memctl.migration.archive import unpacked

MAX_BYTES = 1_000


def write_tar(path: Path, members, mode="w:gz") -> Path:
    """``members``: (name, bytes), or a TarInfo for what is no plain file."""
    with tarfile.open(path, mode) as archive:
        for member in members:
            if isinstance(member, tarfile.TarInfo):
                archive.addfile(member)
                continue
            name, data = member
            info = tarfile.TarInfo(name)
            info.size, info.mtime = len(data), 1_750_000_000
            archive.addfile(info, io.BytesIO(data))
    return path


def link(name: str, target: str, kind: bytes) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def contents(root: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


@pytest.mark.parametrize("name", ["a.tar", "a.tgz", "a.tar.bz2", "a.tar.xz", "a.zip"])
def test_what_may_be_read_is_unpacked_and_gone_afterwards(tmp_path, name):
    members = [("w/MEMORY.md", b"- a"), ("w/auth.json", b"secret"), ("t.lance/data", b"row")]
    path = tmp_path / name
    if name.endswith(".zip"):
        with zipfile.ZipFile(path, "w") as archive:
            for member, data in members:
                archive.writestr(member, data)
    else:
        write_tar(path, members, "w:" + {"tar": "", "tgz": "gz"}.get(name[2:], name[6:]))
    with unpacked(path, max_bytes=MAX_BYTES) as found:
        assert found.root.name == "a"
        assert found.root.stat().st_mode & 0o777 == 0o700
        assert contents(found.root) == {
            "t.lance/data": b"row", "w/MEMORY.md": b"- a", "w/auth.json": b"",
        }  # fmt: skip
        assert (found.root / "w/MEMORY.md").stat().st_mode & 0o777 == 0o600
        assert (found.refused, found.problem) == ([], None)
    assert not found.root.exists()


def test_nothing_is_written_outside_and_no_link_is_made(tmp_path):
    """Every refused member is named with its reason."""
    path = write_tar(
        tmp_path / "evil.tar.gz",
        [
            ("../above.md", b"x"),
            ("/etc/absolute.md", b"x"),
            ("a/../../b.md", b"x"),
            ("c:/windows.md", b"x"),
            link("escape", "/etc", tarfile.SYMTYPE),
            ("escape/passwd.md", b"x"),
            link("hard.md", "/etc/passwd", tarfile.LNKTYPE),
            link("pipe.md", "", tarfile.FIFOTYPE),
            ("deep/" * 80 + "x.md", b"x"),
            ("n" * 300 + ".md", b"x"),
            ("big.md", b"x" * (MAX_BYTES + 1)),
            ("good.md", b"good"),
        ],
    )
    before = {one.name for one in tmp_path.iterdir()}
    with unpacked(path, max_bytes=MAX_BYTES) as found:
        assert contents(found.root) == {"escape/passwd.md": b"x", "good.md": b"good"}
        assert not [one for one in found.root.rglob("*") if one.is_symlink()]
        reasons = {str(one.path): one.reason for one in found.refused}
    assert {one.name for one in tmp_path.iterdir()} == before
    assert len(reasons) == 10
    assert (
        reasons["../above.md"] == reasons["etc/absolute.md"] == "its name leads out of the archive"
    )
    assert "symbolic link" in reasons["escape"]
    assert "larger than" in reasons["big.md"]


def test_the_later_of_two_members_of_one_name_counts(tmp_path):
    path = write_tar(tmp_path / "a.tar", [("MEMORY.md", b"old"), ("MEMORY.md", b"new")], "w")
    with unpacked(path, max_bytes=MAX_BYTES) as found:
        assert contents(found.root) == {"MEMORY.md": b"new"}


def test_a_member_that_lies_about_its_size_stops_at_the_limit(tmp_path):
    """What counts is what comes out of it."""
    path = tmp_path / "lie.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("MEMORY.md", b"\0" * 5_000_000)
        archive.writestr("USER.md", b"- Name: Ada")
    data = path.read_bytes()
    path.write_bytes(data.replace((5_000_000).to_bytes(4, "little"), (10).to_bytes(4, "little")))
    with unpacked(path, max_bytes=MAX_BYTES) as found:
        assert contents(found.root) == {"USER.md": b"- Name: Ada"}
        [refused] = found.refused
    assert refused.status in {DocumentStatus.UNSUPPORTED, DocumentStatus.UNREADABLE}


@pytest.mark.parametrize("limit", ["MOST_MEMBERS", "MOST_PASSED_BYTES", "MOST_UNPACKED_BYTES"])
def test_a_bomb_is_refused_as_a_whole(tmp_path, monkeypatch, limit):
    monkeypatch.setattr(archives, limit, 5)
    path = write_tar(tmp_path / "bomb.tgz", [(f"{number}.md", b"xx") for number in range(9)])
    with pytest.raises(ArchiveError, match="more than"), unpacked(path, max_bytes=MAX_BYTES):
        pass


def test_an_archive_that_breaks_off_gives_what_stands_before(tmp_path):
    members = [(f"memory/{number}.md", f"- note {number}\n".encode() * 60) for number in range(40)]
    path = write_tar(tmp_path / "cut.tar.gz", members)
    path.write_bytes(path.read_bytes()[:-300])
    with unpacked(path, max_bytes=MAX_BYTES) as found:
        assert contents(found.root)
        assert found.problem is not None
        assert found.problem.startswith("it breaks off after")


@pytest.mark.parametrize("name", ["a.zip", "a.tar.gz"])
def test_what_is_no_archive_is_refused(tmp_path, name):
    (tmp_path / name).write_bytes(b"- just text\n" * 100)
    with (
        pytest.raises(ArchiveError, match="cannot migrate the archive"),
        unpacked(tmp_path / name, max_bytes=MAX_BYTES),
    ):
        pass


def test_an_encrypted_member_is_named(tmp_path):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("MEMORY.md", b"- a")
    data = bytearray(path.read_bytes())
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(signature) + offset] |= 1
    path.write_bytes(bytes(data))
    with unpacked(path, max_bytes=MAX_BYTES) as found:
        [refused] = found.refused
    assert "encrypted" in refused.reason


def backup_of(state: Path, path: Path) -> Path:
    """As `openclaw backup create` lays one out."""
    with tarfile.open(path, "w:gz") as archive:
        archive.add(state, "2026-03-09-openclaw-backup/payload/posix/home/odile/.openclaw")
    return path


def test_a_backup_gives_what_the_folder_gives_and_cites_the_member(
    call_memctl, state, tmp_path, snapshot
):
    """The configuration is found inside; agents keep their names and channels."""
    config = state / "openclaw.json"
    text = config.read_text().replace("'./workspace'", "'/home/odile/.openclaw/workspace'")
    config.write_text(text)
    backup = backup_of(state, tmp_path / "moved.tar.gz")
    before = snapshot(tmp_path)
    folder = call_memctl("migrate-openclaw", state, "--dry-run", "--verbose", "--json").json
    archive = call_memctl("migrate-openclaw", backup, "--dry-run", "--verbose", "--json").json

    def said(report):
        return sorted(
            (file["path"].split(".openclaw/")[1], file["status"], str(file.get("candidates")))
            for file in report["files"]
            if file["status"] == "done"
        )

    assert said(archive) == said(folder)
    assert {one["channel_id"] for one in archive["workspaces"]} == {
        one["channel_id"] for one in folder["workspaces"]
    }
    assert all(file["path"].startswith(f"{backup}/") for file in archive["files"])
    assert snapshot(tmp_path) == before


def test_a_part_of_a_backup_is_cited_by_archive_and_member(call_memctl, state, tmp_path):
    backup = tmp_path / "shed.zip"
    with zipfile.ZipFile(backup, "w") as archive:
        archive.write(state / "workspace-shed/MEMORY.md", "shed/MEMORY.md")
    report = call_memctl("migrate-openclaw", backup, "--json").json
    assert report["proof"]["holds"]
    [memory] = call_memctl("list", "--json").json["memories"]
    assert memory["citation"]["path"] == f"{backup}/shed/MEMORY.md"
    again = call_memctl("migrate-openclaw", backup, "--json").json
    assert (again["totals"]["new"], again["proof"]["holds"]) == (0, True)


def test_a_broken_archive_is_one_clear_line(call_memctl, tmp_path):
    (tmp_path / "x.zip").write_bytes(b"no")
    result = call_memctl("migrate-openclaw", tmp_path / "x.zip", status=1)
    assert result.stderr.startswith("memctl: cannot migrate the archive")
