# ruff: noqa: E501
# fmt: off
"""The statements of ``statements`` as SQLAlchemy writes them for SQLite; made by docs/generate.py.

Each has its text and the values of the parameters that are always the same.
"""

from __future__ import annotations

SCHEMA_VERSION = 5
"""That of the tables which these statements are for."""

READY_SQL: dict[str, tuple[str, dict[str, object]]] = {
    'memories': (
        'SELECT memories.sequence, memories.id, memories.content, memories.content_hash, memories.memory_type, memories.importance, memories.created_at, memories.updated_at, memories.last_accessed_at, memories.access_count, memories.source, memories.channel_id, memories.session_id, memories.subject, memories."key", memories.event_at, memories.expires_at, memories.pinned, memories.forgotten, memories.forgotten_reason, memories.origin, memories.stated_directly, memories.superseded_by, memories.document_id, memories.chunk_id, memories.first_line, memories.last_line, memories.page, memories.decayed_from FROM memories WHERE memories.id IN (SELECT value FROM json_each(:ids)) ORDER BY memories.sequence',
        {},
    ),
    'comparable memories': (
        'SELECT memories.id, memories.content, memories.memory_type, memories.created_at, memories.channel_id, memories.subject, memories.event_at, memories.forgotten, memories.stated_directly, memories.superseded_by, memories.document_id, memories.first_line, documents.document_date FROM memories LEFT OUTER JOIN documents ON documents.id = memories.document_id WHERE memories.id IN (SELECT value FROM json_each(:ids))',
        {},
    ),
    'memory types': (
        'SELECT memories.id, memories.memory_type FROM memories WHERE memories.id IN (SELECT value FROM json_each(:ids))',
        {},
    ),
    'tags': (
        'SELECT memory_tags.memory_id, memory_tags.tag FROM memory_tags WHERE memory_tags.memory_id IN (SELECT value FROM json_each(:ids)) ORDER BY memory_tags.memory_id, memory_tags.tag',
        {},
    ),
    'associations': (
        'SELECT associations.id, associations.source_id, associations.target_id, associations.relation_type, associations.weight, associations.created_at FROM associations WHERE associations.source_id IN (SELECT value FROM json_each(:ids)) OR associations.target_id IN (SELECT value FROM json_each(:ids))',
        {},
    ),
    'neighbours': (
        'SELECT associations.source_id AS memory_id, associations.target_id AS neighbour_id, associations.relation_type, associations.weight, :param_1 AS outgoing FROM associations JOIN memories ON memories.id = associations.target_id WHERE associations.source_id IN (SELECT value FROM json_each(:ids)) AND memories.forgotten = 0 AND associations.weight >= :minimum_weight UNION ALL SELECT associations.target_id AS memory_id, associations.source_id AS neighbour_id, associations.relation_type, associations.weight, :param_2 AS outgoing FROM associations JOIN memories ON memories.id = associations.source_id WHERE associations.target_id IN (SELECT value FROM json_each(:ids)) AND memories.forgotten = 0 AND associations.weight >= :minimum_weight',
        {'param_1': 1, 'param_2': 0},
    ),
    'neighbours by type': (
        'SELECT associations.source_id AS memory_id, associations.target_id AS neighbour_id, associations.relation_type, associations.weight, :param_1 AS outgoing FROM associations JOIN memories ON memories.id = associations.target_id WHERE associations.source_id IN (SELECT value FROM json_each(:ids)) AND memories.forgotten = 0 AND associations.weight >= :minimum_weight AND associations.relation_type IN (SELECT value FROM json_each(:types)) UNION ALL SELECT associations.target_id AS memory_id, associations.source_id AS neighbour_id, associations.relation_type, associations.weight, :param_2 AS outgoing FROM associations JOIN memories ON memories.id = associations.source_id WHERE associations.target_id IN (SELECT value FROM json_each(:ids)) AND memories.forgotten = 0 AND associations.weight >= :minimum_weight AND associations.relation_type IN (SELECT value FROM json_each(:types))',
        {'param_1': 1, 'param_2': 0},
    ),
    'earlier': (
        'WITH RECURSIVE anon_1(id) AS (SELECT memories.id AS id FROM memories WHERE memories.superseded_by = :id UNION SELECT memories.id AS id FROM memories, anon_1 WHERE memories.superseded_by = anon_1.id) SELECT anon_1.id FROM anon_1',
        {},
    ),
    'later': (
        'WITH RECURSIVE anon_1(id) AS (SELECT memories.superseded_by AS id FROM memories WHERE memories.id IN (SELECT value FROM json_each(:ids)) AND memories.superseded_by IS NOT NULL UNION SELECT memories.superseded_by AS superseded_by FROM memories, anon_1 WHERE memories.id = anon_1.id AND memories.superseded_by IS NOT NULL) SELECT anon_1.id FROM anon_1',
        {},
    ),
    'passages': (
        'SELECT memory_chunks.memory_id, memory_chunks.first_line AS stated_from, memory_chunks.last_line AS stated_to, memory_chunks.first_place, memory_chunks.last_place, chunks.id, chunks.document_id, chunks.position, chunks.content, chunks.content_hash, chunks.first_line, chunks.last_line, chunks.first_page, chunks.last_page, chunks.heading_path, chunks.extracted, chunks.error, chunks.retired, chunks.line_starts FROM memory_chunks JOIN chunks ON chunks.id = memory_chunks.chunk_id WHERE memory_chunks.memory_id IN (SELECT value FROM json_each(:ids)) ORDER BY chunks.retired, chunks.document_id, chunks.position, chunks.id',
        {},
    ),
    'citations': (
        'SELECT memory_chunks.memory_id, documents.path, memory_chunks.first_line, memory_chunks.last_line, memory_chunks.page FROM memory_chunks JOIN memories ON memories.id = memory_chunks.memory_id JOIN chunks ON chunks.id = memory_chunks.chunk_id JOIN documents ON documents.id = chunks.document_id WHERE memory_chunks.memory_id IN (SELECT value FROM json_each(:ids)) ORDER BY chunks.retired, CASE WHEN (memory_chunks.chunk_id = memories.chunk_id) THEN :param_1 ELSE :param_2 END, documents.path, chunks.position',
        {'param_1': 0, 'param_2': 1},
    ),
    'citations by document': (
        'SELECT memories.id AS memory_id, documents.path, memories.first_line, memories.last_line, memories.page FROM memories JOIN documents ON documents.id = memories.document_id WHERE memories.id IN (SELECT value FROM json_each(:ids))',
        {},
    ),
    'ids with a prefix': (
        'SELECT memories.id, memories.content FROM memories WHERE memories.id BETWEEN :first AND :last ORDER BY memories.id LIMIT :limit OFFSET :param_1',
        {'param_1': 0},
    ),
    'memories of a passage': (
        'SELECT memory_chunks.memory_id FROM memory_chunks JOIN memories ON memories.id = memory_chunks.memory_id WHERE memory_chunks.chunk_id = :id ORDER BY memories.sequence',
        {},
    ),
    'passages with a prefix': (
        'SELECT chunks.id, chunks.document_id, chunks.position, chunks.content, chunks.content_hash, chunks.first_line, chunks.last_line, chunks.first_page, chunks.last_page, chunks.heading_path, chunks.extracted, chunks.error, chunks.retired, chunks.line_starts, documents.path FROM chunks JOIN documents ON documents.id = chunks.document_id WHERE chunks.id BETWEEN :first AND :last ORDER BY chunks.id LIMIT :limit OFFSET :param_1',
        {'param_1': 0},
    ),
    'visible ids with a prefix': (
        'SELECT memories.id, memories.content FROM memories WHERE memories.id BETWEEN :first AND :last AND memories.forgotten IS 0 ORDER BY memories.id LIMIT :limit OFFSET :param_1',
        {'param_1': 0},
    ),
    'count live': (
        'SELECT count(*) AS count FROM memories WHERE memories.forgotten = 0 AND memories.superseded_by IS NULL AND (memories.expires_at IS NULL OR memories.expires_at > :now) AND {filter}',
        {},
    ),
    'list live recent': (
        'SELECT memories.sequence, memories.id, memories.content, memories.content_hash, memories.memory_type, memories.importance, memories.created_at, memories.updated_at, memories.last_accessed_at, memories.access_count, memories.source, memories.channel_id, memories.session_id, memories.subject, memories."key", memories.event_at, memories.expires_at, memories.pinned, memories.forgotten, memories.forgotten_reason, memories.origin, memories.stated_directly, memories.superseded_by, memories.document_id, memories.chunk_id, memories.first_line, memories.last_line, memories.page, memories.decayed_from FROM memories WHERE memories.forgotten = 0 AND memories.superseded_by IS NULL AND (memories.expires_at IS NULL OR memories.expires_at > :now) AND {filter} ORDER BY memories.created_at DESC, memories.sequence DESC LIMIT :limit OFFSET :offset',
        {},
    ),
    'list live recent reversed': (
        'SELECT memories.sequence, memories.id, memories.content, memories.content_hash, memories.memory_type, memories.importance, memories.created_at, memories.updated_at, memories.last_accessed_at, memories.access_count, memories.source, memories.channel_id, memories.session_id, memories.subject, memories."key", memories.event_at, memories.expires_at, memories.pinned, memories.forgotten, memories.forgotten_reason, memories.origin, memories.stated_directly, memories.superseded_by, memories.document_id, memories.chunk_id, memories.first_line, memories.last_line, memories.page, memories.decayed_from FROM memories WHERE memories.forgotten = 0 AND memories.superseded_by IS NULL AND (memories.expires_at IS NULL OR memories.expires_at > :now) AND {filter} ORDER BY memories.created_at, memories.sequence LIMIT :limit OFFSET :offset',
        {},
    ),
    'list live importance': (
        'SELECT memories.sequence, memories.id, memories.content, memories.content_hash, memories.memory_type, memories.importance, memories.created_at, memories.updated_at, memories.last_accessed_at, memories.access_count, memories.source, memories.channel_id, memories.session_id, memories.subject, memories."key", memories.event_at, memories.expires_at, memories.pinned, memories.forgotten, memories.forgotten_reason, memories.origin, memories.stated_directly, memories.superseded_by, memories.document_id, memories.chunk_id, memories.first_line, memories.last_line, memories.page, memories.decayed_from FROM memories WHERE memories.forgotten = 0 AND memories.superseded_by IS NULL AND (memories.expires_at IS NULL OR memories.expires_at > :now) AND {filter} ORDER BY memories.importance DESC, memories.sequence DESC LIMIT :limit OFFSET :offset',
        {},
    ),
    'list live importance reversed': (
        'SELECT memories.sequence, memories.id, memories.content, memories.content_hash, memories.memory_type, memories.importance, memories.created_at, memories.updated_at, memories.last_accessed_at, memories.access_count, memories.source, memories.channel_id, memories.session_id, memories.subject, memories."key", memories.event_at, memories.expires_at, memories.pinned, memories.forgotten, memories.forgotten_reason, memories.origin, memories.stated_directly, memories.superseded_by, memories.document_id, memories.chunk_id, memories.first_line, memories.last_line, memories.page, memories.decayed_from FROM memories WHERE memories.forgotten = 0 AND memories.superseded_by IS NULL AND (memories.expires_at IS NULL OR memories.expires_at > :now) AND {filter} ORDER BY memories.importance, memories.sequence LIMIT :limit OFFSET :offset',
        {},
    ),
    'list live access': (
        'SELECT memories.sequence, memories.id, memories.content, memories.content_hash, memories.memory_type, memories.importance, memories.created_at, memories.updated_at, memories.last_accessed_at, memories.access_count, memories.source, memories.channel_id, memories.session_id, memories.subject, memories."key", memories.event_at, memories.expires_at, memories.pinned, memories.forgotten, memories.forgotten_reason, memories.origin, memories.stated_directly, memories.superseded_by, memories.document_id, memories.chunk_id, memories.first_line, memories.last_line, memories.page, memories.decayed_from FROM memories WHERE memories.forgotten = 0 AND memories.superseded_by IS NULL AND (memories.expires_at IS NULL OR memories.expires_at > :now) AND {filter} ORDER BY memories.access_count DESC, memories.last_accessed_at DESC, memories.sequence DESC LIMIT :limit OFFSET :offset',
        {},
    ),
    'list live access reversed': (
        'SELECT memories.sequence, memories.id, memories.content, memories.content_hash, memories.memory_type, memories.importance, memories.created_at, memories.updated_at, memories.last_accessed_at, memories.access_count, memories.source, memories.channel_id, memories.session_id, memories.subject, memories."key", memories.event_at, memories.expires_at, memories.pinned, memories.forgotten, memories.forgotten_reason, memories.origin, memories.stated_directly, memories.superseded_by, memories.document_id, memories.chunk_id, memories.first_line, memories.last_line, memories.page, memories.decayed_from FROM memories WHERE memories.forgotten = 0 AND memories.superseded_by IS NULL AND (memories.expires_at IS NULL OR memories.expires_at > :now) AND {filter} ORDER BY memories.access_count, memories.last_accessed_at, memories.sequence LIMIT :limit OFFSET :offset',
        {},
    ),
    'list live oldest': (
        'SELECT memories.sequence, memories.id, memories.content, memories.content_hash, memories.memory_type, memories.importance, memories.created_at, memories.updated_at, memories.last_accessed_at, memories.access_count, memories.source, memories.channel_id, memories.session_id, memories.subject, memories."key", memories.event_at, memories.expires_at, memories.pinned, memories.forgotten, memories.forgotten_reason, memories.origin, memories.stated_directly, memories.superseded_by, memories.document_id, memories.chunk_id, memories.first_line, memories.last_line, memories.page, memories.decayed_from FROM memories WHERE memories.forgotten = 0 AND memories.superseded_by IS NULL AND (memories.expires_at IS NULL OR memories.expires_at > :now) AND {filter} ORDER BY memories.created_at, memories.sequence LIMIT :limit OFFSET :offset',
        {},
    ),
    'list live oldest reversed': (
        'SELECT memories.sequence, memories.id, memories.content, memories.content_hash, memories.memory_type, memories.importance, memories.created_at, memories.updated_at, memories.last_accessed_at, memories.access_count, memories.source, memories.channel_id, memories.session_id, memories.subject, memories."key", memories.event_at, memories.expires_at, memories.pinned, memories.forgotten, memories.forgotten_reason, memories.origin, memories.stated_directly, memories.superseded_by, memories.document_id, memories.chunk_id, memories.first_line, memories.last_line, memories.page, memories.decayed_from FROM memories WHERE memories.forgotten = 0 AND memories.superseded_by IS NULL AND (memories.expires_at IS NULL OR memories.expires_at > :now) AND {filter} ORDER BY memories.created_at DESC, memories.sequence DESC LIMIT :limit OFFSET :offset',
        {},
    ),
    'list live happened': (
        'SELECT memories.sequence, memories.id, memories.content, memories.content_hash, memories.memory_type, memories.importance, memories.created_at, memories.updated_at, memories.last_accessed_at, memories.access_count, memories.source, memories.channel_id, memories.session_id, memories.subject, memories."key", memories.event_at, memories.expires_at, memories.pinned, memories.forgotten, memories.forgotten_reason, memories.origin, memories.stated_directly, memories.superseded_by, memories.document_id, memories.chunk_id, memories.first_line, memories.last_line, memories.page, memories.decayed_from FROM memories WHERE memories.forgotten = 0 AND memories.superseded_by IS NULL AND (memories.expires_at IS NULL OR memories.expires_at > :now) AND {filter} ORDER BY CASE WHEN (length(memories.event_at) = :length_1) THEN memories.event_at || :event_at_1 ELSE coalesce(memories.event_at, memories.created_at) END DESC, memories.sequence DESC LIMIT :limit OFFSET :offset',
        {'length_1': 10, 'event_at_1': 'T10:30:00.000000Z'},
    ),
    'list live happened reversed': (
        'SELECT memories.sequence, memories.id, memories.content, memories.content_hash, memories.memory_type, memories.importance, memories.created_at, memories.updated_at, memories.last_accessed_at, memories.access_count, memories.source, memories.channel_id, memories.session_id, memories.subject, memories."key", memories.event_at, memories.expires_at, memories.pinned, memories.forgotten, memories.forgotten_reason, memories.origin, memories.stated_directly, memories.superseded_by, memories.document_id, memories.chunk_id, memories.first_line, memories.last_line, memories.page, memories.decayed_from FROM memories WHERE memories.forgotten = 0 AND memories.superseded_by IS NULL AND (memories.expires_at IS NULL OR memories.expires_at > :now) AND {filter} ORDER BY CASE WHEN (length(memories.event_at) = :length_1) THEN memories.event_at || :event_at_1 ELSE coalesce(memories.event_at, memories.created_at) END, memories.sequence LIMIT :limit OFFSET :offset',
        {'length_1': 10, 'event_at_1': 'T10:30:00.000000Z'},
    ),
    'list live updated': (
        'SELECT memories.sequence, memories.id, memories.content, memories.content_hash, memories.memory_type, memories.importance, memories.created_at, memories.updated_at, memories.last_accessed_at, memories.access_count, memories.source, memories.channel_id, memories.session_id, memories.subject, memories."key", memories.event_at, memories.expires_at, memories.pinned, memories.forgotten, memories.forgotten_reason, memories.origin, memories.stated_directly, memories.superseded_by, memories.document_id, memories.chunk_id, memories.first_line, memories.last_line, memories.page, memories.decayed_from FROM memories WHERE memories.forgotten = 0 AND memories.superseded_by IS NULL AND (memories.expires_at IS NULL OR memories.expires_at > :now) AND {filter} ORDER BY memories.updated_at DESC, memories.sequence DESC LIMIT :limit OFFSET :offset',
        {},
    ),
    'list live updated reversed': (
        'SELECT memories.sequence, memories.id, memories.content, memories.content_hash, memories.memory_type, memories.importance, memories.created_at, memories.updated_at, memories.last_accessed_at, memories.access_count, memories.source, memories.channel_id, memories.session_id, memories.subject, memories."key", memories.event_at, memories.expires_at, memories.pinned, memories.forgotten, memories.forgotten_reason, memories.origin, memories.stated_directly, memories.superseded_by, memories.document_id, memories.chunk_id, memories.first_line, memories.last_line, memories.page, memories.decayed_from FROM memories WHERE memories.forgotten = 0 AND memories.superseded_by IS NULL AND (memories.expires_at IS NULL OR memories.expires_at > :now) AND {filter} ORDER BY memories.updated_at, memories.sequence LIMIT :limit OFFSET :offset',
        {},
    ),
    'count with superseded': (
        'SELECT count(*) AS count FROM memories WHERE memories.forgotten = 0 AND (memories.expires_at IS NULL OR memories.expires_at > :now) AND {filter}',
        {},
    ),
    'list with superseded recent': (
        'SELECT memories.sequence, memories.id, memories.content, memories.content_hash, memories.memory_type, memories.importance, memories.created_at, memories.updated_at, memories.last_accessed_at, memories.access_count, memories.source, memories.channel_id, memories.session_id, memories.subject, memories."key", memories.event_at, memories.expires_at, memories.pinned, memories.forgotten, memories.forgotten_reason, memories.origin, memories.stated_directly, memories.superseded_by, memories.document_id, memories.chunk_id, memories.first_line, memories.last_line, memories.page, memories.decayed_from FROM memories WHERE memories.forgotten = 0 AND (memories.expires_at IS NULL OR memories.expires_at > :now) AND {filter} ORDER BY memories.created_at DESC, memories.sequence DESC LIMIT :limit OFFSET :offset',
        {},
    ),
    'list with superseded recent reversed': (
        'SELECT memories.sequence, memories.id, memories.content, memories.content_hash, memories.memory_type, memories.importance, memories.created_at, memories.updated_at, memories.last_accessed_at, memories.access_count, memories.source, memories.channel_id, memories.session_id, memories.subject, memories."key", memories.event_at, memories.expires_at, memories.pinned, memories.forgotten, memories.forgotten_reason, memories.origin, memories.stated_directly, memories.superseded_by, memories.document_id, memories.chunk_id, memories.first_line, memories.last_line, memories.page, memories.decayed_from FROM memories WHERE memories.forgotten = 0 AND (memories.expires_at IS NULL OR memories.expires_at > :now) AND {filter} ORDER BY memories.created_at, memories.sequence LIMIT :limit OFFSET :offset',
        {},
    ),
    'list with superseded importance': (
        'SELECT memories.sequence, memories.id, memories.content, memories.content_hash, memories.memory_type, memories.importance, memories.created_at, memories.updated_at, memories.last_accessed_at, memories.access_count, memories.source, memories.channel_id, memories.session_id, memories.subject, memories."key", memories.event_at, memories.expires_at, memories.pinned, memories.forgotten, memories.forgotten_reason, memories.origin, memories.stated_directly, memories.superseded_by, memories.document_id, memories.chunk_id, memories.first_line, memories.last_line, memories.page, memories.decayed_from FROM memories WHERE memories.forgotten = 0 AND (memories.expires_at IS NULL OR memories.expires_at > :now) AND {filter} ORDER BY memories.importance DESC, memories.sequence DESC LIMIT :limit OFFSET :offset',
        {},
    ),
    'list with superseded importance reversed': (
        'SELECT memories.sequence, memories.id, memories.content, memories.content_hash, memories.memory_type, memories.importance, memories.created_at, memories.updated_at, memories.last_accessed_at, memories.access_count, memories.source, memories.channel_id, memories.session_id, memories.subject, memories."key", memories.event_at, memories.expires_at, memories.pinned, memories.forgotten, memories.forgotten_reason, memories.origin, memories.stated_directly, memories.superseded_by, memories.document_id, memories.chunk_id, memories.first_line, memories.last_line, memories.page, memories.decayed_from FROM memories WHERE memories.forgotten = 0 AND (memories.expires_at IS NULL OR memories.expires_at > :now) AND {filter} ORDER BY memories.importance, memories.sequence LIMIT :limit OFFSET :offset',
        {},
    ),
    'list with superseded access': (
        'SELECT memories.sequence, memories.id, memories.content, memories.content_hash, memories.memory_type, memories.importance, memories.created_at, memories.updated_at, memories.last_accessed_at, memories.access_count, memories.source, memories.channel_id, memories.session_id, memories.subject, memories."key", memories.event_at, memories.expires_at, memories.pinned, memories.forgotten, memories.forgotten_reason, memories.origin, memories.stated_directly, memories.superseded_by, memories.document_id, memories.chunk_id, memories.first_line, memories.last_line, memories.page, memories.decayed_from FROM memories WHERE memories.forgotten = 0 AND (memories.expires_at IS NULL OR memories.expires_at > :now) AND {filter} ORDER BY memories.access_count DESC, memories.last_accessed_at DESC, memories.sequence DESC LIMIT :limit OFFSET :offset',
        {},
    ),
    'list with superseded access reversed': (
        'SELECT memories.sequence, memories.id, memories.content, memories.content_hash, memories.memory_type, memories.importance, memories.created_at, memories.updated_at, memories.last_accessed_at, memories.access_count, memories.source, memories.channel_id, memories.session_id, memories.subject, memories."key", memories.event_at, memories.expires_at, memories.pinned, memories.forgotten, memories.forgotten_reason, memories.origin, memories.stated_directly, memories.superseded_by, memories.document_id, memories.chunk_id, memories.first_line, memories.last_line, memories.page, memories.decayed_from FROM memories WHERE memories.forgotten = 0 AND (memories.expires_at IS NULL OR memories.expires_at > :now) AND {filter} ORDER BY memories.access_count, memories.last_accessed_at, memories.sequence LIMIT :limit OFFSET :offset',
        {},
    ),
    'list with superseded oldest': (
        'SELECT memories.sequence, memories.id, memories.content, memories.content_hash, memories.memory_type, memories.importance, memories.created_at, memories.updated_at, memories.last_accessed_at, memories.access_count, memories.source, memories.channel_id, memories.session_id, memories.subject, memories."key", memories.event_at, memories.expires_at, memories.pinned, memories.forgotten, memories.forgotten_reason, memories.origin, memories.stated_directly, memories.superseded_by, memories.document_id, memories.chunk_id, memories.first_line, memories.last_line, memories.page, memories.decayed_from FROM memories WHERE memories.forgotten = 0 AND (memories.expires_at IS NULL OR memories.expires_at > :now) AND {filter} ORDER BY memories.created_at, memories.sequence LIMIT :limit OFFSET :offset',
        {},
    ),
    'list with superseded oldest reversed': (
        'SELECT memories.sequence, memories.id, memories.content, memories.content_hash, memories.memory_type, memories.importance, memories.created_at, memories.updated_at, memories.last_accessed_at, memories.access_count, memories.source, memories.channel_id, memories.session_id, memories.subject, memories."key", memories.event_at, memories.expires_at, memories.pinned, memories.forgotten, memories.forgotten_reason, memories.origin, memories.stated_directly, memories.superseded_by, memories.document_id, memories.chunk_id, memories.first_line, memories.last_line, memories.page, memories.decayed_from FROM memories WHERE memories.forgotten = 0 AND (memories.expires_at IS NULL OR memories.expires_at > :now) AND {filter} ORDER BY memories.created_at DESC, memories.sequence DESC LIMIT :limit OFFSET :offset',
        {},
    ),
    'list with superseded happened': (
        'SELECT memories.sequence, memories.id, memories.content, memories.content_hash, memories.memory_type, memories.importance, memories.created_at, memories.updated_at, memories.last_accessed_at, memories.access_count, memories.source, memories.channel_id, memories.session_id, memories.subject, memories."key", memories.event_at, memories.expires_at, memories.pinned, memories.forgotten, memories.forgotten_reason, memories.origin, memories.stated_directly, memories.superseded_by, memories.document_id, memories.chunk_id, memories.first_line, memories.last_line, memories.page, memories.decayed_from FROM memories WHERE memories.forgotten = 0 AND (memories.expires_at IS NULL OR memories.expires_at > :now) AND {filter} ORDER BY CASE WHEN (length(memories.event_at) = :length_1) THEN memories.event_at || :event_at_1 ELSE coalesce(memories.event_at, memories.created_at) END DESC, memories.sequence DESC LIMIT :limit OFFSET :offset',
        {'length_1': 10, 'event_at_1': 'T10:30:00.000000Z'},
    ),
    'list with superseded happened reversed': (
        'SELECT memories.sequence, memories.id, memories.content, memories.content_hash, memories.memory_type, memories.importance, memories.created_at, memories.updated_at, memories.last_accessed_at, memories.access_count, memories.source, memories.channel_id, memories.session_id, memories.subject, memories."key", memories.event_at, memories.expires_at, memories.pinned, memories.forgotten, memories.forgotten_reason, memories.origin, memories.stated_directly, memories.superseded_by, memories.document_id, memories.chunk_id, memories.first_line, memories.last_line, memories.page, memories.decayed_from FROM memories WHERE memories.forgotten = 0 AND (memories.expires_at IS NULL OR memories.expires_at > :now) AND {filter} ORDER BY CASE WHEN (length(memories.event_at) = :length_1) THEN memories.event_at || :event_at_1 ELSE coalesce(memories.event_at, memories.created_at) END, memories.sequence LIMIT :limit OFFSET :offset',
        {'length_1': 10, 'event_at_1': 'T10:30:00.000000Z'},
    ),
    'list with superseded updated': (
        'SELECT memories.sequence, memories.id, memories.content, memories.content_hash, memories.memory_type, memories.importance, memories.created_at, memories.updated_at, memories.last_accessed_at, memories.access_count, memories.source, memories.channel_id, memories.session_id, memories.subject, memories."key", memories.event_at, memories.expires_at, memories.pinned, memories.forgotten, memories.forgotten_reason, memories.origin, memories.stated_directly, memories.superseded_by, memories.document_id, memories.chunk_id, memories.first_line, memories.last_line, memories.page, memories.decayed_from FROM memories WHERE memories.forgotten = 0 AND (memories.expires_at IS NULL OR memories.expires_at > :now) AND {filter} ORDER BY memories.updated_at DESC, memories.sequence DESC LIMIT :limit OFFSET :offset',
        {},
    ),
    'list with superseded updated reversed': (
        'SELECT memories.sequence, memories.id, memories.content, memories.content_hash, memories.memory_type, memories.importance, memories.created_at, memories.updated_at, memories.last_accessed_at, memories.access_count, memories.source, memories.channel_id, memories.session_id, memories.subject, memories."key", memories.event_at, memories.expires_at, memories.pinned, memories.forgotten, memories.forgotten_reason, memories.origin, memories.stated_directly, memories.superseded_by, memories.document_id, memories.chunk_id, memories.first_line, memories.last_line, memories.page, memories.decayed_from FROM memories WHERE memories.forgotten = 0 AND (memories.expires_at IS NULL OR memories.expires_at > :now) AND {filter} ORDER BY memories.updated_at, memories.sequence LIMIT :limit OFFSET :offset',
        {},
    ),
    'count forgotten': (
        'SELECT count(*) AS count FROM memories WHERE memories.forgotten = 1 AND {filter}',
        {},
    ),
    'list forgotten recent': (
        'SELECT memories.sequence, memories.id, memories.content, memories.content_hash, memories.memory_type, memories.importance, memories.created_at, memories.updated_at, memories.last_accessed_at, memories.access_count, memories.source, memories.channel_id, memories.session_id, memories.subject, memories."key", memories.event_at, memories.expires_at, memories.pinned, memories.forgotten, memories.forgotten_reason, memories.origin, memories.stated_directly, memories.superseded_by, memories.document_id, memories.chunk_id, memories.first_line, memories.last_line, memories.page, memories.decayed_from FROM memories WHERE memories.forgotten = 1 AND {filter} ORDER BY memories.created_at DESC, memories.sequence DESC LIMIT :limit OFFSET :offset',
        {},
    ),
    'list forgotten recent reversed': (
        'SELECT memories.sequence, memories.id, memories.content, memories.content_hash, memories.memory_type, memories.importance, memories.created_at, memories.updated_at, memories.last_accessed_at, memories.access_count, memories.source, memories.channel_id, memories.session_id, memories.subject, memories."key", memories.event_at, memories.expires_at, memories.pinned, memories.forgotten, memories.forgotten_reason, memories.origin, memories.stated_directly, memories.superseded_by, memories.document_id, memories.chunk_id, memories.first_line, memories.last_line, memories.page, memories.decayed_from FROM memories WHERE memories.forgotten = 1 AND {filter} ORDER BY memories.created_at, memories.sequence LIMIT :limit OFFSET :offset',
        {},
    ),
    'list forgotten importance': (
        'SELECT memories.sequence, memories.id, memories.content, memories.content_hash, memories.memory_type, memories.importance, memories.created_at, memories.updated_at, memories.last_accessed_at, memories.access_count, memories.source, memories.channel_id, memories.session_id, memories.subject, memories."key", memories.event_at, memories.expires_at, memories.pinned, memories.forgotten, memories.forgotten_reason, memories.origin, memories.stated_directly, memories.superseded_by, memories.document_id, memories.chunk_id, memories.first_line, memories.last_line, memories.page, memories.decayed_from FROM memories WHERE memories.forgotten = 1 AND {filter} ORDER BY memories.importance DESC, memories.sequence DESC LIMIT :limit OFFSET :offset',
        {},
    ),
    'list forgotten importance reversed': (
        'SELECT memories.sequence, memories.id, memories.content, memories.content_hash, memories.memory_type, memories.importance, memories.created_at, memories.updated_at, memories.last_accessed_at, memories.access_count, memories.source, memories.channel_id, memories.session_id, memories.subject, memories."key", memories.event_at, memories.expires_at, memories.pinned, memories.forgotten, memories.forgotten_reason, memories.origin, memories.stated_directly, memories.superseded_by, memories.document_id, memories.chunk_id, memories.first_line, memories.last_line, memories.page, memories.decayed_from FROM memories WHERE memories.forgotten = 1 AND {filter} ORDER BY memories.importance, memories.sequence LIMIT :limit OFFSET :offset',
        {},
    ),
    'list forgotten access': (
        'SELECT memories.sequence, memories.id, memories.content, memories.content_hash, memories.memory_type, memories.importance, memories.created_at, memories.updated_at, memories.last_accessed_at, memories.access_count, memories.source, memories.channel_id, memories.session_id, memories.subject, memories."key", memories.event_at, memories.expires_at, memories.pinned, memories.forgotten, memories.forgotten_reason, memories.origin, memories.stated_directly, memories.superseded_by, memories.document_id, memories.chunk_id, memories.first_line, memories.last_line, memories.page, memories.decayed_from FROM memories WHERE memories.forgotten = 1 AND {filter} ORDER BY memories.access_count DESC, memories.last_accessed_at DESC, memories.sequence DESC LIMIT :limit OFFSET :offset',
        {},
    ),
    'list forgotten access reversed': (
        'SELECT memories.sequence, memories.id, memories.content, memories.content_hash, memories.memory_type, memories.importance, memories.created_at, memories.updated_at, memories.last_accessed_at, memories.access_count, memories.source, memories.channel_id, memories.session_id, memories.subject, memories."key", memories.event_at, memories.expires_at, memories.pinned, memories.forgotten, memories.forgotten_reason, memories.origin, memories.stated_directly, memories.superseded_by, memories.document_id, memories.chunk_id, memories.first_line, memories.last_line, memories.page, memories.decayed_from FROM memories WHERE memories.forgotten = 1 AND {filter} ORDER BY memories.access_count, memories.last_accessed_at, memories.sequence LIMIT :limit OFFSET :offset',
        {},
    ),
    'list forgotten oldest': (
        'SELECT memories.sequence, memories.id, memories.content, memories.content_hash, memories.memory_type, memories.importance, memories.created_at, memories.updated_at, memories.last_accessed_at, memories.access_count, memories.source, memories.channel_id, memories.session_id, memories.subject, memories."key", memories.event_at, memories.expires_at, memories.pinned, memories.forgotten, memories.forgotten_reason, memories.origin, memories.stated_directly, memories.superseded_by, memories.document_id, memories.chunk_id, memories.first_line, memories.last_line, memories.page, memories.decayed_from FROM memories WHERE memories.forgotten = 1 AND {filter} ORDER BY memories.created_at, memories.sequence LIMIT :limit OFFSET :offset',
        {},
    ),
    'list forgotten oldest reversed': (
        'SELECT memories.sequence, memories.id, memories.content, memories.content_hash, memories.memory_type, memories.importance, memories.created_at, memories.updated_at, memories.last_accessed_at, memories.access_count, memories.source, memories.channel_id, memories.session_id, memories.subject, memories."key", memories.event_at, memories.expires_at, memories.pinned, memories.forgotten, memories.forgotten_reason, memories.origin, memories.stated_directly, memories.superseded_by, memories.document_id, memories.chunk_id, memories.first_line, memories.last_line, memories.page, memories.decayed_from FROM memories WHERE memories.forgotten = 1 AND {filter} ORDER BY memories.created_at DESC, memories.sequence DESC LIMIT :limit OFFSET :offset',
        {},
    ),
    'list forgotten happened': (
        'SELECT memories.sequence, memories.id, memories.content, memories.content_hash, memories.memory_type, memories.importance, memories.created_at, memories.updated_at, memories.last_accessed_at, memories.access_count, memories.source, memories.channel_id, memories.session_id, memories.subject, memories."key", memories.event_at, memories.expires_at, memories.pinned, memories.forgotten, memories.forgotten_reason, memories.origin, memories.stated_directly, memories.superseded_by, memories.document_id, memories.chunk_id, memories.first_line, memories.last_line, memories.page, memories.decayed_from FROM memories WHERE memories.forgotten = 1 AND {filter} ORDER BY CASE WHEN (length(memories.event_at) = :length_1) THEN memories.event_at || :event_at_1 ELSE coalesce(memories.event_at, memories.created_at) END DESC, memories.sequence DESC LIMIT :limit OFFSET :offset',
        {'length_1': 10, 'event_at_1': 'T10:30:00.000000Z'},
    ),
    'list forgotten happened reversed': (
        'SELECT memories.sequence, memories.id, memories.content, memories.content_hash, memories.memory_type, memories.importance, memories.created_at, memories.updated_at, memories.last_accessed_at, memories.access_count, memories.source, memories.channel_id, memories.session_id, memories.subject, memories."key", memories.event_at, memories.expires_at, memories.pinned, memories.forgotten, memories.forgotten_reason, memories.origin, memories.stated_directly, memories.superseded_by, memories.document_id, memories.chunk_id, memories.first_line, memories.last_line, memories.page, memories.decayed_from FROM memories WHERE memories.forgotten = 1 AND {filter} ORDER BY CASE WHEN (length(memories.event_at) = :length_1) THEN memories.event_at || :event_at_1 ELSE coalesce(memories.event_at, memories.created_at) END, memories.sequence LIMIT :limit OFFSET :offset',
        {'length_1': 10, 'event_at_1': 'T10:30:00.000000Z'},
    ),
    'list forgotten updated': (
        'SELECT memories.sequence, memories.id, memories.content, memories.content_hash, memories.memory_type, memories.importance, memories.created_at, memories.updated_at, memories.last_accessed_at, memories.access_count, memories.source, memories.channel_id, memories.session_id, memories.subject, memories."key", memories.event_at, memories.expires_at, memories.pinned, memories.forgotten, memories.forgotten_reason, memories.origin, memories.stated_directly, memories.superseded_by, memories.document_id, memories.chunk_id, memories.first_line, memories.last_line, memories.page, memories.decayed_from FROM memories WHERE memories.forgotten = 1 AND {filter} ORDER BY memories.updated_at DESC, memories.sequence DESC LIMIT :limit OFFSET :offset',
        {},
    ),
    'list forgotten updated reversed': (
        'SELECT memories.sequence, memories.id, memories.content, memories.content_hash, memories.memory_type, memories.importance, memories.created_at, memories.updated_at, memories.last_accessed_at, memories.access_count, memories.source, memories.channel_id, memories.session_id, memories.subject, memories."key", memories.event_at, memories.expires_at, memories.pinned, memories.forgotten, memories.forgotten_reason, memories.origin, memories.stated_directly, memories.superseded_by, memories.document_id, memories.chunk_id, memories.first_line, memories.last_line, memories.page, memories.decayed_from FROM memories WHERE memories.forgotten = 1 AND {filter} ORDER BY memories.updated_at, memories.sequence LIMIT :limit OFFSET :offset',
        {},
    ),
    'known tags': (
        'SELECT DISTINCT memory_tags.tag AS value FROM memory_tags WHERE memory_tags.tag IS NOT NULL ORDER BY memory_tags.tag',
        {},
    ),
    'known channels': (
        'SELECT DISTINCT memories.channel_id AS value FROM memories WHERE memories.channel_id IS NOT NULL ORDER BY memories.channel_id',
        {},
    ),
    'known sessions': (
        'SELECT DISTINCT memories.session_id AS value FROM memories WHERE memories.session_id IS NOT NULL ORDER BY memories.session_id',
        {},
    ),
    'known sources': (
        'SELECT memories.source AS value FROM memories WHERE memories.source IS NOT NULL UNION SELECT documents.path FROM documents JOIN memories ON memories.document_id = documents.id ORDER BY value',
        {},
    ),
    'document paths': (
        'SELECT documents.path FROM documents',
        {},
    ),
    'count accesses': (
        'UPDATE memories SET last_accessed_at=:now, access_count=(memories.access_count + :access_count_1) WHERE memories.id IN (SELECT value FROM json_each(:ids))',
        {'access_count_1': 1},
    ),
}

READY_CONDITIONS: dict[str, tuple[str, dict[str, object]]] = {
    'types': (
        'memories.memory_type IN (SELECT value FROM json_each(:types))',
        {},
    ),
    'channels': (
        'memories.channel_id IN (SELECT value FROM json_each(:channels))',
        {},
    ),
    'sessions': (
        'memories.session_id IN (SELECT value FROM json_each(:sessions))',
        {},
    ),
    'sources': (
        'memories.source IN (SELECT value FROM json_each(:sources)) OR memories.document_id IN (SELECT documents.id FROM documents WHERE documents.path IN (SELECT value FROM json_each(:sources)))',
        {},
    ),
    'origins': (
        'memories.origin IN (SELECT value FROM json_each(:origins))',
        {},
    ),
    'minimum_importance': (
        'memories.importance >= :minimum_importance',
        {},
    ),
    'pinned': (
        'memories.pinned = 1',
        {},
    ),
    'tags': (
        'memories.id IN (SELECT memory_tags.memory_id FROM memory_tags WHERE memory_tags.tag IN (SELECT value FROM json_each(:tags)) GROUP BY memory_tags.memory_id HAVING count(*) = :tag_count)',
        {},
    ),
    'since': (
        'CASE WHEN (length(memories.event_at) = :since_length_1) THEN memories.event_at || :since_event_at_1 ELSE coalesce(memories.event_at, memories.created_at) END >= :since',
        {'since_length_1': 10, 'since_event_at_1': 'T10:30:00.000000Z'},
    ),
    'until': (
        'CASE WHEN (length(memories.event_at) = :until_length_1) THEN memories.event_at || :until_event_at_1 ELSE coalesce(memories.event_at, memories.created_at) END < :until',
        {'until_length_1': 10, 'until_event_at_1': 'T10:30:00.000000Z'},
    ),
}
"""What a filter puts into the place that the lists have for it."""
