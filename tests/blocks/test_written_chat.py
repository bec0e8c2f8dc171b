"""Chats of programs as lines."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from memctl.blocks.written_chat import (
    Conversation,
    WrittenMessage,
    read_written_chat,
    text_lines,
    write_chat,
)
from memctl.file_lines import line_of

TEXT = st.text(st.sampled_from("ab :[]=2026-10 \n\u2028"), min_size=1).filter(str.strip)
TITLE = st.none() | st.text(st.sampled_from("ab :=[]\n"))
SAID = st.lists(st.tuples(st.sampled_from(["user", "Mara", "assistant"]), TEXT), min_size=1)
TALKS = st.lists(st.tuples(TITLE, SAID), min_size=1)


def message_of(speaker: str, text: str) -> WrittenMessage:
    return WrittenMessage(speaker=speaker, text=text, file_lines=(1,) * len(text_lines(text)))


def _line_count(text: str) -> int:
    stripped = text.strip()
    return stripped.count("\n") + stripped.count("\u2028") + 1


@given(TALKS)
def test_what_is_written_is_read_back_message_by_message(
    talks: list[tuple[str | None, list[tuple[str, str]]]],
) -> None:
    """No text of a message and no title, whatever it looks like, begins another message."""
    written = write_chat(
        [
            Conversation(title, [message_of(speaker, text) for speaker, text in said])
            for title, said in talks
        ]
    )

    chat = read_written_chat(written.text.split("\n"))

    everything = [message for _, said in talks for message in said]
    assert chat is not None
    assert [message.speaker for message in chat.messages] == [speaker for speaker, _ in everything]
    assert [len(one.texts) for one in chat.messages] == [
        _line_count(text) for _, text in everything
    ]


@given(TALKS, st.lists(st.integers(1, 9), min_size=1))
def test_messages_know_the_lines_of_their_file(
    talks: list[tuple[str | None, list[tuple[str, str]]]], steps: list[int]
) -> None:
    """Whatever the texts are, and in whatever order the file has them, each line keeps its own."""
    number = 0
    conversations = []
    for title, said in talks:
        messages = []
        for speaker, text in said:
            numbers = [steps[(number + i) % len(steps)] for i in range(len(text_lines(text)))]
            number += len(numbers)
            messages.append(WrittenMessage(speaker=speaker, text=text, file_lines=tuple(numbers)))
        conversations.append(Conversation(title, messages))
    written = write_chat(conversations)
    starts = [0, *(match.end() for match in re.finditer("\n", written.text))]

    chat = read_written_chat(written.text.split("\n"))

    assert chat is not None
    for read, message in zip(
        chat.messages, (one for talk in conversations for one in talk.messages), strict=True
    ):
        lines = zip(text_lines(message.text), message.file_lines, strict=True)
        told = [number for text, number in lines if text.strip()]
        held = [place for place, text in enumerate(read.texts, start=1) if text.strip()]
        numbers = [read.line_of(place) for place in held]
        if written.file_lines:
            numbers = [line_of(written.file_lines, starts[number - 1]) for number in numbers]
        assert numbers == told


def test_titles_stand_above_their_conversations() -> None:
    """Each conversation is a section of its own."""
    said = [WrittenMessage(speaker="user", text="a", file_lines=(1,))]
    written = write_chat([Conversation(" Trip: Rome\n", said), Conversation("==", said)])

    assert written.text.split("\n") == ["Trip: Rome", "==========", "user: a", "", "user: a"]
    chat = read_written_chat(written.text.split("\n"))
    assert chat is not None
    assert [one.first_line for one in chat.messages] == [3, 5]
    assert read_written_chat(["no message", "", "here either"]) is None
