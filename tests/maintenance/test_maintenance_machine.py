"""Whatever a user does between runs of maintenance: the stores agree, undo restores exactly."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, multiple, rule
from workshop import JoiningModel, Workshop

from memctl.errors import RestoreConflictError, UndoConflictError, UndoError, UsageError
from memctl.maintenance.plan import StepName
from memctl.memory import EntryKind, MemoryType, RelationType
from memctl.message import Message
from memctl.store.index_check import visible_ids

contents = st.sampled_from(
    ["The router is in the hall", "the router is in the hall", "The router is in the shed",
     "The Router is in the hall", "Tea costs 2 euros", "Tea costs 3 euros"]
)  # fmt: skip
fields = st.fixed_dictionaries(
    {},
    optional={
        "key": st.sampled_from(["k1", "k2"]),
        "tags": st.sampled_from([("x",), ("y", "z")]),
        "importance": st.sampled_from([0.05, 0.12, 0.9]),
        "pinned": st.just(True),
        "memory_type": st.sampled_from([MemoryType.FACT, MemoryType.IDENTITY]),
    },
)
some_steps = st.lists(st.sampled_from(StepName), min_size=1, max_size=3, unique=True)


def make_message(number: int, content: str) -> Message:
    """A line of a transcript."""
    return Message(
        id=f"m{number}",
        channel_id="main",
        session_id=None,
        role="user",
        content=content,
        position=number,
    )


class MaintenanceMachine(RuleBasedStateMachine):
    """A user and cron on one store."""

    ids = Bundle("ids")

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.workshop = Workshop(self.folder / "memory")
        self.files = 0

    def attempt(self, act: Callable[[], Any]) -> Any:
        """Does something that may be refused."""
        try:
            return act()
        except (UsageError, RestoreConflictError, UndoConflictError, UndoError):
            return None

    def newest_operation(self) -> int | None:
        return next((operation.id for operation in self.workshop.graph.log(limit=1)), None)

    def undone_exactly(self, act: Callable[[], Any]) -> None:
        """Does something, takes it back, compares every row, and does it again. What only drops the
        oldest operations from the journal leaves nothing to take back."""
        before, newest = self.workshop.rows(), self.newest_operation()
        self.attempt(act)
        if self.newest_operation() in {None, newest}:
            return
        after = self.workshop.rows()
        self.workshop.undo(self.workshop.graph.log(limit=1)[0].id)
        assert self.workshop.rows() == before
        self.workshop.undo(self.workshop.graph.log(limit=1)[0].id)
        assert self.workshop.rows() == after

    @initialize(target=ids)
    def first(self) -> str:
        return self.workshop.save("the first").id

    @rule(target=ids, content=contents, said=fields)
    def save(self, content: str, said: dict[str, Any]) -> Any:
        receipts = []
        self.undone_exactly(lambda: receipts.append(self.workshop.save(content, **said)))
        return multiple(*(receipt.id for receipt in receipts))

    @rule(target=ids, texts=st.lists(contents, min_size=1, max_size=3, unique=True))
    def migrate(self, texts: list[str]) -> Any:
        """A file with what it states and a line of a transcript, in one operation."""
        self.files += 1
        taken: list[str] = []
        number = self.files

        def act() -> None:
            with self.workshop.store.operation("migrate-openclaw") as operation:
                taken.extend(self.workshop.take_in(operation, f"/notes/{number}.md", texts))
                operation.add_messages([make_message(number, texts[0])])
            self.workshop.store.drain()

        self.undone_exactly(act)
        return multiple(*taken)

    @rule(memory_id=ids, content=contents, said=fields)
    def edit(self, memory_id: str, content: str, said: dict[str, Any]) -> None:
        def act() -> None:
            if memory_id not in self.workshop.graph.memories([memory_id]):
                return
            with self.workshop.store.operation("edit") as operation:
                operation.edit(memory_id, {"content": content, **said})  # type: ignore[typeddict-item]

        self.undone_exactly(act)

    @rule(near=ids, far=ids, relation=st.sampled_from(RelationType))
    def link(self, near: str, far: str, relation: RelationType) -> None:
        def act() -> None:
            if len(self.workshop.graph.memories([near, far])) < 2:
                return
            with self.workshop.store.operation("link") as operation:
                operation.associate([(near, far, relation, 0.5)])
                if relation is RelationType.UPDATES:
                    operation.supersede(far, by=near)

        self.undone_exactly(act)

    @rule(memory_id=ids)
    def forget(self, memory_id: str) -> None:
        if memory_id in self.workshop.graph.memories([memory_id]):
            self.undone_exactly(lambda: self.workshop.forget(memory_id))

    @rule(memory_id=ids)
    def restore(self, memory_id: str) -> None:
        def act() -> None:
            if memory_id not in self.workshop.graph.memories([memory_id]):
                return
            with self.workshop.store.operation("restore") as operation:
                operation.restore([memory_id])

        self.undone_exactly(act)

    @rule(memory_id=ids)
    def recall(self, memory_id: str) -> None:
        self.workshop.store.record_accesses([memory_id])

    @rule(days=st.sampled_from([1, 10, 40, 200]))
    def wait(self, days: int) -> None:
        self.workshop.clock.advance(days=days)

    @rule(names=some_steps, yes=st.booleans())
    def maintain(self, names: list[StepName], yes: bool) -> None:
        now = self.workshop.clock.now

        def act() -> None:
            self.workshop.maintain(*names, yes=yes, model=JoiningModel())

        self.undone_exactly(act)
        self.workshop.clock.now = max(now, self.workshop.clock.now)

    @rule()
    def undo(self) -> None:
        self.attempt(self.workshop.undo)

    @rule()
    def reopen(self) -> None:
        self.workshop.reopen()

    @invariant()
    def both_stores_hold_the_same_ids(self) -> None:
        workshop = self.workshop
        workshop.store.drain()
        for kind in EntryKind:
            assert workshop.index.ids(kind) == visible_ids(workshop.database, kind)

    @invariant()
    def nothing_live_is_double(self) -> None:
        live = self.workshop.graph.list_memories(include_expired=True)
        texts = [(memory.content_hash, memory.channel_id, memory.event_at) for memory in live]
        assert len(texts) == len(set(texts))
        with self.workshop.database.reading() as connection:
            assert connection.exec_driver_sql("PRAGMA foreign_key_check").all() == []

    def teardown(self) -> None:
        self.workshop.close()
        shutil.rmtree(self.folder)


MaintenanceMachine.TestCase.settings = settings(
    max_examples=6,
    stateful_step_count=14,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
TestMaintenance = pytest.mark.slow(MaintenanceMachine.TestCase)
