"""Which files a user's paths stand for, and whether many of them are new: both are known before
the store is opened and its libraries are loaded."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from memctl.config import DATABASE_NAME
from memctl.document import DocumentStatus
from memctl.errors import MissingPathError, StoreError
from memctl.ingestion.ahead import MANY_FILES
from memctl.ingestion.discovery import Found, discover
from memctl.ingestion.own_folder import STORES_OWN, OwnFolder
from memctl.store.light_graph import LightGraph

if TYPE_CHECKING:
    from memctl.config import Settings, StoreSettings


def find_files(
    settings: Settings, paths: Sequence[Path], *, warn: Callable[[str], None]
) -> list[Found]:
    """The files behind paths that a user named, without the store's own and what is not there,
    which is said; raises MissingPathError where nothing is there."""
    found = discover(
        paths, max_bytes=most_bytes_of_a_file(settings), own_folder=own_folder(settings)
    )
    for one in found:
        if one.reason in {STORES_OWN, MissingPathError.reason}:
            warn(f"{one.path} was left out: {one.reason}")
    return found


def most_bytes_of_a_file(settings: Settings) -> int:
    """Larger files are refused."""
    return int(settings.ingest.max_file_megabytes * 1_000_000)


def own_folder(settings: Settings) -> OwnFolder:
    """The store's folder, and the drop folder."""
    return OwnFolder(real_path(settings.store.path), real_path(settings.ingest.drop_folder))


def real_path(path: Path) -> Path:
    """The absolute path without symbolic links, as far as these lead anywhere."""
    return Path(os.path.realpath(path))


def has_many_new(settings: Settings, found: Sequence[Found]) -> bool:
    """Whether so many of the files have never been taken in from where they are that an embedding
    model is worth a process of its own.

    False where the store would have to be opened to know; files that have changed are not counted.
    """
    paths = {str(one.path) for one in found if one.status is DocumentStatus.PENDING}
    if len(paths) < MANY_FILES:
        return False
    known = _document_paths(settings.store)
    return known is not None and len(paths - known) >= MANY_FILES


def _document_paths(store: StoreSettings) -> set[str] | None:
    """The paths of all documents; None where the store would have to be opened to know them."""
    if not store.has_database:
        return set()
    if store.database_url is not None:
        return None
    graph = LightGraph.open(store.path / DATABASE_NAME, wait_seconds=store.wait_seconds)
    if graph is None:
        return None
    try:
        return graph.document_paths()
    except StoreError:
        return None
    finally:
        graph.close()
