"""JSON, JSON lines, Org and reStructuredText as text that reads like notes.

Line for line where the file has lines of its own, so that citations point into the file; only JSON
that was written for machines (one line, or escaped line breaks) is laid out anew. Chats in JSON
become the lines of a chat, which say on which lines of the file they stand if each message has its
own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePath

from memctl.blocks.written_chat import Conversation, write_chat
from memctl.extraction.extractor import DocumentText, TextFormat
from memctl.ingestion.readers.chat_records import chat_of_json, chat_of_json_lines
from memctl.ingestion.readers.dates import date_in_file_name, date_of_value
from memctl.ingestion.readers.markdown import read_markdown

MAXIMUM_READABLE_LINE = 400
"""A longer line in a JSON file was written by a machine for a machine."""

_JSON_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
_ESCAPED_BREAK = re.compile(r"(?<!\\)(?:\\\\)*\\[nr]")
_LINE_BREAK = re.compile("\r\n?|\n")
_BRACKETS_ONLY = re.compile(r"[\s{}\[\],]*$")
_ORG_HEADING = re.compile(
    r"(\*+)\s+(?:(?P<state>TODO|NEXT|WAITING|WAIT|HOLD|STARTED|DOING|DONE|CANCELLED|CANCELED)\s+)?"
    r"(?:\[#(?P<priority>[A-Z0-9])\]\s+)?(?P<title>.*?)(?:\s+:(?P<tags>[\w@#%:]+):)?\s*$"
)
_ORG_DONE = frozenset({"DONE", "CANCELLED", "CANCELED"})
_ORG_KEYWORD = re.compile(r"#\+(\w+):\s*(.*)$")
_ORG_BLOCK = re.compile(r"\s*#\+(begin|end)_(\w+)\s*(\S*)", re.IGNORECASE)
_ORG_DRAWER = re.compile(r"\s*:([\w-]+):\s*$")
_ORG_TABLE_RULE = re.compile(r"\s*\|[-+]+\|\s*$")
_ORG_LINK = re.compile(r"\[\[([^\]]+)\](?:\[([^\]]+)\])?\]")
_ORG_MARKS = (
    (re.compile(r"(?<![\w*])\*(?=\S)([^*\n]+?)(?<=\S)\*(?![\w*])"), r"**\1**"),
    (re.compile(r"(?<![\w/:])/(?=\S)([^/\n]+?)(?<=\S)/(?![\w/])"), r"*\1*"),
    (re.compile(r"(?<![\w=])=(?=\S)([^=\n]+?)(?<=\S)=(?![\w=])"), r"`\1`"),
    (re.compile(r"(?<![\w~])~(?=\S)([^~\n]+?)(?<=\S)~(?![\w~])"), r"`\1`"),
    (re.compile(r"(?<![\w+])\+(?=\S)([^+\n]+?)(?<=\S)\+(?![\w+])"), r"~~\1~~"),
)
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
        return _plain(path, text, encoding)
    conversations = chat_of_json(value, text)
    if conversations:
        return _chat(path, conversations, encoding)
    longest = max(map(len, text.split("\n")))
    if longest > MAXIMUM_READABLE_LINE or _ESCAPED_BREAK.search(text):
        text = json.dumps(value, ensure_ascii=False, indent=2)
    return _plain(path, _without_json_marks(text), encoding)


def read_json_lines(path: PurePath, text: str, encoding: str) -> DocumentText:
    """One line for each record: ``key: value; key: value``. Lines that are no JSON stay."""
    conversations = chat_of_json_lines(_records(text))
    if conversations:
        return _chat(path, conversations, encoding)
    lines = [_record_line(line) for line in text.split("\n")]
    return _plain(path, "\n".join(lines), encoding)


def read_org(path: PurePath, text: str, encoding: str) -> DocumentText:
    """The same lines as Markdown: headings, tasks, emphasis, links, code and tables."""
    lines = text.split("\n")
    converter = _OrgConverter(lines)
    converted = "\n".join(converter.convert())
    document = read_markdown(path, converted, encoding)
    day = date_of_value(converter.keywords.get("date", "")) or document.document_date
    title = converter.keywords.get("title") or document.title
    return DocumentText(
        text=document.text,
        text_format=TextFormat.MARKDOWN,
        path=str(path),
        title=title,
        document_date=day,
        named_day=document.named_day,
        encoding=encoding,
        tags=tuple(filter(None, converter.keywords.get("filetags", "").split(":"))),
    )


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


def _without_json_marks(text: str) -> str:
    return "\n".join(_json_line(line) for line in text.split("\n"))


def _json_line(line: str) -> str:
    """``"key": "value",`` as ``key: value``; an entry of a list gets a dash."""
    if _BRACKETS_ONLY.match(line):
        return ""
    indent = line[: len(line) - len(line.lstrip())]
    body = line.strip().rstrip(",")
    is_pair = re.match(r'"(?:[^"\\]|\\.)*"\s*:', body) is not None
    body = re.sub(r"\s*[\[{]$", "", body)
    text = _JSON_STRING.sub(lambda match: _unescape(match[0], indent), body)
    return f"{indent}{text}" if is_pair else f"{indent}- {text}"


def _unescape(literal: str, indent: str) -> str:
    try:
        value: str = json.loads(literal)
    except ValueError:
        return literal
    return _LINE_BREAK.sub(f"\n{indent}  ", value)


def _records(text: str) -> Sequence[tuple[int, object]]:
    """The values of JSON lines with their lines (from 1); none where a line is no JSON."""
    lines = enumerate(text.split("\n"), start=1)
    try:
        return [(number, json.loads(line)) for number, line in lines if line.strip()]
    except (ValueError, RecursionError):
        return ()


def _record_line(line: str) -> str:
    try:
        record = json.loads(line) if line.strip() else None
        return "" if record is None else " ".join(_flat(record).split())
    except (ValueError, RecursionError):
        return line


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


class _OrgConverter:
    """Rewrites Org line by line; ``keywords`` collects ``#+TITLE`` and its kind."""

    def __init__(self, lines: list[str]) -> None:
        self.keywords: dict[str, str] = {}
        self._lines = lines
        self._block = ""
        self._in_drawer = False

    def convert(self) -> list[str]:
        """As many lines as were given."""
        return [self._line(position, line) for position, line in enumerate(self._lines)]

    def _line(self, position: int, line: str) -> str:
        block = _ORG_BLOCK.match(line)
        if block is not None:
            return self._block_mark(block)
        if self._block:
            return f"> {line}" if self._block in ("quote", "verse") else line
        if self._in_drawer or _ORG_DRAWER.match(line):
            return self._drawer_line(line)
        heading = _ORG_HEADING.match(line)
        if heading is not None:
            return self._heading(position, heading)
        return self._plain_line(line)

    def _plain_line(self, line: str) -> str:
        keyword = _ORG_KEYWORD.match(line)
        if keyword is not None:
            self.keywords.setdefault(keyword[1].lower(), keyword[2].strip())
        if keyword is not None or line.lstrip().startswith("# "):
            return ""
        return line.replace("+", "|") if _ORG_TABLE_RULE.match(line) else _org_inline(line)

    def _block_mark(self, block: re.Match[str]) -> str:
        opens, kind = block[1].lower() == "begin", block[2].lower()
        self._block = kind if opens else ""
        if kind in ("quote", "verse", "center"):
            return ""
        return f"```{block[3] if opens else ''}"

    def _drawer_line(self, line: str) -> str:
        drawer = _ORG_DRAWER.match(line)
        self._in_drawer = drawer is None or drawer[1].lower() != "end"
        return ""

    def _heading(self, position: int, heading: re.Match[str]) -> str:
        """A task without headlines under it is a list item, every other headline a heading."""
        level = len(heading[1])
        title = _org_inline(heading["title"])
        state = heading["state"]
        if state is None:
            return f"{'#' * min(level, 6)} {title}"
        if self._has_children(position, level):
            return f"{'#' * min(level, 6)} {state}: {title}"
        return f"- [{'x' if state in _ORG_DONE else ' '}] {title}"

    def _has_children(self, position: int, level: int) -> bool:
        for line in self._lines[position + 1 :]:
            following = _ORG_HEADING.match(line) if line.startswith("*") else None
            if following is not None:
                return len(following[1]) > level
        return False


def _org_inline(line: str) -> str:
    line = _ORG_LINK.sub(lambda match: f"[{match[2] or match[1]}]({match[1]})", line)
    for pattern, replacement in _ORG_MARKS:
        line = pattern.sub(replacement, line)
    return line
