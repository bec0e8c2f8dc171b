"""JSON, YAML, XML, JSON lines and reStructuredText as text that reads like notes.

Each line of the text knows its line in the file, so that citations point there. JSON and
YAML are laid out anew. Chats in JSON become the lines of a chat.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePath

from memctl.blocks.written_chat import Conversation, write_chat
from memctl.extraction.extractor import DocumentText, TextFormat
from memctl.file_lines import join_lines
from memctl.ingestion.readers.chat_records import chat_of_json, chat_of_json_lines
from memctl.ingestion.readers.dates import date_in_file_name, date_of_value
from memctl.ingestion.readers.json_text import write_json
from memctl.ingestion.readers.messenger_records import messenger_chat_of_json
from memctl.ingestion.readers.slack import slack_list_of_json
from memctl.ingestion.readers.structure_text import (
    StructureText,
    holds_statement,
    is_lone_record,
)
from memctl.ingestion.readers.xml_text import write_xml
from memctl.ingestion.readers.yaml_text import write_yaml

NO_XML = "it is no XML that holds data, and is kept only for search"
NO_YAML = "it is no valid YAML and was read as plain text"
NO_JSON = "it is no whole JSON and was read as plain text"

_RST_EXPLICIT = re.compile(r"(\s*)\.\.(?:\s+(?:([\w-]+)::|(\[[^\]]+\]))?\s*(.*))?$")
_RST_TEXT_DIRECTIVES = frozenset(
    {"admonition", "attention", "caution", "danger", "epigraph", "error", "hint", "important"}
    | {"note", "rubric", "seealso", "sidebar", "tip", "todo", "topic", "warning"}
)
_RST_MARKS = (
    (re.compile(r"``([^`]+)``"), r"\1"),
    (re.compile(r"\*\*(?=\S)([^*]+)(?<=\S)\*\*"), r"\1"),
    (re.compile(r"(?<![\w*])\*(?=\S)([^*]+)(?<=\S)\*(?![\w*])"), r"\1"),
    (re.compile(r":[\w:+-]+:`([^`<]+?)(?:\s*<[^`>]*>)?`"), r"\1"),
    (re.compile(r"`([^`<]+?)\s*<([^`>]+)>`__?"), r"\1 (\2)"),
    (re.compile(r"`([^`]+)`__?"), r"\1"),
)
_RST_FIELD = re.compile(r":([\w -]+):(?=\s)")
_RST_TITLE_FIELDS = re.compile(r"^:date:\s*(.+)$", re.IGNORECASE | re.MULTILINE)


def read_json(path: PurePath, text: str, encoding: str) -> DocumentText:
    """Keys and values without quotes, braces and escapes, or the messages of a chat; the text as it
    is when it is no JSON."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return replace(_plain(path, text, encoding), remarks=(NO_JSON,))
    conversations = chat_of_json(value, text) or messenger_chat_of_json(value, text)
    if conversations is not None:
        return _chat(path, conversations, encoding)
    listed = slack_list_of_json(value, text)
    if listed is not None:
        return _placed(path, listed, encoding)
    return _data(path, write_json(text, is_record=is_lone_record(value)), encoding)


def read_yaml(path: PurePath, text: str, encoding: str) -> DocumentText:
    """Keys and values by their places, as those of JSON, and comments that say something; the text
    as it is when it is no YAML or has no structure."""
    written = write_yaml(text)
    if written is None:
        return replace(_plain(path, text, encoding), remarks=(NO_YAML,))
    return _data(path, written, encoding) if written.lines else _plain(path, text, encoding)


def read_xml(path: PurePath, text: str, encoding: str) -> DocumentText:
    """What elements and attributes say, by the places of these; the text as it is, of which nothing
    is remembered, where that is not to be told."""
    written = write_xml(text)
    if written is None or not written.lines:
        return replace(_plain(path, text, encoding), remarks=(NO_XML,))
    return _data(path, written, encoding)


def read_json_lines(path: PurePath, text: str, encoding: str) -> DocumentText:
    """One line for each record: ``key: value; key: value``, or what the record says and the rest of
    it below. Lines that are no JSON stay."""
    conversations = chat_of_json_lines(_records(text))
    if conversations:
        return _chat(path, conversations, encoding)
    written = StructureText([], [])
    has_items = False
    for number, line in enumerate(text.split("\n"), start=1):
        record = _record_text(line, number, is_item=has_items)
        has_items = has_items or record.lines[0].startswith("- ")
        written.lines.extend(record.lines)
        written.file_lines.extend(record.file_lines)
    return _placed(path, written, encoding)


def read_rst(path: PurePath, text: str, encoding: str) -> DocumentText:
    """The same lines as plain text, where underlined titles are headings already."""
    field = _RST_TITLE_FIELDS.search(text)
    lines = [_rst_line(line) for line in text.split("\n")]
    document = _plain(path, "\n".join(lines), encoding)
    if field is None or document.document_date is not None:
        return document
    return DocumentText(
        text=document.text,
        text_format=document.text_format,
        path=document.path,
        document_date=date_of_value(field[1]),
        encoding=encoding,
    )


def _chat(path: PurePath, conversations: Sequence[Conversation], encoding: str) -> DocumentText:
    written = write_chat(conversations)
    document = _plain(path, written.text, encoding)
    return replace(document, text_format=TextFormat.CHAT, file_lines=written.file_lines)


def _data(path: PurePath, written: StructureText, encoding: str) -> DocumentText:
    return replace(_placed(path, written, encoding), text_format=TextFormat.DATA)


def _placed(path: PurePath, written: StructureText, encoding: str) -> DocumentText:
    placed = join_lines(written.lines, written.file_lines)
    return replace(_plain(path, placed.text, encoding), file_lines=placed.file_lines)


def _plain(path: PurePath, text: str, encoding: str) -> DocumentText:
    day = date_in_file_name(path.stem)
    return DocumentText(
        text=text,
        text_format=TextFormat.PLAIN,
        path=str(path),
        document_date=day,
        named_day=day,
        encoding=encoding,
    )


def _records(text: str) -> Sequence[tuple[int, object]]:
    """The values of JSON lines with their lines (from 1); none where a line is no JSON."""
    lines = enumerate(text.split("\n"), start=1)
    try:
        return [(number, json.loads(line)) for number, line in lines if line.strip()]
    except (ValueError, RecursionError):
        return ()


def _record_text(line: str, number: int, *, is_item: bool) -> StructureText:
    """``is_item``: others before it are list items, to the last of which it would belong."""
    try:
        record = json.loads(line) if line.strip() else None
        if holds_statement(record) or (is_item and record and isinstance(record, dict)):
            return write_json(line, first_line=number, is_record=True)
        text = "" if record is None else " ".join(_flat(record).split())
    except (ValueError, RecursionError):
        text = line
    return StructureText([text], [number])


def _flat(value: object, depth: int = 0) -> str:
    if depth > 20:
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, dict):
        pairs = ((key, _flat(inner, depth + 1)) for key, inner in value.items())
        return "; ".join(f"{key}: {inner}" for key, inner in pairs if inner)
    if isinstance(value, list):
        return ", ".join(filter(None, (_flat(inner, depth + 1) for inner in value)))
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value)


def _rst_line(line: str) -> str:
    explicit = _RST_EXPLICIT.match(line)
    if explicit is not None:
        indent, directive, footnote, rest = explicit.groups()
        kept = rest if directive in _RST_TEXT_DIRECTIVES or footnote is not None else ""
        line = f"{indent}{kept or ''}".rstrip()
    for pattern, replacement in _RST_MARKS:
        line = pattern.sub(replacement, line)
    return _RST_FIELD.sub(r"\1:", line, count=1)
