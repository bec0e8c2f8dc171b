"""The opened store and the loaded models that a server keeps for all of its requests."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from memctl.cli.warm.access_counter import AccessCounter
from memctl.cli.warm.protocol import COMMANDS, is_relative
from memctl.config import DATABASE_NAME, INDEX_NAME
from memctl.errors import ConfigurationError
from memctl.runtime import Runtime

if TYPE_CHECKING:
    from memctl.config import Settings

COUNT_SECONDS = 0.05
"""How long a command that shows counts waits for those of recalls before it to be written."""

Warn = Callable[[str], None]


def _nowhere(text: str) -> None:
    """Takes a warning that nobody waits for."""


_warn_client: ContextVar[Warn] = ContextVar("warn_client", default=_nowhere)
"""Where the warnings of this thread's request go."""

StoreFiles = tuple[tuple[int, int] | None, ...]
"""Which files the database and the index are (device and inode), None for a missing one."""


@dataclass(slots=True)
class _Kept:
    """A runtime that is open, the files that it has opened, and how many requests use it."""

    runtime: Runtime
    files: StoreFiles
    users: int = 0


class WarmRuntime:
    """One opened store for all requests that mean it; others get a runtime of their own.

    ``settings_now`` reads the server's own settings anew (raising ConfigurationError): when they
    have changed, a store that is opened by the new ones takes the place of the old one. Several
    threads may borrow at a time.
    """

    def __init__(self, settings: Settings, settings_now: Callable[[], Settings]) -> None:
        self._settings = settings
        self._settings_now = settings_now
        self._lock = threading.Lock()
        self._kept: _Kept | None = None
        self._accesses = AccessCounter(self._write_accesses)

    @contextmanager
    def lend(self, settings: Settings, warn: Warn, command: str) -> Iterator[Runtime]:
        """A runtime for one request; its warnings go to ``warn``."""
        if settings != self._settings:
            self._follow_own_settings()
        kept = self._borrow(settings)
        if kept is None:
            runtime = Runtime(settings, warn=warn, command=command)
            try:
                yield runtime
            finally:
                runtime.close()
            return
        token = _warn_client.set(warn)
        try:
            yield kept.runtime
        finally:
            _warn_client.reset(token)
            self._give_back(kept)

    @property
    def depends_on_folder(self) -> bool:
        """Whether the settings name files by paths that mean others in another working folder."""
        store, cache_folder = self._settings.store, self._settings.embedding.cache_folder
        places = (store.path, store.database_url, store.index_uri, cache_folder)
        return any(place is not None and is_relative(str(place)) for place in places)

    @property
    def asks_language_model(self) -> bool:
        """Whether a save may ask a language model, which takes time and keys of the environment."""
        return self._settings.association.llm

    def warm_up(self) -> None:
        """Loads what the first request would otherwise wait for; changes nothing in the store."""
        from memctl.cli.command_function import command_function
        from memctl.search.request import RecallRequest

        for name in COMMANDS:
            command_function(name)
        with self.lend(self._settings, _nowhere, "memctl serve") as runtime:
            runtime.searcher.recall(RecallRequest(query="warm"))
            _ = runtime.associator

    def count_accesses(self) -> None:
        """Writes the counts of recalls that were answered, for a request that may show them, as far
        as nobody has to wait for that."""
        self._accesses.write_now(wait_seconds=COUNT_SECONDS)

    def close(self) -> None:
        """Lets go of the store, once nobody uses it."""
        self._accesses.close()
        with self._lock:
            self._retire()

    def _follow_own_settings(self) -> None:
        """Takes over what has changed in the server's own settings; a file that is wrong now
        changes nothing."""
        with suppress(ConfigurationError):
            settings = self._settings_now()
            with self._lock:
                if settings != self._settings:
                    self._settings = settings
                    self._retire()

    def _borrow(self, settings: Settings) -> _Kept | None:
        """The kept runtime; another one when others lie in the place of the store's files, and None
        for settings that are not the server's own."""
        with self._lock:
            if settings != self._settings:
                return None
            found = self._store_files()
            if self._kept is not None and self._kept.files != found:
                self._retire()
            if self._kept is None:
                runtime = Runtime(
                    self._settings,
                    warn=_pass_on,
                    command="memctl serve",
                    count_accesses=self._accesses.add,
                )
                self._kept = _Kept(runtime, found)
            self._kept.users += 1
            return self._kept

    def _give_back(self, kept: _Kept) -> None:
        with self._lock:
            kept.users -= 1
            if kept is self._kept:
                # What was missing when the store was opened has been made by the request.
                found = self._store_files()
                kept.files = tuple(
                    there if before is None else before
                    for before, there in zip(kept.files, found, strict=True)
                )
            elif not kept.users:
                kept.runtime.close()

    def _write_accesses(self, ids: Sequence[str], wait_seconds: float) -> bool:
        with self.lend(self._settings, _nowhere, "memctl serve") as runtime:
            return runtime.store.record_accesses(ids, wait_seconds=wait_seconds)

    def _retire(self) -> None:
        """Keeps the runtime no longer; the last request that uses it closes it."""
        if self._kept is not None and not self._kept.users:
            self._kept.runtime.close()
        self._kept = None

    def _store_files(self) -> StoreFiles:
        folder = self._settings.store.path
        return tuple(_identity(folder / name) for name in (DATABASE_NAME, INDEX_NAME))


def _pass_on(warning: str) -> None:
    _warn_client.get()(warning)


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
