"""Walks a tree without leaving it: links out of it are not followed, nothing is opened.

A link to something inside the tree gives a second name to it; a folder is entered once.
"""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from memctl.document import DocumentStatus
from memctl.encodable import is_encodable
from memctl.ingestion.discovery import Identity

TOOL_FOLDERS = frozenset(
    {
        ".git", "node_modules", "__pycache__", ".venv", "venv", ".tox", ".pnpm-store",
        "__MACOSX", ".mypy_cache", ".ruff_cache", ".cache", "site-packages",
    }
)  # fmt: skip
"""Folders of tools, left as a whole."""

MEMORY_FOLDER = "memory"
TABLE_SUFFIX = ".lance"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A regular file, or a LanceDB table's folder. ``parts`` lead from the root to it.

    ``is_alias``: a link led here. ``link_count`` counts its names, wherever they lie.
    """

    path: Path
    real_path: Path
    parts: tuple[str, ...]
    identity: Identity
    size_bytes: int
    link_count: int
    is_alias: bool = False
    is_table: bool = False


@dataclass(frozen=True, slots=True)
class Refused:
    """What is not entered or opened, and why."""

    path: Path
    status: DocumentStatus
    reason: str


@dataclass(slots=True)
class Tree:
    """All that lies below ``root``, by name within each folder."""

    root: Path
    entries: list[Entry] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)

    def hard_linked_outside(self) -> set[Identity]:
        """Files that have another name outside the tree."""
        inside = Counter(entry.identity for entry in self.entries if not entry.is_alias)
        return {
            entry.identity
            for entry in self.entries
            if not entry.is_table and entry.link_count > max(inside[entry.identity], 1)
        }


def walk(root: Path) -> Tree:
    """The tree at ``root``, which must be a folder and have no links in its own path."""
    tree = Tree(root)
    _Walk(tree).run()
    return tree


class _Walk:
    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._seen: set[Identity] = set()
        self._linked_folders: list[tuple[Path, Path]] = []

    def run(self) -> None:
        self._folder(self._tree.root, self._tree.root, is_alias=False)
        # Last, so that what a folder holds is first met under its own name.
        for path, real in self._linked_folders:
            self._folder(path, real, is_alias=True)

    def _folder(self, path: Path, real: Path, *, is_alias: bool) -> None:
        pending = [(path, real)]
        while pending:
            path, real = pending.pop()
            folders = []
            for name, status in self._list(path, real):
                below = self._child(path / name, real / name, status, is_alias=is_alias)
                folders += [below] if below is not None else []
            pending.extend(reversed(folders))

    def _list(self, path: Path, real: Path) -> Iterator[tuple[str, os.stat_result]]:
        try:
            own = real.lstat()
            with os.scandir(real) as listing:
                names = sorted(entry.name for entry in listing)
        except OSError as error:
            self._refuse(path, DocumentStatus.UNREADABLE, _why(error))
            return
        self._seen.add((own.st_dev, own.st_ino))
        for name in names:
            try:
                yield name, (real / name).lstat()
            except FileNotFoundError:
                continue
            except OSError as error:
                self._refuse(path / name, DocumentStatus.UNREADABLE, _why(error))

    def _child(
        self, path: Path, real: Path, status: os.stat_result, *, is_alias: bool
    ) -> tuple[Path, Path] | None:
        """Takes one name of a folder; a folder that is to be entered is returned."""
        if stat.S_ISLNK(status.st_mode):
            self._link(path, real)
            return None
        if not stat.S_ISDIR(status.st_mode):
            self._file(path, real, status, is_alias=is_alias)
            return None
        if path.name in TOOL_FOLDERS:
            self._refuse(path, DocumentStatus.IGNORED, "folder of a tool")
        elif path.suffix == TABLE_SUFFIX:
            self._add(path, real, status, is_alias=is_alias, is_table=True)
        elif (status.st_dev, status.st_ino) in self._seen:
            self._refuse(path, DocumentStatus.IGNORED, "folder that was met already")
        else:
            return path, real
        return None

    def _link(self, path: Path, real: Path) -> None:
        try:
            target = real.resolve(strict=True)
            status = target.lstat()
        except (OSError, RuntimeError):
            self._refuse(path, DocumentStatus.IGNORED, "symbolic link that leads nowhere")
            return
        if not target.is_relative_to(self._tree.root):
            reason = "symbolic link out of the tree, which is not followed"
            self._refuse(path, DocumentStatus.IGNORED, reason)
        elif not stat.S_ISDIR(status.st_mode):
            self._file(path, target, status, is_alias=True)
        elif path.name.lower() == MEMORY_FOLDER and not path.is_relative_to(target):
            self._linked_folders.append((path, target))
        else:
            reason = "symbolic link to a folder of the tree, which is read where it lies"
            self._refuse(path, DocumentStatus.IGNORED, reason)

    def _file(self, path: Path, real: Path, status: os.stat_result, *, is_alias: bool) -> None:
        if not stat.S_ISREG(status.st_mode):
            self._refuse(path, DocumentStatus.UNSUPPORTED, "no regular file")
        elif not is_encodable(str(path)):
            reason = "its name is not valid UTF-8; rename it"
            self._refuse(path, DocumentStatus.UNREADABLE, reason)
        else:
            self._add(path, real, status, is_alias=is_alias)

    def _add(
        self,
        path: Path,
        real: Path,
        status: os.stat_result,
        *,
        is_alias: bool,
        is_table: bool = False,
    ) -> None:
        self._tree.entries.append(
            Entry(
                path=path,
                real_path=real,
                parts=path.relative_to(self._tree.root).parts,
                identity=(status.st_dev, status.st_ino),
                size_bytes=status.st_size,
                link_count=status.st_nlink,
                is_alias=is_alias,
                is_table=is_table,
            )
        )

    def _refuse(self, path: Path, status: DocumentStatus, reason: str) -> None:
        self._tree.refused.append(Refused(path, status, reason))


def _why(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
