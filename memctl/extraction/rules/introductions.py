"""Blocks that say nothing themselves and introduce the ones below: titles and introducing lines."""

from __future__ import annotations

from memctl.blocks import Block, BlockKind
from memctl.extraction.rules.labels import label_of

LONGEST_TITLE_CHARACTERS = 80
TITLE_WORDS = 5
LONGEST_INTRODUCTION_CHARACTERS = 160

COLONS = (":", "：")


def is_title(block: Block, following: Block | None) -> bool:
    """Whether a bold paragraph stands as a heading over the next blocks."""
    if block.kind is not BlockKind.PARAGRAPH or not block.emphasised or block.parents:
        return False
    if following is None or len(block.text) > LONGEST_TITLE_CHARACTERS:
        return False
    short = len(block.text.split()) <= TITLE_WORDS and block.text[-1] not in ".!。！"
    return short or label_of(block.text) is not None or block.text.endswith(COLONS)


def is_introduction(block: Block, following: Block | None) -> bool:
    """Whether a block only introduces the next ones: ``Bench test of node Dunlin:``."""
    if block.kind is BlockKind.TABLE_ROW or block.checked is not None or following is None:
        return False
    if block.has_children and label_of(block.text) is not None:
        return True
    is_leaf = block.kind is BlockKind.LIST_ITEM and not block.has_children
    short = len(block.text) <= LONGEST_INTRODUCTION_CHARACTERS
    return short and not is_leaf and block.text.endswith(COLONS)
