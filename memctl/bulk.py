"""Many memories in, many out: the flows of `import` and `export`.

An import is one operation of the journal, written batch by batch, so that what was read stays when
it is broken off; running it again adds only what is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby, islice

from memctl.associating import Associator
from memctl.extraction.redaction import redact
from memctl.extraction.rules.classifier import classify
from memctl.memory import Association, MemorySort
from memctl.new_memory import ForeignMemory, NewMemory, Outcome, SaveReceipt
from memctl.store.graph import Graph
from memctl.store.index import index_warning
from memctl.store.memory_store import MemoryStore
from memctl.store.operation import Operation
from memctl.transfer import BadRow, ImportRow, export_lines, read_rows

OTHER_TEXT = "the store has another text under this id, and keeps it"

BATCH_ROWS = 1_000
"""Rows written in one transaction."""


@dataclass(frozen=True, slots=True)
class RowOutcome:
    """What became of one line: a receipt, an association that is there now (``is_new``: by this
    line), or a reason why not."""

    line: int
    receipt: SaveReceipt | None = None
    association: Association | None = None
    is_new: bool = True
    problem: str | None = None


def export_memories(graph: Graph, *, include_forgotten: bool) -> Iterator[str]:
    """All memories, the oldest first, then the associations between them, as JSON lines."""
    memories = graph.list_memories(
        sort=MemorySort.OLDEST,
        include_superseded=True,
        include_expired=True,
        include_forgotten=include_forgotten,
    )
    ids = {memory.id for memory in memories}
    citations = graph.citations(ids)
    edges = [
        edge
        for edge in graph.associations_of(ids)
        if edge.source_id in ids and edge.target_id in ids
    ]
    yield from export_lines(((memory, citations.get(memory.id)) for memory in memories), edges)


class Importer:
    """Takes JSON lines in; see ``run``."""

    def __init__(
        self,
        store: MemoryStore,
        associator: Associator,
        *,
        clock: Callable[[], datetime],
        warn: Callable[[str], None],
    ) -> None:
        self._store = store
        self._associator = associator
        self._clock = clock
        self._warn = warn

    def run(self, lines: Iterable[str], *, source: str) -> Iterator[RowOutcome]:
        """What became of each line that is not blank: the memories in their order, then the
        associations. A line that cannot be taken stops none of the others."""
        rows = read_rows(lines, now=self._clock(), clean=lambda text: redact(text).text)
        edges: list[ImportRow] = []
        with self._store.operation("import", {"source": source}, in_parts=True) as operation:
            while batch := list(islice(rows, BATCH_ROWS)):
                memories = [row for row in batch if not _is_edge(row)]
                edges += [row for row in batch if isinstance(row, ImportRow) and _is_edge(row)]
                yield from self._take(operation, memories)
            while some := edges[:BATCH_ROWS]:
                yield from _link(operation, some)
                edges = edges[BATCH_ROWS:]

    def _take(
        self, operation: Operation, rows: Sequence[ImportRow | BadRow]
    ) -> Iterator[RowOutcome]:
        new = [row for row in rows if isinstance(row, ImportRow)]
        with operation.transaction():
            receipts = dict(self._save(operation, new))
        drained = self._store.drain()
        if drained.error is not None:
            self._warn(index_warning(drained.error))
        stated = [row.line for row in new if isinstance(row.value, NewMemory)]
        judged = self._associator.associate(operation, [receipts[line] for line in stated])
        receipts |= dict(zip(stated, judged, strict=True))
        for row in rows:
            if isinstance(row, BadRow):
                yield RowOutcome(row.line, problem=row.reason)
            else:
                receipt = receipts[row.line]
                is_other = receipt.outcome is Outcome.DIFFERENT
                yield RowOutcome(row.line, receipt, problem=OTHER_TEXT if is_other else None)

    def _save(
        self, operation: Operation, rows: Sequence[ImportRow]
    ) -> Iterator[tuple[int, SaveReceipt]]:
        """By line what saving it did; rows of one kind that follow each other go in one write."""
        for is_new, group in groupby(rows, key=lambda row: isinstance(row.value, NewMemory)):
            run = list(group)
            if is_new:
                values = [_classified(row.value) for row in run if isinstance(row.value, NewMemory)]
                receipts = operation.save_many(values)
            else:
                foreign = [row.value for row in run if isinstance(row.value, ForeignMemory)]
                receipts = operation.import_memories(foreign)
            yield from zip((row.line for row in run), receipts, strict=True)


def _link(operation: Operation, rows: Sequence[ImportRow]) -> Iterator[RowOutcome]:
    wanted = [row.value for row in rows if isinstance(row.value, Association)]
    for row, edge in zip(rows, operation.import_associations(wanted), strict=True):
        problem = "the store has no memory at one of its ends" if edge is None else None
        yield RowOutcome(row.line, association=edge, is_new=edge is row.value, problem=problem)


def _classified(new: NewMemory) -> NewMemory:
    if new.memory_type is not None:
        return new
    return replace(new, suggested_type=classify(new.content).memory_type)


def _is_edge(row: ImportRow | BadRow) -> bool:
    return isinstance(row, ImportRow) and isinstance(row.value, Association)
