"""memctl edit, by options and in an editor."""

from __future__ import annotations

import sys
from datetime import date
from pathlib import Path

import pytest

from memctl.times import TIME_FORMS


@pytest.fixture
def saved(call_memctl):
    words = ["We chose PostgreSQL for billing", "--type", "decision", "--tag", "billing"]
    return call_memctl("save", *words, "--json").json["id"]


def editor(tmp_path: Path, old: str, new: str) -> dict[str, str]:
    script = tmp_path / "editor.py"
    script.write_text(
        "import pathlib, sys\n"
        "path = pathlib.Path(sys.argv[1])\n"
        f"path.write_text(path.read_text().replace({old!r}, {new!r}))\n"
    )
    return {"VISUAL": f"{sys.executable} {script}", "TMPDIR": str(tmp_path)}


def test_options_change_what_they_name_and_nothing_else(call_memctl, saved):
    before = call_memctl("show", saved, "--json").json
    result = call_memctl(
        "edit", saved[:6], "--importance", "0.9", "--tag", "db", "--untag", "billing",
        "--subject", "billing", "--pin", "--event-at", "2026-03-04", "--expires", "2030-01-01",
        "--json",
    ).json  # fmt: skip
    assert set(result["changed"]) == {
        "importance", "tags", "subject", "pinned", "event_at", "expires_at",
    }  # fmt: skip
    after = call_memctl("show", saved, "--json").json
    assert (after["importance"], after["tags"], after["pinned"]) == (0.9, ["db"], True)
    assert (after["event_at"], after["subject"]) == ("2026-03-04", "billing")
    assert after["expires_at"].startswith("2030-01-02T00:00")
    for name in ("id", "content", "memory_type", "created_at", "key"):
        assert after[name] == before[name]
    call_memctl("edit", saved, "--clear", "subject", "--clear", "expires", "--unpin")
    cleared = call_memctl("show", saved, "--json").json
    assert (cleared["subject"], cleared["expires_at"], cleared["pinned"]) == (None, None, False)


def test_another_text_is_found_and_the_old_one_is_not(call_memctl, saved):
    call_memctl("edit", saved, "--content", "-", stdin="The bees swarm in May\n")
    found = call_memctl("recall", "when do the bees swarm?", "--json").json["results"]
    assert [hit["id"] for hit in found] == [saved]
    assert call_memctl("recall", "PostgreSQL", "--json").json["results"] == []
    call_memctl("undo")
    assert "PostgreSQL" in call_memctl("show", saved).stdout


def test_a_secret_is_taken_out_of_another_text(call_memctl, saved):
    result = call_memctl("edit", saved, "--content", "Wi-Fi password: hunter2-Badger!9")
    assert "taken out before saving, and kept nowhere: password" in result.stderr
    assert "hunter2" not in call_memctl("show", saved).stdout


def test_the_editor_changes_a_memory(call_memctl, saved, tmp_path):
    environment = editor(tmp_path, "PostgreSQL for", "SQLite for")
    assert call_memctl("edit", saved, environment=environment).stdout.startswith("Changed: ")
    assert "SQLite for billing" in call_memctl("show", saved).stdout
    result = call_memctl("edit", saved, environment=environment)
    assert result.stdout.startswith("Nothing to change: ")
    assert not list(tmp_path.glob("memctl-*"))


def test_a_draft_that_makes_no_sense_is_kept(call_memctl, saved, tmp_path):
    environment = editor(tmp_path, "importance = 0.8", "importance = 80")
    result = call_memctl("edit", saved, environment=environment, status=1)
    assert "importance must be a number from 0 to 1" in result.stderr
    draft = Path(result.stderr.rsplit("kept in ", 1)[1].strip())
    assert "importance = 80" in draft.read_text()
    draft.unlink()


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["--importance", "8"], 2),
        (["--type", "idea"], 2),
        (["--clear", "content"], 2),
        (["--expires", "soon"], 2),
        (["--content", " "], 2),
    ],
)
def test_values_that_make_no_sense_are_refused(call_memctl, saved, arguments, status):
    call_memctl("edit", saved, *arguments, status=status)


def test_an_end_in_the_past_is_said_and_can_be_cleared(call_memctl, saved):
    """An end that lies in the past is warned of, with the command that shows the memory again."""
    result = call_memctl("edit", saved, "--expires", "last week", "--json")
    [warning] = result.json["warnings"]
    assert "which is in the past: list and recall no longer show it" in warning
    assert warning in result.stderr
    assert call_memctl("list", "--json").json["memories"] == []
    cleared = call_memctl("edit", saved, "--clear", "expires", "--json").json
    assert cleared["warnings"] == []
    assert [one["id"] for one in call_memctl("list", "--json").json["memories"]] == [saved]


def test_a_todo_that_becomes_an_event_before_its_day_is_said_to_be_still_to_come(call_memctl):
    """Whether it was done early, or is an appointment, only its user knows."""
    words = ["Pay the rent", "--type", "todo", "--event-at", "in 3 days", "--json"]
    todo = call_memctl("save", *words).json["id"]
    turned = call_memctl("edit", todo, "--type", "event", "--json")
    [warning] = turned.json["warnings"]
    assert "which is still to come" in warning
    assert f"`memctl edit {todo[:8]} --event-at today`" in warning
    done = call_memctl("edit", todo, "--event-at", "today", "--json").json
    assert (done["event_at"], done["warnings"]) == (date.today().isoformat(), [])
    call_memctl("edit", todo, "--type", "todo")
    assert call_memctl("edit", todo, "--type", "event").stderr == ""


@pytest.mark.parametrize(
    "words",
    [
        ["edit", "ID", "--event-at"],
        ["edit", "ID", "--expires"],
        ["save", "Jonas paints the fence", "--event-at"],
        ["list", "--since"],
        ["list", "--until"],
        ["recall", "fence", "--as-of"],
    ],
    ids=lambda words: f"{words[0]} {words[-1]}",
)
def test_every_option_for_a_time_takes_the_same_forms(call_memctl, saved, words):
    """Each option that takes a time understands the same words, and names them when it does not."""
    command = [saved if word == "ID" else word for word in words]
    for text in ("2026-03-04", "2026-03-04T14:20", "yesterday", "next tuesday", "in 3 days"):
        call_memctl(*command, text)
    refused = call_memctl(*command, "whenever", status=2).stderr
    assert TIME_FORMS in " ".join(refused.split())


def test_a_forgotten_memory_is_not_edited(call_memctl, saved):
    call_memctl("forget", saved)
    assert "it is forgotten" in call_memctl("edit", saved, "--pin", status=2).stderr
    call_memctl("edit", "ffffffff", "--pin", status=4)


def test_a_script_without_an_editor_is_not_left_waiting(call_memctl, saved):
    result = call_memctl("edit", saved, status=1)
    assert "neither VISUAL nor EDITOR is set, and stdin is no terminal" in result.stderr
    assert f"`memctl edit {saved[:8]} --content TEXT` needs no editor." in result.stderr


def test_visual_goes_before_editor(call_memctl, saved, tmp_path):
    environment = editor(tmp_path, "PostgreSQL", "SQLite")
    call_memctl("edit", saved, environment={**environment, "EDITOR": "/no/such/editor"})
    assert "SQLite" in call_memctl("show", saved).stdout
    call_memctl("edit", saved, environment={"EDITOR": environment["VISUAL"]})


def test_another_text_is_compared_with_the_other_memories(call_memctl):
    old = call_memctl("save", "The router is at 192.0.2.1", "--json").json["id"]
    other = call_memctl("save", "Ottoline collects stamps", "--json").json["id"]
    text = "The router is at 192.0.2.9"
    result = call_memctl("edit", other, "--content", text, "--json").json
    assert [(one["id"], one["relation_type"]) for one in result["related"]] == [(old, "updates")]
    assert call_memctl("show", old, "--json").json["superseded_by"] == other
    assert call_memctl("edit", other, "--pin", "--json").json["related"] == []
    call_memctl("undo")
    call_memctl("undo")
    assert call_memctl("show", old, "--json").json["superseded_by"] is None
    assert call_memctl("show", other, "--json").json["associations"] == []
