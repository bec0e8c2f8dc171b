"""Chats of programs as lines."""

from __future__ import annotations

from datetime import date, datetime

from hypothesis import given
from hypothesis import strategies as st

from memctl.blocks.written_chat import WrittenMessage, read_written_chat, write_chat

TEXT = st.text(st.sampled_from("ab :[]2026-10 \n"), min_size=1).filter(str.strip)


@given(st.lists(st.tuples(st.sampled_from(["user", "Mara", "assistant"]), TEXT), min_size=1))
def test_what_is_written_is_read_back_message_by_message(said: list[tuple[str, str]]) -> None:
    """No text of a message, whatever it looks like, begins another message."""
    messages = [WrittenMessage(speaker=speaker, text=text) for speaker, text in said]

    chat = read_written_chat(write_chat(messages).split("\n"))

    assert chat is not None
    assert [message.speaker for message in chat.messages] == [speaker for speaker, _ in said]
    assert [len(message.texts) for message in chat.messages] == [
        text.strip().count("\n") + 1 for _, text in said
    ]


def test_messages_keep_their_stamps_and_their_lines_where_there_is_room() -> None:
    """A message stands on the line of its file unless those above it need more lines."""
    written = write_chat(
        [
            WrittenMessage(
                speaker="user", text="a\nb", said_at=datetime(2026, 10, 12, 18, 4), first_line=2
            ),
            WrittenMessage(speaker="system", text="c", first_line=3),
            WrittenMessage(speaker="Mara: x", text="d", said_at=date(2026, 10, 13), first_line=7),
        ]
    )
    chat = read_written_chat(written.split("\n"))

    assert written.split("\n") == [
        "",
        "[2026-10-12 18:04] user: a",
        "  b",
        "system: c",
        "",
        "",
        "[2026-10-13] Mara x: d",
    ]
    assert chat is not None
    assert [(one.speaker, one.first_line) for one in chat.messages] == [("user", 2), ("Mara x", 7)]
    assert read_written_chat(["no message", "", "here either"]) is None
