"""memctl backup and restore-backup, as a person uses them."""

from __future__ import annotations

import io
import json
import shlex
import subprocess
from collections.abc import Mapping

import pytest

from memctl.cli.main import main
from memctl.cli.session import Streams
from memctl.errors import ExitCode


class Keyboard(io.BytesIO):
    """What somebody types at a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def filled(call_memctl):
    call_memctl("save", "The oven is from 1974")
    return call_memctl("save", "We chose PostgreSQL for billing", "--json").json["id"]


def contents(call_memctl) -> set[str]:
    return {memory["content"] for memory in call_memctl("list", "--json").json["memories"]}


@pytest.mark.slow
def test_a_backup_brings_everything_back_and_keeps_what_it_replaced(call_memctl, filled, tmp_path):
    before = contents(call_memctl)
    made = call_memctl("backup", "b.tar", "--json").json
    assert made["counts"]["memories"] == 2
    assert made["has_index"]
    assert made["bytes"] == (tmp_path / "b.tar").stat().st_size
    call_memctl("forget", filled)
    call_memctl("save", "The bees swarm in May")
    changed = contents(call_memctl)
    report = call_memctl("restore-backup", "b.tar", "--json").json
    assert contents(call_memctl) == before
    assert call_memctl("recall", "which database for billing?", "--json").json["results"]
    assert call_memctl("doctor", "--json").json["healthy"]
    kept = call_memctl("--store", report["kept_at"], "list", "--json").json["memories"]
    assert {memory["content"] for memory in kept} == changed


@pytest.mark.slow
def test_a_restore_says_how_to_look_into_the_replaced_store_and_how_to_go_back(call_memctl, filled):
    """The commands work as they are printed."""
    call_memctl("backup", "b.tar")
    call_memctl("save", "The bees swarm in May")
    changed = contents(call_memctl)
    said = call_memctl("restore-backup", "b.tar").stdout.splitlines()
    assert said[1].endswith("`memctl undo` does not bring it back")
    look, back = (line.partition(": ")[2] for line in said[2:])
    assert "The bees swarm in May" in call_memctl(*shlex.split(look)[1:]).stdout
    for command in back.split(" && "):
        call_memctl(*shlex.split(command)[1:])
    assert contents(call_memctl) == changed


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "words", "is_done"), [(b"n\n", (), 0), (b"y\n", (), 1), (b"", ("--yes",), 1)]
)
def test_a_restore_at_a_terminal_asks_before_it_replaces_a_store(
    call_memctl, filled, tmp_path, memctl_environment, typed, words, is_done
):
    """Once, and not with --yes."""
    call_memctl("backup", "b.tar")
    call_memctl("save", "The bees swarm in May")
    stdout, stderr = io.StringIO(), io.StringIO()
    streams = Streams(Keyboard(typed), stdout, stderr, memctl_environment)
    status = main(["restore-backup", str(tmp_path / "b.tar"), *words], streams)
    assert status == (0 if is_done else 1)
    assert stderr.getvalue().count("[y/N]") == (0 if words else 1)
    assert ("The bees swarm in May" not in contents(call_memctl)) == bool(is_done)


def test_a_dry_run_proves_the_backup_and_changes_nothing(call_memctl, filled, store_path):
    call_memctl("backup", "b.tar")
    call_memctl("save", "The bees swarm in May")
    before = contents(call_memctl)
    result = call_memctl("restore-backup", "b.tar", "--dry-run")
    assert result.stdout.startswith("Would restore: 2 memories, 0 forgotten")
    assert contents(call_memctl) == before
    assert not list(store_path.glob("replaced-*"))


def test_a_backup_replaces_a_file_only_when_told(call_memctl, filled, tmp_path):
    (tmp_path / "b.tar").write_text("mine")
    result = call_memctl("backup", "b.tar", status=1)
    assert "it exists already (--force replaces it)" in result.stderr
    assert (tmp_path / "b.tar").read_text() == "mine"
    call_memctl("backup", "--force", "b.tar")
    call_memctl("restore-backup", "b.tar", "--dry-run")


def test_a_place_that_cannot_be_written_is_named(call_memctl, filled):
    result = call_memctl("backup", "missing/b.tar", status=4)
    assert "missing/b.tar: there is no folder missing" in result.stderr


def test_what_is_no_backup_is_refused_with_a_next_step(call_memctl, filled, tmp_path):
    (tmp_path / "b.tar").write_text("no backup")
    result = call_memctl("restore-backup", "b.tar", status=1)
    assert "cannot use the backup b.tar: it is no tar archive" in result.stderr
    assert "The store was not touched" in result.stderr
    assert call_memctl("restore-backup", "none.tar", status=4).stdout == ""


def test_there_is_no_backup_of_a_store_that_is_not_there(call_memctl, store_path, tmp_path):
    result = call_memctl("backup", "b.tar", status=5)
    assert "there is none" in result.stderr
    assert not store_path.exists()
    assert not (tmp_path / "b.tar").exists()


def test_a_folder_is_no_backup(call_memctl, tmp_path):
    assert "it is no file" in call_memctl("restore-backup", tmp_path, status=1).stderr


def written_on(stdout: io.TextIOWrapper, environment: Mapping[str, str], *words: str):
    """Runs `memctl backup -` with these words; gives the status, stdout's bytes and stderr."""
    stderr = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
    streams = Streams(io.BytesIO(), stdout, stderr, environment)
    status = main(["backup", "-", *words], streams)
    return status, stdout.buffer.getvalue(), stderr.buffer.getvalue().decode()


def test_a_dash_writes_the_backup_itself_on_stdout(
    call_memctl, filled, memctl_environment, tmp_path
):
    stdout = io.TextIOWrapper(io.BytesIO(), "utf-8")
    status, data, said = written_on(stdout, memctl_environment)
    assert status == ExitCode.OK
    assert "2 memories" in said
    (tmp_path / "b.tar").write_bytes(data)
    result = call_memctl("restore-backup", "b.tar", "--dry-run")
    assert result.stdout.startswith("Would restore: 2 memories")
    assert not (tmp_path / "-").exists()


def test_no_backup_is_written_on_a_terminal(filled, memctl_environment):
    stdout = io.TextIOWrapper(io.BytesIO(), "utf-8")
    stdout.isatty = lambda: True
    status, data, said = written_on(stdout, memctl_environment)
    assert (status, data) == (ExitCode.USAGE, b"")
    assert "cannot back up to stdout" in said


def test_no_backup_is_mixed_with_the_answer_as_json(filled, memctl_environment):
    """Nothing stands on stdout but the error, as for every command."""
    stdout = io.TextIOWrapper(io.BytesIO(), "utf-8")
    status, data, said = written_on(stdout, memctl_environment, "--json")
    assert status == ExitCode.USAGE
    assert json.loads(data)["error"]["name"] == "usage"
    assert "cannot back up to stdout" in said


def test_half_a_backup_is_no_success(filled, memctl_command, memctl_environment):
    """Other answers end quietly where their reader goes away."""
    with subprocess.Popen(
        [*memctl_command, "backup", "-"],
        env=memctl_environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        process.stdout.read(10)
        process.stdout.close()
        assert process.wait(timeout=60) == ExitCode.FAILED
        assert b"went away before the end" in process.stderr.read()


def test_a_target_that_cannot_take_the_backup_is_named_and_not_the_store(
    filled, memctl_command, memctl_environment, tmp_path
):
    """As on a full disk: no file may grow beyond 100 KiB."""
    result = subprocess.run(
        ["sh", "-c", 'ulimit -f 200; "$@"', "sh", *memctl_command, "backup", "b.tar"],
        env=memctl_environment,
        cwd=tmp_path,
        capture_output=True,
        check=False,
        text=True,
        timeout=60,
    )
    assert result.returncode == ExitCode.FAILED
    assert f"memctl: cannot write {tmp_path / 'b.tar'}: " in result.stderr
    assert "Choose another place" in result.stderr
    assert list(tmp_path.glob("*b.tar*")) == []
