"""One operation of the journal: what one command writes, in one transaction or in several."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime

from sqlalchemy import Connection

from memctl.document import Document, DocumentStatus, Usage
from memctl.memory import Association, Chunk, ForgetReason, Importances, Memory, RelationType
from memctl.message import Message
from memctl.new_memory import ForeignMemory, NewMemory, SaveReceipt
from memctl.store import association_writes, document_writes, import_writes, memory_writes
from memctl.store.association_writes import Link
from memctl.store.database import Database
from memctl.store.document_writes import (
    NO_USAGE,
    BegunDocument,
    Ending,
    ExtractedDocument,
    StoredDocument,
)
from memctl.store.journal import MakeId, WriteTransaction
from memctl.store.memory_writes import MemoryChanges
from memctl.store.merging import Merge, consolidate_memories, merge_memories
from memctl.store.purge_targets import PurgeTargets, purge_targets, purge_targets_of_copy
from memctl.store.purging import PurgePlan, apply_purge, plan_purge
from memctl.store.rows import to_json
from memctl.store.steps import Checkpoint, Step
from memctl.store.transcripts import add_messages
from memctl.store.uncompared import mark_compared
from memctl.store.undoing import UndoPlan, apply_undo, plan_undo
from memctl.store.unfinished import note_begun, note_finished
from memctl.store.upkeep_reads import DecayRow


class Operation:
    """Writes, and one row in the journal for all of them; none when nothing is written. One that
    is ``in_parts`` counts as unfinished from its first transaction to ``finish``.

    Every method is a transaction of its own, or a part of the one that ``transaction`` opened: it
    commits as a whole or leaves nothing. All raise LockedError and StoreError and its kinds; those
    that take ids raise UnknownMemoryError.
    """

    def __init__(
        self,
        database: Database,
        command: str,
        arguments: Mapping[str, object],
        *,
        make_id: MakeId,
        checkpoint: Checkpoint,
        in_parts: bool = False,
    ) -> None:
        self._database = database
        self._command = command
        self._arguments = to_json(dict(arguments))
        self._make_id = make_id
        self._checkpoint = checkpoint
        self._in_parts = in_parts
        self._started_at: datetime = database.clock()
        self._current: WriteTransaction | None = None
        self._created: set[str] = set()
        self.id: int | None = None
        """The operation's number in the journal, once something has been committed."""

    @contextmanager
    def transaction(self) -> Iterator[WriteTransaction]:
        """All writes of the block commit together at its end, or none of them.

        The write lock is held meanwhile: no model call and no reading of files belongs in here.
        """
        if self._current is not None:
            yield self._current
            return
        with self._database.writing() as connection:
            self._checkpoint(Step.TRANSACTION_BEGUN)
            writes = WriteTransaction(connection, self._database.clock())
            self._current = writes
            try:
                yield writes
            finally:
                self._current = None
            self._checkpoint(Step.TRUTH_WRITTEN)
            operation_id = writes.record(
                self.id,
                command=self._command,
                arguments=self._arguments,
                started_at=self._started_at,
            )
            if self._in_parts and self.id is None and operation_id is not None:
                note_begun(connection, operation_id, writes.now)
            self._checkpoint(Step.JOURNAL_WRITTEN)
        self.id = operation_id
        self._created.update(writes.created_memories)
        self._checkpoint(Step.COMMITTED)

    def finish(self) -> None:
        """Notes that nothing follows any more."""
        if self._in_parts and self.id is not None:
            with self._database.writing() as connection:
                note_finished(connection, self.id)

    def save(self, new_memory: NewMemory) -> SaveReceipt:
        """Saves one text. Raises UsageError for one that is empty or has a value out of range."""
        return self.save_many([new_memory])[0]

    def save_many(self, new_memories: Sequence[NewMemory]) -> list[SaveReceipt]:
        """Saves texts in their order, all or none; one receipt for each."""
        with self.transaction() as writes:
            return memory_writes.save_memories(writes, new_memories, self._make_id)

    def import_memories(self, foreign: Sequence[ForeignMemory]) -> list[SaveReceipt]:
        """Adds memories that keep their ids and times; one receipt for each.

        ``unchanged`` where the store has the id, or a live memory that says the same.
        """
        with self.transaction() as writes:
            return import_writes.import_memories(writes, foreign, self._make_id)

    def import_associations(self, foreign: Sequence[Association]) -> list[Association | None]:
        """Adds associations that keep their ids and times; for each the one that is there now, or
        None where the store lacks one of its ends."""
        with self.transaction() as writes:
            return import_writes.import_associations(writes, foreign)

    def edit(self, memory_id: str, changes: MemoryChanges) -> Memory:
        """Changes a memory and returns it as it is then.

        Raises UsageError for values that are not valid, for a forgotten memory, and where another
        live memory has the same content or key.
        """
        with self.transaction() as writes:
            return memory_writes.edit_memory(writes, memory_id, changes)

    def forget(self, ids: Sequence[str], reason: ForgetReason = ForgetReason.USER) -> list[str]:
        """Hides memories; returns those that were not hidden before.

        A memory that one of them had superseded is current again.
        """
        with self.transaction() as writes:
            return memory_writes.forget_memories(writes, ids, reason)

    def restore(self, ids: Sequence[str]) -> list[str]:
        """Brings hidden or superseded memories back; returns those that changed.

        A memory that was superseded when it was hidden still is, if its successor is visible.
        Raises RestoreConflictError where a live memory says the same or has the key; then none of
        them comes back.
        """
        with self.transaction() as writes:
            return memory_writes.restore_memories(writes, ids)

    def supersede(self, old_id: str, *, by: str) -> None:
        """Lets ``by`` take the place of ``old_id``: an ``updates`` association, and the old one's
        importance falls by ``SUPERSEDED_IMPORTANCE_FACTOR``. Raises UsageError for a circle."""
        with self.transaction() as writes:
            memory_writes.supersede_memory(writes, old_id, by, self._make_id)

    def associate(self, links: Sequence[Link]) -> list[Association]:
        """Adds associations, given as (source, target, relation, weight in 0..1), or changes the
        weight of those that exist; returns what was written. Raises UsageError."""
        with self.transaction() as writes:
            return association_writes.associate_memories(writes, links, self._make_id)

    def mark_compared(self, ids: Sequence[str]) -> None:
        """Notes that memories have been compared with the others, whatever came of it."""
        with self.transaction() as writes:
            mark_compared(writes, ids, (self._created, writes.created_memories))

    def dissociate(self, edges: Sequence[tuple[str, str, RelationType]]) -> list[Association]:
        """Removes associations, given as (source, target, relation); returns those there were."""
        with self.transaction() as writes:
            return association_writes.dissociate_memories(writes, edges)

    def record_document(self, document: Document) -> Document:
        """Adds a document, or updates the one of its path, and leaves its chunks as they are; for
        a file without readable text. Returns it with its stored id."""
        with self.transaction() as writes:
            return document_writes.record_documents(writes, [document])[0][1]

    def begin_document(self, document: Document, chunks: Sequence[Chunk]) -> BegunDocument:
        """Records a document and makes ``chunks`` its chunks; a known text keeps its stored chunk.

        Returns the document and its chunks, by position, as they are stored: those that are not
        ``extracted`` are to be committed by ``commit_chunk``, also after a crash.
        """
        with self.transaction() as writes:
            return document_writes.begin_documents(writes, [(document, chunks)])[0]

    def commit_chunk(
        self, chunk_id: str, new_memories: Sequence[NewMemory], usage: Usage = NO_USAGE
    ) -> list[SaveReceipt]:
        """Saves what a chunk states and marks it extracted, together.

        The memories get the chunk's and its document's id. Returns no receipts for a chunk that a
        newer version of the file has retired. Raises UnknownDocumentError and UsageError.
        """
        with self.transaction() as writes:
            extracted = [(chunk_id, new_memories, usage)]
            return document_writes.commit_chunks(writes, extracted, self._make_id)[0]

    def fail_chunk(self, chunk_id: str, error: str, usage: Usage = NO_USAGE) -> None:
        """Keeps why a chunk could not be extracted, and what that cost."""
        with self.transaction() as writes:
            document_writes.fail_chunk(writes, chunk_id, error, usage)

    def finish_document(
        self,
        document_id: str,
        status: DocumentStatus,
        reason: str | None = None,
        *,
        content_hash: str | None = None,
        attempts: int | None = None,
        next_attempt_at: datetime | None = None,
    ) -> list[str]:
        """Ends a document; returns the ids of the memories that it hid.

        With status done or empty, those are the ones that only retired chunks stated, unless they
        are pinned or somebody stated or edited them. With ``content_hash`` nothing happens when a
        newer version of the file has begun meanwhile. ``attempts`` None keeps the count.
        """
        ending = Ending(
            document_id=document_id,
            status=status,
            reason=reason,
            content_hash=content_hash,
            attempts=attempts,
            next_attempt_at=next_attempt_at,
        )
        with self.transaction() as writes:
            return document_writes.finish_documents(writes, [ending]).get(document_id, [])

    def forget_documents(self, documents: Sequence[Document]) -> list[str]:
        """Lets stored documents be as if they said nothing, and hides the memories that only they
        had stated; returns those memories' ids. A later ``restore`` of a memory brings it back."""
        with self.transaction() as writes:
            return document_writes.forget_documents(writes, documents)

    def move_document(self, document_id: str, path: str) -> Document:
        """Notes that the document's file lies at another absolute path now."""
        with self.transaction() as writes:
            return document_writes.move_document(writes, document_id, path)

    def store_documents(self, extracted: Sequence[ExtractedDocument]) -> list[StoredDocument]:
        """Begins, commits and ends documents that are extracted as a whole, all or none.

        Far faster than one by one for many small files, and for extractors that need no model.
        What a kept chunk states is not saved again. No path may occur twice. Raises UsageError.
        """
        with self.transaction() as writes:
            return document_writes.store_documents(writes, extracted, self._make_id)

    def undo(self, operation_id: int | None = None, *, force: bool = False) -> UndoPlan:
        """Takes an operation back, the newest that is not yet when None; returns what was done.

        Raises UnknownOperationError, UndoError, RestoreConflictError, and UndoConflictError where
        something was changed later, unless ``force``.
        """
        with self.transaction() as writes:
            plan = plan_undo(writes.connection, operation_id)
            apply_undo(writes, plan, force=force)
            self._arguments = to_json({"operation": plan.operation.id, "force": force})
        return plan

    def purge(self, ids: Sequence[str], chunk_ids: Sequence[str] = ()) -> PurgePlan:
        """Erases memories, those that say the same, and their text in passages and the journal, and
        whole passages; returns what was erased. Raises UnknownMemoryError."""
        return self._purge(lambda connection: purge_targets(connection, ids, chunk_ids))

    def purge_copy(
        self, ids: Sequence[str], texts: Sequence[str], chunk_hashes: Sequence[str]
    ) -> PurgePlan:
        """Erases from a copy of the store what was purged in the store itself: memories of those
        ids and texts and passages of those hashes as far as there are any, and the texts wherever
        they stand."""
        return self._purge(
            lambda connection: purge_targets_of_copy(connection, ids, texts, chunk_hashes)
        )

    def _purge(self, find_targets: Callable[[Connection], PurgeTargets]) -> PurgePlan:
        with self.transaction() as writes:
            plan = plan_purge(writes.connection, find_targets(writes.connection))
            apply_purge(writes, plan)
            self._checkpoint(Step.ERASED)
        return plan

    def add_messages(self, added: Sequence[Message]) -> list[Message]:
        """Adds messages of transcripts; returns those that the store did not have."""
        with self.transaction() as writes:
            return add_messages(writes, added)

    def fade(self, ids: Sequence[str], fade: Callable[[DecayRow], Importances]) -> int:
        """Sets importances by a function of what they are now; returns how many changed.

        Those that are gone, hidden or exempt meanwhile are left as they are.
        """
        with self.transaction() as writes:
            return memory_writes.fade_memories(writes, ids, fade)

    def merge(self, merges: Sequence[Merge]) -> list[Merge]:
        """Lets one memory stand for several; returns the merges that could still be made."""
        with self.transaction() as writes:
            return merge_memories(writes, merges, self._make_id)

    def consolidate(self, statement: str, originals: Sequence[Memory]) -> Merge | None:
        """Adds one statement and hides behind it the live memories of one type and channel that it
        says all of; None where that can no longer be done."""
        with self.transaction() as writes:
            return consolidate_memories(writes, statement, originals, self._make_id)
