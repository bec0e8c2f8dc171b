"""What OpenClaw's configuration says about where agents keep their files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from memctl.migration.json5 import parse_json5

CONFIG_NAMES = ("openclaw.json", "clawdbot.json", "moltbot.json")
STATE_FOLDER_NAMES = (".openclaw", ".clawdbot", ".moltbot")
MAIN_AGENT = "main"


@dataclass(frozen=True, slots=True)
class NamedFolder:
    """A folder that the configuration names, and whose workspace it is."""

    agent: str
    path: Path
    is_default: bool


@dataclass(slots=True)
class StateConfig:
    """What was understood; ``problem`` says why nothing was."""

    workspaces: list[NamedFolder] = field(default_factory=list)
    extra_paths: list[Path] = field(default_factory=list)
    problem: str | None = None


def read_config(text: str, folder: Path, home: Path, *, is_copy: bool = False) -> StateConfig:
    """What the configuration in ``folder`` says; relative paths start there, ``~`` at ``home``.

    Of a copy, as in an archive, what it names is looked for beside it first.
    """
    try:
        value = parse_json5(text)
    except ValueError as error:
        return StateConfig(problem=f"its JSON5 is broken: {error}")
    if not isinstance(value, dict):
        return StateConfig(problem="it holds no object")
    places = _Places(folder, home, is_copy=is_copy)
    agents = _mapping(value.get("agents"))
    defaults = _mapping(agents.get("defaults"))
    config = StateConfig()
    config.workspaces += _workspaces(value, agents, defaults, places)
    search = _mapping(defaults.get("memorySearch"))
    extra = search.get("extraPaths")
    for name in extra if isinstance(extra, list) else ():
        path = places.resolve(name)
        config.extra_paths += [] if path is None else [path]
    return config


def _workspaces(
    value: Mapping[str, object],
    agents: Mapping[str, object],
    defaults: Mapping[str, object],
    places: _Places,
) -> Iterator[NamedFolder]:
    listed = agents.get("list")
    entries = [_mapping(entry) for entry in listed] if isinstance(listed, list) else []
    ids = [str(entry["id"]) for entry in entries if isinstance(entry.get("id"), str)]
    marked = [str(entry.get("id")) for entry in entries if entry.get("default") is True]
    default_agent = next(iter([*marked, *ids]), MAIN_AGENT)
    for entry in entries:
        path = places.resolve(entry.get("workspace"))
        agent = entry.get("id")
        if path is not None and isinstance(agent, str):
            yield NamedFolder(agent, path, is_default=agent == default_agent)
    for holder in (defaults, _mapping(value.get("agent"))):
        path = places.resolve(holder.get("workspace"))
        if path is not None:
            yield NamedFolder(default_agent, path, is_default=True)


class _Places:
    """Turns the texts of a configuration into paths."""

    def __init__(self, folder: Path, home: Path, *, is_copy: bool) -> None:
        self._folder = folder
        self._home = home
        self._is_copy = is_copy

    def resolve(self, name: object) -> Path | None:
        """The absolute path; None for what names no place, such as an unset variable."""
        if not isinstance(name, str) or not name.strip() or "${" in name or "\0" in name:
            return None
        if name == "~" or name.startswith("~/"):
            beside = self._folder.parent / name[2:]
            is_beside = self._is_copy and beside != self._folder.parent and beside.exists()
            return beside if is_beside else self._moved(self._home / name[2:])
        return self._moved(self._folder / name)

    def _moved(self, path: Path) -> Path:
        """A path below another state folder of this kind is meant below this one: the tree has
        been moved or copied since. A copy may also hold whole paths below one of its folders."""
        if path.is_relative_to(self._folder):
            return path
        parts = path.parts
        for position, part in enumerate(parts):
            if part in STATE_FOLDER_NAMES:
                here = self._folder.joinpath(*parts[position + 1 :])
                is_here = here != self._folder and here.exists()
                if is_here and (self._is_copy or not path.exists()):
                    return here
        if self._is_copy:
            for folder in self._folder.parents[:-1]:
                below = folder.joinpath(*parts[1:])
                if below != folder and below.exists():
                    return below
        return path


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}
