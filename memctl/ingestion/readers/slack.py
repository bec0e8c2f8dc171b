"""Messages and lists as Slack exports them: ids in angle brackets, names elsewhere in the file."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from memctl.ingestion.readers.placed_json import PlacedString, load_placed
from memctl.ingestion.readers.structure_text import StructureText

_Record = Mapping[str, object]

_TIME = re.compile(r"\d{9,11}\.\d{1,6}")
_PERSON = re.compile(r"[UW][A-Z0-9]+")
_REFERENCE = re.compile(r"<([^<>|]+)(?:\|([^<>]*))?>")
_BOLD = re.compile(r"(?<![\w*])\*(?=\S)([^*\n]+)(?<=\S)\*(?![\w*])")
_SCHEMES = ("mailto:", "tel:")
_PROFILE_NAMES = ("real_name", "display_name", "name", "first_name")
_MEMBER, _CHANNEL = "member of the Slack workspace", "Slack channel"
_MEMBER_FIELDS = ("title", "email", "phone")
_CHANNEL_FIELDS = ("topic", "purpose")


def is_slack_message(record: _Record) -> bool:
    """Whether a record is one of Slack's messages."""
    time = record.get("ts")
    is_timed = isinstance(time, str) and _TIME.fullmatch(time) is not None
    return is_timed and record.get("type", "message") == "message" and "text" in record


def shown_names(records: Iterable[_Record]) -> Mapping[str, str]:
    """The names of people by their ids, as the profiles in messages have them."""
    found: dict[str, str] = {}
    for record in records:
        user, profile = record.get("user"), record.get("user_profile")
        if isinstance(user, str) and isinstance(profile, Mapping):
            name = _name(profile)
            if name:
                found.setdefault(user, name)
    return found


def shown_text(text: str, names: Mapping[str, str]) -> str:
    """A line of a message as its readers see it."""

    def reference(match: re.Match[str]) -> str:
        target, label = match[1], match[2] or ""
        bare = target[1:]
        if target[0] == "@":
            return f"@{names.get(bare) or label or bare}"
        if target[0] == "#":
            return f"#{label or bare}"
        if target[0] == "!":
            return label or f"@{bare}"
        if target.startswith(_SCHEMES):
            return label or target.partition(":")[2]
        return f"{label} ({target})" if label and label not in target else target

    return html.unescape(_BOLD.sub(r"\1", _REFERENCE.sub(reference, text)))


class _Entry(NamedTuple):
    """What a list of Slack says of one member or channel, in ``shown`` form and by fields. One that
    is gone has no name."""

    name: str
    shown: str
    fields: Sequence[tuple[str, str]]


def slack_list_of_json(value: object, text: str) -> StructureText | None:
    """``users.json`` or ``channels.json`` of an export, whose JSON is ``value``, as a list of names
    with what stands about them, without ids, settings, pictures and who is gone; None where it is
    neither."""
    records = value if isinstance(value, list) else []
    for entry in (_member, _channel):
        if records and all(entry(one) is not None for one in records):
            return _written(entry(one) for one in _placed(text))
    return None


def _placed(text: str) -> Sequence[object]:
    value = load_placed(text)
    return value if isinstance(value, list) else []


def _written(entries: Iterable[_Entry | None]) -> StructureText:
    written = StructureText([], [])
    for entry in entries:
        if entry is None or not entry.name:
            continue
        fields = "".join(f"; {key}: {' '.join(said.split())}" for key, said in entry.fields)
        written.lines.append(f"- {entry.shown}{fields}")
        written.file_lines.append(entry.name.line if isinstance(entry.name, PlacedString) else 1)
    return written


def _member(record: object) -> _Entry | None:
    profile = record.get("profile") if isinstance(record, Mapping) else None
    if not isinstance(record, Mapping) or not isinstance(profile, Mapping):
        return None
    identity = record.get("id")
    if not isinstance(identity, str) or _PERSON.fullmatch(identity) is None:
        return None
    is_gone = record.get("deleted") or record.get("is_bot")
    name = "" if is_gone else _name(profile) or _name(record)
    return _Entry(name, f"{name}: {_MEMBER}", _told(profile, _MEMBER_FIELDS))


def _channel(record: object) -> _Entry | None:
    if not isinstance(record, Mapping) or not {"id", "name", "members"} <= record.keys():
        return None
    values = {
        key: inner.get("value")
        for key in _CHANNEL_FIELDS
        if isinstance(inner := record.get(key), Mapping)
    }
    told = record["name"]
    name = told if isinstance(told, str) and not record.get("is_archived") else ""
    return _Entry(name, f"{_CHANNEL} #{name}", _told(values, _CHANNEL_FIELDS))


def _told(record: _Record, keys: Iterable[str]) -> Sequence[tuple[str, str]]:
    """What a record says under these keys, as far as it does."""
    fields = ((key, record.get(key)) for key in keys)
    return [(key, said) for key, said in fields if isinstance(said, str) and said.strip()]


def _name(profile: _Record) -> str:
    names = (profile.get(key) for key in _PROFILE_NAMES)
    return next((name for name in names if isinstance(name, str) and name.strip()), "")
