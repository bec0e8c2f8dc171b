"""The block structure of a text: headings, list items, table rows, paragraphs, with their lines.

Given a text, ``parse_markdown`` and ``parse_plain`` return its blocks in reading order. Every
block knows the lines that it covers (from 1), the headings above it and the list items around it,
so that a statement taken from it can stand alone. markdown-it-py is used here and nowhere else.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class BlockKind(StrEnum):
    """What a block is; code, HTML, rules and front matter never state anything themselves."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    TABLE_ROW = "table_row"
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
    ``Decision``), or None. ``heading_path`` goes from the outermost heading inwards.
    ``parents`` are the texts of the enclosing list items, outermost first. A list item covers its
    own lines, not those of nested items, which are blocks of their own. ``checked`` is None
    unless it is a task. ``cells`` and ``header`` belong to table rows.
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
