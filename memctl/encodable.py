r"""Text that any encoding of Unicode takes, also where it comes from names of files.

The bytes of a name that are no UTF-8 stand in it as lone surrogates. Whatever writes a path (the
database, JSON, notes) writes them in one form, as ``\udcff``, and so finds the path again.
"""

from __future__ import annotations


def encodable_text(text: str) -> str:
    """``text`` with what no encoding explains (bytes of file names) written as escapes."""
    if text.isascii():
        return text
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def is_encodable(text: str) -> bool:
    """Whether an encoding of Unicode takes ``text`` as it is."""
    return encodable_text(text) == text
