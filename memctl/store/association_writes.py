"""Writes about associations, inside one write transaction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from sqlalchemy import select

from memctl.errors import UsageError
from memctl.memory import ID_DISPLAY_LENGTH, Association, RelationType
from memctl.store.journal import MakeId, WriteTransaction
from memctl.store.queries import (
    existing_memories,
)
from memctl.store.reads import in_batches
from memctl.store.rows import association_to_row, row_to_association
from memctl.store.schema import associations

Link = tuple[str, str, RelationType, float]
"""Source id, target id, relation and weight (0..1) of an association."""

SUPERSEDING_WEIGHT = 1.0
"""Weight of the ``updates`` association from a memory to the one whose place it took."""


def associate_memories(
    writes: WriteTransaction, links: Sequence[Link], make_id: MakeId
) -> list[Association]:
    """Adds associations, or gives those that exist another weight; returns what was written.

    Raises UnknownMemoryError, and UsageError for a weight outside 0..1 or a memory linked with
    itself.
    """
    for source_id, target_id, _, weight in links:
        if source_id == target_id:
            why = "both ends are the same memory"
            raise UsageError(what=f"link memory {source_id[:ID_DISPLAY_LENGTH]}", why=why)
        if not 0 <= weight <= 1:
            raise UsageError(what="use this weight", why=f"{weight:g} is not between 0 and 1")
    existing_memories(writes.connection, [end for link in links for end in link[:2]])
    wanted = {link[:3]: link[3] for link in links}
    known = associations_between(writes, wanted)
    moment = writes.now
    created = [
        Association(
            id=make_id(),
            source_id=source_id,
            target_id=target_id,
            relation_type=relation_type,
            weight=weight,
            created_at=moment,
        )
        for (source_id, target_id, relation_type), weight in wanted.items()
        if (source_id, target_id, relation_type) not in known
    ]
    changed = [
        (association, replace(association, weight=wanted[edge]))
        for edge, association in known.items()
        if association.weight != wanted[edge]
    ]
    writes.insert(associations, [association_to_row(association) for association in created])
    pairs = [(association_to_row(before), association_to_row(after)) for before, after in changed]
    writes.update(associations, pairs)
    return created + [after for _, after in changed]


def dissociate_memories(
    writes: WriteTransaction, edges: Sequence[tuple[str, str, RelationType]]
) -> list[Association]:
    """Removes associations and returns those that there were."""
    found = list(associations_between(writes, dict.fromkeys(edges, 0.0)).values())
    writes.delete(associations, [association_to_row(association) for association in found])
    return found


def associations_between(
    writes: WriteTransaction, edges: Iterable[tuple[str, str, RelationType]]
) -> dict[tuple[str, str, RelationType], Association]:
    """The associations that there are among those given as (source, target, relation)."""
    wanted = set(edges)
    found: dict[tuple[str, str, RelationType], Association] = {}
    for batch in in_batches(source_id for source_id, _, _ in wanted):
        statement = select(associations).where(associations.c.source_id.in_(batch))
        for row in writes.connection.execute(statement).mappings():
            association = row_to_association(row)
            edge = (association.source_id, association.target_id, association.relation_type)
            if edge in wanted:
                found[edge] = association
    return found
