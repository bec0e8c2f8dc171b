"""memctl doctor: what it finds, what it repairs, and that looking changes nothing."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from memctl.ingestion.heartbeat import Heartbeat
from memctl.memory import EntryKind
from memctl.store.index import IndexEntry
from memctl.store.lance_index import LanceIndex
from memctl.store.locks import named_lock

DIMENSION = 384


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Template:
    """A filled store that is made once and copied for each test."""
    return Template(tmp_path_factory.mktemp("template") / "store")


class Template:
    """Three memories, of which the second updates the first."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ids: list[str] = []


@pytest.fixture
def saved(call_memctl, store_path, template):
    """The ids of the memories of a filled store."""
    if not template.ids:
        template.ids = [
            call_memctl("save", *words, "--json").json["id"]
            for words in (
                ["Router: 192.0.2.1", "--key", "router"],
                ["Router: 192.0.2.9", "--key", "router"],
                ["The oven is from 1974"],
            )
        ]
        shutil.copytree(store_path, template.folder)
    else:
        shutil.copytree(template.folder, store_path)
    return template.ids


def change(store_path: Path, statement: str, *values: object) -> None:
    """Writes behind memctl's back."""
    with closing(sqlite3.connect(store_path / "memctl.db")) as connection, connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute(statement, values)


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.suffix != ".lock"
    }


def findings(result) -> dict[str, dict]:
    return {finding["check"]: finding for finding in result.json["findings"]}


def test_a_healthy_store_has_no_findings_and_is_left_as_it_is(call_memctl, store_path, saved):
    before = contents(store_path)
    report = call_memctl("doctor", "--json").json
    assert (report["healthy"], report["findings"]) == (True, [])
    assert {"database", "index", "outbox", "permissions"} <= set(report["checks"])
    assert contents(store_path) == before
    assert "all is well" in call_memctl("doctor").stdout


def test_a_store_that_is_not_there_is_not_made(call_memctl, store_path):
    report = call_memctl("doctor", "--json").json
    assert report["healthy"]
    assert "there is no store" in report["findings"][0]["problem"]
    assert not store_path.exists()


def test_files_that_others_may_read_are_found_and_closed(call_memctl, store_path, saved):
    (store_path / "index").chmod(0o755)
    assert call_memctl("doctor", "--json").json["healthy"], "its folder is closed"
    store_path.chmod(0o755)
    found = findings(call_memctl("doctor", "--json", status=1))
    assert str(store_path / "index") in found["permissions"]["examples"]
    report = call_memctl("doctor", "--fix", "--json").json
    assert [finding["check"] for finding in report["fixed"]] == ["permissions"]
    assert (store_path / "index").stat().st_mode & 0o777 == 0o700


def test_a_lost_index_is_built_again(call_memctl, store_path, saved):
    shutil.rmtree(store_path / "index")
    assert (
        "no search index" in findings(call_memctl("doctor", "--json", status=1))["index"]["problem"]
    )
    assert not (store_path / "index").exists()
    call_memctl("doctor", "--fix")
    assert call_memctl("status", "--json").json["indexed_memories"] == 3


def test_ids_that_only_one_store_has_are_found_and_put_right(call_memctl, store_path, saved):
    call_memctl("forget", saved[2])
    index = LanceIndex(store_path / "index", dimension=DIMENSION)
    index.delete(EntryKind.MEMORY, [saved[1]])
    index.close()
    change(store_path, "UPDATE memories SET forgotten = 1 WHERE id = ?", saved[0])
    change(store_path, "UPDATE memories SET forgotten = 0 WHERE id = ?", saved[2])
    result = call_memctl("doctor", "--json", status=1)
    problems = [finding["problem"] for finding in result.json["findings"]]
    assert "2 memories are missing in the search index" in problems
    assert "1 memory is in the search index and hidden or gone" in problems
    call_memctl("doctor", "--fix", status=0)
    assert call_memctl("recall", "how old is the oven?", "--json").json["results"]


def test_rows_that_name_nothing_are_removed(call_memctl, store_path, saved):
    change(store_path, "DELETE FROM memories WHERE id = ?", saved[1])
    found = findings(call_memctl("doctor", "--json", status=1))["references"]
    assert "associations.source_id: 1" in found["examples"]
    assert "memories.superseded_by: 1" in found["examples"]
    assert call_memctl("doctor", "--fix", "--json").json["healthy"]
    shown = call_memctl("show", saved[0], "--json").json
    assert (shown["superseded_by"], shown["associations"]) == (None, [])


def test_a_memory_behind_a_hidden_one_is_current_again(call_memctl, store_path, saved):
    change(
        store_path,
        "UPDATE memories SET forgotten = 1, forgotten_reason = 'user' WHERE id = ?",
        saved[1],
    )
    assert (
        "superseded by one that is forgotten"
        in (findings(call_memctl("doctor", "--json", status=1))["references"]["problem"])
    )
    call_memctl("doctor", "--fix")
    assert call_memctl("show", saved[0], "--json").json["superseded_by"] is None


def test_a_text_that_was_changed_outside_is_named(call_memctl, store_path, saved):
    change(store_path, "UPDATE memories SET content = 'x' WHERE id = ?", saved[2])
    found = findings(call_memctl("doctor", "--json", status=1))["texts"]
    assert found["examples"] == [saved[2][:8]]
    assert not found["repair"]


def test_a_damaged_database_is_a_finding_with_a_next_step(call_memctl, store_path, saved):
    path = store_path / "memctl.db"
    change(
        store_path,
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)"
        " INSERT INTO meta (key, value) SELECT 'k' || i, hex(randomblob(400)) FROM n",
    )
    data = bytearray(path.read_bytes())
    data[-40_000:-20_000] = bytes(20_000)
    path.write_bytes(data)
    result = call_memctl("doctor", "--json", status=1)
    assert any(
        finding["severity"] == "error" and finding["fix"] for finding in result.json["findings"]
    )


def test_a_file_that_is_no_database_is_a_finding(call_memctl, store_path):
    store_path.mkdir(mode=0o700)
    (store_path / "memctl.db").write_bytes(b"not a database" * 999)
    (store_path / "memctl.db").chmod(0o600)
    found = findings(call_memctl("doctor", "--json", status=1))
    assert list(found) == ["opening"]


def test_a_newer_store_is_a_finding(call_memctl, store_path, saved):
    change(store_path, "UPDATE meta SET value = '999' WHERE key = 'schema_version'")
    found = findings(call_memctl("doctor", "--json", status=1))
    assert "999" in found["opening"]["problem"]
    assert "Upgrade memctl" in found["opening"]["fix"]


def test_vectors_of_another_model_are_a_finding(call_memctl, saved):
    environment = {"MEMCTL_EMBEDDING_MODEL": "BAAI/bge-small-en-v1.5"}
    result = call_memctl("doctor", "--json", environment=environment, status=1)
    assert "only keywords are searched" in findings(result)["model"]["problem"]


def test_files_that_could_not_be_taken_in_are_listed(call_memctl, tmp_path):
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7\n1 0 obj\n<<")
    call_memctl("ingest", tmp_path / "broken.pdf", status=1)
    found = findings(call_memctl("doctor", "--json", status=1))["documents"]
    assert "broken.pdf (unreadable" in found["examples"][0]


def test_a_lock_that_is_held_is_a_note(call_memctl, store_path, saved):
    path = store_path / "memctl.db.drain.lock"
    with named_lock(path, what="test", command="memctl ingest", wait_seconds=0):
        result = call_memctl("doctor", "--json", status=0)
    found = findings(result)["locks"]
    assert found["severity"] == "note"
    assert "(memctl ingest) has held the drain lock" in found["problem"]


def test_the_deep_look_tries_a_memorys_whole_life_elsewhere(call_memctl, store_path, saved):
    before = call_memctl("list", "--forgotten", "--json").json
    report = call_memctl("doctor", "--deep", "--json").json
    assert report["healthy"]
    assert {"round trip", "vectors"} <= set(report["checks"])
    assert call_memctl("list", "--forgotten", "--json").json == before


def test_changed_vectors_are_found_by_the_deep_look(call_memctl, store_path, saved):
    index = LanceIndex(store_path / "index", dimension=DIMENSION)
    other = np.eye(1, DIMENSION, dtype=np.float32)[0]
    entry = IndexEntry(
        id=saved[2],
        kind=EntryKind.MEMORY,
        content="anything",
        vector=other,
        created_at=datetime.now(UTC),
    )
    index.put(EntryKind.MEMORY, [entry])
    index.close()
    result = call_memctl("doctor", "--deep", "--json", status=1)
    assert findings(result)["vectors"]["examples"] == [saved[2][:8]]


def test_a_purge_that_was_stopped_is_a_finding(call_memctl, store_path, saved):
    change(store_path, "INSERT INTO meta (key, value) VALUES ('purge_unfinished', 'now')")
    found = findings(call_memctl("doctor", "--json", status=1))["unfinished"]
    assert "may still hold what it erased" in found["problem"]
    assert "memctl maintain" in found["fix"]


def test_a_watching_process_that_is_gone_is_a_finding(call_memctl, store_path, saved):
    heartbeat = Heartbeat(
        process_id=2**22 + 1,
        folders=("/notes",),
        started_at="2026-03-04T00:00:00+00:00",
        seen_at="2026-03-04T00:00:00+00:00",
    )
    change(store_path, "INSERT INTO meta (key, value) VALUES ('watch', ?)", heartbeat.to_json())
    found = findings(call_memctl("doctor", "--json", status=1))["watch"]
    assert "is gone without having stopped" in found["problem"]
    assert found["examples"] == ["/notes"]


def test_what_a_killed_restoring_left_is_removed_and_replaced_stores_are_only_named(
    call_memctl, saved, store_path
):
    left, kept = store_path / ".memctl-restore-abc", store_path / "replaced-20260304T120000Z"
    for folder in (left, kept):
        folder.mkdir(mode=0o700)
        (folder / "memctl.db").write_bytes(b"an old copy")
    report = call_memctl("doctor", "--json", status=1).json
    copies = [finding for finding in report["findings"] if finding["check"] == "copies"]
    assert [(one["severity"], one["repair"]) for one in copies] == [
        ("warning", True),
        ("note", False),
    ]
    assert f"memctl --store {kept} list" in copies[1]["fix"]
    fixed = call_memctl("doctor", "--fix", "--json").json
    assert [finding["check"] for finding in fixed["fixed"]] == ["copies"]
    assert (left.exists(), kept.exists()) == (False, True)
