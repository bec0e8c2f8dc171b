"""A page of Markdown as sections of a manual page: what this project's own pages use, no more.

Headings of the second level make sections; paragraphs, bullets and tables of two columns make their
blocks. The heading of the first level and what stands below it until the next one is a section too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memctl.cli.manual.page import Block, Paragraph, Section, Term

_HEADING = re.compile(r"^##? (.+)$", re.MULTILINE)
_CELL_BORDER = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r"\|[-| ]+\|")


def sections_of(text: str) -> Iterator[Section]:
    """The sections of a page in their order, titles in capitals."""
    _, *parts = _HEADING.split(text)
    for title, body in zip(parts[::2], parts[1::2], strict=True):
        yield Section(title.upper(), tuple(_blocks(body.strip("\n").split("\n"))))


def _blocks(lines: Sequence[str]) -> Iterator[Block]:
    for chunk in _chunks(lines):
        if chunk[0].startswith("|"):
            yield from _rows(chunk)
        elif chunk[0].startswith("- "):
            yield _bullet(" ".join([chunk[0][2:], *map(str.strip, chunk[1:])]))
        else:
            yield Paragraph(" ".join(chunk))


def _chunks(lines: Sequence[str]) -> Iterator[list[str]]:
    """The lines of each paragraph, of each bullet, and of each table."""
    chunk: list[str] = []
    for line in [*lines, ""]:
        if chunk and (not line or line.startswith("- ")):
            yield chunk
            chunk = []
        if line:
            chunk.append(line)


def _rows(lines: Sequence[str]) -> Iterator[Block]:
    """A term for each row of a table below its header."""
    for line in lines[1:]:
        if not _RULE.fullmatch(line):
            term, text = (cell.strip() for cell in _CELL_BORDER.split(line.strip("|"), 1))
            yield Term(term.replace("`", ""), text.replace("\\|", "|"))


def _bullet(text: str) -> Block:
    """``name: what it is`` as a term, anything else as a paragraph."""
    names, colon, meaning = text.partition(": ")
    if colon and "`" in names and not re.sub(r"`[^`]*`|, | and |\([^)]*\)|\s", "", names):
        return Term(names.replace("`", ""), meaning)
    return Paragraph(text)
