"""The block structure of a text: headings, list items, table rows, paragraphs, with their lines.

Given a text, each function that parses one kind of it returns its blocks in reading order. Every
block knows the lines that it covers (from 1), the headings above it and the list items around it,
so that a statement taken from it can stand alone. All take time linear in the text's length and
raise nothing, whatever the text is.
"""

from memctl.blocks.block import Block, BlockKind, table_row_text
from memctl.blocks.data import parse_data
from memctl.blocks.entries import parse_entries
from memctl.blocks.markdown import parse_markdown
from memctl.blocks.plain import parse_plain

__all__ = [
    "Block",
    "BlockKind",
    "parse_data",
    "parse_entries",
    "parse_markdown",
    "parse_plain",
    "table_row_text",
]
