"""A whole store for tests: real SQLite, an index on disk, a deterministic embedder and clock."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fakes.hash_embedder import HashEmbedder
from fakes.steady_clock import SteadyClock
from file_index import FileIndex
from sqlalchemy import event, select

from memctl.content import hash_content
from memctl.document import Document, DocumentStatus
from memctl.memory import Chunk, EntryKind, Memory, Origin
from memctl.new_memory import NewMemory, SaveReceipt
from memctl.store.database import Database
from memctl.store.document_writes import ExtractedChunk, ExtractedDocument
from memctl.store.graph import Graph
from memctl.store.memory_store import MemoryStore
from memctl.store.outbox import DrainReport
from memctl.store.schema import operation_changes, operations
from memctl.store.steps import Checkpoint, Step, no_checkpoint


class Harness:
    """An open store; ``reopen`` closes it and opens it again, as the next command does."""

    def __init__(
        self,
        folder: Path,
        *,
        checkpoint: Checkpoint = no_checkpoint,
        clock: SteadyClock | None = None,
        embedder: HashEmbedder | None = None,
        wait_seconds: float = 5.0,
    ) -> None:
        self.folder = folder
        self.clock = clock or SteadyClock()
        self.embedder = embedder or HashEmbedder()
        self.checkpoint = checkpoint
        self.wait_seconds = wait_seconds
        self._open()

    def _open(self) -> None:
        self.index = FileIndex(self.folder / "index")
        self.database = Database.open(
            self.folder / "truth" / "memory.db", clock=self.clock, wait_seconds=self.wait_seconds
        )
        self.store = MemoryStore(
            self.database,
            index_factory=lambda: self.index,
            embedder_factory=lambda: self.embedder,
            checkpoint=self._reach,
        )
        self.graph = Graph(self.database)
        # Only a power cut could tell the difference, and tests cut none.
        with self.database.reading() as connection:
            event.listen(connection.engine, "connect", _without_sync)
            _without_sync(connection.connection.dbapi_connection, None)

    def _reach(self, step: Step) -> None:
        self.checkpoint(step)

    def close(self) -> None:
        self.database.close()

    def reopen(self) -> None:
        self.close()
        self._open()

    def save(self, content: str, **fields: Any) -> SaveReceipt:
        with self.store.operation("save") as operation:
            return operation.save(NewMemory(content=content, **fields))

    def forget(self, *ids: str) -> list[str]:
        with self.store.operation("forget") as operation:
            return operation.forget(ids)

    def restore(self, *ids: str) -> list[str]:
        with self.store.operation("restore") as operation:
            return operation.restore(ids)

    def edit(self, memory_id: str, **changes: Any) -> Memory:
        with self.store.operation("edit") as operation:
            return operation.edit(memory_id, changes)  # type: ignore[arg-type]

    def drain(self, **options: Any) -> DrainReport:
        return self.store.drain(**options)

    def visible_ids(self) -> set[str]:
        everything = self.graph.list_memories(include_superseded=True, include_expired=True)
        return {memory.id for memory in everything}

    def listed(self, **options: Any) -> list[str]:
        return [memory.content for memory in self.graph.list_memories(**options)]

    def journal(self) -> list[dict[str, Any]]:
        """Every change in the journal, in order, with the command that made it."""
        statement = (
            select(operations.c.command, operation_changes)
            .join(operations, operations.c.id == operation_changes.c.operation_id)
            .order_by(operation_changes.c.id)
        )
        with self.database.reading() as connection:
            rows = [dict(row) for row in connection.execute(statement).mappings()]
        for row in rows:
            for name in ("row_before", "row_after"):
                row[name] = None if row[name] is None else json.loads(row[name])
        return rows

    def operation_count(self) -> int:
        with self.database.reading() as connection:
            return len(connection.execute(select(operations.c.id)).all())

    def check_agreement(self) -> None:
        """After a full drain both stores hold the same ids, and nothing is left to do."""
        assert self.index.ids(EntryKind.MEMORY) == self.visible_ids()
        chunks = {
            chunk.id
            for document in self.graph.documents()
            for chunk in self.graph.chunks_of(document.id)
        }
        assert self.index.ids(EntryKind.CHUNK) == chunks
        memories = self.graph.memories(self.index.ids(EntryKind.MEMORY))
        for memory_id, entry in self.index.rows(EntryKind.MEMORY).items():
            memory = memories[memory_id]
            assert entry.content == memory.content
            assert (entry.memory_type, entry.tags) == (memory.memory_type, memory.tags)
            assert (entry.event_at, entry.channel_id) == (memory.event_at, memory.channel_id)

    def check_truth(self) -> None:
        """What holds whatever happened: no double live text, no dangling row, whole journal."""
        live = self.graph.list_memories(include_expired=True)
        texts = [(memory.content_hash, memory.channel_id, memory.event_at) for memory in live]
        assert len(texts) == len(set(texts))
        keys = [memory.key for memory in live if memory.key is not None]
        assert len(keys) == len(set(keys))
        with self.database.reading() as connection:
            assert connection.exec_driver_sql("PRAGMA foreign_key_check").all() == []
            assert connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"


def _without_sync(connection: Any, _: object) -> None:
    connection.execute("PRAGMA synchronous = OFF")


def make_document(path: str, text: str, **fields: Any) -> Document:
    """A document of that text, as a reader gives it to the store."""
    values: dict[str, Any] = {
        "id": str(uuid.uuid4()),
        "path": path,
        "content_hash": hash_content(text),
        "size_bytes": len(text.encode()),
        "modified_at": SteadyClock().now,
        "status": DocumentStatus.EXTRACTING,
        "extractor": "rules",
        "created_at": SteadyClock().now,
        "updated_at": SteadyClock().now,
    }
    return Document(**(values | fields))


def make_chunks(*paragraphs: str, first_line: int = 1) -> list[Chunk]:
    """One chunk for each paragraph of one or more lines, with a blank line after each."""
    made: list[Chunk] = []
    line = first_line
    for position, paragraph in enumerate(paragraphs):
        content = paragraph + "\n\n"
        height = content.count("\n")
        made.append(
            Chunk(
                id=str(uuid.uuid4()),
                document_id="to be filled in",
                position=position,
                content=content,
                content_hash=hash_content(content),
                first_line=line,
                last_line=line + height - 1,
            )
        )
        line += height
    return made


def statements_of(chunk: Chunk) -> list[NewMemory]:
    """One memory from each line of a chunk, as an extractor would give them."""
    return [
        NewMemory(content=line, origin=Origin.FILE, first_line=number, last_line=number)
        for number, line in enumerate(chunk.content.split("\n"), start=chunk.first_line)
        if line.strip()
    ]


def ingest(harness: Harness, path: str, paragraphs: Sequence[str], **fields: Any) -> Document:
    """Ingests a file of those paragraphs, chunk by chunk, and gives the stored document."""
    document = make_document(path, "\n\n".join(paragraphs), **fields)
    with harness.store.operation("ingest") as operation:
        begun = operation.begin_document(document, make_chunks(*paragraphs))
        for chunk in begun.chunks:
            if not chunk.extracted:
                operation.commit_chunk(chunk.id, statements_of(chunk))
        status = DocumentStatus.DONE if paragraphs else DocumentStatus.EMPTY
        operation.finish_document(begun.document.id, status)
    return begun.document


def extracted(path: str, *paragraphs: str) -> ExtractedDocument:
    """A file that has been read and extracted as a whole."""
    chunks = [ExtractedChunk(chunk, statements_of(chunk)) for chunk in make_chunks(*paragraphs)]
    text = "\n\n".join(paragraphs)
    return ExtractedDocument(make_document(path, text, status=DocumentStatus.DONE), chunks)
