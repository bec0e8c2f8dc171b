"""A file's bytes become a text without secrets, or the named state that stands in its place; its
chunks, and what these state, become what is stored."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from uuid import uuid4

from memctl.content import hash_content
from memctl.extraction.extractor import RULES_EXTRACTOR, DocumentText, TextFormat
from memctl.extraction.redaction import redact
from memctl.file_lines import FileLine
from memctl.ingestion.chunking import chunk_text
from memctl.ingestion.readers.registry import read_document
from memctl.ingestion.readers.table import parse_table
from memctl.memory import Chunk, Origin
from memctl.new_memory import NewMemory

if TYPE_CHECKING:
    from memctl.document import Candidate
    from memctl.embedding import Embedder
    from memctl.ingestion.discovery import FileContent, Found
    from memctl.ingestion.options import IngestOptions
    from memctl.ingestion.readers.outcome import ReadOutcome


def redact_document(document: DocumentText) -> tuple[DocumentText, tuple[str, ...]]:
    """The document without secrets in text, title and cells, and the kinds of the secrets in
    reading order."""
    starts = [start for start, _ in document.file_lines]
    redacted = redact(document.text, document.literal_places, starts)
    title = None if document.title is None else redact(document.title).text
    if not redacted.kinds:
        return replace(document, title=title), ()
    clean = replace(
        document,
        text=redacted.text,
        title=title,
        literal_places=redacted.places,
        file_lines=tuple(
            FileLine(start, line)
            for start, (_, line) in zip(redacted.starts, document.file_lines, strict=True)
        ),
    )
    if document.text_format is TextFormat.TABLE:
        table = parse_table(redacted.text)
        clean = replace(clean, table_header=table.header, table_rows=table.rows)
    return clean, redacted.kinds


def prepare(
    item: Found, file: FileContent, options: IngestOptions
) -> tuple[ReadOutcome, tuple[str, ...]]:
    """What the file's reader made of it, without secrets, and the kinds of secret taken out."""
    outcome = read_document(
        item.path,
        file.data,
        password=options.password,
        timeout_seconds=options.pdf_timeout_seconds,
    )
    if outcome.document is None:
        return outcome, ()
    document, kinds = redact_document(outcome.document)
    return replace(outcome, document=replace(document, changed_at=file.modified_at)), kinds


def cut_into_chunks(text: DocumentText, measure: Embedder, options: IngestOptions) -> list[Chunk]:
    """The verbatim chunks of a text, none longer than the embedding model's window."""
    spans = chunk_text(
        text,
        count_tokens=measure.count_tokens,
        max_tokens=measure.window_tokens,
        target_tokens=min(options.chunk_tokens, measure.window_tokens),
    )
    return [
        Chunk(
            id=str(uuid4()),
            document_id="",
            position=position,
            content=span.content,
            content_hash=hash_content(span.content),
            first_line=span.first_line,
            last_line=span.last_line,
            line_starts=span.line_starts,
            first_page=span.first_page,
            last_page=span.last_page,
            heading_path=span.heading_path,
        )
        for position, span in enumerate(spans)
    ]


def new_memory(
    candidate: Candidate, text: DocumentText, options: IngestOptions, extractor_name: str
) -> NewMemory:
    """What is to be stored of a statement that was found in the text."""
    return NewMemory(
        content=candidate.content,
        memory_type=candidate.memory_type,
        importance=candidate.importance,
        source=text.path,
        channel_id=options.channel_id,
        subject=candidate.subject,
        key=candidate.key,
        tags=(*text.tags, *candidate.tags, *options.tags),
        event_at=candidate.event_at,
        origin=Origin.FILE if extractor_name == RULES_EXTRACTOR else Origin.LLM,
        first_line=candidate.first_line,
        last_line=candidate.last_line,
        first_place=candidate.first_place,
        last_place=candidate.last_place,
        page=candidate.page,
    )
