"""How documents and messages become rows and rows become them, as ``rows`` does it for the rest."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import TYPE_CHECKING, Any

from memctl.document import Document, DocumentStatus
from memctl.encodable import encodable_text
from memctl.message import Message
from memctl.store.readings import (
    Readings,
    optional,
    read_columns,
    read_json_list,
    read_member,
    read_number,
    read_optional_text,
    read_text,
    read_whole_number,
    text_to_instant,
)
from memctl.store.rows import Row, optional_instant, optional_text, to_json

if TYPE_CHECKING:
    from sqlalchemy import RowMapping

DOCUMENT_READINGS: Readings = {
    "id": read_text,
    "path": read_text,
    "content_hash": read_text,
    "size_bytes": read_whole_number,
    "modified_at": optional(text_to_instant),
    "status": read_member(DocumentStatus),
    "reason": read_optional_text,
    "encoding": read_optional_text,
    "page_count": optional(read_whole_number),
    "pages_without_text": read_json_list,
    "document_date": optional(date.fromisoformat),
    "extractor": read_optional_text,
    "attempts": read_whole_number,
    "next_attempt_at": optional(text_to_instant),
    "redaction_count": read_whole_number,
    "input_tokens": read_whole_number,
    "output_tokens": read_whole_number,
    "cost_usd": read_number,
    "created_at": text_to_instant,
    "updated_at": text_to_instant,
}
"""The fields of a document, which are the columns of its row, as they are read."""

MESSAGE_READINGS: Readings = {
    "id": read_text,
    "channel_id": read_text,
    "session_id": read_optional_text,
    "role": read_text,
    "author": read_optional_text,
    "said_at": optional(text_to_instant),
    "position": read_whole_number,
    "content": read_text,
    "document_id": read_optional_text,
    "line": optional(read_whole_number),
}


def document_to_row(document: Document) -> Row:
    row: Row = {name: getattr(document, name) for name in DOCUMENT_READINGS}
    row["path"] = encodable_text(document.path)
    row["reason"] = optional_text(document.reason)
    row["status"] = str(document.status)
    row["pages_without_text"] = to_json(list(document.pages_without_text))
    day = document.document_date
    row["document_date"] = None if day is None else day.isoformat()
    for name in ("modified_at", "next_attempt_at", "created_at", "updated_at"):
        row[name] = optional_instant(row[name])
    return row


def row_to_document(row: Mapping[str, Any] | RowMapping) -> Document:
    """Raises DamagedRowError."""
    return Document(**read_columns("document", row, DOCUMENT_READINGS))


def message_to_row(message: Message) -> Row:
    row: Row = {name: getattr(message, name) for name in MESSAGE_READINGS}
    row["content"] = encodable_text(message.content)
    row["said_at"] = optional_instant(message.said_at)
    for name in ("session_id", "author"):
        row[name] = optional_text(row[name])
    row["channel_id"] = encodable_text(message.channel_id)
    return row


def row_to_message(row: Mapping[str, Any] | RowMapping) -> Message:
    """Raises DamagedRowError."""
    return Message(**read_columns("message", row, MESSAGE_READINGS))
