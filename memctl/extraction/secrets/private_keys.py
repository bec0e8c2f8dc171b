"""Private key blocks: PEM, OpenSSH, PGP, PuTTY; over many lines or as one escaped string."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memctl.extraction.secrets.searched import Detector, SearchedText
from memctl.extraction.secrets.span import Span

MAXIMUM_BLOCK_LENGTH = 32_768
"""Characters up to the closing line; a 16,384 bit RSA key takes 13,000."""

_BEGIN = re.compile(
    r"-{4,5} ?BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}|(?<![\w-])Private-Lines: \d+"
)
_END = re.compile(r"-{4,5} ?END (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}")
_KEY_LINE = re.compile(
    r"""
    (?:\n|\\r|\\n|[ \t]|\r)*                                    # line end, real or escaped
    [>|\#*/ \t"'+]{0,12}                                         # quote, comment or string marks
    (?: [A-Za-z0-9+/=]{16,} | [A-Za-z0-9+/]{1,76}={1,2}(?![A-Za-z0-9]) | =[A-Za-z0-9+/]{4}(?!\w)
      | (?:Proc-Type|DEK-Info|Comment|Version|Subject|x-[\w-]+|Private-MAC)[:][^\n]{0,120} )
    ["'+\\, ]{0,4}
    """,
    re.VERBOSE,
)


def find_private_keys(searched: SearchedText) -> Iterator[Span]:
    """Whole blocks, from the opening to the closing line; an unclosed one to its last line."""
    text = searched.text
    handled = 0
    for begin in _BEGIN.finditer(text):
        if begin.start() < handled:
            continue
        handled = _end_of_block(text, begin.end())
        yield Span(begin.start(), handled, "private key")


def _end_of_block(text: str, position: int) -> int:
    following = _BEGIN.search(text, position, position + MAXIMUM_BLOCK_LENGTH)
    limit = following.start() if following else position + MAXIMUM_BLOCK_LENGTH
    closing = _END.search(text, position, limit)
    if closing:
        return closing.end()
    while line := _KEY_LINE.match(text, position):
        position = line.end()
    return position


PRIVATE_KEYS = Detector(find_private_keys, frozenset({"private key", "private-lines"}))
