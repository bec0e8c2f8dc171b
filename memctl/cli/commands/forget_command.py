"""``memctl forget``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from memctl.cli.confirmation import is_confirmed
from memctl.cli.declaration import Option
from memctl.cli.hiding import CONTENT_LENGTH, run_on_ids
from memctl.cli.options import DryRunOption, IdsArgument
from memctl.cli.render import near_path
from memctl.cli.session import Session
from memctl.cli.text import shorten
from memctl.errors import ExitCode, UnknownMemoryError
from memctl.memory import ID_DISPLAY_LENGTH
from memctl.plural import plural

if TYPE_CHECKING:
    from memctl.maintenance.purge import PurgeReport
    from memctl.store.graph import Graph
    from memctl.store.purging import PurgePlan


def forget(
    session: Session,
    ids: IdsArgument,
    purge: Annotated[
        bool,
        Option("--purge", help="Erase them and their text for good, from everywhere."),
    ] = False,
    yes: Annotated[bool, Option("--yes", help="With --purge: do not ask at a terminal.")] = False,
    dry_run: DryRunOption = False,
) -> None:
    """Hide memories; `restore` brings them back.

    A forgotten memory is not recalled any more, and taking in its file again does not bring it
    back. Nothing is erased, unless --purge says so: that takes the text out of the memories, the
    passages, the journal, the search index and stores that a backup has replaced, reads every
    byte of the store's folder to prove it, and cannot be undone; at a terminal it asks first,
    unless --yes is given, and in a script it does not. Memories whose saving was undone can be
    named too. Files outside are never touched. One that is as it was is known by the checksums of
    its parts and not read again; but nothing else tells that a text was purged, so saving or
    importing it later, or changing that part of a file which still says it, stores it as new.

    \b
    Examples:
      memctl forget 3fa9
      memctl forget 3fa9 77c1 --dry-run
      memctl forget 3fa9 --purge
    """
    if purge:
        _purge(session, ids, dry_run=dry_run, ask=not yes)
    else:
        run_on_ids(session, "forget", ids, dry_run=dry_run)


def _purge(session: Session, ids: Sequence[str], *, dry_run: bool, ask: bool) -> None:
    runtime = session.runtime
    resolved = list(dict.fromkeys(_resolve(runtime.graph, prefix) for prefix in ids))
    from memctl.maintaining import Maintaining

    maintaining = Maintaining(runtime)
    if dry_run:
        report = maintaining.plan_purge(resolved)
    elif ask and not is_confirmed(session, _question(maintaining.plan_purge(resolved).plan)):
        session.output.notice("nothing was erased")
        session.exit_code = ExitCode.FAILED
        return
    else:
        report = maintaining.purge(resolved)
    _show(session, report, dry_run=dry_run)


def _question(plan: PurgePlan) -> str:
    texts = [shorten(memory.content, CONTENT_LENGTH) for memory in plan.memories]
    shown = f": {texts[0]}" if len(texts) == 1 else ""
    return f"erase {plural(len(plan.ids), 'memory')} for good{shown}?"


def _resolve(graph: Graph, prefix: str) -> str:
    """An id of the store, or else one whose saving was undone: its text is in the journal still."""
    try:
        return graph.resolve(prefix, include_forgotten=True)
    except UnknownMemoryError:
        return graph.resolve_in_journal(prefix)


def _show(session: Session, report: PurgeReport, *, dry_run: bool) -> None:
    output, plan, proof = session.output, report.plan, report.proof
    if output.as_json:
        searched = None if proof is None else {"files": proof.files, "bytes": proof.bytes}
        output.json(
            {
                "dry_run": dry_run,
                "purged": plan.ids,
                "passages": [entry.before.id for entry in plan.chunks],
                "files": list(plan.paths),
                "copies": [str(folder) for folder in report.copies],
                "searched": searched,
            }
        )
        return
    word = "Would purge" if dry_run else "Purged"
    for memory in plan.memories:
        text = f"  {shorten(memory.content, CONTENT_LENGTH)}" if dry_run else ""
        output.line(f"{word}: {memory.short_id}{text}")
    for memory_id in plan.journal_ids:
        output.line(f"{word}: {memory_id[:ID_DISPLAY_LENGTH]}, whose saving was undone")
    if plan.chunks:
        output.line(f"{word}: lines of {plural(len(plan.chunks), 'passage')}")
    for folder in report.copies:
        output.line(f"{word}: from the replaced store {near_path(str(folder))}")
    if proof is not None:
        size = plural(proof.files, "file")
        output.line(f"Not found any more in {size} of the store ({proof.bytes:,} bytes read)")
    for path in plan.paths:
        output.notice(f"the text is still in {near_path(path)}, which is yours to change")
