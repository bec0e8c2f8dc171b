"""How the plan, the outcome and the proof of a migration are shown, to people and as JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from memctl.cli.output import JSON_SCHEMA_VERSION, Column, Output
from memctl.cli.render import counts_text, near_path
from memctl.cli.text import encodable_json
from memctl.document import DocumentStatus
from memctl.migration.foresight import Foresight
from memctl.migration.outcome import FileOutcome, Proof
from memctl.migration.plan import MigrationPlan, PlannedFile
from memctl.migration.statement import PlannedMemory
from memctl.plural import plural
from memctl.times import format_iso

COLUMNS = (
    Column("file", wrap=True),
    Column("status"),
    Column("memories", wrap=True),
    Column("remarks", wrap=True, from_width=60),
)
MEMORY_COLUMNS = (
    Column("place"),
    Column("type"),
    Column("imp.", right=True),
    Column("memory", wrap=True),
    Column("happened"),
)
SHOWN_MISSING = 10
SHOWN_NAMES = 3


@dataclass(slots=True)
class Migration:
    """A migration as it is shown; ``proof`` None is a dry run, ``foresight`` None one of which
    nothing is in the store."""

    plan: MigrationPlan
    outcomes: Sequence[FileOutcome]
    proof: Proof | None
    foresight: Foresight | None
    _by_file: dict[int, FileOutcome] = field(init=False)

    def __post_init__(self) -> None:
        self._by_file = {id(outcome.file): outcome for outcome in self.outcomes}

    def changes(self, file: PlannedFile) -> Changes:
        """What the migration did to the store for a file, or would do."""
        outcome = self._by_file.get(id(file))
        if outcome is not None:
            return Changes(outcome.was_known, outcome.new, outcome.updated, outcome.hidden)
        if self.proof is not None or file.status is not DocumentStatus.DONE:
            return Changes()
        if self.foresight is None:
            return Changes(new=file.planned)
        found = self.foresight[id(file)]
        return Changes(found.is_settled, len(found.new), found.updated, found.hidden)

    def outcome(self, file: PlannedFile) -> FileOutcome | None:
        """What became of a file; None for one that was not taken."""
        return self._by_file.get(id(file))


@dataclass(frozen=True, slots=True)
class Changes:
    """Of one file: whether nothing of it changed, and counts of its memories."""

    is_settled: bool = False
    new: int = 0
    updated: int = 0
    hidden: int = 0


def report_json(migration: Migration, warnings: Sequence[str], *, verbose: bool) -> dict[str, Any]:
    """Everything, with the memories of each file when ``verbose``."""
    plan, proof = migration.plan, migration.proof
    return {
        "dry_run": proof is None,
        "paths": [str(path) for path in plan.paths],
        "workspaces": [
            {"name": one.name, "path": str(one.path), "channel_id": one.channel_id}
            for one in plan.workspaces
        ],
        "files": [_file_json(file, migration, verbose=verbose) for file in plan.files],
        "totals": _totals(migration),
        "proof": None if proof is None else _proof_json(proof),
        "warnings": list(warnings),
    }


def report_lines(document: Mapping[str, Any]) -> Iterator[str]:
    """The document as an indented JSON text."""
    report = {"schema_version": JSON_SCHEMA_VERSION, **document}
    yield encodable_json(json.dumps(report, ensure_ascii=False, indent=2))


def print_report(output: Output, migration: Migration, *, verbose: bool) -> None:
    """The answer on stdout; what was left and the summary on stderr."""
    if output.as_json:
        output.json(report_json(migration, output.warnings, verbose=verbose))
        return
    plan = migration.plan
    shown = [file for file in plan.files if verbose or file.status is not DocumentStatus.IGNORED]
    rows = [_row(file, migration, is_rich=output.is_rich) for file in shown]
    output.table(COLUMNS, rows)
    if verbose:
        for file in plan.taken:
            _print_memories(output, file)
    else:
        for line in _left_lines(plan):
            output.notice(line)
    for line in _summary(migration):
        output.notice(line)


def _file_json(file: PlannedFile, migration: Migration, *, verbose: bool) -> dict[str, Any]:
    workspace = file.source.workspace
    outcome, changes = migration.outcome(file), migration.changes(file)
    document: dict[str, Any] = {
        "path": str(file.source.path),
        "status": file.status.value,
        "reason": file.reason,
        "role": file.source.role.value,
        "workspace": None if workspace is None else workspace.name,
        "planned": file.planned,
        "duplicates": file.duplicates,
        "types": {kind.value: number for kind, number in sorted(file.types.items())},
        "redactions": len(file.redactions),
        "rejected": {reason: number for reason, number in file.rejected.items() if number},
        "stored": 0 if outcome is None else outcome.stored,
        "unchanged": changes.is_settled,
        "new": changes.new,
        "updated": changes.updated,
        "hidden": changes.hidden,
        "messages": 0 if outcome is None else outcome.messages,
        "new_messages": 0 if outcome is None else outcome.new_messages,
    }
    if verbose:
        document["candidates"] = [_memory_json(memory) for memory in file.all_memories]
    return document


def _memory_json(memory: PlannedMemory) -> dict[str, Any]:
    return {
        "content": memory.content,
        "memory_type": memory.memory_type.value,
        "importance": memory.importance,
        "event_at": None if memory.event_at is None else format_iso(memory.event_at),
        "first_line": memory.first_line,
        "last_line": memory.last_line,
    }


def _totals(migration: Migration) -> dict[str, int]:
    plan, outcomes = migration.plan, migration.outcomes
    changes = [migration.changes(file) for file in plan.files]
    return {
        "files": len(plan.files),
        "taken": len(plan.taken),
        "left": sum(file.status is DocumentStatus.IGNORED for file in plan.files),
        "planned": plan.memory_count,
        "duplicates": sum(file.duplicates for file in plan.files),
        "redactions": sum(len(file.redactions) for file in plan.files),
        "stored": sum(outcome.stored for outcome in outcomes),
        "new": sum(one.new for one in changes),
        "updated": sum(one.updated for one in changes),
        "hidden": sum(one.hidden for one in changes),
        "new_messages": sum(outcome.new_messages for outcome in outcomes),
    }


def _proof_json(proof: Proof) -> dict[str, Any]:
    return {
        "holds": proof.holds,
        "planned": proof.planned,
        "stored": proof.stored,
        "sampled": proof.sampled,
        "recalled": proof.recalled,
        "missing": list(proof.missing),
    }


def _row(file: PlannedFile, migration: Migration, *, is_rich: bool) -> list[str]:
    path = str(file.source.path)
    status = file.status.value.replace("_", " ")
    if file.status is DocumentStatus.IGNORED:
        status = "left"
    elif migration.changes(file).is_settled:
        status = "unchanged"
    return [
        near_path(path) if is_rich else path,
        status,
        counts_text({kind.value: number for kind, number in file.types.items()}),
        _remarks(file, migration),
    ]


def _remarks(file: PlannedFile, migration: Migration) -> str:
    outcome, changes = migration.outcome(file), migration.changes(file)
    remarks = [file.reason] if file.reason else []
    if file.duplicates:
        remarks.append(f"{file.duplicates} stated elsewhere too")
    known = file.planned - changes.new
    if file.status is DocumentStatus.DONE and known > 0 and not changes.is_settled:
        remarks.append(f"{known} known already")
    remarks += [plural(changes.updated, "update")] if changes.updated else []
    remarks += [f"{changes.hidden} no longer stated"] if changes.hidden else []
    if outcome is not None and outcome.new_messages:
        remarks.append(plural(outcome.new_messages, "message"))
    if file.redactions:
        remarks.append(plural(len(file.redactions), "secret") + " taken out")
    skipped = sum(file.rejected.values())
    if skipped:
        remarks.append(f"{skipped} not worth a memory")
    return "; ".join(remarks)


def _print_memories(output: Output, file: PlannedFile) -> None:
    path = str(file.source.path)
    shown = near_path(path) if output.is_rich else path
    rows = [
        [
            shown if memory.first_line is None else f"{shown}:{memory.first_line}",
            memory.memory_type.value,
            f"{memory.importance:.2f}",
            memory.content,
            "" if memory.event_at is None else format_iso(memory.event_at)[:10],
        ]
        for memory in file.all_memories
    ]
    if rows:
        output.table(MEMORY_COLUMNS, rows)


def _left_lines(plan: MigrationPlan) -> Iterator[str]:
    """What was left, by reason: how many and the first names."""
    left: dict[str, list[str]] = {}
    for file in plan.files:
        if file.status is DocumentStatus.IGNORED:
            reason = (file.reason or "").split(" as ", 1)[0]
            left.setdefault(reason, []).append(file.source.path.name)
    for reason, names in left.items():
        more = f" and {len(names) - SHOWN_NAMES} more" if len(names) > SHOWN_NAMES else ""
        yield f"left: {', '.join(names[:SHOWN_NAMES])}{more} ({reason})"


def _summary(migration: Migration) -> Iterator[str]:
    plan, proof = migration.plan, migration.proof
    types: Counter[str] = Counter()
    for file in plan.taken:
        types.update({kind.value: number for kind, number in file.types.items()})
    totals = _totals(migration)
    files = f"{plural(totals['taken'], 'file')} of {totals['files']}"
    repeated = f", {totals['duplicates']} of them more than once" if totals["duplicates"] else ""
    stated = f"{plural(sum(types.values()), 'statement')} ({counts_text(types)}){repeated}"
    if proof is None:
        yield f"{files}: {stated}; {_foreseen(totals, is_known=migration.foresight is not None)}"
        return
    yield (
        f"{files}: {stated}; {totals['new']:,} new, {totals['updated']:,} of them updates"
        + (f", {plural(totals['new_messages'], 'message')}" if totals["new_messages"] else "")
    )
    verdict = "the proof holds" if proof.holds else "THE PROOF FAILS"
    yield (
        f"{verdict}: {proof.planned:,} planned, {proof.stored:,} in the store, "
        f"{proof.recalled} of {proof.sampled} sampled found by recall"
    )
    yield from proof.missing[:SHOWN_MISSING]
    if len(proof.missing) > SHOWN_MISSING:
        yield f"and {len(proof.missing) - SHOWN_MISSING} more; --report lists all"


def _foreseen(totals: Mapping[str, int], *, is_known: bool) -> str:
    """What a dry run says of the store."""
    if not is_known:
        return f"{plural(totals['planned'], 'memory')} would be stored"
    updates = f", {totals['updated']:,} of them updates" if totals["updated"] else ""
    hidden = f", {totals['hidden']:,} would be hidden" if totals["hidden"] else ""
    return f"{totals['new']:,} new{updates}, the store has the others{hidden}"
