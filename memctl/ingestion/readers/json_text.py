"""JSON of any layout as text that is written by its structure."""

from __future__ import annotations

import json

from memctl.ingestion.readers.placed_json import tokens
from memctl.ingestion.readers.structure_text import StructureText, StructureWriter


def write_json(source: str, *, first_line: int = 1, is_record: bool = False) -> StructureText:
    """The text of valid JSON, which begins on ``first_line`` of its file.

    ``is_record``: its outermost object is a record, as an entry of a list is.
    """
    writer = StructureWriter(root_is_record=is_record)
    for sign, line in tokens(source, first_line):
        if sign in "{[":
            writer.begin(line, is_object=sign == "{")
        elif sign in "}]":
            writer.end()
        elif sign not in ",:":
            writer.take_scalar(json.loads(sign) if sign[0] == '"' else sign, line)
    return writer.text()
