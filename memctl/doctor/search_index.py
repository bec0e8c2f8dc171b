"""The doctor's look at the search index: the same ids as the database, the right vectors."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from memctl.doctor.finding import Finding, Repair, Severity
from memctl.embedding import Embedder
from memctl.errors import EmbeddingModelError
from memctl.memory import ID_DISPLAY_LENGTH, EntryKind, MemorySort
from memctl.plural import plural
from memctl.store.database import Database
from memctl.store.graph import Graph
from memctl.store.index import SearchIndex
from memctl.store.index_check import IndexDifferences, check_whole, find_differences
from memctl.store.index_place import PlaceState
from memctl.store.outbox import INDEX_LOCK

SHOWN_EXAMPLES = 5

SAMPLED_VECTORS = 20
"""Memories that are embedded again to see whether the stored vectors are this model's."""

LEAST_SIMILARITY = 0.98
"""Cosine of a vector and its repetition; quantised models give 1.0000 within 0.001."""

_NAMES = {EntryKind.MEMORY: ("memory", "memories"), EntryKind.CHUNK: ("passage", "passages")}


def missing_index() -> Finding:
    """There are memories and no index."""
    return Finding(
        check="index",
        severity=Severity.WARNING,
        problem="there is no search index",
        fix="memctl doctor --fix; the next recall builds it too",
        repair=Repair.INDEX,
    )


def read_only_place(folder: Path) -> Finding:
    """The file system lets nobody write; neither the index nor what lies beside it is at fault."""
    return Finding(
        check="index",
        severity=Severity.ERROR,
        problem=f"the search index's folder {folder} is on a read-only file system: nothing can be "
        "saved",
        fix="mount it so that it can be written, or choose another store with --store",
    )


def blocked_place(folder: Path, state: PlaceState) -> Finding:
    """What lies where the index belongs cannot be used as it is."""
    problems = {
        PlaceState.OTHER: f"{folder}, the search index's place, is no folder",
        PlaceState.CLOSED: f"the search index's folder {folder} is closed to its user",
    }
    return Finding(
        check="index",
        severity=Severity.ERROR,
        problem=problems[state],
        fix="memctl doctor --fix makes room and builds the index again",
        repair=Repair.REBUILD,
    )


def check_outbox(database: Database) -> Iterator[Finding]:
    """Changes that have not reached the index."""
    counts = Graph(database).counts()
    if counts.pending:
        yield Finding(
            check="outbox",
            severity=Severity.WARNING,
            problem=plural(counts.pending, "change has", "changes have")
            + " not reached the search index",
            fix="memctl doctor --fix; the next recall does it too",
            repair=Repair.INDEX,
        )
    if counts.waiting:
        yield Finding(
            check="vectors",
            severity=Severity.WARNING,
            problem=plural(counts.waiting, "memory or passage is", "memories and passages are")
            + " found by keyword only, for want of a vector",
            fix="make the embedding model available, then memctl doctor --fix",
            repair=Repair.INDEX,
        )


def check_index(database: Database, index: SearchIndex) -> Iterator[Finding]:
    """Ids that only one of the stores has. Raises LockedError while the index is written,
    and SearchIndexError where it cannot be used."""
    with database.exclusive(INDEX_LOCK):
        check_whole(database, index)
        differences = {kind: find_differences(database, index, kind) for kind in EntryKind}
    for kind, found in differences.items():
        yield from _findings(_NAMES[kind], found)


def check_model(database: Database, configured_model: str) -> Iterator[Finding]:
    """Whether the stored vectors are those of the configured model."""
    stored = Graph(database).embedding_model()
    if stored is not None and stored.name != configured_model:
        yield Finding(
            check="model",
            severity=Severity.WARNING,
            problem=f"the vectors are of {stored.name}, and {configured_model} is configured: "
            "only keywords are searched",
            fix=f"set embedding.model to {stored.name}, or move the store with "
            f"`memctl maintain --model {configured_model}`",
        )


def check_dimension(database: Database, index: SearchIndex) -> Iterator[Finding]:
    """Whether the vectors are as long as the store says that they are."""
    graph = Graph(database)
    stored = graph.embedding_model()
    newest = graph.list_memories(sort=MemorySort.RECENT, limit=SAMPLED_VECTORS)
    vectors = index.vectors(EntryKind.MEMORY, [memory.id for memory in newest])
    found = {vector.size for vector in vectors.values()}
    if stored is not None and found - {stored.dimension}:
        yield Finding(
            check="model",
            severity=Severity.ERROR,
            problem=f"the store says that its vectors have {stored.dimension} numbers, and they "
            f"have {max(found)}",
            fix="`memctl maintain --reindex` builds the index anew",
        )


def check_vectors(database: Database, index: SearchIndex, embedder: Embedder) -> Iterator[Finding]:
    """Embeds some memories again and compares; for `--deep`."""
    graph = Graph(database)
    stored = graph.embedding_model()
    if stored is None or stored.name != embedder.model.name:
        return
    sample = graph.list_memories(sort=MemorySort.OLDEST, limit=SAMPLED_VECTORS)
    vectors = index.vectors(EntryKind.MEMORY, [memory.id for memory in sample])
    known = [memory for memory in sample if memory.id in vectors]
    try:
        again = embedder.embed_passages([memory.content for memory in known])
    except EmbeddingModelError as error:
        yield Finding(
            check="model", severity=Severity.ERROR, problem=str(error), fix=error.next_step
        )
        return
    wrong = [
        memory.id[:ID_DISPLAY_LENGTH]
        for memory, vector in zip(known, again, strict=True)
        if vector.shape != vectors[memory.id].shape
        or float(vector @ vectors[memory.id]) < LEAST_SIMILARITY
    ]
    if wrong:
        yield Finding(
            check="vectors",
            severity=Severity.ERROR,
            problem=f"{len(wrong)} of {len(known)} vectors that were made again are others",
            fix="`memctl maintain --reindex` builds the index anew",
            examples=tuple(wrong[:SHOWN_EXAMPLES]),
        )


def _findings(names: tuple[str, str], found: IndexDifferences) -> Iterator[Finding]:
    one, several = names
    for check, ids, (is_so, are_so, what) in (
        ("index", found.missing, ("is missing", "are missing", "in the search index")),
        ("index", found.surplus, ("is", "are", "in the search index and hidden or gone")),
        ("vectors", found.without_vector, ("has", "have", "no vector")),
    ):
        if ids:
            yield Finding(
                check=check,
                severity=Severity.ERROR,
                problem=plural(len(ids), f"{one} {is_so}", f"{several} {are_so}") + f" {what}",
                fix="memctl doctor --fix",
                repair=Repair.INDEX,
                examples=tuple(key[:ID_DISPLAY_LENGTH] for key in sorted(ids)[:SHOWN_EXAMPLES]),
            )
