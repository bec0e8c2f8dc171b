"""Looks for a text in every byte of a folder: the proof that a purge left nothing behind."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from memctl.store.text_search import TextSearch

BYTE_FOR_BYTE = "latin-1"
"""The encoding that has a character for each byte."""

BLOCK_BYTES = 8 * 1024 * 1024
"""Read at a time; blocks overlap by the longest needle."""

LEAST_BYTES = 4
"""Shorter texts stand in any file by chance, so nothing is proved by looking for them."""

LONG_BYTES = 1_500
PIECE_BYTES = 500
"""SQLite cuts what is longer than a page, so a long text is looked for piece by piece: of pieces so
short one lies whole between any two cuts."""


@dataclass(frozen=True, slots=True)
class Proof:
    """How many files and bytes were read, the paths of the files that hold one of the texts, and
    those texts."""

    files: int
    bytes: int
    found: tuple[str, ...]
    texts: tuple[str, ...]


def search_folder(folder: Path, texts: Sequence[str]) -> Proof:
    """Reads all files below ``folder`` for the texts, or pieces of long ones, as UTF-8 and as they
    stand in JSON. A link in it that leads to a folder, such as an index on another disk, is
    followed.

    A file that goes away meanwhile holds nothing.
    """
    needles = _needles(texts)
    search = TextSearch(needles)
    overlap = max(map(len, needles), default=1) - 1
    files = total = 0
    found = []
    found_texts: dict[str, None] = {}
    linked = [path for path in folder.glob("*") if path.is_symlink() and path.is_dir()]
    for path in sorted(below for root in (folder, *linked) for below in root.rglob("*")):
        if not path.is_file():
            continue
        try:
            size, in_file = _search_file(path, search, overlap)
        except FileNotFoundError:
            continue
        files, total = files + 1, total + size
        if in_file:
            found.append(str(path))
            found_texts |= dict.fromkeys(needles[needle] for needle in in_file)
    return Proof(files, total, tuple(found), tuple(found_texts))


def _needles(texts: Iterable[str]) -> dict[str, str]:
    """What to look for, a character for each byte, and the text that it is a form or a piece of."""
    needles: dict[str, str] = {}
    for text in texts:
        escaped = json.dumps(text, ensure_ascii=False)[1:-1]
        for form in (text, escaped, json.dumps(text)[1:-1]):
            for piece in _pieces(form.encode("utf-8", "surrogatepass")):
                needles.setdefault(piece.decode(BYTE_FOR_BYTE), text)
    return {needle: text for needle, text in needles.items() if len(needle) >= LEAST_BYTES}


def _pieces(text: bytes) -> Iterator[bytes]:
    if len(text) < LONG_BYTES:
        yield text
        return
    for start in range(0, len(text) - PIECE_BYTES + 1, PIECE_BYTES):
        yield text[start : start + PIECE_BYTES]


def _search_file(path: Path, search: TextSearch, overlap: int) -> tuple[int, set[str]]:
    """How long the file is, and which of the needles it holds."""
    size, tail = 0, ""
    found: set[str] = set()
    with path.open("rb") as file:
        while block := file.read(BLOCK_BYTES):
            size += len(block)
            window = tail + block.decode(BYTE_FOR_BYTE)
            found |= search.found_in(window)
            tail = window[len(window) - overlap :] if overlap else ""
    return size, found
