"""Memories, citations and associations as JSON objects: in `--json`, and as lines of an export."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memctl.times import format_iso

if TYPE_CHECKING:
    from memctl.memory import Association, Citation, Memory


def memory_record(memory: Memory, citation: Citation | None) -> dict[str, Any]:
    """Every field of a memory under its own name; times in ISO 8601, a citation or null."""
    return {
        "id": memory.id,
        "content": memory.content,
        "memory_type": memory.memory_type.value,
        "importance": memory.importance,
        "decayed_from": memory.decayed_from,
        "created_at": format_iso(memory.created_at),
        "updated_at": format_iso(memory.updated_at),
        "last_accessed_at": format_iso(memory.last_accessed_at),
        "access_count": memory.access_count,
        "source": memory.source,
        "channel_id": memory.channel_id,
        "session_id": memory.session_id,
        "subject": memory.subject,
        "key": memory.key,
        "tags": list(memory.tags),
        "event_at": None if memory.event_at is None else format_iso(memory.event_at),
        "expires_at": None if memory.expires_at is None else format_iso(memory.expires_at),
        "pinned": memory.pinned,
        "forgotten": memory.forgotten,
        "forgotten_reason": memory.forgotten_reason and memory.forgotten_reason.value,
        "origin": memory.origin.value,
        "stated_directly": memory.stated_directly,
        "content_hash": memory.content_hash,
        "superseded_by": memory.superseded_by,
        "document_id": memory.document_id,
        "citation": citation_record(citation),
    }


def citation_record(citation: Citation | None) -> dict[str, Any] | None:
    """``path, first_line, last_line, page`` or None."""
    if citation is None:
        return None
    return {
        "path": citation.path,
        "first_line": citation.first_line,
        "last_line": citation.last_line,
        "page": citation.page,
    }


def association_record(association: Association) -> dict[str, Any]:
    """An edge with its direction."""
    return {
        "id": association.id,
        "source_id": association.source_id,
        "target_id": association.target_id,
        "relation_type": association.relation_type.value,
        "weight": association.weight,
        "created_at": format_iso(association.created_at),
    }
