"""The built-in extractor as a whole: quality on snippets, chunks, pages, speed, any text."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.document import Candidate
from memctl.extraction.extractor import RULES_EXTRACTOR, DocumentText, TextFormat
from memctl.extraction.rules.extractor import RulesExtractor
from memctl.extraction.rules.phrases import fold
from memctl.memory import Chunk

SNIPPETS = Path(__file__).parents[2] / "data" / "extraction_snippets.jsonl"

ENGLISH_F1 = 0.9
OTHER_F1 = 0.9
EMPTY_SHARE = 0.95
"""Below what is reached now, above what is promised (.70, .50 and .90): room to change wording."""


def chunk_of(content: str, first_line: int = 1, position: int = 0) -> Chunk:
    return Chunk(
        id=f"c{position}",
        document_id="d",
        position=position,
        content=content,
        content_hash="",
        first_line=first_line,
        last_line=first_line + content.rstrip("\n").count("\n"),
    )


def extract(
    text: str, text_format: TextFormat = TextFormat.MARKDOWN, **fields: Any
) -> list[Candidate]:
    document = DocumentText(text=text, text_format=text_format, **fields)
    return list(RulesExtractor().begin(document).extract(chunk_of(text)).candidates)


@dataclass
class Score:
    right: int = 0
    wrong: int = 0
    missed: int = 0
    empty: int = 0
    kept_empty: int = 0
    dates: int = 0
    right_dates: int = 0

    @property
    def f1(self) -> float:
        return 2 * self.right / (2 * self.right + self.wrong + self.missed)


def score(snippets: Iterable[dict[str, Any]]) -> Score:
    """Micro-F1 of type and key words, as the gold says it."""
    total = Score()
    for snippet in snippets:
        got = extract(snippet["text"])
        if not snippet["memories"]:
            total.empty += 1
            total.kept_empty += not got
        for gold in snippet["memories"]:
            fits = [one for one in got if _has(one, gold["key_words"])]
            right = [one for one in fits if one.memory_type in _types(gold)]
            total.right += bool(right)
            total.missed += not right
            total.wrong += bool(fits) and not right
            if "event_date" in gold:
                total.dates += 1
                total.right_dates += any(
                    str(one.event_at)[:10] == gold["event_date"] for one in fits
                )
            for one in (right or fits)[:1]:
                got.remove(one)
        total.wrong += len(got)
    return total


def _has(candidate: Candidate, key_words: list[str]) -> bool:
    content = fold(candidate.content)
    return all(any(fold(word) in content for word in key.split("|")) for key in key_words)


def _types(gold: dict[str, Any]) -> list[str]:
    return [gold["type"], *gold.get("also_ok", [])]


@pytest.fixture(scope="module")
def snippets() -> list[dict[str, Any]]:
    lines = SNIPPETS.read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_english_snippets_become_the_right_memories(snippets: list[dict[str, Any]]) -> None:
    result = score(one for one in snippets if one["lang"] == "en")
    assert result.f1 >= ENGLISH_F1
    assert result.kept_empty >= EMPTY_SHARE * result.empty
    assert result.right_dates == result.dates


def test_other_languages_become_the_right_memories(snippets: list[dict[str, Any]]) -> None:
    result = score(one for one in snippets if one["lang"] != "en")
    assert result.f1 >= OTHER_F1
    assert result.kept_empty >= EMPTY_SHARE * result.empty
    assert result.right_dates == result.dates


DOCUMENT = """# Harbour notes

We decided to paint the door green. I prefer tea.

- [ ] buy fuses
- The mast is 14 m high.

The ferry leaves at 7:40. My goal is to be on time. It is often late.
"""


def test_chunks_share_out_the_candidates_of_their_document() -> None:
    document = DocumentText(text=DOCUMENT, text_format=TextFormat.MARKDOWN)
    extraction = RulesExtractor().begin(document)
    whole = extraction.extract(chunk_of(DOCUMENT)).candidates
    lines = DOCUMENT.splitlines(keepends=True)
    parts = [
        one
        for number, line in enumerate(lines, start=1)
        for one in extraction.extract(chunk_of(line, number, number)).candidates
    ]
    assert parts == list(whole)
    assert len(whole) == 7


def test_chunks_that_cut_a_long_line_share_out_its_sentences() -> None:
    sentences = [f"Node {number} sends {number} packets a day. " for number in range(60)]
    text = "".join(sentences)
    document = DocumentText(text=text, text_format=TextFormat.PLAIN)
    extraction = RulesExtractor().begin(document)
    parts = [
        [one.content for one in extraction.extract(chunk_of(text[i : i + 137])).candidates]
        for i in range(0, len(text), 137)
    ]
    found = [content for part in parts for content in part]
    assert found == [sentence.strip() for sentence in sentences]
    assert all(len(part) <= 6 for part in parts)


def test_each_chunk_counts_its_own_rejections() -> None:
    text = "What time is it?\n\nThe mast is 14 m high.\n\nThank you!\n"
    extraction = RulesExtractor().begin(DocumentText(text=text, text_format=TextFormat.MARKDOWN))
    first = extraction.extract(chunk_of("What time is it?\n\n"))
    assert first.rejected == (("question", 1),)
    assert extraction.extract(chunk_of(text)).rejected == (("question", 1), ("small talk", 1))


def test_a_page_is_cited_where_the_text_has_pages() -> None:
    found = extract(
        "The mast is 14 m high.\n\nThe oven reaches 280 degrees.\n",
        TextFormat.PLAIN,
        page_first_lines=(1, 3),
    )
    assert [one.page for one in found] == [1, 2]


def test_a_value_of_a_form_is_no_heading_over_the_next_one() -> None:
    """A short line without an end may be a heading on a page, but not one value of several."""
    found = extract(
        "city: Lund\nremark: Prefers morning shifts only\n",
        TextFormat.PLAIN,
        page_first_lines=(1,),
    )
    assert [one.content for one in found] == ["city: Lund", "remark: Prefers morning shifts only"]
    titled = extract(
        "Harbour: rules\nThe mast is 14 m high.\n", TextFormat.PLAIN, page_first_lines=(1,)
    )
    assert len(titled) == 1


def test_what_is_known_changes_nothing_and_nothing_is_paid() -> None:
    extractor = RulesExtractor()
    assert extractor.name == RULES_EXTRACTOR
    result = extractor.begin(
        DocumentText(text="I like tea.", text_format=TextFormat.PLAIN)
    ).extract(chunk_of("I like tea."), ())
    assert (result.calls, result.input_tokens, result.cost_usd) == (0, 0, 0.0)


def test_an_empty_document_gives_nothing() -> None:
    assert extract("") == []
    assert extract(" \n\n\t\n") == []


class SearchedString(str):
    """Notes how many characters `find` has gone over."""

    gone_over = 0

    def find(self, sub: str, start: Any = 0, end: Any = None, /) -> int:
        found = super().find(sub, start, end)
        self.gone_over += (found if found >= 0 else len(self)) - start
        return found


def test_the_chunks_of_one_long_line_are_found_each_behind_the_one_before() -> None:
    """So the work grows with the length of the line, not with its square."""
    contents = [f"The kettle tagged {number} stands in bay 7. " for number in range(200)]
    text = SearchedString("".join(contents))
    extraction = RulesExtractor().begin(DocumentText(text=text, text_format=TextFormat.PLAIN))
    for position, content in enumerate(contents):
        [found] = extraction.extract(chunk_of(content, position=position)).candidates
        assert found.content == content.strip()
    assert text.gone_over <= len(text)


PIECES = st.sampled_from(
    [
        "# Goals\n",
        "- ",
        "- [ ] ",
        "**",
        ": ",
        "\n",
        "\n\n",
        "We decided to ",
        "I like tea. ",
        "It costs 4. ",
        "2026-03-14",
        "14:20 - ",
        ", so ",
        "| a | b |\n|---|---|\n| 1 | 2 |\n",
        "```",
        "> ",
        "决定",
        "。",
        "Decision: ",
        "?",
        "user: ",
        "[redacted: key]",
        "  ",
        "by 15 May 2026 ",
    ]
)


@given(
    st.lists(st.one_of(PIECES, st.text(max_size=6)), max_size=40).map("".join),
    st.sampled_from([TextFormat.MARKDOWN, TextFormat.PLAIN]),
)
def test_any_text_gives_candidates_inside_its_lines(text: str, text_format: TextFormat) -> None:
    candidates = extract(text, text_format)
    last_line = text.count("\n") + 1
    for one in candidates:
        assert one.first_line is not None
        assert one.last_line is not None
        assert 1 <= one.first_line <= one.last_line <= last_line
        assert one.content.strip() == one.content != ""
        assert 0.0 <= one.importance <= 1.0
        assert one.reason
    assert extract(text, text_format) == candidates


@pytest.mark.parametrize(
    "make",
    [
        lambda n: "".join(f"- The panel {i} listens on port {8000 + i}.\n" for i in range(n)),
        lambda n: "We went out, so we decided to stay, and I like it; " * n,
        lambda n: "word " * (8 * n),
        lambda n: "a: b\n" * n,
        lambda n: "我们决定，所以我喜欢，" * n,
        lambda n: "- [ ] \n" * n,
        lambda n: "2026-03-14 " * n,
        lambda n: "I " * (8 * n),
    ],
)
@pytest.mark.slow
def test_time_grows_with_the_length_alone(make: Any) -> None:
    short, long = _seconds(make(400)), _seconds(make(800))
    assert long < max(3.5 * short, 0.3)


def _seconds(text: str) -> float:
    durations = []
    for _ in range(2):
        start = time.process_time()
        extract(text)
        durations.append(time.process_time() - start)
    return min(durations)


SENTENCES = [
    "The oven in the kitchen is from 1974 near bay {}.",
    "Did the oven break near bay {}?",
    "The van is rented by Anna until May.",
    "I think it is raining in Ghent now.",
    "The old shed has a red door near bay {}.",
]


@pytest.mark.parametrize("mark", ["", "**"])
def test_a_statement_on_a_long_line_is_filed_under_the_passage_that_it_stands_in(mark: str) -> None:
    """Whatever stands before it that is said twice or is no statement and begins with its words."""
    passages = [
        " ".join(one.replace("bay {}", f"{mark}bay {number}{mark}") for one in SENTENCES)
        for number in range(100)
    ]
    document = DocumentText(text=" ".join(passages), text_format=TextFormat.MARKDOWN)
    extraction = RulesExtractor().begin(document)
    said = [
        [candidate.content for candidate in extraction.extract(chunk).candidates]
        for chunk in (chunk_of(text, position=number) for number, text in enumerate(passages))
    ]
    assert all(len(contents) >= 2 for contents in said)
    for number, contents in enumerate(said):
        bays = {bay for content in contents for bay in re.findall(r"bay (\d+)", content)}
        assert bays == {str(number)}
