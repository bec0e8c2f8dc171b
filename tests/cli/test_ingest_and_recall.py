"""Files become memories that recall finds, and a second run changes nothing."""

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from memctl.search.gate import PASS_THRESHOLD

NOTES = """\
# Workshop

Hello there! How are you?

## Decisions
- We chose oak for the bench.
- 2026-03-14: we decided to close on Mondays.

## Todo
- [ ] order 300 paper bags
- [x] sweep the flue
"""


@pytest.fixture
def notes(tmp_path):
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "workshop.md").write_text(NOTES, encoding="utf-8")
    return folder


def ingest(call_memctl, *arguments, **options):
    return call_memctl("ingest", *arguments, "--json", **options).json["documents"]


def test_a_note_becomes_typed_memories_with_dates_and_lines(call_memctl, notes):
    [document] = ingest(call_memctl, notes)
    assert document["status"] == "done"
    memories = call_memctl("list", "--json").json["memories"]
    by_text = {memory["content"]: memory for memory in memories}
    assert set(document["memories"]) == {memory["id"] for memory in memories}

    def the(words):
        [found] = [memory for text, memory in by_text.items() if words in text]
        return found

    assert the("oak")["memory_type"] == "decision"
    assert the("Mondays")["event_at"] == "2026-03-14"
    assert the("paper bags")["memory_type"] == "todo"
    assert the("flue")["memory_type"] == "event"
    assert not [text for text in by_text if "Hello" in text]
    citation = the("oak")["citation"]
    assert citation["path"].endswith("workshop.md")
    assert (citation["first_line"], citation["last_line"]) == (6, 6)
    assert the("oak")["origin"] == "file"


def test_recall_finds_it_by_meaning_and_by_keyword_and_cites_the_line(call_memctl, notes):
    ingest(call_memctl, notes)
    for query in ("which wood did we pick?", "oak"):
        [first, *_] = call_memctl("recall", query, "--json").json["results"]
        assert "oak" in first["content"]
    assert "workshop.md:6" in call_memctl("recall", "oak").stdout
    shown = call_memctl("show", first["id"]).stdout
    assert "| - We chose oak for the bench." in shown


def test_a_query_may_come_by_stdin(call_memctl, notes):
    """A dash is no query of its own."""
    call_memctl("ingest", notes)
    [memory, *_] = call_memctl("list", "--json").json["memories"]
    found = call_memctl("recall", "-", "--json", stdin=memory["content"] + "\n").json
    assert found["query"] == memory["content"]
    assert found["results"][0]["id"] == memory["id"]


def test_a_second_run_leaves_everything_as_it_is(call_memctl, notes):
    ingest(call_memctl, notes)
    before = call_memctl("list", "--json").json
    [document] = ingest(call_memctl, notes)
    assert document["already_ingested"] is True
    assert call_memctl("list", "--json").json == before


def test_a_changed_file_hides_what_it_no_longer_says(call_memctl, notes):
    ingest(call_memctl, notes)
    kept = call_memctl("recall", "paper bags", "--json").json["results"][0]["id"]
    file = notes / "workshop.md"
    file.write_text(file.read_text().replace("- We chose oak for the bench.\n", ""))
    [document] = ingest(call_memctl, notes)
    assert document["hidden"] == 1
    contents = [memory["content"] for memory in call_memctl("list", "--json").json["memories"]]
    assert not [content for content in contents if "oak" in content]
    assert call_memctl("show", kept, "--json").json["citation"]["first_line"] == 9
    [hidden] = call_memctl("list", "--forgotten", "--json").json["memories"]
    assert "oak" in hidden["content"]
    call_memctl("restore", hidden["id"])
    assert "oak" in call_memctl("list").stdout


def test_what_the_user_forgot_does_not_come_back_with_the_file(call_memctl, notes):
    ingest(call_memctl, notes)
    [first, *_] = call_memctl("recall", "oak", "--json").json["results"]
    call_memctl("forget", first["id"])
    (notes / "workshop.md").write_text(NOTES + "\n- The lamp is brass.\n")
    ingest(call_memctl, notes)
    assert "oak" not in call_memctl("list").stdout
    assert "lamp" in call_memctl("list").stdout


def test_a_dry_run_shows_the_candidates_and_stores_nothing(call_memctl, notes, store_path):
    [document] = ingest(call_memctl, notes, "--dry-run")
    types = {candidate["content"]: candidate["memory_type"] for candidate in document["candidates"]}
    assert "todo" in types.values()
    assert all(candidate["first_line"] for candidate in document["candidates"])
    assert not store_path.exists()
    assert "paper bags" in call_memctl("ingest", notes, "--dry-run").stdout


def test_a_dry_run_tells_known_files_as_the_real_run_does(call_memctl, notes):
    """A dry run says of unchanged, renamed and changed files what the real run then says."""
    ingest(call_memctl, notes)
    for change in ("none", "renamed", "edited"):
        if change == "renamed":
            (notes / "workshop.md").rename(notes / "shed.md")
        if change == "edited":
            (notes / "shed.md").write_text(NOTES + "\n- The lamp is brass.\n")
        told, real = (
            [
                (one["path"], one["status"], one["already_ingested"], one["renamed_from"])
                for one in ingest(call_memctl, notes, *words)
            ]
            for words in (["--dry-run"], [])
        )
        assert told == real
        assert [known for _, _, known, _ in real if not known] == [False] * (change == "edited")


COUNTS = ("status", "types", "unchanged", "updated", "hidden")


def test_a_dry_run_foresees_what_the_real_run_then_does_with_statements(call_memctl, tmp_path):
    """New ones, known ones, changed values, edited lines, ticked todos and what is gone: of files
    that were taken in and of new ones, the same counts are told, and nothing is stored."""
    folder = tmp_path / "house"
    folder.mkdir()
    versions = [
        {"a.md": "# Shed\n\n- The oak door is red.\n- [ ] Hire the van\n- The key hangs left.\n"},
        {
            "a.md": "# Shed\n\n- The oak door is blue.\n- [x] Hire the van\n",
            "b.md": "- The key hangs left.\n- The lamp in the hall is brass.\n",
        },
        {
            "a.md": "# Shed\n\n- [ ] Hire the van\n- The oak door is blue.\n",
            "c.md": "- Ada bakes.\n",
        },
        {"a.md": "", "c.md": "- Ada bakes.\n- The lamp in the hall is brass.\n- Bo sings.\n"},
    ]
    for files in versions:
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8")
        told, real = (
            [[one[count] for count in COUNTS] for one in ingest(call_memctl, folder, *words)]
            for words in (["--dry-run"], [])
        )
        assert told == real


@pytest.mark.parametrize(
    ("name", "data", "status", "code"),
    [
        ("empty.txt", b"", "empty", 0),
        ("blank.txt", b" \n\t\n", "empty", 0),
        ("program.txt", b"\x7fELF\x02\x01\x01" + bytes(200), "unsupported", 1),
        ("nul.txt", b"some text\0\0\0and more\0", "unreadable", 1),
        ("cut.pdf", b"%PDF-1.7\n1 0 obj\n<< /Type", "unreadable", 1),
        ("picture.png", b"\x89PNG\r\n\x1a\n" + bytes(50), "unsupported", 1),
    ],
)
def test_a_file_that_gives_nothing_has_a_named_status_and_a_reason(
    call_memctl, tmp_path, name, data, status, code
):
    (tmp_path / name).write_bytes(data)
    [document] = ingest(call_memctl, tmp_path / name, status=code)
    assert document["status"] == status
    assert document["reason"]
    assert (tmp_path / name).read_bytes() == data


@pytest.mark.parametrize(
    ("encoding", "text", "words"),
    [
        ("utf-16", "The yeast fridge is set to 3 degrees Θερμοκρασία.", "Θερμοκρασία"),
        (
            "shift_jis",
            "食パンの値段は四百円から四百二十円に上がりました。日曜日は休みです。",
            "四百二十円",
        ),
        ("latin-1", "La pâte repose dix-huit heures au frais, à quatre degrés.", "pâte"),
    ],
)
def test_texts_in_other_encodings_are_read_right(call_memctl, tmp_path, encoding, text, words):
    (tmp_path / "note.txt").write_bytes(text.encode(encoding))
    [document] = ingest(call_memctl, tmp_path / "note.txt")
    assert document["status"] == "done"
    assert words in call_memctl("list", "--json").stdout


def test_an_unreadable_file_is_named_and_the_others_are_stored(call_memctl, notes, monkeypatch):
    secret = notes / "locked.md"
    secret.write_text("- The key is under the mat.\n")
    secret.chmod(0)
    if _can_read(secret):
        pytest.skip("this user may read everything")
    documents = ingest(call_memctl, notes, status=7)
    statuses = {document["path"].rsplit("/", 1)[1]: document["status"] for document in documents}
    assert statuses == {"locked.md": "unreadable", "workshop.md": "done"}


def _can_read(path):
    try:
        path.read_bytes()
    except PermissionError:
        return False
    return True


def test_secrets_of_a_file_reach_no_byte_of_the_store(call_memctl, tmp_path, store_path):
    secret = "AKIA" + "FAKE" * 4
    (tmp_path / "keys.md").write_text(f"- The upload key is {secret} for the mirror.\n")
    [document] = ingest(call_memctl, tmp_path / "keys.md")
    assert document["redactions"] == 1
    for file in store_path.rglob("*"):
        assert file.is_dir() or secret.encode() not in file.read_bytes()


@pytest.mark.parametrize("query", ["?!…", "***", "'\"", ":", "()"])
def test_a_query_of_punctuation_alone_finds_nothing_and_says_so(call_memctl, notes, query):
    ingest(call_memctl, notes)
    result = call_memctl("recall", query, "--json")
    assert result.json["results"] == []
    assert result.json["warnings"]


def test_passages_are_found_word_for_word_where_nothing_was_extracted(call_memctl, tmp_path):
    (tmp_path / "chat.txt").write_text("Hello! Could you check whether the zeppelin is inflated?\n")
    [document] = ingest(call_memctl, tmp_path / "chat.txt")
    assert document["memories"] == []
    [hit] = call_memctl("recall", "zeppelin", "--kind", "chunk", "--json").json["results"]
    assert hit["kind"] == "chunk"
    assert "zeppelin" in hit["content"]
    assert hit["citation"]["first_line"] == 1


@pytest.mark.slow
def test_a_missing_model_keeps_nothing_from_being_stored_and_found(call_memctl, notes):
    environment = {"MEMCTL_EMBEDDING_MODEL": "no/such-model"}
    result = call_memctl("ingest", notes, "--json", environment=environment)
    assert result.json["documents"][0]["status"] == "done"
    assert "no/such-model" in result.stderr
    found = call_memctl("recall", "paper bags", "--json", environment=environment)
    assert "paper bags" in found.json["results"][0]["content"]
    assert any("keyword" in warning for warning in found.json["warnings"])
    again = call_memctl("recall", "which wood did we pick?", "--json").json["results"]
    assert "oak" in again[0]["content"]


@pytest.mark.slow
def test_the_order_of_an_answer_is_the_same_in_another_process(call_memctl, run_memctl, notes):
    ingest(call_memctl, notes)
    first = [hit["id"] for hit in call_memctl("recall", "bench bags", "--json").json["results"]]
    second = [hit["id"] for hit in run_memctl("recall", "bench bags", "--json").json["results"]]
    assert first == second
    assert first


def test_nobody_else_can_read_the_store(run_memctl, call_memctl, notes, store_path):
    run_memctl("ingest", notes)
    call_memctl("recall", "oak")
    for path in [store_path, *store_path.rglob("*")]:
        assert path.stat().st_mode & 0o077 == 0, path


def test_an_ingest_killed_before_the_index_was_written_is_indexed_by_the_next(
    call_memctl, notes, monkeypatch
):
    from memctl.store.memory_store import MemoryStore

    def die(*_arguments, **_options):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(MemoryStore, "drain", die)
        call_memctl("ingest", notes, status=130)
    assert call_memctl("status", "--json").json["pending"] > 0
    call_memctl("ingest", notes)
    status = call_memctl("status", "--json").json
    assert status["pending"] == 0
    assert status["indexed_memories"] == status["memories"]


LIGHT_COMMANDS_SCRIPT = """
import sys
from memctl.cli.main import main
from memctl.cli.session import Streams
heavy = {"lancedb", "pyarrow", "numpy", "fastembed", "onnxruntime", "litellm", "pypdf", "chardet",
         "rich", "fontTools"}
for words in (["--help"], ["list"], ["show", sys.argv[1]], ["recall", "--mode", "recent"]):
    code = main(words, Streams.of_process())
    loaded = heavy & set(sys.modules)
    if code or loaded:
        sys.exit(f"{words}: exit status {code}, loaded {loaded}")
"""


def test_light_commands_load_nothing_heavy(call_memctl, memctl_environment):
    saved = call_memctl("save", "The oven is from 1974", "--json").json["id"]
    process = subprocess.run(
        [sys.executable, "-c", LIGHT_COMMANDS_SCRIPT, saved],
        env=memctl_environment,
        capture_output=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr.decode()


def test_nothing_found_names_the_way_to_the_nearest(call_memctl):
    """Unless that is what was asked for, or no gate was in the way."""
    call_memctl("save", "The cat sleeps in the cellar")
    hint = "`--min-score 0`"
    assert hint in call_memctl("recall", "zebra crossings on the moon").stderr
    assert call_memctl("recall", "zebra crossings on the moon", "--min-score", "0").stdout
    recent = call_memctl("recall", "--mode", "recent", "--tag", "none")
    assert "nothing found" in recent.stderr
    assert hint not in recent.stderr


def test_a_recall_from_an_empty_store_says_that_it_is_empty(call_memctl, tmp_path):
    """In JSON nothing more is said; a store with passages alone is not empty."""
    call_memctl("forget", call_memctl("save", "Tea at four", "--json").json["id"])
    for words in (["tea"], ["--mode", "recent"]):
        found = call_memctl("recall", *words)
        assert (found.stdout, found.stderr) == ("", "memctl: nothing found: the store is empty\n")
        assert call_memctl("recall", *words, "--json").json["warnings"] == []
    (tmp_path / "note.txt").write_text("Hm.\n")
    call_memctl("ingest", tmp_path / "note.txt")
    assert "empty" not in call_memctl("recall", "--mode", "recent", "--tag", "none").stderr


def test_nothing_found_names_the_list_of_the_type_that_is_asked_for(call_memctl):
    call_memctl("save", "Call the plumber", "--type", "todo")
    assert "`memctl list --type todo`" in call_memctl("recall", "what is still to be done?").stderr
    assert "list --type" not in call_memctl("recall", "zebra crossings on the moon").stderr


def test_the_help_says_the_threshold_that_counts_where_none_is_given(call_memctl):
    assert f"default: {PASS_THRESHOLD}" in " ".join(call_memctl("recall", "--help").stdout.split())


def test_the_store_is_no_document_and_the_drop_folder_in_it_is(call_memctl, store_path, tmp_path):
    """Whether a folder around it is named, itself, or one of its files; it is said once."""
    call_memctl("save", "Tea at four")
    drop = store_path / "drop"
    drop.mkdir()
    (drop / "note.md").write_text("- The vice is a Record.\n")
    environment = {"MEMCTL_INGEST_DROP_FOLDER": str(drop)}
    for path in (store_path.parent, store_path):
        result = call_memctl("ingest", path, "--json", environment=environment)
        taken = [one["path"] for one in result.json["documents"] if one["status"] == "done"]
        assert taken == [str(drop / "note.md")]
        assert result.json["warnings"] == [f"{store_path} was left out: it belongs to the store"]
    named = call_memctl("ingest", store_path / "memctl.db", environment=environment)
    assert "memctl.db was left out: it belongs to the store" in named.stderr


@pytest.mark.slow
def test_a_pipe_of_the_shell_is_no_document_as_any_other_pipe(
    memctl_command, memctl_environment, store_path, tmp_path
):
    """It is named with its reason, and no path that is missing."""
    os.mkfifo(tmp_path / "pipe")
    words = " ".join([*memctl_command, "--store", str(store_path), "ingest --json"])
    for path in ("<(echo tea)", "pipe"):
        process = subprocess.run(
            ["bash", "-c", f"{words} {path}"],
            cwd=tmp_path,
            env=memctl_environment,
            capture_output=True,
            check=False,
            text=True,
        )
        assert process.returncode == 1, process.stderr
        [document] = json.loads(process.stdout)["documents"]
        assert (document["status"], document["reason"]) == (
            "unsupported",
            "it is a named pipe, not a file",
        )


def test_a_path_that_may_not_be_read_keeps_nothing_from_the_others(
    call_memctl, notes, tmp_path, monkeypatch
):
    """The others are taken in, and the exit status says that one was not."""
    closed = tmp_path / "closed.md"
    closed.write_text("- The vice is a Record.\n")
    opened, access = os.open, os.access

    def refuse(path, *rest, **options):
        if Path(path) == closed:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return opened(path, *rest, **options)

    monkeypatch.setattr(os, "open", refuse)
    monkeypatch.setattr(os, "access", lambda path, mode: path != str(closed) and access(path, mode))
    documents = call_memctl("ingest", notes, closed, "--json", status=7).json["documents"]
    assert [one["status"] for one in documents] == ["done", "unreadable"]
    assert call_memctl("ingest", closed, "--json", status=1).json["documents"][0]["reason"]


def test_a_time_of_day_without_a_zone_is_the_machines_own(run_memctl, tmp_path):
    """``14:20`` in a note of one who lives in Brussels is 13:20 UTC in winter, 12:20 in summer."""
    (tmp_path / "log.md").write_text(
        "# Log\n\n- 2026-01-14 14:20: the kiln cracked.\n- 2026-07-14 14:20: we fired the urn.\n"
    )
    run_memctl("ingest", tmp_path / "log.md", environment={"TZ": "Europe/Brussels"})
    memories = run_memctl("list", "--json").json["memories"]
    assert {one["content"]: one["event_at"] for one in memories} == {
        "the kiln cracked.": "2026-01-14T13:20:00+00:00",
        "we fired the urn.": "2026-07-14T12:20:00+00:00",
    }
