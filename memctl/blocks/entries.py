"""Entries of a calendar or an address book to blocks: one for each, and its notes below it.

The layout: ``- `` and the entry on one line, with a checkbox where it is a task and with a day in
front where it has one; its notes stand in from it.
"""

from __future__ import annotations

import re

from memctl.blocks.block import Block, BlockKind

ENTRY_MARK = "- "
OPEN_BOX = "[ ] "
TICKED_BOX = "[x] "
FIELD_SEPARATOR = "; "

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}\S*: ")


def parse_entries(text: str) -> list[Block]:
    """The blocks of laid out entries in reading order; a line of notes is a paragraph. Raises
    nothing."""
    blocks: list[Block] = []
    name = ""
    for number, line in enumerate(text.split("\n"), start=1):
        said = line.strip()
        checked: bool | None = None
        if not said:
            continue
        is_entry = line.startswith(ENTRY_MARK)
        if is_entry:
            said = said.removeprefix(ENTRY_MARK)
            for box in (OPEN_BOX, TICKED_BOX):
                if said.startswith(box):
                    said, checked = said.removeprefix(box), box == TICKED_BOX
            name = _DAY.sub("", said.split(FIELD_SEPARATOR)[0], count=1)
        blocks.append(
            Block(
                kind=BlockKind.ENTRY if is_entry else BlockKind.PARAGRAPH,
                text=said,
                first_line=number,
                last_line=number,
                parents=() if is_entry or not name else (name,),
                checked=checked,
            )
        )
    return blocks
