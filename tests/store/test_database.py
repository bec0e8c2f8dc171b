"""Opening a store: its files, its modes, its version, and what is said when it cannot be used."""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

import pytest
from fakes.steady_clock import SteadyClock
from sqlalchemy import inspect, text
from sqlalchemy.exc import IntegrityError

from memctl.errors import (
    ConfigurationError,
    CorruptStoreError,
    FullDiskError,
    LockedError,
    NewerSchemaError,
    ReadOnlyStoreError,
    StoreError,
)
from memctl.store.database import Database
from memctl.store.migrations import MIGRATIONS, Migration, latest_version
from memctl.store.schema import metadata

NOBODY = 65534

LATEST = latest_version(MIGRATIONS)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "memory.db"


def open_store(path: Path | str, **options: object) -> Database:
    return Database.open(path, clock=SteadyClock(), **options)  # type: ignore[arg-type]


@contextmanager
def opened(path: Path | str, **options: object) -> Iterator[Database]:
    database = open_store(path, **options)
    try:
        yield database
    finally:
        database.close()


def write_fact(database: Database, key: str, value: str = "x") -> None:
    with database.writing() as connection:
        connection.execute(
            text("INSERT INTO meta VALUES (:key, :value)"), {"key": key, "value": value}
        )


def facts(database: Database) -> dict[str, str]:
    with database.reading() as connection:
        return dict(connection.execute(text("SELECT key, value FROM meta")).all())


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077, 0o377])
def test_folder_and_files_are_private_whatever_the_umask(path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        database = open_store(path)
        write_fact(database, "a")
        with database.exclusive("index"):
            modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert {"memory.db", "memory.db-wal", "memory.db-shm", "memory.db.index.lock"} <= set(modes)
    assert set(modes.values()) == {0o600}
    database.close()


def test_an_empty_folder_that_was_there_becomes_private(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir(mode=0o755)
    open_store(folder / "memory.db").close()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_folder_with_other_things_in_it_keeps_its_mode(tmp_path: Path) -> None:
    folder = tmp_path / "shared"
    folder.mkdir(mode=0o755)
    (folder / "other.txt").write_text("mine")
    open_store(folder / "memory.db").close()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o755
    assert stat.S_IMODE((folder / "memory.db").stat().st_mode) == 0o600


def test_a_file_that_others_could_read_is_made_private(path: Path) -> None:
    open_store(path).close()
    path.chmod(0o644)
    open_store(path).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_settings_of_sqlite_hold_on_every_connection(path: Path) -> None:
    with opened(path) as database:
        for _ in range(2):
            with database.reading() as first, database.reading() as second:
                for connection in (first, second):
                    values = {
                        name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
                        for name in ("journal_mode", "foreign_keys", "synchronous", "auto_vacuum")
                    }
                    assert values == {
                        "journal_mode": "wal",
                        "foreign_keys": 1,
                        "synchronous": 2,
                        "auto_vacuum": 2,
                    }


@pytest.mark.parametrize("form", [str, lambda path: f"sqlite:///{path}"])
def test_a_path_and_a_url_open_the_same_store(path: Path, form: Callable[[Path], str]) -> None:
    with opened(path) as database:
        write_fact(database, "a")
    with opened(form(path)) as database:
        assert "a" in facts(database)


@pytest.mark.parametrize("name", ["with space", "100%?#&", "naïve-数据", "quo'te"])
def test_any_folder_name_will_do(tmp_path: Path, name: str) -> None:
    with opened(tmp_path / name / "memory.db") as database:
        write_fact(database, "a")
    assert (tmp_path / name / "memory.db").stat().st_size > 0


@pytest.mark.parametrize("url", ["postgresql://localhost/memory", "sqlite://", "mysql://x/y"])
def test_a_database_that_is_not_known_is_a_configuration_error(url: str) -> None:
    with pytest.raises(ConfigurationError, match=r"store\.url"):
        open_store(url)


def test_the_password_of_a_url_is_not_repeated() -> None:
    with pytest.raises(ConfigurationError) as caught:
        open_store("postgresql://me:hunter2@localhost/memory")
    assert "hunter2" not in str(caught.value)


def test_the_migrations_make_the_tables_that_the_statements_expect(path: Path) -> None:
    with opened(path) as database, database.reading() as connection:
        found = inspect(connection)
        assert set(found.get_table_names()) == set(metadata.tables)
        for table in metadata.tables.values():
            made = {column["name"]: column["nullable"] for column in found.get_columns(table.name)}
            expected = {column.name: column.nullable for column in table.columns}
            assert {name: made[name] for name in made if name not in table.primary_key} == {
                name: expected[name] for name in expected if name not in table.primary_key
            }
            assert list(made) == list(expected)
            key = found.get_pk_constraint(table.name)["constrained_columns"]
            assert key == [column.name for column in table.primary_key]
            references = {
                (tuple(key["constrained_columns"]), key["referred_table"])
                for key in found.get_foreign_keys(table.name)
            }
            assert references == {
                ((key.parent.name,), key.column.table.name) for key in table.foreign_keys
            }


def test_a_store_of_a_later_version_is_refused_and_left_alone(path: Path) -> None:
    with opened(path) as database, database.writing() as connection:
        connection.execute(text("UPDATE meta SET value = '99' WHERE key = 'schema_version'"))
    before = path.read_bytes()
    with pytest.raises(NewerSchemaError) as caught:
        open_store(path)
    assert "99" in str(caught.value)
    assert f"up to {LATEST}" in str(caught.value)
    assert path.read_bytes() == before


def test_an_older_store_is_brought_up_to_date_one_recorded_step_at_a_time(path: Path) -> None:
    with opened(path) as database:
        write_fact(database, "mine")
    later = [
        *MIGRATIONS,
        Migration(LATEST + 1, ("CREATE TABLE extra (id TEXT)",)),
        Migration(LATEST + 2, ("INSERT INTO extra VALUES ('a')",)),
    ]
    with opened(path, migrations=later) as database, database.reading() as connection:
        assert connection.execute(text("SELECT id FROM extra")).scalar() == "a"
        assert facts(database)["schema_version"] == str(LATEST + 2)
        assert "mine" in facts(database)


def test_a_migration_that_fails_leaves_the_version_before_it(path: Path) -> None:
    broken = [
        *MIGRATIONS,
        Migration(LATEST + 1, ("CREATE TABLE extra (id TEXT)",)),
        Migration(LATEST + 2, ("CREATE TABLE other (id TEXT)", "CREATE TABLE extra (id TEXT)")),
    ]
    with pytest.raises(StoreError):
        open_store(path, migrations=broken)
    with opened(path, migrations=broken[:-1]) as database, database.reading() as connection:
        assert facts(database)["schema_version"] == str(LATEST + 1)
        assert set(inspect(connection).get_table_names()) == {*metadata.tables, "extra"}


def test_an_empty_file_becomes_a_store(path: Path) -> None:
    path.parent.mkdir()
    path.touch()
    with opened(path) as database:
        assert facts(database)["schema_version"] == str(LATEST)


@pytest.mark.parametrize("content", [b"hello", b"not a database " * 1000, b"\0" * 4096])
def test_a_file_that_is_no_database_is_named_and_left_alone(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(CorruptStoreError) as caught:
        open_store(path)
    assert str(path) in str(caught.value)
    assert path.read_bytes() == content


def test_a_damaged_database_is_named(path: Path) -> None:
    with opened(path) as database:
        for number in range(200):
            write_fact(database, f"key {number}", "value " * 50)
    content = bytearray(path.read_bytes())
    content[4096 * 2 :] = b"\xa5" * (len(content) - 4096 * 2)
    path.write_bytes(content)
    with pytest.raises(CorruptStoreError), opened(path) as database:
        facts(database)


def test_the_database_of_another_program_is_refused(path: Path) -> None:
    path.parent.mkdir()
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE bookmarks (url TEXT)")
    before = path.read_bytes()
    with pytest.raises(StoreError, match="another program"):
        open_store(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("version", ["abc", "-1", "0", "", "1.5"])
def test_a_schema_version_that_is_none_is_damage(path: Path, version: str) -> None:
    """Nothing is changed, whether the store is opened or only looked at."""
    open_store(path).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE meta SET value = ? WHERE key = 'schema_version'", [version])
    for look in (open_store, partial(Database.inspect, clock=SteadyClock())):
        with pytest.raises(CorruptStoreError, match="its schema version is") as caught:
            look(path)
        assert "restore-backup" in caught.value.next_step


def test_a_folder_in_the_place_of_the_file_is_an_error_of_the_store(path: Path) -> None:
    path.mkdir(parents=True)
    with pytest.raises(StoreError):
        open_store(path)


def test_a_file_in_the_place_of_the_folder_is_an_error_of_the_store(tmp_path: Path) -> None:
    (tmp_path / "folder").write_text("a file")
    with pytest.raises(StoreError, match="File exists"):
        open_store(tmp_path / "folder" / "memory.db")


def test_a_full_disk_is_said_and_takes_nothing_back(path: Path) -> None:
    with opened(path) as database:
        write_fact(database, "before")
        with database.reading() as connection:
            connection.exec_driver_sql("PRAGMA max_page_count = 1")
        with pytest.raises(FullDiskError):
            write_fact(database, "big", "x" * 10**6)
        assert "before" in facts(database)
        assert "big" not in facts(database)


def as_nobody(act: Callable[[], None]) -> str:
    """What ``act`` raises in a child process without any rights, as ``Class: message``."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        answer = "nothing"
        try:
            if os.getuid() == 0:
                os.setresgid(NOBODY, NOBODY, NOBODY)
                os.setresuid(NOBODY, NOBODY, NOBODY)
            act()
        except (Exception, SystemExit) as error:  # noqa: BLE001 - the parent judges it
            answer = f"{type(error).__name__}: {error}"
        finally:
            os.write(writer, answer.encode())
            os._exit(0)
    os.close(writer)
    os.waitpid(child, 0)
    with os.fdopen(reader, encoding="utf-8") as stream:
        return stream.read()


@pytest.fixture
def foreign_store(tmp_path: Path) -> Iterator[Path]:
    """A store that may be read and not be written."""
    for folder in [tmp_path, *tmp_path.parents]:
        if folder.owner() == tmp_path.owner() and folder.stat().st_mode & 0o055 != 0o055:
            folder.chmod(folder.stat().st_mode | 0o055)
    folder = tmp_path / "read only"
    with opened(folder / "memory.db") as database:
        write_fact(database, "mine")
    (folder / "memory.db").chmod(0o444)
    folder.chmod(0o555)
    yield folder / "memory.db"
    folder.chmod(0o755)


def test_a_store_that_may_only_be_read_can_be_read(foreign_store: Path) -> None:
    def read() -> None:
        with opened(foreign_store) as database:
            assert "mine" in facts(database)

    assert as_nobody(read) == "nothing"


def test_writing_to_a_store_that_may_only_be_read_says_so(foreign_store: Path) -> None:
    def write() -> None:
        with opened(foreign_store) as database:
            write_fact(database, "new")

    assert as_nobody(write).startswith(f"{ReadOnlyStoreError.__name__}: cannot write to the store")


def test_a_named_lock_in_a_folder_that_may_only_be_read_says_so(foreign_store: Path) -> None:
    def lock() -> None:
        with opened(foreign_store) as database, database.exclusive("index"):
            pass

    assert as_nobody(lock).startswith(ReadOnlyStoreError.__name__)


def test_a_folder_that_may_not_be_written_cannot_get_a_store(foreign_store: Path) -> None:
    path = foreign_store.parent / "deeper" / "memory.db"
    assert as_nobody(lambda: open_store(path).close()).startswith(ReadOnlyStoreError.__name__)


def write_and_fail(database: Database) -> None:
    with database.writing() as connection:
        connection.execute(text("INSERT INTO meta VALUES ('a', 'b')"))
        raise KeyError


def test_an_exception_in_a_write_takes_everything_back(path: Path) -> None:
    with opened(path) as database:
        with pytest.raises(KeyError):
            write_and_fail(database)
        assert "a" not in facts(database)


def test_a_fault_of_our_own_is_not_dressed_up_as_one_of_the_disk(path: Path) -> None:
    with opened(path) as database, pytest.raises(IntegrityError):
        write_fact(database, "schema_version")


def test_a_reader_sees_one_state_while_another_writes(path: Path) -> None:
    with opened(path) as reader, opened(path) as writer, reader.reading() as connection:
        count = text("SELECT count(*) FROM meta")
        before = connection.execute(count).scalar()
        write_fact(writer, "new")
        assert connection.execute(count).scalar() == before
        assert "new" in facts(writer)


def test_whatever_is_committed_is_noticed_and_nothing_else_is(path: Path) -> None:
    with opened(path) as database, opened(path) as other:
        for writer in (database, other):
            with database.noticing_changes() as has_changed:
                facts(database)
                with pytest.raises(IntegrityError), writer.writing() as connection:
                    connection.execute(text("INSERT INTO meta VALUES ('taken back', NULL)"))
                assert not has_changed()
                write_fact(writer, f"by {id(writer)}")
                assert has_changed()


def test_what_a_thread_reads_together_is_one_state_for_that_thread(path: Path) -> None:
    """Reads of one block see nothing that came after its beginning; other threads do, and so does
    the next read of this one."""
    with opened(path) as database:
        with database.one_state():
            before = facts(database)
            write_fact(database, "new")
            assert facts(database) == before
            with ThreadPoolExecutor() as others:
                assert "new" in others.submit(facts, database).result()
            with database.one_state():
                assert facts(database) == before
            assert facts(database) == before
        assert "new" in facts(database)


HOLD = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.read()
"""


@contextmanager
def held_by_another_process(path: Path) -> Iterator[subprocess.Popen[str]]:
    words = [sys.executable, "-c", HOLD, str(path), "a sign of its own"]
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def test_a_writer_waits_no_longer_than_it_may_and_names_the_holder(path: Path) -> None:
    with opened(path, wait_seconds=0.2) as database, held_by_another_process(path) as process:
        start = time.monotonic()
        with pytest.raises(LockedError) as caught:
            write_fact(database, "a")
        assert 0.1 < time.monotonic() - start < 3
        assert "0.2 s" in str(caught.value)
        if sys.platform == "linux":
            assert f"process {process.pid} (" in str(caught.value)
            assert "a sign of its own" in str(caught.value)
        else:
            assert "another process" in str(caught.value)


def test_asking_who_writes_does_not_drop_the_locks_of_this_process(path: Path) -> None:
    with opened(path) as holder, opened(path, wait_seconds=0) as other, holder.writing() as held:
        held.execute(text("INSERT INTO meta VALUES ('a', 'b')"))
        for _ in range(2):
            with pytest.raises(LockedError):
                write_fact(other, "c")
    with opened(path) as database:
        assert "a" in facts(database)
        assert "c" not in facts(database)


def test_readers_do_not_wait_for_a_writer(path: Path) -> None:
    with opened(path, wait_seconds=0) as database, held_by_another_process(path):
        assert facts(database)["schema_version"] == str(LATEST)


def hold_named_lock(path: Path, ready: multiprocessing.synchronize.Event) -> None:
    with opened(path, command="memctl ingest notes") as database, database.exclusive("index"):
        ready.set()
        time.sleep(60)


def test_a_named_lock_names_its_holder_and_is_freed_when_that_is_killed(path: Path) -> None:
    context = multiprocessing.get_context("fork")
    ready = context.Event()
    with opened(path, wait_seconds=0.05) as database:
        process = context.Process(target=hold_named_lock, args=(path, ready))
        process.start()
        assert ready.wait(20)
        with pytest.raises(LockedError) as caught, database.exclusive("index"):
            pass
        assert f"process {process.pid} (memctl ingest notes)" in str(caught.value)
        with database.exclusive("drain", wait_seconds=0):
            pass
        process.kill()
        process.join()
        with database.exclusive("index", wait_seconds=0):
            pass


def test_a_named_lock_is_given_up_when_its_block_fails(path: Path) -> None:
    with opened(path) as database:
        with pytest.raises(KeyError), database.exclusive("index"):
            raise KeyError
        with database.exclusive("index", wait_seconds=0):
            pass


def open_and_write(path: Path, key: str, gate: multiprocessing.synchronize.Event) -> None:
    gate.wait(20)
    with opened(path, wait_seconds=20) as database:
        write_fact(database, key)


def test_processes_that_make_one_store_at_once_all_get_it(path: Path) -> None:
    context = multiprocessing.get_context("fork")
    gate = context.Event()
    keys = [f"key {number}" for number in range(6)]
    processes = [context.Process(target=open_and_write, args=(path, key, gate)) for key in keys]
    for process in processes:
        process.start()
    gate.set()
    for process in processes:
        process.join(30)
    assert [process.exitcode for process in processes] == [0] * len(keys)
    with opened(path) as database:
        assert set(keys) <= set(facts(database))


def test_the_store_is_importable_without_anything_heavy() -> None:
    script = (
        "import sys; import memctl.store.graph; "
        "heavy = {'lancedb', 'pyarrow', 'numpy', 'fastembed', 'litellm', 'sqlalchemy.orm'}; "
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
