"""`memctl maintain` and `memctl forget --purge` as a user meets them."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from command_runner import RunMemctl
from fakes.openai_server import OpenAiServer, answer

OLD = (
    '{"id": "aaaa0000-0000-4000-8000-000000000000", "content": "An old observation",'
    ' "memory_type": "observation", "importance": 0.05, "created_at": "2020-01-01T00:00:00+00:00"}'
)


def holders(folder: Path, needle: bytes) -> list[Path]:
    """The files below ``folder`` that hold these bytes."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [path for path in files if needle in path.read_bytes()]


def test_the_plan_is_shown_applied_and_taken_back(call_memctl: RunMemctl) -> None:
    call_memctl("import", "-", stdin=OLD)
    shown = call_memctl("maintain", "--only", "decay,prune", "--dry-run").stdout
    assert shown.startswith("decay: 1 planned\n  aaaa0000  importance 0.050 → ")
    assert "prune: 1 planned\n  aaaa0000  importance 0.0" in shown
    assert "An old observation" in call_memctl("list").stdout
    several = call_memctl("maintain", "--only", "decay", "--only", "prune", "--dry-run").stdout
    assert several == shown
    steps = call_memctl("maintain", "--only", "prune,decay", "--json").json["steps"]
    assert [(step["name"], step["planned"], step["applied"]) for step in steps] == [
        ("decay", 1, 1),
        ("prune", 1, 1),
    ]
    assert steps[1]["changes"][0]["id"].startswith("aaaa0000")
    assert call_memctl("list").stdout == ""
    assert "maintain" in call_memctl("undo").stdout
    assert "An old observation" in call_memctl("list").stdout


def test_a_dry_run_says_which_steps_it_can_count_only_as_the_store_is_now(
    call_memctl: RunMemctl,
) -> None:
    call_memctl("import", "-", stdin=OLD)
    lines = call_memctl("maintain", "--dry-run", "--only", "decay,compact").stdout.splitlines()
    assert lines[0] == "decay: 1 planned"
    assert lines[-1].startswith("compact: ")
    assert lines[-1].endswith(" planned, as the store is now")


def test_cron_gets_nothing_to_do_before_its_time(call_memctl: RunMemctl) -> None:
    call_memctl("save", "Tea, not coffee")
    first = call_memctl("maintain", "--if-due").stdout
    assert first.splitlines()[0] == "decay: nothing to do"
    second = call_memctl("maintain", "--if-due")
    assert (second.stdout, "not due before" in second.stderr) == ("", True)
    assert call_memctl("maintain", "--if-due", "--json").json["due"] is False
    assert "reindex: 1 done" in call_memctl("maintain", "--reindex").stdout


def test_a_rebuild_counts_the_rows_that_it_puts_into_the_new_index(
    call_memctl: RunMemctl, tmp_path: Path
) -> None:
    (tmp_path / "note.md").write_text("- Rosa prefers swordfish.\n\n- Anna prefers tulips.\n")
    call_memctl("ingest", "note.md")
    planned = call_memctl("maintain", "--reindex", "--dry-run", "--json").json["steps"][0]
    done = call_memctl("maintain", "--reindex", "--json").json["steps"][0]
    assert planned["planned"] == done["planned"] == done["applied"] == 3


def test_wrong_steps_and_models_are_one_clear_line(call_memctl: RunMemctl) -> None:
    wrong = call_memctl("maintain", "--only", "decay,bogus", status=2)
    assert "cannot use --only: 'bogus' is no step; there are decay, expire" in wrong.stderr
    both = call_memctl("maintain", "--only", "decay", "--reindex", status=2)
    assert "cannot use --only" in both.stderr
    call_memctl("save", "Tea, not coffee")
    missing = call_memctl("maintain", "--model", "nobody/has-this", status=6)
    assert missing.stderr.startswith("memctl: cannot load the embedding model nobody/has-this")
    assert call_memctl("recall", "tea").stdout != ""


def test_the_timer_is_a_unit_or_a_line_for_cron(call_memctl: RunMemctl, tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    without = {"PATH": str(tools), "XDG_CONFIG_HOME": str(tmp_path / "settings")}
    line = call_memctl("maintain", "--install-timer", environment=without).stdout
    assert line.startswith("0 4 * * * ")
    assert "maintain --if-due --store " in line
    configuration = tmp_path / "other.toml"
    call_memctl("--config", str(configuration), "config", "init")
    named = call_memctl(
        "--config", str(configuration), "maintain", "--install-timer", environment=without
    )
    assert f"--config {configuration}" in named.stdout
    systemctl = tools / "systemctl"
    systemctl.write_text("#!/bin/sh\necho 'Failed to connect to bus' >&2\nexit 1\n")
    systemctl.chmod(0o755)
    without_bus = call_memctl("maintain", "--install-timer", environment=without)
    assert without_bus.stdout == line
    assert "no systemd of yours answers here" in without_bus.stderr
    systemctl.write_text("#!/bin/sh\n")
    for option in ("--dry-run", "--print"):
        shown = call_memctl("maintain", "--install-timer", option, environment=without)
        assert "Persistent=true" in shown.stdout
        assert "nothing has been written" in shown.stderr
        assert not (tmp_path / "settings").exists()
    call_memctl("maintain", "--print", status=2)
    written = call_memctl("maintain", "--install-timer", "--json", environment=without).json
    service, timer = (Path(path).read_text() for path in written["files"])
    assert '"maintain" "--if-due" "--store"' in service
    assert "Persistent=true" in timer
    assert "memctl-maintain.timer" in written["enable"]


def test_the_timer_works_with_the_settings_that_hold_in_the_shell(
    call_memctl: RunMemctl, tmp_path: Path
) -> None:
    """Variables of settings go along, a dollar and a per cent sign as they are; others do not."""
    tools = tmp_path / "tools"
    tools.mkdir()
    variables = {
        "PATH": str(tools),
        "XDG_CONFIG_HOME": str(tmp_path / "settings"),
        "MEMCTL_STORE_INDEX_URI": f"file://{tmp_path}/100% $HOME",
        "MEMCTL_NO_DAEMON": "1",
        "OPENAI_API_KEY": "secret",
    }
    line = call_memctl("maintain", "--install-timer", environment=variables).stdout
    assert f"* env 'MEMCTL_STORE_INDEX_URI=file://{tmp_path}/100\\% $HOME' " in line
    (tools / "systemctl").write_text("#!/bin/sh\n")
    (tools / "systemctl").chmod(0o755)
    unit = call_memctl("maintain", "--install-timer", "--print", environment=variables).stdout
    assert f'Environment="MEMCTL_STORE_INDEX_URI=file://{tmp_path}/100%% $HOME"\n' in unit
    for text in (line, unit):
        assert "MEMCTL_NO_DAEMON" not in text
        assert "secret" not in text


def test_a_purge_leaves_passages_alone_whose_document_is_gone(
    call_memctl: RunMemctl, store_path: Path, tmp_path: Path
) -> None:
    """Rows that hang in the air do not keep a text from being erased."""
    note = tmp_path / "note.md"
    note.write_text("# Rivers\n\nThe Elbe flows through Dresden.\n")
    call_memctl("ingest", str(note))
    with closing(sqlite3.connect(store_path / "memctl.db")) as database, database:
        database.execute("DELETE FROM documents")
    saved = call_memctl("save", "The alarm code is swordfish", "--json").json["id"]
    call_memctl("forget", saved, "--purge", "--yes")
    assert "swordfish" not in call_memctl("list", "--forgotten").stdout
    call_memctl("doctor", "--fix")
    assert call_memctl("doctor", "--json").json["findings"] == []


def test_purging_says_what_it_erased_and_proves_it(
    call_memctl: RunMemctl, store_path: Path
) -> None:
    call_memctl("save", "The bicycle is green")
    saved = call_memctl("save", "The alarm code is swordfish", "--json").json["id"]
    planned = call_memctl("forget", saved, "--purge", "--dry-run", "--json").json
    assert planned["purged"] == [saved]
    done = call_memctl("forget", saved, "--purge", "--json").json
    assert {**done, "dry_run": True, "searched": None} == planned
    assert done["copies"] == []
    assert done["searched"]["bytes"] > 10_000
    assert holders(store_path, b"swordfish") == []
    call_memctl("show", saved, status=4)
    assert "The bicycle is green" in call_memctl("recall", "bicycle").stdout


def test_a_purged_text_is_new_to_whatever_says_it_again(
    call_memctl: RunMemctl, tmp_path: Path
) -> None:
    """The same file is not read again; an import and a changed file say what they say."""
    note = tmp_path / "note.md"
    note.write_text("- Rosa prefers swordfish on Fridays.\n\n- Anna prefers red tulips.\n")
    call_memctl("ingest", note)
    call_memctl("export", "all.jsonl")
    memories = call_memctl("list", "--json").json["memories"]
    [gone] = [memory["id"] for memory in memories if "swordfish" in memory["content"]]
    call_memctl("forget", gone, "--purge")
    assert call_memctl("ingest", note, "--json").json["documents"][0]["memories"] == []
    assert "swordfish" not in call_memctl("list").stdout
    outcomes = [row["outcome"] for row in call_memctl("import", "all.jsonl", "--json").json_lines]
    assert sorted(outcomes) == ["created", "unchanged"]
    call_memctl("forget", gone, "--purge")
    note.write_text(note.read_text().replace("red", "yellow"))
    call_memctl("ingest", note)
    assert "swordfish" in call_memctl("list").stdout


def test_stores_that_backups_have_replaced_lose_the_text_too(
    call_memctl: RunMemctl, store_path: Path, tmp_path: Path
) -> None:
    backup = tmp_path / "backup.tar"
    saved = call_memctl("save", "The alarm code is swordfish", "--json").json["id"]
    call_memctl("backup", backup)
    call_memctl("edit", saved, "--content", "The alarm code is haddock")
    call_memctl("save", "The bicycle is green")
    kept = Path(call_memctl("restore-backup", backup, "--json").json["kept_at"])
    abandoned = store_path / ".memctl-restore-abandoned"
    abandoned.mkdir()
    (abandoned / "memctl.db").write_bytes(b"The alarm code is swordfish")
    assert holders(kept, b"swordfish")
    planned = call_memctl("forget", saved, "--purge", "--dry-run", "--json").json
    done = call_memctl("forget", saved, "--purge", "--json").json
    assert planned["copies"] == done["copies"] == [str(kept)]
    assert holders(store_path, b"swordfish") == holders(store_path, b"haddock") == []
    left = call_memctl("--store", kept, "list", "--json").json["memories"]
    assert [memory["content"] for memory in left] == ["The bicycle is green"]
    assert "The bicycle is green" in call_memctl("--store", kept, "recall", "bicycle").stdout
    again = call_memctl("save", "The other code is swordfish", "--json").json["id"]
    assert call_memctl("forget", again, "--purge", "--json").json["copies"] == []


def test_a_replaced_store_that_cannot_be_opened_is_named(
    call_memctl: RunMemctl, store_path: Path
) -> None:
    saved = call_memctl("save", "The alarm code is swordfish", "--json").json["id"]
    broken = store_path / "replaced-20260304T120000Z"
    broken.mkdir()
    (broken / "memctl.db").write_bytes(b"no database: The alarm code is swordfish")
    refused = call_memctl("forget", saved, "--purge", status=1).stderr
    assert f"cannot erase every trace: the text is still in {broken}/memctl.db" in refused
    call_memctl("show", saved, status=4)


def test_consolidating_needs_a_language_model(call_memctl: RunMemctl) -> None:
    call_memctl("save", "Tea, not coffee")
    for more in ([], ["--dry-run"], ["--only", "merge"]):
        refused = call_memctl("maintain", "--consolidate", *more, status=3).stderr
        assert "cannot ask a language model: llm.model is not set" in refused


@pytest.mark.slow
def test_a_language_model_writes_one_memory_for_several(call_memctl: RunMemctl) -> None:
    texts = [
        "The greenhouse has 4 windows that face the shed",
        "The greenhouse has 4 green windows that face the shed",
        "The greenhouse has 4 windows that face the old shed",
    ]
    whole = "The greenhouse has 4 green windows that face the old shed"
    for text in texts:
        call_memctl("save", text, "--type", "fact")
    with OpenAiServer() as server:
        environment = {
            "MEMCTL_LLM_MODEL": "openai/test",
            "MEMCTL_LLM_API_BASE": server.api_base,
            "OPENAI_API_KEY": "none",
        }
        arguments = ["maintain", "--only", "consolidate", "--json"]
        planned = call_memctl(*arguments, "--dry-run", environment=environment).json
        assert server.requests == []
        server.play(answer(json.dumps({"statement": whole})))
        [step] = call_memctl(*arguments, environment=environment).json["steps"]
        sent = json.dumps(server.requests)
    assert {change["id"] for change in planned["steps"][0]["changes"]} == set(
        step["written"][0]["hidden"]
    )
    assert step["written"][0]["content"] == whole
    assert "noted 20" in sent
    assert [row["content"] for row in call_memctl("list", "--json").json["memories"]] == [whole]
    call_memctl("undo")
    left = {row["content"] for row in call_memctl("list", "--json").json["memories"]}
    assert left == set(texts)


@pytest.fixture
def chat(call_memctl: RunMemctl, tmp_path: Path) -> str:
    """The id of the passage of a file of which one line became a memory."""
    path = tmp_path / "chat.txt"
    path.write_text("Beatrix: Can you feed Nelly on Friday?\nAnn: We chose the blue paint.\n")
    call_memctl("ingest", path)
    found = call_memctl("recall", "feed Nelly", "--kind", "chunk", "--json").json
    [result] = found["results"]
    return result["id"]


def folder_holds(folder: Path, text: str) -> bool:
    return any(text.encode() in path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_a_passage_is_shown_and_purged_by_the_id_that_recall_shows(
    call_memctl: RunMemctl, chat: str, store_path: Path
) -> None:
    """It cannot be hidden alone: the message says what can be done."""
    shown = call_memctl("show", chat[:8]).stdout
    assert "passage of: chat.txt" in shown
    assert "  | Beatrix: Can you feed Nelly on Friday?" in shown
    document = call_memctl("show", chat[:8], "--json").json
    assert (document["id"], document["first_line"], document["last_line"]) == (chat, 1, 2)
    refused = call_memctl("forget", chat[:8], status=2).stderr
    assert "it is a passage of chat.txt" in refused
    assert f"memctl forget {chat[:8]} --purge" in refused
    assert "1 passage as a whole" in call_memctl("forget", chat, "--purge", "--dry-run").stdout
    assert folder_holds(store_path, "Nelly")
    purged = call_memctl("forget", chat[:8], "--purge")
    assert "Not found any more in" in purged.stdout
    assert not folder_holds(store_path, "Nelly")
    assert call_memctl("doctor", "--json").json["healthy"]


def test_a_passage_and_a_memory_are_shown_together(call_memctl: RunMemctl, chat: str) -> None:
    saved = call_memctl("save", "The oven is from 1974", "--json").json["id"]
    document = call_memctl("show", chat, saved, "--json").json
    assert [one["id"] for one in document["memories"]] == [saved]
    assert [one["id"] for one in document["passages"]] == [chat]
    assert call_memctl("show", chat, saved).stdout.count("id: ") == 2


def test_all_that_a_file_said_is_purged_at_once(
    call_memctl: RunMemctl, chat: str, store_path: Path, tmp_path: Path
) -> None:
    """The file is not taken in again; without --forget-source there is nothing to purge."""
    source = str(tmp_path / "chat.txt")
    call_memctl("ingest", "--purge", status=2)
    planned = call_memctl(
        "ingest", "--forget-source", source, "--purge", "--dry-run", "--json"
    ).json
    assert planned["passages"] == [chat]
    assert folder_holds(store_path, "Nelly")
    done = call_memctl("ingest", "--forget-source", source, "--purge", "--json").json
    assert done["purged"] == planned["purged"]
    assert done["searched"]["files"] > 0
    assert not folder_holds(store_path, "Nelly")
    assert not folder_holds(store_path, "blue paint")
    call_memctl("ingest", source)
    assert not folder_holds(store_path, "Nelly")


def test_a_memory_that_only_a_replaced_store_has_is_purged_there(
    call_memctl: RunMemctl, store_path: Path
) -> None:
    """A backup brought the store back to a time before the memory was saved."""
    call_memctl("save", "The oven is from 1974")
    call_memctl("backup", "b.tar")
    saved = call_memctl("save", "The alarm code is swordfish", "--json").json["id"]
    call_memctl("restore-backup", "b.tar")
    call_memctl("forget", saved, status=4)
    assert folder_holds(store_path, "swordfish")
    purged = call_memctl("forget", saved[:8], "--purge").stdout
    assert "which only a replaced store had" in purged
    assert not folder_holds(store_path, "swordfish")
    call_memctl("forget", saved, "--purge", status=4)


def test_a_purge_says_of_a_replaced_store_that_opens_no_more_what_erases_the_text_there(
    call_memctl: RunMemctl, store_path: Path
) -> None:
    """Neither purging nor editing reaches it."""
    saved = call_memctl("save", "The alarm code is swordfish", "--json").json["id"]
    call_memctl("backup", "b.tar")
    call_memctl("restore-backup", "b.tar")
    [kept] = store_path.glob("replaced-*")
    database = kept / "memctl.db"
    whole = database.read_bytes()
    database.write_bytes(b"no database" + whole[11:])
    refused = call_memctl("forget", saved, "--purge", status=1).stderr
    assert f"the replaced store {kept} was left as it is" in refused
    assert "only removing that folder erases it" in refused
    assert "purge, edit or remove what is named here" in refused


def test_a_maintenance_says_whether_it_was_due(call_memctl: RunMemctl) -> None:
    """One that is run by hand before its time is not."""
    call_memctl("save", "The oven is from 1974")
    assert call_memctl("maintain", "--json").json["due"] is True
    assert call_memctl("maintain", "--dry-run", "--json").json["due"] is False
