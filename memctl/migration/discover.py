"""Finds every file of a state folder, a workspace or a single file, and says what becomes of it.

Nothing is left out of the answer: what is not taken stands there with its reason. Files are only
looked at by name, apart from the configuration.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path

from memctl.document import DocumentStatus
from memctl.errors import MissingPathError, UsageError
from memctl.ingestion.discovery import Found, Identity, read_found
from memctl.ingestion.readers.text import decode_text
from memctl.migration.archive import is_archive, unpacked
from memctl.migration.options import MigrationOptions
from memctl.migration.roles import (
    Judgement,
    is_markdown,
    is_session_folder,
    judge_in_state,
    judge_in_workspace,
    stem_of,
)
from memctl.migration.source_file import Role, SourceFile, Workspace
from memctl.migration.state_config import (
    CONFIG_NAMES,
    MAIN_AGENT,
    STATE_FOLDER_NAMES,
    StateConfig,
    read_config,
)
from memctl.migration.tree import MEMORY_FOLDER, TABLE_SUFFIX, Entry, Tree, walk
from memctl.migration.workspaces import find_workspaces, holder_of

USUAL_PLACES = (*STATE_FOLDER_NAMES, ".zeroclaw", "clawd")
"""Below the home folder."""

_OPTIONAL = {
    Role.SESSION: "session transcript; --sessions takes it",
    Role.PERSONA: "the agent's persona; --persona takes it",
}
_TABLE_NAME = "memories" + TABLE_SUFFIX


@dataclass(slots=True)
class Discovery:
    """What was found: files in reading order, workspaces, and what the user should know."""

    files: list[SourceFile] = field(default_factory=list)
    workspaces: list[Workspace] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def usual_places(home: Path) -> list[Path]:
    """The folders below ``home`` in which agents of this kind keep their state, each once."""
    named = [home / name for name in USUAL_PLACES]
    profiles = sorted(home.glob(f"{STATE_FOLDER_NAMES[0]}-*")) if home.is_dir() else []
    found = [path.resolve() for path in (*named, *profiles) if path.is_dir()]
    return list(dict.fromkeys(found))


def discover_source(
    path: Path, options: MigrationOptions, home: Path, unpacking: ExitStack
) -> Discovery:
    """What lies at ``path``; what an archive holds can be read until ``unpacking`` is closed.

    Raises MissingPathError, ArchiveError, and UsageError for an unknown workspace.
    """
    try:
        root = path.expanduser().resolve(strict=True)
    except (OSError, RuntimeError):
        raise MissingPathError(path=str(path)) from None
    discovery = Discovery()
    if root.is_dir():
        _discover_folder(discovery, root, options, home)
    elif root.is_file() and is_archive(root):
        _discover_archive(discovery, root, options, home, unpacking)
    else:
        discovery.files.append(_single_file(root))
    _choose_workspaces(discovery, options)
    discovery.files = list(_each_once(discovery.files))
    return discovery


def _discover_archive(
    discovery: Discovery,
    archive: Path,
    options: MigrationOptions,
    home: Path,
    unpacking: ExitStack,
) -> None:
    """As a folder; every path begins with the archive's, as if that were the folder."""
    content = unpacking.enter_context(unpacked(archive, max_bytes=options.max_bytes))
    _discover_folder(discovery, content.root, options, home, is_copy=True)
    discovery.files = [_in_archive(file, content.root, archive) for file in discovery.files]
    discovery.workspaces = [
        _workspace_in_archive(workspace, content.root, archive)
        for workspace in discovery.workspaces
    ]
    discovery.warnings = [
        warning.replace(str(content.root), str(archive)) for warning in discovery.warnings
    ]
    for one in content.refused:
        path = archive / one.path
        discovery.files.append(
            SourceFile(path=path, real_path=path, status=one.status, reason=one.reason)
        )
    if content.problem is not None:
        status = DocumentStatus.UNREADABLE
        discovery.files.append(
            SourceFile(path=archive, real_path=archive, status=status, reason=content.problem)
        )


def _in_archive(file: SourceFile, root: Path, archive: Path) -> SourceFile:
    workspace = file.workspace
    if workspace is not None:
        workspace = _workspace_in_archive(workspace, root, archive)
    return replace(file, path=_moved(file.path, root, archive), workspace=workspace)


def _workspace_in_archive(workspace: Workspace, root: Path, archive: Path) -> Workspace:
    return replace(workspace, path=_moved(workspace.path, root, archive))


def _moved(path: Path, root: Path, archive: Path) -> Path:
    return archive / path.relative_to(root) if path.is_relative_to(root) else path


def _discover_folder(
    discovery: Discovery,
    root: Path,
    options: MigrationOptions,
    home: Path,
    *,
    is_copy: bool = False,
) -> None:
    tree = walk(root)
    config = _config_of(tree, home, is_copy=is_copy)
    if config.problem is not None:
        discovery.warnings.append(
            f"{root}: the configuration cannot be read ({config.problem}); "
            "workspaces were found by their files"
        )
    _take_tree(discovery, tree, config, options)
    outside = [
        folder
        for folder in config.workspaces
        if not folder.path.is_relative_to(root) and folder.path.is_dir()
    ]
    for folder in outside:
        if options.follow_config:
            other = walk(folder.path.resolve())
            _take_tree(discovery, other, StateConfig(workspaces=[folder]), options)
        else:
            discovery.warnings.append(
                f"the workspace of agent {folder.agent} lies outside, in {folder.path}; "
                "--follow-config takes it too"
            )


def _config_of(tree: Tree, home: Path, *, is_copy: bool) -> StateConfig:
    """What the uppermost configuration says: that of the root, or of a state folder below it."""
    named = [entry for entry in tree.entries if entry.parts[-1] in CONFIG_NAMES]
    for entry in sorted(named, key=lambda one: len(one.parts)):
        folders = entry.parts[:-1]
        if not folders or folders[-1] in STATE_FOLDER_NAMES or _holds_all(folders, tree):
            return _read_config(entry, tree, home, is_copy=is_copy)
    return StateConfig()


def _holds_all(folders: Sequence[str], tree: Tree) -> bool:
    return all(entry.parts[: len(folders)] == tuple(folders) for entry in tree.entries)


def _read_config(entry: Entry, tree: Tree, home: Path, *, is_copy: bool) -> StateConfig:
    content = read_found(Found(path=entry.real_path, identity=entry.identity))
    if content.status is not DocumentStatus.PENDING:
        return StateConfig(problem=content.reason)
    decoded = decode_text(content.data)
    text = getattr(decoded, "text", None)
    if text is None:
        return StateConfig(problem="it is no text")
    folder = tree.root.joinpath(*entry.parts[:-1])
    return read_config(text, folder, home, is_copy=is_copy)


def _take_tree(
    discovery: Discovery, tree: Tree, config: StateConfig, options: MigrationOptions
) -> None:
    workspaces = find_workspaces(tree, config.workspaces, options.channel_prefix)
    if not workspaces and tree.root.name.lower() == MEMORY_FOLDER:
        workspaces = [Workspace(path=tree.root.parent, names=(tree.root.parent.name,))]
    discovery.workspaces += workspaces
    outside_links = tree.hard_linked_outside()
    for entry in tree.entries:
        file = _source_file(entry, workspaces, config)
        if file.status is DocumentStatus.PENDING and entry.identity in outside_links:
            file = _left(file, "hard link, another name of which lies outside the tree")
        elif file.role in _OPTIONAL and file.status is DocumentStatus.PENDING:
            wanted = options.sessions if file.role is Role.SESSION else options.persona
            file = file if wanted else _left(file, _OPTIONAL[file.role])
        discovery.files.append(file)
    discovery.files += [
        SourceFile(path=one.path, real_path=one.path, status=one.status, reason=one.reason)
        for one in tree.refused
    ]


def _source_file(entry: Entry, workspaces: Sequence[Workspace], config: StateConfig) -> SourceFile:
    holder = holder_of(entry.path, workspaces)
    judgement = _judge(entry, holder, config)
    return SourceFile(
        path=entry.path,
        real_path=entry.real_path,
        role=judgement.role,
        status=DocumentStatus.PENDING if judgement.reason is None else DocumentStatus.IGNORED,
        reason=judgement.reason,
        workspace=holder or _default(workspaces, judgement),
        agent=_agent_of(entry.parts) if judgement.role is Role.SESSION else None,
        identity=entry.identity,
    )


def _judge(entry: Entry, holder: Workspace | None, config: StateConfig) -> Judgement:
    if entry.is_table:
        is_memories = entry.parts[-1] == _TABLE_NAME
        return Judgement(Role.TABLE if is_memories else Role.OTHER, _table_reason(is_memories))
    in_workspace = holder is not None and not is_session_folder(entry.parts)
    if holder is not None and in_workspace:
        judgement = judge_in_workspace(entry.path.relative_to(holder.path).parts)
    else:
        judgement = judge_in_state(entry.parts)
    if judgement.role is Role.OTHER and is_markdown(entry.parts[-1]):
        is_extra = any(entry.path.is_relative_to(extra) for extra in config.extra_paths)
        return Judgement(Role.MEMORY) if is_extra else judgement
    return judgement


def _table_reason(is_memories: bool) -> str | None:
    return None if is_memories else "a table that holds no memories"


def _default(workspaces: Sequence[Workspace], judgement: Judgement) -> Workspace | None:
    """What belongs to no workspace is the default agent's."""
    is_taken = judgement.role is not Role.OTHER
    return workspaces[0] if workspaces and is_taken else None


def _agent_of(parts: Sequence[str]) -> str:
    return parts[-3] if len(parts) > 2 else MAIN_AGENT


def _single_file(path: Path) -> SourceFile:
    """A file that was named is taken whatever options say; its folder stays out of it."""
    if is_markdown(path.name):
        judgement = judge_in_workspace([path.name])
        named = judgement.role in {Role.USER, Role.IDENTITY, Role.PERSONA, Role.SNAPSHOT}
        role = judgement.role if named else Role.MEMORY
    elif path.suffix == ".jsonl" or ".jsonl." in path.name:
        role = Role.SESSION
    else:
        role = judge_in_workspace([path.name]).role
    status = path.lstat()
    file = SourceFile(
        path=path,
        real_path=path,
        role=role,
        agent=MAIN_AGENT if role is Role.SESSION else None,
        identity=(status.st_dev, status.st_ino),
    )
    if role is Role.OTHER:
        why = "neither markdown nor a database or transcript of an agent"
        return replace(file, status=DocumentStatus.UNSUPPORTED, reason=why)
    return file


def _choose_workspaces(discovery: Discovery, options: MigrationOptions) -> None:
    if not options.workspaces:
        return
    chosen = set()
    for name in options.workspaces:
        fitting = [one for one in discovery.workspaces if name in (*one.names, str(one.path))]
        if not fitting:
            known = ", ".join(one.name for one in discovery.workspaces) or "none"
            raise UsageError(
                what=f"take the workspace {name!r}", why=f"those that were found are: {known}"
            )
        chosen |= {one.path for one in fitting}
    discovery.files = [
        _left(file, f"of another workspace, {file.workspace.name}")
        if file.status is DocumentStatus.PENDING
        and file.workspace is not None
        and file.workspace.path not in chosen
        else file
        for file in discovery.files
    ]


def _each_once(files: Iterable[SourceFile]) -> Iterator[SourceFile]:
    """One file once, whatever its names; a name without a link in it wins."""
    ordered = list(files)
    first: dict[Identity, SourceFile] = {}
    for file in sorted(ordered, key=lambda one: (one.path != one.real_path, _rank(one))):
        if file.status is DocumentStatus.PENDING and file.identity is not None:
            first.setdefault(file.identity, file)
    for file in ordered:
        kept = first.get(file.identity) if file.identity is not None else None
        if file.status is DocumentStatus.PENDING and kept is not None and kept is not file:
            yield _left(file, f"the same file as {kept.path}")
        else:
            yield file


def _rank(file: SourceFile) -> int:
    """MEMORY.md goes before memory.md where a disk takes both for one name."""
    return int(file.path.name == stem_of(file.path.name) + ".md")


def _left(file: SourceFile, reason: str) -> SourceFile:
    return replace(file, status=DocumentStatus.IGNORED, reason=reason)
