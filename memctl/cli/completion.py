"""What may stand next on the command line, for the shells' completion.

`memctl __complete WORD...` prints one candidate a line, with what it stands for behind a tab, or
``:files`` where a path is wanted. It never fails and loads nothing that a press of Tab need not
wait for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from memctl.cli.command_tree import CommandEntry, OptionEntry, command_entry
from memctl.cli.root_help import COMMANDS, OPTIONS
from memctl.cli.session import Session, SharedOptions
from memctl.cli.text import shorten
from memctl.cli.warm.protocol import option_value
from memctl.config import DATABASE_NAME
from memctl.errors import MemctlError
from memctl.memory import MemoryType, Origin, RelationType

FILES = ":files"
"""The one line that asks the shell for file names."""

FILE_METAVARS = frozenset({"FILE", "DIR", "PATH", "PATH..."})

DESCRIPTION_LENGTH = 60

Word = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Request:
    """The word in hand: its beginning, its command, and what was typed for the options so far."""

    session: Session
    command: str
    prefix: str

    @property
    def database(self) -> Path | None:
        """The store's file; None where there is none on this machine."""
        try:
            store = self.session.settings.store
        except MemctlError:
            return None
        if store.database_url is not None:
            return None
        return store.path / DATABASE_NAME


Source = Callable[[Request], Iterable[Word]]


def completion_lines(words: Sequence[str], session: Session) -> list[str]:
    """The candidates for the last of ``words``, which follow the program's name."""
    *before, prefix = words or [""]
    found = _candidates(before, prefix, session)
    if found is None:
        return [FILES]
    return [
        f"{value}\t{shorten(text, DESCRIPTION_LENGTH)}" if text else value
        for value, text in found
        if value.startswith(prefix) and value.isprintable()
    ]


def _candidates(before: Sequence[str], prefix: str, session: Session) -> Iterable[Word] | None:
    """All that could stand there; None for files."""
    _note_places(before, session)
    name, arguments = _split(before)
    if name is None:
        waiting = before and _root_value(before[-1])
        if waiting:
            return None
        return _root_words(prefix)
    if name not in COMMANDS:
        return []
    entry = command_entry(name)
    option, position = _place(entry, arguments)
    request = Request(session, name, prefix)
    if option is not None:
        return _option_values(request, option)
    if prefix.startswith("-") and "--" not in arguments:
        return _options(session, entry, prefix)
    return _argument_values(request, entry, position)


def _note_places(before: Sequence[str], session: Session) -> None:
    """Has --store and --config mean what they would, wherever they stand."""
    store, config = (
        Path(named).expanduser() if named else None
        for named in (option_value(before, "--store"), option_value(before, "--config"))
    )
    session.options.merge(SharedOptions(store, config))


def _split(before: Sequence[str]) -> tuple[str | None, list[str]]:
    """The command's name and the words behind it."""
    words = iter(enumerate(before))
    for number, word in words:
        if _root_value(word):
            next(words, None)
        elif not word.startswith("-"):
            return word, list(before[number + 1 :])
    return None, []


def _root_value(word: str) -> bool:
    return word in {"--store", "--config"}


def _root_words(prefix: str) -> Iterator[Word]:
    if prefix.startswith("-"):
        for names, text in OPTIONS.items():
            yield names.split(", ")[-1].split()[0], text
    else:
        yield from COMMANDS.items()


def _place(entry: CommandEntry, arguments: Sequence[str]) -> tuple[OptionEntry | None, int]:
    """The option that waits for its value, if one does, and how many arguments there are."""
    by_name = {name: option for option in entry.options for name in option.names}
    position, only_arguments = 0, False
    waiting: OptionEntry | None = None
    for word in arguments:
        if waiting is not None:
            waiting = None
        elif word == "--":
            only_arguments = True
        elif only_arguments or not word.startswith("-") or word == "-":
            position += 1
        else:
            option = by_name.get(word)
            waiting = option if option is not None and option.metavar is not None else None
    return waiting, position


def _options(session: Session, entry: CommandEntry, prefix: str) -> Iterable[Word] | None:
    """The options; for a word such as ``--tag=ba``, the whole words that it may become, and None
    for files."""
    name, is_attached, value = prefix.partition("=")
    if not is_attached:
        return ((one.names[-1], one.help) for one in entry.options)
    for option in entry.options:
        if name in option.names and option.metavar is not None:
            found = _option_values(Request(session, entry.name, value), option)
            return None if found is None else ((f"{name}={word}", text) for word, text in found)
    return []


def _option_values(request: Request, option: OptionEntry) -> Iterable[Word] | None:
    if option.metavar in FILE_METAVARS:
        return None
    name = option.names[-1]
    source = OPTION_SOURCES.get(f"{request.command} {name}") or OPTION_SOURCES.get(name)
    return [] if source is None else source(request)


def _argument_values(request: Request, entry: CommandEntry, position: int) -> Iterable[Word] | None:
    metavars = [argument.metavar for argument in entry.arguments]
    if not metavars:
        return []
    metavar = metavars[min(position, len(metavars) - 1)]
    if position >= len(metavars) and not metavar.endswith("..."):
        return []
    if metavar in FILE_METAVARS:
        return None
    source = ARGUMENT_SOURCES.get(metavar)
    return [] if source is None else source(request)


def _plain(words: Iterable[str]) -> list[Word]:
    return [(str(word), "") for word in words]


def _ids(request: Request) -> Iterable[Word]:
    from memctl.store.completion_words import recent_ids

    database = request.database
    if database is None:
        return []
    return recent_ids(database, request.prefix, forgotten=request.command == "restore")


def _tags(request: Request) -> Iterable[Word]:
    from memctl.store.completion_words import stored_tags

    database = request.database
    return [] if database is None else stored_tags(database, request.prefix)


def _stored(field: str) -> Source:
    def words(request: Request) -> Iterable[Word]:
        from memctl.store.completion_words import stored_values

        database = request.database
        return [] if database is None else stored_values(database, field, request.prefix)

    return words


def _operations(request: Request) -> Iterable[Word]:
    from memctl.store.completion_words import recent_operations

    database = request.database
    return [] if database is None else recent_operations(database)


def _settings(_request: Request) -> Iterable[Word]:
    from memctl.config import describe_settings

    return [(info.key, info.description) for info in describe_settings()]


def _config_actions(_request: Request) -> Iterable[Word]:
    from memctl.cli.commands.config_command import ACTIONS

    return _plain(ACTIONS)


def _graph_formats(_request: Request) -> Iterable[Word]:
    from memctl.cli.commands.graph_command import FORMATS

    return _plain(FORMATS)


def _export_formats(_request: Request) -> Iterable[Word]:
    from memctl.cli.commands.export_command import FORMATS

    return _plain(FORMATS)


def _maintenance_steps(_request: Request) -> Iterable[Word]:
    from memctl.maintenance.plan import StepName

    return _plain(StepName)


def _list_orders(_request: Request) -> Iterable[Word]:
    from memctl.memory import MemorySort

    return _plain(MemorySort)


def _recall_words(name: str) -> Source:
    def words(_request: Request) -> Iterable[Word]:
        from memctl.search import request as recall

        return _plain(getattr(recall, name))

    return words


def _clearable(_request: Request) -> Iterable[Word]:
    from memctl.cli.commands.edit_command import CLEARABLE

    return _plain(CLEARABLE)


OPTION_SOURCES: dict[str, Source] = {
    "--type": lambda _request: _plain(MemoryType),
    "--origin": lambda _request: _plain(Origin),
    "--relation": lambda _request: _plain(RelationType),
    "--tag": _tags,
    "--untag": _tags,
    "--channel": _stored("channel"),
    "--session": _stored("session"),
    "--source": _stored("source"),
    "--mode": _recall_words("RecallMode"),
    "--kind": _recall_words("RecallKind"),
    "--clear": _clearable,
    "recall --sort": _recall_words("RecallSort"),
    "list --sort": _list_orders,
    "graph --format": _graph_formats,
    "export --format": _export_formats,
    "maintain --only": _maintenance_steps,
}
"""Where the values of an option come from, by its name or by the command's and its own."""

ARGUMENT_SOURCES: dict[str, Source] = {
    "ID": _ids,
    "ID...": _ids,
    "A": _ids,
    "B": _ids,
    "RELATION": lambda _request: _plain(RelationType),
    "OPERATION": _operations,
    "ACTION": _config_actions,
    "KEY": _settings,
    "COMMAND": lambda _request: [*COMMANDS.items(), ("settings", "Every setting.")],
    "SHELL": lambda _request: _plain(("bash", "zsh", "fish")),
}
"""Where the values of an argument come from, by its name in the usage."""
