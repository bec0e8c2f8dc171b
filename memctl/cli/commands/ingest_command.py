"""``memctl ingest``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from memctl.cli.options import DryRunOption
from memctl.cli.output import Column
from memctl.cli.render import counts_text, near_path, plural
from memctl.cli.session import Session
from memctl.errors import ExitCode
from memctl.ingestion.options import IngestOptions
from memctl.ingestion.receipt import FAILED_STATUSES, DocumentReceipt
from memctl.memory import Candidate, DocumentStatus, Outcome
from memctl.times import format_iso

COLUMNS = (
    Column("file", wrap=True),
    Column("status"),
    Column("memories", wrap=True),
    Column("remarks", wrap=True, from_width=60),
)

CANDIDATE_COLUMNS = (
    Column("place"),
    Column("type"),
    Column("imp.", right=True),
    Column("memory", wrap=True),
    Column("happened"),
)


def ingest(
    session: Session,
    paths: Annotated[
        list[Path], typer.Argument(metavar="PATH...", help="Files or folders (with all in them).")
    ],
    dry_run: DryRunOption = False,
    channel: Annotated[
        str | None, typer.Option("--channel", metavar="NAME", help="The channel they belong to.")
    ] = None,
    tag: Annotated[
        list[str] | None, typer.Option("--tag", metavar="TAG", help="A tag for all; may repeat.")
    ] = None,
    password: Annotated[
        str | None, typer.Option("--password", metavar="TEXT", help="For encrypted PDF files.")
    ] = None,
) -> None:
    """Turn files and folders into memories.

    Text, markdown, PDF, HTML, tables and more are read; the files themselves are never changed.
    A file that was taken in before is left alone until it changes. Without a language model the
    built-in rules decide what is worth remembering; every text stays searchable word for word.

    \b
    Examples:
      memctl ingest notes/ report.pdf
      memctl ingest notes/ --dry-run
      memctl ingest minutes.md --channel board --tag minutes --json
    """
    runtime = session.runtime
    found = runtime.discover(paths)
    ingest_options = IngestOptions(
        channel_id=channel,
        tags=tuple(tag or ()),
        password=password,
        pdf_timeout_seconds=session.settings.ingest.pdf_timeout_seconds,
        chunk_tokens=session.settings.ingest.chunk_tokens,
    )
    receipts: list[DocumentReceipt] = []
    with session.output.progress(len(found), "Ingesting") as progress:
        for receipt in runtime.ingest(found, ingest_options, dry_run=dry_run):
            receipts.append(receipt)
            progress.advance(Path(receipt.path).name)
    _print_receipts(session, receipts, dry_run=dry_run)
    session.exit_code = _exit_code(receipts)


def _exit_code(receipts: Sequence[DocumentReceipt]) -> ExitCode:
    tried = [receipt for receipt in receipts if receipt.status is not DocumentStatus.IGNORED]
    failed = [receipt for receipt in tried if receipt.status in FAILED_STATUSES]
    if not failed:
        return ExitCode.OK
    if len(failed) < len(tried):
        return ExitCode.PARTIAL
    model_failed = all(receipt.model_failed for receipt in failed)
    return ExitCode.MODEL if model_failed else ExitCode.FAILED


def receipt_json(receipt: DocumentReceipt, *, dry_run: bool) -> dict[str, Any]:
    """One document as JSON."""
    document: dict[str, Any] = {
        "path": receipt.path,
        "status": receipt.status.value,
        "reason": receipt.reason,
        "encoding": receipt.encoding,
        "pages": receipt.page_count,
        "pages_without_text": list(receipt.pages_without_text),
        "memories": list(receipt.memory_ids),
        "unchanged": receipt.outcomes[Outcome.UNCHANGED],
        "updated": receipt.outcomes[Outcome.UPDATED],
        "already_ingested": receipt.already_ingested,
        "hidden": receipt.hidden_count,
        "redactions": len(receipt.redactions),
        "rejected": receipt.rejected,
        "calls": receipt.calls,
        "cost_usd": receipt.cost_usd,
        "seconds": round(receipt.seconds, 3),
    }
    if dry_run:
        document["candidates"] = [candidate_json(candidate) for candidate in receipt.candidates]
    return document


def candidate_json(candidate: Candidate) -> dict[str, Any]:
    """A memory that would be stored."""
    return {
        "content": candidate.content,
        "memory_type": candidate.memory_type.value,
        "importance": candidate.importance,
        "event_at": None if candidate.event_at is None else format_iso(candidate.event_at),
        "first_line": candidate.first_line,
        "last_line": candidate.last_line,
        "page": candidate.page,
    }


def _print_receipts(
    session: Session, receipts: Sequence[DocumentReceipt], *, dry_run: bool
) -> None:
    output = session.output
    if output.as_json:
        output.json(
            {
                "dry_run": dry_run,
                "documents": [receipt_json(receipt, dry_run=dry_run) for receipt in receipts],
                "warnings": output.warnings,
            }
        )
        return
    if not receipts:
        output.notice("no files there")
        return
    shown = [receipt for receipt in receipts if receipt.status is not DocumentStatus.IGNORED]
    output.table(COLUMNS, [_row(receipt, is_rich=output.is_rich) for receipt in shown])
    if dry_run:
        for receipt in shown:
            _print_candidates(session, receipt)
    output.notice(_summary(receipts, dry_run=dry_run))


def _row(receipt: DocumentReceipt, *, is_rich: bool) -> list[str]:
    status = "unchanged" if receipt.already_ingested else receipt.status.value.replace("_", " ")
    path = near_path(receipt.path) if is_rich else receipt.path
    return [path, status, counts_text(receipt.types), _remarks(receipt)]


def _remarks(receipt: DocumentReceipt) -> str:
    remarks = []
    if receipt.reason:
        remarks.append(receipt.reason)
    if receipt.outcomes[Outcome.UNCHANGED]:
        remarks.append(f"{receipt.outcomes[Outcome.UNCHANGED]} known already")
    if receipt.outcomes[Outcome.UPDATED]:
        remarks.append(plural(receipt.outcomes[Outcome.UPDATED], "update"))
    if receipt.hidden_count:
        remarks.append(f"{receipt.hidden_count} no longer stated")
    if receipt.redactions:
        remarks.append(plural(len(receipt.redactions), "secret") + " taken out")
    if receipt.pages_without_text:
        pages = ", ".join(map(str, receipt.pages_without_text))
        remarks.append(f"no text on page {pages}")
    return "; ".join(remarks)


def _print_candidates(session: Session, receipt: DocumentReceipt) -> None:
    if not receipt.candidates:
        return
    rows = [
        [
            f"p. {candidate.page}" if candidate.page else f"line {candidate.first_line}",
            candidate.memory_type.value,
            f"{candidate.importance:.2f}",
            candidate.content,
            "" if candidate.event_at is None else format_iso(candidate.event_at)[:10],
        ]
        for candidate in receipt.candidates
    ]
    session.output.table(CANDIDATE_COLUMNS, rows, title=receipt.path)


def _summary(receipts: Sequence[DocumentReceipt], *, dry_run: bool) -> str:
    types: Counter[str] = Counter()
    for receipt in receipts:
        types.update(receipt.types)
    ignored = sum(receipt.status is DocumentStatus.IGNORED for receipt in receipts)
    taken = len(receipts) - ignored
    verb = "would be stored" if dry_run else "stored"
    parts = [f"{plural(taken, 'file')}, {plural(sum(types.values()), 'memory')} {verb}"]
    if types:
        parts.append(f"({counts_text(types)})")
    if ignored:
        parts.append(f"and {ignored} ignored")
    return " ".join(parts)
