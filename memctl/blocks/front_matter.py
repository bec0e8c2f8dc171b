"""The metadata block at a text's start, told apart from a text between two rules."""

from __future__ import annotations

import re

from memctl.blocks.block import Block, BlockKind

MAXIMUM_LINES = 500
"""A fence that is not closed within so many lines opens no front matter."""

_FENCES = {"---": ("---", "..."), "+++": ("+++",)}
_METADATA_LINE = re.compile(r"\s*$|\s*#|\s+\S|-(?:\s|$)|[\]}]|[\w.\"'-][\w .\"'/-]*\s*[:=]")


def take_front_matter(text: str) -> tuple[Block | None, str]:
    """The front matter as a block, or None, and the text with those lines blank."""
    fence, newline, _ = text.partition("\n")
    closers = _FENCES.get(fence.rstrip().removeprefix("\ufeff"))
    if not closers or not newline:
        return None, text
    lines = text.split("\n", MAXIMUM_LINES + 1)
    for position, line in enumerate(lines[1 : MAXIMUM_LINES + 1], start=1):
        if line.rstrip() in closers:
            return _block(lines, position)
        if not _METADATA_LINE.match(line):
            return None, text
    return None, text


def _block(lines: list[str], closer: int) -> tuple[Block | None, str]:
    inner = lines[1:closer]
    if not any(line.strip() for line in inner):
        return None, "\n".join(lines)
    block = Block(
        kind=BlockKind.FRONT_MATTER,
        text="\n".join(inner),
        first_line=1,
        last_line=closer + 1,
    )
    return block, "\n".join([""] * (closer + 1) + lines[closer + 1 :])
