"""What one run of a command holds: its streams, its settings and, once asked for, its runtime.

Nothing below the command line touches ``sys`` or the environment; they are read here.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, TextIO

from memctl.cli.output import Output
from memctl.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from memctl.config import LoadedSettings, Settings
    from memctl.embedding import Embedder
    from memctl.file_runtime import FileRuntime
    from memctl.light_runtime import LightRuntime
    from memctl.runtime import Runtime

LendRuntime = Callable[["Settings", Callable[[str], None], str], AbstractContextManager["Runtime"]]
"""Given settings, where warnings go, and a command's name: a runtime for one run."""


COMMANDS_THAT_MAKE_STORES = frozenset(
    {"save", "ingest", "import", "migrate-openclaw", "restore-backup", "serve"}
)
"""Of them everybody expects a new store where there is none."""


class Streams(NamedTuple):
    """Standard streams and the environment of the process, or a test's stand-ins for them."""

    stdin: BinaryIO
    stdout: TextIO
    stderr: TextIO
    environment: Mapping[str, str]

    @classmethod
    def of_process(cls) -> Streams:
        """The real ones; characters that a terminal cannot show are escaped, never an error."""
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")
        return cls(sys.stdin.buffer, sys.stdout, sys.stderr, os.environ)


@dataclass(slots=True)
class SharedOptions:
    """Options that every command takes, on either side of the command's name."""

    store: Path | None = None
    config: Path | None = None
    debug: bool = False
    as_json: bool = False

    def merge(self, later: SharedOptions) -> None:
        """Takes over what ``later`` says."""
        self.store = later.store or self.store
        self.config = later.config or self.config
        self.debug = later.debug or self.debug
        self.as_json = later.as_json or self.as_json


@dataclass
class Session:
    """One command's run; ``close`` must be called at its end."""

    streams: Streams
    options: SharedOptions = field(default_factory=SharedOptions)
    exit_code: ExitCode = ExitCode.OK
    command: str = "memctl"
    """What other processes are told that have to wait for this one."""
    lend_runtime: LendRuntime | None = None
    """Gives a runtime that is kept open beyond this run; None: the run opens one and closes it."""
    _borrowed: ExitStack = field(default_factory=ExitStack)
    _embedder: Embedder | None = None
    """The configured one, where it was begun to be loaded before the runtime was asked for."""

    @cached_property
    def output(self) -> Output:
        """The streams as commands write on them."""
        return Output(
            self.streams.stdout,
            self.streams.stderr,
            self.streams.environment,
            as_json=self.options.as_json,
        )

    @cached_property
    def loaded_settings(self) -> LoadedSettings:
        """Settings with their origins; raises ConfigurationError."""
        return self._load_settings()

    def _load_settings(self) -> LoadedSettings:
        from memctl.config import load_settings

        loaded = load_settings(
            self.streams.environment, {"store.path": self.options.store}, self.options.config
        )
        for warning in loaded.warnings:
            self.output.warn(warning)
        return loaded

    def settings_now(self) -> Settings:
        """The settings as they stand in the configuration file at this moment; raises
        ConfigurationError."""
        from memctl.config import load_settings

        given = {"store.path": self.options.store}
        return load_settings(self.streams.environment, given, self.options.config).settings

    @property
    def config_path(self) -> Path:
        """The configuration file, whether it exists and is right or not."""
        from memctl.config import chosen_config_path

        return chosen_config_path(self.streams.environment, self.options.config)

    @property
    def settings(self) -> Settings:
        """The resolved settings."""
        return self.loaded_settings.settings

    @cached_property
    def runtime(self) -> Runtime:
        """The opened store and all that works on it; raises StoreError and its kinds."""
        if self.lend_runtime is not None:
            lent = self.lend_runtime(self.settings, self.output.warn, self.command)
            return self._borrowed.enter_context(lent)
        from memctl.runtime import Runtime

        makes_stores = self.command.split()[-1] in COMMANDS_THAT_MAKE_STORES
        runtime = Runtime(
            self.settings,
            warn=self.output.warn,
            command=self.command,
            may_begin_anew=makes_stores,
            embedder=self._embedder,
        )
        if not (makes_stores or runtime.is_database_lost):
            self._tell_of_new_store()
        return runtime

    def _tell_of_new_store(self) -> None:
        """A slip in the folder's name would look like lost memories."""
        store = self.settings.store
        if not store.has_database:
            self.output.tip(f"there was no store in {store.path}; a new, empty one is there now")

    @cached_property
    def light(self) -> Runtime | LightRuntime:
        """What lists and shows memories: as little as the store allows, or
        the runtime where that is open anyhow."""
        if self.lend_runtime is not None or "runtime" in self.__dict__:
            return self.runtime
        from memctl.light_runtime import LightRuntime
        from memctl.times import utc_now

        return LightRuntime.open(self.settings, clock=utc_now) or self.runtime

    @cached_property
    def files(self) -> FileRuntime:
        """What can be asked about files; raises StoreError and its kinds."""
        from memctl.file_runtime import FileRuntime

        return FileRuntime(self.runtime)

    def load_embedder_for_many(self) -> None:
        """Begins to load the embedding model in a process of its own, beside what this one has to
        load; nothing where the runtime is open already."""
        if self.lend_runtime is None and "runtime" not in self.__dict__:
            from memctl.configured_embedder import make_embedder

            self._embedder = make_embedder(self.settings)
            self._embedder.expect_many()

    def reload(self) -> None:
        """Reads the settings again, and lets go of the store if that went well; raises
        ConfigurationError."""
        self.use(self._load_settings())

    def use(self, loaded: LoadedSettings) -> None:
        """Lets go of the store, and goes on with these settings."""
        self.close()
        for name in ("light", "runtime", "files"):
            self.__dict__.pop(name, None)
        self.__dict__["loaded_settings"] = loaded

    def read_stdin(self, what: str) -> str:
        """All of stdin as UTF-8 text; raises UsageError when it is none."""
        data = self.streams.stdin.read()
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise UsageError(what=what, why=f"stdin is not UTF-8 text ({error.reason})") from None

    def close(self) -> None:
        """Lets go of the store when it was opened."""
        if self.lend_runtime is not None:
            self._borrowed.close()
            return
        for name in ("light", "runtime"):
            if name in self.__dict__:
                self.__dict__[name].close()
        if self._embedder is not None:
            self._embedder.close()
            self._embedder = None
