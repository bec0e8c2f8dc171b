"""How memories, hits and documents look as JSON and as table cells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memctl.cli.output import Column
from memctl.cli.text import shorten
from memctl.memory import ID_DISPLAY_LENGTH, Chunk, Citation, Memory, RelationType
from memctl.plural import plural
from memctl.records import citation_record, memory_record
from memctl.times import format_iso, format_relative

if TYPE_CHECKING:
    from memctl.new_memory import SaveReceipt
    from memctl.search_hit import SearchHit

CONTENT_LENGTH_PLAIN = 2_000
"""Longest content in one line of piped output; `--json` and `show` never cut."""

MEMORY_COLUMNS = (
    Column("id"),
    Column("type"),
    Column("imp.", right=True, from_width=100),
    Column("memory", wrap=True),
    Column("when", from_width=60),
)
"""The source has no column: on a terminal it stands below the memory, in a pipe at the end."""

SHOWN_RELATED = 3
"""Memories that are named after a save which a new one is only related to."""

DECIDING_RELATIONS = frozenset({RelationType.UPDATES, RelationType.CONTRADICTS})
"""Associations that say something about what holds: these are all named."""

HIT_COLUMNS = (Column("#", right=True), *MEMORY_COLUMNS)


def chunk_json(chunk: Chunk) -> dict[str, Any]:
    """A verbatim passage and its place in the document."""
    return {
        "id": chunk.id,
        "content": chunk.content,
        "first_line": chunk.first_line,
        "last_line": chunk.last_line,
        "first_page": chunk.first_page,
        "last_page": chunk.last_page,
        "heading_path": list(chunk.heading_path),
    }


def receipt_json(receipt: SaveReceipt) -> dict[str, Any]:
    """What became of a text that was saved."""
    return {
        "id": receipt.id,
        "outcome": receipt.outcome.value,
        "related": [
            {
                "id": related.id,
                "relation_type": related.relation_type.value,
                "similarity": related.similarity,
            }
            for related in receipt.related
        ],
        "redactions": list(receipt.redactions),
    }


def redaction_notice(receipt: SaveReceipt) -> str:
    """Which kinds of secrets were taken out of a text that was saved, each named once."""
    kinds = ", ".join(dict.fromkeys(receipt.redactions))
    return f"taken out before saving, and kept nowhere: {kinds}"


def related_lines(receipt: SaveReceipt) -> Iterator[str]:
    """What a saved memory is to others: what it updates and contradicts, else the nearest ones,
    and how many more there are."""
    deciding = [one for one in receipt.related if one.relation_type in DECIDING_RELATIONS]
    shown = deciding or receipt.related[:SHOWN_RELATED]
    for related in shown:
        name = related.relation_type.value.replace("_", " ")
        yield f"  {name} {related.id[:ID_DISPLAY_LENGTH]}"
    more = len(receipt.related) - len(shown)
    if more:
        yield f"  and {more} more; `memctl show {receipt.id[:ID_DISPLAY_LENGTH]}` names all"


def hit_json(hit: SearchHit, *, explain: bool) -> dict[str, Any]:
    """One answer of recall; a passage has ``kind`` chunk and no memory type."""
    document: dict[str, Any] = {"rank": hit.rank, "score": hit.score}
    if hit.memory is not None:
        document |= {"kind": "memory", **memory_record(hit.memory, hit.citation)}
    elif hit.chunk is not None:
        document |= {
            "kind": "chunk",
            **chunk_json(hit.chunk),
            "memory_type": None,
            "citation": citation_record(hit.citation),
        }
    document["collapsed"] = list(hit.collapsed)
    document["contradicted_by"] = list(hit.contradicted_by)
    if explain:
        document["explain"] = [
            {
                "strategy": part.strategy,
                "rank": part.rank,
                "raw_score": part.raw_score,
                "contribution": part.contribution,
            }
            for part in hit.parts
        ]
    return document


def memory_row(
    memory: Memory,
    citation: Citation | None,
    now: datetime,
    *,
    is_rich: bool,
    contradicted_by: Sequence[str] = (),
) -> list[str]:
    """The cells of MEMORY_COLUMNS."""
    return [
        memory.short_id,
        memory.memory_type.value,
        f"{memory.importance:.2f}",
        *_with_source(
            _content_cell(memory.content, is_rich=is_rich) + _marks(memory, contradicted_by),
            _when(memory, now),
            _source_text(memory.source, citation, is_rich=is_rich),
            is_rich=is_rich,
        ),
    ]


def hit_row(hit: SearchHit, now: datetime, *, is_rich: bool) -> list[str]:
    """The cells of HIT_COLUMNS."""
    if hit.memory is not None:
        row = memory_row(
            hit.memory, hit.citation, now, is_rich=is_rich, contradicted_by=hit.contradicted_by
        )
        return [str(hit.rank), *row]
    if hit.chunk is None:
        return [str(hit.rank)]
    chunk = hit.chunk
    return [
        str(hit.rank),
        chunk.id[:8],
        "passage",
        "",
        *_with_source(
            _content_cell(chunk.content.strip(), is_rich=is_rich),
            "",
            _source_text(None, hit.citation, is_rich=is_rich),
            is_rich=is_rich,
        ),
    ]


def counts_text(counts: Mapping[str, int]) -> str:
    """``3 facts, 1 todo`` from counts by type, the largest first."""
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(plural(number, name) for name, number in ordered if number)


def _content_cell(content: str, *, is_rich: bool) -> str:
    return content if is_rich else shorten(content, CONTENT_LENGTH_PLAIN)


def _marks(memory: Memory, contradicted_by: Sequence[str]) -> str:
    marks = []
    if contradicted_by:
        others = ", ".join(other[:ID_DISPLAY_LENGTH] for other in contradicted_by)
        marks.append(f"contradicted by {others}")
    if memory.pinned:
        marks.append("pinned")
    if memory.superseded_by:
        marks.append(f"superseded by {memory.superseded_by[:ID_DISPLAY_LENGTH]}")
    if memory.forgotten:
        marks.append("forgotten")
    return f" [{', '.join(marks)}]" if marks else ""


def _when(memory: Memory, now: datetime) -> str:
    if memory.event_at is not None:
        return format_iso(memory.event_at)[:10]
    return format_relative(memory.created_at, now)


def _with_source(content: str, when: str, source: str, *, is_rich: bool) -> list[str]:
    """The last cells of a row."""
    if is_rich:
        return [f"{content}\n{source}" if source else content, when]
    return [content, when, source]


def _source_text(source: str | None, citation: Citation | None, *, is_rich: bool) -> str:
    if citation is None:
        return source or ""
    return str(replace(citation, path=near_path(citation.path)) if is_rich else citation)


current_folder: ContextVar[Path | None] = ContextVar("current_folder", default=None)
"""The folder from which paths are shown; None: that of this process."""


def near_path(path: str) -> str:
    """A path as people read it: from the current folder where it lies below that."""
    try:
        return str(Path(path).relative_to(current_folder.get() or Path.cwd()))
    except (ValueError, OSError):
        return path
