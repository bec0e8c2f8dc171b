"""One run of maintenance: the chosen steps in their order, planned and, unless only shown, applied.

One run at a time, beside everything else that works on the store. What it changes of memories is
one operation of the journal, so that `undo` brings all of it back.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from datetime import datetime

from memctl.errors import SearchIndexError
from memctl.maintenance.plan import (
    DEFAULT_STEPS,
    MAINTAIN_COMMAND,
    Due,
    MaintenancePolicy,
    StepName,
    StepPlan,
    StepReport,
)
from memctl.maintenance.purge import MAINTENANCE_LOCK
from memctl.maintenance.steps import Advance, Run, Step
from memctl.store.database import Database
from memctl.store.graph import Graph
from memctl.store.memory_store import MemoryStore
from memctl.store.readings import text_to_instant
from memctl.store.rows import instant_to_text

MAINTAINED_AT_KEY = "maintained_at"
"""The fact of when all steps were last done."""

OnStep = Callable[[StepName, int], Advance]
"""Told which step begins with how many things to do; gives what is told of its progress."""


class Maintenance:
    """Maintains one store. ``steps`` holds those that there are."""

    def __init__(
        self,
        database: Database,
        store: MemoryStore,
        graph: Graph,
        *,
        steps: Mapping[StepName, Step],
        policy: MaintenancePolicy,
        on_step: OnStep,
    ) -> None:
        self._database = database
        self._store = store
        self._graph = graph
        self._steps = steps
        self._policy = policy
        self._on_step = on_step

    def due(self) -> Due:
        """When all steps were done last, and when they are to be done again."""
        text = self._graph.facts().get(MAINTAINED_AT_KEY)
        if text is None:
            return Due(None, None)
        last = text_to_instant(text)
        return Due(last, last + self._policy.interval)

    def run(
        self, names: Sequence[StepName], *, dry_run: bool, now: datetime
    ) -> Iterator[StepReport]:
        """Does the steps of ``names`` in the order of StepName and reports each when it is done.

        A step for which the search index cannot be used is done after the one that builds it again,
        or reported with its error where none does. Raises LockedError, with the holder, while
        another process maintains the store.
        """
        chosen = [name for name in StepName if name in names]
        arguments = {"steps": [name.value for name in chosen]}
        lock = self._database.exclusive(MAINTENANCE_LOCK, wait_seconds=0)
        with nullcontext() if dry_run else lock:
            if not dry_run:
                self._store.drain()
            with self._store.operation(MAINTAIN_COMMAND, arguments) as operation:
                done: set[StepName] = set()
                for report in self._in_order(chosen, Run(now, operation), dry_run=dry_run):
                    if report.error is None:
                        done.add(report.name)
                    yield report
            if not dry_run and done >= set(DEFAULT_STEPS):
                self._store.write_facts({MAINTAINED_AT_KEY: instant_to_text(now)})

    def _in_order(
        self, chosen: Sequence[StepName], run: Run, *, dry_run: bool
    ) -> Iterator[StepReport]:
        waiting: list[StepReport] = []
        index_follows = StepName.REINDEX in chosen and not dry_run
        for name in chosen:
            report = self._try(name, run, dry_run=dry_run)
            index_follows = index_follows and name is not StepName.REINDEX
            if report.error is not None and index_follows:
                waiting.append(report)
                continue
            yield report
            if name is StepName.REINDEX:
                is_usable = report.error is None
                for one in waiting:
                    yield self._try(one.name, run, dry_run=dry_run) if is_usable else one

    def _try(self, name: StepName, run: Run, *, dry_run: bool) -> StepReport:
        """The step, or the report that the search index kept it from being done."""
        began = time.monotonic()
        try:
            return self._do(name, run, dry_run=dry_run)
        except SearchIndexError as error:
            seconds = time.monotonic() - began
            return StepReport(name, StepPlan(0), 0, seconds, error=error)

    def _do(self, name: StepName, run: Run, *, dry_run: bool) -> StepReport:
        began = time.monotonic()
        step = self._steps[name]
        plan = step.plan(run)
        applied = 0
        if not dry_run:
            run.advance = self._on_step(name, plan.count)
            applied = step.apply(plan, run)
            self._store.drain()
        consolidation = run.consolidation if name is StepName.CONSOLIDATE else None
        return StepReport(name, plan, applied, time.monotonic() - began, consolidation)
