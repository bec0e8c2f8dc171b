"""A purged text is in no byte of the store, and everything else is where it was."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from workshop import Workshop

from memctl.content import hash_content
from memctl.errors import PurgeRemainsError, PurgeUndoError, UnknownMemoryError
from memctl.memory import ForgetReason, Origin, RelationType
from memctl.message import Message
from memctl.new_memory import NewMemory
from memctl.store.facts import PURGING_KEY
from memctl.store.proof import search_folder
from memctl.store.steps import Step, no_checkpoint

SECRET = 'the "swordfish" opens\nthe side door'
LINES = [
    "# Doors",
    "",
    'Note: the "swordfish" opens',
    "the side door",
    "",
    "The front door squeaks",
]


def bytes_with(workshop: Workshop, *texts: str) -> list[str]:
    """The store's files that hold one of the texts in any of its forms."""
    return list(search_folder(workshop.folder, texts).found)


def ingest(workshop: Workshop, text: str, statements: list[NewMemory]) -> list[str]:
    """Takes a file of one chunk in and gives the ids of its memories."""
    with workshop.store.operation("ingest") as operation:
        ids = workshop.take_in_chunk(
            operation, "/notes/doors.md", text, statements, heading_path=("Doors", SECRET)
        )
    workshop.store.drain()
    return ids


def test_a_purged_text_is_in_no_byte_of_the_store(workshop: Workshop) -> None:
    kept = workshop.save("the front door squeaks", tags=("door",)).id
    receipt = workshop.save("an earlier wording of it", tags=("door",))
    with workshop.store.operation("edit") as operation:
        operation.edit(receipt.id, {"content": SECRET})
        operation.associate([(kept, receipt.id, RelationType.PART_OF, 0.5)])
    workshop.store.drain()
    again = workshop.save(SECRET, channel_id="ops").id
    assert bytes_with(workshop, SECRET)
    report = workshop.purger.purge([receipt.id])
    assert set(report.plan.ids) == {receipt.id, again}
    assert report.proof is not None
    assert report.proof.bytes > 10_000
    assert bytes_with(workshop, SECRET, "swordfish", "an earlier wording") == []
    assert workshop.texts() == {"the front door squeaks"}
    assert workshop.graph.associations_of([kept]) == []
    workshop.check_agreement()


def test_the_lines_that_stated_it_are_erased_and_the_others_stay(workshop: Workshop) -> None:
    text = "\n".join(LINES)
    gone, stays = ingest(
        workshop,
        text,
        [
            NewMemory(
                content="The swordfish opens it", origin=Origin.FILE, first_line=3, last_line=4
            ),
            NewMemory(content=LINES[5], origin=Origin.FILE, first_line=6, last_line=6),
        ],
    )
    report = workshop.purger.purge([gone])
    assert report.plan.paths == ("/notes/doors.md",)
    [passage] = workshop.graph.passages([stays])[stays]
    expected = ["# Doors", "", "[erased]", "[erased]", "", "The front door squeaks"]
    assert passage.chunk.content.split("\n") == expected
    assert passage.chunk.content_hash == hash_content(text)
    assert [entry.after.heading_path for entry in report.plan.chunks] == [("Doors", "[erased]")]
    assert bytes_with(workshop, "opens", "swordfish") == []
    workshop.check_agreement()


def take_in_marked(workshop: Workshop) -> str:
    """Takes in a file whose line has markup that the memory is without."""
    line = 'The door of the **boathouse** opens with "swordfish"'
    statement = NewMemory(
        content='The door of the boathouse opens with "swordfish"',
        origin=Origin.FILE,
        first_line=3,
        last_line=3,
    )
    [memory_id] = ingest(workshop, f"# Doors\n\n{line}", [statement])
    return memory_id


@pytest.mark.parametrize("taken_in_again", [False, True])
def test_an_ingest_that_was_undone_leaves_no_trace_either(
    workshop: Workshop, *, taken_in_again: bool
) -> None:
    """The journal keeps the passages of what was undone, as they stood in the file."""
    memory_id = take_in_marked(workshop)
    workshop.undo(workshop.graph.log(limit=1)[0].id)
    if taken_in_again:
        memory_id = take_in_marked(workshop)
    assert bytes_with(workshop, "boathouse")
    report = workshop.purger.purge([memory_id])
    assert any("**boathouse**" in line for line in report.plan.lines)
    assert bytes_with(workshop, "boathouse") == []


def test_a_line_in_another_file_of_the_store_is_named_whatever_its_markup(
    workshop: Workshop,
) -> None:
    """The proof looks for the line as the file has it, not for the memory's text alone."""
    memory_id = take_in_marked(workshop)
    copy = workshop.folder / "copy.md"
    copy.write_text('The door of the **boathouse** opens with "swordfish"\n', encoding="utf-8")
    with pytest.raises(PurgeRemainsError, match=r"copy\.md"):
        workshop.purger.purge([memory_id])


def test_a_short_text_leaves_the_history_of_longer_ones_alone(workshop: Workshop) -> None:
    """What a memory that stays says can be taken back as before."""
    short = workshop.save("tea").id
    workshop.save("I drink tea every day")
    workshop.purger.purge([short])
    assert workshop.texts() == {"I drink tea every day"}
    workshop.undo(workshop.graph.log(limit=2)[1].id)
    assert workshop.texts() == set()


def test_what_was_outdated_by_it_is_current_again_and_what_was_merged_goes_too(
    workshop: Workshop,
) -> None:
    older, newer, merged = workshop.save_many("older value", SECRET, "a merged wording")
    with workshop.store.operation("link") as operation:
        operation.supersede(older, by=newer)
        operation.supersede(merged, by=newer)
        operation.forget([merged], ForgetReason.MERGED)
    report = workshop.purger.purge([newer])
    assert set(report.plan.ids) == {newer, merged}
    assert [memory.content for memory in workshop.graph.list_memories()] == ["older value"]
    assert bytes_with(workshop, SECRET, "a merged wording") == []


class StoppedError(Exception):
    """What the checkpoint raises."""


@pytest.mark.slow
@pytest.mark.parametrize("stop", [Step.ERASED, Step.COMMITTED, Step.REBUILT_ROWS_PUT])
def test_a_stopped_purge_is_undone_or_finished_later(workshop: Workshop, stop: Step) -> None:
    only = workshop.save(SECRET)
    workshop.save("another one")

    def reach(step: Step) -> None:
        if step is stop:
            raise StoppedError

    workshop.checkpoint = reach
    with pytest.raises(StoppedError):
        workshop.purger.purge([only.id])
    workshop.checkpoint = no_checkpoint
    workshop.reopen()
    assert (SECRET in workshop.texts()) is (stop is Step.ERASED)
    assert (PURGING_KEY in workshop.graph.facts()) is (stop is not Step.ERASED)
    if stop is Step.ERASED:
        workshop.purger.purge([only.id])
    else:
        workshop.purger.finish()
    assert bytes_with(workshop, SECRET, "swordfish") == []
    assert PURGING_KEY not in workshop.graph.facts()
    workshop.check_agreement()


def test_a_purge_cannot_be_undone_and_says_so(workshop: Workshop) -> None:
    only = workshop.save(SECRET)
    workshop.forget(only.id)
    workshop.purger.purge([only.id])
    newest = workshop.graph.log(limit=1)[0]
    assert newest.command == "forget --purge"
    for named in (newest.id, None):
        with pytest.raises(PurgeUndoError, match="gone for good") as refused:
            workshop.graph.plan_undo(named)
        assert refused.value.next_step.startswith("Nothing that was done before")


def test_undoing_one_step_after_another_stops_at_a_purge_and_names_what_came_before(
    workshop: Workshop,
) -> None:
    kept = workshop.save("the oven is from 1974")
    saved = workshop.graph.log(limit=1)[0].id
    workshop.purger.purge([workshop.save(SECRET).id])
    later = workshop.save("the bees swarm in May")
    with workshop.store.operation("undo") as operation:
        plan = operation.undo(None)
    assert plan.memory_ids == [later.id]
    with pytest.raises(PurgeUndoError) as refused:
        workshop.graph.plan_undo(None)
    assert f"`memctl undo {saved}`" in refused.value.next_step
    assert workshop.graph.plan_undo(saved).memory_ids == [kept.id]


def test_a_text_that_another_memory_holds_is_named(workshop: Workshop) -> None:
    only = workshop.save("swordfish")
    other = workshop.save("the code is swordfish, said Noor")
    with pytest.raises(PurgeRemainsError, match=other.id[:8]):
        workshop.purger.purge([only.id])
    assert workshop.texts() == {"the code is swordfish, said Noor"}


def test_a_short_text_is_not_cut_out_of_longer_words(workshop: Workshop) -> None:
    text = "Teapots are in the cupboard\n"
    [stays] = ingest(workshop, text, [NewMemory(content=text, origin=Origin.FILE)])
    other = workshop.save("an older text about Teapots")
    tea = workshop.save("Tea")
    workshop.purger.purge([tea.id])
    [passage] = workshop.graph.passages([stays])[stays]
    assert passage.chunk.content == text
    with workshop.store.operation("undo") as operation:
        operation.undo(2)
    assert other.id not in {memory.id for memory in workshop.graph.list_memories()}


@pytest.mark.parametrize("text", ["数据库密码是鲤鱼", "naïve Straße", 'a "quoted" \\ text'])
def test_texts_in_any_script_are_found_by_the_proof(workshop: Workshop, text: str) -> None:
    receipt = workshop.save(text)
    assert bytes_with(workshop, text)
    workshop.purger.purge([receipt.id])
    assert bytes_with(workshop, text) == []


def test_what_was_said_in_a_channel_is_erased_too(workshop: Workshop) -> None:
    said = Message(
        id="m1",
        channel_id="main",
        session_id=None,
        role="user",
        content=f"Remember: {SECRET}, please",
        position=0,
    )
    with workshop.store.operation("migrate") as operation:
        operation.add_messages([said])
    workshop.purger.purge([workshop.save(SECRET).id])
    [left] = workshop.graph.messages("main")
    assert left.content == "Remember: [erased]\n[erased], please"
    assert bytes_with(workshop, SECRET, "swordfish") == []


def test_a_long_text_is_found_piece_by_piece(workshop: Workshop) -> None:
    """SQLite cuts what is longer than a page into parts that lie anywhere in the file."""
    text = " ".join(f"word{number}" for number in range(3_000))
    receipt = workshop.save(text)
    path = workshop.folder / "copy.db"
    path.write_bytes(b"".join(part.encode() + bytes(9) for part in (text[:5_000], text[5_000:])))
    with pytest.raises(PurgeRemainsError, match=r"copy\.db"):
        workshop.purger.purge([receipt.id])
    path.unlink()
    assert bytes_with(workshop, text) == []


def test_a_memory_whose_saving_was_undone_is_purged_by_the_id_that_the_journal_knows(
    workshop: Workshop,
) -> None:
    receipt = workshop.save(SECRET)
    with workshop.store.operation("undo") as operation:
        operation.undo(1)
    again = workshop.save(SECRET, channel_id="ops").id
    assert workshop.graph.resolve_in_journal(receipt.id[:8]) == receipt.id
    report = workshop.purger.purge([receipt.id])
    assert set(report.plan.ids) == {receipt.id, again}
    assert bytes_with(workshop, SECRET, "swordfish") == []
    with pytest.raises(UnknownMemoryError):
        workshop.purger.purge([receipt.id])


def test_a_text_that_a_command_was_called_with_is_erased_too(workshop: Workshop) -> None:
    with workshop.store.operation("save", {"source": SECRET, "number": 7}) as operation:
        receipt = operation.save(NewMemory(content=SECRET, source=SECRET))
    workshop.store.drain()
    workshop.purger.purge([receipt.id])
    assert bytes_with(workshop, SECRET, "swordfish") == []
    [_, first] = workshop.graph.log()
    assert first.arguments == {"source": "[erased]", "number": 7}


@pytest.mark.parametrize("label", ["subject", "source", "key", "tags"])
def test_a_memory_that_is_labelled_with_the_text_is_named_beside_other_files(
    workshop: Workshop, label: str
) -> None:
    only = workshop.save("swordfish soup")
    value = ("swordfish soup",) if label == "tags" else "swordfish soup"
    other = workshop.save("Noor cooks on Fridays", **{label: value})
    (workshop.folder / "notes.txt").write_text("swordfish soup")
    with pytest.raises(PurgeRemainsError) as caught:
        workshop.purger.purge([only.id])
    assert other.id[:8] in str(caught.value)
    assert "notes.txt" in str(caught.value)
    assert "memctl.db" not in str(caught.value)


def take_in_chat(workshop: Workshop, path: str = "/notes/chat.txt") -> tuple[str, list[str]]:
    """A passage's id, and the ids of the memories of two of its four lines."""
    with workshop.store.operation("ingest") as operation:
        lines = ["## Monday", "Ann feeds the swordfish", "Beatrix asks for Nelly", "Cy likes tea"]
        statements = [
            NewMemory(content=lines[1], origin=Origin.FILE, first_line=2, last_line=2),
            NewMemory(content=lines[3], origin=Origin.FILE, first_line=4, last_line=4),
        ]
        ids = workshop.take_in_chunk(operation, path, "\n".join(lines), statements)
    workshop.store.drain()
    passages = workshop.graph.passages(ids[:1])[ids[0]]
    return passages[-1].chunk.id, ids


def test_a_passage_is_erased_with_what_nothing_else_states(workshop: Workshop) -> None:
    """The lines that no memory states are gone from every byte, too."""
    chunk_id, ids = take_in_chat(workshop)
    report = workshop.purger.purge([], [chunk_id])
    assert report.plan.ids == ids
    assert report.standing == ()
    assert bytes_with(workshop, "swordfish", "Beatrix", "Monday", "likes tea") == []
    assert workshop.texts() == set()
    workshop.check_agreement()


def test_a_passage_that_is_erased_leaves_no_heading(workshop: Workshop) -> None:
    """Neither in its row nor in the journal; other passages keep theirs, which is told."""
    ids = []
    with workshop.store.operation("ingest") as operation:
        for name, above in (
            ("a.md", ("The Kestrel divorce", "A hearing in Oslo")),
            ("b.md", ("The Kestrel divorce",)),
        ):
            text = f"Ann hires a lawyer for {name}"
            statement = NewMemory(content=text, origin=Origin.FILE, first_line=1, last_line=1)
            ids += workshop.take_in_chunk(
                operation, f"/notes/{name}", text, [statement], heading_path=above
            )
    workshop.store.drain()
    passage = workshop.graph.passages(ids)[ids[0]][-1]
    report = workshop.purger.purge([], [passage.chunk.id])
    assert report.standing == ("The Kestrel divorce",)
    assert bytes_with(workshop, "hearing in Oslo") == []
    assert bytes_with(workshop, "Kestrel divorce")


def test_the_source_that_a_purged_memory_was_saved_with_is_erased(workshop: Workshop) -> None:
    with workshop.store.operation("save", {"source": "oncology letter"}) as operation:
        receipt = operation.save(
            NewMemory(content="Ann feeds the swordfish", source="oncology letter")
        )
    workshop.store.drain()
    assert bytes_with(workshop, "oncology letter")
    workshop.purger.purge([receipt.id])
    assert bytes_with(workshop, "oncology letter") == []


def test_a_passage_is_erased_after_one_of_its_memories(workshop: Workshop) -> None:
    """The mark that stands for the line of the first is nothing that could be left."""
    chunk_id, ids = take_in_chat(workshop)
    workshop.purger.purge(ids[:1])
    report = workshop.purger.purge([], [chunk_id])
    assert report.plan.ids == ids[1:]
    assert bytes_with(workshop, "swordfish", "Beatrix", "Monday", "likes tea") == []


def purging_seconds(workshop: Workshop, name: str, lines: int) -> float:
    """The time on the processor that it takes to purge all that a file of so many lines states."""
    texts = [f"{name} {number} feeds swordfish {number}" for number in range(lines)]
    statements = [
        NewMemory(content=text, origin=Origin.FILE, first_line=line, last_line=line)
        for line, text in enumerate(texts, 1)
    ]
    with workshop.store.operation("ingest") as operation:
        ids = workshop.take_in_chunk(operation, f"/notes/{name}", "\n".join(texts), statements)
    workshop.store.drain()
    began = time.process_time()
    workshop.purger.purge(ids)
    return time.process_time() - began


@pytest.mark.slow
def test_a_purge_takes_no_longer_for_each_of_many_texts(workshop: Workshop) -> None:
    """Eight times the texts in a journal of eight times the size: were each of them looked for by
    itself, that would take 64 times as long."""
    few, many = (
        purging_seconds(workshop, name, lines) for name, lines in (("a", 400), ("b", 3_200))
    )
    assert many < 24 * few


def test_a_passage_leaves_memories_that_something_else_states(workshop: Workshop) -> None:
    """A user's own memory and one that is pinned stay, and the lines that they hold are told."""
    own = workshop.save("Ann feeds the swordfish").id
    chunk_id, ids = take_in_chat(workshop)
    with workshop.store.operation("edit") as operation:
        operation.edit(ids[1], {"pinned": True})
    workshop.store.drain()
    report = workshop.purger.purge([], [chunk_id])
    assert ids[0] == own
    assert report.plan.ids == []
    assert set(report.standing) == {"Ann feeds the swordfish", "Cy likes tea"}
    assert bytes_with(workshop, "Beatrix", "Monday") == []
    assert workshop.texts() == {"Ann feeds the swordfish", "Cy likes tea"}


def test_a_line_that_another_passage_has_too_stays_there(workshop: Workshop) -> None:
    """A heading of every day is no secret of one passage."""
    chunk_id, _ = take_in_chat(workshop)
    with workshop.store.operation("ingest") as operation:
        workshop.take_in(operation, "/notes/other.md", ["## Monday", "Dora mends the roof"])
    workshop.store.drain()
    report = workshop.purger.purge([], [chunk_id])
    assert report.standing == ("## Monday",)
    assert bytes_with(workshop, "Beatrix") == []


def test_a_line_of_a_passage_in_another_file_of_the_folder_is_no_proof(workshop: Workshop) -> None:
    """The proof reads every byte for each line."""
    chunk_id, _ = take_in_chat(workshop)
    (workshop.folder / "copy.md").write_text("Beatrix asks for Nelly\n", encoding="utf-8")
    with pytest.raises(PurgeRemainsError, match=r"copy\.md"):
        workshop.purger.purge([], [chunk_id])


def test_a_passage_of_the_same_text_goes_too(workshop: Workshop) -> None:
    """A file that was copied says it as well."""
    chunk_id, _ = take_in_chat(workshop)
    take_in_chat(workshop, "/notes/copy of chat.txt")
    report = workshop.purger.purge([], [chunk_id])
    assert len(report.plan.whole_chunks) == 2
    assert bytes_with(workshop, "swordfish", "Beatrix") == []


def test_the_proof_reads_an_index_that_a_link_leads_to(workshop: Workshop, tmp_path: Path) -> None:
    """The index may lie on another disk than the database."""
    receipt = workshop.save("Ann feeds the swordfish")
    elsewhere = tmp_path / "elsewhere"
    (workshop.folder / "index").rename(elsewhere)
    (workshop.folder / "index").symlink_to(elsewhere)
    assert any(
        path.startswith(str(workshop.folder / "index"))
        for path in bytes_with(workshop, "swordfish")
    )
    workshop.purger.purge([receipt.id])
    assert bytes_with(workshop, "swordfish") == []
    assert list(search_folder(elsewhere, ["swordfish"]).found) == []
    workshop.check_agreement()


def test_what_was_purged_is_no_memory_whose_saving_was_undone(workshop: Workshop) -> None:
    """The journal knows that it went, and nothing that could be purged again."""
    gone = workshop.save(SECRET).id
    workshop.purger.purge([gone])
    with pytest.raises(UnknownMemoryError):
        workshop.graph.resolve_in_journal(gone)


def test_what_a_purged_passage_holds_of_a_transcript_is_erased_there_too(
    workshop: Workshop,
) -> None:
    """Messages that no memory states stand in a table of their own; those of others stay."""
    chunk_id, ids = take_in_chat(workshop)
    document_id = workshop.graph.memory(ids[0]).document_id
    said = [
        Message(
            id=f"m{position}",
            channel_id="chat",
            session_id=None,
            role="user",
            position=position,
            content=content,
            document_id=document_id,
        )
        for position, content in enumerate(["Beatrix asks\t for Nelly", "Dora mends the roof"])
    ]
    with workshop.store.operation("migrate") as operation:
        operation.add_messages(said)
    workshop.store.drain()
    workshop.purger.purge([], [chunk_id])
    assert bytes_with(workshop, "Nelly") == []
    kept = [one.content for one in workshop.graph.messages("chat")]
    assert kept == ["[erased]", "Dora mends the roof"]
