"""`memctl maintain` and `memctl forget --purge` as a user meets them."""

from __future__ import annotations

from pathlib import Path

from command_runner import RunMemctl

OLD = (
    '{"id": "aaaa0000-0000-4000-8000-000000000000", "content": "An old observation",'
    ' "memory_type": "observation", "importance": 0.05, "created_at": "2020-01-01T00:00:00+00:00"}'
)


def test_the_plan_is_shown_applied_and_taken_back(call_memctl: RunMemctl) -> None:
    call_memctl("import", "-", stdin=OLD)
    shown = call_memctl("maintain", "--only", "decay,prune", "--dry-run").stdout
    assert shown.startswith("decay: 1 planned\n  aaaa0000  importance 0.050 → ")
    assert "prune: 1 planned\n  aaaa0000  importance 0.0" in shown
    assert "An old observation" in call_memctl("list").stdout
    steps = call_memctl("maintain", "--only", "prune,decay", "--json").json["steps"]
    assert [(step["name"], step["planned"], step["applied"]) for step in steps] == [
        ("decay", 1, 1),
        ("prune", 1, 1),
    ]
    assert steps[1]["changes"][0]["id"].startswith("aaaa0000")
    assert call_memctl("list").stdout == ""
    assert "maintain" in call_memctl("undo").stdout
    assert "An old observation" in call_memctl("list").stdout


def test_cron_gets_nothing_to_do_before_its_time(call_memctl: RunMemctl) -> None:
    call_memctl("save", "Tea, not coffee")
    first = call_memctl("maintain", "--if-due").stdout
    assert first.splitlines()[0] == "decay: nothing to do"
    second = call_memctl("maintain", "--if-due")
    assert (second.stdout, "not due before" in second.stderr) == ("", True)
    assert call_memctl("maintain", "--if-due", "--json").json["due"] is False
    assert "reindex: 1 done" in call_memctl("maintain", "--reindex").stdout


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
    systemctl = tools / "systemctl"
    systemctl.write_text("#!/bin/sh\n")
    systemctl.chmod(0o755)
    shown = call_memctl("maintain", "--install-timer", "--dry-run", environment=without)
    assert "Persistent=true" in shown.stdout
    assert "nothing has been written" in shown.stderr
    assert not (tmp_path / "settings").exists()
    written = call_memctl("maintain", "--install-timer", "--json", environment=without).json
    service, timer = (Path(path).read_text() for path in written["files"])
    assert '"maintain" "--if-due" "--store"' in service
    assert "Persistent=true" in timer
    assert "memctl-maintain.timer" in written["enable"]


def test_purging_says_what_it_erased_and_proves_it(
    call_memctl: RunMemctl, store_path: Path
) -> None:
    call_memctl("save", "The bicycle is green")
    saved = call_memctl("save", "The alarm code is swordfish", "--json").json["id"]
    planned = call_memctl("forget", saved, "--purge", "--dry-run", "--json").json
    assert planned["purged"] == [saved]
    done = call_memctl("forget", saved, "--purge", "--json").json
    assert {**done, "dry_run": True, "searched": None} == planned
    assert done["searched"]["bytes"] > 10_000
    files = [path for path in store_path.rglob("*") if path.is_file()]
    assert not [path for path in files if b"swordfish" in path.read_bytes()]
    call_memctl("show", saved, status=4)
    assert "The bicycle is green" in call_memctl("recall", "bicycle").stdout
