"""``memctl import``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from memctl.bulk import RowOutcome
from memctl.cli.declaration import Argument
from memctl.cli.inputs import read_lines
from memctl.cli.render import receipt_json
from memctl.cli.session import Session
from memctl.errors import ExitCode
from memctl.new_memory import Outcome
from memctl.plural import plural

SHOWN_PROBLEMS = 20


def import_(
    session: Session,
    file: Annotated[Path, Argument(metavar="FILE", help="JSON lines; - is stdin.")],
) -> None:
    """Take memories in from a file of JSON lines.

    Each line is an object with `content` and any other field of a memory; a line with an `id` keeps
    it and all its times, one without keeps `created_at`. With --json, one object a line says what
    became of each. Notes and other texts are taken in by memctl ingest.

    \b
    Examples:
      memctl import memories.jsonl
      echo '{"content": "Tea, not coffee", "memory_type": "preference"}' | memctl import -
    """
    outcomes: Counter[str] = Counter()
    problems: list[RowOutcome] = []
    lines = _Lines(read_lines(session, file, f"import {file}", keep_broken=True))
    for row in session.runtime.import_lines(iter(lines), source=str(file)):
        outcomes[_outcome(row)] += 1
        if row.problem is not None:
            problems.append(row)
        if session.output.as_json:
            session.output.json_item(_row_json(row))
    if problems and not lines.may_be_json:
        session.output.notice(
            f"{file} is no file of JSON lines; `memctl ingest` takes in markdown and other texts"
        )
    else:
        _tell_problems(session, problems)
    _summarise(session, outcomes)
    if problems:
        all_failed = len(problems) == sum(outcomes.values())
        session.exit_code = ExitCode.FAILED if all_failed else ExitCode.PARTIAL


class _Lines:
    """Lines, and whether one of those that were read begins as JSON lines, or a list, do."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines = lines
        self.may_be_json = False

    def __iter__(self) -> Iterator[str]:
        for line in self._lines:
            self.may_be_json = self.may_be_json or line.lstrip().startswith(("{", "["))
            yield line


def _outcome(row: RowOutcome) -> str:
    if row.problem is not None and row.receipt is None:
        return "failed"
    if row.receipt is None:
        return "linked" if row.is_new else Outcome.UNCHANGED.value
    return row.receipt.outcome.value


def _row_json(row: RowOutcome) -> dict[str, Any]:
    document: dict[str, Any] = {"line": row.line}
    if row.receipt is not None:
        reason = {} if row.problem is None else {"reason": row.problem}
        return document | receipt_json(row.receipt) | reason
    identity = None if row.association is None else row.association.id
    return document | {"id": identity, "outcome": _outcome(row), "reason": row.problem}


def _tell_problems(session: Session, problems: list[RowOutcome]) -> None:
    output = session.output
    for row in problems[:SHOWN_PROBLEMS]:
        output.notice(f"line {row.line}: {row.problem}")
    if len(problems) > SHOWN_PROBLEMS:
        output.notice(f"and {len(problems) - SHOWN_PROBLEMS} more lines that were not taken")


def _summarise(session: Session, outcomes: Counter[str]) -> None:
    output = session.output
    if not output.as_json:
        counts = ", ".join(f"{number:,} {name}" for name, number in outcomes.most_common())
        output.line(f"{plural(sum(outcomes.values()), 'line')}: {counts or 'nothing'}")
