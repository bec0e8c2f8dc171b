"""The extractor with a language model, through the real LiteLLM over loopback."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date

import pytest
from fakes.openai_server import OpenAiServer, answer, failure, memories

from memctl.errors import (
    LanguageModelError,
    LanguageModelRefusedError,
    LanguageModelResponseError,
    LanguageModelThrottledError,
    LanguageModelTooLongError,
)
from memctl.extraction.extractor import DocumentText, ExtractionResult, KnownMemory, TextFormat
from memctl.extraction.llm import LanguageModel
from memctl.extraction.llm_extractor import LlmExtractor
from memctl.memory import Chunk, MemoryType
from memctl.new_memory import Outcome

TEXT = """\
## Hosting

- The shop moved to the server Fulmar in March.
- Jana prefers rye bread over wheat bread.

Backups run every night at 02:30 on the machine called Tern.
"""


@pytest.fixture(scope="module")
def running_server() -> Iterator[OpenAiServer]:
    with OpenAiServer() as server:
        yield server


@pytest.fixture
def server(running_server: OpenAiServer) -> OpenAiServer:
    running_server.play()
    return running_server


@pytest.fixture
def extractor(server: OpenAiServer) -> LlmExtractor:
    model = LanguageModel(
        "openai/fake", api_base=server.api_base, timeout_seconds=5, sleep=lambda _seconds: None
    )
    return LlmExtractor(model)


def chunk_of(text: str, first_line: int = 1) -> Chunk:
    return Chunk(
        id="c",
        document_id="d",
        position=0,
        content=text,
        content_hash="h",
        first_line=first_line,
        last_line=first_line + text.rstrip("\n").count("\n"),
        heading_path=("Crumb & Ember", "Hosting"),
    )


def extract(
    extractor: LlmExtractor,
    text: str = TEXT,
    *,
    first_line: int = 1,
    known: tuple[KnownMemory, ...] = (),
    **details: object,
) -> ExtractionResult:
    document = DocumentText(
        text="\n" * (first_line - 1) + text, text_format=TextFormat.MARKDOWN, **details
    )
    return extractor.begin(document).extract(chunk_of(text, first_line), known)


FULMAR = {
    "content": "Crumb & Ember's shop moved to the server Fulmar in March.",
    "memory_type": "event",
    "importance": 0.7,
    "event_date": None,
    "first_line": 3,
    "last_line": 3,
    "subject": "the shop",
}
JANA = {
    "content": "Jana prefers rye bread over wheat bread.",
    "memory_type": "preference",
    "importance": 0.6,
    "event_date": None,
    "first_line": 4,
    "last_line": 4,
    "subject": "Jana",
}
TERN = {"content": "Backups run every night at 02:30 on the machine Tern.", "memory_type": "fact"}


def test_statements_become_candidates_in_reading_order(server, extractor):
    server.play(memories(JANA, FULMAR))

    result = extract(extractor)

    assert [candidate.content for candidate in result.candidates] == [
        FULMAR["content"],
        JANA["content"],
    ]
    jana = result.candidates[1]
    assert jana.memory_type is MemoryType.PREFERENCE
    assert jana.importance == 0.6
    assert (jana.first_line, jana.last_line) == (4, 4)
    assert jana.subject == "Jana"
    assert jana.reason == extractor.name == "openai/fake"
    assert (result.calls, result.input_tokens, result.output_tokens) == (1, 100, 20)
    assert result.rejected == ()


def test_nothing_to_remember_is_a_result(server, extractor):
    server.play(memories())

    assert extract(extractor).candidates == ()


def test_a_blank_chunk_costs_no_call(server, extractor):
    assert extract(extractor, "\n  \n").calls == 0
    assert server.requests == []


def test_the_prompt_holds_numbered_lines_date_headings_and_schema(server, extractor):
    server.play(memories())

    extract(extractor, first_line=40, title="Notes", document_date=date(2026, 3, 4), path="n.md")

    request = server.requests[0]
    user = request["messages"][1]["content"]
    assert "Document date: 2026-03-04, a Wednesday." in user
    assert '\ntitle: "Notes"\n' in user
    assert '\nheadings: "Crumb & Ember > Hosting"\n' in user
    assert "\n42| - The shop moved to the server Fulmar in March.\n" in user
    items = request["response_format"]["json_schema"]["schema"]["properties"]["memories"]["items"]
    assert set(items["required"]) == set(items["properties"])
    assert items["properties"]["memory_type"]["enum"] == [kind.value for kind in MemoryType]
    assert "relation" not in items["properties"]


@pytest.mark.parametrize(
    "content",
    [
        "```json\n" + json.dumps({"memories": [JANA]}) + "\n```",
        "Here is what I found:\n" + json.dumps({"memories": [JANA]}) + "\nAnything else?",
        json.dumps([JANA]),
        json.dumps({"memories": [JANA]})[:-2] + ",],}",
        "<think>Jana {likes} bread [or so]</think>" + json.dumps({"memories": [JANA]}),
        str({"memories": [JANA]}),
    ],
)
def test_json_in_any_dress_is_understood_at_once(server, extractor, content):
    server.play(answer(content))

    result = extract(extractor)

    assert [candidate.content for candidate in result.candidates] == [JANA["content"]]
    assert result.calls == 1


@pytest.mark.parametrize(
    "bad", ["", "There is nothing to remember here.", '{"memories": oops}', "{}"]
)
def test_an_unusable_answer_is_asked_for_once_more_with_the_complaint(server, extractor, bad):
    server.play(answer(bad), memories(JANA))

    result = extract(extractor)

    assert len(result.candidates) == 1
    assert (result.calls, result.input_tokens) == (2, 200)
    correction = server.requests[1]["messages"]
    assert [message["role"] for message in correction] == ["system", "user", "assistant", "user"]
    assert "cannot be used" in correction[3]["content"]


@pytest.mark.parametrize("bad", ["", "nothing", "{}", '{"memories": null}', "[1, 2]"])
def test_an_answer_that_stays_unusable_is_an_error_and_never_nothing(server, extractor, bad):
    server.play(answer(bad), answer(bad))

    with pytest.raises(LanguageModelResponseError, match="not usable") as caught:
        extract(extractor)

    assert caught.value.data["usage"].calls == 2
    assert len(server.requests) == 2


LONG_TEXT = "\n".join(
    ["# Stock"]
    + [
        f"- Shelf {number} holds {number * 3} sacks of flour type {number}."
        for number in range(1, 21)
    ]
)


def statement(number: int) -> dict[str, object]:
    return {
        "content": f"Shelf {number} holds {number * 3} sacks of flour type {number}.",
        "memory_type": "fact",
        "first_line": number + 1,
    }


def test_an_answer_at_the_output_limit_splits_the_chunk_at_a_line(server, extractor):
    cut = json.dumps({"memories": [statement(1), statement(2)]})[:-30]
    server.play(
        answer(cut, finish_reason="length"),
        memories(*[statement(number) for number in range(1, 11)]),
        memories(*[statement(number) for number in range(11, 21)]),
    )

    result = extract(extractor, LONG_TEXT)

    assert [candidate.first_line for candidate in result.candidates] == list(range(2, 22))
    assert result.calls == 3
    first, second = (request["messages"][1]["content"] for request in server.requests[1:])
    last_of_first = max(number for number in range(1, 22) if f"\n{number}| " in first)
    assert f"\n{last_of_first + 1}| - Shelf" in second
    assert f"\n{last_of_first}| " not in second


def test_a_cut_off_answer_without_a_finish_reason_splits_too(server, extractor):
    cut = json.dumps({"memories": [statement(1), statement(2)]})[:-30]
    server.play(answer(cut), memories(statement(1)), memories(statement(20)))

    assert len(extract(extractor, LONG_TEXT).candidates) == 2


def test_a_text_beyond_the_context_is_split(server, extractor):
    too_long = failure(400, "maximum context length is 512 tokens", code="context_length_exceeded")
    server.play(too_long, memories(statement(1)), memories(statement(20)))

    result = extract(extractor, LONG_TEXT)

    assert len(result.candidates) == 2
    assert result.calls == 3


def test_splitting_ends(server, extractor):
    too_long = failure(400, "maximum context length is 5 tokens", code="context_length_exceeded")
    server.play(*[too_long] * 50)

    with pytest.raises(LanguageModelTooLongError) as caught:
        extract(extractor, LONG_TEXT)

    assert len(server.requests) == caught.value.data["usage"].calls == 4


def test_a_short_chunk_that_stays_cut_off_keeps_what_is_whole_and_says_so(server, extractor):
    cut = json.dumps({"memories": [JANA, FULMAR]})[:-20]
    server.play(answer(cut, finish_reason="length"))

    result = extract(extractor, "- Jana prefers rye bread over wheat bread.")

    assert [candidate.content for candidate in result.candidates] == [JANA["content"]]
    assert dict(result.rejected) == {"cut short by the output limit": 1}


def test_a_short_chunk_without_one_whole_statement_is_an_error(server, extractor):
    server.play(answer('{"memories": [{"content": "Jana pre', finish_reason="length"))

    with pytest.raises(LanguageModelResponseError, match="broke off before the first statement"):
        extract(extractor, "- Jana prefers rye bread over wheat bread.")


def test_a_refusal_reaches_the_caller(server, extractor):
    server.play(answer(None, refusal="I cannot help with that."))

    with pytest.raises(LanguageModelRefusedError, match="I cannot help"):
        extract(extractor)


def test_throttling_reaches_the_caller_with_the_wait(server, extractor):
    server.play(failure(429, "tokens per day", retry_after="4000"))

    with pytest.raises(LanguageModelThrottledError) as caught:
        extract(extractor)

    assert caught.value.data["retry_after_seconds"] == 4_000
    assert not isinstance(caught.value, LanguageModelResponseError)


def test_what_was_spent_before_an_error_is_told(server, extractor):
    cut = json.dumps({"memories": [statement(1)]})[:-20]
    server.play(
        answer(cut, finish_reason="length"), memories(statement(1)), failure(401, "bad key")
    )

    with pytest.raises(LanguageModelError) as caught:
        extract(extractor, LONG_TEXT)

    usage = caught.value.data["usage"]
    assert (usage.calls, usage.input_tokens) == (3, 200)


def test_missing_and_wrong_lines_are_found_in_the_text(server, extractor):
    server.play(memories(TERN, {**JANA, "first_line": 400}, {**FULMAR, "first_line": 6}))

    by_content = {one.content: one.first_line for one in extract(extractor).candidates}

    assert by_content == {FULMAR["content"]: 3, JANA["content"]: 4, TERN["content"]: 6}


def test_pages_come_from_the_document(server, extractor):
    server.play(memories(JANA, TERN))

    result = extract(extractor, page_first_lines=(1, 5))

    assert [candidate.page for candidate in result.candidates] == [1, 2]


def test_a_date_that_the_text_does_not_hold_is_dropped(server, extractor):
    server.play(
        memories({**JANA, "event_date": "2024-05-17"}, {**FULMAR, "event_date": "2026-03-03"})
    )
    result = extract(extractor, TEXT.replace("in March", "on 3 March 2026"))

    assert [one.event_at for one in result.candidates] == [date(2026, 3, 3), None]


def test_a_relative_date_counts_from_the_document_date_only(server, extractor):
    text = "Yesterday Jana moved the oven to the back room of the shop."
    moved = {"content": "Jana moved the oven to the back room.", "event_date": "2026-03-03"}
    server.play(memories(moved), memories(moved))

    dated = extract(extractor, text, document_date=date(2026, 3, 4))
    undated = extract(extractor, text)

    assert dated.candidates[0].event_at == date(2026, 3, 3)
    assert undated.candidates[0].event_at is None


def test_junk_is_rejected_with_its_reason(server, extractor):
    server.play(
        memories(
            JANA,
            {**JANA, "content": "jana prefers rye bread over wheat bread"},
            "",
            "Fulmar",
            "He likes it.",
            "Which server does the shop use?",
            "The document describes the hosting of the shop.",
            "The user is a software engineer who lives in San Francisco and loves hiking trails.",
            "Names, numbers, units, versions and negations are kept exactly as they are.",
        )
    )

    result = extract(extractor)

    assert [candidate.content for candidate in result.candidates] == [JANA["content"]]
    assert dict(result.rejected) == {
        "said twice": 1,
        "empty": 1,
        "too short": 1,
        "does not say whom or what it is about": 1,
        "a question": 1,
        "speaks about the text or the assistant": 1,
        "not in the text": 1,
        "repeats the instructions": 1,
    }


KNOWN = (
    KnownMemory(id="aaaa-1", content="Jana prefers wheat bread."),
    KnownMemory(id="bbbb-2", content="Backups run at 02:30 on Tern."),
)


def test_known_memories_are_offered_and_relations_come_back_by_id(server, extractor):
    server.play(
        memories(
            {**JANA, "relation": {"kind": "updates", "known": "K1"}},
            {**TERN, "relation": {"kind": "repeats", "known": "k2"}},
            {**FULMAR, "relation": {"kind": "contradicts", "known": "K9"}},
        )
    )

    result = extract(extractor, known=KNOWN)

    relations = {one.content: (one.known_id, one.known_outcome) for one in result.candidates}
    assert relations == {
        JANA["content"]: ("aaaa-1", Outcome.UPDATED),
        TERN["content"]: ("bbbb-2", Outcome.SAME),
        FULMAR["content"]: (None, None),
    }
    request = server.requests[0]
    assert '\nK1: "Jana prefers wheat bread."\n' in request["messages"][1]["content"]
    assert "aaaa-1" not in json.dumps(request)
    items = request["response_format"]["json_schema"]["schema"]["properties"]["memories"]["items"]
    assert "relation" in items["required"]
