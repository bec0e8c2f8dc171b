"""Erasing for good, as `forget --purge` and `ingest --forget-source --purge` do it: asked about
first, and shown with its proof."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl.cli.confirmation import is_confirmed
from memctl.cli.hiding import CONTENT_LENGTH
from memctl.cli.render import near_path
from memctl.cli.session import Session
from memctl.cli.text import shorten
from memctl.errors import ExitCode, UnknownMemoryError
from memctl.memory import ID_DISPLAY_LENGTH
from memctl.plural import plural

if TYPE_CHECKING:
    from memctl.maintaining import Maintaining
    from memctl.maintenance.purge import PurgeReport
    from memctl.store.purging import PurgePlan


@dataclass(frozen=True, slots=True, kw_only=True)
class PurgeWish:
    """What is to be erased, by whole ids: memories, passages, and memories that only a replaced
    store has."""

    memory_ids: tuple[str, ...] = ()
    chunk_ids: tuple[str, ...] = ()
    copy_ids: tuple[str, ...] = ()

    @classmethod
    def of_prefixes(cls, session: Session, prefixes: Sequence[str]) -> PurgeWish:
        """Looks for each prefix among memories, those whose saving was undone, passages, and the
        memories of replaced stores, in this order. Raises UnknownMemoryError and
        AmbiguousMemoryError."""
        from memctl.maintaining import Maintaining

        graph = session.runtime.graph
        found: dict[str, dict[str, None]] = {"memory": {}, "chunk": {}, "copy": {}}
        for prefix in prefixes:
            try:
                found["memory"][graph.resolve(prefix, include_forgotten=True)] = None
                continue
            except UnknownMemoryError:
                passage = graph.find_passage(prefix)
            if passage is not None:
                found["chunk"][passage.chunk.id] = None
                continue
            try:
                found["memory"][graph.resolve_in_journal(prefix)] = None
            except UnknownMemoryError:
                found["copy"][Maintaining(session.runtime).resolve_in_copies(prefix)] = None
        return cls(
            memory_ids=tuple(found["memory"]),
            chunk_ids=tuple(found["chunk"]),
            copy_ids=tuple(found["copy"]),
        )

    def plan(self, maintaining: Maintaining) -> PurgeReport:
        """What would be erased."""
        return maintaining.plan_purge(self.memory_ids, self.chunk_ids, self.copy_ids)

    def carry_out(self, maintaining: Maintaining) -> PurgeReport:
        """Erases it."""
        return maintaining.purge(self.memory_ids, self.chunk_ids, self.copy_ids)


def purge(session: Session, wish: PurgeWish, *, dry_run: bool, ask: bool) -> None:
    """Plans, asks at a terminal, erases and shows."""
    from memctl.maintaining import Maintaining

    maintaining = Maintaining(session.runtime)
    if dry_run:
        report = wish.plan(maintaining)
    elif ask and not is_confirmed(session, _question(wish.plan(maintaining))):
        session.output.notice("nothing was erased")
        session.exit_code = ExitCode.FAILED
        return
    else:
        report = wish.carry_out(maintaining)
    _show(session, report, dry_run=dry_run)


def _question(report: PurgeReport) -> str:
    plan = report.plan
    texts = [shorten(memory.content, CONTENT_LENGTH) for memory in plan.memories]
    count = len(plan.ids) + len(report.copy_ids)
    what = [plural(count, "memory")] if count else []
    if plan.whole_chunks:
        what.append(plural(len(plan.whole_chunks), "passage"))
    shown = f": {texts[0]}" if len(texts) == 1 and not plan.whole_chunks else ""
    return f"erase {' and '.join(what)} for good{shown}?"


def _show(session: Session, report: PurgeReport, *, dry_run: bool) -> None:
    output, plan, proof = session.output, report.plan, report.proof
    if output.as_json:
        searched = None if proof is None else {"files": proof.files, "bytes": proof.bytes}
        output.json(
            {
                "dry_run": dry_run,
                "purged": [*plan.ids, *report.copy_ids],
                "passages": [entry.before.id for entry in plan.chunks],
                "files": list(plan.paths),
                "copies": [str(folder) for folder in report.copies],
                "searched": searched,
            }
        )
        return
    for line in _lines(report, dry_run=dry_run):
        output.line(line)
    if proof is not None:
        size = plural(proof.files, "file")
        output.line(f"Not found any more in {size} of the store ({proof.bytes:,} bytes read)")
    if report.standing:
        lines = plural(len(report.standing), "line is", "lines are")
        longest = shorten(report.standing[0], CONTENT_LENGTH)
        output.notice(f"{lines} left where other memories or passages hold them, too: {longest}")
    for path in plan.paths:
        output.notice(f"the text is still in {near_path(path)}, which is yours to change")
    if output.is_terminal and not dry_run:
        output.notice(
            "backups that were made before hold it still; `memctl backup` makes a new one"
        )


def _lines(report: PurgeReport, *, dry_run: bool) -> list[str]:
    """What was erased, a line each."""
    word = "Would purge" if dry_run else "Purged"
    plan = report.plan
    lines = []
    for memory in plan.memories:
        text = f"  {shorten(memory.content, CONTENT_LENGTH)}" if dry_run else ""
        lines.append(f"{word}: {memory.short_id}{text}")
    lines += [
        f"{word}: {memory_id[:ID_DISPLAY_LENGTH]}, whose saving was undone"
        for memory_id in plan.journal_ids
    ]
    lines += [
        f"{word}: {memory_id[:ID_DISPLAY_LENGTH]}, which only a replaced store had"
        for memory_id in report.copy_ids
    ]
    if plan.whole_chunks:
        lines.append(f"{word}: {plural(len(plan.whole_chunks), 'passage')} as a whole")
    parts = _passages_in_part(plan)
    if parts:
        lines.append(f"{word}: lines of {plural(parts, 'passage')}")
    lines += [
        f"{word}: from the replaced store {near_path(str(folder))}" for folder in report.copies
    ]
    return lines


def _passages_in_part(plan: PurgePlan) -> int:
    """How many passages lose some of their lines."""
    return sum(entry.before.id not in plan.whole_chunks for entry in plan.chunks)
