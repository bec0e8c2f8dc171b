"""What stands behind a word that names a secret: the inside of quotes, or a run of no blanks."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memctl.extraction.secrets.span import Span

_CLOSING_QUOTES = {"“": "”", "‘": "’", "«": "»", "„": "“", "「": "」", "『": "』"}
_OPENING = re.compile(r"""(?P<markup>[*_]{0,3})\\?(?P<quote>["'`“‘«„「『]?)""")
_RUN = re.compile(r"[^\s\"`<>“”«»「」『』，。；：、！？（）]{1,300}")
_LABEL_END = re.compile(r":[*_]{1,3}\Z")
_RUN_IN_LIST = re.compile(r"[^\s\"'`<>;&“”«»「」『』，。；、（）]{1,300}")
_OTHER_SCRIPT = re.compile(r"(?<=[!-~])[\u0e00-\u0e7f\u3005-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_MAXIMUM_QUOTED_LENGTH = 300
_CONTEXT_LENGTH = 48


@dataclass(frozen=True, slots=True)
class Value:
    """What may be a secret: where it starts, the text ``behind`` it, and whether quotes hold it."""

    text: str
    start: int
    behind: str
    quoted: bool

    def span(self, kind: str) -> Span:
        return Span(self.start, self.start + len(self.text), kind)


def read_value(text: str, position: int, *, in_list: bool = False) -> Value | None:
    """What stands at ``position``: the inside of quotes, or a run without blanks.

    ``in_list`` ends a run at ``;`` and ``&``, as in connection strings and addresses.
    """
    opening = _OPENING.match(text, position)
    if opening and opening["quote"]:
        closing = _CLOSING_QUOTES.get(opening["quote"], opening["quote"])
        limit = opening.end() + _MAXIMUM_QUOTED_LENGTH
        newline = text.find("\n", opening.end(), limit)
        end = text.find(closing, opening.end(), newline if newline >= 0 else limit)
        if end > opening.end():
            inside = text[opening.end() : end].removesuffix("\\")
            start = opening.end() + len(inside) - len(inside.lstrip())
            behind = text[end + 1 : end + _CONTEXT_LENGTH]
            return Value(inside.strip(), start, behind, quoted=True) if inside.strip() else None
    start = opening.end("markup") if opening else position
    run = (_RUN_IN_LIST if in_list else _RUN).match(text, start)
    if run is None:
        return None
    value = _without_trailing_marks(run[0], marked=bool(opening and opening["markup"]))
    end = start + len(value)
    return Value(value, start, text[end : end + _CONTEXT_LENGTH], quoted=False) if value else None


def _without_trailing_marks(run: str, *, marked: bool) -> str:
    other_script = _OTHER_SCRIPT.search(run)
    value = (run[: other_script.start()] if other_script else run).rstrip(".,:;'…|\\")
    while (
        value
        and value[-1] in ")]}"
        and value.count(value[-1]) > value.count({")": "(", "]": "[", "}": "{"}[value[-1]])
    ):
        value = value[:-1].rstrip(".,:;'")
    if marked:
        return value.rstrip("*_")
    label = _LABEL_END.search(value)
    return value[: label.start()] if label else value
