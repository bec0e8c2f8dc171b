"""The tables as SQLAlchemy sees them, for building statements.

``migrations`` makes the tables and their indexes; a test holds that the columns it makes are those
that stand here. Times are text (see ``rows``), and foreign keys are checked at commit, so that the
rows of one transaction may come in any order.
"""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Double,
    ForeignKey,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData()


def _reference(name: str, target: str, *, nullable: bool = False) -> Column[str]:
    key = ForeignKey(target, deferrable=True, initially="DEFERRED")
    return Column(name, Text, key, nullable=nullable)


documents = Table(
    "documents",
    metadata,
    Column("id", Text, primary_key=True),
    Column("path", Text, nullable=False, unique=True),
    Column("content_hash", Text, nullable=False),
    Column("size_bytes", Integer, nullable=False),
    Column("modified_at", Text),
    Column("status", Text, nullable=False),
    Column("reason", Text),
    Column("encoding", Text),
    Column("page_count", Integer),
    Column("pages_without_text", Text, nullable=False),
    Column("document_date", Text),
    Column("extractor", Text),
    Column("attempts", Integer, nullable=False),
    Column("next_attempt_at", Text),
    Column("redaction_count", Integer, nullable=False),
    Column("input_tokens", Integer, nullable=False),
    Column("output_tokens", Integer, nullable=False),
    Column("cost_usd", Double, nullable=False),
    Column("created_at", Text, nullable=False),
    Column("updated_at", Text, nullable=False),
)

chunks = Table(
    "chunks",
    metadata,
    Column("id", Text, primary_key=True),
    _reference("document_id", "documents.id"),
    Column("position", Integer, nullable=False),
    Column("content", Text, nullable=False),
    Column("content_hash", Text, nullable=False),
    Column("first_line", Integer, nullable=False),
    Column("last_line", Integer, nullable=False),
    Column("first_page", Integer),
    Column("last_page", Integer),
    Column("heading_path", Text, nullable=False),
    Column("extracted", Boolean, nullable=False),
    Column("error", Text),
    Column("retired", Boolean, nullable=False),
    Column("line_starts", Text),
)

memories = Table(
    "memories",
    metadata,
    Column("sequence", Integer, primary_key=True),
    Column("id", Text, nullable=False, unique=True),
    Column("content", Text, nullable=False),
    Column("content_hash", Text, nullable=False),
    Column("memory_type", Text, nullable=False),
    Column("importance", Double, nullable=False),
    Column("created_at", Text, nullable=False),
    Column("updated_at", Text, nullable=False),
    Column("last_accessed_at", Text, nullable=False),
    Column("access_count", Integer, nullable=False),
    Column("source", Text),
    Column("channel_id", Text),
    Column("session_id", Text),
    Column("subject", Text),
    Column("key", Text),
    Column("event_at", Text),
    Column("expires_at", Text),
    Column("pinned", Boolean, nullable=False),
    Column("forgotten", Boolean, nullable=False),
    Column("forgotten_reason", Text),
    Column("origin", Text, nullable=False),
    Column("stated_directly", Boolean, nullable=False),
    _reference("superseded_by", "memories.id", nullable=True),
    _reference("document_id", "documents.id", nullable=True),
    _reference("chunk_id", "chunks.id", nullable=True),
    Column("first_line", Integer),
    Column("last_line", Integer),
    Column("page", Integer),
    Column("decayed_from", Double),
)

memory_tags = Table(
    "memory_tags",
    metadata,
    _reference("memory_id", "memories.id"),
    Column("tag", Text, nullable=False),
    PrimaryKeyConstraint("memory_id", "tag"),
)

memory_chunks = Table(
    "memory_chunks",
    metadata,
    _reference("memory_id", "memories.id"),
    _reference("chunk_id", "chunks.id"),
    Column("first_line", Integer),
    Column("last_line", Integer),
    Column("page", Integer),
    Column("first_place", Integer),
    Column("last_place", Integer),
    PrimaryKeyConstraint("memory_id", "chunk_id"),
)

associations = Table(
    "associations",
    metadata,
    Column("id", Text, primary_key=True),
    _reference("source_id", "memories.id"),
    _reference("target_id", "memories.id"),
    Column("relation_type", Text, nullable=False),
    Column("weight", Double, nullable=False),
    Column("created_at", Text, nullable=False),
    UniqueConstraint("source_id", "target_id", "relation_type"),
)

centrality = Table(
    "centrality",
    metadata,
    # No reference: it is derived, and its rows may outlive a memory until they are made anew.
    Column("memory_id", Text, primary_key=True),
    Column("degree", Integer, nullable=False),
    Column("weight", Double, nullable=False),
)

messages = Table(
    "messages",
    metadata,
    Column("id", Text, primary_key=True),
    Column("channel_id", Text, nullable=False),
    Column("session_id", Text),
    Column("role", Text, nullable=False),
    Column("author", Text),
    Column("said_at", Text),
    Column("position", Integer, nullable=False),
    Column("content", Text, nullable=False),
    _reference("document_id", "documents.id", nullable=True),
    Column("line", Integer),
)

operations = Table(
    "operations",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("command", Text, nullable=False),
    Column("arguments", Text, nullable=False),
    Column("started_at", Text, nullable=False),
    Column("finished_at", Text, nullable=False),
)

operation_changes = Table(
    "operation_changes",
    metadata,
    Column("id", Integer, primary_key=True),
    Column(
        "operation_id",
        Integer,
        ForeignKey("operations.id", deferrable=True, initially="DEFERRED"),
        nullable=False,
    ),
    Column("table_name", Text, nullable=False),
    Column("row_key", Text, nullable=False),
    Column("row_before", Text),
    Column("row_after", Text),
)

outbox = Table(
    "outbox",
    metadata,
    Column("sequence", Integer, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("entry_id", Text, nullable=False),
    Column("text_changed", Boolean, nullable=False),
    Column("waiting", Boolean, nullable=False),
)

uncompared = Table(
    "uncompared",
    metadata,
    Column("memory_id", Text, primary_key=True),
)

meta = Table(
    "meta",
    metadata,
    Column("key", Text, primary_key=True),
    Column("value", Text, nullable=False),
)
