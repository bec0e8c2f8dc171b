"""Reads JSON5, the format of OpenClaw's configuration: JSON with comments, bare keys and the like.

Small because only a configuration is ever read with it; it takes any text in linear time and
answers with a value or raises ValueError with the line.
"""

from __future__ import annotations

import re

DEEPEST_NESTING = 100

_BLANK = re.compile(r"(?:[\s\ufeff]+|//[^\n\r\u2028\u2029]*|/\*.*?\*/)*", re.DOTALL)
_STRING = {quote: re.compile(rf"[^{quote}\\\n\r]*") for quote in "\"'"}
_BARE_KEY = re.compile(r"[^\W\d][\w$]*|[$_][\w$]*")
_NUMBER = re.compile(
    r"[+-]?(?:0[xX][0-9a-fA-F]+|Infinity|NaN|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
)
_WORDS = {"true": True, "false": False, "null": None}
_WORD = re.compile(r"(?:true|false|null)\b")
_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "0": "\0"}
_HEX = {"x": re.compile(r"[0-9a-fA-F]{2}"), "u": re.compile(r"[0-9a-fA-F]{4}")}
_LINE_END = re.compile(r"\r\n|[\n\r\u2028\u2029]")

Value = dict[str, object] | list[object] | str | float | int | bool | None


def parse_json5(text: str) -> Value:
    """The value that ``text`` holds. Raises ValueError, which names the line."""
    reader = _Reader(text)
    value = reader.value(0)
    reader.skip_blanks()
    if reader.position < len(text):
        raise reader.error("something stands behind the end")
    return value


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self.position = 0

    def error(self, why: str) -> ValueError:
        line = self._text.count("\n", 0, self.position) + 1
        return ValueError(f"line {line}: {why}")

    def skip_blanks(self) -> None:
        match = _BLANK.match(self._text, self.position)
        self.position = match.end() if match is not None else self.position

    def value(self, depth: int) -> Value:
        if depth > DEEPEST_NESTING:
            raise self.error("it is nested too deeply")
        self.skip_blanks()
        head = self._text[self.position : self.position + 1]
        if head == "{":
            return self._object(depth)
        if head == "[":
            return self._array(depth)
        if head in _STRING:
            return self._string()
        word = _WORD.match(self._text, self.position)
        if word is not None:
            self.position = word.end()
            return _WORDS[word[0]]
        return self._number()

    def _object(self, depth: int) -> dict[str, object]:
        found: dict[str, object] = {}
        self.position += 1
        while not self._ends_with("}"):
            key = self._key()
            self.skip_blanks()
            self._expect(":")
            found[key] = self.value(depth + 1)
            self._separate("}")
        return found

    def _array(self, depth: int) -> list[object]:
        found: list[object] = []
        self.position += 1
        while not self._ends_with("]"):
            found.append(self.value(depth + 1))
            self._separate("]")
        return found

    def _ends_with(self, mark: str) -> bool:
        self.skip_blanks()
        if self._text.startswith(mark, self.position):
            self.position += 1
            return True
        return False

    def _separate(self, end: str) -> None:
        """A comma, or the end mark, which stays."""
        self.skip_blanks()
        if not self._text.startswith(end, self.position):
            self._expect(",")

    def _expect(self, mark: str) -> None:
        if not self._text.startswith(mark, self.position):
            found = self._text[self.position : self.position + 1]
            raise self.error(f"{mark!r} is missing before {found!r}" if found else "it breaks off")
        self.position += 1

    def _missing(self, what: str) -> ValueError:
        at_end = self.position >= len(self._text)
        return self.error("it breaks off" if at_end else f"{what} is missing")

    def _key(self) -> str:
        if self._text[self.position : self.position + 1] in _STRING:
            return self._string()
        match = _BARE_KEY.match(self._text, self.position)
        if match is None:
            raise self._missing("a key")
        self.position = match.end()
        return match[0]

    def _number(self) -> float | int:
        match = _NUMBER.match(self._text, self.position)
        if match is None:
            raise self._missing("a value")
        self.position = match.end()
        digits = match[0].lower().replace("infinity", "inf")
        if "0x" in digits:
            return int(digits, 16)
        whole = digits.lstrip("+-").isdecimal()
        try:
            return int(digits) if whole else float(digits)
        except ValueError:
            raise self.error("a number that is too long") from None

    def _string(self) -> str:
        quote = self._text[self.position]
        self.position += 1
        parts: list[str] = []
        while True:
            match = _STRING[quote].match(self._text, self.position)
            assert match is not None
            parts.append(match[0])
            self.position = match.end()
            mark = self._text[self.position : self.position + 1]
            if mark == quote:
                self.position += 1
                return _paired("".join(parts))
            if mark != "\\":
                raise self.error("a text without an end")
            self.position += 1
            parts.append(self._escape())

    def _escape(self) -> str:
        line_end = _LINE_END.match(self._text, self.position)
        if line_end is not None:
            self.position = line_end.end()
            return ""
        letter = self._text[self.position : self.position + 1]
        self.position += 1
        if letter not in _HEX:
            return _ESCAPES.get(letter, letter)
        digits = _HEX[letter].match(self._text, self.position)
        if digits is None:
            raise self.error("a broken escape sequence")
        self.position = digits.end()
        return chr(int(digits[0], 16))


def _paired(text: str) -> str:
    """The text with surrogate pairs of escapes as one character; a lone half becomes U+FFFD."""
    if not any("\ud800" <= letter <= "\udfff" for letter in text):
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
