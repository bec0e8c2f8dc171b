"""How documents and messages become rows and rows become them, as ``rows`` does it for the rest."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from datetime import date
from typing import TYPE_CHECKING, Any

from memctl.document import Document, DocumentStatus
from memctl.message import Message
from memctl.store.rows import (
    Row,
    optional_instant,
    optional_text,
    storable_text,
    text_to_instant,
    to_json,
)

if TYPE_CHECKING:
    from sqlalchemy import RowMapping

_DOCUMENT_FIELDS = tuple(field.name for field in fields(Document))
_MESSAGE_FIELDS = tuple(field.name for field in fields(Message))


def document_to_row(document: Document) -> Row:
    row: Row = {name: getattr(document, name) for name in _DOCUMENT_FIELDS}
    row["path"] = storable_text(document.path)
    row["reason"] = optional_text(document.reason)
    row["status"] = str(document.status)
    row["pages_without_text"] = to_json(list(document.pages_without_text))
    day = document.document_date
    row["document_date"] = None if day is None else day.isoformat()
    for name in ("modified_at", "next_attempt_at", "created_at", "updated_at"):
        row[name] = optional_instant(row[name])
    return row


def row_to_document(row: Mapping[str, Any] | RowMapping) -> Document:
    values: Row = {name: row[name] for name in _DOCUMENT_FIELDS}
    values["status"] = DocumentStatus(values["status"])
    values["pages_without_text"] = tuple(json.loads(values["pages_without_text"]))
    if values["document_date"] is not None:
        values["document_date"] = date.fromisoformat(values["document_date"])
    for name in ("modified_at", "next_attempt_at", "created_at", "updated_at"):
        if values[name] is not None:
            values[name] = text_to_instant(values[name])
    return Document(**values)


def message_to_row(message: Message) -> Row:
    row: Row = {name: getattr(message, name) for name in _MESSAGE_FIELDS}
    row["content"] = storable_text(message.content)
    row["said_at"] = optional_instant(message.said_at)
    for name in ("session_id", "author"):
        row[name] = optional_text(row[name])
    row["channel_id"] = storable_text(message.channel_id)
    return row


def row_to_message(row: Mapping[str, Any] | RowMapping) -> Message:
    values: Row = {name: row[name] for name in _MESSAGE_FIELDS}
    if values["said_at"] is not None:
        values["said_at"] = text_to_instant(values["said_at"])
    return Message(**values)
