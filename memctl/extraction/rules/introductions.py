"""Blocks that say nothing themselves and introduce the ones below: titles and introducing lines."""

from __future__ import annotations

from memctl.blocks import Block, BlockKind
from memctl.blocks.lines import is_terminated
from memctl.extraction.rules.classifier import split_lead, wording_evidence
from memctl.extraction.rules.labels import label_of
from memctl.extraction.rules.language import detect_language
from memctl.extraction.rules.phrases import fold
from memctl.extraction.rules.sentences import has_digit, word_count

LONGEST_TITLE_CHARACTERS = 80
TITLE_WORDS = 5
BARE_TITLE_WORDS = 8
"""A longer paragraph is a statement, not a heading."""

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


def is_bare_title(block: Block, following: Block | None, default_language: str | None) -> bool:
    """Whether a short line without an end of sentence is a heading, where nothing else marks
    headings."""
    if block.kind is not BlockKind.PARAGRAPH:
        return False
    if following is None or following.kind is not BlockKind.PARAGRAPH:
        return False
    short = len(block.text) <= LONGEST_TITLE_CHARACTERS and block.line_offsets == (0,)
    if not short or is_terminated(block.text) or has_digit(block.text):
        return False
    if all(split_lead(line.text)[0] is not None for line in (block, following)):
        return False  # One of several values with their names, as in a form.
    language = detect_language(fold(block.text), default_language)
    words = word_count(block.text, language)
    return words <= BARE_TITLE_WORDS and not wording_evidence(block.text, language)


def is_introduction(block: Block, following: Block | None) -> bool:
    """Whether a block only introduces the next ones: ``Bench test of node Dunlin:``."""
    if block.kind is BlockKind.TABLE_ROW or block.checked is not None or following is None:
        return False
    if block.has_children and label_of(block.text) is not None:
        return True
    is_leaf = block.kind is BlockKind.LIST_ITEM and not block.has_children
    short = len(block.text) <= LONGEST_INTRODUCTION_CHARACTERS
    return short and not is_leaf and block.text.endswith(COLONS)
