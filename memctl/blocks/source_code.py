"""What people say in source code: its comments, without the code between them.

What documents the whole file counts as well, and what documents a part of it does not: that is how
code is described, not the world. Told line by line, by the marks of the language that a file's name
tells. What is cut out leaves a blank line, so that all others keep their number.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath


@dataclass(frozen=True, slots=True)
class _Language:
    """The marks of a language: ``line`` begins a comment, ``begin`` and ``end`` are around one of
    several lines; ``quotes`` are around texts of several lines."""

    line: str
    begin: str | None = None
    end: str = ""
    quotes: tuple[str, ...] = ()


_HASH = _Language("#")
_PYTHON = _Language("#", quotes=('"""', "'''"))
_SLASHES = _Language("//", "/*", "*/")
_STYLES = _Language("/*", "/*", "*/")
_SQL = _Language("--", "/*", "*/")
_LUA = _Language("--", "--[[", "]]")
_HASKELL = _Language("--", "{-", "-}")
_SEMICOLON = _Language(";")

_FAMILIES = (
    (_PYTHON, "py pyi pyw"),
    (_HASH, "sh bash zsh fish rb pl pm r jl nix tf mk cmake ps1 awk"),
    (_SLASHES, "js mjs cjs jsx ts tsx java c h cc cpp cxx hh hpp cs go rs swift kt kts scala dart"),
    (_SLASHES, "php groovy gradle zig proto mm sv ino glsl"),
    (_STYLES, "css"),
    (_SLASHES, "scss less"),
    (_SQL, "sql"),
    (_LUA, "lua"),
    (_HASKELL, "hs elm"),
    (_SEMICOLON, "el lisp clj cljs scm asm s"),
)
_LANGUAGES: Mapping[str, _Language] = {
    f".{suffix}": language for language, suffixes in _FAMILIES for suffix in suffixes.split()
}
_NAMES: Mapping[str, _Language] = {"makefile": _HASH, "dockerfile": _HASH, "jenkinsfile": _SLASHES}

_DOCUMENTATION = ("///", "/**")
_REPEATED: Mapping[str, str] = {"//": "/!"}
"""What else begins comments of a language, again and again."""

_NOTE = r"\s*(?=(?:TODO|FIXME|XXX|HACK)\b)"
"""Behind code, a comment counts only where it calls for something: a mark may stand in a text."""

_CALL = re.compile(_NOTE)
_FOR_PROGRAMS = re.compile(
    r"[@\\:]\w+|!|[\w.\[\]]+\(.*\)\s*[;:{]?$|.*[;{}]$|[\w.]+\s*=(?!=)|\w+: ?\w+(?:[-=]\w+)+$"
)
"""Lines of comments for programs: ``@param``, ``:return:``, ``#!/bin/sh``, and code put aside."""


def comments_of(path: str, text: str) -> str | None:
    """The comments in a source file, on their own lines and without marks; None where the file is
    not known to be one by its name."""
    name = PurePath(path)
    language = _LANGUAGES.get(name.suffix.casefold()) or _NAMES.get(name.name.casefold())
    if language is None:
        return None
    reader = _Reader(language)
    return "\n".join(map(reader.comment, text.split("\n")))


class _Reader:
    """Goes through the lines of a file once; ``_end`` is what ends the open comment or text."""

    def __init__(self, language: _Language) -> None:
        self._language = language
        self._behind_code = re.compile(rf"(?:^|\s){re.escape(language.line)}+{_NOTE}(?P<text>.*)")
        self._end: str | None = None
        self._is_documentation = False
        self._has_code = False

    def comment(self, line: str) -> str:
        """What the next line says to people."""
        said = self._said(line.strip()).strip()
        return "" if _FOR_PROGRAMS.match(said) else said

    def _said(self, line: str) -> str:
        language = self._language
        if self._end is not None:
            return self._until_end(line)
        if language.begin is not None and line.startswith(language.begin):
            self._is_documentation = line.startswith("/**")
            return self._opened(line[len(language.begin) :], language.end)
        if line.startswith(language.line):
            self._is_documentation = line.startswith(_DOCUMENTATION)
            return self._to_people(line.lstrip(_REPEATED.get(language.line, language.line)))
        return self._of_code(line)

    def _of_code(self, line: str) -> str:
        for quote in self._language.quotes:
            before, found, rest = line.partition(quote)
            if found:
                self._is_documentation = True
                self._has_code = self._has_code or bool(before.strip("rRuU"))
                return self._opened(rest, quote)
        self._has_code = self._has_code or bool(line)
        note = self._behind_code.search(line)
        return "" if note is None else note["text"].removesuffix(self._language.end or "\0")

    def _opened(self, rest: str, end: str) -> str:
        self._end = end
        return self._until_end(rest)

    def _until_end(self, line: str) -> str:
        said, ended, _ = line.partition(self._end or "\0")
        if ended:
            self._end = None
        return self._to_people(said.lstrip("* "))

    def _to_people(self, said: str) -> str:
        """A line of a comment, unless it documents a part of the code and calls for nothing."""
        is_kept = not (self._is_documentation and self._has_code) or _CALL.match(said)
        return said if is_kept else ""
