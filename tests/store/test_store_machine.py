"""Whatever a user does in whatever order, and wherever it is interrupted: both stores agree."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from fakes.hash_embedder import HashEmbedder
from harness import Harness, ingest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    multiple,
    precondition,
    rule,
)

from memctl.errors import RestoreConflictError, UsageError
from memctl.memory import EntryKind, ForgetReason, Origin, RelationType
from memctl.new_memory import NewMemory
from memctl.store.steps import Step


class StoppedError(Exception):
    """What the checkpoint raises when it is armed."""


contents = st.sampled_from(["alpha", "beta", "gamma", "delta", "alpha  ", "Alpha"])
fields = st.fixed_dictionaries(
    {},
    optional={
        "key": st.sampled_from(["k1", "k2"]),
        "tags": st.sampled_from([("x",), ("y", "z")]),
        "channel_id": st.just("ops"),
        "event_at": st.just(date(2026, 3, 1)),
        "origin": st.sampled_from([Origin.USER, Origin.FILE]),
        "importance": st.sampled_from([0.2, 0.8]),
    },
)
paragraphs = st.lists(st.sampled_from(["alpha", "beta\ngamma", "epsilon", "zeta"]), max_size=3)


class StoreMachine(RuleBasedStateMachine):
    """A user, a flaky model and a process that dies now and then, on one store."""

    ids = Bundle("ids")

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.countdown: int | None = None
        self.harness = Harness(
            self.folder / "memory", checkpoint=self.reach, embedder=HashEmbedder(dimension=4)
        )

    def reach(self, _: Step) -> None:
        if self.countdown is not None:
            self.countdown -= 1
            if self.countdown < 0:
                self.countdown = None
                raise StoppedError

    def attempt(self, act: Callable[[], Any]) -> Any:
        """Does something that may be refused, or stopped half way."""
        try:
            return act()
        except (UsageError, RestoreConflictError):
            return None
        except StoppedError:
            self.harness.reopen()
            return None

    @initialize(target=ids)
    def first(self) -> str:
        return self.harness.save("the first").id

    @rule(target=ids, content=contents, said=fields)
    def save(self, content: str, said: dict[str, Any]) -> Any:
        receipt = self.attempt(lambda: self.harness.save(content, **said))
        return multiple() if receipt is None else receipt.id

    @rule(target=ids, group=st.lists(st.tuples(contents, fields), max_size=4))
    def save_many(self, group: list[tuple[str, dict[str, Any]]]) -> Any:
        def act() -> list[str]:
            with self.harness.store.operation("import") as operation:
                news = [NewMemory(content=content, **said) for content, said in group]
                return [receipt.id for receipt in operation.save_many(news)]

        return multiple(*(self.attempt(act) or []))

    @rule(memory_id=ids, content=contents, said=fields)
    def edit(self, memory_id: str, content: str, said: dict[str, Any]) -> None:
        changes = {"content": content, **said}
        changes.pop("origin", None)
        self.attempt(lambda: self.harness.edit(memory_id, **changes))

    @rule(chosen=st.lists(ids, max_size=3), reason=st.sampled_from(ForgetReason))
    def forget(self, chosen: list[str], reason: ForgetReason) -> None:
        def act() -> None:
            with self.harness.store.operation("forget") as operation:
                operation.forget(chosen, reason)

        self.attempt(act)

    @rule(chosen=st.lists(ids, max_size=3))
    def restore(self, chosen: list[str]) -> None:
        self.attempt(lambda: self.harness.restore(*chosen))

    @rule(old=ids, new=ids)
    def supersede(self, old: str, new: str) -> None:
        def act() -> None:
            with self.harness.store.operation("link") as operation:
                operation.supersede(old, by=new)

        self.attempt(act)

    @rule(near=ids, far=ids, relation=st.sampled_from(RelationType))
    def link(self, near: str, far: str, relation: RelationType) -> None:
        def act() -> None:
            with self.harness.store.operation("link") as operation:
                operation.associate([(near, far, relation, 0.5)])

        self.attempt(act)

    @rule(path=st.sampled_from(["/a.md", "/b.md"]), text=paragraphs)
    def ingest(self, path: str, text: list[str]) -> None:
        self.attempt(lambda: ingest(self.harness, path, text))

    @rule(memory_id=consumes(ids))
    def recall(self, memory_id: str) -> None:
        self.attempt(lambda: self.harness.store.record_accesses([memory_id]))

    @rule(limit=st.sampled_from([None, 1, 3]))
    def drain(self, limit: int | None) -> None:
        self.attempt(lambda: self.harness.drain(limit=limit))

    @rule(memory_id=ids)
    def drain_one(self, memory_id: str) -> None:
        self.attempt(lambda: self.harness.drain(only=[memory_id]))

    @rule()
    def reopen(self) -> None:
        self.harness.reopen()

    @precondition(lambda self: self.countdown is None)
    @rule(steps=st.integers(0, 12))
    def be_stopped_soon(self, steps: int) -> None:
        self.countdown = steps

    @rule(broken=st.booleans())
    def break_or_mend_the_model(self, broken: bool) -> None:
        self.harness.embedder.broken = broken

    @rule()
    def compare_after_a_full_drain(self) -> None:
        """The invariant that all else is for."""
        self.countdown, self.harness.embedder.broken = None, False
        report = self.harness.drain()
        assert (report.error, report.remaining, report.waiting) == (None, 0, 0)
        self.harness.check_agreement()
        assert self.harness.index.ids_without_vector(EntryKind.MEMORY) == set()
        assert self.harness.store.queue_differences() == 0

    @invariant()
    def keys_and_chains_are_sound(self) -> None:
        harness = self.harness
        everything = harness.graph.list_memories(include_forgotten=True, include_superseded=True)
        by_id = {memory.id: memory for memory in everything}
        keys = [
            memory.key
            for memory in everything
            if memory.key and not memory.forgotten and memory.superseded_by is None
        ]
        assert len(keys) == len(set(keys))
        for memory in everything:
            assert 0 <= memory.importance <= 1
            assert (memory.forgotten_reason is None) == (not memory.forgotten)
            if memory.superseded_by is not None and not memory.forgotten:
                assert not by_id[memory.superseded_by].forgotten

    def teardown(self) -> None:
        self.compare_after_a_full_drain()
        self.harness.check_truth()
        self.harness.close()
        shutil.rmtree(self.folder)


StoreMachine.TestCase.settings = settings(
    max_examples=15,
    stateful_step_count=25,
    suppress_health_check=[HealthCheck.too_slow],
)
TestStoreMachine = pytest.mark.slow(StoreMachine.TestCase)
