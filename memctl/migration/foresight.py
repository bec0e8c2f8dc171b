"""What a store has already of what a plan would bring: for a dry run, by texts alone.

Nothing is embedded. So a memory that only comparing its wording with others would show to be an
update counts as new.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memctl.memory import EventTime, ForgetReason, Memory
from memctl.migration.edits import pair_edits
from memctl.migration.known import is_settled, known_documents
from memctl.migration.plan import Claim, MigrationPlan, PlannedFile, claim_of
from memctl.migration.statement import PlannedMemory

if TYPE_CHECKING:
    from memctl.store.graph import Graph

RESTATED_REASONS = frozenset({None, ForgetReason.USER})
"""Of a memory that was hidden so, a file that states it again brings nothing back."""


@dataclass(slots=True, kw_only=True)
class Foreseen:
    """One file: the memories that the store lacks, how many of them take an older one's place,
    and how many the file no longer states. ``is_settled``: nothing of it has changed."""

    is_settled: bool = False
    new: list[PlannedMemory] = field(default_factory=list)
    updated: int = 0
    hidden: int = 0


Foresight = Mapping[int, Foreseen]
"""By the ``id`` of a planned file."""


def foresee(graph: Graph, plan: MigrationPlan) -> Foresight:
    """What storing each taken file of the plan would change. Raises StoreError and its kinds."""
    documents = known_documents(graph, plan)
    stated = _Stated(graph, plan.taken)
    foreseen: dict[int, Foreseen] = {}
    for file in plan.taken:
        before = None if file.read is None else documents.get(file.read.path)
        if is_settled(file, before):
            foreseen[id(file)] = Foreseen(is_settled=True)
            continue
        found = foreseen[id(file)] = stated.split(file)
        if before is not None:
            gone = _gone(graph, before.id, file)
            found.updated += len(pair_edits(gone, found.new))
            found.hidden = len(gone) - found.updated
    return foreseen


class _Stated:
    """What is stated by the store, and then by the files that were looked at before."""

    def __init__(self, graph: Graph, files: Iterable[PlannedFile]) -> None:
        files = list(files)
        self._times: dict[Claim, list[EventTime | None]] = {}
        hashes = {claim_of(file, memory)[0] for file in files for memory in file.all_memories}
        for one in graph.memories_saying(hashes):
            if not _would_come_back(one):
                claim = (one.content_hash, one.channel_id)
                self._times.setdefault(claim, []).append(one.event_at)
        self._rows = graph.memories(row.row_id for file in files for row in file.rows)

    def split(self, file: PlannedFile) -> Foreseen:
        """The memories of a file that nothing has stated by now."""
        found = Foreseen()
        for row in file.rows:
            known = self._rows.get(row.row_id)
            if known is None:
                self._take(file, row.memory, found)
            elif known.content_hash != claim_of(file, row.memory)[0]:
                found.new.append(row.memory)
                found.updated += 1
        for memory in file.memories:
            self._take(file, memory, found)
        return found

    def _take(self, file: PlannedFile, memory: PlannedMemory, found: Foreseen) -> None:
        times = self._times.setdefault(claim_of(file, memory), [])
        if not any(None in (time, memory.event_at) or time == memory.event_at for time in times):
            times.append(memory.event_at)
            found.new.append(memory)


def _would_come_back(memory: Memory) -> bool:
    """Whether a hidden memory is one that a file brings back by stating it again."""
    is_hidden = memory.forgotten and memory.superseded_by is None
    return is_hidden and memory.forgotten_reason not in RESTATED_REASONS


def _gone(graph: Graph, document_id: str, file: PlannedFile) -> list[Memory]:
    """What the document alone has stated and the file no longer states."""
    claims = {claim_of(file, memory) for memory in file.memories}
    left = [
        one
        for one in graph.memories_of(document_id)
        if (one.content_hash, one.channel_id) not in claims
        and not one.pinned
        and not one.stated_directly
        and one.superseded_by is None
    ]
    passages = graph.passages(one.id for one in left)
    elsewhere = {
        memory_id
        for memory_id, stating in passages.items()
        if any(not one.retired and one.chunk.document_id != document_id for one in stating)
    }
    return [one for one in left if one.id not in elsewhere]
