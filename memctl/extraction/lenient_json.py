"""Reads JSON as language models write it, and says when it was cut short.

Valid JSON is read by the standard library. What is not may have trailing or missing commas,
single or typographic quotes, bare keys, comments, Python's literals, line ends and unescaped
quotes inside strings. Nothing is made up: a piece that is cut off in its middle is left out.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

JsonValue = dict[str, "JsonValue"] | list["JsonValue"] | str | int | float | bool | None

MAXIMUM_DEPTH = 40

_SKIPPED = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_BARE_WORD = re.compile(r"[^\s,:\[\]{}\"'“”]+")
_AFTER_STRING = re.compile(r"""\s*(?:[,}\]]|\Z|["'“][^"'”\n]{0,40}["'”]\s*:)""")
_AFTER_KEY = re.compile(r"\s*:")
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\Z")
_UNICODE_ESCAPES = re.compile(r"(?:\\u[0-9a-fA-F]{4})+")
_LITERALS: dict[str, JsonValue] = {
    "true": True,
    "false": False,
    "null": None,
    "none": None,
    "nan": None,
    "undefined": None,
}
_CLOSING_QUOTES = {'"': '"', "'": "'", "“": "”"}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


class JsonSyntaxError(ValueError):
    """What is wrong with a text that was to be JSON, in words that its writer understands."""


@dataclass(frozen=True, slots=True)
class LenientJson:
    """A value, where it ended, and whether the text broke off inside it."""

    value: JsonValue
    end: int
    truncated: bool


def read_json(text: str, start: int = 0) -> LenientJson:
    """The JSON value that begins at ``text[start]``; what follows it is left alone.

    Raises JsonSyntaxError.
    """
    try:
        value, end = json.JSONDecoder(strict=False).raw_decode(text, start)
    except (ValueError, RecursionError):
        reader = _Reader(text, start)
        value = reader.read_value(0)
        return LenientJson(value, reader.position, reader.truncated)
    return LenientJson(value, end, truncated=False)


class _Reader:
    """One pass over a text; ``truncated`` becomes true at its end and stays so."""

    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.position = start
        self.truncated = False

    def read_value(self, depth: int) -> JsonValue:
        if depth > MAXIMUM_DEPTH:
            raise JsonSyntaxError(f"brackets are nested more than {MAXIMUM_DEPTH} deep")
        sign = self._peek()
        if sign == "{":
            return self._read_object(depth)
        if sign == "[":
            return self._read_array(depth)
        if sign in _CLOSING_QUOTES:
            return self._read_string(sign)
        return self._read_word()

    def _peek(self) -> str:
        """The next sign that means something; empty at the end, which cuts the value short."""
        skipped = _SKIPPED.match(self.text, self.position)
        self.position = skipped.end() if skipped else self.position
        if self.position >= len(self.text):
            self.truncated = True
            return ""
        return self.text[self.position]

    def _read_array(self, depth: int) -> list[JsonValue]:
        self.position += 1
        items: list[JsonValue] = []
        while (sign := self._peek()) not in {"", "]"}:
            if sign == ",":
                self.position += 1
                continue
            if sign in ":}":
                raise self._complaint(f"{sign!r} has no place in a list")
            item = self.read_value(depth + 1)
            if not self.truncated:
                items.append(item)
        self.position += sign == "]"
        return items

    def _read_object(self, depth: int) -> dict[str, JsonValue]:
        self.position += 1
        members: dict[str, JsonValue] = {}
        while (sign := self._peek()) not in {"", "}"}:
            if sign == ",":
                self.position += 1
                continue
            key = self._read_key(sign)
            if self._peek() not in {":", "="}:
                if self.truncated:
                    break
                raise self._complaint(f"a colon is missing after {key!r}")
            self.position += 1
            if self._peek() == "":
                break
            value = self.read_value(depth + 1)
            if not self.truncated or isinstance(value, list):
                members[key] = value
        self.position += sign == "}" and not self.truncated
        return members

    def _read_key(self, sign: str) -> str:
        if sign in _CLOSING_QUOTES:
            return self._read_string(sign, _AFTER_KEY)
        word = _BARE_WORD.match(self.text, self.position)
        if word is None:
            raise self._complaint(f"{sign!r} stands where a key is expected")
        self.position = word.end()
        return word[0]

    def _read_string(self, quote: str, after: re.Pattern[str] = _AFTER_STRING) -> str:
        """A string ends at a quote behind which the JSON goes on; other quotes belong to it."""
        closing = _CLOSING_QUOTES[quote]
        pieces: list[str] = []
        position = self.position + 1
        while position < len(self.text):
            sign = self.text[position]
            if sign == "\\":
                piece, position = self._read_escape(position)
                pieces.append(piece)
                continue
            if sign == closing and after.match(self.text, position + 1):
                self.position = position + 1
                return "".join(pieces)
            pieces.append(sign)
            position += 1
        self.position = len(self.text)
        self.truncated = True
        return "".join(pieces)

    def _read_escape(self, position: int) -> tuple[str, int]:
        if match := _UNICODE_ESCAPES.match(self.text, position):
            units = bytes.fromhex(match[0].replace("\\u", ""))
            return units.decode("utf-16-be", "replace"), match.end()
        sign = self.text[position + 1 : position + 2]
        return _ESCAPES.get(sign, sign), position + 2

    def _read_word(self) -> JsonValue:
        word = _BARE_WORD.match(self.text, self.position)
        if word is None:
            raise self._complaint("a value is missing")
        self.position = word.end()
        if self.position >= len(self.text):
            self.truncated = True
            return None
        if word[0].casefold() in _LITERALS:
            return _LITERALS[word[0].casefold()]
        if _NUMBER.match(word[0]):
            return float(word[0]) if any(sign in word[0] for sign in ".eE") else int(word[0])
        raise self._complaint(f"{word[0][:30]!r} is neither quoted nor a number")

    def _complaint(self, problem: str) -> JsonSyntaxError:
        line = self.text.count("\n", 0, self.position) + 1
        return JsonSyntaxError(f"{problem} (line {line} of the answer)")
