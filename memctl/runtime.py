"""Builds everything from the settings, in the order in which a command asks for it, and closes it.

What is heavy (LanceDB, FastEmbed, LiteLLM) is built on first use, so that a command pays only for
what it needs. Each method here is one thing that a user can ask for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from memctl.config import (
    BUNDLED_EMBEDDING_DIMENSION,
    BUNDLED_EMBEDDING_MODEL,
    Settings,
)
from memctl.document import Usage
from memctl.errors import EmbeddingModelError, MissingLanguageModelError, MissingStoreError
from memctl.memory import Association, Memory, MemoryFilter, RelationType
from memctl.new_memory import NewMemory, Outcome, SaveReceipt
from memctl.search_hit import SearchResult
from memctl.store.database import Database, database_path, local_folder
from memctl.store.graph import Graph
from memctl.store.index import index_warning
from memctl.store.index_place import LOST_DATABASE_WARNING, is_left_alone
from memctl.store.memory_store import MemoryStore
from memctl.store.memory_writes import MemoryChanges
from memctl.times import utc_now

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memctl.answering import Answer
    from memctl.associating import Associator
    from memctl.association import Relation, Statement
    from memctl.bulk import RowOutcome
    from memctl.context.briefing import Briefing
    from memctl.context.bulletin import Bulletin
    from memctl.embedding import Embedder
    from memctl.extraction.extractor import Extractor
    from memctl.extraction.llm import LanguageModel
    from memctl.extraction.spending import SpendingLimit
    from memctl.search.neighbourhood import Neighbourhood
    from memctl.search.recall import Recall
    from memctl.search.request import RecallRequest
    from memctl.store.lance_index import LanceIndex
    from memctl.store.outbox import DrainReport
    from memctl.store.undoing import UndoPlan
    from memctl.store_status import StoreStatus


class Runtime:
    """An opened store and all that works on it; ``close`` it at the end."""

    def __init__(
        self,
        settings: Settings,
        *,
        warn: Callable[[str], None],
        command: str = "memctl",
        clock: Callable[[], datetime] = utc_now,
        count_accesses: Callable[[Sequence[str]], object] | None = None,
        may_begin_anew: bool = True,
        embedder: Embedder | None = None,
    ) -> None:
        """``embedder`` is the configured one, where it has been made already, and is closed by
        whoever made it. ``count_accesses`` takes the ids of recalled memories, and counts them
        later; without it they are counted at once. Without ``may_begin_anew`` no empty database
        is made in the place of one that is lost."""
        self.settings = settings
        self._count_accesses = count_accesses
        self.clock = clock
        self.warn = warn
        self._command = command
        self._may_begin_anew = may_begin_anew
        self._embedder = embedder
        self._is_index_filled = False

    def with_settings(self, settings: Settings) -> Runtime:
        """Another runtime that differs in its settings only."""
        return Runtime(
            settings,
            warn=self.warn,
            command=self._command,
            clock=self.clock,
            may_begin_anew=self._may_begin_anew,
        )

    @cached_property
    def database(self) -> Database:
        """SQLite, opened and migrated; raises StoreError and its kinds. A new one beside an index
        that is not new is warned of, or refused by a MissingStoreError."""
        store = self.settings.store
        if self.is_database_lost:
            if not self._may_begin_anew:
                raise MissingStoreError(path=self.database_path)
            self.warn(LOST_DATABASE_WARNING.format(path=self.database_path))
        return Database.open(
            store.database_place,
            clock=self.clock,
            wait_seconds=store.wait_seconds,
            command=self._command,
        )

    @property
    def database_path(self) -> Path:
        """The file of the database, whether it is there or not."""
        return database_path(self.settings.store.database_place)

    @property
    def index_folder(self) -> Path | None:
        """Where the search index lies; None where that is on another machine."""
        return local_folder(self.settings.store.index_place)

    @property
    def is_database_lost(self) -> bool:
        """Whether the search index is there without the database that it was built from."""
        folder = self.index_folder
        return folder is not None and is_left_alone(self.database_path, folder)

    @cached_property
    def graph(self) -> Graph:
        """Reads of the truth."""
        return Graph(self.database)

    @cached_property
    def index(self) -> LanceIndex:
        """The search index; what a new one lacks is put into the outbox."""
        from memctl.store.lance_index import LanceIndex

        return LanceIndex(
            self.settings.store.index_place,
            dimension=self.dimension(),
            generation=self.graph.index_generation,
        )

    def dimension(self) -> int:
        """Of the configured model's vectors; of the stored ones when that model is unknown, so
        that keyword search works all the same."""
        try:
            return self.embedder.model.dimension
        except EmbeddingModelError:
            stored = self.graph.embedding_model()
            return BUNDLED_EMBEDDING_DIMENSION if stored is None else stored.dimension

    @cached_property
    def embedder(self) -> Embedder:
        """The embedding model, loaded when the first text comes."""
        return self._embedder or self.make_embedder(self.settings.embedding.model)

    @cached_property
    def measure(self) -> Embedder:
        """Counts the tokens of a text: the embedding model, or the bundled one when that cannot
        be had, so that a missing model never keeps a file from being taken in."""
        try:
            self.embedder.count_tokens([""])
        except EmbeddingModelError as error:
            self.warn(f"{error}; texts are cut for the bundled model meanwhile")
            return self.make_embedder(BUNDLED_EMBEDDING_MODEL)
        return self.embedder

    def make_embedder(self, model_name: str) -> Embedder:
        """An embedding model by its name, loaded when the first text comes."""
        from memctl.configured_embedder import make_embedder

        return make_embedder(self.settings, model_name)

    @cached_property
    def store(self) -> MemoryStore:
        """The one writer."""
        return MemoryStore(
            self.database,
            index_factory=lambda: self.index,
            embedder_factory=lambda: self.embedder,
        )

    @cached_property
    def associator(self) -> Associator:
        """Says what new memories mean for the old ones."""
        from memctl.associating import Associator

        return Associator(
            self.graph,
            index_factory=lambda: self.index,
            model_name=self.settings.embedding.model,
            ask_opinions=self._ask_opinions if self._is_arbitrated() else None,
            warn=self.warn,
        )

    def _is_arbitrated(self) -> bool:
        """Whether the language model is asked about unclear pairs."""
        if self.settings.association.llm and self.settings.llm.model is None:
            self.warn("association.llm is true but llm.model is not set: the rules decide alone")
            return False
        return self.settings.association.llm

    def _ask_opinions(
        self, pairs: Sequence[tuple[Statement, Statement]]
    ) -> Sequence[Relation | None]:
        from memctl.arbitration import opinions_on

        return opinions_on(self.language_model, pairs)

    @cached_property
    def extractor(self) -> Extractor:
        """The configured language model, or the built-in rules."""
        if self.settings.llm.model is None:
            from memctl.extraction.rules.extractor import RulesExtractor

            return RulesExtractor(timezone=None)
        from memctl.extraction.llm_extractor import LlmExtractor

        return LlmExtractor(self.language_model)

    @cached_property
    def spending(self) -> SpendingLimit:
        """What may be asked of the language model: no limit unless ``limit_spending`` sets one."""
        from memctl.extraction.spending import SpendingLimit

        return SpendingLimit()

    def limit_spending(self, *, max_calls: int | None, max_cost_usd: float | None) -> None:
        """Bounds what may be asked of the language model from now on, before it is first asked."""
        from memctl.extraction.spending import SpendingLimit

        self.spending = SpendingLimit(max_calls=max_calls, max_cost_usd=max_cost_usd)

    @cached_property
    def language_model(self) -> LanguageModel:
        """The configured language model; loads LiteLLM at its first question.

        Raises MissingLanguageModelError when ``llm.model`` is not set.
        """
        from memctl.extraction.llm import LanguageModel

        llm = self.settings.llm
        if llm.model is None:
            raise MissingLanguageModelError
        return LanguageModel(
            llm.model,
            api_base=llm.api_base,
            timeout_seconds=llm.timeout_seconds,
            max_retries=llm.max_retries,
            temperature=llm.temperature,
            max_output_tokens=llm.max_output_tokens,
            max_concurrency=llm.max_concurrency,
            before_call=partial(self.spending.check, llm.model),
        )

    @property
    def model_usage(self) -> Usage:
        """What the language model has been asked since the program began."""
        opened = "language_model" in self.__dict__
        return self.language_model.usage if opened else Usage()

    @cached_property
    def searcher(self) -> Recall:
        """Recall in all its modes."""
        from memctl.search.fusion import Fusion
        from memctl.search.recall import Recall
        from memctl.search.settings import SearchSettings

        recall = self.settings.recall
        return Recall(
            self.graph,
            settings=SearchSettings(fusion=Fusion(recall.fusion), rrf_k=recall.rrf_k),
            index_factory=lambda: self.index,
            embedder_factory=lambda: self.embedder,
            clock=self.clock,
        )

    def save(self, new: NewMemory) -> SaveReceipt:
        """Redacts, classifies, dates, stores and indexes one statement."""
        from memctl.extraction.redaction import redact
        from memctl.extraction.rules.said import with_said

        redacted = redact(new.content)
        today = self.clock().astimezone().date()
        clean = with_said(replace(new, content=redacted.text), day=today)
        with self.store.operation("save", {"source": new.source}) as operation:
            receipt = operation.save(clean)
            vectors = self._bring_to_index(receipt.id)
            [receipt] = self.associator.associate(operation, [receipt], vectors=vectors)
        return replace(receipt, redactions=redacted.kinds, event_at=clean.event_at)

    def edit(self, memory_id: str, changes: MemoryChanges) -> tuple[Memory, SaveReceipt]:
        """Changes a memory; gives it as it is then, and a receipt.

        Another text is compared with the other memories as a new one is; the associations that
        there were stay.
        """
        kinds: tuple[str, ...] = ()
        if "content" in changes:
            from memctl.extraction.redaction import redact

            redacted = redact(changes["content"])
            changes, kinds = {**changes, "content": redacted.text}, redacted.kinds
        before = self.graph.memory(memory_id)
        with self.store.operation("edit", {"id": memory_id}) as operation:
            edited = operation.edit(memory_id, changes)
            vectors = self._bring_to_index(memory_id)
            is_other = edited.content_hash != before.content_hash
            receipt = SaveReceipt(memory_id, Outcome.CREATED if is_other else Outcome.UNCHANGED)
            if is_other:
                [receipt] = self.associator.associate(operation, [receipt], vectors=vectors)
        return self.graph.memory(memory_id), replace(receipt, redactions=kinds)

    def recall(self, request: RecallRequest) -> SearchResult:
        """Answers a query after bringing the index up to date."""
        if request.needs_index:
            self.complete_index()
        return self.searcher.recall(request)

    def answer(self, query: str, result: SearchResult) -> Answer:
        """The configured language model's conclusion from what recall found.

        Raises MissingLanguageModelError without a model, and LanguageModelError and its kinds.
        """
        from memctl.answering import answer_from

        today = self.clock().astimezone().date()
        return answer_from(self.language_model, query, result.hits, today=today)

    def briefing(
        self,
        *,
        memory_filter: MemoryFilter,
        folder: Path,
        query: str | None,
        query_limit: int,
        max_tokens: int,
    ) -> Briefing:
        """What a prompt should know, within ``max_tokens``; profile files come from ``folder``.
        Without a query neither a model nor the index is touched."""
        from memctl.context.briefing import compose
        from memctl.context.profile import read_profile
        from memctl.context.sections import gather

        hits = None
        if query is not None:
            from memctl.search.request import RecallRequest

            request = RecallRequest(query=query, memory_filter=memory_filter, limit=query_limit)
            result = self.recall(request)
            for warning in result.warnings:
                self.warn(warning)
            self.record_accesses(result)
            hits = result.hits
        material = gather(self.graph, memory_filter, self.clock())
        return compose(material, read_profile(folder, self.warn), hits, max_tokens=max_tokens)

    def bulletin(self, briefing: Briefing, *, words: int) -> Bulletin:
        """The configured language model's retelling of a briefing.

        Raises MissingLanguageModelError without a model, and LanguageModelError and its kinds.
        """
        from memctl.context.bulletin import write_bulletin

        today = self.clock().astimezone().date()
        return write_bulletin(self.language_model, briefing, words=words, today=today)

    def record_accesses(self, result: SearchResult) -> None:
        """Counts that these memories were recalled."""
        ids = [hit.memory.id for hit in result.hits if hit.memory is not None]
        if ids:
            (self._count_accesses or self.store.record_accesses)(ids)

    def forget(self, ids: Sequence[str]) -> None:
        """Hides memories in one operation and takes them out of the index."""
        with self.store.operation("forget", {"ids": list(ids)}) as operation:
            operation.forget(ids)
        self.report(self.store.drain(only=ids))

    def restore(self, ids: Sequence[str]) -> None:
        """Brings forgotten memories back, in the index too."""
        with self.store.operation("restore", {"ids": list(ids)}) as operation:
            operation.restore(ids)
        self.report(self.store.drain(only=ids))

    def undo(self, operation_id: int | None, *, force: bool) -> UndoPlan:
        """Takes an operation back, the newest that is not yet when None; returns what was done.

        Raises UnknownOperationError, UndoError, UndoConflictError and RestoreConflictError.
        """
        with self.store.operation("undo") as operation:
            plan = operation.undo(operation_id, force=force)
        self.report(self.store.drain())
        return replace(plan, operation=replace(plan.operation, undone_by=operation.id))

    def link(
        self, source_id: str, target_id: str, relation_type: RelationType, weight: float
    ) -> Association:
        """Adds an association; raises UsageError for one of a memory with itself."""
        arguments = {"source": source_id, "relation": relation_type, "target": target_id}
        with self.store.operation("link", arguments) as operation, operation.transaction():
            if relation_type is RelationType.UPDATES:
                operation.supersede(target_id, by=source_id)
            operation.associate([(source_id, target_id, relation_type, weight)])
        return next(
            edge
            for edge in self.graph.associations_of([source_id])
            if (edge.source_id, edge.target_id, edge.relation_type)
            == (source_id, target_id, relation_type)
        )

    def unlink(
        self, source_id: str, target_id: str, relation_type: RelationType | None
    ) -> list[Association]:
        """Removes the associations between two memories, in both directions.

        A memory that one of them had put out of its place is current again.
        """
        relations = list(RelationType) if relation_type is None else [relation_type]
        edges = [
            (first, second, relation)
            for first, second in ((source_id, target_id), (target_id, source_id))
            for relation in relations
        ]
        memories = self.graph.memories([source_id, target_id])
        arguments = {"ids": [source_id, target_id]}
        with self.store.operation("unlink", arguments) as operation, operation.transaction():
            removed = operation.dissociate(edges)
            operation.restore(
                [
                    edge.target_id
                    for edge in removed
                    if edge.relation_type is RelationType.UPDATES
                    and memories[edge.target_id].superseded_by == edge.source_id
                    and not memories[edge.target_id].forgotten
                ]
            )
        return removed

    def neighbourhood(self, memory_id: str, depth: int) -> Neighbourhood:
        """What lies within ``depth`` steps of a memory."""
        from memctl.search.neighbourhood import find_neighbourhood

        return find_neighbourhood(self.graph, memory_id, depth)

    def status(self) -> StoreStatus:
        """What the store holds, on disk and in the index."""
        from memctl.store_status import gather_status

        return gather_status(self.database, self.graph, lambda: self.index, self.settings)

    def export(self, *, include_forgotten: bool) -> Iterator[str]:
        """All memories and associations as JSON lines."""
        from memctl.bulk import export_memories

        return export_memories(self.graph, include_forgotten=include_forgotten)

    def import_lines(self, lines: Iterable[str], *, source: str) -> Iterator[RowOutcome]:
        """Takes JSON lines in and says what became of each."""
        from memctl.bulk import Importer

        importer = Importer(self.store, self.associator, clock=self.clock, warn=self.warn)
        return importer.run(lines, source=source)

    def complete_index(self) -> None:
        """Brings the index up to date; one that was new when it was opened gets all it lacks."""
        if self.index.is_new and not self._is_index_filled:
            self.store.queue_differences()
        self.drain()
        self._is_index_filled = True

    def drain(self) -> None:
        """Brings what is committed to the search index; what keeps it out is said as a warning."""
        self.report(self.store.drain())

    def _bring_to_index(self, memory_id: str) -> Mapping[str, NDArray[np.float32]]:
        """Brings one memory to the search index; its vector, where it could be made."""
        report = self.store.drain(only=[memory_id])
        self.report(report)
        return report.vectors

    def close(self) -> None:
        """Lets go of what was opened."""
        for part in ("embedder", "index", "database"):
            if part in self.__dict__:
                getattr(self, part).close()

    def report(self, report: DrainReport) -> None:
        """Warns of what kept the index from being brought up to date. A drain that put anything
        has queued all that a new index lacks."""
        self._is_index_filled = self._is_index_filled or report.put > 0
        if report.error is not None:
            self.warn(index_warning(report.error))
