"""Jupyter notebooks are read as their text and code, not as the JSON that holds them."""

from __future__ import annotations

import json
from pathlib import PurePath

import pytest
from whole_chunk import whole_chunk

from memctl.extraction.extractor import DocumentText, TextFormat
from memctl.extraction.rules.extractor import RulesExtractor
from memctl.ingestion.readers.registry import read_document

CELLS: list[dict[str, object]] = [
    {
        "cell_type": "markdown",
        "metadata": {},
        "source": [
            "# Oven log 2026-03-14\n",
            "\n",
            "We decided to use the median.\n",
            "- *so*",
        ],
    },
    {
        "cell_type": "code",
        "execution_count": 1,
        "metadata": {"tags": ["x"]},
        "outputs": [{"output_type": "stream", "name": "stdout", "text": ["I live in Brest.\n"]}],
        "source": ["# We decided to use the mean.\n", "text = '''```'''"],
    },
    {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": []},
    {
        "cell_type": "markdown",
        "metadata": {},
        "source": "I live in Kiel.\nThe oven is red.",
    },
]
NOTEBOOK = {
    "cells": CELLS,
    "metadata": {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python", "version": "3.12.1"},
    },
    "nbformat": 4,
    "nbformat_minor": 5,
}
SHOWN = (
    "# Oven log 2026-03-14\n\nWe decided to use the median.\n- *so*\n\n"
    "````python\n# We decided to use the mean.\ntext = '''```'''\n````\n\n"
    "I live in Kiel.\nThe oven is red."
)


def _document(value: object, indent: int | None = 1) -> DocumentText:
    text = value if isinstance(value, str) else json.dumps(value, indent=indent)
    document = read_document(PurePath("oven.ipynb"), text.encode()).document
    assert document is not None
    return document


@pytest.mark.parametrize("indent", [None, 1])
def test_cells_are_shown_as_they_are_read(indent: int | None) -> None:
    """Text is Markdown, code stands in a fence that no code ends, and outputs are left out."""
    document = _document(NOTEBOOK, indent)
    assert document.text_format is TextFormat.MARKDOWN
    assert document.title == "Oven log 2026-03-14"
    assert [line for line in document.text.split("\n") if line] == [
        line for line in SHOWN.split("\n") if line
    ]


def test_memories_come_from_text_and_cite_its_lines() -> None:
    """Neither a comment in code nor what a program printed is said by anybody."""
    document = _document(NOTEBOOK)
    lines = json.dumps(NOTEBOOK, indent=1).split("\n")
    chunk = whole_chunk(document.text, document.file_lines)
    found = RulesExtractor().begin(document).extract(chunk).candidates
    assert [one.content for one in found] == [
        "We decided to use the median.",
        "I live in Kiel.",
        "Oven log 2026-03-14 — The oven is red.",
    ]
    for one in found:
        assert one.content[-9:] in lines[(one.first_line or 0) - 1]


def test_notebooks_of_old_are_read_too() -> None:
    """They have sheets of cells, headings of their own kind, and code under another name."""
    cells = [
        {"cell_type": "heading", "level": 2, "source": ["Oven"]},
        {"cell_type": "code", "input": ["x = 1"], "language": "python", "outputs": []},
    ]
    document = _document({"nbformat": 3, "worksheets": [{"cells": cells}]}, None)
    assert document.text == "## Oven\n\n```\nx = 1\n```"


def test_a_first_raw_cell_may_be_front_matter() -> None:
    raw = {"cell_type": "raw", "source": ["---\n", "title: Ovens\n", "date: 2026-03-14\n", "---"]}
    document = _document({"cells": [raw, *CELLS], "metadata": {}, "nbformat": 4})
    assert (document.title, str(document.document_date)) == ("Ovens", "2026-03-14")


@pytest.mark.parametrize("text", ["{", '{"cells": 3}', '{"cells": ["a"]}', '["The oven is old."]'])
def test_what_is_no_notebook_is_read_as_json(text: str) -> None:
    assert _document(text).text_format is not TextFormat.MARKDOWN
