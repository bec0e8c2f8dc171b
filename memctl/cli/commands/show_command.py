"""``memctl show``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from memctl.cli.options import IdsArgument
from memctl.cli.render import chunk_json, near_path
from memctl.cli.session import Session
from memctl.cli.text import shorten
from memctl.errors import UnknownMemoryError
from memctl.memory import (
    ID_DISPLAY_LENGTH,
    Association,
    Citation,
    Memory,
    Passage,
    StoredPassage,
)
from memctl.plural import plural
from memctl.records import association_record, memory_record
from memctl.times import format_iso, format_local, format_relative

if TYPE_CHECKING:
    from memctl.store.graph import Graph
    from memctl.store.light_graph import LightGraph

CONTENT_LENGTH = 200
"""Characters of other memories than the one that is shown."""


def show(session: Session, ids: IdsArgument) -> None:
    """Show memories in full, with their source and associations.

    The id of a passage, as recall shows it, shows what a file says there, and the memories that
    come from it.

    \b
    Examples:
      memctl show 3fa9
      memctl show 3fa9c2d1 --json
    """
    graph = session.light.graph
    resolved, stored = _resolve(graph, ids)
    memories = graph.memories(resolved)
    citations = graph.citations(resolved)
    passages = graph.passages(resolved)
    documents: list[dict[str, Any]] = []
    for number, memory_id in enumerate(resolved):
        memory = memories[memory_id]
        history = graph.history(memory_id)[::-1]
        associations = graph.associations_of([memory_id])
        if session.output.as_json:
            documents.append(
                {
                    **memory_record(memory, citations.get(memory_id)),
                    "associations": [association_record(edge) for edge in associations],
                    "history": [step.id for step in history if step.id != memory_id],
                    "passages": [chunk_json(one.chunk) for one in passages.get(memory_id, ())],
                }
            )
            continue
        if number:
            session.output.line()
        _print_memory(session, memory, citations.get(memory_id))
        _print_associations(session, memory_id, associations)
        _print_history(session, memory, history)
        _print_passages(session, passages.get(memory_id, ()))
    found = [(passage, graph.memories_of_passage(passage.chunk.id)) for passage in stored]
    if session.output.as_json:
        session.output.json(_document(documents, found))
        return
    for number, (passage, stated) in enumerate(found):
        if resolved or number:
            session.output.line()
        _print_stored_passage(session, passage, graph.memories(stated))


def _resolve(
    graph: Graph | LightGraph, prefixes: Sequence[str]
) -> tuple[list[str], list[StoredPassage]]:
    """The ids of memories and the passages that the prefixes name, each once. Raises
    UnknownMemoryError for what is neither, and AmbiguousMemoryError."""
    ids: dict[str, None] = {}
    stored: dict[str, StoredPassage] = {}
    for prefix in prefixes:
        try:
            ids[graph.resolve(prefix, include_forgotten=True)] = None
        except UnknownMemoryError:
            passage = graph.find_passage(prefix)
            if passage is None:
                raise
            stored[passage.chunk.id] = passage
    return list(ids), list(stored.values())


def _document(
    memories: list[dict[str, Any]], found: Sequence[tuple[StoredPassage, list[str]]]
) -> dict[str, Any]:
    """The answer as JSON: a memory or passage by itself, several in lists."""
    passages = [
        {
            **chunk_json(passage.chunk),
            "path": passage.path,
            "retired": passage.retired,
            "memory_ids": stated,
        }
        for passage, stated in found
    ]
    if len(memories) + len(passages) == 1:
        return [*memories, *passages][0]
    return {"memories": memories, **({"passages": passages} if passages else {})}


def _print_stored_passage(
    session: Session, passage: StoredPassage, stated: Mapping[str, Memory]
) -> None:
    chunk = passage.chunk
    rows = [
        ("id", chunk.id),
        ("passage of", near_path(passage.path)),
        ("heading", " > ".join(chunk.heading_path)),
        ("lines", _span(chunk.first_line, chunk.last_line)),
        ("pages", _span(chunk.first_page, chunk.last_page)),
        ("gone", "yes: the file says it no more" if passage.retired else ""),
    ]
    session.output.fields([(name, value) for name, value in rows if value])
    session.output.line("text:")
    for line in chunk.content.splitlines():
        session.output.hanging(f"  | {line}", 4)
    if stated:
        session.output.line("memories from it:")
    for memory in stated.values():
        hidden = " (forgotten)" if memory.forgotten else ""
        content = shorten(memory.content, CONTENT_LENGTH)
        session.output.hanging(f"  {memory.short_id}{hidden}  {content}", 4)


def _span(first: int | None, last: int | None) -> str:
    if first is None:
        return ""
    return str(first) if last in (None, first) else f"{first}-{last}"


def _print_memory(session: Session, memory: Memory, citation: Citation | None) -> None:
    now = session.light.clock()
    rows: list[tuple[str, Any]] = [
        ("id", memory.id),
        ("memory", memory.content),
        ("type", memory.memory_type.value),
        ("importance", f"{memory.importance:.2f}"),
        ("happened", memory.event_at and format_local(memory.event_at)),
        ("saved", f"{format_local(memory.created_at)} ({format_relative(memory.created_at, now)})"),
        ("changed", _changed(memory)),
        ("expires", memory.expires_at and format_local(memory.expires_at)),
        ("recalled", plural(memory.access_count, "time") if memory.access_count else None),
        ("subject", memory.subject),
        ("key", memory.key),
        ("tags", ", ".join(memory.tags)),
        ("channel", memory.channel_id),
        ("session", memory.session_id),
        ("origin", memory.origin.value),
        ("source", str(citation) if citation else memory.source),
        ("pinned", "yes" if memory.pinned else None),
        ("forgotten", "yes" if memory.forgotten else None),
        ("superseded by", memory.superseded_by),
    ]
    session.output.fields([(name, str(value)) for name, value in rows if value])


def _changed(memory: Memory) -> str | None:
    if memory.updated_at == memory.created_at:
        return None
    return format_local(memory.updated_at)


def _print_associations(session: Session, memory_id: str, associations: list[Association]) -> None:
    if not associations:
        return
    others = session.light.graph.memories(
        {edge.target_id if edge.source_id == memory_id else edge.source_id for edge in associations}
    )
    session.output.line("associations:")
    for edge in associations:
        outgoing = edge.source_id == memory_id
        other = others[edge.target_id if outgoing else edge.source_id]
        name = edge.relation_type.value.replace("_", " ")
        verb = name if outgoing else f"is the target of {name!r} from"
        content = shorten(other.content, CONTENT_LENGTH)
        session.output.hanging(f"  {verb} {other.id[:ID_DISPLAY_LENGTH]}  {content}", 4)


def _print_history(session: Session, shown: Memory, history: Sequence[Memory]) -> None:
    """The chain of updates, the latest first; the memory that is shown stands in it only where
    something came after it."""
    if len(history) == 1:
        return
    session.output.line("history:")
    for step in history[1:] if history[0].id == shown.id else history:
        content = "(this one)" if step.id == shown.id else shorten(step.content, CONTENT_LENGTH)
        day = format_iso(step.created_at)[:10]
        session.output.hanging(f"  {day} {step.short_id}  {content}", 4)


def _print_passages(session: Session, passages: Sequence[Passage]) -> None:
    """What documents say where they state it; what they said before only when none does now."""
    standing = [passage for passage in passages if not passage.retired]
    for text in dict.fromkeys(passage.cited_text for passage in standing or passages):
        session.output.line("cited text:")
        for line in text.splitlines():
            session.output.hanging(f"  | {line}", 4)
