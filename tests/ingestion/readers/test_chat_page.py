"""Chats that messengers export as pages of HTML."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

import pytest
from hypothesis import given
from hypothesis import strategies as st
from whole_chunk import whole_chunk

from memctl.extraction.extractor import DocumentText, TextFormat
from memctl.extraction.rules.extractor import RulesExtractor
from memctl.ingestion.readers.chat_page import chat_page_messages
from memctl.ingestion.readers.registry import read_document
from memctl.ingestion.readers.worker import ReadingWorker

TELEGRAM = """\
<!DOCTYPE html><html><head><meta charset="utf-8"/><title>Exported Data</title></head><body>
<div class="page_wrap"><div class="page_header"><div class="content">
<div class="text bold">Odile</div></div></div>
<div class="page_body chat_page"><div class="history">
<div class="message service" id="message-1"><div class="body details">12 January 2026</div></div>
<div class="message default clearfix" id="message1">
 <div class="pull_left userpic_wrap"><div class="userpic"><div class="initials">O</div></div></div>
 <div class="body">
  <div class="pull_right date details" title="12.01.2026 18:04:00 UTC+01:00">18:04</div>
  <div class="from_name">Odile</div>
  <div class="text">I'm allergic to &lt;hazel&gt; nuts.<br>
I bought <a href="x">a kayak</a> today.</div>
  <span class="reactions"><span class="emoji">x</span></span>
 </div></div>
<div class="message default clearfix joined" id="message2"><div class="body">
  <div class="pull_right date details" title="13.01.2026 18:05:00 UTC+01:00">18:05</div>
  <div class="text">We decided to take the ferry.</div></div></div>
<div class="message default clearfix joined" id="message3"><div class="body">
  <div class="pull_right date details" title="13.01.2026 18:06:00 UTC+01:00">18:06</div>
  <div class="forwarded body"><div class="from_name">Jonas
   <span class="date details" title="01.01.2020 07:00:00 UTC+01:00">01.01.2020</span></div>
   <div class="text">I live in Kiel.</div></div></div></div>
<div class="message default clearfix joined" id="message4"><div class="body">
  <div class="pull_right date details" title="14.01.2026 18:06:00 UTC+01:00">18:06</div>
  <div class="text">I work as a baker.</div></div></div>
</div></div></div></body></html>
"""
TELEGRAM_SAID = [
    ("Odile: I'm allergic to <hazel> nuts.", None),
    ("Odile: I bought a kayak today.", "2026-01-12"),
    ("Odile: We decided to take the ferry.", "2026-01-13"),
    ("Jonas: I live in Kiel.", None),
    ("Odile: I work as a baker.", None),
]
GROUP = "<div class=chatlog__message-group>"
MESSAGE = "<div class=chatlog__message-container><div class=chatlog__message>"
DISCORD = f"""\
<!DOCTYPE html><html lang=en><head><title>Potters - general</title></head><body>
<div class=preamble><div class=preamble__entry>Potters</div></div><div class=chatlog>
{GROUP}{MESSAGE}<div class=chatlog__message-aside><img class=chatlog__avatar src=a.png></div>
<div class=chatlog__header><span class=chatlog__author title=odile>Odile</span>
<span class=chatlog__timestamp title="Monday, January 12, 2026 6:04 PM"><a href=#x>12/01</a></span>
</div><div class="chatlog__content chatlog__markdown"><span>I live in Brest.</span>
<span class=chatlog__edited-timestamp title="x">(edited)</span></div></div></div>
{MESSAGE}<div class=chatlog__short-timestamp title="Tuesday, January 13, 2026 6:04 PM">18:04</div>
<div class="chatlog__content chatlog__markdown"><span>I bought a kayak today.</span></div></div>
</div></div>
{GROUP}{MESSAGE}<span class=chatlog__author>Helper</span><span class=chatlog__author-tag>BOT</span>
<span class=chatlog__timestamp title="Tuesday, January 13, 2026 7:04 PM">x</span>
<div class="chatlog__content">I prefer prefixes, and I live in Kiel.</div></div></div></div>
</div></body></html>
"""
DISCORD_SAID = [
    ("Odile: I live in Brest.", None),
    ("Odile: I bought a kayak today.", "2026-01-13"),
]


@pytest.fixture(scope="module")
def worker() -> Iterator[ReadingWorker]:
    worker = ReadingWorker()
    yield worker
    worker.stop()


def _document(text: str, worker: ReadingWorker) -> DocumentText:
    document = read_document(PurePath("messages.html"), text.encode(), worker=worker).document
    assert document is not None
    return document


@pytest.mark.parametrize(("page", "expected"), [(TELEGRAM, TELEGRAM_SAID), (DISCORD, DISCORD_SAID)])
def test_messages_of_a_page_are_said_by_their_senders(
    page: str, expected: list[tuple[str, str | None]], worker: ReadingWorker
) -> None:
    """Each has its day and its line of the page; who says several in a row has a name once, and
    what is forwarded is said by another one."""
    document = _document(page, worker)
    chunk = whole_chunk(document.text, document.file_lines)
    found = RulesExtractor().begin(document).extract(chunk).candidates

    assert document.text_format is TextFormat.CHAT
    assert [
        (one.content, str(one.event_at)[:10] if one.event_at else None) for one in found
    ] == expected
    for one in found:
        assert one.content.split()[1] in page.split("\n")[(one.first_line or 0) - 1]
    assert not [one for one in found if str(one.memory_type) == "identity"]


def test_a_page_that_only_has_such_words_is_a_page(worker: ReadingWorker) -> None:
    text = "<p>The class chat_page is used by Telegram, and I live in Brest.</p>"
    assert _document(text, worker).text_format is TextFormat.MARKDOWN


PIECES = st.sampled_from(
    [
        *("<div class='page_body chat_page'>", "<div class='message default'>", "</div>", "<br>"),
        *(
            "<div class=text>",
            "<div class=from_name>",
            "<div class='forwarded body'>",
            "Odile",
            "<",
        ),
        *("<span class=date title='12.01.2026'>", "</span>", "<div class=chatlog__message-group>"),
        *("<div class=chatlog__content>", "<div class=chatlog__message>", "\n", "&#10;", "</p>"),
    ]
)


@given(st.lists(PIECES, max_size=30))
def test_any_page_gives_an_answer(pieces: list[str]) -> None:
    """Each message has a speaker and a line for each of its lines, however its elements end."""
    (answer,) = chat_page_messages("".join(pieces).encode(), {})
    for message in answer["messages"]:
        assert message["speaker"]
        assert all(number >= 1 and "\n" not in line for line, number in message["lines"])
