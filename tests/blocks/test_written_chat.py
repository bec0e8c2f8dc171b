"""Chats of programs as lines."""

from __future__ import annotations

from datetime import date, datetime

from hypothesis import given
from hypothesis import strategies as st

from memctl.blocks.shared_lines import set_on_file_lines
from memctl.blocks.written_chat import (
    Conversation,
    WrittenMessage,
    read_written_chat,
    write_chat,
)

TEXT = st.text(st.sampled_from("ab :[]=2026-10 \n\u2028"), min_size=1).filter(str.strip)
TITLE = st.none() | st.text(st.sampled_from("ab :=[]\n"))
SAID = st.lists(st.tuples(st.sampled_from(["user", "Mara", "assistant"]), TEXT), min_size=1)
TALKS = st.lists(st.tuples(TITLE, SAID), min_size=1)


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
            Conversation(
                title, [WrittenMessage(speaker=speaker, text=text) for speaker, text in said]
            )
            for title, said in talks
        ]
    )

    chat = read_written_chat(written.text.split("\n"))

    everything = [message for _, said in talks for message in said]
    assert chat is not None
    assert written.file_lines == ()
    assert [message.speaker for message in chat.messages] == [speaker for speaker, _ in everything]
    assert [len(one.texts) for one in chat.messages] == [
        _line_count(text) for _, text in everything
    ]


@given(SAID, st.lists(st.integers(1, 4), min_size=1))
def test_messages_stand_on_the_lines_of_their_file(
    said: list[tuple[str, str]], heights: list[int]
) -> None:
    """Whatever the texts are, a message begins on the line of its file and ends before the next."""
    messages, line = [], 3
    for place, (speaker, text) in enumerate(said):
        last_line = line + heights[place % len(heights)] - 1
        messages.append(
            WrittenMessage(speaker=speaker, text=text, first_line=line, last_line=last_line)
        )
        line = last_line + 2
    written = write_chat([Conversation("Title", messages)])

    chat = read_written_chat(set_on_file_lines(written.text, written.file_lines).split("\n"))

    assert chat is not None
    assert [one.first_line for one in chat.messages] == [one.first_line for one in messages]
    assert [len(one.texts) for one in chat.messages] == [_line_count(text) for _, text in said]
    for one, message in zip(chat.messages, messages, strict=True):
        assert all(
            message.first_line <= one.line_of(place) <= message.last_line
            for place in range(1, len(one.texts) + 1)
        )


def test_lines_without_room_share_the_last_one() -> None:
    """A message of more lines than it has in its file leaves the others on theirs."""
    written = write_chat(
        [
            Conversation(
                None,
                [
                    WrittenMessage(
                        speaker="user",
                        text="a\nb\nc",
                        said_at=datetime(2026, 10, 12, 18, 4),
                        first_line=2,
                        last_line=3,
                    ),
                    WrittenMessage(speaker="system", text="d", first_line=4, last_line=4),
                    WrittenMessage(
                        speaker="Mara: x",
                        text="e",
                        said_at=date(2026, 10, 13),
                        first_line=7,
                        last_line=8,
                    ),
                ],
            )
        ]
    )
    lines = set_on_file_lines(written.text, written.file_lines).split("\n")
    chat = read_written_chat(lines)

    assert lines == [
        "",
        "[2026-10-12 18:04] user: a",
        "  b\u2028  c",
        "system: d",
        "",
        "",
        "[2026-10-13] Mara x: e",
    ]
    assert chat is not None
    assert [(one.speaker, one.first_line) for one in chat.messages] == [("user", 2), ("Mara x", 7)]
    assert [chat.messages[0].line_of(place) for place in (1, 2, 3)] == [2, 3, 3]


def test_titles_stand_above_their_conversations() -> None:
    """Where the file has no lines for messages, each conversation is a section of its own."""
    said = [WrittenMessage(speaker="user", text="a", first_line=1, last_line=1)]
    written = write_chat([Conversation(" Trip: Rome\n", said), Conversation("==", said)])

    assert written.text.split("\n") == ["Trip: Rome", "==========", "user: a", "", "user: a"]
    chat = read_written_chat(written.text.split("\n"))
    assert chat is not None
    assert [one.first_line for one in chat.messages] == [3, 5]
    assert read_written_chat(["no message", "", "here either"]) is None
