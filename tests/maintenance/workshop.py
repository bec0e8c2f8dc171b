"""A store for tests of maintenance: real SQLite and LanceDB, a deterministic embedder and clock."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fakes.hash_embedder import HashEmbedder
from fakes.steady_clock import SteadyClock
from sqlalchemy import event, select

from memctl import maintaining as maintaining_module
from memctl.config import LlmSettings, Settings, StoreSettings
from memctl.content import hash_content
from memctl.document import Document, DocumentStatus, Usage
from memctl.extraction.llm import Completion
from memctl.extraction.question import Model
from memctl.maintaining import Maintaining
from memctl.maintenance.plan import DEFAULT_STEPS, StepName, StepReport
from memctl.maintenance.purge import Purger
from memctl.maintenance.steps import Advance
from memctl.memory import Chunk, EntryKind, Origin
from memctl.new_memory import NewMemory, SaveReceipt
from memctl.runtime import Runtime
from memctl.store.database import Database
from memctl.store.graph import Graph
from memctl.store.index import IndexEntry
from memctl.store.index_check import visible_ids
from memctl.store.index_rebuild import IndexRebuild, RebuildReport
from memctl.store.lance_index import LanceIndex
from memctl.store.memory_store import MemoryStore
from memctl.store.operation import Operation
from memctl.store.schema import metadata
from memctl.store.steps import Checkpoint, Step, no_checkpoint

Reports = dict[StepName, StepReport]

maintaining_module.READER_GRACE_SECONDS = 0.0


class JoiningModel:
    """A language model that joins what it is shown and leaves nothing out."""

    name = "fake"

    def complete(self, messages: Sequence[Any], **_details: Any) -> Completion:
        lines = re.findall(r"^K\d+: \(.*?\) (.+)$", messages[-1]["content"], re.MULTILINE)
        return Completion(json.dumps({"statement": "; ".join(lines)}), False, Usage(calls=1))


class Workshop:
    """An open store; ``reopen`` closes it and opens it again, as the next command does."""

    def __init__(self, folder: Path, *, embedder: HashEmbedder | None = None) -> None:
        self.folder = folder
        self.clock = SteadyClock()
        self.embedder = embedder or HashEmbedder()
        self.checkpoint: Checkpoint = no_checkpoint
        self.warnings: list[str] = []
        self._open()

    def _open(self) -> None:
        self.database = Database.open(self.folder / "memctl.db", clock=self.clock)
        self.graph = Graph(self.database)
        self.index = LanceIndex(
            self.folder / "index",
            dimension=self.embedder.model.dimension,
            generation=self.graph.index_generation,
        )
        self.store = MemoryStore(
            self.database,
            index_factory=lambda: self.index,
            embedder_factory=lambda: self.embedder,
            checkpoint=self.reach,
        )
        with self.database.reading() as connection:
            event.listen(connection.engine, "connect", _without_sync)
            _without_sync(connection.connection.dbapi_connection, None)

    def reach(self, step: Step) -> None:
        self.checkpoint(step)

    def close(self) -> None:
        self.index.close()
        self.database.close()

    def reopen(self) -> None:
        self.close()
        self._open()

    def save(self, content: str, **fields: Any) -> SaveReceipt:
        with self.store.operation("save") as operation:
            receipt = operation.save(NewMemory(content=content, **fields))
        self.store.drain()
        return receipt

    def save_many(self, *contents: str, **fields: Any) -> list[str]:
        with self.store.operation("import") as operation:
            news = [NewMemory(content=content, **fields) for content in contents]
            receipts = operation.save_many(news)
        self.store.drain()
        return [receipt.id for receipt in receipts]

    def take_in(self, operation: Operation, path: str, texts: Sequence[str]) -> list[str]:
        """Stores a file that states each of ``texts`` on a line; gives the ids of its memories."""
        statements = [
            NewMemory(content=text, origin=Origin.FILE, first_line=line, last_line=line)
            for line, text in enumerate(texts, start=1)
        ]
        return self.take_in_chunk(operation, path, "\n".join(texts), statements)

    def take_in_chunk(
        self,
        operation: Operation,
        path: str,
        text: str,
        statements: Sequence[NewMemory],
        **fields: Any,
    ) -> list[str]:
        """Stores a file of one chunk; gives the ids of its memories."""
        now = self.clock.now
        document = Document(
            id=str(uuid.uuid4()), path=path, content_hash=hash_content(text),
            size_bytes=len(text), modified_at=now, status=DocumentStatus.EXTRACTING,
            extractor="rules", created_at=now, updated_at=now,
        )  # fmt: skip
        chunk = Chunk(
            id=str(uuid.uuid4()), document_id=document.id, position=0, content=text,
            content_hash=hash_content(text), first_line=1, last_line=text.count("\n") + 1,
            **fields,
        )  # fmt: skip
        begun = operation.begin_document(document, [chunk])
        receipts = operation.commit_chunk(begun.chunks[0].id, statements)
        operation.finish_document(begun.document.id, DocumentStatus.DONE)
        return [receipt.id for receipt in receipts]

    def make_near(self, *ids: str) -> None:
        """Makes the vectors of some memories equal to the first one's, as a real model nearly
        would where they say one thing."""
        vectors = self.index.vectors(EntryKind.MEMORY, ids)
        memories = self.graph.memories(ids)
        entries = [
            IndexEntry(
                id=key,
                kind=EntryKind.MEMORY,
                content=memories[key].content,
                vector=vectors[ids[0]],
                created_at=memories[key].created_at,
                memory_type=memories[key].memory_type,
                channel_id=memories[key].channel_id,
            )
            for key in ids
        ]
        self.index.put(EntryKind.MEMORY, entries)

    def forget(self, *ids: str) -> None:
        with self.store.operation("forget") as operation:
            operation.forget(ids)
        self.store.drain()

    def rebuilding(self, embedder: HashEmbedder | None = None) -> IndexRebuild:
        """A rebuild for the store's own model, or for another one."""
        maker = embedder or self.embedder
        return IndexRebuild(
            self.database,
            current=self.index,
            open_generation=lambda number: LanceIndex(
                self.folder / "index",
                dimension=maker.model.dimension,
                generation=lambda: number,
            ),
            embedder_factory=lambda: maker,
            grace_seconds=0,
            checkpoint=self.reach,
        )

    def move_to(self, embedder: HashEmbedder) -> RebuildReport:
        """Moves the store to another model, and works with that from now on."""
        report = self.rebuilding(embedder).run(change_model=True)
        self.embedder = embedder
        return report

    @property
    def purger(self) -> Purger:
        return Purger(
            self.database, self.store, rebuild_factory=self.rebuilding, folder=self.folder
        )

    @property
    def maintaining(self) -> Maintaining:
        """The real flows on this store, without a language model."""
        return self.maintaining_with(None)

    def maintaining_with(self, model: Model | None) -> Maintaining:
        """The real flows on this store, with a language model or without one."""
        name = None if model is None else model.name
        settings = Settings(store=StoreSettings(path=self.folder), llm=LlmSettings(model=name))
        runtime = Runtime(settings, warn=self.warnings.append, clock=self.clock)
        runtime.__dict__.update(
            database=self.database,
            graph=self.graph,
            index=self.index,
            store=self.store,
            embedder=self.embedder,
        )
        if model is not None:
            runtime.__dict__["language_model"] = model
        return Maintaining(runtime)

    def maintain(
        self,
        *names: StepName,
        dry_run: bool = False,
        yes: bool = True,
        model: Model | None = None,
        advance: Advance = lambda _done: None,
    ) -> Reports:
        """Maintains with these steps, all that need no language model when none are named; gives
        the reports by step. ``advance`` is called at the end of every batch of every step."""
        reports = self.maintaining_with(model).run(
            names or list(DEFAULT_STEPS),
            dry_run=dry_run,
            unbounded=yes,
            whole_index=False,
            model_name=None,
            on_step=lambda _name, _count: advance,
        )
        return {report.name: report for report in reports}

    def undo(self, operation_id: int | None = None) -> None:
        with self.store.operation("undo") as operation:
            operation.undo(operation_id)
        self.store.drain()

    def rows(self) -> dict[str, list[tuple[Any, ...]]]:
        """Every row of every table that an undo puts back. Which memories are still to be compared
        is not among them: that a memory was added anew makes no comparison needless."""
        left_out = {
            "operations", "operation_changes", "outbox", "meta", "centrality", "uncompared",
        }  # fmt: skip
        with self.database.reading() as connection:
            return {
                table.name: sorted(map(tuple, connection.execute(select(table))), key=repr)
                for table in metadata.sorted_tables
                if table.name not in left_out
            }

    def check_agreement(self) -> None:
        """Both stores hold the same ids, every memory with a vector, and nothing is left to do."""
        report = self.store.drain()
        assert (report.error, report.remaining, report.waiting) == (None, 0, 0)
        for kind in EntryKind:
            assert self.index.ids(kind) == visible_ids(self.database, kind)
        assert self.index.ids_without_vector(EntryKind.MEMORY) == set()
        with self.database.reading() as connection:
            assert connection.exec_driver_sql("PRAGMA foreign_key_check").all() == []
            assert connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"

    def texts(self) -> set[str]:
        """What the visible memories say."""
        everything = self.graph.list_memories(include_superseded=True, include_expired=True)
        return {memory.content for memory in everything}


def _without_sync(connection: Any, _: object) -> None:
    connection.execute("PRAGMA synchronous = OFF")
