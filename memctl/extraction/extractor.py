"""What an extractor is: a document's text in, candidates out, chunk by chunk.

Two adapters exist: ``rules`` (no model) and ``llm`` (LiteLLM).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Protocol

from memctl.direct_members import with_direct_members
from memctl.document import Candidate
from memctl.file_lines import FileLine
from memctl.memory import Chunk

RULES_EXTRACTOR = "rules"
"""The name of the extractor that asks no model."""


@with_direct_members
class TextFormat(StrEnum):
    """How a text is to be read."""

    MARKDOWN = "markdown"
    PLAIN = "plain"
    CHAT = "chat"
    """The messages of a chat, as ``blocks/written_chat`` writes them."""
    DATA = "data"
    """Keys and values by their indents, as ``blocks/data`` reads them."""
    ENTRIES = "entries"
    """Events, tasks and people, as ``blocks/entries`` reads them."""
    TABLE = "table"
    """CSV or TSV: ``DocumentText.table_rows`` holds the cells."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRow:
    """One row of a table file: cells in column order and the lines it covers (from 1)."""

    cells: tuple[str, ...]
    first_line: int
    last_line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentText:
    """What a reader makes of a file: its text with LF line ends, and what is known about it.

    ``page_first_lines[i]`` is the line (from 1, ascending) on which page i + 1 begins; empty for
    formats without pages. ``document_date`` comes from front matter, file name or heading,
    never from today; None when nothing says it. ``named_day`` is the day in the file name, on
    which the events and decisions in the text were that name no other, or None. ``changed_at``
    is when the file was last changed (UTC), or None. ``literal_places`` are the characters of a
    MARKDOWN text (from 0, ascending) that are no marks although they look like some.
    ``table_header`` and ``table_rows`` are set for TABLE. ``file_lines`` (ascending) say on
    which lines of the file the text stands; they are empty where its lines are those of the
    file, or where it has pages. ``remarks`` say what was lost or guessed in reading.
    """

    text: str
    text_format: TextFormat
    path: str = ""
    title: str | None = None
    document_date: date | None = None
    named_day: date | None = None
    changed_at: datetime | None = None
    encoding: str | None = None
    page_first_lines: tuple[int, ...] = ()
    pages_without_text: tuple[int, ...] = ()
    tags: tuple[str, ...] = ()
    literal_places: tuple[int, ...] = ()
    table_header: tuple[str, ...] = ()
    table_rows: tuple[TableRow, ...] = ()
    file_lines: tuple[FileLine, ...] = ()
    remarks: tuple[str, ...] = ()

    def page_of_line(self, line: int) -> int | None:
        """The page (from 1) that ``line`` (from 1) stands on, or None without pages."""
        page = None
        for number, first_line in enumerate(self.page_first_lines, start=1):
            if first_line > line:
                break
            page = number
        return page


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownMemory:
    """A stored memory that is offered to the language model so that it need not repeat it."""

    id: str
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionResult:
    """What one chunk gave: candidates in reading order, and what it cost.

    ``rejected`` counts statements that were seen and not worth a memory, by reason.
    """

    candidates: tuple[Candidate, ...]
    rejected: tuple[tuple[str, int], ...] = ()
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0


class DocumentExtraction(Protocol):
    """An extractor at work on one document; it may have parsed the document once."""

    def extract(self, chunk: Chunk, known: Sequence[KnownMemory] = ()) -> ExtractionResult:
        """Candidates whose first line lies in ``chunk``, in reading order.

        Raises LanguageModelError and its kinds; rules raise nothing.
        """
        ...


class Extractor(Protocol):
    """Makes memories out of text."""

    name: str
    """"rules" or the model's name, recorded with each document."""

    def begin(self, document: DocumentText) -> DocumentExtraction:
        """Starts on a document whose text has been redacted already."""
        ...
