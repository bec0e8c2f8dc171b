"""Passages: verbatim chunks beside, instead of, or in place of memories, each with its lines."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

import pytest
from recall_library import Library

from memctl.content import hash_content
from memctl.document import Document, DocumentStatus
from memctl.memory import Chunk, MemoryFilter, MemoryType
from memctl.new_memory import NewMemory
from memctl.search.request import RecallKind


def ingest(library: Library, path: str, parts: Sequence[tuple[str, str | None]]) -> list[str]:
    """Stores a document of parts of three lines, each with what it states, or None."""
    now = library.clock()
    text = "".join(part for part, _ in parts)
    document = Document(
        id=str(uuid.uuid4()),
        path=path,
        content_hash=hash_content(text),
        size_bytes=len(text),
        modified_at=now,
        status=DocumentStatus.EXTRACTING,
        created_at=now,
        updated_at=now,
    )
    chunks = [
        Chunk(
            id=str(uuid.uuid4()),
            document_id="",
            position=place,
            content=part,
            content_hash=hash_content(part),
            first_line=3 * place + 1,
            last_line=3 * place + 3,
        )
        for place, (part, _) in enumerate(parts)
    ]
    with library.store.operation("ingest") as operation:
        begun = operation.begin_document(document, chunks)
        for chunk, (_, statement) in zip(begun.chunks, parts, strict=True):
            new = (
                [
                    NewMemory(
                        content=statement,
                        memory_type=MemoryType.FACT,
                        first_line=chunk.first_line + 1,
                        last_line=chunk.first_line + 1,
                    )
                ]
                if statement
                else []
            )
            operation.commit_chunk(chunk.id, new)
        operation.finish_document(begun.document.id, DocumentStatus.DONE)
    library.store.drain()
    return [chunk.id for chunk in begun.chunks]


@pytest.fixture
def notes(library: Library) -> Library:
    ingest(
        library,
        "/notes/house.md",
        [
            (
                "# House\n\nThe boiler is in the cellar behind the red door.\n",
                "The boiler is in the cellar",
            ),
            ("\nWe painted the fence green and drank lemonade.\n\n", None),
            ("\nThe chimney sweep comes in March.\n\n", "The chimney sweep comes in March"),
        ],
    )
    return library


def test_memories_cite_their_lines(notes: Library) -> None:
    (hit, *_) = notes.recall("where is the boiler in the cellar").hits
    assert hit.memory is not None
    assert str(hit.citation) == "/notes/house.md:2"


def test_passages_are_verbatim_and_cite_their_lines(notes: Library) -> None:
    (hit, *_) = notes.recall("green fence lemonade", kind=RecallKind.CHUNK).hits
    assert hit.memory is None
    assert hit.chunk is not None
    assert hit.chunk.content == "\nWe painted the fence green and drank lemonade.\n\n"
    assert str(hit.citation) == "/notes/house.md:4-6"
    assert hit.score == pytest.approx(sum(part.contribution for part in hit.parts))


def test_a_passage_is_found_through_the_vector_of_the_memory_that_it_states(
    notes: Library,
) -> None:
    (hit, *_) = notes.recall("The chimney sweep comes in March", kind=RecallKind.CHUNK).hits
    assert hit.chunk is not None
    assert "chimney" in hit.chunk.content
    assert "memory" in [part.strategy for part in hit.parts]


def test_passages_answer_where_no_memory_does(notes: Library) -> None:
    (hit,) = notes.recall("lemonade fence green").hits
    assert hit.memory is None
    assert hit.chunk is not None
    assert "lemonade" in hit.chunk.content


def test_no_passage_stands_in_for_a_memory_of_a_wanted_type(notes: Library) -> None:
    only = MemoryFilter(types=(MemoryType.FACT,))
    assert notes.recall("lemonade fence green", memory_filter=only).hits == ()


def test_who_asks_for_memories_alone_gets_no_passage(notes: Library) -> None:
    assert notes.recall("lemonade fence green", kind=RecallKind.MEMORY).hits == ()


def test_all_kinds_are_ranked_together(notes: Library) -> None:
    hits = notes.recall("boiler cellar", kind=RecallKind.ALL).hits
    assert {hit.memory is None for hit in hits} == {True, False}
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_a_filter_on_memories_leaves_the_passages_that_state_one(notes: Library) -> None:
    only = MemoryFilter(types=(MemoryType.FACT,))
    found = notes.recall("chimney sweep March", kind=RecallKind.CHUNK, memory_filter=only).hits
    assert [hit.chunk.first_line for hit in found if hit.chunk] == [7]
    none = MemoryFilter(types=(MemoryType.GOAL,))
    assert not notes.recall("chimney sweep", kind=RecallKind.CHUNK, memory_filter=none).hits


def test_neither_answers_what_nobody_wrote(notes: Library) -> None:
    for kind in RecallKind:
        assert notes.recall("xylophone zebra", kind=kind).hits == ()


def test_a_passage_answers_for_no_time_before_its_document_said_so(notes: Library) -> None:
    """Of what a document said before it was taken in anew, no passage is left."""
    before = notes.now
    notes.clock.advance(days=10)
    ingest(notes, "/notes/house.md", [("We painted the fence blue and drank tea.\n", None)])
    wanted = {"query": "the fence that we painted", "kind": RecallKind.CHUNK}
    (hit,) = notes.recall(**wanted).hits
    assert hit.chunk is not None
    assert "blue" in hit.chunk.content
    assert not notes.recall(**wanted, as_of=before).hits
