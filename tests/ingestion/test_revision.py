"""Lines that are edited in a file that was taken in before, and boxes ticked and opened again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fakes.hash_embedder import HashEmbedder

from memctl.config import Settings, StoreSettings
from memctl.file_runtime import FileRuntime
from memctl.ingestion.options import IngestOptions
from memctl.ingestion.receipt import DocumentReceipt
from memctl.memory import MemoryType
from memctl.new_memory import Outcome
from memctl.runtime import Runtime

OPEN = "- [ ] Hire the van\n- [ ] Call the bank\n"
TICKED = OPEN.replace("[ ] Hire", "[x] Hire")


@pytest.fixture
def runtime(store_path: Path) -> Iterator[Runtime]:
    runtime = Runtime(Settings(store=StoreSettings(path=store_path)), warn=print)
    runtime.embedder = HashEmbedder()
    yield runtime
    runtime.close()


class List:
    """A file of todos in a folder of its own, and what a store makes of it."""

    def __init__(self, runtime: Runtime, path: Path) -> None:
        self.runtime = runtime
        self.path = path

    def take_in(self, text: str) -> DocumentReceipt:
        """Writes the file and ingests it."""
        self.path.write_text(text, encoding="utf-8")
        files = FileRuntime(self.runtime)
        [receipt] = files.ingest(files.discover([self.path]), IngestOptions())
        return receipt

    def types(self) -> dict[str, list[MemoryType]]:
        """By text, the types of the memories that are listed."""
        found: dict[str, list[MemoryType]] = {}
        for memory in self.runtime.graph.list_memories():
            found.setdefault(memory.content, []).append(memory.memory_type)
        return found

    def id_of(self, content: str) -> str:
        """The id of the one listed memory with that text."""
        [memory_id] = [
            memory.id for memory in self.runtime.graph.list_memories() if memory.content == content
        ]
        return memory_id


@pytest.fixture
def todo_list(runtime: Runtime, tmp_path: Path) -> List:
    return List(runtime, tmp_path / "todo.md")


def test_a_ticked_box_puts_an_event_in_the_place_of_the_todo(todo_list):
    """The todo stays as history; the other ones of the file are left as they are."""
    todo_list.take_in(OPEN)
    todo = todo_list.id_of("Hire the van")
    receipt = todo_list.take_in(TICKED)
    assert todo_list.types() == {
        "Hire the van": [MemoryType.EVENT],
        "Call the bank": [MemoryType.TODO],
    }
    graph = todo_list.runtime.graph
    assert graph.memory(todo).superseded_by == todo_list.id_of("Hire the van")
    assert not graph.memory(todo).forgotten
    assert receipt.outcomes[Outcome.UPDATED] == 1
    assert receipt.hidden == []


def test_a_box_that_is_opened_again_brings_its_todo_back(todo_list):
    """However often it is ticked and opened, there are one todo and one event, one of them live."""
    todo_list.take_in(OPEN)
    todo = todo_list.id_of("Hire the van")
    ids = {True: set(), False: {todo}}
    for is_ticked in (True, False, True, False):
        receipt = todo_list.take_in(TICKED if is_ticked else OPEN)
        expected = MemoryType.EVENT if is_ticked else MemoryType.TODO
        assert todo_list.types()["Hire the van"] == [expected]
        assert (receipt.outcomes[Outcome.UPDATED], receipt.hidden) == (1, [])
        ids[is_ticked].add(todo_list.id_of("Hire the van"))
    assert [len(found) for found in ids.values()] == [1, 1]


def test_a_box_that_was_ticked_from_the_start_can_be_opened(todo_list):
    """An event of a first ingest gives way to the todo, and takes its place again."""
    for text, expected in (
        (TICKED, MemoryType.EVENT),
        (OPEN, MemoryType.TODO),
        (TICKED, MemoryType.EVENT),
    ):
        todo_list.take_in(text)
        assert todo_list.types()["Hire the van"] == [expected]


def test_undo_takes_the_tick_back(todo_list):
    """The todo is open again, as important as it was."""
    todo_list.take_in(OPEN)
    before = todo_list.runtime.graph.list_memories()
    todo_list.take_in(TICKED)
    todo_list.runtime.undo(None, force=False)
    assert todo_list.runtime.graph.list_memories() == before


def test_the_box_of_another_file_is_another_errand(todo_list):
    """What was done last week is to be done again this week."""
    todo_list.take_in("- [x] Water the plants\n")
    this_week = List(todo_list.runtime, todo_list.path.with_name("this-week.md"))
    this_week.take_in("- [ ] Water the plants\n")
    assert sorted(todo_list.types()["Water the plants"]) == [MemoryType.EVENT, MemoryType.TODO]
    assert this_week.take_in("- [ ] Water the plants\n- [ ] Feed the cat\n")
    assert len(todo_list.types()["Water the plants"]) == 2


def test_a_file_does_not_open_what_somebody_has_closed(todo_list):
    """Neither where its type was changed by hand nor where it was forgotten."""
    todo_list.take_in(OPEN)
    todo_list.runtime.edit(todo_list.id_of("Hire the van"), {"memory_type": MemoryType.EVENT})
    todo_list.runtime.forget([todo_list.id_of("Call the bank")])
    todo_list.take_in(f"{OPEN}- [ ] Pack the books\n")
    closed = {"Hire the van": [MemoryType.EVENT], "Pack the books": [MemoryType.TODO]}
    assert todo_list.types() == closed
    todo_list.take_in(OPEN.replace("[ ]", "[x]") + "- [ ] Pack the books\n")
    assert todo_list.types() == closed


def superseded_by(todo_list, old_id):
    return todo_list.runtime.graph.memory(old_id).superseded_by


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("We decided to paint the kitchen sage green.", "We decided to paint the kitchen ochre."),
        ("The oven came from Ghent.", "The oven came from Lisbon."),
        ("我们决定把厨房漆成绿色。", "我们决定把厨房漆成黄色。"),
    ],
)
def test_a_line_that_was_edited_in_place_supersedes_what_it_said(todo_list, before, after):
    """Whether or not the words tell that one value takes the place of another."""
    text = f"- {before}\n- The bees swarm in May.\n"
    todo_list.take_in(text)
    old = todo_list.id_of(before)
    receipt = todo_list.take_in(f"- We chose a new van.\n{text.replace(before, after)}")
    assert superseded_by(todo_list, old) == todo_list.id_of(after)
    assert receipt.hidden == []


def test_a_line_that_says_something_else_supersedes_nothing(todo_list):
    """What stood there is hidden, as something that the file states no longer."""
    todo_list.take_in("- The bees swarm in May.\n- Anna likes tea.\n")
    old = todo_list.id_of("Anna likes tea.")
    receipt = todo_list.take_in("- The bees swarm in May.\n- We chose MariaDB for the shop.\n")
    assert superseded_by(todo_list, old) is None
    assert receipt.hidden == [old]


def test_a_line_that_went_is_not_taken_for_one_that_came_elsewhere(todo_list):
    """Only the place of a line tells what became of it."""
    todo_list.take_in("- The hall is blue.\n- The bees swarm in May.\n- The oven is new.\n")
    old = todo_list.id_of("The hall is blue.")
    todo_list.take_in("- The bees swarm in May.\n- The oven is new.\n- The shed is blue.\n")
    assert superseded_by(todo_list, old) is None
