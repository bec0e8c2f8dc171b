"""From runs of styled text to the plain text of a block, line by line.

A run is a piece of text with its styles and the source line it stands on, counted from 0 within
its block; the parser makes them, this module composes them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from memctl.blocks.lines import joint
from memctl.blocks.literal import as_written

_BLANKS = re.compile(r"[^\S\n]+")
_TASK = re.compile(r"(?:\[([ xX✓✔/>-])\]|([☐☑☒✅✓✔]))(?:\s+|$)")
_BLOCK_ID = re.compile(r"\s\^[A-Za-z0-9-]{2,}$")
_OPEN_MARKS = " />☐"
_WORD = re.compile(r"\w")
_DONE = re.compile(
    r"[\W_]*(?:done|finished|completed?|cancell?ed|dropped|obsolete|erledigt|fertig|gemacht|entfällt"
    r"|fait|terminé|annulé|hecho|listo|feito|fatto|gedaan|klaar|zrobione|gotowe|сделано|готово"
    r"|完了|済|完成|已完成|완료|✓|✔|✅)(?!\w)(?:\W*\w+){0,6}\W*$",
    re.IGNORECASE,
)
"""What stands behind struck text that was done, and by whom or when."""

_EDGES = " \t:：.。"


@dataclass(frozen=True, slots=True)
class Run:
    """A piece of text in one style on one line."""

    text: str
    line: int
    strong: bool = False
    emphasis: bool = False
    struck: bool = False
    link: bool = False
    code: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Composed:
    """The plain text of some lines and what its styles say; fields as in ``Block``."""

    text: str
    first: int
    last: int
    checked: bool | None
    lead: str | None
    emphasised: bool
    struck: bool
    link_only: bool
    code_only: bool
    line_offsets: tuple[int, ...]

    def block_fields(self) -> dict[str, Any]:
        """What goes into a block under the same name."""
        return {
            "checked": self.checked,
            "lead": self.lead,
            "emphasised": self.emphasised,
            "struck": self.struck,
            "link_only": self.link_only,
            "code_only": self.code_only,
            "line_offsets": self.line_offsets,
        }


def split_lines(runs: Iterable[Run], line_count: int) -> list[list[Run]]:
    """The runs of each line, in order; ``line_count`` lists."""
    lines: list[list[Run]] = [[] for _ in range(line_count)]
    for run in runs:
        lines[run.line].append(run)
    return lines


def unstruck_text(runs: Sequence[Run]) -> str:
    """The text of one line without what is struck through in it."""
    return plain_text([run for run in runs if not run.struck])


def plain_text(runs: Sequence[Run]) -> str:
    """The text of one line with blanks folded."""
    return _BLANKS.sub(" ", "".join(run.text for run in runs)).strip()


def take_task_mark(runs: list[Run]) -> tuple[bool | None, list[Run]]:
    """The state of a checkbox at the start (None without one) and the runs without it."""
    if not runs:
        return None, runs
    stripped = runs[0].text.lstrip()
    match = _TASK.match(stripped)
    if match is None or runs[0].link:
        return None, runs
    mark = match[1] or match[2]
    rest = replace(runs[0], text=stripped[match.end() :])
    return mark not in _OPEN_MARKS, [rest, *runs[1:]]


def is_taken_back(runs: Sequence[Run]) -> bool:
    """Whether all of a text is struck through, or what stands behind the struck part only says that
    it is done: ``~~Tar the roof~~ done (Nils)``."""
    visible = [run for run in runs if run.text.strip()]
    if not visible or not visible[0].struck:
        return False
    left = "".join(run.text for run in visible if not run.struck)
    return not _WORD.search(left) or _DONE.match(left) is not None


def compose(lines: Sequence[list[Run]], first: int, last: int) -> Composed:
    """Joins the lines ``first``..``last`` (positions from 0, both included).

    Struck text is left out unless all of it is struck: it was taken back by its writer.
    """
    checked, head = take_task_mark(lines[first]) if last >= first else (None, [])
    chosen = [head, *lines[first + 1 : last + 1]]
    visible = [run for line in chosen for run in line if run.text.strip()]
    all_struck = is_taken_back(visible)
    text, offsets = _join(chosen, keep_struck=all_struck)
    return Composed(
        text=_BLOCK_ID.sub("", text),
        first=first,
        last=last,
        checked=checked,
        lead=_lead(visible),
        emphasised=bool(visible) and all(run.strong for run in visible),
        struck=all_struck,
        link_only=_link_only(visible),
        code_only=bool(visible) and all(run.code for run in visible),
        line_offsets=offsets,
    )


def _join(lines: Sequence[list[Run]], *, keep_struck: bool) -> tuple[str, tuple[int, ...]]:
    pieces: list[str] = []
    offsets: list[int] = []
    length = 0
    last_piece = ""
    for runs in lines:
        kept = plain_text([run for run in runs if keep_struck or not run.struck])
        between = joint(last_piece, kept)
        offsets.append(length + len(between))
        if not kept:
            continue
        pieces += (between, kept)
        length += len(between) + len(kept)
        last_piece = kept
    return "".join(pieces), tuple(offsets)


def _lead(visible: Sequence[Run]) -> str | None:
    """The emphasised start, unless all is emphasised. Plain emphasis counts before a colon only."""
    strong = _styled_start(visible, "strong")
    if strong is not None:
        return strong[0] or None
    emphasis = _styled_start(visible, "emphasis")
    if emphasis is None:
        return None
    text, colon = emphasis
    return text if colon and text else None


def _styled_start(visible: Sequence[Run], style: str) -> tuple[str, bool] | None:
    taken: list[str] = []
    for run in visible:
        if not getattr(run, style):
            break
        taken.append(run.text)
    if not taken or len(taken) == len(visible):
        return None
    text = as_written(_BLANKS.sub(" ", "".join(taken)).strip())
    after = as_written(visible[len(taken)].text.lstrip())
    return text.strip(_EDGES), text.endswith((":", "：")) or after.startswith((":", "："))


def _link_only(visible: Sequence[Run]) -> bool:
    linked = any(run.link for run in visible)
    return linked and all(run.link or not any(map(str.isalnum, run.text)) for run in visible)
