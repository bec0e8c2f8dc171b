"""A manual page as plain text, for pipes and for machines without a man program."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from memctl.cli.manual.page import Block, Lines, Page, Paragraph, Term

INDENT = 7
"""Columns, as man indents."""

LEAST_WIDTH = 40


def to_plain(page: Page, width: int) -> str:
    """The page in lines of at most ``width`` columns, where words allow it."""
    width = max(width, LEAST_WIDTH)
    lines = ["NAME", *_wrapped(f"{page.name} - {page.summary}", width, INDENT)]
    for section in page.sections:
        lines += ["", section.title]
        for number, block in enumerate(section.blocks):
            if number:
                lines.append("")
            lines += _block(block, width)
    return "\n".join(lines)


def _block(block: Block, width: int) -> Iterator[str]:
    if isinstance(block, Paragraph):
        yield from _wrapped(block.text, width, INDENT)
    elif isinstance(block, Lines):
        for line in block.lines:
            yield " " * INDENT + line
    else:
        yield from _term(block, width)


def _term(block: Term, width: int) -> Iterator[str]:
    yield from _wrapped(f"{block.term} {block.value}".rstrip(), width, INDENT)
    yield from _wrapped(block.text, width, INDENT + INDENT)


def _wrapped(text: str, width: int, indent: int) -> list[str]:
    return textwrap.wrap(
        text,
        width,
        initial_indent=" " * indent,
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
