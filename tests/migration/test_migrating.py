"""Moving in: what is taken, what is left, what a second run does, and the way back."""

from __future__ import annotations

import itertools
import json

import pytest

from memctl.migration import apply
from memctl.store.operation import Operation

FAKE_TOKEN = "ghp_FAKE4testsOnly7Qm2Zx9abcdefghRv1Lp83"


def migrate(call_memctl, *arguments, **options):
    return call_memctl("migrate-openclaw", *arguments, "--json", **options).json


def memories(call_memctl, *arguments):
    return call_memctl("list", "--limit", "500", "--json", *arguments).json["memories"]


def find(found, words):
    [memory] = [memory for memory in found if words in memory["content"]]
    return memory


def by_name(report, root):
    return {file["path"].removeprefix(f"{root}/"): file for file in report["files"]}


def test_statements_have_type_day_and_line(call_memctl, moved):
    found = memories(call_memctl)
    assert find(found, "40 kg of rye")["memory_type"] == "fact"
    assert find(found, "oak paddles")["event_at"] == "2026-02-08"
    assert find(found, "close the mill")["memory_type"] == "decision"
    assert find(found, "Sifter")["content"] == "Machines — Machine: Sifter; Power: 750 W"
    belts = find(found, "two belts")
    assert (belts["memory_type"], belts["event_at"][:10]) == ("todo", "2026-03-02")
    assert belts["citation"]["first_line"] == 6
    assert find(found, "flour loft")["memory_type"] == "event"
    assert find(found, "2 kg off")["event_at"] == "2026-03-04"
    assert find(found, "spare sacks")["importance"] == 0.4
    assert find(found, "sluice")["importance"] == 0.9
    assert find(found, "四十二棵")["channel_id"] == "openclaw:orchard"
    assert find(found, "Odile")["content"] == "User — Name: Odile Testwright"
    assert find(found, "Grist")["subject"] == "assistant"
    assert find(found, "Odile")["memory_type"] == "identity"


def test_what_machines_wrote_is_not_remembered(call_memctl, moved):
    text = json.dumps(memories(call_memctl), ensure_ascii=False)
    for noise in (
        "score=", "recalls", "stones sang", "Candidate", "HEARTBEAT", "heartbeat", "untrusted",
        "almanac", "walrus", "velvet", "Heron", "10 kg", "YYYY", "Fill this", "rather say nothing",
        "hello there", FAKE_TOKEN,
    ):  # fmt: skip
        assert noise not in text


def test_every_file_has_a_fate_and_a_reason_when_it_is_left(moved_once):
    state = moved_once.state
    files = by_name(moved_once.report, state)
    on_disk = {
        str(path.relative_to(state))
        for path in state.rglob("*")
        if path.is_symlink() or path.is_file()
    }
    assert files.keys() == on_disk
    assert all(file["reason"] for file in files.values() if file["status"] == "ignored")
    assert files["workspace/AGENTS.md"]["reason"] == "instructions for the agent"
    assert "not followed" in files["workspace/memory/outside.md"]["reason"]
    assert files["workspace/memory.md"]["reason"].startswith("the same file as")
    assert files["workspace/memory/2026-03-02.md"]["redactions"] == 1
    assert files["workspace/memory/empty.md"]["status"] == "empty"
    assert files["agents/main/agent/auth-profiles.json"]["reason"] == "credentials, never opened"


def test_the_proof_compares_plan_store_and_recall(moved_once):
    report = moved_once.report
    proof = report["proof"]
    assert proof["holds"]
    assert proof["planned"] == proof["stored"] == report["totals"]["new"]
    assert proof["recalled"] == proof["sampled"] > 0
    for file in report["files"]:
        assert file["planned"] == file["stored"]


def test_the_same_statement_of_two_files_is_one_memory(call_memctl, moved):
    assert find(memories(call_memctl), "hoist is slow")["citation"]
    assert find(memories(call_memctl), "new belt")["event_at"].startswith("2026-03-02")


def test_rows_of_a_database_keep_their_ids_and_times(call_memctl, moved):
    fog = find(memories(call_memctl), "two long tones")
    assert fog["content"] == "fog signal: two long tones"
    assert fog["id"] == "3f8a1c52-6b7d-4e90-8a1f-2c3d4e5f6a7b"
    assert fog["created_at"] == "2025-11-02T08:00:00+00:00"
    assert find(memories(call_memctl), "pump")["event_at"] == "2025-11-03"


def test_the_source_is_only_read(call_memctl, state, snapshot):
    before = snapshot(state)
    migrate(call_memctl, state, "--workspace", "shed")
    migrate(call_memctl, state, "--sessions", "--persona", "--dry-run")
    assert snapshot(state) == before


def test_a_second_run_adds_nothing(call_memctl, moved):
    before = memories(call_memctl)
    again = migrate(call_memctl, moved.state)
    assert again["totals"]["new"] == again["totals"]["updated"] == 0
    assert again["proof"]["holds"]
    assert memories(call_memctl) == before


@pytest.mark.slow
@pytest.mark.parametrize("broken_method", ["store_documents", "mark_compared", "associate"])
def test_a_run_that_was_broken_off_is_taken_up(call_memctl, moved_once, monkeypatch, broken_method):
    """Wherever it stops, the next run ends where one run would have."""
    monkeypatch.setattr(apply, "BATCH_DOCUMENTS", 3)
    whole = getattr(Operation, broken_method)
    calls = itertools.count()

    def broken(operation, *arguments):
        if next(calls) == 1:
            raise KeyboardInterrupt
        return whole(operation, *arguments)

    monkeypatch.setattr(Operation, broken_method, broken)
    call_memctl("migrate-openclaw", moved_once.state, status=130)
    stored = len(memories(call_memctl))
    assert 0 < stored < moved_once.report["totals"]["new"]
    again = migrate(call_memctl, moved_once.state)
    assert again["proof"]["holds"]
    assert again["totals"]["new"] == moved_once.report["totals"]["new"] - stored

    def said(*store):
        found = call_memctl(*store, "list", "--limit", "500", "--json").json["memories"]
        names = ("content", "memory_type", "importance", "event_at", "channel_id")
        return sorted(json.dumps([memory[name] for name in names]) for memory in found)

    assert said() == said("--store", moved_once.store)


def test_an_edited_line_updates_its_memory(call_memctl, moved, change_memory_file):
    old = find(memories(call_memctl), "40 kg of rye")
    change_memory_file("40 kg of rye", "55 kg of rye")
    again = migrate(call_memctl, moved.state)
    assert (again["totals"]["new"], again["totals"]["updated"]) == (1, 1)
    new = find(memories(call_memctl), "kg of rye")
    assert "55 kg" in new["content"]
    assert old["id"] in call_memctl("show", new["id"], "--json").json["history"]


def test_a_line_that_is_gone_hides_its_memory(call_memctl, moved, change_memory_file):
    change_memory_file("- The mill grinds 40 kg of rye per hour.\n", "")
    migrate(call_memctl, moved.state)
    assert not [one for one in memories(call_memctl) if "kg of rye" in one["content"]]


def test_all_of_it_is_one_operation_that_undo_takes_back(call_memctl, moved):
    call_memctl("undo")
    assert memories(call_memctl) == []


def test_a_dry_run_names_every_memory_and_stores_nothing(call_memctl, state, store_path):
    report = migrate(call_memctl, state, "--dry-run", "--verbose")
    assert report["proof"] is None
    file = by_name(report, state)["workspace/MEMORY.md"]
    assert file["candidates"][0] == {
        "content": "The mill grinds 40 kg of rye per hour.",
        "memory_type": "fact",
        "importance": 0.6,
        "event_at": None,
        "first_line": 4,
        "last_line": 4,
    }
    assert not store_path.exists()
    shown = call_memctl("migrate-openclaw", state, "--dry-run", "--verbose").stdout
    assert "workspace/MEMORY.md:4\tfact\t0.60\tThe mill grinds" in shown


def test_a_dry_run_says_what_the_store_has_already(call_memctl, moved, change_memory_file):
    """Without embedding anything or touching the store."""
    known = migrate(call_memctl, moved.state, "--dry-run")
    assert known["totals"]["new"] == known["totals"]["updated"] == known["totals"]["hidden"] == 0
    file = by_name(known, moved.state)["workspace/memory/2026-03-02.md"]
    assert (file["unchanged"], file["new"]) == (True, 0)
    change_memory_file("40 kg of rye", "55 kg of rye")
    change_memory_file("1. Decided to close the mill on Mondays.", "")
    changed = migrate(call_memctl, moved.state, "--dry-run")["totals"]
    assert (changed["new"], changed["updated"], changed["hidden"]) == (0, 0, 1)
    change_memory_file("40 kg of rye", "55 kg of rye")
    changed = migrate(call_memctl, moved.state, "--dry-run")["totals"]
    assert (changed["new"], changed["updated"], changed["hidden"]) == (1, 1, 0)
    shown = call_memctl("migrate-openclaw", moved.state, "--dry-run").stderr
    assert "1 new, 1 of them updates, the store has the others" in shown
    assert call_memctl("log", "--json").json["operations"][0]["command"] == "migrate-openclaw"


def test_a_dry_run_foresees_what_moving_in_does(call_memctl, state, store_path):
    foreseen = migrate(call_memctl, state, "--dry-run")["totals"]
    assert not store_path.exists()
    assert foreseen["new"] == foreseen["planned"]


def test_the_report_file_holds_all_of_it(call_memctl, state, tmp_path):
    target = tmp_path / "report.json"
    call_memctl("migrate-openclaw", state, "--dry-run", "--report", target)
    report = json.loads(target.read_text())
    assert report["schema_version"] == 1
    assert any(file["candidates"] for file in report["files"])


@pytest.mark.slow
def test_transcripts_become_channels_on_request(call_memctl, state):
    arguments = (state, "--sessions", "--workspace", "main", "--since", "2026-03-04")
    report = migrate(call_memctl, *arguments)
    assert report["totals"]["new_messages"] == 8
    wish = find(memories(call_memctl), "kilograms")
    assert (wish["memory_type"], wish["event_at"]) == ("preference", "2026-03-11")
    found = json.dumps(memories(call_memctl))
    assert "770 kg" in found
    assert "700 kg" not in found
    assert "shanty" not in found
    said = call_memctl("channel", "agent:main:main", "--limit", "2", "--json").json["messages"]
    assert [(one["role"], one["content"]) for one in said] == [
        ("user", "The new stone weighs 770 kg."),
        ("assistant", "Noted."),
    ]
    names = [one["channel_id"] for one in call_memctl("channel", "--json").json["channels"]]
    assert names == ["agent:main:main", "agent:main:telegram:direct"]
    assert migrate(call_memctl, *arguments)["totals"]["new_messages"] == 0
    assert "770 kg" in call_memctl("channel", "agent:main:main").stdout
    call_memctl("channel", "nowhere", status=4)


def candidates(report):
    return [one for file in report["files"] for one in file["candidates"]]


def test_the_persona_is_taken_on_request(call_memctl, state):
    report = migrate(call_memctl, state, "--persona", "--dry-run", "--verbose")
    assert find(candidates(report), "rather say nothing")["memory_type"] == "preference"


def test_an_unknown_workspace_is_named_with_those_there_are(call_memctl, state):
    result = call_memctl("migrate-openclaw", state, "--workspace", "attic", status=2)
    assert "main, shed, orchard" in result.stderr or "main, orchard, shed" in result.stderr


def test_since_leaves_older_files(call_memctl, state):
    report = migrate(call_memctl, state, "--since", "2026-03-03", "--dry-run")
    files = by_name(report, state)
    assert "--since" in files["workspace/memory/2026-03-02.md"]["reason"]
    assert files["workspace/memory/2026-03-04-0915.md"]["status"] == "done"


def test_a_channel_prefix_files_every_agent(call_memctl, state):
    report = migrate(call_memctl, state, "--channel-prefix", "claw/", "--dry-run")
    channels = {one["channel_id"] for one in report["workspaces"]}
    assert channels == {"claw/main", "claw/shed", "claw/orchard"}


def test_a_workspace_outside_is_named_and_taken_on_request(call_memctl, state, tmp_path):
    outside = tmp_path / "far" / "desk"
    (outside / "memory").mkdir(parents=True)
    (outside / "MEMORY.md").write_text("- The far desk has a green lamp.\n")
    config = f'{{agents: {{list: [{{id: "far", workspace: "{outside}"}}]}}}}'
    (state / "openclaw.json").write_text(config)
    report = migrate(call_memctl, state, "--dry-run", "--verbose")
    assert any("--follow-config" in warning for warning in report["warnings"])
    assert not [one for one in candidates(report) if "green lamp" in one["content"]]
    report = migrate(call_memctl, state, "--follow-config", "--dry-run", "--verbose")
    assert find(candidates(report), "green lamp")


@pytest.mark.parametrize("name", ["workspace", "workspace/memory", "workspace/MEMORY.md"])
def test_a_part_of_the_tree_can_be_taken_alone(call_memctl, state, name):
    report = migrate(call_memctl, state / name, "--dry-run")
    assert report["totals"]["planned"] > 3
    assert not [one for one in report["workspaces"] if one["channel_id"]]


def test_the_usual_places_are_looked_up(call_memctl, state, isolated_environment):
    call_memctl("migrate-openclaw", status=4)
    state.rename(isolated_environment / ".openclaw")
    result = call_memctl("migrate-openclaw", "--dry-run")
    assert ".openclaw" in result.stderr
    assert "MEMORY.md" in result.stdout


def test_a_folder_without_an_agent_is_refused(call_memctl, tmp_path):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes/shopping.md").write_text("- milk\n")
    result = call_memctl("migrate-openclaw", tmp_path / "notes", status=4)
    assert "cannot migrate" in result.stderr
    call_memctl("migrate-openclaw", tmp_path / "nowhere", status=4)


@pytest.mark.slow
def test_what_is_exported_for_openclaw_comes_back_the_same(call_memctl, moved, tmp_path):
    call_memctl("save", "a *starred*\n\n  - text --> over lines", "--tag", "odd", "--key", "k")
    call_memctl("save", "Met Ada", "--event-at", "2026-05-04 10:30", "--importance", "0.33")
    call_memctl("save", "People walked on the Moon", "--event-at", "1969-07-20")
    call_memctl("export", "--format", "openclaw", tmp_path / "back")
    assert (tmp_path / "back/memory/2026-03-04.md").exists()
    call_memctl("export", "--format", "openclaw", tmp_path / "back", status=1)

    def same(found):
        names = (
            "content", "memory_type", "importance", "event_at", "channel_id", "subject", "key",
            "tags", "pinned",
        )  # fmt: skip
        return sorted(json.dumps([memory[name] for name in names]) for memory in found)

    other = ("--store", tmp_path / "other")
    report = call_memctl(*other, "migrate-openclaw", tmp_path / "back", "--json").json
    assert report["proof"]["holds"]
    there = call_memctl(*other, "list", "--limit", "500", "--json").json["memories"]
    assert same(there) == same(memories(call_memctl))
