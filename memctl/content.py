"""The text of a memory: the form in which it is stored, and what counts as the same."""

from __future__ import annotations

import hashlib
import re
import unicodedata

_LONE_SURROGATES = re.compile("[\ud800-\udfff]")


def normalise_content(text: str) -> str:
    """The form in which a memory's text is stored: NFC, LF line ends, no blank edges.

    NUL and lone surrogates, which no text holds, become U+FFFD. Nothing else changes.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
    text = _LONE_SURROGATES.sub("\ufffd", text)
    return unicodedata.normalize("NFC", text).strip()


def hash_content(text: str) -> str:
    """SHA-256 in hex of the text as far as sameness goes: NFKC, white space folded to one blank.

    Case counts: it may carry meaning.
    """
    folded = " ".join(unicodedata.normalize("NFKC", text).split())
    return hashlib.sha256(folded.encode("utf-8", "surrogatepass")).hexdigest()
