"""The markdown-it parser as this project sets it up, and its inline tokens as runs of text."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from memctl.blocks.inline import Run

if TYPE_CHECKING:
    from collections.abc import Callable

    from markdown_it import MarkdownIt
    from markdown_it.rules_core import StateCore
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

MAXIMUM_NESTING = 60
"""Levels of quotes and lists that markdown-it follows (a list level takes two). Each
line that lies deeper becomes a paragraph. A level costs about four Python frames of the thousand
that there are."""

MAXIMUM_INLINE_NESTING = 20
"""Levels of emphasis and links: markdown-it's own limit, which its time on ``[[[[`` grows with."""

_WIKI_LINK = re.compile(r"(!?)\[\[([^\[\]\n|]{1,300})(?:\|([^\[\]\n]{1,300}))?\]\]")
_ANGLED_WORDS = re.compile(r"<([A-Za-z][\w-]*)(?:\s+[\w-]+)*\s*>")
"""What could be a tag without attribute values."""

_UNCLOSED_TAGS = frozenset(
    {"br", "hr", "img", "wbr", "input", "p", "li", "dt", "dd", "tr", "td", "th", "div", "span"}
)
"""Tags that need no end, or that often end in another block."""

_NOTE_MARK = re.compile(r"\[\^[^\]\s]{1,60}\]")
_FILE_NAME = re.compile(r"\.\w{1,5}$")
_BREAK_TAG = re.compile(r"<br\s*/?>", re.IGNORECASE)
_HIDDEN = re.compile(r"%%[^%\n]*%%")
_HIGHLIGHT = re.compile(r"==(?=\S)([^=\n]+)==")


@dataclass(frozen=True, slots=True)
class InlineText:
    """The runs of one inline token, how many lines they take, and which lines a hard break opens.

    ``line_count`` is 0 where text and source lines do not correspond.
    """

    runs: list[Run]
    line_count: int
    breaks: frozenset[int]


@cache
def markdown_parser() -> MarkdownIt:
    """CommonMark with tables, strike-through, definition lists and wiki links."""
    from markdown_it import MarkdownIt
    from mdit_py_plugins.deflist import deflist_plugin

    parser = MarkdownIt("commonmark")
    parser.enable(["table", "strikethrough"])
    parser.use(deflist_plugin)
    parser.inline.ruler.before("link", "wiki_link", _wiki_link_or_note_rule)
    parser.core.ruler.before("block", "block_nesting", _nesting_rule(MAXIMUM_NESTING))
    parser.core.ruler.after("block", "inline_nesting", _nesting_rule(MAXIMUM_INLINE_NESTING))
    return parser


def _nesting_rule(levels: int) -> Callable[[StateCore], None]:
    def set_nesting(state: StateCore) -> None:
        state.md.options["maxNesting"] = levels

    return set_nesting


def _wiki_link_or_note_rule(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] not in "![":
        return False
    note = _NOTE_MARK.match(state.src, state.pos)
    if note is not None:
        state.pos = note.end()
        return True
    match = _WIKI_LINK.match(state.src, state.pos)
    if match is None:
        return False
    if not silent:
        state.push("wiki_link", "", 0).content = _wiki_label(match)
    state.pos = match.end()
    return True


def _wiki_label(match: re.Match[str]) -> str:
    embedded, target, label = match[1], match[2].strip(), match[3]
    if embedded and _FILE_NAME.search(target):
        return ""
    if label:
        return label.strip()
    page, _, section = target.partition("#")
    return " > ".join(part for part in (page.strip(), section.strip("#^ ")) if part)


def inline_text(token: Token) -> InlineText:
    """The runs of an inline token; marks, tags and comments are gone, breaks count lines."""
    runs: list[Run] = []
    breaks: set[int] = set()
    depth = {"strong": 0, "em": 0, "s": 0, "link": 0}
    line = 0
    for child in token.children or ():
        name, _, side = child.type.rpartition("_")
        if name in depth:
            depth[name] += 1 if side == "open" else -1
            continue
        if child.type in ("softbreak", "hardbreak"):
            line += 1
            if child.type == "hardbreak":
                breaks.add(line)
            continue
        runs.append(
            Run(
                _words_or_tag(child, token.content)
                if child.type == "html_inline"
                else _content(child),
                line,
                strong=depth["strong"] > 0,
                emphasis=depth["em"] > 0,
                struck=depth["s"] > 0,
                link=depth["link"] > 0 or child.type == "wiki_link",
                code=child.type == "code_inline",
            )
        )
        if child.type == "html_inline":
            line += child.content.count("\n")
    known = line == token.content.count("\n")
    if not known:
        runs = [replace(run, line=0) for run in runs]
    return InlineText(runs, line + 1 if known else 0, frozenset(breaks if known else ()))


def _content(child: Token) -> str:
    if child.type in ("text", "text_special", "image"):
        content = child.content
        if "%%" in content:
            content = _HIDDEN.sub("", content)
        if "==" in content:
            content = _HIGHLIGHT.sub(r"\1", content)
        return content
    if child.type in ("code_inline", "wiki_link"):
        return child.content
    return ""


def _words_or_tag(child: Token, content: str) -> str:
    """What inline HTML says: nothing as a tag, a stop as a break, and itself where ``content``, the
    Markdown around it, shows no sign that the words between ``<`` and ``>`` are a tag."""
    if _BREAK_TAG.fullmatch(child.content):
        return "; "
    words = _ANGLED_WORDS.fullmatch(child.content)
    if words is None or words[1].lower() in _UNCLOSED_TAGS:
        return ""
    is_closed = f"</{words[1]}>".lower() in content.lower()
    return "" if is_closed else " ".join(child.content.split())
