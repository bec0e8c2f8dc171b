"""Which folders of a tree are agents' workspaces: those that the configuration names, and those
that look like one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from memctl.migration.options import DEFAULT_CHANNEL_PREFIX
from memctl.migration.roles import BOOT_NAMES, is_markdown, stem_of
from memctl.migration.source_file import Workspace
from memctl.migration.state_config import MAIN_AGENT, NamedFolder
from memctl.migration.tree import MEMORY_FOLDER, Tree

WORKSPACE = "workspace"
_AGENT_FOLDERS = frozenset({"agents", "workspaces"})
_EXCLUDED_FOLDERS = frozenset(
    {"skills", "templates", "template", "examples", "docs", "backup", "backups", "sessions"}
)
_TELLING_FILES = frozenset({"memory", "memory_snapshot"})

Parts = tuple[str, ...]


def find_workspaces(
    tree: Tree, named: Sequence[NamedFolder], channel_prefix: str | None
) -> list[Workspace]:
    """The workspaces inside ``tree``, the default agent's first; deeper ones before those that
    hold them are found by ``holder_of``."""
    configured: dict[Parts, list[NamedFolder]] = defaultdict(list)
    for folder in named:
        if folder.path.is_relative_to(tree.root):
            configured[folder.path.relative_to(tree.root).parts].append(folder)
    looking = _folders_that_look_like_one(tree)
    outer = {parts for parts in looking if not any(parts[:n] in looking for n in range(len(parts)))}
    kept = outer | {parts for parts in looking if _is_agent_folder(parts)}
    found = sorted(configured.keys() | kept)
    default = _default_of(found, configured)
    return sorted(
        (
            _workspace(
                tree.root, parts, configured.get(parts, []), parts == default, channel_prefix
            )
            for parts in found
        ),
        key=lambda one: (one.path.relative_to(tree.root).parts != default, one.path),
    )


def holder_of(path: Path, workspaces: Iterable[Workspace]) -> Workspace | None:
    """The innermost workspace that a file lies in."""
    holders = [one for one in workspaces if path.is_relative_to(one.path)]
    return max(holders, key=lambda one: len(one.path.parts), default=None)


def _folders_that_look_like_one(tree: Tree) -> set[Parts]:
    boot_files: dict[Parts, set[str]] = defaultdict(set)
    found: set[Parts] = set()
    for entry in tree.entries:
        folders = entry.parts[:-1]
        if _EXCLUDED_FOLDERS.intersection(folder.lower() for folder in folders):
            continue
        lowered = [folder.lower() for folder in folders]
        if MEMORY_FOLDER in lowered:
            if is_markdown(entry.parts[-1]) or entry.parts[-1].lower() == "brain.db":
                found.add(folders[: lowered.index(MEMORY_FOLDER)])
            continue
        if is_markdown(entry.parts[-1]):
            stem = stem_of(entry.parts[-1])
            if stem in _TELLING_FILES:
                found.add(folders)
            elif stem in BOOT_NAMES:
                boot_files[folders].add(stem)
    return found | {folders for folders, stems in boot_files.items() if len(stems) > 1}


def _is_agent_folder(parts: Parts) -> bool:
    """Whether a folder inside another workspace is one of its own: a twin in ``agents/``."""
    if not parts:
        return False
    return parts[-1].lower().startswith(WORKSPACE) or (
        len(parts) > 1 and parts[-2].lower() in _AGENT_FOLDERS
    )


def _default_of(found: Sequence[Parts], configured: dict[Parts, list[NamedFolder]]) -> Parts | None:
    for parts, folders in configured.items():
        if any(folder.is_default for folder in folders) and parts in found:
            return parts
    by_name = {parts[-1] if parts else "": parts for parts in reversed(found)}
    for name in (WORKSPACE, f"{WORKSPACE}-{MAIN_AGENT}", ""):
        if name in by_name:
            return by_name[name]
    return found[0] if len(found) == 1 else None


def _workspace(
    root: Path, parts: Parts, folders: Sequence[NamedFolder], is_default: bool, prefix: str | None
) -> Workspace:
    folder_name = parts[-1] if parts else root.name
    bare = folder_name.removeprefix(f"{WORKSPACE}-")
    agents = [folder.agent for folder in folders]
    if not agents and folder_name == WORKSPACE:
        agents = [parts[-2] if len(parts) > 1 and _is_agent_folder(parts[:-1]) else MAIN_AGENT]
    names = dict.fromkeys([*agents, bare, folder_name, "/".join(parts)])
    shown = tuple(name for name in names if name)
    channel = (
        None
        if is_default and prefix is None
        else (f"{DEFAULT_CHANNEL_PREFIX if prefix is None else prefix}{shown[0]}")
    )
    return Workspace(path=root.joinpath(*parts), names=shown, channel_id=channel)
