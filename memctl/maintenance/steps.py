"""The steps of maintenance: each first plans, from what the store is at that moment, then applies
its plan in batches that are transactions of their own.

A step that was stopped between two batches plans what is left the next time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from memctl.errors import ReadOnlyStoreError, SearchIndexError
from memctl.maintenance.centrality import centralities
from memctl.maintenance.decay import decayed
from memctl.maintenance.merge import MergePlanner, MergeWork
from memctl.maintenance.plan import (
    Consolidation,
    MaintenancePolicy,
    PlannedChange,
    StepPlan,
    hide_budget,
)
from memctl.memory import ID_DISPLAY_LENGTH, EntryKind, ForgetReason, Importances, Memory
from memctl.store import upkeep_reads
from memctl.store.database import Database
from memctl.store.index_check import check_whole, find_differences, visible_ids
from memctl.store.index_rebuild import IndexRebuild
from memctl.store.lance_index import LanceIndex
from memctl.store.memory_store import MemoryStore
from memctl.store.operation import Operation
from memctl.store.reads import in_batches
from memctl.store.upkeep_reads import MERGED_UP_TO_KEY, DecayRow
from memctl.store.upkeep_writes import record_centrality, trim_journal, write_centrality

BATCH_SIZE = 1_000
"""Memories changed in one transaction: some tenths of a second in which others wait."""

MERGES_PER_BATCH = 250

Advance = Callable[[int], None]
"""Told how many of a plan's things are done."""


def _tell_nobody(_: int) -> None:
    """Nobody wants to know."""


@dataclass(slots=True)
class Run:
    """What the steps of one run share: ``fading`` are importances that decay has planned and may
    not have written, ``hidden`` the memories that earlier steps hide or would hide."""

    now: datetime
    operation: Operation
    fading: dict[str, Importances] = field(default_factory=dict)
    hidden: set[str] = field(default_factory=set)
    consolidation: Consolidation | None = None
    visible: int | None = None
    """How many memories were visible when the run first asked: what shares are taken of."""
    advance: Advance = _tell_nobody


class Step(Protocol):
    """One step of maintenance."""

    def plan(self, run: Run, /) -> StepPlan:
        """What is to be done; changes nothing."""
        ...

    def apply(self, plan: StepPlan, run: Run, /) -> int:
        """Does it and returns how much of it was still to be done."""
        ...


class DecayStep:
    """Importance falls with the time since a memory was used, and rises again with a use."""

    def __init__(self, database: Database, policy: MaintenancePolicy) -> None:
        self._database = database
        self._policy = policy

    def plan(self, run: Run) -> StepPlan:
        decay = self._policy.decay
        with self._database.reading() as connection:
            rows = upkeep_reads.decay_rows(connection, decay.untouched_since(run.now))
        changes = []
        for row in rows:
            then = decayed(*row.importances, row.touched_at, run.now, decay)
            if then != row.importances:
                run.fading[row.id] = then
                note = f"importance {row.importance:.3f} → {then[0]:.3f}"
                changes.append(PlannedChange(row.id, note))
        return StepPlan(len(changes), changes)

    def apply(self, plan: StepPlan, run: Run) -> int:
        def fade(row: DecayRow) -> Importances:
            return decayed(*row.importances, row.touched_at, run.now, self._policy.decay)

        applied = 0
        for batch in in_batches((change.memory_id for change in plan.changes), BATCH_SIZE):
            applied += run.operation.fade(batch, fade)
            run.advance(len(batch))
        return applied


class ExpireStep:
    """Hides what its own time limit has ended."""

    def __init__(self, database: Database, policy: MaintenancePolicy) -> None:
        self._database = database
        self._policy = policy

    def plan(self, run: Run) -> StepPlan:
        with self._database.reading() as connection:
            found = upkeep_reads.expired_memories(connection, run.now)
        budget = hide_room(self._database, self._policy, run)
        return _hiding_plan(run, found, budget, lambda memory: f"expired {memory.expires_at}")

    def apply(self, plan: StepPlan, run: Run) -> int:
        return _hide(plan, run, ForgetReason.EXPIRED)


class PruneStep:
    """Hides old memories whose importance has faded and that nothing needs, the faintest first."""

    def __init__(self, database: Database, policy: MaintenancePolicy) -> None:
        self._database = database
        self._policy = policy

    def plan(self, run: Run) -> StepPlan:
        least = self._policy.prune_below
        with self._database.reading() as connection:
            faded = set(upkeep_reads.faded_ids(connection, least))
            faded -= {key for key, then in run.fading.items() if then[0] >= least}
            faded |= {key for key, then in run.fading.items() if then[0] < least}
            created_before = run.now - self._policy.prune_age
            found = upkeep_reads.prunable_memories(connection, faded - run.hidden, created_before)

        def importance(memory: Memory) -> float:
            return run.fading.get(memory.id, (memory.importance, None))[0]

        budget = hide_room(self._database, self._policy, run)
        found.sort(key=lambda memory: (importance(memory), memory.last_accessed_at, memory.id))
        return _hiding_plan(
            run, found, budget, lambda memory: f"importance {importance(memory):.3f}"
        )

    def apply(self, plan: StepPlan, run: Run) -> int:
        return _hide(plan, run, ForgetReason.PRUNED)


class MergeStep:
    """Lets one memory stand for several that say one thing in nearly the same words."""

    def __init__(
        self,
        database: Database,
        store: MemoryStore,
        planner: MergePlanner,
        policy: MaintenancePolicy,
    ) -> None:
        self._database = database
        self._store = store
        self._planner = planner
        self._policy = policy

    def plan(self, run: Run) -> StepPlan:
        found = self._planner.plan(frozenset(run.hidden))
        room = hide_room(self._database, self._policy, run)
        work = found if room is None else found.within(room)
        changes = [
            PlannedChange(
                memory.id, f"merged into {merge.kept.id[:ID_DISPLAY_LENGTH]}", merge.kept.id
            )
            for merge in work.merges
            for memory in merge.hidden
        ]
        run.hidden |= {change.memory_id for change in changes}
        return StepPlan(len(changes), changes, found.hidden_count - work.hidden_count, work)

    def apply(self, plan: StepPlan, run: Run) -> int:
        work = plan.work
        assert isinstance(work, MergeWork)
        applied = 0
        for start in range(0, len(work.merges), MERGES_PER_BATCH):
            batch = work.merges[start : start + MERGES_PER_BATCH]
            made = run.operation.merge(batch)
            applied += sum(len(merge.hidden) for merge in made)
            run.advance(sum(len(merge.hidden) for merge in batch))
        if work.up_to is not None:
            self._store.write_facts({MERGED_UP_TO_KEY: str(work.up_to)})
        return applied


class CentralityStep:
    """Computes anew how central each memory is in the graph."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def plan(self, _run: Run) -> StepPlan:
        with self._database.reading() as connection:
            if upkeep_reads.graph_is_unchanged(connection):
                return StepPlan(0, work=({}, []))
            edges = upkeep_reads.visible_edges(connection)
            stored = upkeep_reads.stored_centrality(connection)
        wanted = centralities(edges)
        changed = {key: value for key, value in wanted.items() if stored.get(key) != value}
        gone = sorted(stored.keys() - wanted.keys())
        return StepPlan(len(changed) + len(gone), work=(changed, gone))

    def apply(self, plan: StepPlan, run: Run) -> int:
        changed, gone = _centrality_work(plan)
        for batch in in_batches([*changed, *gone], BATCH_SIZE):
            values = {key: changed[key] for key in batch if key in changed}
            with self._database.writing() as connection:
                write_centrality(connection, values, [key for key in batch if key not in changed])
            run.advance(len(batch))
        with self._database.writing() as connection:
            record_centrality(connection)
        return plan.count


class ReindexStep:
    """Brings the search index to what the database says; with ``whole``, or where the index cannot
    be used, builds it anew."""

    def __init__(
        self,
        database: Database,
        store: MemoryStore,
        *,
        index_factory: Callable[[], LanceIndex],
        rebuild: Callable[[Advance], IndexRebuild],
        whole: bool,
        change_model: bool,
    ) -> None:
        """``rebuild`` makes the rebuild of the whole index; ``change_model`` is for one that is
        asked for."""
        self._database = database
        self._store = store
        self._index_factory = index_factory
        self._rebuild = rebuild
        self._whole = whole
        self._change_model = whole and change_model

    def plan(self, _run: Run) -> StepPlan:
        if not self._whole:
            try:
                return StepPlan(self._difference_count())
            except (SearchIndexError, ReadOnlyStoreError):
                self._whole = True
        return StepPlan(sum(len(visible_ids(self._database, kind)) for kind in EntryKind))

    def _difference_count(self) -> int:
        index = self._index_factory()
        check_whole(self._database, index)
        return sum(len(find_differences(self._database, index, kind).all_ids) for kind in EntryKind)

    def apply(self, plan: StepPlan, run: Run) -> int:
        if self._whole:
            self._store.drain()
            return self._rebuild(run.advance).run(change_model=self._change_model).rows
        if plan.count:
            self._store.queue_differences()
        self._store.drain()
        run.advance(plan.count)
        return plan.count


class CompactStep:
    """Rewrites what lies in small pieces, drops old versions, and trims the journal by age."""

    def __init__(
        self,
        database: Database,
        *,
        index_factory: Callable[[], LanceIndex],
        policy: MaintenancePolicy,
        grace_seconds: float,
        finish_purge: Callable[[], bool],
    ) -> None:
        """``finish_purge`` finishes a purge that was stopped, and says whether there was one."""
        self._database = database
        self._index_factory = index_factory
        self._policy = policy
        self._grace_seconds = grace_seconds
        self._finish_purge = finish_purge

    def plan(self, run: Run) -> StepPlan:
        with self._database.reading() as connection:
            old = upkeep_reads.old_operations(connection, run.now - self._policy.journal_age)
        return StepPlan(len(old) + self._index_factory().loose_pieces(), work=old)

    def apply(self, plan: StepPlan, run: Run) -> int:
        old = plan.work
        assert isinstance(old, list)
        for batch in in_batches(old, BATCH_SIZE):
            with self._database.writing() as connection:
                trim_journal(connection, batch)
            run.advance(len(batch))
        if not self._finish_purge() and self._index_factory().loose_pieces():
            with self._database.exclusive("index"):
                self._index_factory().compact(grace_seconds=self._grace_seconds)
        self._database.compact(whole=False)
        run.advance(plan.count - len(old))
        return plan.count


def hide_room(database: Database, policy: MaintenancePolicy, run: Run) -> int | None:
    """How many more memories this run may hide, None where nothing bounds that."""
    if run.visible is None:
        with database.reading() as connection:
            run.visible = upkeep_reads.visible_count(connection)
    budget = hide_budget(run.visible, policy.hide_share)
    return None if budget is None else max(0, budget - len(run.hidden))


def _hiding_plan(
    run: Run,
    found: Sequence[Memory],
    budget: int | None,
    note: Callable[[Memory], str],
) -> StepPlan:
    chosen = list(found if budget is None else found[:budget])
    run.hidden |= {memory.id for memory in chosen}
    changes = [PlannedChange(memory.id, note(memory)) for memory in chosen]
    return StepPlan(len(changes), changes, withheld=len(found) - len(chosen))


def _hide(plan: StepPlan, run: Run, reason: ForgetReason) -> int:
    applied = 0
    for batch in in_batches(_ids(plan.changes), BATCH_SIZE):
        applied += len(run.operation.forget(batch, reason))
        run.advance(len(batch))
    return applied


def _ids(changes: Iterable[PlannedChange]) -> list[str]:
    return [change.memory_id for change in changes]


def _centrality_work(plan: StepPlan) -> tuple[Mapping[str, tuple[int, float]], list[str]]:
    assert isinstance(plan.work, tuple)
    changed, gone = plan.work
    return changed, gone
