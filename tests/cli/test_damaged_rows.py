"""Rows that a hand or a faulty disk has changed are named and repaired from the journal."""

import sqlite3

import pytest

TEA = "Anna likes oolong tea."
ROOF = "The roof was mended in May."
NOTE = "# Shop\n\n- We decided to close on Mondays.\n- The kiln fires at 1240 degrees.\n"

REPAIRABLE = {
    "type": "UPDATE memories SET memory_type = 'zzz'",
    "time": "UPDATE memories SET created_at = 'garbage'",
    "event": "UPDATE memories SET event_at = 'garbage'",
    "importance": "UPDATE memories SET importance = 'high'",
    "binary text": "UPDATE memories SET content = x'ff00fe'",
    "no UTF-8": "UPDATE memories SET content = CAST(x'41ff' AS TEXT)",
    "no UTF-8 in a time": "UPDATE memories SET created_at = CAST(x'32ff' AS TEXT)",
    "document": "UPDATE documents SET status = 'zzz'",
    "passage": "UPDATE chunks SET heading_path = '{'",
    "place": "UPDATE memory_chunks SET first_line = 'a'",
    "arguments": "UPDATE operations SET arguments = 'nope' WHERE id = 1",
    "outbox": (
        "INSERT INTO outbox (kind, entry_id, text_changed, waiting) VALUES ('zzz', 'x', 1, 0)"
    ),
    "no documents": "DELETE FROM documents",
    "id": f"UPDATE memories SET id = CAST(x'41ff' AS TEXT) WHERE content = '{TEA}'",
    "ids of places": "UPDATE memory_chunks SET chunk_id = CAST(x'41ff' AS TEXT)",
    "successor of itself": f"UPDATE memories SET superseded_by = id WHERE content = '{TEA}'",
    "circle": (
        "UPDATE memories SET superseded_by = (SELECT id FROM memories AS other WHERE other.content "
        f"IN ('{TEA}', '{ROOF}') AND other.id != memories.id) WHERE content IN ('{TEA}', '{ROOF}')"
    ),
}
LASTING = {
    "no UTF-8 in a passage": "UPDATE chunks SET content = CAST(x'41ff' AS TEXT)",
    "journal": "UPDATE operation_changes SET row_after = '{' WHERE id = 1",
    "association": (
        "INSERT INTO associations SELECT 'a1', min(id), max(id), 'zzz', 0.5, "
        "'2026-01-01T00:00:00.000000Z' FROM memories"
    ),
    "no UTF-8 in a tag": (
        "INSERT INTO memory_tags SELECT id, CAST(x'41ff' AS TEXT) FROM memories "
        f"WHERE content = '{TEA}'"
    ),
    "no UTF-8 in a fact": "UPDATE meta SET value = CAST(x'41ff' AS TEXT) WHERE key = 'created_at'",
    "dimension": "UPDATE meta SET value = '999' WHERE key = 'embedding_dimension'",
    "no dimension": "UPDATE meta SET value = 'abc' WHERE key = 'embedding_dimension'",
}
COMMANDS = (
    ("list",), ("recall", "tea"), ("stats",), ("status",), ("log",), ("export", "-"),
    ("undo", "--dry-run", "--force"), ("maintain", "--dry-run"),
)  # fmt: skip


@pytest.fixture
def damaged_store(call_memctl, store_path, tmp_path):
    """Makes a store with memories, a document and passages, and runs SQL on its database."""
    (tmp_path / "shop.md").write_text(NOTE, encoding="utf-8")
    call_memctl("ingest", tmp_path / "shop.md")
    for text in (TEA, ROOF):
        call_memctl("save", text)

    def damage(statement):
        database = sqlite3.connect(store_path / "memctl.db")
        with database:
            database.execute("PRAGMA foreign_keys = OFF")
            database.execute(statement)
        database.close()

    return damage


def contents(call_memctl):
    return {one["content"] for one in call_memctl("list", "--json").json["memories"]}


@pytest.mark.parametrize("statement", REPAIRABLE.values(), ids=REPAIRABLE)
def test_doctor_names_a_damaged_row_and_puts_it_right(call_memctl, damaged_store, statement):
    """One round finds the damage, ``--fix`` repairs it, the next finds nothing and all is there."""
    before = contents(call_memctl)
    damaged_store(statement)
    found = call_memctl("doctor", "--json", status=1).json["findings"]
    assert [one["check"] for one in found if one["severity"] == "error"]
    call_memctl("doctor", "--fix")
    assert call_memctl("doctor", "--json").json["findings"] == []
    assert contents(call_memctl) == before


@pytest.mark.parametrize("statement", LASTING.values(), ids=LASTING)
def test_damage_that_only_a_backup_repairs_stays_a_finding_with_a_next_step(
    call_memctl, damaged_store, statement
):
    """Nothing is made up in the place of what nobody knows any more."""
    damaged_store(statement)
    for options in ((), ("--fix",), ()):
        found = call_memctl("doctor", "--json", *options, status=1).json["findings"]
        errors = [one for one in found if one["severity"] == "error"]
        assert errors
        assert all("memctl" in one["fix"] for one in errors)


ALL = REPAIRABLE | LASTING


@pytest.mark.parametrize("statement", ALL.values(), ids=ALL)
def test_no_command_takes_damage_for_a_fault_of_its_own(call_memctl, damaged_store, statement):
    """Each command works on what it can read, or names the row and the doctor."""
    damaged_store(statement)
    for command in COMMANDS:
        result = call_memctl(*command, status=None)
        assert "fault" not in result.stderr, command
        if result.returncode:
            assert result.returncode == 5, (command, result.stderr)
            assert "memctl doctor" in result.stderr, command
