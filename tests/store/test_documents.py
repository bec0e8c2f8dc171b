"""Documents that are ingested, change, are interrupted, and say the same as others."""

from __future__ import annotations

import pytest
from harness import Harness, extracted, ingest, make_chunks, make_document, statements_of

from memctl.document import DocumentStatus, Usage
from memctl.errors import UnknownDocumentError, UsageError
from memctl.memory import ForgetReason, MemoryType, Origin
from memctl.new_memory import NewMemory, Outcome

PATH = "/notes/a.md"


def test_a_file_gives_a_document_its_chunks_and_their_memories(harness: Harness) -> None:
    ingest(harness, PATH, ["alpha is first\nbeta is second", "gamma is third"])
    [document] = harness.graph.documents()
    assert (document.path, document.status) == (PATH, DocumentStatus.DONE)
    chunks = harness.graph.chunks_of(document.id)
    assert [chunk.content for chunk in chunks] == [
        "alpha is first\nbeta is second\n\n",
        "gamma is third\n\n",
    ]
    assert all(chunk.extracted for chunk in chunks)
    memories = harness.graph.memories_of(document.id)
    assert [(memory.content, memory.first_line) for memory in memories] == [
        ("alpha is first", 1),
        ("beta is second", 2),
        ("gamma is third", 4),
    ]


def test_ingesting_the_same_file_again_changes_no_memory(harness: Harness) -> None:
    ingest(harness, PATH, ["alpha", "beta"])
    before = harness.graph.list_memories()
    document = ingest(harness, PATH, ["alpha", "beta"])
    assert harness.graph.list_memories() == before
    assert [item.id for item in harness.graph.documents()] == [document.id]


def test_only_what_is_new_in_a_changed_file_is_to_be_extracted(harness: Harness) -> None:
    ingest(harness, PATH, ["alpha", "beta", "gamma"])
    paragraphs = ["new start", "alpha", "gamma"]
    with harness.store.operation("ingest") as operation:
        begun = operation.begin_document(make_document(PATH, "changed"), make_chunks(*paragraphs))
    assert [(chunk.content.strip(), chunk.extracted) for chunk in begun.chunks] == [
        ("new start", False),
        ("alpha", True),
        ("gamma", True),
    ]
    assert list(begun.chunks) == harness.graph.chunks_of(begun.document.id)


def test_memories_of_paragraphs_that_moved_cite_their_new_lines(harness: Harness) -> None:
    ingest(harness, PATH, ["alpha", "beta\nbeta two"])
    kept = {memory.content: memory.id for memory in harness.graph.list_memories()}
    ingest(harness, PATH, ["one\ntwo\nthree", "beta\nbeta two", "alpha"])
    memories = {memory.content: memory for memory in harness.graph.list_memories()}
    for content, lines in {"beta": (5, 5), "beta two": (6, 6), "alpha": (8, 8)}.items():
        memory = memories[content]
        assert memory.id == kept[content]
        assert (memory.first_line, memory.last_line) == lines
        citation = harness.graph.citations([memory.id])[memory.id]
        assert (citation.first_line, citation.last_line) == lines


def test_memories_of_a_removed_paragraph_are_hidden_and_can_come_back(harness: Harness) -> None:
    ingest(harness, PATH, ["alpha", "beta"])
    ingest(harness, PATH, ["alpha"])
    assert harness.listed() == ["alpha"]
    [gone] = harness.graph.list_memories(only_forgotten=True)
    assert (gone.content, gone.forgotten_reason) == ("beta", ForgetReason.DOCUMENT)
    assert harness.journal()[-1]["row_key"] == gone.id
    harness.restore(gone.id)
    assert sorted(harness.listed()) == ["alpha", "beta"]


def test_a_paragraph_that_returns_brings_its_memory_back(harness: Harness) -> None:
    ingest(harness, PATH, ["alpha", "beta"])
    [beta] = [memory for memory in harness.graph.list_memories() if memory.content == "beta"]
    ingest(harness, PATH, ["alpha"])
    ingest(harness, PATH, ["beta", "alpha"])
    assert sorted(harness.listed()) == ["alpha", "beta"]
    memory = harness.graph.memory(beta.id)
    assert not memory.forgotten
    assert str(harness.graph.citations([beta.id])[beta.id]) == f"{PATH}:1"


def test_what_the_user_forgot_does_not_come_back_with_the_file(harness: Harness) -> None:
    ingest(harness, PATH, ["alpha", "beta"])
    [beta] = [memory.id for memory in harness.graph.list_memories() if memory.content == "beta"]
    harness.forget(beta)
    ingest(harness, PATH, ["beta", "alpha", "beta"], extractor="another")
    ingest(harness, "/notes/copy.md", ["beta"])
    assert harness.listed() == ["alpha"]


def test_a_statement_that_another_place_still_makes_stays(harness: Harness) -> None:
    ingest(harness, PATH, ["alpha", "beta\nalpha"])
    ingest(harness, "/notes/b.md", ["beta"])
    ingest(harness, PATH, ["alpha"])
    assert sorted(harness.listed()) == ["alpha", "beta"]
    [beta] = [memory.id for memory in harness.graph.list_memories() if memory.content == "beta"]
    assert str(harness.graph.citations([beta])[beta]) == "/notes/b.md:1"
    ingest(harness, "/notes/b.md", [])
    assert harness.listed() == ["alpha"]


def test_the_memories_of_other_documents_are_not_touched(harness: Harness) -> None:
    ingest(harness, "/notes/b.md", ["beta one\nbeta two"])
    before = harness.graph.list_memories()
    ingest(harness, PATH, ["alpha"])
    ingest(harness, PATH, [])
    assert harness.graph.list_memories() == before


@pytest.mark.parametrize("how", ["said by the user too", "edited", "pinned"])
def test_a_changed_file_does_not_hide_what_people_made_their_own(
    harness: Harness, how: str
) -> None:
    ingest(harness, PATH, ["alpha", "beta"])
    [beta] = [memory.id for memory in harness.graph.list_memories() if memory.content == "beta"]
    if how == "said by the user too":
        assert harness.save("beta").outcome is Outcome.UNCHANGED
    elif how == "edited":
        harness.edit(beta, memory_type=MemoryType.GOAL)
    else:
        harness.edit(beta, pinned=True)
    ingest(harness, PATH, ["alpha"])
    assert sorted(harness.listed()) == ["alpha", "beta"]


def test_what_the_user_had_said_first_stays_when_the_file_drops_it(harness: Harness) -> None:
    harness.save("beta")
    ingest(harness, PATH, ["alpha", "beta"])
    ingest(harness, PATH, ["alpha"])
    assert sorted(harness.listed()) == ["alpha", "beta"]


@pytest.mark.parametrize("status", [DocumentStatus.FAILED, DocumentStatus.NO_TEXT])
def test_nothing_is_hidden_while_the_new_text_is_not_known(
    harness: Harness, status: DocumentStatus
) -> None:
    ingest(harness, PATH, ["alpha", "beta"])
    with harness.store.operation("ingest") as operation:
        begun = operation.begin_document(make_document(PATH, "changed"), make_chunks("alpha"))
        assert operation.finish_document(begun.document.id, status, "why") == []
    assert sorted(harness.listed()) == ["alpha", "beta"]
    assert harness.graph.document(begun.document.id).reason == "why"


def test_an_interrupted_ingest_goes_on_with_the_chunks_that_are_left(harness: Harness) -> None:
    document, paragraphs = make_document(PATH, "x"), ["alpha", "beta", "gamma"]
    with harness.store.operation("ingest") as operation:
        begun = operation.begin_document(document, make_chunks(*paragraphs))
        operation.commit_chunk(begun.chunks[0].id, statements_of(begun.chunks[0]))
    harness.reopen()
    with harness.store.operation("ingest") as operation:
        again = operation.begin_document(make_document(PATH, "x"), make_chunks(*paragraphs))
    assert [chunk.id for chunk in again.chunks] == [chunk.id for chunk in begun.chunks]
    assert [chunk.extracted for chunk in again.chunks] == [True, False, False]
    ingest(harness, PATH, paragraphs)
    assert sorted(harness.listed()) == ["alpha", "beta", "gamma"]


def test_another_extractor_reads_every_chunk_anew(harness: Harness) -> None:
    ingest(harness, PATH, ["alpha\nbeta"])
    document = make_document(PATH, "x", extractor="a model")
    with harness.store.operation("ingest") as operation:
        begun = operation.begin_document(document, make_chunks("alpha\nbeta"))
        assert [chunk.extracted for chunk in begun.chunks] == [False]
        new = [NewMemory(content="alpha", origin=Origin.LLM)]
        operation.commit_chunk(begun.chunks[0].id, new)
        hidden = operation.finish_document(begun.document.id, DocumentStatus.DONE)
    assert harness.listed() == ["alpha"]
    assert len(hidden) == 1


def test_equal_paragraphs_keep_their_order(harness: Harness) -> None:
    first = ingest(harness, PATH, ["same", "other", "same"])
    before = harness.graph.chunks_of(first.id)
    ingest(harness, PATH, ["same", "same", "other"])
    after = harness.graph.chunks_of(first.id)
    assert [chunk.id for chunk in after] == [before[0].id, before[2].id, before[1].id]
    assert harness.listed().count("same") == 1


def test_a_chunk_that_a_newer_version_retired_saves_nothing(harness: Harness) -> None:
    with harness.store.operation("ingest") as old, harness.store.operation("ingest") as new:
        outdated = old.begin_document(make_document(PATH, "old"), make_chunks("alpha"))
        newer = new.begin_document(make_document(PATH, "new"), make_chunks("beta"))
        assert old.commit_chunk(outdated.chunks[0].id, statements_of(outdated.chunks[0])) == []
        ended = old.finish_document(
            outdated.document.id,
            DocumentStatus.DONE,
            content_hash=outdated.document.content_hash,
        )
        assert ended == []
        assert harness.graph.document(newer.document.id).status is DocumentStatus.EXTRACTING
        new.commit_chunk(newer.chunks[0].id, statements_of(newer.chunks[0]))
        new.finish_document(newer.document.id, DocumentStatus.DONE)
    assert harness.listed() == ["beta"]


def test_cost_adds_up_over_chunks_and_attempts(harness: Harness) -> None:
    usage = Usage(calls=1, input_tokens=100, output_tokens=10, cost_usd=0.25)
    with harness.store.operation("ingest") as operation:
        begun = operation.begin_document(make_document(PATH, "x"), make_chunks("a", "b"))
        first, second = begun.chunks
        operation.commit_chunk(first.id, statements_of(first), usage)
        operation.fail_chunk(second.id, "the model said no", usage)
        operation.finish_document(begun.document.id, DocumentStatus.FAILED, attempts=1)
    document = harness.graph.document(begun.document.id)
    assert (document.input_tokens, document.output_tokens, document.cost_usd) == (200, 20, 0.5)
    assert document.attempts == 1
    failed = harness.graph.chunks([second.id])[second.id]
    assert (failed.extracted, failed.error) == (False, "the model said no")
    with harness.store.operation("ingest") as operation:
        again = operation.begin_document(make_document(PATH, "x"), make_chunks("a", "b"))
        operation.commit_chunk(second.id, statements_of(second), usage)
        operation.finish_document(again.document.id, DocumentStatus.DONE)
    document = harness.graph.document(begun.document.id)
    assert (document.input_tokens, document.cost_usd) == (300, 0.75)
    assert harness.graph.chunks([second.id])[second.id].error is None


def test_a_wrong_statement_leaves_the_chunk_to_be_done(harness: Harness) -> None:
    with harness.store.operation("ingest") as operation:
        begun = operation.begin_document(make_document(PATH, "x"), make_chunks("a"))
        with pytest.raises(UsageError):
            operation.commit_chunk(begun.chunks[0].id, [NewMemory(content="")])
    assert [chunk.extracted for chunk in harness.graph.chunks_of(begun.document.id)] == [False]


def test_unknown_documents_and_chunks_are_named(harness: Harness) -> None:
    with harness.store.operation("ingest") as operation:
        with pytest.raises(UnknownDocumentError, match="no-such-chunk"):
            operation.commit_chunk("no-such-chunk", [])
        with pytest.raises(UnknownDocumentError, match="no-such-document"):
            operation.finish_document("no-such-document", DocumentStatus.DONE)
    with pytest.raises(UnknownDocumentError):
        harness.graph.document("no-such-document")


def test_a_file_without_text_is_recorded_and_keeps_what_it_had_said(harness: Harness) -> None:
    ingest(harness, PATH, ["alpha"])
    with harness.store.operation("ingest") as operation:
        recorded = operation.record_document(
            make_document(PATH, "scan", status=DocumentStatus.NO_TEXT, reason="pages 1 to 3")
        )
    [document] = harness.graph.documents()
    assert document == recorded
    assert (document.status, document.reason) == (DocumentStatus.NO_TEXT, "pages 1 to 3")
    assert harness.listed() == ["alpha"]


def test_a_path_that_is_no_text_is_one_document(harness: Harness) -> None:
    path = b"/notes/caf\xe9.md".decode("utf-8", "surrogateescape")
    ingest(harness, path, ["alpha"])
    ingest(harness, path, ["alpha", "beta"])
    [document] = harness.graph.documents()
    found = harness.graph.document_by_path(path)
    assert found is not None
    assert found.id == document.id
    assert harness.graph.documents_by_path([path, "/notes/none.md"]) == {path: document}


def test_documents_that_come_as_a_whole_are_written_once(harness: Harness) -> None:
    """The journal has one row of each, for they are recorded as they end."""
    with harness.store.operation("ingest") as operation:
        stored = operation.store_documents([extracted("/a.md", "alpha"), extracted("/b.md")])
    rows = [row for row in harness.journal() if row["table_name"] == "documents"]
    assert [row["row_key"] for row in rows] == [one.document.id for one in stored]
    assert harness.graph.documents() == [one.document for one in stored]


def test_many_documents_at_once_are_as_if_one_by_one(harness: Harness) -> None:
    versions = [
        {"/a.md": ["alpha", "beta"], "/b.md": ["beta", "gamma"], "/c.md": []},
        {"/a.md": ["alpha two"], "/b.md": ["new", "gamma"], "/c.md": ["beta"]},
        {"/a.md": ["alpha two", "alpha"], "/b.md": [], "/c.md": ["beta"]},
    ]
    single = Harness(harness.folder.with_name("single"))
    for version in versions:
        with harness.store.operation("ingest") as operation:
            stored = operation.store_documents(
                [extracted(path, *paragraphs) for path, paragraphs in version.items()]
            )
        assert [entry.document.path for entry in stored] == list(version)
        for path, paragraphs in version.items():
            ingest(single, path, paragraphs)
        assert sorted(harness.listed()) == sorted(single.listed())
        for path in version:
            texts = []
            for each in (harness, single):
                document = each.graph.document_by_path(path)
                assert document is not None
                chunks = each.graph.chunks_of(document.id)
                texts.append([(chunk.content, chunk.first_line) for chunk in chunks])
            assert texts[0] == texts[1]
    single.close()


def test_receipts_of_stored_documents_are_their_own(harness: Harness) -> None:
    with harness.store.operation("ingest") as operation:
        first, second = operation.store_documents(
            [extracted("/a.md", "alpha\nbeta", "gamma"), extracted("/b.md", "beta")]
        )
    contents = {memory.id: memory.content for memory in harness.graph.list_memories()}
    assert [contents[receipt.id] for receipt in first.receipts] == ["alpha", "beta", "gamma"]
    assert [(contents[receipt.id], receipt.outcome) for receipt in second.receipts] == [
        ("beta", Outcome.UNCHANGED)
    ]
    with harness.store.operation("ingest") as operation:
        again, less = operation.store_documents(
            [extracted("/a.md", "gamma"), extracted("/b.md", "delta")]
        )
    assert again.receipts == ()
    assert [contents[memory_id] for memory_id in again.hidden] == ["alpha", "beta"]
    assert len(less.receipts) == 1


def test_documents_are_found_by_status_folder_and_content(harness: Harness) -> None:
    for path in ("/n/a.md", "/n/b/c.md", "/n/B/d.md", "/n0/e.md", "/n/b.md"):
        ingest(harness, path, ["same text"] if path.endswith("c.md") else [path])
    with harness.store.operation("ingest") as operation:
        operation.record_document(make_document("/n/f.pdf", "f", status=DocumentStatus.ENCRYPTED))

    def paths(**options: object) -> list[str]:
        return [document.path for document in harness.graph.documents(**options)]  # type: ignore[arg-type]

    assert paths(under="/n/b") == ["/n/b/c.md"]
    assert paths(under="/n/") == ["/n/B/d.md", "/n/a.md", "/n/b.md", "/n/b/c.md", "/n/f.pdf"]
    assert paths(under="/n/b.md") == ["/n/b.md"]
    assert paths(under="/n", outside=["/n/b", "/n/a.md"]) == ["/n/B/d.md", "/n/b.md", "/n/f.pdf"]
    assert paths(statuses=[DocumentStatus.ENCRYPTED]) == ["/n/f.pdf"]
    assert len(paths()) == 6
    [document] = harness.graph.documents(under="/n/b")
    assert harness.graph.documents_with_hash(document.content_hash) == [document]
