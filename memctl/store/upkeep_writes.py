"""What maintenance writes besides memories: nothing of it is in the journal, for it is derived from
the store, or the journal itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import Connection, func, select

from memctl.store.facts import read_facts, write_facts
from memctl.store.journal_reads import last_change_id
from memctl.store.reads import in_batches
from memctl.store.schema import centrality, operation_changes, operations
from memctl.store.upkeep_reads import CENTRAL_UP_TO_KEY, TRIMMED_UP_TO_KEY


def write_centrality(
    connection: Connection, values: Mapping[str, tuple[int, float]], gone: Iterable[str]
) -> None:
    """Sets degree and weight of some memories and removes those of others."""
    for batch in in_batches([*values, *gone]):
        connection.execute(centrality.delete().where(centrality.c.memory_id.in_(batch)))
    rows = [
        {"memory_id": memory_id, "degree": degree, "weight": weight}
        for memory_id, (degree, weight) in values.items()
    ]
    if rows:
        connection.execute(centrality.insert(), rows)


def record_centrality(connection: Connection) -> None:
    """Records that centrality is that of the graph after the newest change."""
    write_facts(connection, {CENTRAL_UP_TO_KEY: str(last_change_id(connection))})


def trim_journal(connection: Connection, operation_ids: Sequence[int]) -> None:
    """Removes operations with all that they recorded: they cannot be undone any more."""
    facts = read_facts(connection)
    last = int(facts.get(TRIMMED_UP_TO_KEY, 0))
    for batch in in_batches(operation_ids):
        of_them = operation_changes.c.operation_id.in_(batch)
        newest = select(func.max(operation_changes.c.id)).where(of_them)
        last = max(last, int(connection.scalar(newest) or 0))
        connection.execute(operation_changes.delete().where(of_them))
        connection.execute(operations.delete().where(operations.c.id.in_(batch)))
    write_facts(connection, {TRIMMED_UP_TO_KEY: str(last)})
