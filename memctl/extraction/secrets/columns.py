"""Secrets in tables: a column whose header is ``Password``, ``API key`` and the like.

Pipe tables of Markdown and lines separated by comma, semicolon or tabulator.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memctl.extraction.secrets.keywords import PASSWORD_WORDS, SECRET_WORDS
from memctl.extraction.secrets.passphrases import is_passphrase
from memctl.extraction.secrets.searched import Detector, SearchedText
from memctl.extraction.secrets.span import Span
from memctl.extraction.secrets.wording import is_assigned_password, is_placeholder, looks_random

_HEADERS = dict.fromkeys((*PASSWORD_WORDS, "pwd", "pass", "pw", "mdp", "senha"), "password")
_HEADERS |= dict.fromkeys(SECRET_WORDS, "secret")
_RULE_CELL = re.compile(r"[ :|+-]*")
_DELIMITERS = "|\t;,"


def find_in_columns(searched: SearchedText) -> Iterator[Span]:
    """Cells under a header that names a kind of secret."""
    columns: dict[int, str] = {}
    delimiter = ""
    width = 0
    start = 0
    for line in searched.text.split("\n"):
        cells = line.split(delimiter) if delimiter else []
        if columns and len(cells) == width:
            yield from _secret_cells(cells, columns, start)
        else:
            delimiter, columns, width = _read_header(line)
        start += len(line) + 1


def _read_header(line: str) -> tuple[str, dict[int, str], int]:
    for delimiter in _DELIMITERS:
        if delimiter in line and len(line) < 1_000:
            cells = [cell.strip(" \"'*`\r").casefold() for cell in line.split(delimiter)]
            columns = {
                place: _HEADERS[cell] for place, cell in enumerate(cells) if cell in _HEADERS
            }
            return (delimiter, columns, len(cells)) if columns else ("", {}, 0)
    return "", {}, 0


def _secret_cells(cells: list[str], columns: dict[int, str], start: int) -> Iterator[Span]:
    for place, cell in enumerate(cells):
        value = cell.strip(" \"'*`\r")
        if place in columns and value and not _RULE_CELL.fullmatch(cell):
            kind = columns[place]
            if _is_password(value) if kind == "password" else _is_key(value):
                begin = start + cell.index(value)
                yield Span(begin, begin + len(value), kind)
        start += len(cell) + 1


def _is_password(value: str) -> bool:
    return is_passphrase(value.split()) if " " in value else is_assigned_password(value, "")


def _is_key(value: str) -> bool:
    return looks_random(value) and not is_placeholder(value)


COLUMNS = Detector(find_in_columns, frozenset(_HEADERS))
