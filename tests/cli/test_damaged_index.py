"""A search index whose files are damaged: what goes on without it, and how it is built again."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest

from memctl.backup.making import make_backup
from memctl.store.database import Database
from memctl.store.index_place import PlaceState, look_at_place
from memctl.times import utc_now

WARNING = "nothing is lost, and `memctl doctor --fix` builds the index again"


def overwrite_manifests(index: Path) -> None:
    for path in index.glob("*/_versions/*"):
        path.write_text("garbage\n")


def remove_manifests(index: Path) -> None:
    for path in index.glob("*/_versions"):
        shutil.rmtree(path)


def truncate_data(index: Path) -> None:
    for path in index.glob("*/data/*"):
        path.write_bytes(path.read_bytes()[:100])


def remove_data(index: Path) -> None:
    for path in index.glob("*/data/*"):
        path.unlink()


def overwrite_data(index: Path) -> None:
    for path in index.glob("*/data/*"):
        path.write_bytes(bytes(len(path.read_bytes())))


def put_file_in_place(index: Path) -> None:
    shutil.rmtree(index)
    index.write_text("no index\n")


def put_file_in_place_of_table(index: Path) -> None:
    for path in index.glob("*.lance"):
        shutil.rmtree(path)
        path.write_text("no table\n")


DAMAGES = [
    overwrite_manifests,
    remove_manifests,
    truncate_data,
    remove_data,
    overwrite_data,
    put_file_in_place,
]


@pytest.fixture
def tea(call_memctl, store_path):
    """The id of one of two memories of a store."""
    call_memctl("save", "The oven number 12 is broken")
    return call_memctl("save", "Anna likes tea", "--json").json["id"]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_memory_is_saved_beside_a_damaged_index_with_one_warning(
    call_memctl, store_path: Path, tea: str, damage: Callable[[Path], None]
) -> None:
    """Saving succeeds, says the id, and says once and in one line what is wrong."""
    damage(store_path / "index")
    saved = call_memctl("save", "Berta likes coffee")
    assert saved.stdout.startswith("Saved: ")
    [line] = saved.stderr.splitlines()
    assert line.endswith(WARNING)
    assert len(line) < 250 + len(str(store_path))
    assert "Berta likes coffee" in call_memctl("list").stdout


def test_whatever_changes_the_truth_succeeds_beside_a_damaged_index(
    call_memctl, store_path: Path, tmp_path: Path, tea: str
) -> None:
    """Only recall fails; it says what to do."""
    note = tmp_path / "note.md"
    note.write_text("# Rivers\n\nThe Elbe flows through Dresden.\n")
    rows = tmp_path / "rows.jsonl"
    rows.write_text(json.dumps({"content": "Clara plays chess on Mondays"}) + "\n")
    other = call_memctl("list", "--json").json["memories"][-1]["id"]
    truncate_data(store_path / "index")
    for words in (
        ["ingest", str(note)],
        ["import", str(rows)],
        ["edit", tea, "--content", "Anna likes green tea"],
        ["forget", tea],
        ["restore", tea],
        ["link", tea, "related_to", other],
        ["undo"],
    ):
        assert call_memctl(*words).stderr.count(WARNING) <= 1
    recalled = call_memctl("recall", "tea", status=5)
    assert "memctl doctor --fix" in recalled.stderr


@pytest.mark.parametrize("command", [["doctor", "--fix"], ["maintain", "--only", "reindex"]])
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_index_is_built_again(
    call_memctl, store_path: Path, tea: str, damage: Callable[[Path], None], command: list[str]
) -> None:
    """Afterwards all is well, and what was saved meanwhile is found too."""
    damage(store_path / "index")
    call_memctl("save", "Berta likes coffee")
    call_memctl("doctor", status=1)
    call_memctl(*command)
    assert call_memctl("doctor").stdout.endswith("all is well\n")
    for query in ("tea", "coffee"):
        assert query in call_memctl("recall", query).stdout


def test_damaged_full_text_files_are_noticed_and_built_again(
    call_memctl, store_path: Path, tea: str
) -> None:
    """Files that only a question by words reads are looked at too."""
    for path in (store_path / "index").glob("*/_indices/*/*"):
        path.write_text("garbage\n")
    call_memctl("doctor", status=1)
    call_memctl("doctor", "--fix")
    assert "tea" in call_memctl("recall", "tea").stdout


def test_a_file_in_the_place_of_a_table_does_not_stop_the_repair(
    call_memctl, store_path: Path, tea: str
) -> None:
    """The index is built under other names then."""
    put_file_in_place_of_table(store_path / "index")
    call_memctl("doctor", "--fix")
    assert "tea" in call_memctl("recall", "tea").stdout


def test_a_rebuild_whose_half_built_index_is_damaged_begins_anew(
    call_memctl, store_path: Path, tea: str
) -> None:
    """Neither the old index nor the new one can be used, and the repair ends all the same."""
    index = store_path / "index"
    shutil.copytree(index / "memories_v1.lance", index / "memories_v1g1.lance")
    model = call_memctl("status", "--json").json["embedding_model"]
    with closing(sqlite3.connect(store_path / "memctl.db")) as connection, connection:
        building = json.dumps([1, model, 0])
        connection.execute("INSERT INTO meta VALUES ('index_building', ?)", [building])
    overwrite_manifests(index)
    call_memctl("doctor", "--fix")
    assert call_memctl("doctor").stdout.endswith("all is well\n")


def test_a_place_is_told_apart_by_what_lies_there(tmp_path: Path) -> None:
    """Nothing, a folder, and anything else."""
    (tmp_path / "file").touch()
    (tmp_path / "broken").symlink_to(tmp_path / "nowhere")
    states = [look_at_place(tmp_path / name) for name in ("none", "file", "broken", ".")]
    assert states == [PlaceState.FREE, PlaceState.OTHER, PlaceState.OTHER, PlaceState.FOLDER]


def test_a_place_on_a_read_only_file_system_is_told_from_a_closed_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No change of permissions opens it."""
    monkeypatch.setattr(os, "access", lambda _path, _mode: False)
    assert look_at_place(tmp_path) is PlaceState.CLOSED
    figures = SimpleNamespace(f_flag=os.ST_RDONLY | os.ST_NOSUID)
    monkeypatch.setattr(os, "statvfs", lambda _path: figures)
    assert look_at_place(tmp_path) is PlaceState.READ_ONLY


@pytest.mark.parametrize("is_empty", [True, False])
def test_a_lost_database_beside_an_index_is_said(
    call_memctl, store_path: Path, tea: str, is_empty: bool
) -> None:
    """The doctor names the way back and changes nothing; what only reads makes no empty store in
    its place, and what does warns once."""
    for path in store_path.glob("memctl.db*"):
        path.unlink()
    if is_empty:
        (store_path / "memctl.db").touch(mode=0o600)
    found = call_memctl("doctor", status=1).stdout
    assert "only the search index is left" in found
    assert "memctl restore-backup FILE" in found
    for command in (["list"], ["recall", "tea"], ["export", "-"], ["maintain"]):
        refused = call_memctl(*command, status=5)
        assert refused.stdout == ""
        assert "`memctl restore-backup FILE` brings a backup back" in refused.stderr
    assert "an empty store is begun" in call_memctl("save", "Berta likes coffee").stderr
    assert call_memctl("save", "Clara plays chess").stderr == ""
    assert "coffee" in call_memctl("recall", "coffee").stdout


@pytest.mark.parametrize("damage", [truncate_data, put_file_in_place])
def test_status_says_what_it_knows_beside_a_damaged_index(
    call_memctl, store_path: Path, tea: str, damage: Callable[[Path], None]
) -> None:
    """The counts of the database are there, and the way to a new index."""
    damage(store_path / "index")
    report = call_memctl("status", "--json").json
    assert report["memories"] == 2
    shown = call_memctl("status").stdout
    if report["index_error"] is not None:
        assert report["indexed_memories"] is None
        assert "`memctl doctor --fix` builds it again" in shown


def test_status_names_memories_that_the_index_lacks(
    call_memctl, store_path: Path, tea: str
) -> None:
    """An index that was removed is no well-being."""
    shutil.rmtree(store_path / "index")
    shown = call_memctl("status").stdout
    assert "2 memories are missing: `memctl doctor` says more" in shown


@pytest.mark.parametrize("damage", DAMAGES)
def test_maintenance_does_everything_beside_a_damaged_index(
    call_memctl, store_path: Path, tea: str, damage: Callable[[Path], None]
) -> None:
    """What needs the index is done after the step that builds it again."""
    damage(store_path / "index")
    steps = call_memctl("maintain", "--json").json["steps"]
    assert {step["name"] for step in steps} == {
        "decay", "expire", "prune", "merge", "centrality", "reindex", "compact",
    }  # fmt: skip
    assert [step["error"] for step in steps] == [None] * len(steps)
    assert call_memctl("doctor").stdout.endswith("all is well\n")


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_backup_beside_a_damaged_index_holds_everything_else(
    call_memctl, store_path: Path, tea: str, damage: Callable[[Path], None]
) -> None:
    """It says that the index is left out, and the restored store has a new one."""
    damage(store_path / "index")
    made = call_memctl("backup", "b.tar", "--json").json
    if damage is not remove_manifests:  # an index without them is an empty one
        assert not made["has_index"]
        [warning] = made["warnings"]
        assert "left out of the backup" in warning
        assert "memctl doctor --fix" in warning
    call_memctl("save", "Berta likes coffee")
    call_memctl("restore-backup", "b.tar")
    assert call_memctl("doctor", "--json").json["healthy"]
    assert "tea" in call_memctl("recall", "tea").stdout
    assert "coffee" not in call_memctl("list").stdout


@pytest.mark.parametrize("damage", [overwrite_manifests, truncate_data, overwrite_data])
def test_a_backup_that_took_a_damaged_index_along_is_restored_with_a_new_one(
    call_memctl, store_path: Path, tmp_path: Path, tea: str, damage: Callable[[Path], None]
) -> None:
    """A dry run says it, too."""
    damage(store_path / "index")
    target = tmp_path / "b.tar"
    database = Database.open(store_path / "memctl.db", clock=utc_now)
    make_backup(
        database, store_path / "index", target, find_index_error=lambda _folder, _database: None
    )
    database.close()
    for words in (["--dry-run"], []):
        restored = call_memctl("restore-backup", str(target), *words)
        assert "it is built again from its database" in restored.stderr
    assert call_memctl("doctor", "--json").json["healthy"]
    assert "tea" in call_memctl("recall", "tea").stdout


def test_maintenance_says_which_steps_a_damaged_index_kept_from_being_done(
    call_memctl, store_path: Path, tea: str
) -> None:
    """The others are done; the exit status is that of the store's error."""
    overwrite_manifests(store_path / "index")
    result = call_memctl("maintain", "--only", "decay,merge,centrality", status=5)
    [decay, merge, centrality] = result.stdout.splitlines()
    assert merge == "merge: not done, because the search index cannot be used"
    assert "not done" not in decay + centrality
    assert "memctl doctor --fix" in result.stderr
    due = call_memctl("maintain", "--only", "merge", "--json", status=5).json
    assert due["steps"][0]["error"] is not None
