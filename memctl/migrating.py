"""What a user asks of a migration, on an open runtime: plan, apply, prove."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from memctl.migration.apply import Applier
from memctl.migration.options import MigrationOptions
from memctl.migration.outcome import FileOutcome, Proof
from memctl.migration.plan import MigrationPlan, Planner
from memctl.migration.proof import Prover
from memctl.runtime import Runtime


class Migrating:
    """The flow of `migrate-openclaw`. ``home`` is where ``~`` in a configuration leads."""

    def __init__(self, runtime: Runtime, *, home: Path, warn: Callable[[str], None]) -> None:
        self._runtime = runtime
        self._home = home
        self._warn = warn

    def plan(
        self,
        paths: Sequence[Path],
        options: MigrationOptions,
        on_read: Callable[[str], None] = lambda _: None,
    ) -> MigrationPlan:
        """What moving in would store; nothing is stored, and neither store nor model is opened.

        ``on_read`` hears the name of each file that was read. Raises MissingPathError, and
        UsageError for a workspace that is not there.
        """
        planner = Planner(home=self._home, clock=self._runtime.clock)
        return planner.plan(paths, options, on_read)

    def apply(self, plan: MigrationPlan) -> Iterator[FileOutcome]:
        """Stores a plan and yields what became of each file. Raises StoreError and its kinds."""
        runtime = self._runtime
        applier = Applier(
            store=runtime.store,
            graph=runtime.graph,
            associator=runtime.associator,
            measure=lambda: runtime.measure,
            clock=runtime.clock,
            warn=self._warn,
        )
        return applier.apply(plan)

    def prove(self, outcomes: Sequence[FileOutcome]) -> Proof:
        """Reads the store back and says whether it holds what was planned."""
        runtime = self._runtime
        runtime.complete_index()
        return Prover(runtime.graph, runtime.searcher.recall).prove(outcomes)
