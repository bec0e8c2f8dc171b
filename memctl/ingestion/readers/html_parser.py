"""HTML to Markdown: headings, lists, tables, quotes and emphasis, no scripts and hidden parts.

The parser is the standard library's, which takes any input; what the mark-up leaves open is closed
at the end. Lines of the result are not lines of the source, so each text knows its own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from html.parser import HTMLParser

from memctl.blocks.literal import read_stand_ins, without_noncharacters
from memctl.file_lines import FileLine
from memctl.ingestion.readers.dates import date_of_headings, date_of_value
from memctl.ingestion.readers.line_marks import EXTRA_LINE_END, read_marks, without_mark_characters
from memctl.ingestion.readers.markdown_writer import MarkdownWriter
from memctl.pipe_messages import Message

_SKIPPED = frozenset(
    {"script", "style", "template", "noscript", "svg", "math", "iframe", "object", "nav"}
    | {"select", "button", "canvas", "audio", "video"}
)
_VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param"}
    | {"source", "track", "wbr"}
)
_BLOCKS = frozenset(
    {"p", "div", "section", "article", "main", "header", "footer", "aside", "figure", "figcaption"}
    | {"address", "form", "fieldset", "details", "summary", "dl", "dd", "body", "caption"}
    | {"center", "hgroup", "label", "legend"}
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_ENDS_PARAGRAPH = (
    _BLOCKS | {"dt"} | set(_HEADINGS) | {"ul", "ol", "li", "table", "pre", "blockquote", "hr"}
)
_CLOSED_BY_NEXT = {
    "li": (frozenset({"li"}), frozenset({"ul", "ol"})),
    "tr": (frozenset({"tr"}), frozenset({"table"})),
    **dict.fromkeys(("td", "th"), (frozenset({"td", "th"}), frozenset({"tr", "table"}))),
    **dict.fromkeys(("dt", "dd"), (frozenset({"dt", "dd"}), frozenset({"dl"}))),
}
"""What the start of an element closes, and what must not be left for that."""

_SIGNS = {"b": "**", "strong": "**", "i": "*", "em": "*", "code": "`", "s": "~~", "del": "~~"}
_LINE_END_ENTITY = re.compile(r"&(?:#0*1[03]|#[xX]0*[aAdD]|NewLine)(?:;|(?![0-9A-Za-z]))")
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_DATE_NAMES = frozenset(
    {"date", "dc.date", "dcterms.created", "article:published_time", "datepublished", "pubdate"}
)


@dataclass(frozen=True, slots=True)
class HtmlText:
    """The visible text as Markdown, which of its characters (places from 0) are no marks, on which
    lines of the source it stands, and the title and date that the page gives itself."""

    text: str
    literal_places: tuple[int, ...]
    file_lines: tuple[FileLine, ...]
    title: str | None
    document_date: date | None


def convert_html(source: str) -> HtmlText:
    """What a reader of the page sees. Takes time out of proportion on some hostile input."""
    parser = _Parser()
    clean = without_mark_characters(without_noncharacters(source))
    parser.feed(_LINE_END_ENTITY.sub(EXTRA_LINE_END, clean))
    parser.close()
    marked, file_lines = read_marks(parser.writer.finish())
    text, literal_places = read_stand_ins(marked)
    headings = parser.writer.headings
    title = " ".join(parser.title.split()) or (headings[0] if headings else None)
    day = parser.document_date or date_of_headings(headings)
    return HtmlText(text, literal_places, file_lines, title, day)


def html_messages(data: bytes, _options: Message) -> Iterator[Message]:
    """One message with the converted page, for the worker."""
    page = convert_html(data.decode("utf-8"))
    day = page.document_date.isoformat() if page.document_date else None
    yield {
        "kind": "html",
        "text": page.text,
        "literal_places": page.literal_places,
        "file_lines": page.file_lines,
        "title": page.title,
        "date": day,
    }


class _Parser(HTMLParser):
    """Follows the open elements and tells the writer what they mean."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.writer = MarkdownWriter()
        self.title = ""
        self.document_date: date | None = None
        self._open: list[str] = []
        self._open_counts: Counter[str] = Counter()
        self._hidden_from: int | None = None
        """How many elements are open around the outermost hidden one."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._close_implied(tag)
        attributes = {name: value or "" for name, value in attrs}
        if tag in _VOID:
            if self._hidden_from is None:
                self._void(tag, attributes)
            return
        if self._hidden_from is None:
            if tag in _SKIPPED or _is_hidden(attributes):
                self._hidden_from = len(self._open)
            else:
                self._start(tag, attributes)
        self._open.append(tag)
        self._open_counts[tag] += 1

    def handle_endtag(self, tag: str) -> None:
        if self._open_counts[tag]:
            self._close_to(tag)

    def handle_data(self, data: str) -> None:
        if self._hidden_from is not None:
            return
        if self._open and self._open[-1] == "title":
            self.title += data.replace(EXTRA_LINE_END, "\n")
        elif self._open[-1:] != ["head"]:
            self.writer.text(data, self.getpos()[0])

    def _close_implied(self, tag: str) -> None:
        if tag in _ENDS_PARAGRAPH and self._open_counts["p"]:
            self._close_to("p")
        if tag not in _CLOSED_BY_NEXT:
            return
        closed, barriers = _CLOSED_BY_NEXT[tag]
        if not any(self._open_counts[name] for name in closed):
            return
        for open_tag in reversed(self._open):
            if open_tag in barriers:
                return
            if open_tag in closed:
                self._close_to(open_tag)
                return

    def _close_to(self, tag: str) -> None:
        """Closes the innermost element of this name and all that is open inside it."""
        while self._open:
            closed = self._open.pop()
            self._open_counts[closed] -= 1
            if self._hidden_from is None:
                self._end(closed)
            elif len(self._open) <= self._hidden_from:
                self._hidden_from = None
            if closed == tag:
                return

    def _void(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "br":
            self.writer.line_break()
        elif tag == "hr":
            self.writer.rule()
        elif tag == "meta":
            self._take_meta(attributes)
        elif tag == "input" and attributes.get("type", "").lower() == "checkbox":
            self.writer.check_box(is_ticked="checked" in attributes)

    def _take_meta(self, attributes: dict[str, str]) -> None:
        name = (
            attributes.get("name") or attributes.get("property") or attributes.get("itemprop", "")
        )
        if name.lower() in _DATE_NAMES and self.document_date is None:
            self.document_date = date_of_value(attributes.get("content", ""))

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        starter = _STARTERS.get(tag)
        if starter is not None:
            starter(self.writer)
        elif tag in _HEADINGS:
            self.writer.start_heading(_HEADINGS[tag])
        elif tag in _BLOCKS:
            self.writer.end_block()
        elif tag in _SIGNS:
            self.writer.open_mark(tag, _SIGNS[tag])
        elif tag == "a":
            target = attributes.get("href", "")
            is_useful = target.startswith(("http://", "https://", "mailto:"))
            self.writer.open_mark(tag, "", target if is_useful else "")
        elif tag == "ol":
            number = attributes.get("start", "")
            self.writer.start_list(int(number) if re.fullmatch(r"[0-9]{1,6}", number) else 1)

    def _end(self, tag: str) -> None:
        ender = _ENDERS.get(tag)
        if ender is not None:
            ender(self.writer)
        elif tag in _HEADINGS or tag in _BLOCKS:
            self.writer.end_block()
        elif tag in _SIGNS or tag == "a":
            self.writer.close_mark(tag)


_STARTERS: dict[str, Callable[[MarkdownWriter], None]] = {
    "ul": lambda writer: writer.start_list(None),
    "menu": lambda writer: writer.start_list(None),
    "li": MarkdownWriter.start_item,
    "dt": MarkdownWriter.start_term,
    "dd": MarkdownWriter.start_definition,
    "blockquote": MarkdownWriter.start_quote,
    "pre": MarkdownWriter.start_verbatim,
    "table": MarkdownWriter.start_table,
    "tr": MarkdownWriter.start_row,
    "td": lambda writer: writer.start_cell(is_header=False),
    "th": lambda writer: writer.start_cell(is_header=True),
}
_ENDERS: dict[str, Callable[[MarkdownWriter], None]] = {
    "ul": MarkdownWriter.end_list,
    "ol": MarkdownWriter.end_list,
    "menu": MarkdownWriter.end_list,
    "li": MarkdownWriter.end_item,
    "dt": MarkdownWriter.end_term,
    "blockquote": MarkdownWriter.end_quote,
    "pre": MarkdownWriter.end_verbatim,
    "table": MarkdownWriter.end_table,
    "td": MarkdownWriter.end_cell,
    "th": MarkdownWriter.end_cell,
}


def _is_hidden(attributes: dict[str, str]) -> bool:
    return (
        "hidden" in attributes
        or attributes.get("aria-hidden", "").lower() == "true"
        or _HIDDEN_STYLE.search(attributes.get("style", "")) is not None
    )
