"""A manual page in the man(7) language, which man and mandoc show."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

from memctl import __version__
from memctl.cli.manual.page import Block, Lines, Page, Paragraph, Term

PAGE_DATE = "2026-11-28"
"""When the pages were last rewritten; a date of the build would make each build another one."""

LINE_WIDTH = 78

_SENTENCE_END = re.compile(r"(?<=[.!?:;])\s+(?=[A-Z`(])")
_LITERAL = re.compile(r"`([^`]+)`")
_SPECIAL = {"\\": "\\e", "-": "\\-", "'": "\\(aq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti"}


def to_roff(page: Page) -> str:
    """The page's source."""
    title = f'.TH "{page.name.upper()}" "{page.number}" "{PAGE_DATE}" "memctl {__version__}"'
    lines = [
        '.\\" Written by docs/generate.py from the command line itself; do not edit.',
        title,
        ".SH NAME",
        *_wrapped(f"{_escape(page.name)} \\- {_escape(page.summary)}"),
    ]
    for section in page.sections:
        lines.append(f'.SH "{section.title}"')
        is_first = True
        for block in section.blocks:
            lines += _block(block, is_first=is_first)
            is_first = False
    return "\n".join(lines) + "\n"


def _block(block: Block, *, is_first: bool) -> Iterator[str]:
    if isinstance(block, Paragraph):
        if not is_first:
            yield ".PP"
        yield from _text(block.text)
    elif isinstance(block, Lines):
        if not is_first:
            yield ".PP"
        yield ".nf"
        for line in block.lines:
            yield _guarded(_escape(line))
        yield ".fi"
    else:
        yield from _term(block)


def _term(block: Term) -> Iterator[str]:
    yield ".TP"
    value = f" \\fI{_escape(block.value)}\\fR" if block.value else ""
    yield _guarded(f"\\fB{_escape(block.term)}\\fR{value}")
    yield from _text(block.text)


def _text(text: str) -> Iterator[str]:
    """Each sentence begins a line, so that a change touches few of them."""
    for sentence in _SENTENCE_END.split(" ".join(text.split())):
        yield from map(_guarded, _wrapped(_literals(sentence)))


def _wrapped(source: str) -> list[str]:
    return textwrap.wrap(source, LINE_WIDTH, break_long_words=False, break_on_hyphens=False)


def _literals(line: str) -> str:
    parts = _LITERAL.split(line)
    return "".join(
        f"\\fB{_escape(part)}\\fR" if number % 2 else _escape(part)
        for number, part in enumerate(parts)
    )


def _escape(text: str) -> str:
    escaped = "".join(_SPECIAL.get(character, character) for character in text)
    return "".join(
        character if character.isascii() else f"\\[u{ord(character):04X}]" for character in escaped
    )


def _guarded(line: str) -> str:
    """A line that does not begin with what roff takes for a request."""
    return f"\\&{line}" if line.startswith((".", "'")) else line
