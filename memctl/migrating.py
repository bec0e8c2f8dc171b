"""What a user asks of a migration, on an open runtime: plan, apply, prove."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

from memctl.bulk_work import work_in_bulk
from memctl.document import Usage
from memctl.extraction.type_question import types_of
from memctl.migration.apply import Applier
from memctl.migration.foresight import Foresight, foresee
from memctl.migration.model_types import TypedByModel, type_by_model
from memctl.migration.options import MigrationOptions
from memctl.migration.outcome import FileOutcome, Proof
from memctl.migration.plan import BeginReading, MigrationPlan, Planner
from memctl.migration.proof import Prover
from memctl.model_usage import note_usage
from memctl.runtime import Runtime
from memctl.store.database import Database, database_path
from memctl.store.graph import Graph


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
        begin_reading: BeginReading = lambda _: lambda _: None,
    ) -> MigrationPlan:
        """What moving in would store; nothing is stored, and neither store nor model is opened.

        Raises MissingPathError, ArchiveError, and UsageError for a workspace that is not there.
        """
        planner = Planner(home=self._home, clock=self._runtime.clock)
        return planner.plan(paths, options, begin_reading)

    def foresee(self, plan: MigrationPlan) -> Foresight | None:
        """What the store has of it already; None where no store is. Only looks: nothing is made
        or brought up to date. Raises StoreError and its kinds."""
        store = self._runtime.settings.store
        path = database_path(store.database_place)
        if not path.exists():
            return None
        with closing(Database.inspect(path, clock=self._runtime.clock)) as database:
            return foresee(Graph(database), plan)

    def type_by_model(
        self,
        plan: MigrationPlan,
        foresight: Foresight | None,
        on_typed: Callable[[str], None] = lambda _: None,
    ) -> TypedByModel:
        """Lets the configured language model type what is new and has no mark of its writer.

        Raises MissingLanguageModelError.
        """
        model = self._runtime.language_model
        new = None
        if foresight is not None:
            new = {id(memory) for one in foresight.values() for memory in one.new}
        return type_by_model(
            plan.taken,
            lambda memory: new is None or id(memory) in new,
            partial(types_of, model),
            on_typed,
        )

    def apply(self, plan: MigrationPlan) -> Iterator[FileOutcome]:
        """Stores a plan and yields what became of each file. Raises StoreError and its kinds."""
        runtime = self._runtime
        applier = Applier(
            store=runtime.store,
            graph=runtime.graph,
            associator=runtime.associator,
            measure=lambda: runtime.measure,
            embedder=lambda: runtime.embedder,
            clock=runtime.clock,
            warn=self._warn,
        )
        with work_in_bulk():
            yield from applier.apply(plan)
        note_usage(runtime, Usage())

    def prove(self, outcomes: Sequence[FileOutcome]) -> Proof:
        """Reads the store back and says whether it holds what was planned."""
        runtime = self._runtime
        runtime.complete_index()
        return Prover(runtime.graph, runtime.searcher.recall).prove(outcomes)
