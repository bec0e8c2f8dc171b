"""The search index is rebuilt beside the old one, whole or not at all."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from fakes.hash_embedder import HashEmbedder
from numpy.typing import NDArray
from workshop import Workshop

from memctl.errors import EmbeddingMismatchError, EmbeddingModelError, SearchIndexError
from memctl.memory import EntryKind
from memctl.store.lance_index import LanceIndex
from memctl.store.steps import Step

MEMORY = EntryKind.MEMORY
TEXTS = [f"statement {number} about thing {number}" for number in range(1_050)]


class StoppedError(Exception):
    """What the checkpoint raises when it is armed."""


class TurnedEmbedder(HashEmbedder):
    """Another model of the same dimension, whose vectors mean nothing to the first one."""

    def _embed(self, text: str) -> NDArray[np.float32]:
        return super()._embed(text)[::-1].copy()


def stop_at(workshop: Workshop, wanted: Step, times: int = 1) -> None:
    """Lets the next process die when it reaches a step for that time."""
    left = times

    def reach(step: Step) -> None:
        nonlocal left
        left -= step is wanted
        if left == 0:
            left = -1
            raise StoppedError

    workshop.checkpoint = reach


def tables(workshop: Workshop) -> set[str]:
    return {path.stem for path in (workshop.folder / "index").iterdir()}


@pytest.mark.slow
def test_a_rebuild_for_the_same_model_embeds_nothing(workshop: Workshop) -> None:
    workshop.save_many(*TEXTS[:50])
    workshop.embedder.history.clear()
    report = workshop.rebuilding().run()
    assert (report.rows, report.embedded, report.resumed) == (50, 0, False)
    assert workshop.embedder.history == []
    assert tables(workshop) == {"memories_v1g1", "chunks_v1g1"}
    assert len(workshop.index.search_text(MEMORY, "statement", 60)) == 50
    workshop.check_agreement()
    workshop.rebuilding().run()
    assert tables(workshop) == {"memories_v1g2", "chunks_v1g2"}


@pytest.mark.slow
def test_another_model_is_moved_to_and_keywords_are_found_all_the_while(workshop: Workshop) -> None:
    workshop.save_many(*TEXTS[:50])
    found: list[int] = []
    workshop.checkpoint = lambda _: found.append(
        len(workshop.index.search_text(MEMORY, "statement", 60))
    )
    report = workshop.move_to(HashEmbedder(name="other", dimension=8))
    assert report.embedded == 50
    assert set(found) == {50}
    assert workshop.graph.embedding_model() == workshop.embedder.model
    vector = workshop.embedder.embed_query(TEXTS[7])
    assert workshop.index.search_vector(MEMORY, vector, 1)[0].score > 0.99
    workshop.check_agreement()
    workshop.save("a later one")
    workshop.check_agreement()


@pytest.mark.parametrize("step", [Step.REBUILT_ROWS_PUT, Step.INDEX_SWAPPED])
@pytest.mark.slow
def test_a_stopped_move_goes_on_and_embeds_no_text_twice(workshop: Workshop, step: Step) -> None:
    workshop.save_many(*TEXTS)
    other = HashEmbedder(name="other", dimension=8)
    stop_at(workshop, step)
    with pytest.raises(StoppedError):
        workshop.move_to(other)
    workshop.reopen()
    assert len(workshop.index.search_text(MEMORY, "statement", 2_000)) == len(TEXTS)
    report = workshop.move_to(other)
    assert report.resumed is (step is Step.REBUILT_ROWS_PUT)
    embedded = [text for text in other.history if text.strip()]
    assert sorted(embedded) == sorted(TEXTS)
    workshop.check_agreement()


@pytest.mark.slow
def test_what_others_write_during_a_rebuild_is_taken_in(workshop: Workshop) -> None:
    ids = workshop.save_many(*TEXTS)
    workshop.checkpoint = lambda step: (
        write(workshop, ids) if step is Step.REBUILT_ROWS_PUT else None
    )
    workshop.move_to(HashEmbedder(name="other", dimension=8))
    workshop.check_agreement()
    assert {"a new one", "edited"} < workshop.texts()
    assert [hit.id for hit in workshop.index.search_text(MEMORY, "edited", 5)] == [ids[0]]
    vector = workshop.embedder.embed_query("edited")
    assert workshop.index.search_vector(MEMORY, vector, 1)[0].id == ids[0]


def write(workshop: Workshop, ids: list[str]) -> None:
    """What another process does meanwhile; its own model is the old one."""
    workshop.checkpoint = lambda _: None
    workshop.save("a new one")
    with workshop.store.operation("edit") as operation:
        operation.edit(ids[0], {"content": "edited"})
    workshop.forget(ids[1])


def test_a_drain_with_the_old_model_does_not_mix_its_vectors_in(workshop: Workshop) -> None:
    [only] = workshop.save_many(TEXTS[0])
    old, same_size = workshop.embedder, TurnedEmbedder(name="other", dimension=32)
    with workshop.store.operation("edit") as operation:
        operation.edit(only, {"tags": ("t",)})

    def reach(step: Step) -> None:
        if step is Step.EMBEDDED:
            workshop.checkpoint = lambda _: None
            workshop.rebuilding(same_size).run(change_model=True)

    workshop.checkpoint = reach
    assert isinstance(workshop.store.drain().error, EmbeddingMismatchError | None)
    workshop.embedder = same_size
    workshop.store.drain()
    [vector] = workshop.index.vectors(MEMORY, [only]).values()
    assert float(vector @ same_size.embed_query(TEXTS[0])) > 0.99
    assert float(vector @ old.embed_query(TEXTS[0])) < 0.9


def test_a_model_that_cannot_be_had_changes_nothing(workshop: Workshop) -> None:
    workshop.save_many(*TEXTS[:5])
    with pytest.raises(EmbeddingModelError):
        workshop.move_to(HashEmbedder(name="other", broken=True))
    assert tables(workshop) == {"memories_v1"}
    workshop.check_agreement()


@pytest.mark.slow
def test_an_index_that_lost_rows_never_takes_the_place_of_the_old_one(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    workshop.save_many(*TEXTS[:20])
    put = LanceIndex.put
    monkeypatch.setattr(LanceIndex, "put", lambda self, kind, rows: put(self, kind, rows[:5]))
    with pytest.raises(SearchIndexError, match="holds 10 rows where 20 should be"):
        workshop.rebuilding().run()
    monkeypatch.undo()
    workshop.check_agreement()
    assert workshop.index.count(MEMORY) == 20
    workshop.rebuilding().run()
    workshop.check_agreement()


def test_a_process_that_had_the_old_index_open_uses_the_new_one(
    workshop: Workshop, tmp_path: Path
) -> None:
    workshop.save_many(*TEXTS[:5])
    other = Workshop(tmp_path / "memory", embedder=workshop.embedder)
    assert other.index.count(MEMORY) == 5
    workshop.rebuilding().run()
    other.save("by the other one")
    assert workshop.index.count(MEMORY) == 6
    other.close()
    workshop.check_agreement()
