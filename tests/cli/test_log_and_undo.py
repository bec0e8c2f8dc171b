"""`memctl log` and `memctl undo` as a user meets them."""

from __future__ import annotations

import json

from command_runner import RunMemctl


def test_a_mistake_is_found_in_the_log_and_taken_back(call_memctl: RunMemctl) -> None:
    saved = call_memctl("save", "Tea, not coffee", "--json").json
    call_memctl("forget", saved["id"])
    [forgot, save] = [line.split("\t") for line in call_memctl("log").stdout.splitlines()]
    assert (forgot[0], forgot[2:]) == ("2", ["forget", '1 memory changed: "Tea, not coffee"'])
    assert (save[0], save[2:]) == ("1", ["save", '1 memory added: "Tea, not coffee"'])
    assert "forgotten True → False" in call_memctl("undo", "--dry-run").stdout
    undone = call_memctl("undo")
    assert undone.stdout.startswith("Taken back: 2 (forget, ")
    assert undone.stdout.endswith('): 1 memory changed: "Tea, not coffee"\n')
    assert undone.stderr == "memctl: `memctl undo 3` brings it back\n"
    assert call_memctl("recall", "tea", "--json").json["results"][0]["id"] == saved["id"]
    newest = call_memctl("log").stdout.splitlines()[0]
    assert newest.endswith('undo\ttook back 2: 1 memory changed: "Tea, not coffee"')
    assert "+ memory" in call_memctl("log", "1").stdout


def test_the_log_and_undo_are_documented_json(call_memctl: RunMemctl) -> None:
    call_memctl("save", "Tea, not coffee")
    [operation] = call_memctl("log", "--json").json["operations"]
    assert operation["changes"] == {"memories": {"added": 1, "changed": 0, "removed": 0}}
    assert (operation["undone_by"], operation["undoes"]) == (None, None)
    assert [memory["content"] for memory in operation["memories"]] == ["Tea, not coffee"]
    [row] = call_memctl("log", "1", "--json").json["rows"]
    assert (row["table"], row["before"]) == ("memories", None)
    planned = call_memctl("undo", "--dry-run", "--json").json
    assert [(entry["table"], entry["then"]) for entry in planned["rows"]] == [("memories", None)]
    done = call_memctl("undo", "1", "--json").json
    assert done["operation"].pop("undone_by") == 2
    assert planned["operation"].pop("undone_by") is None
    assert {**done, "dry_run": True, "refused": None} == planned


def test_a_few_of_many_memories_name_an_operation(call_memctl: RunMemctl) -> None:
    """The log shows two of them, shortened, and JSON three as they are; what is gone from the store
    is named by what it was."""
    lines = [f"Shelf {number} holds {'planes ' * 12}" for number in range(4)]
    exported = [json.dumps({"content": line.strip()}) for line in lines]
    call_memctl("import", "-", stdin="\n".join(exported))
    [row] = call_memctl("log").stdout.splitlines()
    assert row.endswith(
        '4 memories added: "Shelf 0 holds planes planes planes plan…", '
        '"Shelf 1 holds planes planes planes plan…", …'
    )
    [operation] = call_memctl("log", "--json").json["operations"]
    assert [one["content"] for one in operation["memories"]] == [line.strip() for line in lines[:3]]
    call_memctl("undo")
    [undo, done] = call_memctl("log", "--json").json["operations"]
    assert undo["memories"][0]["content"].startswith("Shelf ")
    assert done["memories"] == operation["memories"]


def test_undo_passes_by_what_only_concerns_the_ledger(call_memctl: RunMemctl, tmp_path) -> None:
    """A file that could not be read is no doing that anybody takes back; its number is."""
    call_memctl("save", "Tea, not coffee")
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    call_memctl("ingest", tmp_path / "broken.pdf", status=1)
    assert call_memctl("log").stdout.splitlines()[0].endswith("\tingest\t1 document added")
    assert "1 (save, " in call_memctl("undo", "--dry-run").stdout
    assert "2 (ingest, " in call_memctl("undo", "2").stdout


def test_what_cannot_be_undone_is_one_line_with_a_next_step(call_memctl: RunMemctl) -> None:
    nothing = call_memctl("undo", status=1)
    assert nothing.stderr.startswith("memctl: cannot undo anything: the journal holds nothing")
    unknown = call_memctl("undo", "7", status=4)
    assert unknown.stderr.startswith("memctl: cannot find operation 7: ")
    for command in ("undo", "log"):
        huge = call_memctl(command, "99999999999999999999", status=4).stderr
        assert huge.startswith("memctl: cannot find operation 99999999999999999999: ")
    first = call_memctl("save", "The router is at 192.0.2.1", "--json").json["id"]
    second = call_memctl("save", "Buy stamps", "--json").json["id"]
    call_memctl("link", second, "part_of", first)
    refused = call_memctl("undo", "1", status=1)
    assert "cannot undo operation 1: association" in refused.stderr
    assert "by operation 3 (link)" in refused.stderr
    assert "--force" in refused.stderr
    planned = call_memctl("undo", "1", "--dry-run", status=1)
    assert "by operation 3 (link); only --force overwrites that" in planned.stderr
    assert planned.stderr.endswith(refused.stderr)
    document = call_memctl("undo", "1", "--dry-run", "--json", status=1).json
    assert document["refused"].startswith("cannot undo operation 1: association")
    assert "that is overwritten" in call_memctl("undo", "1", "--dry-run", "--force").stderr
    call_memctl("undo", "1", "--force")
    assert call_memctl("list").stdout.count("\n") == 1


def test_a_dry_run_says_what_it_leaves_out_and_shows_all_when_asked(call_memctl: RunMemctl) -> None:
    """Rows that would change, and later changes that stand against it; JSON has them all."""
    lines = "\n".join(f'{{"content": "Tray {number} is clean"}}' for number in range(23))
    call_memctl("import", "-", stdin=lines)
    ids = [memory["id"] for memory in call_memctl("list", "-n", "100", "--json").json["memories"]]
    for memory_id in ids[:3]:
        call_memctl("edit", memory_id, "--pin")
    planned = call_memctl("undo", "1", "--dry-run", status=1)
    rows, later = planned.stdout.splitlines()[1:], planned.stderr.count("overwrites that")
    total = len(call_memctl("undo", "1", "--dry-run", "--json", status=1).json["rows"])
    assert (len(rows), later) == (21, 3)
    assert rows[-1] == f"  and {total - 20} more rows; --limit {total} shows all"
    short = call_memctl("undo", "1", "--dry-run", "-n", "2", status=1)
    assert "memctl: and 1 more later change; --limit 3 shows all\n" in short.stderr
    whole = call_memctl("undo", "1", "--dry-run", "--limit", str(total), status=1)
    assert len(whole.stdout.splitlines()) == 1 + total
    assert "more" not in whole.stdout + whole.stderr
    refused = call_memctl("undo", "1", "--limit", "2", status=2).stderr
    assert "--limit goes with --dry-run" in refused
