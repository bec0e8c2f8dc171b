"""XML is read as what its elements say, by the places of these."""

from __future__ import annotations

from pathlib import PurePath

import pytest
from hypothesis import given
from hypothesis import strategies as st
from whole_chunk import whole_chunk

from memctl.extraction.extractor import DocumentText, TextFormat
from memctl.extraction.rules.extractor import RulesExtractor
from memctl.ingestion.readers.registry import read_document
from memctl.ingestion.readers.structured import NO_XML

FEED = """\
<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/">
 <channel>
  <title>Harbour news</title>
  <!-- made by a program -->
  <item guid="">
   <title>New crane</title>
   <description><![CDATA[<p>The crane was put up by <b>Odile</b>.</p>]]></description>
  </item>
  <item>
   <title>Ferry</title>
   <dc:creator>Jonas</dc:creator>
   <description>The ferry to Gotland
     leaves at 10:12 &amp; 18:40.</description>
  </item>
 </channel>
</rss>
"""


def _document(text: str, name: str = "feed.xml") -> DocumentText:
    document = read_document(PurePath(name), text.encode()).document
    assert document is not None
    return document


def _found(text: str) -> list[tuple[str, int | None]]:
    document = _document(text)
    chunk = whole_chunk(document.text, document.file_lines)
    found = RulesExtractor().begin(document).extract(chunk).candidates
    return [(one.content, one.first_line) for one in found]


def test_what_elements_say_has_their_places_and_lines() -> None:
    """Repeated elements are records, texts stand without marks, and each cites its line."""
    found = dict(_found(FEED))

    assert found["New crane — The crane was put up by Odile."] == 8
    assert found["The ferry to Gotland leaves at 10:12 & 18:40."] == 13
    assert found["channel > item > Ferry — creator: Jonas"] == 12
    assert not [text for text in found if "2.0" in text or "program" in text]


def test_a_letter_in_xml_says_what_it_says() -> None:
    text = "<note><to>Anna</to><body>The boiler is serviced in September.</body></note>"
    assert _found(text)[-1][0].endswith("The boiler is serviced in September.")


def test_marks_within_a_text_are_no_parts_of_it() -> None:
    """Of what surrounds other elements and has text itself, all is one text."""
    text = "<book><para>The oven is <em>very</em> old.</para><para>It is red.</para></book>"
    assert _document(text).text.split() == "para: - The oven is very old. - It is red.".split()


def test_attributes_are_values_too() -> None:
    text = '<opml><body><outline text="Read the atlas of Kiel" xmlns:x="y"/></body></opml>'
    assert "text: Read the atlas of Kiel" in _document(text, "a.opml").text
    assert "xmlns" not in _document(text, "a.opml").text


BOMB = '<!DOCTYPE a [<!ENTITY b "The oven stands in Kiel.">]>\n<a><c>&b;</c></a>'


@pytest.mark.parametrize(
    "text",
    [
        BOMB,
        "<a><b>The oven stands in Kiel.</a>",
        "<a>&nbsp;The oven stands in Kiel.</a>",
        f"{'<a>' * 5000}x{'</a>' * 5000}",
        '<svg><text x="1">The oven stands in Kiel.</text></svg>',
        "<a><b/></a>",
    ],
)
def test_what_is_no_data_is_kept_for_search_alone(text: str) -> None:
    """It stays as it is, and the receipt says that nothing is remembered of it."""
    outcome = read_document(PurePath("a.xml"), text.encode())

    assert outcome.warnings == (NO_XML,)
    assert outcome.document is not None
    assert (outcome.document.text, outcome.document.text_format) == (text, TextFormat.PLAIN)
    assert _found(text) == []


@given(st.text(alphabet="<>/ab=\"' &;!-[]?\n\ud800\0", max_size=60))
def test_any_text_gives_an_outcome(text: str) -> None:
    read_document(PurePath("a.xml"), f"<a>{text}</a>".encode("utf-8", "surrogatepass"))
