"""Markdown: the text as it is, with what its front matter, name and headings say about it.

Only the few front matter fields that memctl uses are read, so no YAML library is needed; what the
small grammar does not understand is left alone.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from datetime import date
from itertools import islice
from pathlib import PurePath

from memctl.blocks.front_matter import take_front_matter
from memctl.extraction.extractor import DocumentText, TextFormat
from memctl.ingestion.outline import Heading, markdown_headings
from memctl.ingestion.readers.dates import date_in_file_name, date_of_headings, date_of_value

HEADINGS_SEARCHED = 200
CHARACTERS_SEARCHED = 200_000
"""Where headings are looked at for title and date; what is longer is a book."""

NO_TOML = "its front matter is no whole TOML and was left out"

_DATE_KEYS = ("date", "day", "created", "created_at", "date_created", "published", "datum", "日期")
_TAG_KEYS = ("tags", "tag", "keywords")
_PAIR = re.compile(r"([\w.\"' -]+?)\s*:(?:\s+(.*))?$")
_LIST_ENTRY = re.compile(r"\s*-\s+(.+)$")
_COMMENT = re.compile(r"(?:^|\s)#\s.*$")


_HEADING_LINE = re.compile(r"#{1,6} +[^\s#].{0,79}$")
_LIST_LINE = re.compile(r"(?:[-*+]|\d{1,3}[.)]) +\S")


def is_written_as_markdown(text: str) -> bool:
    """Whether a plain text has the headings of Markdown over lists, or over each other.

    A line that begins with ``#`` among others, as comments do in settings and programs, is none:
    a heading stands alone behind a blank line, or at the beginning.
    """
    levels: list[int] = []
    has_list, before = False, ""
    for line in text[:CHARACTERS_SEARCHED].splitlines():
        if line.startswith("#"):
            if before.strip() or _HEADING_LINE.match(line) is None:
                return False
            levels.append(len(line) - len(line.lstrip("#")))
        elif _LIST_LINE.match(line):
            has_list = True
        before = line
    return bool(levels) and (has_list or (len(levels) > 1 and max(levels) > 1))


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What a text's metadata block says; empty where it is silent."""

    title: str | None = None
    document_date: date | None = None
    tags: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    """What keeps the block from being understood."""


def read_markdown(path: PurePath, text: str, encoding: str) -> DocumentText:
    """The document; its date comes from front matter, file name or headings, in this order."""
    front_matter = parse_front_matter(text)
    found = markdown_headings(text[:CHARACTERS_SEARCHED])
    headings = [heading for _, heading in islice(found, HEADINGS_SEARCHED)]
    titles = [heading.text for heading in headings]
    named_day = date_in_file_name(path.stem)
    return DocumentText(
        text=text,
        text_format=TextFormat.MARKDOWN,
        path=str(path),
        title=front_matter.title or _title(headings),
        document_date=(front_matter.document_date or named_day or date_of_headings(titles)),
        named_day=named_day,
        encoding=encoding,
        tags=front_matter.tags,
        remarks=front_matter.remarks,
    )


def parse_front_matter(text: str) -> FrontMatter:
    """Title, date and tags of the metadata block (YAML or TOML) at the text's start."""
    block, _ = take_front_matter(text)
    if block is None:
        return FrontMatter()
    fields = _parse_toml(block.text) if text.startswith("+++") else _parse_yaml(block.text)
    if fields is None:
        return FrontMatter(remarks=(NO_TOML,))
    title = fields.get("title")
    dates = (date_of_value(fields.get(key)) for key in _DATE_KEYS)
    tags = next((fields[key] for key in _TAG_KEYS if key in fields), ())
    return FrontMatter(
        title=title if isinstance(title, str) and title else None,
        document_date=next((day for day in dates if day is not None), None),
        tags=_tags(tags),
    )


def _title(headings: list[Heading]) -> str | None:
    """The first heading when it is the only one of its level and none stands above it."""
    if not headings or not headings[0].text:
        return None
    rest = (heading.level for heading in headings[1:])
    return headings[0].text if all(level > headings[0].level for level in rest) else None


def _parse_toml(text: str) -> dict[str, object] | None:
    """None for what is no TOML."""
    try:
        return {key.lower(): value for key, value in tomllib.loads(text).items()}
    except tomllib.TOMLDecodeError:
        return None


def _parse_yaml(text: str) -> dict[str, object]:
    """Top-level ``key: value`` pairs of plain, quoted and list values; the rest is left."""
    fields: dict[str, object] = {}
    key = ""
    for line in text.split("\n"):
        entry = _LIST_ENTRY.match(line)
        if entry is not None and key:
            entries = fields.get(key)
            kept = entries if isinstance(entries, list) else []
            fields[key] = [*kept, _scalar(entry[1])]
            continue
        pair = _PAIR.match(line)
        if pair is None or line[:1].isspace():
            continue
        key = pair[1].strip("\"' ").lower()
        fields.setdefault(key, _value(pair[2] or ""))
    return fields


def _value(raw: str) -> object:
    value = raw.strip()
    if value.startswith("[") and "]" in value:
        inner = value[1 : value.rindex("]")]
        return [_scalar(part) for part in inner.split(",") if part.strip()]
    return _scalar(value)


def _scalar(raw: str) -> str:
    value = raw.strip()
    if len(value) > 1 and value[0] in "\"'" and value.find(value[0], 1) > 0:
        return value[1 : value.find(value[0], 1)]
    return _COMMENT.sub("", value).strip()


def _tags(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        parts = value.split(",") if "," in value else value.split()
    elif isinstance(value, list | tuple):
        parts = [part for part in value if isinstance(part, str)]
    else:
        parts = []
    cleaned = (part.strip().lstrip("#") for part in parts)
    return tuple(dict.fromkeys(part for part in cleaned if part))
