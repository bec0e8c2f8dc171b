"""What blocks are by those around them: quoted mail, signatures, poems, songs and plays.

None of it is of the writer's own world, whatever its words are. Told by form; every list of blocks
is gone through once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memctl.blocks import Block, BlockKind
from memctl.blocks.lines import is_terminated
from memctl.extraction.rules.labels import label_of
from memctl.extraction.rules.language import detect_language
from memctl.extraction.rules.literature import is_poem
from memctl.extraction.rules.passages import SIGNATURE
from memctl.extraction.rules.phrases import fold

QUOTED_MAIL = "quoted mail"
LITERATURE = "literature"
CONTENTS = "table of contents"
"""Why blocks are left out: others wrote them, they are told, or they only say what follows."""

SIGNATURE_MARKS = ("--", "—", "___")
"""What stands alone on the line before the signature of a mail."""

LONGEST_SENDER_CHARACTERS = 60
"""A longer line does not only say who somebody is and where to be reached."""

LONGEST_LINE_CHARACTERS = 200
"""What is looked at of a block for the form of a line."""

_SPOKEN = re.compile(
    r"(?P<name>[^\W\d_a-zß-ÿ][^\W\d_a-zß-ÿ .'’-]+)(?:\s?\([^()]{1,60}\))?\s?[:.]\s+\S"
)
"""A line of a play: who speaks, in capitals."""

_STAGE_DIRECTION = re.compile(r"[\[(].{3,}[\])]\.?|(?:INT|EXT)\. .+|FADE (?:IN|OUT)[:.]?")
_SONG_PART = re.compile(
    r"[\[(]?(?:verse|chorus|bridge|pre-chorus|outro|hook|refrain|strophe|couplet|estribillo|estrofa"
    r"|ritornello|strofa|refrão|zwrotka|refren|припев|куплет|副歌|主歌|サビ|후렴)(?: \d)?[\])]?:?",
    re.IGNORECASE,
)
"""The name of a part of a song, on a line of its own."""

_NUMBERED_TITLE = re.compile(r"(?P<number>\d{1,2}) [^\W\d_a-zß-ÿ][^\d.,:;!?=]{2,50}")
"""A line of a table of contents without page numbers; a point behind the number makes a list."""

_DIRECTED = re.compile(r"[^\W\d_a-zß-ÿ .'’-]+\s?\([^()]{1,60}\)\s?[:.]")


def reject_by_neighbours(blocks: Sequence[Block], default_language: str | None) -> dict[int, str]:
    """Why blocks are left out for what stands around them, by their position."""
    rejected: dict[int, str] = {}
    for run in _runs(blocks, BlockKind.QUOTE):
        if _is_attributed(blocks, run, default_language):
            rejected.update(dict.fromkeys(run, QUOTED_MAIL))
        elif _is_answered(blocks, run):
            mine = (one for one in run if _says_i(blocks[one].text, default_language))
            rejected.update(dict.fromkeys(mine, QUOTED_MAIL))
    for run in _runs(blocks, BlockKind.PARAGRAPH):
        told = [*_lines_of_poems(blocks, run), *_lines_of_play(blocks, run)]
        if any(_SONG_PART.fullmatch(blocks[one].text) for one in run):
            told += run
        rejected.update(dict.fromkeys(told, LITERATURE))
        rejected.update(dict.fromkeys(_lines_of_contents(blocks, run), CONTENTS))
        signed = [*_lines_of_signature(blocks, run), *_lines_of_sender(blocks, run)]
        rejected.update(dict.fromkeys(signed, SIGNATURE))
    return rejected


def _runs(blocks: Sequence[Block], kind: BlockKind) -> Iterator[range]:
    """The positions of blocks of one kind that follow each other."""
    start = 0
    for position in range(len(blocks) + 1):
        if position == len(blocks) or blocks[position].kind is not kind:
            if position > start:
                yield range(start, position)
            start = position + 1


def _is_attributed(blocks: Sequence[Block], run: range, default_language: str | None) -> bool:
    """Whether the line before quoted ones, or the first of them, says who wrote them; of a line
    that looks like a heading the colon is no part."""
    return any(
        _is_attribution(
            f"{block.text}:" if block.kind is BlockKind.HEADING else block.text, default_language
        )
        for block in blocks[max(run.start - 1, 0) : run.start + 1]
    )


def _is_attribution(text: str, default_language: str | None) -> bool:
    """``On 3 March 2026 at 9:12, Sam Poe wrote:``"""
    if not text.endswith((":", "：")) or len(text) > LONGEST_LINE_CHARACTERS:
        return False
    folded = fold(text)
    language = detect_language(folded, default_language)
    return language.has(folded, "attribution") and not language.has(folded, "personal")


def _is_answered(blocks: Sequence[Block], run: range) -> bool:
    """Whether an unquoted paragraph follows quoted ones with which a message begins."""
    is_opening = run.start == 0 or blocks[run.start - 1].kind is BlockKind.PARAGRAPH
    following = blocks[run.stop] if run.stop < len(blocks) else None
    return is_opening and following is not None and following.kind is BlockKind.PARAGRAPH


def _says_i(text: str, default_language: str | None) -> bool:
    folded = fold(text[:LONGEST_LINE_CHARACTERS])
    return detect_language(folded, default_language).has(folded, "first person")


def _lines_of_poems(blocks: Sequence[Block], run: range) -> Iterator[int]:
    """The blocks that are a poem together: each a line, and no blank line between them."""
    start = run.start
    for position in range(run.start + 1, run.stop + 1):
        if position < run.stop and _touches(blocks[position - 1], blocks[position]):
            continue
        stanza = range(start, position)
        start = position
        if len(stanza) > 1 and is_poem([blocks[one].text for one in stanza]):
            yield from stanza


def _touches(block: Block, following: Block) -> bool:
    return following.first_line == block.last_line + 1


def _lines_of_contents(blocks: Sequence[Block], run: range) -> Iterator[int]:
    """The lines that are numbered one after the other and are no sentences: titles of chapters."""
    numbered: list[int] = []
    for position in run:
        text = blocks[position].text
        if not numbered and not text.startswith("1 "):
            continue
        title = _NUMBERED_TITLE.fullmatch(text[:LONGEST_LINE_CHARACTERS])
        number = 0 if title is None else int(title["number"])
        goes_on = bool(numbered) and _touches(blocks[position - 1], blocks[position])
        if number != (len(numbered) + 1 if goes_on else 1):
            yield from numbered if len(numbered) > 1 else ()
            numbered = []
        if number == len(numbered) + 1:
            numbered.append(position)
    yield from numbered if len(numbered) > 1 else ()


def _lines_of_signature(blocks: Sequence[Block], run: range) -> Iterator[int]:
    """The lines below two dashes, up to a blank one."""
    is_signed = False
    for position in run:
        is_signed = is_signed and _touches(blocks[position - 1], blocks[position])
        if is_signed:
            yield position
        is_signed = is_signed or blocks[position].text in SIGNATURE_MARKS


def _lines_of_sender(blocks: Sequence[Block], run: range) -> Iterator[int]:
    """The short lines below "Kind regards", from there to the first sentence."""
    is_signed = False
    for position in run:
        text = blocks[position].text
        is_short = len(text) <= LONGEST_SENDER_CHARACTERS and not is_terminated(text)
        if is_signed and not is_short:
            return
        if is_signed:
            yield position
        is_signed = is_signed or (is_short and text.endswith(",") and _is_sign_off(text))


def _is_sign_off(text: str) -> bool:
    folded = fold(text)
    return detect_language(folded).sign_off.match(folded) is not None


def _lines_of_play(blocks: Sequence[Block], run: range) -> Iterator[int]:
    """The speeches among paragraphs with stage directions."""
    texts = {position: blocks[position].text[:LONGEST_LINE_CHARACTERS] for position in run}
    spoken = [position for position, text in texts.items() if _is_speech(text)]
    if spoken and any(
        _STAGE_DIRECTION.fullmatch(text) or _DIRECTED.match(text) for text in texts.values()
    ):
        yield from spoken


def _is_speech(text: str) -> bool:
    speech = _SPOKEN.match(text)
    return speech is not None and label_of(speech["name"]) is None
