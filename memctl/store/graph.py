"""Reads about memories and what connects them; nothing here writes.

Each method reads in one transaction, or in that of ``one_state``, with a fixed number of statements
for up to five thousand ids. Lists come in a fixed order: the same store and question give the same
answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from datetime import datetime

from sqlalchemy import func, select

from memctl.content import normalise_content
from memctl.document import Document, DocumentStatus
from memctl.embedding import EmbeddingModel
from memctl.encodable import encodable_text
from memctl.memory import (
    Association,
    Chunk,
    Citation,
    Memory,
    MemoryFilter,
    MemorySort,
    MemoryType,
    Passage,
    RelationType,
    StoredPassage,
)
from memctl.message import ChannelSummary, Message
from memctl.store import (
    counting,
    document_reads,
    journal_reads,
    neighbourhood,
    queries,
    reads,
    transcripts,
)
from memctl.store.comparable import ComparableMemory, comparable_memories
from memctl.store.counting import StoreCounts
from memctl.store.database import Database
from memctl.store.document_reads import KNOWN_BYTES_STATEMENT
from memctl.store.facts import GENERATION_STATEMENT, model_of, read_facts
from memctl.store.foresight import ForeseenChange, foresee_changes
from memctl.store.journal_reads import LoggedOperation, RowChange, resolve_in_journal
from memctl.store.neighbourhood import Adjacent
from memctl.store.purge_targets import purge_targets
from memctl.store.purging import PurgePlan, plan_purge
from memctl.store.reads import Neighbour
from memctl.store.ready_reader import ReadyReader
from memctl.store.schema import memories
from memctl.store.statements import order_of
from memctl.store.statistics import MemoryFigures, read_figures
from memctl.store.uncompared import uncompared_ids
from memctl.store.undoing import UndoPlan, plan_undo
from memctl.store.upkeep_reads import (
    MERGED_UP_TO_KEY,
    MergeScope,
    centrality_of,
    merge_scope,
)
from memctl.store.where import Visibility, matches, visible, was_visible


class Graph:
    """The graph of an open database, as it is at each call."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def one_state(self) -> AbstractContextManager[None]:
        """All that the thread reads in the block is from one state of the store, as if it were one
        read."""
        return self._database.one_state()

    @contextmanager
    def _reader(self) -> Iterator[ReadyReader]:
        with self._database.reading() as connection:
            yield queries.reader_of(connection)

    def memory(self, memory_id: str) -> Memory:
        """The memory of that full id, hidden or not. Raises UnknownMemoryError."""
        with self._database.reading() as connection:
            return queries.existing_memories(connection, [memory_id])[0]

    def memories(self, ids: Iterable[str]) -> dict[str, Memory]:
        """The memories of those ids that exist, hidden ones too."""
        with self._database.reading() as connection:
            return queries.memories_by_id(connection, ids)

    def comparable_memories(self, ids: Iterable[str]) -> dict[str, ComparableMemory]:
        """What it takes to compare the memories of those ids that exist, hidden ones too."""
        with self._reader() as reader:
            return comparable_memories(reader, ids)

    def memory_types(self, ids: Iterable[str]) -> dict[str, MemoryType]:
        """The types of those of the memories that exist, hidden ones too."""
        with self._reader() as reader:
            return reads.memory_types(reader, ids)

    def resolve(self, prefix: str, *, include_forgotten: bool = False) -> str:
        """The one id that starts with ``prefix``, in either case; superseded ones count.

        Raises ShortPrefixError, UnknownMemoryError, and AmbiguousMemoryError, which names
        candidates.
        """
        with self._reader() as reader:
            return reads.resolve(reader, prefix, include_forgotten=include_forgotten)

    def passage_ids(self, document_ids: Sequence[str]) -> list[str]:
        """The ids of all passages of documents, also of those that they no longer have."""
        with self._database.reading() as connection:
            return document_reads.passage_ids(connection, document_ids)

    def memories_of_passage(self, chunk_id: str) -> list[str]:
        """The ids of the memories that a passage states, hidden ones too, by creation."""
        with self._reader() as reader:
            return reads.memories_of_passage(reader, chunk_id)

    def find_passage(self, prefix: str) -> StoredPassage | None:
        """The one passage whose id starts with ``prefix``; None without one.

        Raises ShortPrefixError and AmbiguousMemoryError.
        """
        with self._reader() as reader:
            return reads.find_passage(reader, prefix)

    def list_memories(
        self,
        memory_filter: MemoryFilter | None = None,
        *,
        sort: MemorySort = MemorySort.RECENT,
        reverse: bool = False,
        limit: int | None = None,
        offset: int = 0,
        include_forgotten: bool = False,
        only_forgotten: bool = False,
        include_superseded: bool = False,
        include_expired: bool = False,
        now: datetime | None = None,
    ) -> list[Memory]:
        """Memories that pass the filter, in the order of ``sort`` or, with ``reverse``, from its
        end; the limit applies last.

        By default live ones: not forgotten, superseded, or expired at ``now`` (the clock's).
        """
        visibility = Visibility(
            now=now or self._database.clock(),
            include_forgotten=include_forgotten,
            only_forgotten=only_forgotten,
            include_superseded=include_superseded,
            include_expired=include_expired,
        )
        statement = (
            select(memories)
            .where(visible(visibility), matches(memory_filter))
            .order_by(*order_of(sort, reverse=reverse))
            .limit(limit)
            .offset(offset or None)
        )
        with self._database.reading() as connection:
            return queries.select_memories(connection, statement)

    def filter_of_index(self, memory_filter: MemoryFilter) -> MemoryFilter:
        """What the search index, which knows each memory's source as it was saved, can apply of a
        filter; it lets nothing less through."""
        if not memory_filter.sources:
            return memory_filter
        with self._database.reading() as connection:
            found = queries.saved_sources(connection, memory_filter.sources)
        if None in found:
            return replace(memory_filter, sources=())
        sources = dict.fromkeys([*memory_filter.sources, *filter(None, found)])
        return replace(memory_filter, sources=tuple(sources))

    def hidden_since(
        self, moment: datetime, memory_filter: MemoryFilter | None = None
    ) -> list[Memory]:
        """Memories that pass the filter, were visible at ``moment`` and are hidden now for another
        reason than that somebody wanted it, of themselves or of the document that they are from;
        in the order in which they were saved."""
        statement = (
            select(memories)
            .where(was_visible(moment), matches(memory_filter))
            .order_by(memories.c.sequence)
        )
        with self._database.reading() as connection:
            return queries.select_memories(connection, statement)

    def count_memories(
        self,
        memory_filter: MemoryFilter | None = None,
        *,
        only_forgotten: bool = False,
        include_superseded: bool = False,
        now: datetime | None = None,
    ) -> int:
        """How many ``list_memories`` would give without a limit."""
        visibility = Visibility(
            now=now or self._database.clock(),
            only_forgotten=only_forgotten,
            include_superseded=include_superseded,
        )
        statement = (
            select(func.count())
            .select_from(memories)
            .where(visible(visibility), matches(memory_filter))
        )
        with self._database.reading() as connection:
            return int(connection.scalar(statement) or 0)

    def visible_memories(
        self,
        ids: Iterable[str],
        memory_filter: MemoryFilter | None = None,
        *,
        include_superseded: bool = True,
        include_expired: bool = False,
        now: datetime | None = None,
    ) -> dict[str, Memory]:
        """The memories of those of ``ids`` that are not hidden and pass the filter; superseded ones
        too, unless told otherwise."""
        visibility = Visibility(
            now=now or self._database.clock(),
            include_superseded=include_superseded,
            include_expired=include_expired,
        )
        with self._reader() as reader:
            return queries.visible_memories(reader, ids, visibility, memory_filter)

    def associations_of(self, ids: Iterable[str]) -> list[Association]:
        """The associations that begin or end at one of ``ids``, by creation, then id; those to
        hidden memories too."""
        with self._reader() as reader:
            return reads.associations_of(reader, ids)

    def uncompared(self, limit: int | None) -> list[str]:
        """The ids of memories that were saved and never compared with the others, as a killed
        process leaves them: the oldest ones first, at most ``limit`` or all, erased ones too."""
        with self._database.reading() as connection:
            return uncompared_ids(connection, limit)

    def neighbours(
        self,
        ids: Iterable[str],
        *,
        relation_types: Sequence[RelationType] | None = None,
        minimum_weight: float = 0.0,
    ) -> list[Neighbour]:
        """One level of traversal in both directions: the visible memories that an association
        connects with one of ``ids``, heaviest first, then by ids."""
        with self._reader() as reader:
            return reads.neighbours(reader, ids, relation_types, minimum_weight)

    def adjacent(self, ids: Iterable[str], *, reach: int = 1) -> list[Adjacent]:
        """The visible memories next to each of ``ids``: up to ``reach`` before and after it in its
        session, and in the text of each document that states it; nearest first."""
        with self._reader() as reader:
            return neighbourhood.adjacent(reader, list(ids), reach)

    def history(self, memory_id: str) -> list[Memory]:
        """The memories whose place it took, and those that took its place, with itself, oldest
        first; hidden ones too. Raises UnknownMemoryError."""
        with self._reader() as reader:
            return reads.history(reader, memory_id)

    def find_by_content(self, content_hash: str, channel_id: str | None = None) -> list[Memory]:
        """All memories with that content hash in that channel (or without one), oldest first,
        hidden and superseded ones too."""
        with self._database.reading() as connection:
            found = queries.memories_where(connection, memories.c.content_hash, [content_hash])
        return [memory for memory in found if memory.channel_id == channel_id]

    def find_by_key(self, key: str) -> Memory | None:
        """The live memory that has the key."""
        with self._database.reading() as connection:
            holders = queries.live_holders(connection, [normalise_content(key)])
        return next(iter(holders), None)

    def document(self, document_id: str) -> Document:
        """The document of that id. Raises UnknownDocumentError."""
        with self._database.reading() as connection:
            return queries.existing_documents(connection, [document_id])[document_id]

    def document_by_path(self, path: str) -> Document | None:
        """The document that was read from that absolute path."""
        with self._database.reading() as connection:
            return next(iter(queries.find_documents(connection, [path]).values()), None)

    def documents_by_path(self, paths: Iterable[str]) -> dict[str, Document]:
        """Those documents that there are of the absolute paths, by path."""
        by_stored_path = {encodable_text(path): path for path in paths}
        with self._database.reading() as connection:
            found = queries.find_documents(connection, by_stored_path)
        return {by_stored_path[stored]: document for stored, document in found.items()}

    def documents_with_hash(self, content_hash: str) -> list[Document]:
        """The documents with those bytes, by path: copies, or one that was moved."""
        if not self._database.look_up(KNOWN_BYTES_STATEMENT, {"content_hash": content_hash}):
            return []
        with self._database.reading() as connection:
            return document_reads.documents(connection, content_hash=content_hash)

    def documents(
        self,
        statuses: Sequence[DocumentStatus] = (),
        *,
        under: str | None = None,
        outside: Sequence[str] = (),
    ) -> list[Document]:
        """Documents by path: those with one of ``statuses`` (none given: all) whose path is
        ``under`` or lies in that folder, and in none of the folders ``outside``."""
        with self._database.reading() as connection:
            return document_reads.documents(
                connection, statuses=statuses, under=under, outside=outside
            )

    def documents_changed_after(self, ids: Iterable[str], moment: datetime) -> set[str]:
        """Those of the documents that were taken in, or taken in anew, after a moment."""
        with self._database.reading() as connection:
            return document_reads.documents_changed_after(connection, ids, moment)

    def chunk_progress(self, document_ids: Iterable[str]) -> dict[str, tuple[int, int]]:
        """By document, how many of its chunks are extracted, and how many it has."""
        with self._database.reading() as connection:
            return document_reads.chunk_progress(connection, document_ids)

    def chunks_of(self, document_id: str) -> list[Chunk]:
        """The chunks that a document has now, by position."""
        with self._database.reading() as connection:
            return queries.live_chunks(connection, [document_id]).get(document_id, [])

    def chunks(self, ids: Iterable[str], *, include_retired: bool = True) -> dict[str, Chunk]:
        """The chunks of those ids that exist; those too that their documents no longer have,
        unless told otherwise."""
        with self._database.reading() as connection:
            return document_reads.chunks_by_id(connection, ids, include_retired=include_retired)

    def foresee_changes(
        self, changed: Sequence[tuple[Document, Sequence[Chunk]]]
    ) -> list[ForeseenChange]:
        """What storing documents with these chunks would do to what known ones among them say."""
        with self._database.reading() as connection:
            return foresee_changes(connection, changed)

    def said_instead(self, document_id: str, memory_ids: Iterable[str]) -> list[Memory]:
        """What a document says that was saved after it had ceased to state the given memories."""
        with self._database.reading() as connection:
            return document_reads.said_instead(connection, document_id, memory_ids)

    def passages(self, memory_ids: Iterable[str]) -> dict[str, list[Passage]]:
        """By memory, where it is stated: by chunks that their documents still have first."""
        with self._reader() as reader:
            return reads.passages(reader, memory_ids)

    def memories_of(self, document_id: str) -> list[Memory]:
        """The visible memories that a document states now, by their place in it."""
        with self._database.reading() as connection:
            return document_reads.memories_of(connection, document_id)

    def citations(self, memory_ids: Iterable[str]) -> dict[str, Citation]:
        """Where each memory stands in a file, if it does: where it came from first, while that
        document still says it, else where it is said now."""
        with self._reader() as reader:
            return reads.citations(reader, memory_ids)

    def chunk_citations(self, chunk_ids: Iterable[str]) -> dict[str, Citation]:
        """Where each chunk stands in its file."""
        with self._database.reading() as connection:
            return document_reads.chunk_citations(connection, chunk_ids)

    def memories_saying(self, content_hashes: Iterable[str]) -> list[Memory]:
        """All memories with one of those content hashes, hidden and superseded ones too."""
        with self._database.reading() as connection:
            return queries.memories_where(connection, memories.c.content_hash, content_hashes)

    def known_hashes(self, content_hashes: Iterable[str]) -> set[str]:
        """Those of the content hashes that some memory has, a hidden or superseded one too."""
        with self._database.reading() as connection:
            return queries.known_hashes(connection, content_hashes)

    def messages(self, channel_id: str, *, limit: int | None = None) -> list[Message]:
        """The newest ``limit`` messages of a channel, in the order in which they were said."""
        with self._database.reading() as connection:
            return transcripts.last_messages(connection, channel_id, limit)

    def channels(self) -> list[ChannelSummary]:
        """Every channel that has a transcript, by name."""
        with self._database.reading() as connection:
            return transcripts.channel_summaries(connection)

    def known_values(self, name: str) -> list[str]:
        """The values of a field of MemoryFilter (tags, channels, sessions or sources) that any
        memory has, in order."""
        with self._reader() as reader:
            return reads.known_values(reader, name)

    def counts(self) -> StoreCounts:
        """How much of everything there is."""
        with self._database.reading() as connection:
            return counting.count_store(connection, self._database.clock())

    def figures(self, *, now: datetime, since: datetime, most_tags: int) -> MemoryFigures:
        """Figures about the live memories, and when memories were saved ``since`` then."""
        with self._database.reading() as connection:
            return read_figures(connection, now=now, since=since, most_tags=most_tags)

    def facts(self) -> dict[str, str]:
        """Facts about the store as a whole, such as ``schema_version`` and ``created_at``."""
        with self._database.reading() as connection:
            return read_facts(connection)

    def log(self, *, limit: int | None = None, before: int | None = None) -> list[LoggedOperation]:
        """The operations of the journal, newest first, of those with a number below ``before``."""
        with self._database.reading() as connection:
            return journal_reads.logged_operations(connection, limit=limit, before=before)

    def count_operations(self) -> int:
        """How many operations the journal holds."""
        with self._database.reading() as connection:
            return journal_reads.count_operations(connection)

    def logged_operation(self, operation_id: int) -> tuple[LoggedOperation, list[RowChange]]:
        """An operation and all that it changed, in order. Raises UnknownOperationError."""
        with self._database.reading() as connection:
            operation = journal_reads.logged_operation(connection, operation_id)
            return operation, journal_reads.changes_of(connection, operation_id)

    def plan_undo(self, operation_id: int | None = None) -> UndoPlan:
        """What undoing an operation (the newest that can be when None) would do.

        Raises UnknownOperationError and UndoError.
        """
        with self._database.reading() as connection:
            return plan_undo(connection, operation_id)

    def resolve_in_journal(self, prefix: str) -> str:
        """The one id that starts with ``prefix`` of all memories that the journal knows, undone
        ones too. Raises UnknownMemoryError and AmbiguousMemoryError."""
        with self._database.reading() as connection:
            return resolve_in_journal(connection, prefix)

    def plan_purge(self, ids: Sequence[str], chunk_ids: Sequence[str] = ()) -> PurgePlan:
        """What purging memories and whole passages would erase. Raises UnknownMemoryError."""
        with self._database.reading() as connection:
            return plan_purge(connection, purge_targets(connection, ids, chunk_ids))

    def merge_scope(self, command: str, up_to_key: str = MERGED_UP_TO_KEY) -> MergeScope:
        """Which memories a merge may compare, and which of them are new since the last one, which
        the fact ``up_to_key`` tells."""
        with self._database.reading() as connection:
            return merge_scope(connection, command, up_to_key)

    def centrality(self, ids: Iterable[str]) -> dict[str, float]:
        """How central those of ``ids`` that had associations were in the graph when maintenance
        looked last: 1 for the most central memory."""
        with self._reader() as reader:
            return centrality_of(reader, ids)

    def index_generation(self) -> int:
        """Which set of the search index's tables holds now; see ``LanceIndex``."""
        return int(self._database.look_up(GENERATION_STATEMENT) or 0)

    def embedding_model(self) -> EmbeddingModel | None:
        """Whose vectors the store holds; None before the first one."""
        return model_of(self.facts())
