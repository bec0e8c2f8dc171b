"""Erasing memories: their rows, their text in the passages they came from, and their journal.
Erasing whole passages, with the memories that nothing else states.

The one place where something is deleted for good. What says the same goes with it: other memories
or passages of equal text, and originals that were merged into one of them. Lines of a passage that
state a purged memory are overwritten, and the passage keeps its hash, so that taking in the same
file again does not bring the text back.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection, RowMapping, or_, select

from memctl.file_lines import StatedAt, stated_places
from memctl.memory import Chunk, EntryKind, ForgetReason
from memctl.store.erasing import ERASED, TextEraser, in_one_line
from memctl.store.facts import PURGING_KEY, write_facts
from memctl.store.journal import WriteTransaction
from memctl.store.journal_reads import recorded_states
from memctl.store.memory_writes import hide, update_memories
from memctl.store.purge_targets import PurgeTargets
from memctl.store.queries import memories_where
from memctl.store.readings import read_json_list, read_json_object, read_value
from memctl.store.reads import in_batches
from memctl.store.rows import (
    chunk_to_row,
    instant_to_text,
    read_line_starts,
    row_to_chunk,
    row_to_stated,
    to_json,
)
from memctl.store.saving import no_longer_superseded
from memctl.store.schema import (
    associations,
    centrality,
    chunks,
    documents,
    memories,
    memory_chunks,
    memory_tags,
    messages,
    operation_changes,
    operations,
)
from memctl.store.text_search import TextSearch

JOURNAL_PAGE_ROWS = 5_000
"""Rows of the journal that are in memory at a time."""


@dataclass(frozen=True, slots=True)
class ErasedChunk:
    """A passage and what is to be left of it."""

    before: Chunk
    after: Chunk


LineRanges = dict[str, list[StatedAt]]
"""By passage, where it states something."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedStatements:
    """What the journal alone still knows of what is to be erased: the ids of memories that said the
    same, and where passages stated them."""

    memory_ids: frozenset[str]
    lines: LineRanges


@dataclass(frozen=True, slots=True, kw_only=True)
class PurgePlan(PurgeTargets):
    """Also the passages that lose something, the ``paths`` of the files that they are from, and the
    ``lines`` that stated it, as they stood there: with markup, say."""

    chunks: tuple[ErasedChunk, ...]
    paths: tuple[str, ...]
    lines: tuple[str, ...] = ()
    recorded: RecordedStatements

    @property
    def stating_lines(self) -> list[str]:
        """Those of the lines that are not of passages of which nothing is left."""
        whole = frozenset(self.whole_lines)
        return [line for line in self.lines if line not in whole]

    @property
    def whole_lines(self) -> list[str]:
        """The lines of the passages of which nothing is left, and the headings above them that have
        several words (one word alone may be a label that memctl uses itself), longest first."""
        whole = [entry.before for entry in self.chunks if entry.before.id in self.whole_chunks]
        headings = [heading for chunk in whole for heading in chunk.heading_path]
        texts = [*(chunk.content for chunk in whole), *(one for one in headings if " " in one)]
        lines = {line.strip() for text in texts for line in text.split("\n")}
        return sorted(lines - {"", ERASED}, key=lambda line: (-len(line), line))


def plan_purge(connection: Connection, targets: PurgeTargets) -> PurgePlan:
    """What is to be done for it; reads every passage of the store."""
    gone = [memory.id for memory in targets.memories]
    erased = _erased_chunks(connection, gone, targets)
    recorded = _recorded_statements(connection, targets)
    document_ids = [entry.before.document_id for entry in erased]
    paths: list[str] = []
    for batch in in_batches(document_ids):
        statement = select(documents.c.path).where(documents.c.id.in_(batch))
        paths += connection.scalars(statement.order_by(documents.c.path))
    return PurgePlan(
        memories=targets.memories,
        texts=targets.texts,
        journal_ids=targets.journal_ids,
        whole_chunks=targets.whole_chunks,
        chunks=tuple(erased),
        paths=tuple(paths),
        lines=tuple(dict.fromkeys(_erased_lines(connection, erased, recorded))),
        recorded=recorded,
    )


def apply_purge(writes: WriteTransaction, plan: PurgePlan) -> None:
    """Erases what was planned in the same transaction. What the purged memories had outdated is
    current again."""
    connection = writes.connection
    connection.exec_driver_sql("PRAGMA secure_delete = ON")
    writes.note()
    write_facts(connection, {PURGING_KEY: instant_to_text(writes.now)})
    hide(writes, plan.memories, ForgetReason.USER)
    _let_go(writes, plan.ids)
    _delete_rows(connection, plan.ids)
    wiped = _erase_messages(connection, plan)
    _scrub_journal(connection, plan, wiped)
    for entry in plan.chunks:
        row = chunk_to_row(entry.after)
        values = {"content": row["content"], "heading_path": row["heading_path"]}
        connection.execute(chunks.update().where(chunks.c.id == entry.before.id).values(values))
    writes.mark_dirty(EntryKind.MEMORY, plan.ids, text_changed=False)
    changed = [entry.before.id for entry in plan.chunks]
    writes.mark_dirty(EntryKind.CHUNK, changed, text_changed=True)


def _erased_chunks(
    connection: Connection, ids: Sequence[str], targets: PurgeTargets
) -> list[ErasedChunk]:
    lines = _stated_lines(connection, ids)
    eraser = TextEraser(targets.texts)
    erased = []
    for row in connection.execute(select(chunks).order_by(chunks.c.id)).mappings():
        chunk = row_to_chunk(row)
        if chunk.id in targets.whole_chunks:
            left = replace(_without(chunk, [StatedAt(None, None)], TextEraser(())), heading_path=())
        else:
            left = _without(chunk, lines.get(chunk.id), eraser)
        if left != chunk:
            erased.append(ErasedChunk(chunk, left))
    return erased


def _stated_lines(connection: Connection, ids: Sequence[str]) -> LineRanges:
    """Where the passages state one of the memories."""
    found: LineRanges = {}
    for batch in in_batches(ids):
        stated = memory_chunks.c.memory_id.in_(batch)
        rows = connection.execute(select(memory_chunks).where(stated))
        for row in rows.mappings():
            found.setdefault(row["chunk_id"], []).append(row_to_stated(row))
    return found


def _recorded_statements(connection: Connection, targets: PurgeTargets) -> RecordedStatements:
    """Reads the whole journal, where what was undone or replaced leaves rows of its own."""
    texts = {*targets.texts}
    ids = {*targets.ids}
    for row in _journal_rows(connection, memories.name):
        if any(state.get("content") in texts for state in recorded_states(row)):
            ids.add(row["row_key"])
    lines: LineRanges = {}
    for row in _journal_rows(connection, memory_chunks.name):
        for state in recorded_states(row):
            if state.get("memory_id") in ids:
                lines.setdefault(state["chunk_id"], []).append(row_to_stated(state))
    return RecordedStatements(memory_ids=frozenset(ids), lines=lines)


def _erased_lines(
    connection: Connection, erased: Iterable[ErasedChunk], recorded: RecordedStatements
) -> Iterator[str]:
    """The lines that are overwritten, in passages that are there and in those of the journal."""
    for entry in erased:
        yield from _changed_lines(entry.before.content, entry.after.content)
    for row in _journal_rows(connection, chunks.name):
        for stated in recorded.lines.get(row["row_key"], ()):
            for state in recorded_states(row):
                if stated.first_line is not None and "content" in state and "first_line" in state:
                    starts = read_line_starts(state.get("line_starts"))
                    content, first_line = state["content"], state["first_line"]
                    first, last = stated_places(content, first_line, starts, stated)
                    lines = content.split("\n")[max(0, first) : last + 1]
                    yield from (line.strip() for line in lines if line.strip())


def _without(chunk: Chunk, lines: Sequence[StatedAt] | None, eraser: TextEraser) -> Chunk:
    content = eraser.erased(chunk.content)
    for stated in lines or ():
        if stated.first_line is not None or content == chunk.content:
            content = _overwritten(content, *chunk.places(stated))
    gone = set(_changed_lines(chunk.content, content))
    heading_path = tuple(_heading_without(one, gone, eraser) for one in chunk.heading_path)
    return replace(chunk, content=content, heading_path=heading_path)


def _heading_without(heading: str, lines: Collection[str], eraser: TextEraser) -> str:
    """The heading without the text, erased whole where it holds one of the erased lines."""
    if any(line.strip() in lines for line in heading.split("\n")):
        return ERASED
    return eraser.erased(heading)


def _changed_lines(before: str, after: str) -> Iterator[str]:
    pairs = zip(before.split("\n"), after.split("\n"), strict=False)
    return (line.strip() for line, left in pairs if line != left)


def _overwritten(content: str, first: int, last: int) -> str:
    """``content`` with the lines from ``first`` to ``last`` (from 0) erased."""
    lines = content.split("\n")
    return "\n".join(
        ERASED if first <= number <= last and line.strip() else line
        for number, line in enumerate(lines)
    )


def _let_go(writes: WriteTransaction, ids: Sequence[str]) -> None:
    """Hidden memories whose successor is to go have none any more."""
    gone = frozenset(ids)
    left = memories_where(writes.connection, memories.c.superseded_by, ids)
    update_memories(
        writes, [(memory, no_longer_superseded(memory)) for memory in left if memory.id not in gone]
    )


def _delete_rows(connection: Connection, ids: Sequence[str]) -> None:
    for batch in in_batches(ids):
        ends = or_(associations.c.source_id.in_(batch), associations.c.target_id.in_(batch))
        connection.execute(associations.delete().where(ends))
        for table in (memory_tags, memory_chunks, centrality):
            connection.execute(table.delete().where(table.c.memory_id.in_(batch)))
        connection.execute(
            memories.update().where(memories.c.id.in_(batch)).values(superseded_by=None)
        )
    for batch in in_batches(ids):
        connection.execute(memories.delete().where(memories.c.id.in_(batch)))


def _erase_messages(connection: Connection, plan: PurgePlan) -> set[str]:
    """Takes the texts out of what was said in channels, and all that whole passages hold of it;
    gives the ids of the messages of which nothing is left."""
    eraser = TextEraser(plan.texts)
    passages: dict[str, list[str]] = {}
    for entry in plan.chunks:
        if entry.before.id in plan.whole_chunks:
            text = in_one_line(entry.before.content)
            passages.setdefault(entry.before.document_id, []).append(text)
    wiped: set[str] = set()
    columns = (messages.c.id, messages.c.content, messages.c.document_id)
    for message_id, content, document_id in connection.execute(select(*columns)).all():
        lines = [in_one_line(line) for line in content.split("\n") if line.strip()]
        if any(line in text for text in passages.get(document_id, ()) for line in lines):
            wiped.add(message_id)
            left = ERASED
        else:
            left = eraser.erased(content)
        if left != content:
            where = messages.c.id == message_id
            connection.execute(messages.update().where(where).values(content=left))
    return wiped


def _scrub_journal(connection: Connection, plan: PurgePlan, wiped: Collection[str]) -> None:
    """Removes every recorded change that names a purged memory or holds its text. What a memory
    that stays holds as a part of its own text is left to its own history."""
    _scrub_arguments(connection, plan.texts)
    _scrub_sources(connection, [*plan.ids, *plan.recorded.memory_ids])
    ids = TextSearch([*plan.ids, *plan.recorded.memory_ids])
    said = TextEraser(plan.texts, in_json=True)
    staying = _memories_with(connection, plan.texts)
    emptied = {entry.before.id for entry in plan.chunks} | plan.recorded.lines.keys()
    in_passages = TextEraser(plan.texts)
    lines = frozenset(plan.lines)
    for row in _journal_rows(connection):
        where = operation_changes.c.id == row["id"]
        states = (row["row_key"], row["row_before"] or "", row["row_after"] or "")
        holds_text = any(said.is_in(state) for state in states)
        is_passage = row["table_name"] == chunks.name
        is_wiped = row["table_name"] == messages.name and row["row_key"] in wiped
        if is_wiped or (is_passage and (holds_text or row["row_key"] in emptied)):
            names = ("row_before", "row_after")
            is_whole = row["row_key"] in plan.whole_chunks
            left = {
                name: _scrubbed(row[name], in_passages, lines, is_whole=is_whole) for name in names
            }
            connection.execute(operation_changes.update().where(where).values(left))
        elif not is_passage and (
            any(ids.is_in(state) for state in states)
            or (holds_text and row["row_key"] not in staying)
        ):
            connection.execute(operation_changes.delete().where(where))


def _memories_with(connection: Connection, texts: Sequence[str]) -> set[str]:
    """The memories that hold one of the texts, the purged ones being gone."""
    search = TextSearch(texts)
    rows = connection.execute(select(memories.c.id, memories.c.content))
    return {memory_id for memory_id, content in rows if search.is_in(content)}


def _scrub_arguments(connection: Connection, texts: Sequence[str]) -> None:
    """Takes the texts out of what commands were called with, such as a source."""
    eraser = TextEraser(texts, in_json=True)
    for operation_id, arguments in connection.execute(
        select(operations.c.id, operations.c.arguments)
    ).all():
        left = eraser.erased(arguments)
        if left != arguments:
            where = operations.c.id == operation_id
            connection.execute(operations.update().where(where).values(arguments=left))


def _scrub_sources(connection: Connection, ids: Sequence[str]) -> None:
    """Takes what the memories were labelled with as their source out of the operations that saved
    or changed them."""
    operation_ids: set[int] = set()
    for batch in in_batches(ids):
        changes = select(operation_changes.c.operation_id).where(
            operation_changes.c.table_name == memories.name, operation_changes.c.row_key.in_(batch)
        )
        operation_ids |= set(connection.scalars(changes))
    for numbers in in_batches(sorted(operation_ids)):
        rows = select(operations.c.id, operations.c.arguments).where(operations.c.id.in_(numbers))
        for operation_id, text in connection.execute(rows).all():
            arguments = read_value("an operation", "arguments", text, read_json_object)
            if arguments.get("source"):
                left = to_json({**arguments, "source": ERASED})
                where = operations.c.id == operation_id
                connection.execute(operations.update().where(where).values(arguments=left))


def _scrubbed(
    state: str | None, eraser: TextEraser, lines: Collection[str], *, is_whole: bool
) -> str | None:
    """A recorded row of a passage without the text and the lines, and without its headings where it
    ``is_whole`` that is erased."""
    if state is None:
        return None
    row = read_value("a passage in the journal", "recorded state", state, read_json_object)
    if "heading_path" in row:
        headings = read_value(
            "a passage in the journal", "heading_path", row["heading_path"], read_json_list
        )
        kept = [] if is_whole else headings
        path = [_heading_without(heading, lines, eraser) for heading in kept]
        row["heading_path"] = to_json(path)
    if "content" in row:
        row["content"] = ERASED
    return to_json(row)


def _journal_rows(connection: Connection, table_name: str | None = None) -> Iterator[RowMapping]:
    """All recorded changes, or those of one table, in their order."""
    last = 0
    while True:
        statement = (
            select(operation_changes)
            .where(operation_changes.c.id > last)
            .order_by(operation_changes.c.id)
            .limit(JOURNAL_PAGE_ROWS)
        )
        if table_name is not None:
            statement = statement.where(operation_changes.c.table_name == table_name)
        rows = connection.execute(statement).mappings().all()
        if not rows:
            return
        yield from rows
        last = rows[-1]["id"]
