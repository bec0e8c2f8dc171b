"""Jupyter notebooks as Markdown: cells of text as they are, cells of code in fences.

What programs printed is left out. Each line of the text knows its line in the file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath

from memctl.extraction.extractor import DocumentText
from memctl.file_lines import join_lines
from memctl.ingestion.readers.markdown import read_markdown
from memctl.ingestion.readers.placed_json import joined_lines, load_placed
from memctl.ingestion.readers.structured import read_json

_SOURCE_KEYS = ("source", "input")
_FENCE = re.compile("`{3,}")
_METADATA_MARK = "---"

_Lines = Sequence[tuple[str, int]]
"""Lines of a text, each with that (from 1) of the file on which it stands."""


def read_notebook(path: PurePath, text: str, encoding: str) -> DocumentText:
    """The cells in order; what is no notebook is read as JSON."""
    try:
        is_notebook = _cells(json.loads(text)) is not None
    except (ValueError, RecursionError):
        is_notebook = False
    if not is_notebook:
        return read_json(path, text, encoding)
    notebook = load_placed(text)
    language = _language(notebook)
    lines: list[tuple[str, int]] = []
    for cell in _cells(notebook) or ():
        shown = list(_shown(cell, language, is_first=not lines))
        if shown:
            lines += [*((("", lines[-1][1]),) if lines else ()), *shown]
    placed = join_lines([line for line, _ in lines], [number for _, number in lines])
    document = read_markdown(path, placed.text, encoding)
    return replace(document, file_lines=placed.file_lines)


def _cells(notebook: object) -> Sequence[Mapping[str, object]] | None:
    """The cells of a notebook, also of one from before 2015; None where it is none."""
    if not isinstance(notebook, Mapping):
        return None
    sheets = notebook.get("worksheets")
    holders = sheets if isinstance(sheets, list) else [notebook]
    found: list[Mapping[str, object]] = []
    for holder in holders:
        cells = holder.get("cells") if isinstance(holder, Mapping) else None
        if not isinstance(cells, list) or not all(map(_is_cell, cells)):
            return None
        found += cells
    return found


def _is_cell(value: object) -> bool:
    return isinstance(value, Mapping) and isinstance(value.get("cell_type"), str)


def _language(notebook: object) -> str:
    """What the code of a notebook is written in, as far as it says that."""
    metadata = notebook.get("metadata") if isinstance(notebook, Mapping) else None
    info = metadata.get("language_info") if isinstance(metadata, Mapping) else None
    name = info.get("name") if isinstance(info, Mapping) else None
    return name if isinstance(name, str) and name.isalnum() else ""


def _shown(
    cell: Mapping[str, object], language: str, *, is_first: bool
) -> Iterator[tuple[str, int]]:
    lines = _source(cell)
    if not any(line.strip() for line, _ in lines):
        return
    kind = cell["cell_type"]
    is_metadata = is_first and lines[0][0].strip() == _METADATA_MARK
    if kind == "markdown" or (kind == "raw" and is_metadata):
        yield from lines
    elif kind == "heading":
        level = cell.get("level")
        mark = "#" * (level if isinstance(level, int) and 1 <= level <= 6 else 1)
        yield from ((f"{mark} {line}", number) for line, number in lines)
    else:
        fence = max(["``", *(run for line, _ in lines for run in _FENCE.findall(line))], key=len)
        yield f"{fence}`{language if kind == 'code' else ''}", lines[0][1]
        yield from lines
        yield f"{fence}`", lines[-1][1]


def _source(cell: Mapping[str, object]) -> _Lines:
    said = next((cell[key] for key in _SOURCE_KEYS if key in cell), None)
    parts = said if isinstance(said, list) else [said]
    return joined_lines([part for part in parts if isinstance(part, str)])
