"""Reads the store back: is everything that was planned in it, and does recall find it again?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from memctl.memory import EventTime, Memory, MemoryFilter
from memctl.migration.outcome import FileOutcome, Proof
from memctl.migration.plan import Claim, claim_of
from memctl.migration.statement import PlannedMemory
from memctl.search.request import RecallRequest
from memctl.search_hit import SearchResult
from memctl.store.graph import Graph

SAMPLED = 20
"""Memories that are looked for by recall, evenly spread over the plan."""

RECALL_LIMIT = 10
QUERY_CHARACTERS = 300
SHOWN_CHARACTERS = 60


class Prover:
    """Works on one store; ``recall`` answers a request after bringing the index up to date."""

    def __init__(self, graph: Graph, recall: Callable[[RecallRequest], SearchResult]) -> None:
        self._graph = graph
        self._recall = recall

    def prove(self, outcomes: Sequence[FileOutcome]) -> Proof:
        """Counts, and everything that is missing; fills in each outcome's ``stored``."""
        proof = Proof()
        found: list[Memory] = []
        for start in range(0, len(outcomes), 64):
            found += self._check_files(outcomes[start : start + 64], proof)
        self._check_ids(outcomes, proof)
        self._check_recall(found, proof)
        return proof

    def _check_files(self, outcomes: Sequence[FileOutcome], proof: Proof) -> Iterator[Memory]:
        claims = {
            id(memory): claim_of(outcome.file, memory)
            for outcome in outcomes
            for memory in outcome.file.all_memories
        }
        stored: dict[Claim, list[Memory]] = {}
        for one in self._graph.memories_saying({claim[0] for claim in claims.values()}):
            stored.setdefault((one.content_hash, one.channel_id), []).append(one)
        for outcome in outcomes:
            missing = 0
            for memory in outcome.file.all_memories:
                holder = _holder(stored.get(claims[id(memory)], ()), memory.event_at)
                if holder is None:
                    missing += 1
                    proof.missing.append(f"{_place(outcome, memory)} is not in the store")
                else:
                    yield holder
            outcome.stored = max(outcome.file.planned - missing, 0)
            proof.planned += outcome.file.planned
            proof.stored += outcome.stored

    def _check_ids(self, outcomes: Sequence[FileOutcome], proof: Proof) -> None:
        ids = [receipt.id for outcome in outcomes for receipt in outcome.receipts]
        known = self._graph.memories(ids)
        proof.missing += [f"memory {one} is not in the store" for one in ids if one not in known]

    def _check_recall(self, found: Sequence[Memory], proof: Proof) -> None:
        live = list(
            {
                memory.id: memory
                for memory in found
                if not memory.forgotten and memory.superseded_by is None
            }.values()
        )
        step = max(len(live) // SAMPLED, 1)
        for memory in live[::step][:SAMPLED]:
            proof.sampled += 1
            if self._is_recalled(memory):
                proof.recalled += 1
            else:
                shown = memory.content[:SHOWN_CHARACTERS]
                proof.missing.append(f"recall does not find memory {memory.id} ({shown!r})")

    def _is_recalled(self, memory: Memory) -> bool:
        """Whether its own words find it, among those of its type from its file."""
        request = RecallRequest(
            query=memory.content[:QUERY_CHARACTERS],
            limit=RECALL_LIMIT,
            minimum_score=0.0,
            memory_filter=MemoryFilter(
                types=(memory.memory_type,),
                sources=() if memory.source is None else (memory.source,),
            ),
        )
        hits = self._recall(request).hits
        return any(
            hit.memory is not None and memory.id in {hit.memory.id, *hit.collapsed} for hit in hits
        )


def _holder(candidates: Sequence[Memory], event_at: EventTime | None) -> Memory | None:
    """The memory that stands for a text of that time, hidden ones last."""
    fitting = [
        one for one in candidates if None in (one.event_at, event_at) or one.event_at == event_at
    ]
    fitting.sort(key=lambda one: (one.forgotten, one.superseded_by is not None))
    return next(iter(fitting), None)


def _place(outcome: FileOutcome, memory: PlannedMemory) -> str:
    path = outcome.file.source.path
    line = "" if memory.first_line is None else f":{memory.first_line}"
    return f"{path}{line} ({memory.content[:SHOWN_CHARACTERS]!r})"
