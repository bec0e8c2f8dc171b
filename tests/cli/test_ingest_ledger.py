"""The ledger of documents: what it shows, what is tried again, what is forgotten by its source."""

from __future__ import annotations

import errno
import os
import shlex
from pathlib import Path

import pytest

NOTES = """\
# Workshop

- We chose oak for the bench.
- The glue needs 24 hours to dry.
"""


@pytest.fixture
def page(tmp_path):
    folder = tmp_path / "notes"
    folder.mkdir()
    page = folder / "workshop.md"
    page.write_text(NOTES, encoding="utf-8")
    return page


def memories(call_memctl, *options):
    return call_memctl("list", "--json", *options).json["memories"]


def contents(call_memctl, *options):
    return {memory["content"] for memory in memories(call_memctl, *options)}


def test_status_shows_what_did_not_come_to_a_good_end(call_memctl, page):
    (page.parent / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    call_memctl("ingest", page.parent, status=7)
    result = call_memctl("ingest", "--status")
    assert "broken.pdf" in result.stdout
    assert "workshop.md" not in result.stdout
    assert "2 documents, 1 not shown" in result.stderr
    assert "workshop.md" in call_memctl("ingest", "--status", page.parent).stdout
    rows = call_memctl("ingest", "--status", "--json").json["documents"]
    assert [row["status"] for row in rows] == ["unreadable", "done"]
    assert [(row["chunks_done"], row["chunks"]) for row in rows] == [(0, 0), (1, 1)]


def test_what_was_not_taken_in_is_counted_by_kind_and_alike_everywhere(call_memctl, page):
    """By `ingest`, `status` and `ingest --status`, which offer a retry for what it may help only;
    `ingest --retry` takes up all of it. An empty file and a forgotten source are none of them."""
    folder = page.parent
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    (folder / "photo.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    (folder / "empty.md").touch()
    (folder / "old.md").write_text("The lathe is sold.\n", encoding="utf-8")
    counted = "2 not taken in: 1 unreadable, 1 unsupported"
    assert counted in call_memctl("ingest", folder, status=7).stderr
    call_memctl("ingest", "--forget-source", folder / "old.md")

    said = f"{counted}; `memctl ingest --retry` tries 1 of them again"
    assert said in call_memctl("status").stdout
    assert said in call_memctl("ingest", "--status").stderr
    assert call_memctl("status", "--json").json["documents_to_retry"] == 1
    retried = call_memctl("ingest", "--retry", "--json", status=7).json["documents"]
    assert sorted(Path(one["path"]).name for one in retried) == ["broken.pdf", "photo.png"]

    (folder / "broken.pdf").unlink()
    (folder / "photo.png").write_text("The lathe is blue.\n", encoding="utf-8")
    call_memctl("ingest", "--retry", status=7)
    assert "1 not taken in: 1 unreadable; `memctl ingest --retry` tries it again" in (
        call_memctl("status").stdout
    )


def test_no_retry_is_offered_where_it_cannot_help(call_memctl, page):
    """The same bytes of a kind that is not read come to the same end."""
    photo = page.parent / "photo.png"
    photo.write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    call_memctl("ingest", page.parent)
    for said in (call_memctl("status").stdout, call_memctl("ingest", "--status").stderr):
        assert "1 not taken in: 1 unsupported" in said
        assert "--retry" not in said


def test_an_unsupported_file_fails_where_it_was_named_itself(call_memctl, page):
    """In a folder it is told and fails nothing."""
    photo = page.parent / "photo.png"
    photo.write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    assert "1 unsupported" in call_memctl("ingest", page.parent).stderr
    call_memctl("ingest", photo, status=1)
    call_memctl("ingest", photo, page, status=7)


def test_ignored_files_are_named_with_the_reason(call_memctl, page):
    """A few of them, and how many more there are."""
    folder = page.parent
    for name in (".hidden.md", "draft.md~", "film.part", "note.tmp"):
        (folder / name).write_text("The lathe is sold.\n", encoding="utf-8")
    said = call_memctl("ingest", folder).stderr
    assert "; 4 ignored: " in said
    assert "draft.md~ (backup copy of an editor)" in said
    assert "(hidden file)" in said
    assert said.rstrip().endswith("and 1 more")


@pytest.mark.parametrize("name", ["workshop.md", "link.md"])
def test_a_run_that_ignores_all_prints_no_table_and_says_why(call_memctl, page, name):
    """For a forgotten source it names the way back."""
    call_memctl("ingest", page)
    call_memctl("ingest", "--forget-source", page)
    (page.parent / "link.md").symlink_to(page)
    result = call_memctl("ingest", page.parent / name)
    assert result.stdout == ""
    assert "0 files, 0 memories stored; 1 ignored: " in result.stderr
    assert "`memctl ingest --retry PATH` takes it in again" in result.stderr
    call_memctl("ingest", "--retry", page)
    assert len(memories(call_memctl)) == 2


@pytest.mark.parametrize("before", [b"", NOTES.encode()])
def test_a_retry_takes_in_a_file_that_has_changed_since(call_memctl, page, before):
    """Whatever its end was, where its path is given."""
    page.write_bytes(before)
    call_memctl("ingest", page)
    page.write_text(NOTES + "- We sold the lathe.\n", encoding="utf-8")
    call_memctl("ingest", "--retry", page)
    assert "We sold the lathe." in contents(call_memctl)
    assert "nothing is to be tried again" in call_memctl("ingest", "--retry", page).stderr


def test_links_in_a_circle_are_told_and_no_fault(call_memctl, page, tmp_path):
    """Wherever a path may stand."""
    (tmp_path / "one").symlink_to("two")
    (tmp_path / "two").symlink_to("one")
    [told] = call_memctl("ingest", "one", page, "--json", status=7).json["documents"][:1]
    assert (told["status"], told["reason"]) == ("unreadable", "too many levels of symbolic links")
    call_memctl("ingest", "--status", "one", status=4)
    call_memctl("ingest", "--forget-source", "one", status=4)
    call_memctl("ingest", "--watch", "one", status=1)


def test_a_pipe_is_no_source_and_the_way_to_save_it_is_told(call_memctl, tmp_path):
    """A file of that name is one all the same."""
    refused = call_memctl("ingest", "-", stdin="The lathe is blue.\n", status=2)
    assert "`memctl save -`" in refused.stderr
    assert refused.stdout == ""
    (tmp_path / "-").write_text("The lathe is blue.\n", encoding="utf-8")
    call_memctl("ingest", "-")
    assert contents(call_memctl) == {"The lathe is blue."}


def test_status_of_a_path_that_gave_nothing_is_4(call_memctl, page, tmp_path):
    call_memctl("ingest", page)
    call_memctl("ingest", "--status", tmp_path / "other", status=4)


def test_a_dry_run_leaves_a_forgotten_source_alone_as_the_real_run_does(
    call_memctl, page, monkeypatch
):
    """Changed or not, and without opening it, unless a retry asks for it."""
    opened = os.open

    def refuse(path, *rest, **options):
        if Path(path) == page:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return opened(path, *rest, **options)

    def said(*words, status=0):
        result = call_memctl("ingest", page.parent, "--json", *words, status=status)
        [document] = result.json["documents"]
        return document["status"], document["reason"], document["already_ingested"]

    call_memctl("ingest", page)
    call_memctl("ingest", "--forget-source", page)
    left_alone = ("ignored", said()[1], True)
    for text in (NOTES, NOTES + "- The plane is a Stanley.\n"):
        page.write_text(text)
        assert said("--dry-run") == said() == left_alone
    assert said("--dry-run", "--retry")[0] == "done"
    monkeypatch.setattr(os, "open", refuse)
    assert said("--dry-run") == said() == left_alone
    assert said("--dry-run", "--retry", status=1)[0] == "unreadable"


def test_a_forgotten_source_takes_its_memories_along_and_stays_away(call_memctl, page):
    """What somebody said too stays; the file is not taken in again until a retry asks for it."""
    call_memctl("save", "We chose oak for the bench.")
    call_memctl("ingest", page)
    words = ["ingest", "--forget-source", page.parent, "--json"]
    planned = call_memctl(*words, "--dry-run").json
    assert contents(call_memctl) > {"We chose oak for the bench."}
    assert "would forget 1 file and hide 1 memory" in call_memctl(*words[:3], "--dry-run").stdout
    forgotten = call_memctl(*words).json
    assert planned == {**forgotten, "dry_run": True}
    assert forgotten["documents"] == [str(page)]
    assert len(forgotten["memories"]) == 1
    assert contents(call_memctl) == {"We chose oak for the bench."}
    recalled = call_memctl("recall", "glue dry", "--kind", "all", "--json", status=None)
    assert "24 hours" not in recalled.stdout

    page.write_text(NOTES + "- The plane is a Stanley.\n")
    [document] = call_memctl("ingest", page.parent, "--json").json["documents"]
    assert document["status"] == "ignored"
    assert len(memories(call_memctl)) == 1
    assert call_memctl("ingest", "--retry", "--json").json["documents"] == []
    call_memctl("ingest", "--retry", page)
    assert len(memories(call_memctl)) == 3


def test_a_memory_of_a_forgotten_source_can_be_restored(call_memctl, page):
    call_memctl("ingest", page)
    [first, *_] = call_memctl("ingest", "--forget-source", page, "--json").json["memories"]
    call_memctl("restore", first)
    assert [memory["id"] for memory in memories(call_memctl)] == [first]


def test_forgetting_a_source_that_is_none_is_4(call_memctl, tmp_path):
    result = call_memctl("ingest", "--forget-source", tmp_path / "nothing", status=4)
    assert "nothing was taken in from there" in result.stderr


def test_a_changed_value_supersedes_the_old_one_and_a_removed_line_is_hidden(call_memctl, page):
    call_memctl("ingest", page)
    before = {memory["content"]: memory["id"] for memory in memories(call_memctl)}
    changed = NOTES.replace("24 hours", "36 hours").replace("- We chose oak for the bench.\n", "")
    page.write_text(changed)
    [document] = call_memctl("ingest", page, "--json").json["documents"]
    assert (document["updated"], document["hidden"]) == (1, 1)
    [new] = document["memories"]
    after = {memory["id"]: memory for memory in memories(call_memctl, "--superseded")}
    glue = next(id_ for text, id_ in before.items() if "24 hours" in text)
    oak = next(id_ for text, id_ in before.items() if "oak" in text)
    assert after[glue]["superseded_by"] == new
    assert oak not in after
    call_memctl("restore", oak)
    assert oak in {memory["id"] for memory in memories(call_memctl)}


def test_a_value_that_is_changed_back_holds_again(call_memctl, page):
    for text in (NOTES, NOTES.replace("24 hours", "36 hours"), NOTES):
        page.write_text(text)
        call_memctl("ingest", page)
    [hit, *_] = call_memctl("recall", "how long does the glue need", "--json").json["results"]
    assert "24 hours" in hit["content"]


@pytest.mark.parametrize(
    "words",
    [
        "ingest",
        "ingest --watch --status",
        "ingest --print",
        "ingest --watch --retry",
        "ingest --status --retry",
        "ingest a --forget-source b",
        "ingest a --estimate --dry-run",
    ],
)
def test_options_that_make_no_sense_together_are_2(call_memctl, words):
    assert "cannot run `memctl ingest`" in call_memctl(*shlex.split(words), status=2).stderr


@pytest.mark.parametrize(
    ("name", "data", "status", "code"),
    [
        ("broken.pdf", b"no PDF", "unreadable", 1),
        ("nul.txt", b"some text\0\0\0and more\0", "unreadable", 1),
        ("program.txt", b"\x7fELF\x02\x01\x01" + bytes(200), "unsupported", 1),
        ("empty.txt", b"", "unchanged", 0),
    ],
)
def test_a_file_that_cannot_be_taken_in_is_said_to_be_so_again(
    call_memctl, tmp_path, name, data, status, code
):
    """With the same reason and the same exit status, as long as it is as it was."""
    (tmp_path / name).write_bytes(data)
    first = call_memctl("ingest", name, status=code).stdout
    again = call_memctl("ingest", name, status=code).stdout
    assert again == first.replace("\tempty\t", "\tunchanged\t")
    assert f"\t{status}\t" in again


def test_an_estimate_without_a_model_is_3(call_memctl, page):
    assert "llm.model" in call_memctl("ingest", page, "--estimate", status=3).stderr


def test_the_service_runs_this_store_and_these_folders_and_holds_no_key(
    call_memctl, page, memctl_environment, isolated_environment, store_path, tmp_path
):
    """Where no systemd answers, a line for cron does, and nothing is written; `--print` shows what
    would be done, in the same keys."""
    folder = page.parent.rename(page.parent.with_name("my 100% notes"))
    environment = {
        "OPENAI_API_KEY": "sk-secret",
        "MEMCTL_LLM_MODEL": "gpt-5-mini",
        "PATH": str(tmp_path),
    }

    def install(*words):
        return call_memctl("ingest", "--install-service", *words, folder, environment=environment)

    unit = isolated_environment / ".config" / "systemd" / "user" / "memctl-ingest.service"
    cron = install()
    assert "no systemd of yours answers here" in cron.stderr
    assert cron.stdout.startswith("@reboot env MEMCTL_LLM_MODEL=gpt-5-mini ")
    assert cron.stdout.endswith(f"ingest --watch '{folder}'\n".replace("%", "\\%"))
    assert install("--print").stdout == cron.stdout
    assert install("--json").json == install("--print", "--json").json
    systemctl = tmp_path / "systemctl"
    systemctl.write_text("#!/bin/sh\n")
    systemctl.chmod(0o755)
    shown = install("--print").stdout
    assert f'"--store" "{store_path}" "ingest" "--watch"' in shown
    assert '"MEMCTL_LLM_MODEL=gpt-5-mini"' in shown
    assert "my 100%% notes" in shown
    assert "sk-secret" not in shown
    printed = install("--print", "--json").json
    assert not unit.exists()
    written = install()
    assert "systemctl --user enable --now memctl-ingest.service" in written.stdout
    assert unit.read_text() in shown
    assert install("--json").json == {**printed, "written": True}


def test_a_renamed_file_takes_its_memories_along(call_memctl, page):
    """The document has the new path, nothing is extracted again, and nothing is missed."""
    call_memctl("ingest", page)
    before = memories(call_memctl)
    renamed = page.rename(page.with_name("bench.md"))
    result = call_memctl("ingest", page.parent, "--json")
    [document] = result.json["documents"]
    assert (document["path"], document["renamed_from"]) == (str(renamed), str(page))
    assert (document["already_ingested"], document["memories"]) == (True, [])
    assert result.json["gone"] == []
    assert {memory["id"] for memory in memories(call_memctl)} == {one["id"] for one in before}
    [row] = call_memctl("ingest", "--status", page.parent, "--json").json["documents"]
    assert (row["path"], row["gone"]) == (str(renamed), False)
    [hit, *_] = call_memctl("recall", "how long does the glue dry", "--json").json["results"]
    assert hit["citation"]["path"] == str(renamed)


def test_a_copied_file_is_a_document_of_its_own(call_memctl, page):
    """Only a file whose old path is empty was renamed."""
    call_memctl("ingest", page)
    page.with_name("copy.md").write_text(NOTES, encoding="utf-8")
    documents = call_memctl("ingest", page.parent, "--json").json["documents"]
    assert [document["renamed_from"] for document in documents] == [None, None]
    assert len(call_memctl("ingest", "--status", page.parent, "--json").json["documents"]) == 2


def test_a_file_that_was_renamed_and_changed_is_gone_and_new(call_memctl, page):
    """Other bytes are another document: what the old one said stays until it is forgotten."""
    call_memctl("ingest", page)
    page.rename(page.with_name("bench.md")).write_text("- The vice is a Record.\n")
    result = call_memctl("ingest", page.parent, "--json").json
    assert result["gone"] == [str(page)]
    assert len(memories(call_memctl)) == 3


def test_a_file_that_is_gone_is_missed_and_its_memories_stay(call_memctl, page):
    """`ingest` of its folder, `--status` and `doctor` say so and name what would hide them."""
    call_memctl("ingest", page)
    (page.parent / "other.md").write_text("- The vice is a Record.\n")
    page.unlink()
    said = call_memctl("ingest", page.parent).stderr
    assert "1 file that was taken in is gone, and what was said there stays" in said
    assert "--forget-source PATH" in said
    assert len(memories(call_memctl)) == 3
    assert "its file is gone" in call_memctl("ingest", "--status").stdout
    doctor = call_memctl("doctor")
    assert "note: 1 file that memories come from is gone" in doctor.stdout
    assert str(page) in doctor.stdout

    call_memctl("ingest", "--forget-source", page)
    assert len(memories(call_memctl)) == 1
    assert "gone" not in call_memctl("ingest", page.parent).stderr
    assert "gone" not in call_memctl("doctor").stdout


def test_a_broken_file_that_was_removed_is_no_finding(call_memctl, page):
    """Removing it is one of the two things that the doctor advises."""
    broken = page.parent / "broken.pdf"
    broken.write_bytes(b"%PDF-1.4 nothing")
    call_memctl("ingest", page.parent, status=7)
    assert "1 file could not be taken in" in call_memctl("doctor", status=1).stdout
    broken.unlink()
    call_memctl("doctor")


def test_a_dry_run_of_forgetting_a_source_names_what_it_would_hide(call_memctl, page):
    """Each memory with its id, and not what another file states too."""
    call_memctl("ingest", page)
    (page.parent / "other.md").write_text("- We chose oak for the bench.\n", encoding="utf-8")
    call_memctl("ingest", page.parent)
    told = call_memctl("ingest", "--forget-source", page, "--dry-run").stdout.splitlines()
    [glue] = [one for one in memories(call_memctl) if "glue" in one["content"]]
    assert told == [
        f"Would hide: {glue['id'][:8]}  {glue['content']}",
        "would forget 1 file and hide 1 memory that nothing else states",
    ]
    assert len(memories(call_memctl)) == 2


def test_a_retry_in_the_drop_folder_takes_the_note_away(call_memctl, page, memctl_environment):
    """Where the file was put right in `failed/` itself; the words of others stay."""
    drop = page.parent
    memctl_environment["MEMCTL_INGEST_DROP_FOLDER"] = str(drop)
    failed = drop / "failed"
    failed.mkdir()
    for name in ("one.txt", "two.txt"):
        (failed / name).touch()
        call_memctl("ingest", failed / name)
        (failed / name).write_text(f"The oven {name} is from 1974.\n")
    notes = [failed / "one.txt.error.txt", failed / "two.txt.error.txt"]
    notes[0].write_text("one.txt was not taken in: empty.\n")
    notes[1].write_text("my own words about two.txt\n")
    for name in ("one.txt", "two.txt"):
        call_memctl("ingest", "--retry", failed / name)
    assert [note.exists() for note in notes] == [False, True]
