"""The encoding that a file names itself: HTML, XML, and the first lines of source and style files.

A declaration may be out of date: the file was saved anew, or copied from another one. So it is a
proposal, and what tells encodings apart sees the file without it.
"""

from __future__ import annotations

import re

HEAD_BYTES = 2048
"""How far into a file its declared encoding is looked for (the HTML standard looks at 1,024)."""

_IN_MARKUP = re.compile(
    rb"<(?:meta|\?xml)[^>]{0,200}?(?:charset|encoding)\s*=\s*[\"']?([\w.:-]+)", re.IGNORECASE
)
_IN_FIRST_LINES = re.compile(
    rb"(?:[^\n]*\n)?[ \t]*(?:#|//|/\*|;|--|%|\.\.)[^\n]{0,100}?\bcoding[:=][ \t]*([\w.-]+)"
    rb"|@charset\s+\"([\w.:-]+)\""
)
_WORDS = re.compile(rb"(?:charset|encoding|coding)[ \t]*[:=][ \t]*[\"']?[\w.:-]+", re.IGNORECASE)


def declared_encoding(data: bytes) -> str | None:
    """The name of the encoding as the file has it, known or not; None where it names none."""
    head = data[:HEAD_BYTES]
    match = _IN_MARKUP.search(head) or _IN_FIRST_LINES.match(head)
    if match is None:
        return None
    name = next(group for group in match.groups() if group)
    return name.decode("ascii", "ignore")


def without_declarations(sample: bytes) -> bytes:
    """The bytes without what names an encoding."""
    return _WORDS.sub(b"", sample)
