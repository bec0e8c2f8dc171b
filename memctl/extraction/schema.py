"""What a language model is asked to answer, and how its answer is read.

``response_schema`` goes to providers that can hold a model to it. ``read_reply`` takes what comes
back from any of them: values under other names, on other scales and in other forms are understood,
what is missing gets its default. An answer that cannot be understood raises a complaint; it never
reads as "nothing to remember".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from memctl.content import normalise_content
from memctl.extraction.lenient_json import JsonSyntaxError, JsonValue, read_json
from memctl.extraction.reply_dates import read_event_time
from memctl.memory import EventTime, MemoryType
from memctl.new_memory import Outcome

LIST_KEY = "memories"
RELATION_KINDS = {
    "repeats": Outcome.SAME,
    "updates": Outcome.UPDATED,
    "contradicts": Outcome.CONTRADICTS,
}

_LIST_KEYS = (LIST_KEY, "facts", "statements", "items", "results", "candidates", "data", "memory")
_CONTENT_KEYS = ("content", "statement", "memory", "text", "fact", "description", "summary")
_TYPE_KEYS = ("memory_type", "type", "category", "kind")
_IMPORTANCE_KEYS = ("importance", "priority", "score", "weight")
_DATE_KEYS = ("event_date", "event_at", "date", "when", "event_time", "time")
_FIRST_LINE_KEYS = ("first_line", "line", "line_start", "start_line", "lines", "source_lines")
_LAST_LINE_KEYS = ("last_line", "line_end", "end_line")
_SUBJECT_KEYS = ("subject", "about", "entity")

_TYPE_WORDS: dict[str, MemoryType] = {
    **{memory_type.value: memory_type for memory_type in MemoryType},
    **dict.fromkeys(("person", "profile", "about", "name", "role", "self"), MemoryType.IDENTITY),
    **dict.fromkeys(("objective", "plan", "intention", "aim", "aspiration"), MemoryType.GOAL),
    **dict.fromkeys(("decided", "choice", "agreement", "resolution"), MemoryType.DECISION),
    **dict.fromkeys(
        ("task", "action", "action item", "to do", "reminder", "open task"), MemoryType.TODO
    ),
    **dict.fromkeys(
        ("like", "dislike", "habit", "opinion", "instruction", "rule"), MemoryType.PREFERENCE
    ),
    **dict.fromkeys(("meeting", "appointment", "milestone", "incident"), MemoryType.EVENT),
    **dict.fromkeys(("note", "insight", "learning", "lesson", "remark"), MemoryType.OBSERVATION),
}
_IMPORTANCE_WORDS = {
    "critical": 0.95,
    "very high": 0.9,
    "high": 0.85,
    "medium": 0.6,
    "moderate": 0.6,
    "normal": 0.6,
    "low": 0.35,
    "very low": 0.2,
    "minor": 0.3,
    "trivial": 0.1,
}
_THINKING = re.compile(r"<(think(?:ing)?|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"```[\w-]*[ \t]*\n(.*?)(?:```|\Z)", re.DOTALL)
_NEXT_VALUE = re.compile(r"[\s,;]*[\[{]")
_OPENING = re.compile(r"[\[{]")
_NUMBER = re.compile(r"-?\d+(?:[.,]\d+)?")
_MAXIMUM_STARTS = 20
"""Brackets tried as the beginning of the answer in a text that surrounds it."""


class UnusableReplyError(ValueError):
    """Why an answer is not usable, in words that go back to the model."""


@dataclass(frozen=True, slots=True)
class KnownRelation:
    """What a statement means for a stored memory that was offered under ``label``."""

    outcome: Outcome
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """One statement as the model gave it; lines are what it said and may be wrong or missing."""

    content: str
    memory_type: MemoryType
    importance: float
    event_at: EventTime | None = None
    first_line: int | None = None
    last_line: int | None = None
    subject: str | None = None
    relation: KnownRelation | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """Proposals in the model's order. ``truncated`` ones were followed by more that is lost."""

    proposals: tuple[Proposal, ...]
    truncated: bool = False


def response_schema(*, with_relation: bool) -> dict[str, object]:
    """The JSON schema of an answer, strict in the sense of OpenAI's structured outputs.

    All properties are required and optional ones may be null, because strict mode wants it so.
    """
    properties: dict[str, object] = {
        "content": {"type": "string"},
        "memory_type": {"type": "string", "enum": [kind.value for kind in MemoryType]},
        "importance": {"type": "number"},
        "event_date": {"type": ["string", "null"]},
        "first_line": {"type": "integer"},
        "last_line": {"type": "integer"},
        "subject": {"type": ["string", "null"]},
    }
    if with_relation:
        properties["relation"] = {
            "anyOf": [_object({"kind": _enum(RELATION_KINDS), "known": {"type": "string"}}), _NULL]
        }
    return _object({LIST_KEY: {"type": "array", "items": _object(properties)}})


_NULL: dict[str, object] = {"type": "null"}


def _enum(values: Mapping[str, object]) -> dict[str, object]:
    return {"type": "string", "enum": list(values)}


def _object(properties: Mapping[str, object]) -> dict[str, object]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def read_reply(text: str) -> Reply:
    """The proposals in a model's answer.

    Raises UnusableReplyError when no list of statements can be made out, or none has a text.
    """
    text = _THINKING.sub("", text).strip()
    if not text:
        raise UnusableReplyError(
            "the answer was empty; an object with the list "
            f"{LIST_KEY!r} is expected, empty if there is nothing to remember"
        )
    items, truncated = _find_items(text)
    records = [record for item in items if (record := _as_record(item)) is not None]
    if items and not any(_text_of(record) for record in records):
        raise UnusableReplyError("no item of the list has a 'content' text")
    scale = _importance_scale(records)
    return Reply(tuple(_read_proposal(record, scale) for record in records), truncated)


def _find_items(text: str) -> tuple[list[JsonValue], bool]:
    complaint = f"there is no JSON object with the list {LIST_KEY!r} in the answer"
    for candidate, is_whole in _json_texts(text):
        try:
            values, truncated = _read_values(candidate)
        except JsonSyntaxError as problem:
            complaint = f"the JSON cannot be read: {problem}"
            continue
        found = [_as_items(value, is_whole=is_whole) for value in values]
        lists = [items for items in found if items is not None]
        if lists:
            return [item for items in lists for item in items], truncated
        if is_whole:
            complaint = f"the JSON has no list {LIST_KEY!r}"
    raise UnusableReplyError(complaint)


def _json_texts(text: str) -> Iterator[tuple[str, bool]]:
    """Where the answer may begin: the whole, a quoted whole, fenced parts, then each bracket.

    True for the first three: they are the answer whatever their shape, while a bracket in prose
    or in a broken answer may be anything.
    """
    if text[0] in "{[":
        yield text, True
    elif text[0] == '"' and (inner := _unquoted(text)):
        yield inner, True
    for fence in _FENCE.finditer(text):
        if fence[1].strip():
            yield fence[1].strip(), True
    for number, opening in enumerate(_OPENING.finditer(text)):
        if number == _MAXIMUM_STARTS:
            return
        yield text[opening.start() :], False


def _unquoted(text: str) -> str:
    try:
        value = read_json(text).value
    except JsonSyntaxError:
        return ""
    return value.strip() if isinstance(value, str) else ""


def _read_values(text: str) -> tuple[list[JsonValue], bool]:
    """One JSON value, or several in a row, as some models write one object a line."""
    values: list[JsonValue] = []
    position = 0
    while following := _NEXT_VALUE.match(text, position):
        found = read_json(text, following.end() - 1)
        values.append(found.value)
        position = found.end
        if found.truncated:
            return values, True
    if not values:
        values.append(read_json(text).value)
    return values, False


def _as_items(value: JsonValue, *, is_whole: bool) -> list[JsonValue] | None:
    """The list of statements in a value, or None when the value is none.

    A bare list and a single statement count only as a whole answer: elsewhere they may be one
    piece of an answer of which the rest cannot be read.
    """
    if isinstance(value, list):
        are_objects = bool(value) and all(isinstance(item, dict) for item in value)
        are_items = all(isinstance(item, dict | str) for item in value)
        return value if are_objects or (is_whole and are_items) else None
    if not isinstance(value, dict):
        return None
    for key in _LIST_KEYS:
        inner = _get(value, (key,))
        if isinstance(inner, list):
            return inner if all(isinstance(item, dict | str) for item in inner) else None
    return [value] if is_whole and _text_of(value) else None


def _as_record(item: JsonValue) -> dict[str, JsonValue] | None:
    if isinstance(item, str):
        return {"content": item}
    return item if isinstance(item, dict) else None


def _get(record: Mapping[str, JsonValue], keys: Sequence[str]) -> JsonValue:
    """The first value under one of the names, whatever their case and word marks."""
    folded = {re.sub(r"[\s-]+", "_", key.strip().casefold()): key for key in record}
    for key in keys:
        if key in folded and record[folded[key]] is not None:
            return record[folded[key]]
    return None


def _text_of(record: Mapping[str, JsonValue]) -> str:
    value = _get(record, _CONTENT_KEYS)
    return normalise_content(value) if isinstance(value, str) else ""


def _read_proposal(record: Mapping[str, JsonValue], scale: float) -> Proposal:
    memory_type = _read_type(_get(record, _TYPE_KEYS))
    subject = _get(record, _SUBJECT_KEYS)
    first, last = _read_lines(record)
    return Proposal(
        content=_text_of(record),
        memory_type=memory_type,
        importance=_read_importance(_get(record, _IMPORTANCE_KEYS), scale, memory_type),
        event_at=read_event_time(_get(record, _DATE_KEYS)),
        first_line=first,
        last_line=last,
        subject=" ".join(subject.split()) or None if isinstance(subject, str) else None,
        relation=_read_relation(record),
    )


def _read_type(value: JsonValue) -> MemoryType:
    """The named type, a known synonym of it, else a fact."""
    if not isinstance(value, str):
        return MemoryType.FACT
    word = re.sub(r"[\s_-]+", " ", value.casefold()).strip(" .")
    for form in (word, word.removesuffix("s"), word.replace(" ", ""), *word.split()):
        if form in _TYPE_WORDS:
            return _TYPE_WORDS[form]
    return MemoryType.FACT


def _number(value: JsonValue) -> float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value) if abs(value) < 1e9 else None
    match = _NUMBER.search(value) if isinstance(value, str) else None
    return float(match[0].replace(",", ".")) if match else None


def _importance_scale(records: Sequence[Mapping[str, JsonValue]]) -> float:
    """What the model's numbers are to be divided by: one answer keeps to one scale."""
    numbers = [
        number
        for record in records
        if (number := _number(_get(record, _IMPORTANCE_KEYS))) is not None
    ]
    largest = max(numbers, default=1.0)
    return 1.0 if largest <= 1 else 10.0 if largest <= 10 else 100.0


def _read_importance(value: JsonValue, scale: float, memory_type: MemoryType) -> float:
    if isinstance(value, str):
        word = " ".join(value.casefold().split())
        if word in _IMPORTANCE_WORDS:
            return _IMPORTANCE_WORDS[word]
    number = _number(value)
    if number is None or number < 0:
        return memory_type.default_importance
    return round(min(1.0, number / scale), 3)


def _read_lines(record: Mapping[str, JsonValue]) -> tuple[int | None, int | None]:
    first = _line_numbers(_get(record, _FIRST_LINE_KEYS))
    last = _line_numbers(_get(record, _LAST_LINE_KEYS))
    if not first:
        return None, None
    return min(first), max(last or first)


def _line_numbers(value: JsonValue) -> list[int]:
    """Line numbers from 12, "12", "L12-14" or [12, 14]."""
    if isinstance(value, list):
        return [number for item in value for number in _line_numbers(item)]
    if isinstance(value, bool) or value is None or isinstance(value, dict):
        return []
    if isinstance(value, int | float):
        return [int(value)] if 0 < value < 1e9 else []
    return [int(digits) for digits in re.findall(r"\d{1,9}", value)]


def _read_relation(record: Mapping[str, JsonValue]) -> KnownRelation | None:
    relation = _get(record, ("relation", "relations"))
    if isinstance(relation, list) and relation:
        relation = relation[0]
    if not isinstance(relation, dict):
        return None
    kind = _get(relation, ("kind", "type", "relation"))
    label = _get(relation, ("known", "id", "target", "label"))
    outcome = RELATION_KINDS.get(kind.strip().casefold()) if isinstance(kind, str) else None
    if outcome is None or not isinstance(label, str):
        return None
    return KnownRelation(outcome, label.strip().strip("[]").upper())
