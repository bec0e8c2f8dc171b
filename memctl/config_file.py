"""The configuration file as text: a commented one to begin with, and changes to single settings.

A change touches one line and keeps all others as they are; it is read back and compared before it
is handed out, so an unusual file is refused and never damaged.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from memctl.config import SettingInfo, describe_settings
from memctl.setting import flatten

_HEADER = re.compile(r"^\s*\[\s*([A-Za-z0-9_-]+)\s*\]\s*(?:#.*)?$")
_ASSIGNMENT = re.compile(
    r"""^\s*(?P<name>[A-Za-z0-9_-]+)\s*=\s*
    (?:"(?:[^"\\]|\\.)*"|'[^']*'|[^#"']*?)
    (?P<comment>\s*\#.*)?$""",
    re.VERBOSE,
)


def commented_file() -> str:
    """A file with every setting at its default, commented out, below its description."""
    lines = [
        "# Settings of memctl; `memctl man settings` explains them.",
        "# Take the mark in front of a line away to change that setting.",
    ]
    section = ""
    for info in describe_settings():
        wanted, name = info.key.split(".")
        if wanted != section:
            section = wanted
            lines += ["", f"[{section}]"]
        lines += [f"# {line}" for line in _described(info)]
        example = toml_value(info.default) if info.default is not None else '""'
        lines += [f"# {name} = {example}", ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def commented_file_with(text: str) -> str:
    """The commented file with the settings of the file ``text``, whose own comments are not kept.

    Raises ValueError (also tomllib.TOMLDecodeError) where ``text`` holds what no line can say.
    """
    filled = commented_file()
    for key, value in flatten(tomllib.loads(text)).items():
        if key.count(".") != 1:
            raise ValueError(f"{key} is no setting")
        filled = with_setting(filled, key, value)
    return filled


def with_setting(text: str, key: str, value: object) -> str:
    """The file with one setting changed or added; None takes it out, or whatever has that key.

    Raises ValueError where the file is written in a way that this cannot be done by one line.
    """
    expected = flatten(tomllib.loads(text))
    if value is None:
        expected.pop(key, None)
    else:
        expected[key] = str(value) if isinstance(value, Path) else value
    changed = _changed(text, key, value)
    try:
        is_right = flatten(tomllib.loads(changed)) == expected
    except tomllib.TOMLDecodeError:
        is_right = False
    if not is_right:
        raise ValueError("the file is written in a way that only an editor can change")
    return changed


def toml_value(value: object) -> str:
    """A text, number, path or truth value as TOML writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return repr(value)
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")


def _described(info: SettingInfo) -> Iterator[str]:
    yield info.description
    if info.choices:
        yield f"One of {', '.join(info.choices)}."
    if info.minimum is not None and info.maximum is not None:
        yield f"From {info.minimum:g} to {info.maximum:g}."


def _changed(text: str, key: str, value: object) -> str:
    section, _, name = key.rpartition(".")
    lines = text.split("\n")
    place, is_set = _place(lines, section, name)
    if is_set:
        comment = _ASSIGNMENT.match(lines[place])["comment"] or ""  # type: ignore[index]
        changed = [] if value is None else [f"{name} = {toml_value(value)}{comment}"]
        lines[place : place + 1] = changed
        if not changed:
            lines = _without_empty_section(lines, section)
    elif value is None:
        return text
    elif place >= 0:
        lines.insert(place + 1, f"{name} = {toml_value(value)}")
    else:
        gap = [""] if text.strip() else []
        body = "\n".join(lines).rstrip("\n")
        added = "\n".join([*gap, f"[{section}]", f"{name} = {toml_value(value)}"])
        return f"{body}\n{added}\n" if body else f"{added}\n"
    return "\n".join(lines)


def _without_empty_section(lines: list[str], section: str) -> list[str]:
    """The lines without the header of ``section`` and the blank lines around it, where nothing else
    stands below it, no comment either."""
    headers = [number for number, line in enumerate(lines) if _HEADER.match(line)]
    for place, end in zip(headers, [*headers[1:], len(lines)], strict=True):
        found = _HEADER.match(lines[place])
        is_bare = found is not None and found[1] == section and "#" not in lines[place]
        if is_bare and not any(line.strip() for line in lines[place + 1 : end]):
            before = lines[:place]
            while before and not before[-1].strip():
                before.pop()
            gap = [""] if end == len(lines) or before else []
            return [*before, *gap, *lines[end:]]
    return lines


def _place(lines: list[str], section: str, name: str) -> tuple[int, bool]:
    """The number of the line that sets it, and True; else that of the line after which it belongs
    (-1 where the section is missing), and False."""
    current, after = "", -1
    for number, line in enumerate(lines):
        header, assignment = _HEADER.match(line), _ASSIGNMENT.match(line)
        if header is not None:
            current = header[1]
            after = number if current == section else after
        elif current != section:
            continue
        elif assignment is not None and assignment["name"] == name:
            return number, True
        elif re.match(rf"^\s*#\s*{re.escape(name)}\s*=", line):
            after = number
    return after, False
