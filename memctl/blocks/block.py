"""What a block is: the value that both parsers return. Every line number counts from 1."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from memctl.direct_members import with_direct_members


@with_direct_members
class BlockKind(StrEnum):
    """What a block is; code, HTML, rules and front matter never state anything themselves."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    TABLE_ROW = "table_row"
    ENTRY = "entry"
    """What a calendar or an address book says of one event, task or person."""
    QUOTE = "quote"
    CODE = "code"
    HTML = "html"
    RULE = "rule"
    FRONT_MATTER = "front_matter"
    COMMENT = "comment"


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One block of a text.

    ``text`` is plain: inline markup is removed (``**bold**`` gives ``bold``, ``[label](url)``
    gives ``label``, ``[[Page|label]]`` gives ``label``), soft line breaks are blanks. ``lead`` is
    the emphasised text at its start without a trailing colon (``**Decision:** we ...`` gives
    ``Decision``), or None. ``heading_path`` goes from the outermost heading inwards; that of a
    heading leaves itself out. ``parents`` are the texts of the enclosing list items, outermost
    first. A list item covers its own lines, not those of nested items, which are blocks of their
    own; a further paragraph of an item is a paragraph with the item among its parents.
    ``checked`` is None unless it is a task. ``cells`` and ``header`` belong to table rows, whose
    text is ``header: cell; header: cell``. The text of a comment, code or front matter is what
    stands between its marks; that of HTML is without tags.
    """

    kind: BlockKind
    text: str
    first_line: int
    last_line: int
    heading_path: tuple[str, ...] = ()
    parents: tuple[str, ...] = ()
    level: int = 0
    """Heading level from 1, or nesting depth of a list item from 0."""
    checked: bool | None = None
    lead: str | None = None
    emphasised: bool = False
    """Whether the whole text stands in strong emphasis."""
    struck: bool = False
    """Whether the whole text is struck through."""
    cells: tuple[str, ...] = ()
    header: tuple[str, ...] = ()
    has_children: bool = False
    """Whether other list items are nested in this one."""
    quoted: bool = False
    """Whether it stands inside a block quote, of whatever kind it is itself."""
    link_only: bool = False
    """Whether the whole text is link labels (a navigation entry, a bare address)."""
    code_only: bool = False
    """Whether the whole text is inline code."""
    info: str = ""
    """What stands after the opening fence of fenced code."""
    key: str | None = None
    """The key before its value in structured data, empty where there is none; None elsewhere."""
    line_offsets: tuple[int, ...] = ()
    """Where each covered line begins in ``text``; empty where text and lines do not correspond."""

    def line_at(self, offset: int) -> int:
        """The line (from 1) on which the character at ``offset`` of ``text`` stands.

        The first line where the text does not say.
        """
        if not self.line_offsets:
            return self.first_line
        return self.first_line + max(bisect_right(self.line_offsets, offset) - 1, 0)

    def column_at(self, offset: int) -> int:
        """How many characters of ``text`` stand before ``offset`` on the same line; of the line
        itself that is as many or, with its markup, more. 0 where the text does not say."""
        if not self.line_offsets:
            return 0
        return offset - self.line_offsets[max(bisect_right(self.line_offsets, offset) - 1, 0)]


def table_row_text(header: Sequence[str], cells: Sequence[str]) -> str:
    """A row as ``header: cell; header: cell``, without the empty cells."""
    parts = []
    for position, cell in enumerate(cells):
        if not cell.strip():
            continue
        name = header[position].strip() if position < len(header) else ""
        parts.append(f"{name}: {cell.strip()}" if name else cell.strip())
    return "; ".join(parts)
