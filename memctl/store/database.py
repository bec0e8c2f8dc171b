"""Opens the database that holds the truth and gives out its transactions.

The only module that knows where the truth lies. A transaction either commits as a whole or leaves
nothing; what has been committed survives a crash and a power cut; no file of the store is ever
readable by others.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import QueuePool

from memctl.errors import (
    ConfigurationError,
    CorruptStoreError,
    LockedError,
    NewerSchemaError,
    StoreError,
)
from memctl.store.locks import FILE_MODE, HeldLock, held_locks, named_lock
from memctl.store.migrations import (
    MIGRATIONS,
    Migration,
    apply_migration,
    latest_version,
    read_version,
)
from memctl.store.replacement import replace_content
from memctl.store.sqlite_errors import (
    translate_sqlite_error,
    translate_system_error,
    writing_refused,
)

Clock = Callable[[], datetime]
"""Gives the present as an aware datetime in UTC."""

DEFAULT_WAIT_SECONDS = 10.0
"""How long a writer waits for another: many times the longest transaction (a bulk import's)."""

CHECKPOINT_PAUSE_SECONDS = 0.05
"""Pause between two attempts to empty the log while others read."""

FOLDER_MODE = 0o700

JOURNAL_SIZE_LIMIT_BYTES = 64 * 1024 * 1024
"""To what size the write-ahead log shrinks again after a bulk import."""

_CONNECTION_PRAGMAS = (
    "PRAGMA foreign_keys = ON",
    # FULL syncs the log at every commit. With NORMAL a power cut could take back a save that was
    # reported as done; measured, a commit costs a few milliseconds more, and bulk writes are few
    # commits.
    "PRAGMA synchronous = FULL",
    "PRAGMA fullfsync = ON",
    "PRAGMA temp_store = MEMORY",
    f"PRAGMA journal_size_limit = {JOURNAL_SIZE_LIMIT_BYTES}",
)
_WRITING_OPTION = "memctl_wait_seconds"
"""Set on a connection that is to write: how long its transaction waits for another one."""


class Database:
    """A store's truth, open. Safe to use from several threads; close it when done."""

    def __init__(
        self, engine: Engine, path: Path, *, clock: Clock, wait_seconds: float, command: str
    ) -> None:
        self._engine = engine
        self._path = path
        self._wait_seconds = wait_seconds
        self._command = command
        self._writers = threading.Lock()
        self._kept = threading.local()
        self.clock = clock

    @classmethod
    def open(
        cls,
        url: str | Path,
        *,
        clock: Clock,
        wait_seconds: float = DEFAULT_WAIT_SECONDS,
        command: str = "memctl",
        migrations: Sequence[Migration] = MIGRATIONS,
    ) -> Database:
        """Opens the store at ``url``, a path or a database URL; makes it when it is missing.

        ``wait_seconds`` bounds every wait for another process; ``command`` is what those are told
        who wait for us. Raises StoreError and its kinds, LockedError, and ConfigurationError for a
        kind of database that is not known.
        """
        path = database_path(url)
        try:
            _prepare_files(path)
        except OSError as error:
            raise translate_system_error(error, path) from error
        engine = _engine(path, wait_seconds)
        database = cls(engine, path, clock=clock, wait_seconds=wait_seconds, command=command)
        try:
            database._bring_up_to_date(migrations)
        except BaseException:
            database.close()
            raise
        return database

    @classmethod
    def inspect(
        cls, path: Path, *, clock: Clock, wait_seconds: float = DEFAULT_WAIT_SECONDS
    ) -> Database:
        """The store at ``path`` as it is: nothing is made or migrated. For looking only.

        Bytes that are no UTF-8 are read as their numbers in the base 16. Raises StoreError and its
        kinds, NewerSchemaError among them.
        """
        engine = _engine(path, wait_seconds)
        event.listen(engine, "connect", _show_undecodable_bytes)
        database = cls(engine, path, clock=clock, wait_seconds=wait_seconds, command="memctl")
        try:
            database._refuse_other_versions()
        except BaseException:
            database.close()
            raise
        return database

    @property
    def location(self) -> str:
        """Where the store lies, for messages."""
        return str(self._path)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that sees one state of the store throughout and blocks no writer."""
        kept: Connection | None = getattr(self._kept, "connection", None)
        if kept is not None:
            with self._translated():
                yield kept
            return
        with self._translated(), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def one_state(self) -> Iterator[None]:
        """Lets all that this thread reads in the block be read in one transaction: a connection
        costs more than most reads. What the block itself has written is not seen in it."""
        with self.reading() as connection, self._kept_for_reading(connection):
            yield

    @contextmanager
    def _kept_for_reading(self, connection: Connection) -> Iterator[None]:
        before = getattr(self._kept, "connection", None)
        self._kept.connection = connection
        try:
            yield
        finally:
            self._kept.connection = before

    def look_up(self, statement: str, values: Mapping[str, object] | None = None) -> Any:
        """The first value that a statement in SQL reads, given the values of its parameters, None
        without a row, as it is committed now: some ten times cheaper than ``reading``, for what is
        asked over and over."""
        with self._translated(), closing(self._engine.raw_connection()) as connection:
            cursor = connection.cursor()
            cursor.execute(statement, values or {})
            row = cursor.fetchone()
            return None if row is None else row[0]

    @contextmanager
    def noticing_changes(self) -> Iterator[Callable[[], bool]]:
        """Gives a question: whether anybody has committed anything since the block began. What is
        read in the block is as it was as long as the answer is no."""
        with self._translated(), closing(self._engine.raw_connection()) as connection:
            cursor = connection.cursor()

            def version() -> Any:
                return cursor.execute("PRAGMA data_version").fetchone()[0]

            before = version()
            yield lambda: version() != before

    @contextmanager
    def writing(self, *, wait_seconds: float | None = None) -> Iterator[Connection]:
        """The one write transaction of the moment; commits at the end of the block, in which this
        thread reads what it has written.

        Raises LockedError when another process writes for longer than ``wait_seconds`` (that of
        the store by default). An exception in the block takes everything back.
        """
        wait = self._wait_seconds if wait_seconds is None else wait_seconds
        with (
            self._writers_turn(wait) as left,
            self._translated(wait),
            self._engine.connect() as connection,
        ):
            connection.execution_options(**{_WRITING_OPTION: left})
            with connection.begin(), self._kept_for_reading(connection):
                yield connection

    def exclusive(
        self, name: str, *, wait_seconds: float | None = None
    ) -> AbstractContextManager[None]:
        """A lock of that name among all processes that use this store, freed even by kill -9.

        It is not re-entrant. Raises LockedError, which names the holder, after ``wait_seconds``
        (that of the store by default).
        """
        return self._locked(name, self._wait_seconds if wait_seconds is None else wait_seconds)

    def held_locks(self) -> list[HeldLock]:
        """The named locks that some process holds at this moment."""
        return held_locks(self._path)

    def copy_to(self, target: Path) -> None:
        """Writes what is committed at this moment as a database file of its own, 0600 and without
        free pages, while others go on reading and writing. ``target`` must not exist.

        Raises OSError where ``target`` cannot be written, LockedError, and StoreError and its
        kinds.
        """
        os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_RDWR, FILE_MODE))
        with self._translated():
            connection = _connect(self._path, self._wait_seconds)
            try:
                connection.execute("VACUUM INTO ?", (str(target),))
            except sqlite3.Error as error:
                target.unlink()
                refusal = writing_refused(error, target)
                raise refusal or error from error
            finally:
                connection.close()

    def replace_content(self, source: Path, before_commit: Callable[[], None]) -> None:
        """Takes over all rows of the database file ``source``, which has the same schema version
        and which nobody has open, in one transaction. ``before_commit`` runs while nobody else can
        write.

        Raises LockedError and StoreError and its kinds; then nothing has changed.
        """
        with self._translated():
            connection = _connect(self._path, self._wait_seconds)
            try:
                replace_content(connection, f"{source.as_uri()}?immutable=1", before_commit)
            finally:
                connection.close()

    def compact(self, *, whole: bool) -> None:
        """Folds the log into the database, gives free pages back, and empties the log.

        With ``whole`` the database is written anew, so that nothing deleted is left in any page.
        Raises LockedError when other processes read or write for too long.
        """
        with self._translated():
            connection = _connect(self._path, self._wait_seconds)
            try:
                connection.execute("VACUUM" if whole else "PRAGMA incremental_vacuum").fetchall()
            finally:
                connection.close()
        self._truncate_log()

    def _truncate_log(self) -> None:
        deadline = time.monotonic() + self._wait_seconds
        while not self._log_is_empty():
            if time.monotonic() >= deadline:
                raise LockedError(
                    what=f"empty the log of {self._path}",
                    holder="another process that reads the store",
                    waited_seconds=self._wait_seconds,
                )
            time.sleep(CHECKPOINT_PAUSE_SECONDS)

    def _log_is_empty(self) -> bool:
        """Moves the log into the database; whether all of it could be moved."""
        with self._translated():
            connection = _connect(self._path, 0)
            try:
                row = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            finally:
                connection.close()
        return row is not None and row[0] == 0

    def close(self) -> None:
        """Closes all connections; the last process to do so folds the log into the database."""
        self._engine.dispose()

    @contextmanager
    def _writers_turn(self, wait_seconds: float) -> Iterator[float]:
        """Lets the threads of this process write one after the other, and gives the seconds that
        are left to wait for other processes. SQLite would have them sleep and try again, each for
        longer than the one before."""
        began = time.monotonic()
        is_ours = self._writers.acquire(timeout=wait_seconds)
        try:
            yield max(0.0, wait_seconds - (time.monotonic() - began))
        finally:
            if is_ours:
                self._writers.release()

    @contextmanager
    def _locked(self, name: str, wait_seconds: float) -> Iterator[None]:
        lock_path = self._path.with_name(f"{self._path.name}.{name}.lock")
        lock = named_lock(
            lock_path, what=f"get the {name} lock", command=self._command, wait_seconds=wait_seconds
        )
        try:
            lock.__enter__()
        except OSError as error:
            raise translate_system_error(error, self._path) from error
        try:
            yield
        finally:
            lock.__exit__(None, None, None)

    @contextmanager
    def _translated(self, wait_seconds: float | None = None) -> Iterator[None]:
        waited = self._wait_seconds if wait_seconds is None else wait_seconds
        try:
            yield
        except (DBAPIError, sqlite3.Error) as error:
            cause = error.orig if isinstance(error, DBAPIError) else error
            ours = translate_sqlite_error(cause, self._path, waited_seconds=waited)
            if ours is None:
                raise
            raise ours from error

    def _bring_up_to_date(self, migrations: Sequence[Migration]) -> None:
        known = latest_version(migrations)
        found, is_ready = self._look()
        if found > known:
            raise NewerSchemaError(path=self._path, found=found, known=known)
        if found == known and is_ready:
            return
        with self.exclusive("migration"):
            self._prepare_journal()
            for migration in sorted(migrations, key=lambda migration: migration.number):
                with self.writing() as connection:
                    if _version(connection, self._path) < migration.number:
                        apply_migration(connection, migration, self.clock())

    def _refuse_other_versions(self) -> None:
        found, known = self._look()[0], latest_version(MIGRATIONS)
        if found > known:
            raise NewerSchemaError(path=self._path, found=found, known=known)
        if found == 0:
            raise StoreError(path=self._path, why="it holds no tables of memctl's")

    def _look(self) -> tuple[int, bool]:
        """The schema version, 0 when empty, and whether the file is in WAL mode, or past help."""
        with self.reading() as connection:
            version = _version(connection, self._path)
            if version == 0 and _table_count(connection):
                raise StoreError(path=self._path, why="it is the database of another program")
            mode = connection.exec_driver_sql("PRAGMA journal_mode").scalar()
        return version, mode == "wal" or not _is_writable(self._path)

    def _prepare_journal(self) -> None:
        """Sets what SQLite keeps in the file: incremental vacuum (new files only) and WAL."""
        with self._translated():
            connection = _connect(self._path, self._wait_seconds)
            try:
                connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
                connection.execute("PRAGMA journal_mode = WAL")
            finally:
                connection.close()


def database_path(url: str | Path) -> Path:
    """The file behind a path or a database URL; raises ConfigurationError for any other kind."""
    if isinstance(url, Path) or "://" not in url:
        return Path(url).absolute()
    parsed = make_url(url)
    if parsed.get_backend_name() != "sqlite" or not parsed.database:
        why = f"store.url: no database that memctl can use: {parsed.render_as_string()}"
        raise ConfigurationError(problems=why)
    return Path(parsed.database).absolute()


def local_folder(uri: str | Path) -> Path | None:
    """The folder behind a path or a URI; None for one on another machine."""
    if isinstance(uri, Path) or "://" not in uri:
        return Path(uri).absolute()
    scheme, _, rest = uri.partition("://")
    return Path(unquote(rest)).absolute() if scheme == "file" else None


def _prepare_files(path: Path) -> None:
    """Makes folder and file where missing, with their modes whatever the umask says.

    A folder that was there keeps its mode, unless the database is the first thing in it. The file
    is never opened when it exists: closing it again would drop the locks that SQLite holds on it
    in this process.
    """
    if path.exists():
        if path.is_file() and path.stat().st_mode & 0o077 and _is_writable(path):
            path.chmod(FILE_MODE)
        return
    path.parent.mkdir(parents=True, exist_ok=True, mode=FOLDER_MODE)
    is_new_folder = not any(path.parent.iterdir())
    try:
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, FILE_MODE)
    except FileExistsError:
        return
    os.fchmod(descriptor, FILE_MODE)
    os.close(descriptor)
    if is_new_folder:
        path.parent.chmod(FOLDER_MODE)


def _is_writable(path: Path) -> bool:
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)


def _engine(path: Path, wait_seconds: float) -> Engine:
    engine = create_engine(
        "sqlite://", creator=lambda: _connect(path, wait_seconds), poolclass=QueuePool
    )
    event.listen(engine, "begin", _begin)
    return engine


def _show_undecodable_bytes(connection: Any, _record: object) -> None:
    connection.text_factory = lambda data: data.decode(errors="backslashreplace")


def _connect(path: Path, wait_seconds: float) -> sqlite3.Connection:
    connection = sqlite3.connect(
        _sqlite_uri(path),
        uri=True,
        timeout=wait_seconds,
        isolation_level=None,
        check_same_thread=False,
    )
    for pragma in _CONNECTION_PRAGMAS:
        connection.execute(pragma)
    return connection


def _sqlite_uri(path: Path) -> str:
    """The file for SQLite. One that may only be read, and that no log belongs to, is immutable:
    otherwise SQLite would want to make its -shm file beside it."""
    if _is_writable(path):
        return path.as_uri()
    log = path.with_name(f"{path.name}-wal")
    has_log = log.exists() and log.stat().st_size > 0
    return f"{path.as_uri()}?mode=ro" + ("" if has_log else "&immutable=1")


def _begin(connection: Connection) -> None:
    wait_seconds = connection.get_execution_options().get(_WRITING_OPTION)
    if wait_seconds is None:
        connection.exec_driver_sql("BEGIN")
        return
    connection.exec_driver_sql(f"PRAGMA busy_timeout = {round(wait_seconds * 1000)}")
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _table_count(connection: Connection) -> int:
    return int(connection.exec_driver_sql("SELECT count(*) FROM sqlite_master").scalar() or 0)


def _version(connection: Connection, path: Path) -> int:
    statement = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'meta'"
    if not connection.exec_driver_sql(statement).scalar():
        return 0
    try:
        return read_version(connection)
    except ValueError as error:
        raise CorruptStoreError(path=path, why=str(error)) from error
