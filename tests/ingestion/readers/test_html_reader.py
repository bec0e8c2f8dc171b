"""HTML reads like a note: what a visitor of the page sees, as Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import PurePath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.document import DocumentStatus
from memctl.ingestion.readers.html_parser import convert_html
from memctl.ingestion.readers.registry import read_document
from memctl.ingestion.readers.worker import ReadingWorker

PATH = PurePath("/notes/page.html")


@pytest.fixture(scope="module")
def worker() -> Iterator[ReadingWorker]:
    worker = ReadingWorker()
    yield worker
    worker.stop()


def body(html: str) -> str:
    return convert_html(f"<!doctype html><html><body>{html}</body></html>").text


def test_headings_paragraphs_and_emphasis_are_marked() -> None:
    html = "<h1>The <i>oven</i></h1><p>One <b>bold </b>word<br>next line<p>Second <b></b>one"
    assert body(html) == "# The *oven*\n\nOne **bold** word\nnext line\n\nSecond one\n"


def test_lists_are_nested_numbered_and_ticked() -> None:
    html = (
        "<ul><li>one<ul><li>inner</ul><li><input type=checkbox checked> done"
        "<li><p>first</p><p>more</p></ul><ol start=3><li>a<li>b</ol>"
    )
    assert body(html).split("\n") == [
        *("- one", "    - inner", "- [x] done", "- first", "", "  more", "", "3. a", "4. b", ""),
    ]


def test_tables_of_data_stay_tables_and_those_of_layout_do_not() -> None:
    data = "<table><tr><th>Name<th>Size<tr><td>A|b<td>5 m<tr><td>C</table>"
    assert body(data).split("\n") == [
        *("| Name | Size |", "|---|---|", "| A|b | 5 m |", "| C |  |", ""),
    ]
    layout = "<table><tr><td><h2>Left</h2><p>text</td><td>right</td></tr></table>"
    assert body(layout) == "## Left\n\ntext\n\nright\n"


def test_quotes_code_terms_and_links_keep_their_meaning() -> None:
    html = (
        "<blockquote>said</blockquote><pre>x = 1\n  y</pre><dl><dt>Term<dd>Meaning</dl>"
        '<p><a href="https://x.example/a">shop</a> <a href="#top">top</a>'
    )
    assert body(html) == (
        "> said\n\n```\nx = 1\n  y\n```\n\n**Term**: Meaning\n\n[shop](https://x.example/a) top\n"
    )


@pytest.mark.parametrize(
    "hidden",
    [
        "<script>secret()</script>",
        "<style>.secret{}</style>",
        "<!-- secret -->",
        "<p hidden>secret",
        '<div style="display: none">secret<div>secret</div>secret</div>',
        '<span aria-hidden="true">secret</span>',
        "<template><p>secret</p></template>",
        "<nav><ul><li>secret</ul></nav>",
        "<div hidden></b>secret</div>",
        "<script>secret",
    ],
)
def test_what_a_visitor_does_not_see_is_left_out(hidden: str) -> None:
    assert body(f"<p>before</p>{hidden}").strip() == "before"


def test_what_follows_a_hidden_part_is_seen() -> None:
    assert body("<div><p hidden>no</div><p>yes").strip() == "yes"
    assert body("<ul><li hidden>no<li>yes</ul>").strip() == "- yes"


def test_title_and_date_come_from_the_head(worker: ReadingWorker) -> None:
    html = "<head><title>Crumb &amp; Ember</title><meta name=date content=2026-03-14></head><p>Text"
    document = read_document(PATH, html.encode(), worker=worker).document
    assert (document.title, document.document_date) == ("Crumb & Ember", date(2026, 3, 14))


def test_the_declared_encoding_is_believed_where_it_fits(worker: ReadingWorker) -> None:
    html = '<meta charset="iso-8859-2"><p>Łódź leży'
    outcome = read_document(PATH, html.encode("iso-8859-2"), worker=worker)
    assert outcome.document.text == "Łódź leży\n"
    assert outcome.encoding == "iso8859-2"
    wrong = read_document(PATH, html.encode(), worker=worker)
    assert wrong.document is not None


def test_a_page_without_visible_text_is_empty(worker: ReadingWorker) -> None:
    outcome = read_document(PATH, b"<script>x</script>", worker=worker)
    assert outcome.status is DocumentStatus.EMPTY


def test_a_page_that_holds_up_its_parser_is_given_up(worker: ReadingWorker) -> None:
    hostile = b"<a" * 400_000
    outcome = read_document(PATH, hostile, worker=worker, timeout_seconds=0.7)
    if outcome.status is DocumentStatus.UNREADABLE:  # newer Pythons parse it in no time
        assert "longer than" in outcome.reason


@pytest.mark.slow
def test_deep_nesting_costs_neither_stack_nor_space() -> None:
    assert len(body("<ul><li>x" * 3000)) < 200_000
    assert body("<div>" * 50_000 + "deep").strip() == "deep"
    assert body("<blockquote>" * 500 + "deep").strip().endswith("deep")


TAGS = st.sampled_from(
    ["p", "div", "ul", "li", "ol", "table", "tr", "td", "th", "b", "a", "pre", "h2", "dl", "dt"]
) | st.sampled_from(
    ["dd", "blockquote", "script", "title", "br", "p hidden", "input type=checkbox"]
)
PARTS = st.one_of(st.text("ab <&\n", max_size=5), TAGS.map("<{}>".format), TAGS.map("</{}>".format))


@given(st.lists(PARTS, max_size=40))
def test_any_order_of_tags_gives_text(parts: list[str]) -> None:
    text = convert_html("".join(parts)).text
    assert text == "" or text.endswith("\n")
