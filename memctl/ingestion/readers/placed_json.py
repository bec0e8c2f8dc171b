"""JSON of which each text knows the line of the file on which it stands."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, Self

from memctl.blocks.written_chat import text_lines

TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\],:]|[^\s{}\[\],:"]+')


class PlacedString(str):
    """A text of a file and its line (from 1)."""

    __slots__ = ("line",)
    line: int

    def __new__(cls, text: str, line: int) -> Self:
        placed = super().__new__(cls, text)
        placed.line = line
        return placed


def tokens(source: str, first_line: int = 1) -> Iterator[tuple[str, int]]:
    """The signs of valid JSON that begins on ``first_line`` of its file, each with its line."""
    line, position = first_line, 0
    for match in TOKEN.finditer(source):
        line += source.count("\n", position, match.start())
        position = match.start()
        yield match[0], line


def load_placed(source: str) -> object:
    """The value of valid JSON; texts are ``PlacedString``, but for keys."""
    root: list[Any] = []
    containers: list[list[Any] | dict[str, Any]] = [root]
    keys: list[str | None] = [None]
    for sign, line in tokens(source):
        if sign in ",:":
            continue
        if sign in "]}":
            containers.pop()
            keys.pop()
            continue
        container, key = containers[-1], keys[-1]
        if isinstance(container, dict) and key is None:
            keys[-1] = json.loads(sign)
            continue
        value = _value(sign, line)
        if isinstance(container, dict):
            container[key or ""] = value
            keys[-1] = None
        else:
            container.append(value)
        if sign in "[{":
            containers.append(value)
            keys.append(None)
    return root[0]


def joined_lines(parts: Iterable[str]) -> list[tuple[str, int]]:
    """The lines of a text in parts, each with that of the file on which it begins; 1 where a part
    does not know it. None where there are no parts, and the last line may be blank."""
    lines: list[tuple[str, int]] = []
    for part in parts:
        number = part.line if isinstance(part, PlacedString) else 1
        first, *others = text_lines(part)
        above, begin = lines.pop() if lines else ("", number)
        lines += [(above + first, begin if above else number), *((one, number) for one in others)]
    return lines


def _value(sign: str, line: int) -> Any:
    if sign == "{":
        return {}
    if sign == "[":
        return []
    value = json.loads(sign)
    return PlacedString(value, line) if isinstance(value, str) else value
