"""How much of a chunk its memories leave out."""

from __future__ import annotations

from dataclasses import replace

from harness import make_chunks
from hypothesis import given
from hypothesis import strategies as st

from memctl.memory import Chunk
from memctl.store.coverage import StatedLines, uncovered_share


def chunk_of(text: str, *, first_line: int = 1, headings: tuple[str, ...] = ()) -> Chunk:
    [chunk] = make_chunks(text, first_line=first_line)
    return replace(chunk, heading_path=headings)


def test_a_chunk_without_memories_is_uncovered() -> None:
    assert uncovered_share(chunk_of("ten chars!"), []) == 1


def test_a_blank_chunk_has_nothing_to_cover() -> None:
    assert uncovered_share(chunk_of("  \n "), []) == 0


def test_lines_that_memories_come_from_are_covered() -> None:
    chunk = chunk_of("aaaaa\nbbbbb\nccccc\nddddd", first_line=11)
    stated = [StatedLines(0, 0, 5), StatedLines(2, 3, 10)]
    assert uncovered_share(chunk, stated) == 0.25


def test_one_sentence_does_not_cover_a_whole_long_line() -> None:
    assert uncovered_share(chunk_of("x" * 100), [StatedLines(0, 0, 30)]) == 0.7


def test_several_sentences_of_one_line_cover_it_together() -> None:
    stated = [StatedLines(0, 0, 40), StatedLines(0, 0, 60)]
    assert uncovered_share(chunk_of("x" * 100), stated) == 0


def test_headings_that_are_context_do_not_count() -> None:
    chunk = chunk_of(
        "## Very long heading of all this\n\naaaaa", headings=("Very long heading of all this",)
    )
    assert uncovered_share(chunk, [StatedLines(2, 2, 50)]) == 0


def test_lines_outside_the_chunk_cover_nothing() -> None:
    assert uncovered_share(chunk_of("aaaaa", first_line=5), [StatedLines(-4, -2, 50)]) == 1


spans = st.builds(StatedLines, st.integers(1, 6), st.integers(1, 6), st.integers(0, 40))


@given(st.text("ab \n", max_size=60), st.lists(spans, max_size=6), spans)
def test_the_share_lies_in_0_to_1_and_another_memory_never_raises_it(
    text: str, stated: list[StatedLines], more: StatedLines
) -> None:
    chunk = chunk_of(text)
    share = uncovered_share(chunk, stated)
    assert 0 <= share <= 1
    assert uncovered_share(chunk, [*stated, more]) <= share
