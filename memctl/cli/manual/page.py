"""A manual page as a value, to be written as roff or as plain text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text; words in backticks are literal."""

    text: str


@dataclass(frozen=True, slots=True)
class Lines:
    """Text whose lines stay as they are: examples, a synopsis."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Term:
    """A term, such as an option, and what it means; ``value`` is what one writes behind it."""

    term: str
    text: str
    value: str = ""


Block: TypeAlias = Paragraph | Lines | Term


@dataclass(frozen=True, slots=True)
class Section:
    """A headed part of a page."""

    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page; ``number`` is the section of the manual that it belongs to."""

    name: str
    number: int
    summary: str
    sections: tuple[Section, ...]

    @property
    def file_name(self) -> str:
        """``memctl-save.1``."""
        return f"{self.name}.{self.number}"
