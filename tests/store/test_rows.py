"""Values survive being stored, and the order of stored times is the order of times."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.document import Document, DocumentStatus
from memctl.encodable import encodable_text
from memctl.memory import Association, Chunk, ForgetReason, Memory, MemoryType, Origin, RelationType
from memctl.store import document_rows, rows

instants = st.datetimes(
    min_value=datetime(1, 1, 3), max_value=datetime(9999, 12, 29), timezones=st.just(UTC)
)
days = st.dates(min_value=date(1, 1, 2), max_value=date(9999, 12, 30))
events = st.one_of(st.none(), days, instants)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
optional_texts = st.one_of(st.none(), texts)
numbers = st.one_of(st.none(), st.integers(1, 10_000))

memories = st.builds(
    Memory,
    id=texts,
    content=texts,
    memory_type=st.sampled_from(MemoryType),
    importance=st.floats(0, 1),
    created_at=instants,
    updated_at=instants,
    last_accessed_at=instants,
    access_count=st.integers(0, 1000),
    source=optional_texts,
    channel_id=optional_texts,
    session_id=optional_texts,
    subject=optional_texts,
    key=optional_texts,
    tags=st.lists(texts, unique=True).map(tuple),
    event_at=events,
    expires_at=st.one_of(st.none(), instants),
    pinned=st.booleans(),
    forgotten=st.booleans(),
    forgotten_reason=st.one_of(st.none(), st.sampled_from(ForgetReason)),
    origin=st.sampled_from(Origin),
    stated_directly=st.booleans(),
    first_line=numbers,
    page=numbers,
)
documents = st.builds(
    Document,
    id=texts,
    path=texts,
    content_hash=texts,
    size_bytes=st.integers(0, 2**40),
    modified_at=st.one_of(st.none(), instants),
    status=st.sampled_from(DocumentStatus),
    reason=optional_texts,
    pages_without_text=st.lists(st.integers(1, 99)).map(tuple),
    document_date=st.one_of(st.none(), days),
    cost_usd=st.floats(0, 100),
    next_attempt_at=st.one_of(st.none(), instants),
    created_at=instants,
    updated_at=instants,
)
chunks = st.builds(
    Chunk,
    id=texts,
    document_id=texts,
    position=st.integers(0, 99),
    content=texts,
    content_hash=texts,
    first_line=st.integers(1, 99),
    last_line=st.integers(1, 99),
    heading_path=st.lists(texts).map(tuple),
    extracted=st.booleans(),
    error=optional_texts,
)
associations = st.builds(
    Association,
    id=texts,
    source_id=texts,
    target_id=texts,
    relation_type=st.sampled_from(RelationType),
    weight=st.floats(0, 1),
    created_at=instants,
)


@given(memories)
def test_a_memory_survives_its_row(memory: Memory) -> None:
    assert rows.row_to_memory(rows.memory_to_row(memory), memory.tags) == memory


@given(documents)
def test_a_document_survives_its_row(document: Document) -> None:
    assert document_rows.row_to_document(document_rows.document_to_row(document)) == document


@given(chunks)
def test_a_chunk_survives_its_row(chunk: Chunk) -> None:
    assert rows.row_to_chunk(rows.chunk_to_row(chunk)) == chunk


@given(associations)
def test_an_association_survives_its_row(association: Association) -> None:
    assert rows.row_to_association(rows.association_to_row(association)) == association


@given(instants, instants)
def test_instants_sort_as_their_texts(first: datetime, second: datetime) -> None:
    first_text, second_text = rows.instant_to_text(first), rows.instant_to_text(second)
    assert (first < second) == (first_text < second_text)
    assert len(first_text) == len(second_text)


@given(days, instants)
def test_a_day_sorts_before_every_later_instant_and_after_every_earlier_one(
    day: date, instant: datetime
) -> None:
    begins = datetime.combine(day, time.min, tzinfo=UTC)
    day_text, instant_text = rows.event_to_text(day), rows.instant_to_text(instant)
    assert (day_text < instant_text) == (begins <= instant)


@given(instants, st.integers(-12, 14))
def test_an_instant_is_stored_in_utc_whatever_its_zone(instant: datetime, hours: int) -> None:
    elsewhere = instant.astimezone(timezone(timedelta(hours=hours)))
    assert rows.instant_to_text(elsewhere) == rows.instant_to_text(instant)


@pytest.mark.parametrize("text", ["plain", "naïve", "数据库", "🙂", ""])
def test_text_of_any_script_is_stored_as_it_is(text: str) -> None:
    assert encodable_text(text) == text


def test_bytes_of_a_file_name_that_no_encoding_explains_become_storable() -> None:
    name = b"caf\xe9.md".decode("utf-8", "surrogateescape")
    stored = encodable_text(name)
    assert stored.encode("utf-8") == rb"caf\udce9.md"
    assert encodable_text(stored) == stored
