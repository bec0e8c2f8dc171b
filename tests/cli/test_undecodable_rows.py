"""Text that is no UTF-8, wherever in the database it stands, is named, and put right or left with a
next step. The tables and columns are those of the schema."""

import shutil
import sqlite3
from contextlib import closing

import pytest
from furnished_folder import SESSION_NOTE
from sqlalchemy import Integer

from memctl.store.schema import metadata

pytestmark = pytest.mark.slow

FILES = {
    "shop.md": "# Shop\n\n- We decided to close on Mondays.\n- The kiln fires at 1240 degrees.\n",
    ".openclaw/workspace/memory/2026-03-04-0915.md": SESSION_NOTE,
}
TEXTS = {"Anna likes oolong tea.": "drink", "Anna's sister drinks green tea.": "family"}
PASSING_ROWS = {
    "centrality": "INSERT INTO centrality SELECT id, 1, 0.5 FROM memories LIMIT 1",
    "uncompared": "INSERT INTO uncompared SELECT id FROM memories LIMIT 1",
    "outbox": (
        "INSERT INTO outbox (kind, entry_id, text_changed, waiting) "
        "SELECT 'memory', id, 0, 0 FROM memories LIMIT 1"
    ),
}
"""By table that holds rows only for a while, how it gets one."""
NAMES = {
    "associations": "association",
    "centrality": "centrality",
    "chunks": "passage",
    "documents": "document",
    "memories": "memory",
    "memory_chunks": "place of a memory",
    "memory_tags": "tag of a memory",
    "messages": "message",
    "meta": "fact",
    "operation_changes": "journal entry",
    "operations": "operation",
    "outbox": "outbox row",
    "uncompared": "mark of a memory to compare",
}
LEFT = {
    "chunks.content", "meta.key", "meta.value", "operation_changes.operation_id",
    "operation_changes.row_after", "operation_changes.row_before", "operation_changes.row_key",
    "operation_changes.table_name", "operations.command", "operations.finished_at",
    "operations.started_at",
}  # fmt: skip
"""What nobody knows any more."""
COMPARED = sorted(metadata.tables.keys() - PASSING_ROWS.keys() - {"meta"})
"""Tables of which no row may change but the damaged one."""
READERS = (("list",), ("log",), ("recall", "tea"))


def columns(*, of_keys=False):
    """As (table, column) all that can hold a text, which the number of a row cannot."""
    return [
        (table.name, column.name)
        for table in metadata.sorted_tables
        for column in (table.primary_key.columns if of_keys else table.columns)
        if not (column.primary_key and isinstance(column.type, Integer))
    ]


@pytest.fixture(scope="module")
def kept_store(tmp_path_factory):
    """Where the store lies that every case begins with; the first one makes it."""
    return tmp_path_factory.mktemp("kept") / "store"


@pytest.fixture
def database_path(kept_store, store_path, call_memctl, tmp_path):
    """The database of a store that has a row in every table."""
    if not kept_store.exists():
        make_store(call_memctl, tmp_path)
        run_sql(store_path / "memctl.db", *PASSING_ROWS.values())
        store_path.rename(kept_store)
    shutil.copytree(kept_store, store_path)
    return store_path / "memctl.db"


def make_store(call_memctl, folder):
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    call_memctl("ingest", "shop.md")
    call_memctl("migrate-openclaw", ".openclaw", "--sessions")
    first, second = (
        call_memctl("save", text, "--tag", tag, "--json").json["id"] for text, tag in TEXTS.items()
    )
    call_memctl("link", first, "related_to", second)


def run_sql(path, *statements):
    """Runs statements without looking at references; gives how many rows the last one changed."""
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("PRAGMA foreign_keys = OFF")
        return [database.execute(statement).rowcount for statement in statements][-1]


def damage(path, table, column):
    """Puts a byte that is no UTF-8 into a column of one row."""
    oldest = f"SELECT min(rowid) FROM {table}"
    statement = f"UPDATE {table} SET {column} = CAST(x'ff' AS TEXT) WHERE rowid = ({oldest})"
    assert run_sql(path, statement) == 1


def contents(path, *, without=None):
    """All rows of the tables that are compared, but for one column, given as (table, column)."""
    found = {}
    with closing(sqlite3.connect(path)) as database:
        database.text_factory = bytes
        for table in COMPARED:
            names = [one.name for one in metadata.tables[table].columns]
            wanted = ", ".join(f'"{name}"' for name in names if (table, name) != without)
            found[table] = database.execute(
                f"SELECT {wanted} FROM {table} ORDER BY rowid"
            ).fetchall()
    return found


def errors_of(report):
    return [one for one in report["findings"] if one["severity"] == "error"]


@pytest.mark.parametrize(("table", "column"), columns())
def test_text_that_is_no_utf8_is_named_and_put_right_or_left_with_a_next_step(
    call_memctl, database_path, table, column
):
    """The doctor names row and column; its repair loses nothing that can be read."""
    before, cell = contents(database_path), (table, column)
    readable = contents(database_path, without=cell)
    damage(database_path, table, column)
    found = errors_of(call_memctl("doctor", "--json", status=1).json)
    [example] = [example for one in found if one["check"] == "rows" for example in one["examples"]]
    assert example.startswith(f"{NAMES[table]} ")
    assert f"{column} is b'\\xff'" in example
    is_left = f"{table}.{column}" in LEFT
    report = call_memctl("doctor", "--fix", "--json", status=int(is_left)).json
    assert contents(database_path, without=cell) == readable
    for one in errors_of(report):
        assert not one["repair"]
        assert "`memctl restore-backup FILE`" in one["fix"]
    if not is_left and cell != ("operations", "arguments"):
        assert contents(database_path) == before
    for command in READERS:
        result = call_memctl(*command, status=None if is_left else 0)
        assert result.returncode in {0, 5}
        assert result.returncode == 0 or "`memctl doctor`" in result.stderr


@pytest.mark.parametrize(("table", "column"), columns(of_keys=True))
def test_a_key_that_the_journal_does_not_know_is_left_with_all_that_names_it(
    call_memctl, database_path, table, column
):
    """The repair takes away neither the row nor those that may belong to it."""
    run_sql(database_path, "DELETE FROM operation_changes")
    damage(database_path, table, column)
    before = contents(database_path)
    is_passing = table in PASSING_ROWS
    report = call_memctl("doctor", "--fix", "--json", status=int(not is_passing)).json
    assert contents(database_path) == before
    assert bool(errors_of(report)) is not is_passing


def test_of_two_rows_that_may_be_the_lost_one_none_is_taken_for_it(call_memctl, database_path):
    """The journal knows one tag that is gone, and two rows may be it."""
    run_sql(
        database_path,
        "UPDATE memory_tags SET tag = CAST(x'ff' AS TEXT) WHERE tag = 'drink'",
        "INSERT INTO memory_tags SELECT memory_id, CAST(x'fe' AS TEXT) FROM memory_tags "
        "WHERE CAST(tag AS BLOB) = x'ff'",
    )
    before = contents(database_path)
    [error] = errors_of(call_memctl("doctor", "--fix", "--json", status=1).json)
    assert len(error["examples"]) == 2
    assert contents(database_path) == before


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE chunks SET content = CAST(x'ff' AS TEXT)",
        "INSERT INTO memory_tags SELECT memory_id, CAST(x'fe' AS TEXT) FROM memory_tags",
        "UPDATE meta SET value = CAST(x'ff' AS TEXT) WHERE key = 'embedding_model'",
    ],
    ids=["passage", "tag", "model"],
)
def test_an_index_that_cannot_be_made_of_unreadable_rows_stays_a_finding(
    call_memctl, database_path, statement
):
    """The repair ends with the rows that are left, not with an error."""
    run_sql(database_path, statement)
    shutil.rmtree(database_path.with_name("index"))
    found = call_memctl("doctor", "--fix", "--json", status=1).json["findings"]
    assert "rows" in {one["check"] for one in found}
    for one in found:
        if one["check"] in {"index", "outbox"} and one["repair"]:
            assert one["fix"].endswith("unless it needs a row that cannot be read")


def test_journal_entries_of_no_operation_are_a_finding(call_memctl, database_path):
    """What they record stays, and the finding says what that means."""
    run_sql(database_path, "DELETE FROM operations WHERE id = 1")
    before = contents(database_path)
    for options in ((), ("--fix",)):
        report = call_memctl("doctor", "--json", *options, status=1).json
        [finding] = [one for one in report["findings"] if one["check"] == "references"]
        assert "of an operation that is not there" in finding["problem"]
        assert "`memctl undo`" in finding["fix"]
    assert contents(database_path) == before


def test_a_store_whose_schema_version_is_unreadable_says_what_helps(call_memctl, database_path):
    """Nothing can be opened then, so every command names the way back."""
    fact = "UPDATE meta SET value = CAST(x'ff' AS TEXT) WHERE key = 'schema_version'"
    run_sql(database_path, fact)
    [finding] = call_memctl("doctor", "--fix", "--json", status=1).json["findings"]
    assert "schema version" in finding["problem"]
    assert "`memctl restore-backup FILE`" in finding["fix"]
    for command in READERS:
        assert "`memctl restore-backup FILE`" in call_memctl(*command, status=5).stderr
