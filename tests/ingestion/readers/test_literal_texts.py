"""Texts of HTML and Org come into memory word for word, whatever Markdown would read in them."""

from __future__ import annotations

import html
import string
from pathlib import PurePath

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from whole_chunk import whole_chunk

from memctl.blocks import Block, BlockKind, parse_markdown
from memctl.extraction.extractor import DocumentText, TextFormat
from memctl.extraction.rules.extractor import RulesExtractor
from memctl.ingestion.chunking import chunk_text
from memctl.ingestion.preparation import redact_document
from memctl.ingestion.readers.html_parser import convert_html
from memctl.ingestion.readers.org import read_org

PATH = PurePath("/notes/site")

MARKS = st.sampled_from(
    [
        *(
            "5*4*3",
            "**",
            "_a_",
            "__b__",
            "`c`",
            "~~d~~",
            "==e==",
            "%%f%%",
            "[g](h)",
            "[[i]]",
            "[^1]",
        ),
        *(
            "<b>",
            "List<String>",
            "&lt;",
            "&amp",
            "&#42;",
            "<!-- j -->",
            "\\*",
            "\\",
            "k^2",
            " ^abc",
        ),
        *(
            "- ",
            "+ ",
            "* ",
            "# ",
            "## ",
            "> ",
            "1. ",
            "2) ",
            "---",
            "===",
            "~~~",
            "```",
            "|",
            " | ",
        ),
        *("[x] ", ": ", "; ", ";", "![l](m)", "http://n.example/_o_", "<p@q.example>", "[r]: s"),
    ]
)
HTML_TEXTS = st.lists(MARKS | st.text(string.printable, max_size=6), min_size=1).map(
    lambda parts: " ".join("".join(parts).split())
)
PLAIN_ORG = "".join(sorted(set(string.printable) - set("*/_=~+[]|\n\r\x0b\x0c")))
ORG_MARKS = st.sampled_from(
    [
        *("2*3*4 m", "a_b_c", "x__y__z", "`c`", "d~~e~~f", "<b>", "List<String>", "&lt;", "&#42;"),
        *(
            "\\(",
            "1. ",
            "- ",
            "> ",
            "# ",
            "%%f%%",
            "!",
            "[g](h)",
            "[^1]",
            "[r]: s",
            "a==b==c",
            "^2",
        ),
    ]
)
ORG_TEXTS = st.lists(ORG_MARKS | st.text(PLAIN_ORG, max_size=6)).map(
    lambda parts: " ".join(f"see{''.join(parts)} end".split())
)


def blocks_of_html(source: str) -> list[Block]:
    page = convert_html(source)
    return parse_markdown(page.text, page.literal_places)


def blocks_of_org(source: str) -> list[Block]:
    document = read_org(PATH, source, "utf-8")
    return parse_markdown(document.text, document.literal_places)


def contents(document: DocumentText) -> list[str]:
    """The memories that the rules make of a document without secrets."""
    clean, _ = redact_document(document)
    chunk = whole_chunk(clean.text)
    return [one.content for one in RulesExtractor().begin(clean).extract(chunk).candidates]


def html_document(source: str) -> DocumentText:
    page = convert_html(source)
    return DocumentText(
        text=page.text, text_format=TextFormat.MARKDOWN, literal_places=page.literal_places
    )


@given(HTML_TEXTS, st.sampled_from(["p", "h2", "div", "b", "i"]))
def test_a_text_of_html_is_the_text_of_its_block(text: str, tag: str) -> None:
    """Punctuation in a paragraph, heading or emphasis is neither a mark nor an entity."""
    assume(text)
    blocks = blocks_of_html(f"<{tag}>{html.escape(text)}</{tag}>")
    assert [block.text for block in blocks] == [text]


@given(HTML_TEXTS)
def test_an_item_of_html_is_the_text_of_its_block(text: str) -> None:
    """Punctuation in a list item is no mark, but for the check box at its start."""
    assume(text and not text.startswith(("[x]", "[ ]", "[-]")))
    blocks = blocks_of_html(f"<ol><li>{html.escape(text)}<li>other</ol>")
    assert [block.text for block in blocks] == [text, "other"]
    assert not blocks[0].parents


@given(HTML_TEXTS)
def test_a_cell_of_html_is_the_text_of_its_cell(text: str) -> None:
    """Punctuation in a table, bars included, is no mark."""
    assume(text)
    cell = html.escape(text)
    rows = blocks_of_html(
        f"<table><tr><th>{cell}<th>Size<tr><td>{cell}<td>5 m<tr><td>A<td>B</table>"
    )
    assert [(row.header, row.cells) for row in rows] == [
        ((text, "Size"), (text, "5 m")),
        ((text, "Size"), ("A", "B")),
    ]


@given(ORG_TEXTS)
def test_a_text_of_org_is_the_text_of_its_block(text: str) -> None:
    """What only Markdown takes for a mark is text in a headline, item, cell and paragraph."""
    table = f"| Name | Size |\n|------+------|\n| {text} | 5 m |"
    source = f"* {text}\n     {text}\n\n- {text}\n  + {text}\n\n{text}\n\n{table}\n"
    blocks = blocks_of_org(source)
    *texts, row = blocks
    assert [block.kind for block in texts] == [
        *(BlockKind.HEADING, BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.LIST_ITEM),
        BlockKind.PARAGRAPH,
    ]
    assert [block.text for block in texts] == [text] * 5
    assert row.cells == (text, "5 m")
    assert row.heading_path == (text,)


@given(HTML_TEXTS)
def test_passages_hold_no_signs_of_escape(text: str) -> None:
    """What people read of a page is its text as it was written."""
    page = convert_html(f"<p>{html.escape(text)}</p>")
    assert page.text.strip() == text


@pytest.mark.parametrize(
    "text",
    [
        "The size of the crate is 5*4*3 cm.",
        "We decided that all readers return a List<String> of names.",
        "The kiln is blue & <3 years old.",
        "The kiln is &lt;blue&gt; and old.",
        "- 5 degrees was measured in the cellar.",
        "> 90 percent of the jars are full.",
        "1. of May is the day of the fair.",
        "# is the sign of Otto's guild.",
    ],
)
def test_memories_of_a_page_say_what_it_says(text: str) -> None:
    """A statement of HTML is remembered with its numbers and signs."""
    document = html_document(f"<p>{html.escape(text)}</p><p>Bo owns the red kiln.</p>")
    assert contents(document) == [text, "Bo owns the red kiln."]


def test_org_numbers_are_no_emphasis() -> None:
    """Stars between letters or figures are no emphasis in Org either."""
    document = read_org(PATH, "The crate measures 2*3*4 m and (2)*3*(4) ft.\n", "utf-8")
    assert contents(document) == ["The crate measures 2*3*4 m and (2)*3*(4) ft."]


def test_emphasis_next_to_letters_leaves_no_signs() -> None:
    """Emphasis that begins or ends within a word, or with punctuation, is read as such."""
    blocks = blocks_of_html("<p>a<b>(5)</b>b and <b>Decision:</b> we <i>use.</i>it</p>")
    assert [block.text for block in blocks] == ["a(5)b and Decision: we use.it"]
    assert blocks_of_html("<p><b>Decision:</b> we bake</p>")[0].lead == "Decision"


def test_secrets_do_not_move_literal_characters() -> None:
    """A text whose secrets were taken out keeps its literal characters at their places."""
    page = (
        "<p>The *token* is ghp_0123456789abcdefghijABCDEFGHIJ012345.</p>"
        "<p>The crate measures 5*4*3 cm.</p>"
    )
    document, kinds = redact_document(html_document(page))
    assert kinds
    marks = [document.text[place] for place in document.literal_places if place < 30]
    assert marks == ["*", "*"]
    assert "The crate measures 5*4*3 cm." in contents(html_document(page))


def test_a_literal_number_sign_is_no_heading_of_a_passage() -> None:
    """Passages stand under the headings of the page alone."""
    document = html_document("<h1>Guild</h1><p># is the sign</p>")
    spans = chunk_text(
        document,
        count_tokens=lambda texts: [len(text) for text in texts],
        max_tokens=20,
        target_tokens=20,
    )
    assert {span.heading_path for span in spans} == {("Guild",)}


def test_links_lead_where_they_did() -> None:
    """An address with brackets or blanks is one link, and its label is the text."""
    blocks = blocks_of_html('<p>See <a href="http://x.example/a(b) c">the [shop]</a>.</p>')
    assert [block.text for block in blocks] == ["See the [shop]."]
    assert blocks_of_org("See [[file:my notes.org][the shop]].")[0].text == "See the shop."


def test_org_rules_and_stray_ends_are_no_text() -> None:
    """A rule makes no heading of the line above it, and an end without a begin opens no code."""
    blocks = blocks_of_org("The oven is old.\n-----\n#+end_src\nThe mill is new.\n")
    assert [(block.kind, block.text) for block in blocks if block.text] == [
        (BlockKind.PARAGRAPH, "The oven is old."),
        (BlockKind.PARAGRAPH, "The mill is new."),
    ]
