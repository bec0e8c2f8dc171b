"""Text from the store made safe to print: nothing in it acts on a terminal."""

from __future__ import annotations

import json
import re

from memctl.encodable import encodable_text

_ACTIVE_CHARACTERS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufff9-\ufffb\ud800-\udfff]"
)
"""C0 and C1 controls except tab and newline, marks that turn the direction of writing, and lone
surrogates: whatever a terminal could obey or choke on."""

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_NON_ASCII = re.compile("[^\x00-\x7f]+")


def inert(text: str) -> str:
    r"""``text`` with every character that could act on a terminal as ``\x1b`` or ``\u202e``."""
    return _ACTIVE_CHARACTERS.sub(_escape, text)


def shorten(text: str, length: int) -> str:
    """``text`` on one line of at most ``length`` characters, with an ellipsis when it was cut."""
    flat = one_line(text)
    return flat if len(flat) <= length else flat[: length - 1].rstrip() + "…"


def one_line(text: str) -> str:
    """``text`` inert and on one line, runs of white space as one blank."""
    return inert(" ".join(text.split()))


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def inert_json(text: str) -> str:
    """JSON text in which no character acts on a terminal; C0 is escaped by ``json`` itself."""
    return _ACTIVE_CHARACTERS.sub(
        lambda match: match[0] if match[0] in "\t\n" else f"\\u{ord(match[0]):04x}", text
    )


def encodable_json(text: str) -> str:
    """JSON text whose strings are encodable: a parser that takes no half of a character reads it,
    and finds in it the paths that the database holds."""
    return _LONE_SURROGATE.sub(lambda match: _json_escaped(encodable_text(match[0])), text)


def ascii_json(text: str) -> str:
    """JSON text with all characters beyond ASCII as escapes."""
    return _NON_ASCII.sub(lambda match: _json_escaped(match[0]), text)


def _json_escaped(text: str) -> str:
    return json.dumps(text)[1:-1]
