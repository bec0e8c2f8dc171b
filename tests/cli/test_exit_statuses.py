"""Every exit status, by the error that a user would meet."""

import json
import signal
import sqlite3
import subprocess
import time

import pytest

from memctl.errors import ExitCode


def start(memctl_command, memctl_environment, *arguments):
    return subprocess.Popen(
        [*memctl_command, *arguments],
        env=memctl_environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def assert_one_clear_error(result):
    first = result.stderr.splitlines()[0]
    assert first.startswith("memctl: cannot ")
    assert "Traceback" not in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("arguments", "name", "status"),
    [
        (["show", "ffff"], "unknown_memory", 4),
        (["recall", "x", "--since", "never"], "usage", 2),
        (["list", "--nonsense"], "command_line", 2),
        (["list", "--limit", "ten"], "command_line", 2),
        (["frobnicate"], "command_line", 2),
        (["ingest"], "command_line", 2),
        (["config", "set", "recall.limit", "none"], "invalid_setting", 3),
        (["list", "--config", "none.toml"], "configuration", 3),
        (["restore-backup", "none.tar"], "missing_path", 4),
    ],
)
def test_with_json_an_error_is_an_object_on_stdout_and_the_same_lines_on_stderr(
    call_memctl, arguments, name, status
):
    for words in (["--json", *arguments], [*arguments, "--json"]):
        result = call_memctl(*words, status=status)
        error = result.json["error"]
        assert (error["name"], error["exit_status"]) == (name, status)
        said = f"memctl: {error['message']}\n"
        if error["next_step"] is not None:
            said += f"  {error['next_step']}\n"
        assert result.stderr == said
    assert_one_clear_error(call_memctl(*arguments, status=status))


@pytest.mark.parametrize(
    "words",
    [["list", "--limit"], ["ingest", "--tag"], ["ingest", "--forget-source"], ["save", "--type"]],
)
def test_an_option_without_its_value_names_its_command(call_memctl, words):
    said = call_memctl(*words, status=2).stderr.splitlines()
    assert said[0].startswith(f"memctl: cannot run `memctl {words[0]}`: Option '{words[1]}'")
    assert f"`memctl {words[0]} --help`" in said[1]


def test_an_option_before_the_command_without_its_value_names_memctl(call_memctl):
    assert "cannot run `memctl`: " in call_memctl("--store", status=2).stderr


@pytest.mark.parametrize("address", ["https://example.com/a.md", "HTTP://example.com"])
def test_an_address_is_no_path(call_memctl, tmp_path, address):
    """Whatever else is named, nothing is taken in, and one line says what to do."""
    (tmp_path / "a.md").write_text("- Ada owns shed 3.\n")
    said = call_memctl("ingest", tmp_path, address, status=2).stderr.splitlines()
    assert said[0].endswith("nothing is fetched from an address")
    assert "Save the page as a file" in said[1]


def test_an_error_ends_the_objects_of_a_command_that_prints_one_a_line(call_memctl, monkeypatch):
    from memctl.runtime import Runtime

    recall = Runtime.recall
    call_memctl("save", "The oven is from 1974")

    def answer_the_first_one(runtime, request):
        if request.query != "oven":
            raise ZeroDivisionError("made up")
        return recall(runtime, request)

    monkeypatch.setattr(Runtime, "recall", answer_the_first_one)
    result = call_memctl("recall", "--batch", "-", "--json", stdin="oven\nkiln\n", status=1)
    answer, fault = result.json_lines
    assert answer["query"] == "oven"
    assert fault["error"]["name"] == "fault"


def test_an_answer_is_left_readable_by_what_fails_after_it(call_memctl, monkeypatch):
    """One object is promised, and the exit status tells the rest."""
    from memctl.runtime import Runtime

    def fail(*_arguments):
        raise ZeroDivisionError("made up")

    call_memctl("save", "The oven is from 1974")
    monkeypatch.setattr(Runtime, "record_accesses", fail)
    result = call_memctl("recall", "oven", "--json", status=1)
    assert "error" not in result.json
    assert "made up" in result.stderr


def test_json_behind_two_dashes_asks_for_no_object(call_memctl):
    assert_one_clear_error(call_memctl("list", "--nonsense", "--", "--json", status=2))


def test_done_is_0_and_so_is_an_empty_answer(call_memctl):
    call_memctl("save", "The oven is from 1974", status=0)
    assert call_memctl("recall", "zebra crossings on the moon", "--json").json["results"] == []
    assert call_memctl("list", "--type", "goal").returncode == ExitCode.OK


def test_an_input_that_cannot_be_taken_is_1(call_memctl, tmp_path):
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7\n1 0 obj\n<<")
    result = call_memctl("ingest", tmp_path / "broken.pdf", "--json", status=1)
    [document] = result.json["documents"]
    assert document["status"] == "unreadable"
    assert document["reason"]


@pytest.mark.parametrize(
    "arguments",
    [["frobnicate"], ["save"], ["list", "--nonsense"], ["recall"], ["config", "frob"], ["ingest"]],
)
def test_wrong_usage_is_2(call_memctl, arguments):
    result = call_memctl(*arguments, status=2)
    assert_one_clear_error(result)
    assert "--help" in result.stderr or "mode recent" in result.stderr or "actions" in result.stderr


def test_wrong_configuration_is_3(call_memctl, tmp_path):
    (tmp_path / "c.toml").write_text("[recall]\nlimit = 0\nlimitt = 3\n")
    result = call_memctl("--config", tmp_path / "c.toml", "list", status=3)
    assert_one_clear_error(result)
    assert "recall.limit is 0 and must be at least 1" in result.stderr
    assert "recall.limitt is no setting" in result.stderr


def test_what_does_not_exist_is_4(call_memctl, tmp_path):
    assert_one_clear_error(call_memctl("show", "abcdef12", status=4))
    result = call_memctl("ingest", tmp_path / "missing.md", status=4)
    assert_one_clear_error(result)
    assert "missing.md" in result.stderr


def test_a_store_of_a_newer_version_is_5_and_stays_as_it_is(call_memctl, store_path):
    call_memctl("save", "The oven is from 1974")
    connection = sqlite3.connect(store_path / "memctl.db")
    connection.execute("UPDATE meta SET value = '999' WHERE key = 'schema_version'")
    connection.commit()
    connection.close()
    before = (store_path / "memctl.db").read_bytes()
    result = call_memctl("list", status=5)
    assert_one_clear_error(result)
    assert "999" in result.stderr
    assert "Upgrade memctl" in result.stderr
    assert (store_path / "memctl.db").read_bytes() == before


def test_a_file_that_is_no_database_is_5(call_memctl, store_path):
    store_path.mkdir()
    (store_path / "memctl.db").write_bytes(b"this is not a database at all" * 100)
    assert_one_clear_error(call_memctl("list", status=5))
    assert (store_path / "memctl.db").read_bytes().startswith(b"this is not")


def test_a_store_where_a_file_is_in_the_way_is_5(call_memctl, store_path):
    store_path.write_text("a file")
    assert_one_clear_error(call_memctl("save", "x", status=5))
    assert store_path.read_text() == "a file"


def test_a_language_model_that_cannot_be_asked_is_6(call_memctl, tmp_path):
    (tmp_path / "note.md").write_text("The oven is from 1974.\n")
    environment = {
        "MEMCTL_LLM_MODEL": "openai/none",
        "MEMCTL_LLM_API_BASE": "http://127.0.0.1:9/v1",
        "MEMCTL_LLM_MAX_RETRIES": "0",
        "OPENAI_API_KEY": "none",
    }
    result = call_memctl(
        "ingest", tmp_path / "note.md", "--json", environment=environment, status=6
    )
    [document] = result.json["documents"]
    assert document["status"] == "pending"
    assert "openai/none" in document["reason"]
    again = call_memctl("ingest", tmp_path / "note.md", "--json").json["documents"][0]
    assert (again["status"], len(again["memories"])) == ("done", 1)


def test_some_inputs_failed_and_the_others_were_stored_is_7(call_memctl, tmp_path):
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "good.md").write_text("The oven is from 1974.\n")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7\n1 0 obj\n<<")
    result = call_memctl("ingest", folder, "--json", status=7)
    statuses = {row["path"].rsplit("/", 1)[1]: row["status"] for row in result.json["documents"]}
    assert statuses == {"good.md": "done", "broken.pdf": "unreadable"}
    assert len(call_memctl("list", "--json").json["memories"]) == 1


def test_a_path_that_is_missing_among_others_is_7_and_is_named(call_memctl, tmp_path):
    """The others are taken in; where all are missing nothing is, and the status is 4."""
    good, missing = tmp_path / "good.md", tmp_path / "missing.md"
    good.write_text("The oven is from 1974.\n")
    said = f"{missing} was left out: there is no such file or folder"
    for words in (["--dry-run"], []):
        result = call_memctl("ingest", missing, good, "--json", *words, status=7)
        assert result.stderr == f"memctl: warning: {said}\n"
        assert result.json["warnings"] == [said]
        first, second = result.json["documents"]
        assert (first["path"], first["status"]) == (str(missing), "failed")
        assert first["reason"] == "there is no such file or folder"
        assert (second["path"], second["status"]) == (str(good), "done")
    shown = call_memctl("ingest", missing, good, status=7)
    assert f"{missing}\tfailed\t\tthere is no such file or folder" in shown.stdout
    assert "2 files, 0 memories stored; 1 not taken in: 1 failed" in shown.stderr
    assert call_memctl("ingest", missing, tmp_path / "other.md", status=4).stdout == ""
    assert len(call_memctl("list", "--json").json["memories"]) == 1
    assert len(call_memctl("ingest", "--status", "--json").json["documents"]) == 1


def test_a_store_that_another_process_holds_is_75_and_names_it(call_memctl, store_path):
    call_memctl("list")
    connection = sqlite3.connect(store_path / "memctl.db", isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    started = time.monotonic()
    result = call_memctl("save", "x", environment={"MEMCTL_STORE_WAIT_SECONDS": "0.3"}, status=75)
    assert time.monotonic() - started < 10
    assert_one_clear_error(result)
    assert "holds it" in result.stderr
    connection.execute("ROLLBACK")
    connection.close()
    call_memctl("save", "x")


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, ExitCode.INTERRUPTED), (signal.SIGTERM, 143)]
)
def test_signals_end_quietly_with_their_status(
    memctl_command, memctl_environment, call_memctl, number, status
):
    call_memctl("list")
    process = start(memctl_command, memctl_environment, "save", "-")
    assert process.stdin is not None
    process.stdin.write(b"half a ")
    process.stdin.flush()
    time.sleep(0.8)
    process.send_signal(number)
    assert process.wait(timeout=20) == status
    assert b"Traceback" not in process.stderr.read()
    assert call_memctl("list", "--json").json["memories"] == []


@pytest.mark.slow
def test_a_reader_that_goes_away_is_no_error(memctl_command, memctl_environment, call_memctl):
    rows = [json.dumps({"content": f"Tray {number} " + "is clean " * 8_000}) for number in range(3)]
    call_memctl("import", "-", stdin="\n".join(rows))
    process = start(memctl_command, memctl_environment, "list", "--limit", "100", "--json")
    assert process.stdout is not None
    process.stdout.read(10)
    process.stdout.close()
    assert process.wait(timeout=20) == 0
    assert process.stderr.read() == b""


def test_an_internal_fault_is_one_line_and_a_traceback_only_with_debug(call_memctl, monkeypatch):
    from memctl.store.light_graph import LightGraph

    def fail(*_arguments, **_options):
        raise ZeroDivisionError("made up")

    call_memctl("status")
    monkeypatch.setattr(LightGraph, "list_memories", fail)
    result = call_memctl("list", status=1)
    assert_one_clear_error(result)
    assert "ZeroDivisionError: made up" in result.stderr
    assert "Traceback" in call_memctl("list", "--debug", status=1).stderr


@pytest.mark.slow
def test_two_processes_that_save_at_once_lose_nothing(
    memctl_command, memctl_environment, call_memctl
):
    call_memctl("list")
    processes = [
        start(memctl_command, memctl_environment, "save", f"Tray {n} is clean", "--type", "fact")
        for n in range(2)
    ]
    results = [process.communicate(timeout=60) for process in processes]
    assert [process.returncode for process in processes] == [0] * 2, results
    listed = call_memctl("list", "--json").json["memories"]
    assert {memory["content"] for memory in listed} == {f"Tray {n} is clean" for n in range(2)}
    status = json.loads(call_memctl("status", "--json").stdout)
    assert status["pending"] == 0
    assert status["indexed_memories"] == 2


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        (["recal", "tea"], "there is no command 'recal'; perhaps you mean recall"),
        (["remove", "3fa9"], "there is no command 'remove'; perhaps you mean forget\n"),
        (["delete"], "there is no command 'delete'; perhaps you mean forget\n"),
        (["find", "tea"], "there is no command 'find'; perhaps you mean recall\n"),
        (["ask", "tea"], "there is no command 'ask'; perhaps you mean recall\n"),
        (["add", "tea"], "there is no command 'add'; perhaps you mean save\n"),
        (["help", "remember"], "there is no command 'remember'; perhaps you mean save\n"),
        (["where"], "there is no command 'where'; perhaps you mean status or config path\n"),
        (["stop"], "there is no command 'stop'; perhaps you mean serve --stop\n"),
        (
            ["edit", "3fa9", "--text", "x"],
            "there is no option --text; perhaps you mean --content\n",
        ),
        (["recall", "x", "--top-k", "3"], "no option --top-k; perhaps you mean --limit\n"),
        (["--debug", "lst"], "there is no command 'lst'; perhaps you mean list"),
        (["xyzzy"], "there is no command 'xyzzy'\n"),
        (["recall", "-billing"], "words that begin with a dash stand after --"),
    ],
)
def test_a_slip_of_the_fingers_is_told_with_what_may_be_meant(call_memctl, words, advice):
    assert advice in call_memctl(*words, status=2).stderr


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["recall", "tea", "--limit", "ten"], "--limit 'ten' must be a whole number"),
        (["recall", "tea", "-n", "0"], "--limit '0' must be 1 or more"),
        (["list", "--limit", "99999"], "--limit '99999' must be 10000 or less"),
        (["list", "--offset", str(2**63)], f"--offset '{2**63}' must be 1000000000 or less"),
        (["undo", "1.5"], "OPERATION '1.5' must be a whole number"),
        (["save", "tea", "--importance", "much"], "--importance 'much' must be a number"),
    ],
)
def test_a_wrong_number_is_said_with_the_value_and_what_it_must_be(call_memctl, words, problem):
    assert problem in call_memctl(*words, status=2).stderr


@pytest.mark.parametrize(
    "words",
    [["ingest", ""], ["ingest", "notes", ""], ["list", "--store", ""], ["--store", "", "list"]],
)
def test_an_empty_path_is_refused_rather_than_taken_for_the_working_folder(call_memctl, words):
    """Most often a variable of the shell is not set."""
    assert "here stands nothing" in call_memctl(*words, status=2).stderr


def test_a_working_folder_that_is_gone_is_said(memctl_command, memctl_environment, tmp_path):
    gone = tmp_path / "gone"
    gone.mkdir()
    words = " ".join([*memctl_command, "list", "--store", "relative"])
    process = subprocess.run(
        ["sh", "-c", f"rmdir '{gone}' && exec {words}"],
        cwd=gone,
        env=memctl_environment,
        capture_output=True,
        check=False,
        text=True,
    )
    assert process.returncode == ExitCode.NOT_FOUND
    assert process.stderr.startswith("memctl: cannot find the working folder")


@pytest.mark.parametrize(
    "arguments",
    [
        ["show", "{}"],
        ["recall", "x", "--since", "{}"],
        ["recall", "x", "--limit", "{}"],
        ["channel", "{}"],
        ["list", "--{}"],
        ["{}"],
    ],
)
def test_what_was_given_is_repeated_only_as_far_as_a_message_goes(call_memctl, arguments):
    call_memctl("save", "The oven is from 1974")
    given = [word.format("x" * 1_000_000) for word in arguments]
    result = call_memctl(*given, status=None)
    assert_one_clear_error(result)
    assert len(result.stderr) < 2_000


def test_a_line_of_an_import_is_repeated_only_as_far_as_a_message_goes(call_memctl, tmp_path):
    line = {"content": "x", "event_at": "y" * 1_000_000}
    (tmp_path / "long.jsonl").write_text(json.dumps(line))
    result = call_memctl("import", "long.jsonl", status=None)
    assert "no ISO 8601 time" in result.stdout + result.stderr
    assert len(result.stdout + result.stderr) < 2_000
