"""Whether a search index that lies in a folder can be used: damaged ones are neither backed up nor
restored, since an index can always be built again from the database.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from memctl.config import BUNDLED_EMBEDDING_DIMENSION
from memctl.errors import ReadOnlyStoreError, SearchIndexError, StoreError
from memctl.store.database import Database
from memctl.store.graph import Graph
from memctl.store.index_check import check_whole

if TYPE_CHECKING:
    from memctl.store.lance_index import LanceIndex

FindIndexError = Callable[[Path, Database], StoreError | None]
"""Says why the index in a folder cannot be used with a database; None where it can."""


def find_index_error(folder: Path, database: Database) -> StoreError | None:
    """Reads the whole index in ``folder``; gives what keeps it from being used."""
    if not folder.is_dir():
        return SearchIndexError(path=folder, why="a file lies in its place")
    try:
        index = _open_index(folder, database)
        try:
            check_whole(database, index)
        finally:
            index.close()
    except (SearchIndexError, ReadOnlyStoreError) as error:
        return error
    return None


def _open_index(folder: Path, database: Database) -> LanceIndex:
    from memctl.store.lance_index import LanceIndex

    graph = Graph(database)
    model = graph.embedding_model()
    return LanceIndex(
        folder,
        dimension=BUNDLED_EMBEDDING_DIMENSION if model is None else model.dimension,
        generation=graph.index_generation,
    )
