"""``memctl forget``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from memctl.cli.hiding import CONTENT_LENGTH, run_on_ids
from memctl.cli.options import DryRunOption, IdsArgument
from memctl.cli.render import near_path, plural
from memctl.cli.session import Session
from memctl.cli.text import shorten

if TYPE_CHECKING:
    from memctl.store.proof import Proof
    from memctl.store.purging import PurgePlan


def forget(
    session: Session,
    ids: IdsArgument,
    purge: Annotated[
        bool,
        typer.Option("--purge", help="Erase them and their text for good, from everywhere."),
    ] = False,
    dry_run: DryRunOption = False,
) -> None:
    """Hide memories; `restore` brings them back.

    A forgotten memory is not recalled any more, and taking in its file again does not bring it
    back. Nothing is erased, unless --purge says so: that takes the text out of the memories, the
    passages, the journal and the search index, reads every byte of the store to prove it, and
    cannot be undone. Files outside the store are never touched.

    \b
    Examples:
      memctl forget 3fa9
      memctl forget 3fa9 77c1 --dry-run
      memctl forget 3fa9 --purge
    """
    if purge:
        _purge(session, ids, dry_run=dry_run)
    else:
        run_on_ids(session, "forget", ids, dry_run=dry_run)


def _purge(session: Session, ids: Sequence[str], *, dry_run: bool) -> None:
    runtime = session.runtime
    resolved = list(
        dict.fromkeys(runtime.graph.resolve(prefix, include_forgotten=True) for prefix in ids)
    )
    if dry_run:
        _show(session, runtime.graph.plan_purge(resolved), None, dry_run=True)
        return
    from memctl.maintaining import Maintaining

    report = Maintaining(runtime).purge(resolved)
    _show(session, report.plan, report.proof, dry_run=False)


def _show(session: Session, plan: PurgePlan, proof: Proof | None, *, dry_run: bool) -> None:
    output = session.output
    if output.as_json:
        searched = None if proof is None else {"files": proof.files, "bytes": proof.bytes}
        output.json(
            {
                "dry_run": dry_run,
                "purged": plan.ids,
                "passages": [entry.before.id for entry in plan.chunks],
                "files": list(plan.paths),
                "searched": searched,
            }
        )
        return
    word = "Would purge" if dry_run else "Purged"
    for memory in plan.memories:
        text = f"  {shorten(memory.content, CONTENT_LENGTH)}" if dry_run else ""
        output.line(f"{word}: {memory.short_id}{text}")
    if plan.chunks:
        output.line(f"{word}: lines of {plural(len(plan.chunks), 'passage')}")
    if proof is not None:
        size = plural(proof.files, "file")
        output.line(f"Not found any more in {size} of the store ({proof.bytes:,} bytes read)")
    for path in plan.paths:
        output.notice(f"the text is still in {near_path(path)}, which is yours to change")
