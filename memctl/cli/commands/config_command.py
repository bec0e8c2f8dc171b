"""``memctl config``."""

from __future__ import annotations

import tempfile
import tomllib
from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from memctl.cli.declaration import Argument, Option
from memctl.cli.editor import Task, edit_text
from memctl.cli.output import Column
from memctl.cli.private_files import write_private_text
from memctl.cli.session import Session
from memctl.errors import ConfigurationError, InvalidSettingError, UsageError, WriteError

if TYPE_CHECKING:
    from memctl.config import SettingInfo

COLUMNS = (
    Column("setting"),
    Column("value", wrap=True),
    Column("from", wrap=True),
    Column("meaning", wrap=True),
)


def config(
    session: Session,
    action: Annotated[
        str,
        Argument(metavar="ACTION", help="show, get, set, unset, init, edit or path."),
    ] = "show",
    key: Annotated[
        str | None, Argument(metavar="KEY", help="A setting, such as llm.model.")
    ] = None,
    value: Annotated[str | None, Argument(metavar="VALUE", help="What `set` sets it to.")] = None,
    force: Annotated[
        bool, Option("--force", "-f", help="Let `init` replace a file that exists.")
    ] = False,
    keep: Annotated[
        bool, Option("--keep", help="Let `init` replace a file that exists, and keep its settings.")
    ] = False,
) -> None:
    """Show and change the settings.

    Each has a value from the command line, a MEMCTL_* variable, the configuration file or the
    built-in default, in this order. `show` prints all with their origin, `get` one value, `set` and
    `unset` change the file, `init` writes a commented one, `edit` opens it in your editor and takes
    it only when it is right, and `path` says where it lies. `unset` also takes out a key that is no
    setting, which stops all other commands.

    \b
    Examples:
      memctl config show
      memctl config init
      memctl config init --keep
      memctl config set llm.model ollama_chat/llama3.2
      memctl config get recall.limit
      memctl config unset llm.model
      memctl config edit
    """
    if action not in ACTIONS:
        raise UsageError(
            what=f"run `memctl config {action}`", why=f"the actions are {', '.join(ACTIONS)}"
        )
    given = [one for one in (key, value) if one is not None]
    if len(given) != len(ARGUMENTS.get(action, ())):
        usage = " ".join(["memctl config", action, *ARGUMENTS.get(action, ())])
        raise UsageError(what=f"run `memctl config {action}`", why=f"write `{usage}`")
    if action == "init":
        _init(session, force=force, keep=keep)
    else:
        ACTIONS[action](session, *given)


def _show(session: Session) -> None:
    from memctl.config import describe_settings

    loaded = session.loaded_settings
    entries = [(info, *_value_of(session, info)) for info in describe_settings()]
    if session.output.as_json:
        session.output.json(
            {
                "path": str(loaded.config_path),
                "settings": {
                    info.key: _setting_json(info, value, origin) for info, value, origin in entries
                },
            }
        )
        return
    session.output.table(
        COLUMNS,
        [
            (info.key, "" if value is None else _shown(value), origin, info.description)
            for info, value, origin in entries
        ],
        title=f"Configuration file: {loaded.config_path}",
    )


def _get(session: Session, key: str) -> None:
    from memctl.config import setting_info

    info = setting_info(key)
    value, origin = _value_of(session, info)
    if session.output.as_json:
        session.output.json({"key": key, **_setting_json(info, value, origin)})
    elif value is not None:
        session.output.line(_shown(value))


def _shown(value: object) -> str:
    """A value as people read it; a truth value as TOML and `config set` write it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _set(session: Session, key: str, value: str) -> None:
    from memctl.config import parse_setting, setting_info

    info = setting_info(key)
    _change(session, key, parse_setting(info, value), info.variable)


def _unset(session: Session, key: str) -> None:
    """What is in the file and no setting stops every command, so that can be taken out too."""
    from memctl.config import describe_settings, setting_info

    variables = {info.key: info.variable for info in describe_settings()}
    if key not in variables and key not in _keys_of_file(session.config_path):
        setting_info(key)
    _change(session, key, None, variables.get(key))


def _keys_of_file(path: Path) -> Collection[str]:
    from memctl.setting import flatten

    try:
        return flatten(tomllib.loads(_read(path)))
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError(problems=f"{path}: {error}") from None


def _change(session: Session, key: str, value: object, variable: str | None) -> None:
    """Sets a key of the file, or takes it out with None; the setting's variable is told of where
    it goes before the file."""
    from memctl.config_file import with_setting

    path = session.config_path
    before = _read(path)
    try:
        after = with_setting(before, key, value)
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError(problems=f"{path}: {error}") from None
    except ValueError as error:
        raise InvalidSettingError(key=key, why=f"{path}: {error}") from None
    if after != before:
        write_private_text(path, after)
    hiding = variable and session.streams.environment.get(variable)
    if hiding:
        session.output.warn(f"{variable} is set to {hiding!r} and goes before the file")
    if session.output.as_json:
        shown = str(value) if isinstance(value, Path) else value
        document = {"path": str(path), "key": key, "value": shown}
        session.output.json({**document, "changed": after != before})


def _init(session: Session, *, force: bool, keep: bool) -> None:
    if force and keep:
        raise UsageError(what="run `memctl config init`", why="--force keeps nothing")
    from memctl.config_file import commented_file

    path = session.config_path
    if not path.exists() or force:
        text = commented_file()
    elif keep:
        text = _commented_anew(path)
    else:
        why = "it exists already (--keep keeps its settings, --force replaces all of it)"
        raise WriteError(path=path, why=why)
    write_private_text(path, text)
    _print_path(session)


def _commented_anew(path: Path) -> str:
    """The commented file with the settings of the one at ``path``."""
    from memctl.config_file import commented_file_with

    try:
        return commented_file_with(_read(path))
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError(problems=f"{path}: {error}") from None
    except ValueError as error:
        raise WriteError(path=path, why=f"{error}; `memctl config edit` opens it") from None


def _edit(session: Session) -> None:
    from memctl.config import load_settings
    from memctl.config_file import commented_file

    path = session.config_path
    text = _read(path) if path.exists() else commented_file()
    task = Task(str(path), ".toml", "`memctl config set KEY VALUE` needs no editor.")
    written = edit_text(session, text, task, _checked)
    if written is None:
        session.output.notice("nothing was changed")
        if path.exists():
            # A file that is left wrong still stops every other command.
            load_settings({}, {}, path)
    else:
        write_private_text(path, written)
    if session.output.as_json:
        session.output.json({"path": str(path), "changed": written is not None})


def _checked(text: str) -> str:
    """The text, when all its settings are right; else ValueError with every problem."""
    from memctl.config import load_settings

    with tempfile.TemporaryDirectory(prefix="memctl-") as folder:
        draft = Path(folder, "config.toml")
        draft.write_text(text, encoding="utf-8")
        try:
            load_settings({}, {}, draft)
        except ConfigurationError as error:
            problems = str(error.data["problems"])
            raise ValueError(problems.replace(f"{draft}: ", "")) from None
    return text


def _print_path(session: Session) -> None:
    path = session.config_path
    if session.output.as_json:
        session.output.json({"path": str(path), "exists": path.exists()})
    else:
        session.output.line(str(path))


def _value_of(session: Session, info: SettingInfo) -> tuple[Any, str]:
    section, name = info.key.split(".")
    loaded = session.loaded_settings
    return getattr(getattr(loaded.settings, section), name), loaded.origins[info.key]


def _setting_json(info: SettingInfo, value: object, origin: str) -> dict[str, object]:
    return {
        "value": str(value) if isinstance(value, Path) else value,
        "origin": origin,
        "variable": info.variable,
        "description": info.description,
    }


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(problems=f"{path}: {error}") from error


ARGUMENTS = {"get": ("KEY",), "unset": ("KEY",), "set": ("KEY", "VALUE")}
"""What an action takes behind its name."""

ACTIONS: dict[str, Callable[..., None]] = {
    "show": _show,
    "get": _get,
    "set": _set,
    "unset": _unset,
    "init": _init,
    "edit": _edit,
    "path": _print_path,
}
"""What each action does; those that take a key or a value get it after the session."""
