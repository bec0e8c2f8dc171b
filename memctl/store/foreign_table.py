"""Reads the rows of a LanceDB table that another program wrote; never writes there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from memctl.errors import SearchIndexError
from memctl.store.lance_import import import_lancedb

BATCH_ROWS = 1_000


def read_foreign_rows(
    folder: Path, table_name: str, wanted: Sequence[str]
) -> Iterator[dict[str, Any]]:
    """The rows of a table in a LanceDB folder, with those of the ``wanted`` columns that it has.

    Vectors are not read unless wanted. Raises SearchIndexError.
    """
    lancedb = import_lancedb(str(folder))
    try:
        table = lancedb.connect(folder, read_consistency_interval=None).open_table(table_name)
        columns = [name for name in wanted if name in table.schema.names]
        found = table.search().select(columns).limit(table.count_rows()).to_arrow()
    except (OSError, RuntimeError, ValueError) as error:
        why = " ".join(str(error).split())[:200]
        raise SearchIndexError(path=folder / table_name, why=why) from error
    for batch in found.to_batches(max_chunksize=BATCH_ROWS):
        yield from batch.to_pylist()
