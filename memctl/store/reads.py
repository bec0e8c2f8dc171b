"""What light commands read, said once: by statements that have names, for whatever runs them.

A reader is SQLAlchemy's connection where a command has loaded it (``statements``), or the bare
driver with the text into which SQLAlchemy has put the same statements beforehand
(``light_graph``). Nothing here loads SQLAlchemy, which takes longer than the reading itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar

from memctl.errors import AmbiguousMemoryError, ShortPrefixError, UnknownMemoryError
from memctl.file_lines import StatedAt
from memctl.memory import (
    ID_DISPLAY_LENGTH,
    ID_PREFIX_MINIMUM,
    Association,
    Citation,
    Memory,
    MemorySort,
    MemoryType,
    Passage,
    RelationType,
    StoredPassage,
)
from memctl.store.readings import read_value
from memctl.store.rows import row_to_association, row_to_chunk, row_to_memory

BATCH_SIZE = 5_000
"""Ids of one IN list; SQLite takes 32,766 parameters of a statement."""

SHOWN_CANDIDATES = 5
"""How many memories the error about an ambiguous prefix names."""

FILTER_PLACE = "{filter}"
"""Where the text of a list has a place for the conditions of a filter."""

EXCERPT_LENGTH = 40

_LAST_CHARACTER = "\U0010ffff"

Item = TypeVar("Item")
Row: TypeAlias = Any
"""A row, asked by the names of its columns."""


class Reader(Protocol):
    """Runs a statement by its name, in one transaction with its other ones."""

    def rows(self, name: str, values: Mapping[str, object]) -> Sequence[Row]:
        """The rows in the statement's order. Every value that is a list stands for the values of
        an IN list."""
        ...


class Neighbour(NamedTuple):
    """One step of traversal from ``memory_id`` to ``neighbour_id``.

    ``outgoing`` says that the association begins at ``memory_id``. ``weight`` lies in 0..1.
    """

    memory_id: str
    neighbour_id: str
    relation_type: RelationType
    weight: float
    outgoing: bool


def in_batches(items: Iterable[Item], size: int = BATCH_SIZE) -> Iterator[list[Item]]:
    """The distinct items in their order, at most ``size`` at a time."""
    distinct = list(dict.fromkeys(items))
    for start in range(0, len(distinct), size):
        yield distinct[start : start + size]


def memories_of_rows(reader: Reader, rows: Sequence[Row]) -> list[Memory]:
    """The memories of rows of table memories, in their order, with their tags."""
    tags: dict[str, tuple[str, ...]] = {}
    for batch in in_batches(row["id"] for row in rows):
        for row in reader.rows("tags", {"ids": batch}):
            tags[row["memory_id"]] = (*tags.get(row["memory_id"], ()), row["tag"])
    return [row_to_memory(row, tags.get(row["id"], ())) for row in rows]


def memories_by_id(reader: Reader, ids: Iterable[str]) -> dict[str, Memory]:
    """The memories of those ids that exist, in order of creation."""
    found: dict[str, Memory] = {}
    for batch in in_batches(ids):
        rows = reader.rows("memories", {"ids": batch})
        found |= {memory.id: memory for memory in memories_of_rows(reader, rows)}
    return found


def memory_types(reader: Reader, ids: Iterable[str]) -> dict[str, MemoryType]:
    """The types of the memories of those ids that exist."""
    return {
        row["id"]: read_value(f"memory {row['id']}", "memory_type", row["memory_type"], MemoryType)
        for batch in in_batches(ids)
        for row in reader.rows("memory types", {"ids": batch})
    }


def list_name(sort: MemorySort, visibility: str, *, reverse: bool) -> str:
    """The name of the statement that lists all memories of a visibility in an order."""
    return f"list {visibility} {sort.value}{' reversed' if reverse else ''}"


def visibility_name(*, only_forgotten: bool, include_superseded: bool) -> str:
    """What is seen, as names of statements say it."""
    if only_forgotten:
        return "forgotten"
    return "with superseded" if include_superseded else "live"


def find_passage(reader: Reader, prefix: str) -> StoredPassage | None:
    """The one passage whose id starts with ``prefix``, in either case, also one that its document
    has no more; None without one.

    Raises ShortPrefixError, and AmbiguousMemoryError, which names candidates.
    """
    values = _bounds(prefix)
    rows = {row["id"]: row for row in reader.rows("passages with a prefix", values)}
    if not rows:
        return None
    row = rows[the_one_meant(prefix, [(key, f" (of {one['path']})") for key, one in rows.items()])]
    return StoredPassage(row_to_chunk(row), row["path"], bool(row["retired"]))


def memories_of_passage(reader: Reader, chunk_id: str) -> list[str]:
    """The ids of the memories that a passage states, hidden ones too, by creation."""
    rows = reader.rows("memories of a passage", {"id": chunk_id})
    return [row["memory_id"] for row in rows]


def resolve(reader: Reader, prefix: str, *, include_forgotten: bool) -> str:
    """The one id that starts with ``prefix``, in either case; superseded ones count.

    Raises ShortPrefixError, UnknownMemoryError, and AmbiguousMemoryError, which names candidates.
    """
    name = "ids with a prefix" if include_forgotten else "visible ids with a prefix"
    values = _bounds(prefix)
    return the_one_meant(
        prefix,
        [
            (row["id"], f" ({row['content'][:EXCERPT_LENGTH]!r})")
            for row in reader.rows(name, values)
        ],
    )


def _bounds(prefix: str) -> dict[str, object]:
    """Between which ids those lie that start with ``prefix``, and how many of them are wanted."""
    first = wanted_prefix(prefix)
    return {"first": first, "last": first + _LAST_CHARACTER, "limit": SHOWN_CANDIDATES + 1}


def wanted_prefix(prefix: str) -> str:
    """The beginning of an id as ids are written. Raises ShortPrefixError."""
    wanted = prefix.strip().lower()
    if len(wanted) < ID_PREFIX_MINIMUM:
        raise ShortPrefixError(prefix=prefix, minimum_length=ID_PREFIX_MINIMUM)
    return wanted


def the_one_meant(prefix: str, found: Sequence[tuple[str, str]]) -> str:
    """The id that a prefix means, among those that start with it, ascending, each with what tells a
    reader more of it: the only one, or the one that is no longer than the prefix.

    Raises UnknownMemoryError, and AmbiguousMemoryError, which names candidates.
    """
    if not found:
        raise UnknownMemoryError(prefix=prefix)
    if len(found) > 1 and found[0][0] != wanted_prefix(prefix):
        more = ", …" if len(found) > SHOWN_CANDIDATES else ""
        shown = found[:SHOWN_CANDIDATES]
        length = ID_DISPLAY_LENGTH
        while len({one[:length] for one, _ in shown}) < len(shown):
            length += 1
        names = ", ".join(one[:length] + told for one, told in shown)
        raise AmbiguousMemoryError(prefix=prefix, candidates=names + more)
    return found[0][0]


def associations_of(reader: Reader, ids: Iterable[str]) -> list[Association]:
    """The associations that begin or end at one of ``ids``, by creation, then id."""
    found: dict[str, Association] = {}
    for batch in in_batches(ids):
        for row in reader.rows("associations", {"ids": batch}):
            association = row_to_association(row)
            found[association.id] = association
    return sorted(found.values(), key=lambda edge: (edge.created_at, edge.id))


def neighbours(
    reader: Reader,
    ids: Iterable[str],
    relation_types: Sequence[RelationType] | None,
    minimum_weight: float,
) -> list[Neighbour]:
    """The visible memories that an association of one of the types (None: of any) connects with
    one of ``ids``, in both directions: heaviest first, then by ids."""
    found: list[Neighbour] = []
    values: dict[str, object] = {"minimum_weight": minimum_weight}
    if relation_types is not None:
        values["types"] = [str(relation_type) for relation_type in relation_types]
    name = "neighbours" if relation_types is None else "neighbours by type"
    for batch in in_batches(ids):
        for row in reader.rows(name, {**values, "ids": batch}):
            relation_type = read_value(
                f"an association of memory {row['memory_id']}",
                "relation_type",
                row["relation_type"],
                RelationType,
            )
            step = Neighbour(
                row["memory_id"],
                row["neighbour_id"],
                relation_type,
                row["weight"],
                bool(row["outgoing"]),
            )
            found.append(step)
    return sorted(
        found,
        key=lambda step: (-step.weight, step.memory_id, step.neighbour_id, step.relation_type),
    )


def history(reader: Reader, memory_id: str) -> list[Memory]:
    """All memories before and after one, with itself: each before the one that took its place,
    else by creation. Raises UnknownMemoryError."""
    if not reader.rows("memories", {"ids": [memory_id]}):
        raise UnknownMemoryError(prefix=memory_id)
    earlier = {row["id"] for row in reader.rows("earlier", {"id": memory_id})}
    ids = {memory_id} | earlier | ids_after(reader, [memory_id])
    found = memories_by_id(reader, ids)
    return sorted(found.values(), key=lambda memory: -_steps_to_the_end(memory, found))


def _steps_to_the_end(memory: Memory, known: Mapping[str, Memory]) -> int:
    """How many memories stand in its place one after the other."""
    steps = 0
    while memory.superseded_by is not None and memory.superseded_by in known:
        memory = known[memory.superseded_by]
        steps += 1
    return steps


def ids_after(reader: Reader, ids: Iterable[str]) -> set[str]:
    """The ids down the chains of successors from some."""
    return {row["id"] for batch in in_batches(ids) for row in reader.rows("later", {"ids": batch})}


def passages(reader: Reader, memory_ids: Iterable[str]) -> dict[str, list[Passage]]:
    """By memory, where it is stated, by chunks that their documents still have first."""
    found: dict[str, list[Passage]] = {}
    for batch in in_batches(memory_ids):
        for row in reader.rows("passages", {"ids": batch}):
            stated = StatedAt(
                row["stated_from"], row["stated_to"], row["first_place"], row["last_place"]
            )
            passage = Passage(row_to_chunk(row), stated, bool(row["retired"]))
            found.setdefault(row["memory_id"], []).append(passage)
    return found


def citations(reader: Reader, memory_ids: Iterable[str]) -> dict[str, Citation]:
    """By memory, where it came from first if that chunk still stands, else where it is said; of
    those whose file is known by name only, as imported ones, that file."""
    found: dict[str, Citation] = {}
    for batch in in_batches(memory_ids):
        for row in reader.rows("citations", {"ids": batch}):
            found.setdefault(row["memory_id"], _citation(row))
        missing = [one for one in batch if one not in found]
        for row in reader.rows("citations by document", {"ids": missing}):
            found[row["memory_id"]] = _citation(row)
    return found


def known_values(reader: Reader, name: str) -> list[str]:
    """The values of a field of MemoryFilter (``tags``, ``channels``, ``sessions`` or ``sources``)
    that any memory has, hidden ones included, in order."""
    return [row["value"] for row in reader.rows(f"known {name}", {})]


def _citation(row: Row) -> Citation:
    return Citation(row["path"], row["first_line"], row["last_line"], row["page"])
