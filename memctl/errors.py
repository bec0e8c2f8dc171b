"""The one exception tree: every error says what cannot be done, why, and what to do next.

Each class carries the exit status and the templates of its message; instances carry data. What only
the command line can meet stands in ``cli/errors``. Only ``cli/main.py`` turns one into text on a
stream. Expected outcomes (unchanged, no hits) are return values and never appear here.
"""

from __future__ import annotations

from enum import IntEnum
from pathlib import Path
from typing import ClassVar


class ExitCode(IntEnum):
    """Exit statuses that scripts may rely on."""

    OK = 0
    FAILED = 1
    USAGE = 2
    CONFIGURATION = 3
    NOT_FOUND = 4
    STORE = 5
    MODEL = 6
    PARTIAL = 7
    LOCKED = 75
    INTERRUPTED = 130
    TERMINATED = 143


LONGEST_ECHO = 1_000
"""Characters of what somebody gave that a message repeats at most."""


def abridged(text: str) -> str:
    """``text`` without its middle where it is longer than a message should be."""
    if len(text) <= LONGEST_ECHO:
        return text
    half = LONGEST_ECHO // 2
    return f"{text[:half]}…{text[-half:]}"


class MemctlError(Exception):
    """Base of all errors that reach the user.

    Subclasses set ``action``, ``reason`` and ``hint``, which may name the keyword arguments given
    to the constructor in ``str.format`` style, and ``exit_code``. ``str(error)`` is the single line
    "cannot <action>: <reason>" without the program's name.
    """

    exit_code: ClassVar[ExitCode] = ExitCode.FAILED
    action: ClassVar[str] = "go on"
    reason: ClassVar[str] = "something failed"
    hint: ClassVar[str] = ""

    def __init__(self, **data: object) -> None:
        super().__init__(data)
        self.data = data

    def __str__(self) -> str:
        line = f"cannot {self.action}: {self.reason}".format_map(self._repeated)
        return " ".join(line.split())

    @property
    def name(self) -> str:
        """What scripts know this kind of error by, such as ``unknown_memory``: the class's name."""
        words = type(self).__name__.removesuffix("Error")
        return "".join(f"_{sign.lower()}" if sign.isupper() else sign for sign in words)[1:]

    @property
    def next_step(self) -> str:
        """What the user can do about it, or an empty string."""
        return self.hint.format_map(self._repeated)

    @property
    def _repeated(self) -> dict[str, object]:
        """The data as messages repeat them."""
        return {
            name: abridged(str(value)) if isinstance(value, str | Path) else value
            for name, value in self.data.items()
        }


class UsageError(MemctlError):
    """A value on the command line is not valid. Data: ``what`` and ``why``."""

    exit_code = ExitCode.USAGE
    action = "{what}"
    reason = "{why}"


class ConfigurationError(MemctlError):
    """Settings are wrong. Data: ``problems``, one text with every problem, file and key."""

    exit_code = ExitCode.CONFIGURATION
    action = "read the configuration"
    reason = "{problems}"
    hint = "`memctl config edit` opens the file; `memctl man settings` explains each setting."


class WrongVariableError(ConfigurationError):
    """Variables of the environment set settings to wrong values, and all else is right.

    Data: ``problems``, and ``variables``: their names in one text.
    """

    hint = "Change or unset {variables}; `memctl man settings` explains each setting."


class InvalidSettingError(ConfigurationError):
    """A setting does not exist, or cannot have this value. Data: ``key`` and ``why``."""

    action = "use the setting {key}"
    reason = "{why}"
    hint = "`memctl config show` lists all settings; `memctl man settings` explains them."


class MissingLanguageModelError(ConfigurationError):
    """Something needs a language model and none is configured."""

    action = "ask a language model"
    reason = "llm.model is not set"
    hint = (
        "Set MEMCTL_LLM_MODEL, such as ollama_chat/llama3.2 with "
        "MEMCTL_LLM_API_BASE=http://localhost:11434, or llm.model in the configuration file."
    )


class NotFoundError(MemctlError):
    """Base for ids, paths and names that do not exist or are not unique."""

    exit_code = ExitCode.NOT_FOUND


class UnknownMemoryError(NotFoundError):
    """No memory has this id. Data: ``prefix``."""

    action = "find memory {prefix!r}"
    reason = "no memory's id starts with it"
    hint = "`memctl list` shows ids; `memctl list --forgotten` those that are hidden."


class AmbiguousMemoryError(NotFoundError):
    """A prefix fits several memories. Data: ``prefix`` and ``candidates`` (text)."""

    action = "choose memory {prefix!r}"
    reason = "several ids start with it: {candidates}"
    hint = "Give more characters of the one that you mean."


class ShortPrefixError(NotFoundError):
    """An id prefix is below the smallest length. Data: ``prefix`` and ``minimum_length``."""

    action = "find memory {prefix!r}"
    reason = "an id prefix needs at least {minimum_length} characters"
    hint = "`memctl list` shows the first 8 characters of each id."


class UnknownDocumentError(NotFoundError):
    """No document or chunk has this id. Data: ``id``."""

    action = "find document {id!r}"
    reason = "the store has none of that id"
    hint = "`memctl status` counts documents; `memctl ingest` adds them."


class UnknownSourceError(NotFoundError):
    """No document comes from this path. Data: ``path``, ``advice`` (``; perhaps you mean
    notes/garden.md``, or nothing)."""

    action = "find documents of {path}"
    reason = "nothing was taken in from there{advice}"
    hint = "`memctl ingest --status FOLDER` lists what was taken in from a folder."


class MissingPathError(NotFoundError):
    """A path given by the user does not exist. Data: ``path``."""

    action = "read {path}"
    reason = "there is no such file or folder"


class MissingFolderError(NotFoundError):
    """The folder in which a file is to be written does not exist. Data: ``path`` and ``folder``."""

    action = "write {path}"
    reason = "there is no folder {folder}"
    hint = "Make the folder first, or choose another place."


class UnknownChannelError(NotFoundError):
    """No message was stored of this channel. Data: ``id``, ``known`` (names as text) and
    ``advice`` (a sentence)."""

    action = "read channel {id!r}"
    reason = "the store has no messages of it; channels are: {known}"
    hint = "{advice}"


class NothingToMigrateError(NotFoundError):
    """What was to be migrated holds nothing of an agent. Data: ``path`` and ``why``."""

    action = "migrate {path}"
    reason = "{why}"
    hint = (
        "Name the folder that holds MEMORY.md or memory/; `memctl ingest` takes other notes, and "
        "`--dry-run --verbose` shows what a folder holds."
    )


class ArchiveError(MemctlError):
    """An archive cannot be unpacked, or wants too much room. Data: ``path`` and ``why``."""

    action = "migrate the archive {path}"
    reason = "{why}"
    hint = "Unpack it yourself into an empty folder, and name that folder."


class RestoreConflictError(MemctlError):
    """A hidden memory cannot come back beside a live one. Data: ``id``, ``other``, ``why``."""

    action = "restore memory {id}"
    reason = "{why}"
    hint = "`memctl show {other}` prints the live one; forget it first to have the old one back."


class UnknownOperationError(NotFoundError):
    """No operation of the journal has this number. Data: ``id``."""

    action = "find operation {id}"
    reason = "the journal has none of that number"
    hint = "`memctl log` shows the numbers of the operations that the journal holds."


class UndoError(MemctlError):
    """An operation cannot be taken back. Data: ``what`` and ``why``."""

    action = "{what}"
    reason = "{why}"
    hint = "`memctl log` shows what can be taken back."


class PurgeUndoError(UndoError):
    """A purge cannot be taken back. Data: ``id`` and ``earlier``: a sentence about what was done
    before it."""

    action = "undo operation {id}"
    reason = "it is a purge, and what it erased is gone for good"
    hint = "{earlier}"


class UndoConflictError(MemctlError):
    """What an operation did was changed later. Data: ``id`` and ``why``."""

    action = "undo operation {id}"
    reason = "{why}"
    hint = "Undo the later operations first, or add --force to overwrite what is named."


class PurgeRemainsError(MemctlError):
    """A purged text is still somewhere. Data: ``where``."""

    action = "erase every trace"
    reason = "the text is still in {where}"
    hint = "What was asked for is erased; purge, edit or remove what is named here, too."


class WriteError(MemctlError):
    """A file that the user asked for cannot be written. Data: ``path`` and ``why``."""

    action = "write {path}"
    reason = "{why}"
    hint = "Choose another place, or - for stdout."


class BackupError(MemctlError):
    """A file is no whole backup that this memctl can use. Data: ``path`` and ``why``."""

    action = "use the backup {path}"
    reason = "{why}"
    hint = "The store was not touched. Try another backup; `memctl backup FILE` makes one."


class StoreError(MemctlError):
    """The store on disk cannot be used; kinds of this error say more. Data: ``path``, ``why``."""

    exit_code = ExitCode.STORE
    action = "use the store {path}"
    reason = "{why}"


class MissingStoreError(StoreError):
    """There is no store where one is needed. Data: ``path``."""

    reason = "there is none"
    hint = (
        "--store or MEMCTL_STORE says where it lies, `memctl restore-backup FILE` brings a backup "
        "back, and `memctl save` makes a new one."
    )


class NewerSchemaError(StoreError):
    """The store was written by a later memctl. Data: ``path``, ``found`` and ``known``."""

    action = "open the store {path}"
    reason = "its schema version is {found} and this memctl knows versions up to {known}"
    hint = "Upgrade memctl, or point --store at another folder. Nothing was changed."


class CorruptStoreError(StoreError):
    """SQLite says that the file is damaged or no database. Data: ``path`` and ``why``."""

    action = "read the store {path}"
    hint = (
        "Nothing was changed. `memctl doctor` says more; `memctl restore-backup FILE` brings a "
        "backup back and keeps this store aside."
    )


class DamagedRowError(StoreError):
    """A row of the database holds what memctl never writes. Data: ``row``, ``column``,
    ``value``."""

    action = "read {row}"
    reason = "its {column} cannot be {value}"
    hint = "Nothing was changed. `memctl doctor` names every such row and says what helps."


class FullDiskError(StoreError):
    """No space is left where the store lies. Data: ``path``."""

    action = "write to the store {path}"
    reason = "no space is left on that disk"
    hint = "Free some space and run the command again; what was stored before is safe."


class ReadOnlyStoreError(StoreError):
    """The store's folder or files cannot be written. Data: ``path`` and ``why``."""

    action = "write to the store {path}"
    hint = "Check who owns the folder, or choose another with --store."


class SearchIndexError(StoreError):
    """The search index cannot be opened, read or written. Data: ``path`` and ``why``."""

    action = "use the search index {path}"
    hint = "Nothing is lost: `memctl doctor --fix` builds the index again from the database."


class DimensionMismatchError(SearchIndexError):
    """Vectors of another length than the index holds. Data: ``path``, ``found``, ``expected``."""

    reason = "a vector has {found} dimensions where {expected} are expected"
    hint = "Another embedding model needs a new index; keyword search goes on with this one."


class LockedError(MemctlError):
    """Another process holds the store for longer than the wait. Data: ``what``, ``holder``,
    ``waited_seconds``."""

    exit_code = ExitCode.LOCKED
    action = "{what}"
    reason = "{holder} holds it, and {waited_seconds:g} s of waiting were not enough"
    hint = "Run the command again when that process has finished."


class ServerEndError(MemctlError):
    """The server of other commands cannot be ended. Data: ``process_id`` and ``why``."""

    action = "end the server, process {process_id}"
    reason = "{why}"


class WatcherAnswersError(ServerEndError):
    """The server watches folders as well. Data: ``process_id`` and ``command``."""

    reason = "it is `{command}`, which takes in files as well"
    hint = "End it where it runs, with Ctrl-C or as a service, or with `kill {process_id}`."


class ModelError(MemctlError):
    """Base for embedding and language models that cannot be used. Data: ``model``, ``why``."""

    exit_code = ExitCode.MODEL
    action = "use the model {model}"
    reason = "{why}"


class EmbeddingModelError(ModelError):
    """The embedding model cannot be loaded or run. Data: ``model`` and ``why``."""

    action = "load the embedding model {model}"
    hint = (
        "Memories are saved and found by keyword meanwhile. Set embedding.model to the bundled "
        "model, or make the files of this one available, and the next command catches up."
    )


class EmbeddingMismatchError(EmbeddingModelError):
    """The store's vectors are another model's. Data: ``model`` (configured), ``stored``."""

    action = "add vectors of {model}"
    reason = "the store's vectors were made by {stored}, and two models' vectors never mix"
    hint = (
        "Set embedding.model back to {stored}, or move the store to the other model with "
        "`memctl maintain --model {model}`."
    )


class LanguageModelError(ModelError):
    """The language model answered with an error or not at all.

    Data: ``model`` and ``why``; also ``usage``, a ``memory.Usage``, where answers were paid for
    before the one that failed.
    """

    action = "ask the language model {model}"
    hint = "Check llm.model, llm.api_base and the provider's key in the environment."


class LanguageModelFaultError(LanguageModelError):
    """The provider failed on this question, broke off or gave no answer in time; another question
    may do better."""

    hint = "Run the command again later: what was finished is kept and not asked for again."


class LanguageModelBudgetError(LanguageModelError):
    """The run has spent what it was allowed to. Data: ``model`` and ``why``."""

    action = "go on asking the language model {model}"
    hint = "Run the command again, with a larger --max-calls or --max-cost: it goes on from here."


class LanguageModelThrottledError(LanguageModelError):
    """The provider asks to come back later. Data: also ``retry_after_seconds`` (or None)."""

    hint = "Run the command again later: what was finished is kept and not asked for again."


class LanguageModelExhaustedError(LanguageModelError):
    """The quota or the account is used up; trying again soon is of no use."""

    hint = "Look at the provider's quota or billing; finished work is kept."


class LanguageModelResponseError(LanguageModelError):
    """The answer was no usable JSON or was cut short, also after the corrective retry."""

    hint = "Try a larger model, or unset llm.model to use the built-in rules."


class LanguageModelRefusedError(LanguageModelResponseError):
    """The model, or its provider's filter, refused to work on this text."""

    hint = "Asking again is of no use; another model, or the built-in rules, may take the text."


class LanguageModelTooLongError(LanguageModelResponseError):
    """What was asked is longer than the model's context."""

    hint = "Use a model with a longer context, or a smaller ingest.chunk_tokens."


class AlreadyWatchingError(LockedError):
    """Another process watches folders for this store. Data: ``holder``."""

    action = "watch folders for this store"
    reason = "{holder} does so already"
    hint = "`memctl status` shows what it does; stop it first, or give another --store."


class AlreadyAnsweringError(LockedError):
    """Another process answers commands with these options. Data: ``what`` and ``holder``."""

    reason = "{holder} does so already"
    hint = "`memctl status` shows it, and `memctl serve --stop` ends a `memctl serve`."


class StoreAtWorkError(LockedError):
    """Another process works on the store, and may go on for ever. Data: ``what``, ``holder``."""

    reason = "{holder} works on it"
    hint = "Wait until it has ended, or stop it first if it watches folders or runs as a service."


class WatchError(MemctlError):
    """A folder cannot be watched. Data: ``path`` and ``why``."""

    action = "watch {path}"
    reason = "{why}"
    hint = "Name a folder that exists and that you may read."
