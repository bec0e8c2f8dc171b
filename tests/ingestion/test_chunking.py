"""Chunks give the text back, fit the model's window, and end where a reader would pause."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.embedding import FastEmbedEmbedder
from memctl.extraction.extractor import DocumentText, TableRow, TextFormat
from memctl.ingestion.chunking import ChunkSpan, chunk_text

MARKDOWN, PLAIN, TABLE = TextFormat.MARKDOWN, TextFormat.PLAIN, TextFormat.TABLE


def count_words(texts: Sequence[str]) -> list[int]:
    return [len(text.split()) for text in texts]


def count_characters(texts: Sequence[str]) -> list[int]:
    return [len(text) for text in texts]


def chunks_of(
    text: str, text_format: TextFormat = MARKDOWN, *, target: int = 10, maximum: int = 16
) -> list[ChunkSpan]:
    document = DocumentText(text=text, text_format=text_format)
    return chunk_text(document, count_tokens=count_words, max_tokens=maximum, target_tokens=target)


def contents(text: str, text_format: TextFormat = MARKDOWN, **sizes: int) -> list[str]:
    return [chunk.content for chunk in chunks_of(text, text_format, **sizes)]


def words(count: int, word: str = "word") -> str:
    return " ".join([word] * count)


def test_a_short_note_is_one_chunk() -> None:
    text = "# A\n\none two\n\n## B\n\nthree\n"
    (chunk,) = chunks_of(text)
    assert chunk.content == text
    assert (chunk.first_line, chunk.last_line, chunk.heading_path) == (1, 7, ())


def test_the_tokens_of_a_short_note_are_not_counted() -> None:
    """It has fewer bytes than the model takes tokens, and most files of a folder are so short."""

    def refuse(texts: Sequence[str]) -> list[int]:
        raise AssertionError(texts)

    document = DocumentText(text="# Été\n\n- un\n- deux\n", text_format=MARKDOWN)
    (chunk,) = chunk_text(document, count_tokens=refuse, max_tokens=64, target_tokens=40)
    assert chunk.content == document.text


@given(st.text(max_size=60))
def test_a_short_note_is_one_chunk_that_the_model_sees_whole(text: str) -> None:
    """Whatever it is written in: signs that one form of Unicode writes with many others too."""
    embedder = FastEmbedEmbedder(cache_folder=Path("unused"))
    spans = chunk_text(
        DocumentText(text=text, text_format=PLAIN),
        count_tokens=embedder.count_tokens,
        max_tokens=embedder.window_tokens,
        target_tokens=200,
    )
    tokens = embedder.count_tokens([span.content for span in spans])
    assert all(count <= embedder.window_tokens for count in tokens)
    assert "".join(span.content for span in spans) == text


def test_sections_are_chunks_with_their_path() -> None:
    text = (
        f"# T\n\n{words(8)}\n\n## A\n\n{words(8, 'a')}\n\n### X\n\n{words(8, 'x')}\n\n## B\n\nb\n"
    )
    found = [(c.first_line, c.last_line, c.heading_path) for c in chunks_of(text)]
    assert found == [
        (1, 3, ("T",)),
        (5, 7, ("T", "A")),
        (9, 11, ("T", "A", "X")),
        (13, 15, ("T", "B")),
    ]


def test_small_sections_of_one_heading_are_joined_up_to_the_aimed_size() -> None:
    small = "".join(f"## S{n}\n\n{words(2)}\n\n" for n in range(5))
    text = f"# T\n\n{small}"
    found = [(c.heading_path, c.content.count("##")) for c in chunks_of(text)]
    assert found == [(("T",), 2), (("T",), 2), (("T", "S4"), 1)]


def test_a_heading_is_never_parted_from_what_it_heads() -> None:
    text = f"{words(9)}\n\n# Head\n\n- {words(7)}\n- {words(7)}\n"
    assert not any(content.rstrip().endswith("# Head") for content in contents(text))


@pytest.mark.parametrize(
    "block",
    [
        "```\n" + "code line\n\n" * 4 + "```\n",
        "| a | b |\n|---|---|\n| one | two |\n",
        "- item with words\n  going on here\n",
    ],
)
def test_blocks_that_fit_are_not_torn(block: str) -> None:
    text = f"{words(7)}\n\n{block}\n{words(7)}\n\n{words(7)}\n"
    assert any(block in content for content in contents(text, target=14, maximum=16))


def test_a_heading_inside_code_begins_no_section() -> None:
    text = f"```\n# no heading\n```\n\n{words(12)}\n"
    assert all(chunk.heading_path == () for chunk in chunks_of(text))


def test_long_lists_are_cut_between_items() -> None:
    text = "".join(f"- item {number} has five words\n" for number in range(20))
    for content in contents(text):
        assert content.startswith("- item")
        assert content.endswith("words\n")


def test_an_oversized_table_is_cut_between_rows() -> None:
    text = "| a | b |\n|---|---|\n" + "| one two | three |\n" * 20
    for content in contents(text)[1:]:
        assert content.startswith("| one two")


def test_rows_of_a_table_file_stay_whole() -> None:
    rows = [f'{number},"two\nlines of words here"\n' for number in range(10)]
    text = "id,note\n" + "".join(rows)
    table_rows = tuple(
        TableRow(cells=(str(n), "..."), first_line=2 + 2 * n, last_line=3 + 2 * n)
        for n in range(10)
    )
    document = DocumentText(text=text, text_format=TABLE, table_rows=table_rows)
    chunks = chunk_text(document, count_tokens=count_words, max_tokens=16, target_tokens=10)
    assert "".join(chunk.content for chunk in chunks) == text
    assert all(chunk.content.endswith('here"\n') for chunk in chunks)
    assert len(chunks) > 3


def test_a_long_line_is_cut_at_sentences_and_keeps_its_number() -> None:
    text = "Title here\n" + "One two three four. Five six seven! " * 30
    chunks = chunks_of(text, PLAIN)
    assert {(chunk.first_line, chunk.last_line) for chunk in chunks[1:]} == {(2, 2)}
    assert all(chunk.content.rstrip()[-1] in ".!" for chunk in chunks)


def test_a_sentence_that_is_too_long_is_cut_at_words_and_a_word_at_characters() -> None:
    assert all(content.endswith(" ") for content in contents(words(100), PLAIN)[:-1])
    document = DocumentText(text="x" * 100, text_format=PLAIN)
    chunks = chunk_text(document, count_tokens=count_characters, max_tokens=16, target_tokens=10)
    assert max(len(chunk.content) for chunk in chunks) <= 16


def test_a_line_of_megabytes_needs_little_memory() -> None:
    """Without lines and full stops its words are not looked at one by one, yet stay whole."""
    text = "the lathe is green; the kiln is blue, " * 20_000
    document = DocumentText(text=text, text_format=PLAIN)
    tracemalloc.start()
    chunks = chunk_text(document, count_tokens=count_words, max_tokens=64, target_tokens=48)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "".join(chunk.content for chunk in chunks) == text
    assert max(count_words([chunk.content for chunk in chunks])) <= 64
    assert all(chunk.content.endswith(" ") for chunk in chunks)
    assert peak < 30 * len(text)


def test_underlined_titles_of_plain_text_are_headings() -> None:
    text = f"Oven\n====\n\n{words(8)}\n\nDoor\n----\n\n{words(8)}\n"
    assert [chunk.heading_path for chunk in chunks_of(text, PLAIN)] == [("Oven",), ("Oven", "Door")]


def test_pages_are_told() -> None:
    text = "\n".join(words(6, f"p{page}") for page in range(1, 5))
    document = DocumentText(text=text, text_format=PLAIN, page_first_lines=(1, 2, 3, 4))
    chunks = chunk_text(document, count_tokens=count_words, max_tokens=13, target_tokens=12)
    assert [(chunk.first_page, chunk.last_page) for chunk in chunks] == [(1, 2), (3, 4)]


def test_blank_lines_stand_at_the_end_of_a_chunk_and_count_to_no_citation() -> None:
    text = f"\n\n{words(8)}\n\n\n\n{words(8)}\n\n"
    found = [(c.content, c.first_line, c.last_line) for c in chunks_of(text)]
    assert found == [
        (f"\n\n{words(8)}\n\n\n\n", 1, 3),
        (f"{words(8)}\n\n", 7, 7),
    ]


def test_nothing_gives_nothing_and_blanks_give_themselves() -> None:
    assert chunks_of("") == []
    assert contents("\n \n") == ["\n \n"]


def test_an_edit_moves_few_cuts() -> None:
    paragraphs = [
        f"Paragraph {number} of {number * 7919 % 1000} words here.\n" for number in range(200)
    ]
    before = contents("\n".join(paragraphs), target=40, maximum=50)
    paragraphs.insert(3, "A new paragraph near the start of it all, with more words.\n")
    after = contents("\n".join(paragraphs), target=40, maximum=50)
    assert len(set(after) - set(before)) <= 6
    assert len(after) > 30


def test_a_tokenizer_that_finds_more_in_the_whole_than_in_its_parts_is_no_trap() -> None:
    def count(texts: Sequence[str]) -> list[int]:
        return [len(text.split()) + ("\n" in text.strip()) for text in texts]

    document = DocumentText(text="\n\n".join([words(5)] * 20), text_format=PLAIN)
    chunks = chunk_text(document, count_tokens=count, max_tokens=10, target_tokens=10)
    assert max(count([chunk.content for chunk in chunks])) <= 10
    assert "".join(chunk.content for chunk in chunks) == document.text


MARKS = st.sampled_from(
    ["", "# H", "## H two", "### deep", "Title", "=====", "-----", "- item", "  - nested item"]
)
BLOCKS = st.sampled_from(
    [
        "1. first",
        "```",
        "~~~~",
        "| a | b |",
        "|---|---|",
        "> quote",
        "---",
        "***",
        " \t",
        "[ ] task",
    ]
)
WRITING = st.sampled_from(
    ["one two three. four five! six", "中文句子。再一句。", "\u2028\x0c odd", "x" * 50, "<div>"]
)
LINES = MARKS | BLOCKS | WRITING | st.text("ab #-`|\t。.", max_size=20)


@given(
    st.lists(LINES, max_size=40).map("\n".join),
    st.sampled_from([MARKDOWN, PLAIN]),
    st.integers(1, 30),
    st.integers(1, 30),
)
def test_chunks_give_the_text_back_and_fit_the_window(
    text: str, text_format: TextFormat, target: int, maximum: int
) -> None:
    document = DocumentText(text=text, text_format=text_format)
    chunks = chunk_text(
        document, count_tokens=count_characters, max_tokens=maximum, target_tokens=target
    )
    assert "".join(chunk.content for chunk in chunks) == text
    assert all(0 < len(chunk.content) <= maximum for chunk in chunks)
    line = 1
    for chunk in chunks:
        assert chunk.first_line == line
        assert chunk.first_line <= chunk.last_line <= line + chunk.content.count("\n")
        line += chunk.content.count("\n")


@given(st.lists(LINES, max_size=40).map("\n".join))
def test_words_are_whole_where_they_fit(text: str) -> None:
    document = DocumentText(text=text, text_format=MARKDOWN)
    chunks = chunk_text(document, count_tokens=count_words, max_tokens=10, target_tokens=6)
    assert sum(count_words([chunk.content for chunk in chunks])) == count_words([text])[0]


def test_the_bundled_model_sees_every_chunk_whole(tmp_path: Path) -> None:
    embedder = FastEmbedEmbedder(cache_folder=tmp_path)
    text = "\n".join(
        f"# Part {part}\n\n" + f"The oven {part} bakes rye, spelt and wheat: 4.80 € each. " * 40
        for part in range(40)
    )
    document = DocumentText(text=text, text_format=MARKDOWN)
    started = time.monotonic()
    chunks = chunk_text(
        document,
        count_tokens=embedder.count_tokens,
        max_tokens=embedder.window_tokens,
        target_tokens=200,
    )
    assert time.monotonic() - started < 10
    assert "".join(chunk.content for chunk in chunks) == text
    counts = embedder.count_tokens([chunk.content for chunk in chunks])
    assert max(counts) <= embedder.window_tokens
    assert min(counts) >= 50
