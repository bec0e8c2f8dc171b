"""What LanceDB's errors mean to the user: they give their cause as text only."""

from __future__ import annotations

import errno
import os
import re

from memctl.errors import FullDiskError, ReadOnlyStoreError, SearchIndexError, StoreError

_SYSTEM_ERROR = re.compile(r"os error (\d+)")
_DENIED = {errno.EACCES, errno.EPERM, errno.EROFS}
_SOURCE_PLACE = re.compile(r",? \S+\.rs:\d+:\d+")

_CAUSES = (
    (re.compile(r"NotADirectory|not a directory", re.IGNORECASE), "a file lies in its place"),
    (re.compile(r"not found|no such file", re.IGNORECASE), "files of it are missing"),
    (
        re.compile(
            r"sufficient data|invalid range|magic|not a lance|corrupt|decod|unexpected end"
            r"|too small|truncated|underflow|panic",
            re.IGNORECASE,
        ),
        "files of it are damaged",
    ),
)
"""What LanceDB says of an index that is not whole, and what that means; the first one counts."""

LONGEST_WHY = 160
"""Characters of any other text of LanceDB's: it may hold whole structures of its own."""


def translate_lance_error(path: str, error: Exception) -> StoreError:
    """The error of the store for one of LanceDB about the index at ``path``."""
    text = str(error).partition("\n")[0] or type(error).__name__
    numbers = {int(found) for found in _SYSTEM_ERROR.findall(text)}
    if isinstance(error, OSError) and error.errno is not None:
        numbers.add(error.errno)
    if errno.ENOSPC in numbers:
        return FullDiskError(path=path)
    for number in numbers & _DENIED:
        return ReadOnlyStoreError(path=path, why=os.strerror(number).lower())
    return SearchIndexError(path=path, why=_cause(text))


def _cause(text: str) -> str:
    for pattern, cause in _CAUSES:
        if pattern.search(text):
            return cause
    plain = _SOURCE_PLACE.sub("", text)
    return plain if len(plain) <= LONGEST_WHY else f"{plain[:LONGEST_WHY]}…"
