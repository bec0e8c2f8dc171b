"""What a user asks of maintenance, on an open runtime: erasing, and keeping the store in shape."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from memctl.association import thresholds_for
from memctl.backup.leftovers import kept_stores, remove_abandoned
from memctl.bulk_work import work_in_bulk
from memctl.config import DATABASE_NAME
from memctl.errors import MissingLanguageModelError, StoreError, UnknownMemoryError
from memctl.maintenance.consolidate import ConsolidateStep
from memctl.maintenance.decay import DecayPolicy
from memctl.maintenance.maintenance import Maintenance, OnStep
from memctl.maintenance.merge import MergePlanner
from memctl.maintenance.plan import Due, MaintenancePolicy, StepName, StepReport
from memctl.maintenance.purge import PurgedCopies, Purger, PurgeReport
from memctl.maintenance.steps import (
    Advance,
    CentralityStep,
    CompactStep,
    DecayStep,
    ExpireStep,
    MergeStep,
    PruneStep,
    ReindexStep,
    Step,
)
from memctl.runtime import Runtime
from memctl.store.database import Database
from memctl.store.facts import PURGING_KEY
from memctl.store.graph import Graph
from memctl.store.index_place import free_place
from memctl.store.index_rebuild import IndexRebuild
from memctl.store.lance_index import LanceIndex
from memctl.store.outbox import Progress
from memctl.store.proof import search_folder

READER_GRACE_SECONDS = 1.0
"""How long the files of an index that was replaced stay for those who are reading them: many times
the time of a query."""


LEFT_COPY = (
    "the replaced store {folder} was left as it is: {error}; where it holds the text, only "
    "removing that folder erases it"
)


class Maintaining:
    """The flows of `forget --purge` and `maintain`."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    def purge(
        self, ids: Sequence[str], chunk_ids: Sequence[str] = (), copy_ids: Sequence[str] = ()
    ) -> PurgeReport:
        """Erases memories, whole passages and memories that only replaced stores have, with their
        text everywhere in the store's folder, and proves it.

        Raises LockedError while another process maintains the store, and PurgeRemainsError when
        something else still holds the text.
        """
        return self.purger.purge(ids, chunk_ids, copy_ids)

    def plan_purge(
        self, ids: Sequence[str], chunk_ids: Sequence[str] = (), copy_ids: Sequence[str] = ()
    ) -> PurgeReport:
        """What `purge` would erase, and from which replaced stores. Raises UnknownMemoryError."""
        plan = self._runtime.graph.plan_purge(ids, chunk_ids)
        needles = [*plan.ids, *plan.texts, *plan.chunk_hashes, *copy_ids]
        kept = kept_stores(self._home)
        copies = tuple(folder for folder in kept if search_folder(folder, needles).found)
        return PurgeReport(plan, None, copies, tuple(copy_ids))

    def resolve_in_copies(self, prefix: str) -> str:
        """The one id that starts with ``prefix`` in a store that a backup has replaced.

        Raises UnknownMemoryError where none of those that can be opened knows it, and
        AmbiguousMemoryError.
        """
        for folder in kept_stores(self._home):
            try:
                copy = Database.inspect(folder / DATABASE_NAME, clock=self._runtime.clock)
            except StoreError:
                continue
            try:
                return Graph(copy).resolve(prefix, include_forgotten=True)
            except UnknownMemoryError:
                continue
            finally:
                copy.close()
        raise UnknownMemoryError(prefix=prefix)

    @property
    def _home(self) -> Path:
        """The folder in which the database lies, and copies of the store beside it."""
        return Path(self._runtime.database.location).parent

    @property
    def purger(self) -> Purger:
        """What erases."""
        store = self._runtime.settings.store
        is_one_folder = store.database_url is None and store.index_uri is None
        return Purger(
            self._runtime.database,
            self._runtime.store,
            rebuild_factory=lambda: self.rebuild(self._runtime.settings.embedding.model),
            folder=store.path if is_one_folder else None,
            purge_copies=self._purge_copies,
        )

    def _purge_copies(
        self, ids: Sequence[str], texts: Sequence[str], chunk_hashes: Sequence[str]
    ) -> PurgedCopies:
        """Erases from the stores that a backup has replaced; one that cannot be opened is left to
        the proof, which names it where it holds the text."""
        remove_abandoned(self._home)
        folders: list[Path] = []
        gone = list(texts)
        for folder in kept_stores(self._home):
            settings = self._runtime.settings
            store = replace(settings.store, path=folder, database_url=None, index_uri=None)
            copy = self._runtime.with_settings(replace(settings, store=store))
            try:
                purged = Maintaining(copy).purger.purge_copy(ids, gone, chunk_hashes)
            except StoreError as error:
                self._runtime.warn(LEFT_COPY.format(folder=folder, error=error))
            else:
                folders += purged.folders
                gone = list(dict.fromkeys([*gone, *purged.texts]))
            finally:
                copy.close()
        return PurgedCopies(tuple(folders), tuple(gone))

    def rebuild(self, model_name: str, on_progress: Progress | None = None) -> IndexRebuild:
        """A rebuild of the search index that embeds with the model of that name.

        What lies in the index's place and is no index makes way. Raises StoreError and its kinds
        where it cannot.
        """
        runtime = self._runtime
        folder = runtime.index_folder
        if folder is not None:
            free_place(folder)
        is_configured = model_name == runtime.settings.embedding.model
        embedder = runtime.embedder if is_configured else runtime.make_embedder(model_name)

        def dimension() -> int:
            return runtime.dimension() if is_configured else embedder.model.dimension

        return IndexRebuild(
            runtime.database,
            current=runtime.index,
            open_generation=lambda number: LanceIndex(
                runtime.settings.store.index_place, dimension=dimension(), generation=lambda: number
            ),
            embedder_factory=lambda: embedder,
            grace_seconds=READER_GRACE_SECONDS,
            on_progress=on_progress,
        )

    @property
    def policy(self) -> MaintenancePolicy:
        """What the settings say."""
        chosen = self._runtime.settings.maintenance
        return MaintenancePolicy(
            interval=timedelta(hours=chosen.interval_hours),
            decay=DecayPolicy(
                grace=timedelta(days=chosen.decay_after_days),
                interval=timedelta(hours=chosen.decay_interval_hours),
                factor=chosen.decay_factor,
            ),
            prune_below=chosen.prune_below,
            prune_age=timedelta(days=chosen.prune_after_days),
            hide_share=chosen.hide_share,
            merge_similarity=chosen.merge_similarity,
            consolidate_similarity=chosen.consolidate_similarity,
            journal_age=timedelta(days=chosen.journal_days),
        )

    def due(self) -> Due:
        """When the store was maintained as a whole last, and when it is to be again."""
        return self._maintenance(self.policy, {}, lambda _name, _count: lambda _done: None).due()

    def run(
        self,
        names: Sequence[StepName],
        *,
        dry_run: bool,
        unbounded: bool,
        whole_index: bool,
        model_name: str | None,
        on_step: OnStep,
    ) -> Iterator[StepReport]:
        """Maintains the store and reports each step when it is done.

        ``unbounded`` lifts the share of the store that one run may hide. With ``whole_index`` the
        step reindex builds the search index anew, for the model ``model_name`` (the configured one
        when None). Raises LockedError, StoreError, EmbeddingModelError and their kinds, and
        MissingLanguageModelError, before anything is done, for the step consolidate without a
        language model.
        """
        if StepName.CONSOLIDATE in names and self._runtime.settings.llm.model is None:
            raise MissingLanguageModelError
        policy = self.policy
        if unbounded:
            policy = replace(policy, hide_share=None)
        steps = self._steps(policy, whole_index=whole_index, model_name=model_name)
        maintenance = self._maintenance(policy, steps, on_step)
        reports = maintenance.run(names, dry_run=dry_run, now=self._runtime.clock())
        return _in_bulk(reports)

    def _maintenance(
        self, policy: MaintenancePolicy, steps: Mapping[StepName, Step], on_step: OnStep
    ) -> Maintenance:
        runtime = self._runtime
        return Maintenance(
            runtime.database,
            runtime.store,
            runtime.graph,
            steps=steps,
            policy=policy,
            on_step=on_step,
        )

    def _steps(
        self, policy: MaintenancePolicy, *, whole_index: bool, model_name: str | None
    ) -> dict[StepName, Step]:
        runtime = self._runtime
        database, store = runtime.database, runtime.store
        stored = runtime.graph.embedding_model()
        wanted = model_name or runtime.settings.embedding.model

        def rebuild(advance: Advance) -> IndexRebuild:
            return self.rebuild(wanted, _counting(advance))

        planner = MergePlanner(
            runtime.graph,
            index_factory=lambda: runtime.index,
            thresholds=thresholds_for(runtime.settings.embedding.model),
            least_similarity=policy.merge_similarity,
        )
        return {
            StepName.DECAY: DecayStep(database, policy),
            StepName.EXPIRE: ExpireStep(database, policy),
            StepName.PRUNE: PruneStep(database, policy),
            StepName.MERGE: MergeStep(database, store, planner, policy),
            StepName.CONSOLIDATE: ConsolidateStep(
                database,
                store,
                runtime.graph,
                policy=policy,
                index_factory=lambda: runtime.index,
                model_factory=lambda: runtime.language_model,
            ),
            StepName.CENTRALITY: CentralityStep(database),
            StepName.REINDEX: ReindexStep(
                database,
                store,
                index_factory=lambda: runtime.index,
                rebuild=rebuild,
                whole=whole_index,
                change_model=stored is not None and stored.name != wanted,
            ),
            StepName.COMPACT: CompactStep(
                database,
                index_factory=lambda: runtime.index,
                policy=policy,
                grace_seconds=READER_GRACE_SECONDS,
                finish_purge=self._finish_purge,
            ),
        }

    def _finish_purge(self) -> bool:
        if PURGING_KEY not in self._runtime.graph.facts():
            return False
        self.purger.finish()
        return True


def _in_bulk(reports: Iterator[StepReport]) -> Iterator[StepReport]:
    with work_in_bulk():
        yield from reports


def _counting(advance: Advance) -> Progress:
    """Tells ``advance`` the steps between the totals that a rebuild tells."""
    done = 0

    def tell(now_done: int, _total: int) -> None:
        nonlocal done
        advance(now_done - done)
        done = now_done

    return tell
