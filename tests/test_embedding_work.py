"""Batches of texts: who embeds them, how often, and in which company."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl import embedding_work
from memctl.embedding_work import EmbeddingWork
from memctl.errors import EmbeddingModelError

WAIT_SECONDS = 10


class CountingModel:
    """Gives each text a vector made of its characters; notes the batches and their threads."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []
        self.threads: set[int] = set()
        self.failing = False
        self.gate = threading.Event()
        self.gate.set()
        self.started = threading.Event()

    def run(self, texts: list[str]) -> np.ndarray:
        self.batches.append(texts)
        self.threads.add(threading.get_ident())
        self.started.set()
        assert self.gate.wait(WAIT_SECONDS)
        if self.failing:
            raise EmbeddingModelError(model="counting", why="it is failing")
        return np.array([[len(text), sum(map(ord, text))] for text in texts])

    @property
    def texts(self) -> list[str]:
        return [text for batch in self.batches for text in batch]


def work_on(model: CountingModel, *, threads: int = 2, batch_size: int = 4) -> EmbeddingWork:
    def measure(texts):
        return [len(text) for text in texts]

    return EmbeddingWork(model.run, measure, threads=threads, batch_size=batch_size)


def expected(texts) -> np.ndarray:
    return np.array([[len(text), sum(map(ord, text))] for text in texts])


@given(
    texts=st.lists(st.text(max_size=5), min_size=1, max_size=30),
    ahead=st.lists(st.text(max_size=5), max_size=30),
    threads=st.integers(1, 4),
)
def test_vectors_come_in_the_order_of_the_texts_whatever_was_begun(texts, ahead, threads):
    """Each text gets its own vector, begun before or not, on any number of cores."""
    work = work_on(CountingModel(), threads=threads)
    work.begin([*ahead, *texts[::2]])
    assert np.array_equal(work.finish(texts), expected(texts))
    work.close()


def test_a_text_goes_through_the_model_once():
    """What was begun is not embedded again, and a repeated text is embedded once."""
    model = CountingModel()
    work = work_on(model)
    texts = [f"text {number}" for number in range(20)]
    work.begin(texts[:12])
    work.begin(texts[4:12])
    work.finish([*texts, *texts])
    assert sorted(model.texts) == sorted(texts)


def test_texts_of_one_length_go_together():
    """A batch holds the texts that are nearest in length, so that little is padding."""
    model = CountingModel()
    work_on(model).finish(["ccc", "a", "dddd", "b", "eeee", "c", "ffff", "gggg", "d"])
    assert sorted(sorted(map(len, batch)) for batch in model.batches) == [
        [1],
        [1, 1, 1, 3],
        [4, 4, 4, 4],
    ]


def test_long_texts_go_in_small_batches(monkeypatch):
    """What goes through the model together is bounded, and a text beyond the bound goes alone."""
    monkeypatch.setattr(embedding_work, "MOST_TOKENS_AT_ONCE", 10)
    model = CountingModel()
    work_on(model, batch_size=8).finish(["a" * 30, "b" * 5, "c" * 5, "d" * 4, "e", "f", "g"])
    assert sorted(map(len, model.batches)) == [1, 2, 2, 2]


def test_whoever_waits_works_too():
    """While another core is at one batch, the caller does the others itself."""
    model = CountingModel()
    work = work_on(model, batch_size=1)
    model.gate.clear()
    work.begin(["one", "two"])
    assert model.started.wait(WAIT_SECONDS)
    threading.Timer(0.05, model.gate.set).start()
    assert np.array_equal(work.finish(["one", "two"]), expected(["one", "two"]))
    assert threading.get_ident() in model.threads
    assert len(model.threads) == 2


def test_one_core_begins_nothing():
    """On a single core nothing runs beside the caller."""
    model = CountingModel()
    work = work_on(model, threads=1)
    work.begin(["text"] * 3)
    assert model.batches == []
    assert np.array_equal(work.finish(["text"]), expected(["text"]))


def test_a_failure_reaches_whoever_asks_and_is_no_last_word():
    """Beginning says nothing of a model that fails; asking does, and asking again tries again."""
    model = CountingModel()
    model.failing = True
    work = work_on(model)
    texts = [f"text {number}" for number in range(9)]
    work.begin(texts)
    with pytest.raises(EmbeddingModelError, match="it is failing"):
        work.finish(texts)
    model.failing = False
    assert np.array_equal(work.finish(texts), expected(texts))


def test_what_nobody_asks_for_is_bounded(monkeypatch):
    """The oldest of the vectors that are never asked for make room."""
    monkeypatch.setattr(embedding_work, "MOST_AHEAD", 10)
    model = CountingModel()
    work = work_on(model)
    texts = [f"text {number:03}" for number in range(40)]
    for start in range(0, 40, 4):
        work.begin(texts[start : start + 4])
    assert len(work._ahead) == 10


def test_closing_leaves_nothing_to_wait_for():
    """What is queued and not begun is dropped, and the same work can be used again."""
    model = CountingModel()
    work = work_on(model, batch_size=1)
    model.gate.clear()
    work.begin([f"text {number}" for number in range(50)])
    assert model.started.wait(WAIT_SECONDS)
    work.close()
    model.gate.set()
    assert np.array_equal(work.finish(["other"]), expected(["other"]))
    assert len(model.batches) <= 3
