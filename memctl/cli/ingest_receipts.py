"""What people and scripts see of documents that were taken in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from memctl.cli.output import Column
from memctl.cli.render import counts_text, near_path
from memctl.cli.session import Session
from memctl.document import Candidate, Document, DocumentStatus, Usage
from memctl.ingestion.gone import WHAT_ENDS_IT
from memctl.ingestion.ledger import HELPED_STATUSES, NOT_TAKEN_STATUSES, RETRIED_STATUSES
from memctl.ingestion.receipt import FAILED_STATUSES, DocumentReceipt
from memctl.new_memory import Outcome
from memctl.plural import plural
from memctl.times import format_iso

COLUMNS = (
    Column("file", wrap=True),
    Column("status"),
    Column("memories", wrap=True),
    Column("remarks", wrap=True, from_width=60),
)

SHOWN_LOST = SHOWN_IGNORED = 3
"""Files that are gone, or that were ignored, which a notice names."""

_NOT_TAKEN = {
    DocumentStatus.FAILED: "failed",
    DocumentStatus.QUARANTINED: "given up",
    DocumentStatus.PENDING: "waiting",
    DocumentStatus.READING: "begun",
    DocumentStatus.EXTRACTING: "begun",
    DocumentStatus.UNREADABLE: "unreadable",
    DocumentStatus.NO_TEXT: "without text",
    DocumentStatus.ENCRYPTED: "encrypted",
    DocumentStatus.UNSUPPORTED: "unsupported",
}
"""How people read each end of a file that was not taken in, in the order in which it is told."""

CANDIDATE_COLUMNS = (
    Column("place"),
    Column("type"),
    Column("imp.", right=True),
    Column("memory", wrap=True),
    Column("happened"),
)


def print_receipts(
    session: Session,
    receipts: Sequence[DocumentReceipt],
    *,
    lost: Sequence[Document],
    caught_up: int,
    dry_run: bool,
    nothing: str,
) -> None:
    """A table and a summary, or one JSON object; ``lost`` are documents whose files are gone,
    ``caught_up`` counts memories of earlier runs that only this one has compared, and ``nothing``
    says to people that there are no receipts."""
    output = session.output
    if output.as_json:
        output.json(
            {
                "dry_run": dry_run,
                "documents": [receipt_json(receipt, dry_run=dry_run) for receipt in receipts],
                "gone": [document.path for document in lost],
                "caught_up": caught_up,
                "warnings": output.warnings,
            }
        )
        return
    _print_documents(session, receipts, dry_run=dry_run, nothing=nothing)
    if caught_up:
        output.notice(f"compared {plural(caught_up, 'memory')} that earlier commands had left")
    if lost:
        output.notice(_lost_text(lost))


def _print_documents(
    session: Session, receipts: Sequence[DocumentReceipt], *, dry_run: bool, nothing: str
) -> None:
    output = session.output
    if not receipts:
        output.notice(nothing)
        return
    shown = [receipt for receipt in receipts if receipt.status is not DocumentStatus.IGNORED]
    if shown:
        output.table(COLUMNS, [_row(receipt, is_rich=output.is_rich) for receipt in shown])
    if dry_run:
        for receipt in shown:
            _print_candidates(session, receipt)
    output.notice(_summary(receipts, dry_run=dry_run))
    for step in dict.fromkeys(receipt.next_step for receipt in receipts):
        if step is not None:
            output.notice(step)


def _lost_text(lost: Sequence[Document]) -> str:
    examples = ", ".join(near_path(document.path) for document in lost[:SHOWN_LOST])
    more = f" and {len(lost) - SHOWN_LOST:,} more" if len(lost) > SHOWN_LOST else ""
    files = plural(len(lost), "file that was taken in is", "files that were taken in are")
    return f"{files} gone, and what was said there stays: {examples}{more}; {WHAT_ENDS_IT}"


def receipt_json(receipt: DocumentReceipt, *, dry_run: bool = False) -> dict[str, Any]:
    """One document as JSON."""
    next_attempt_at = receipt.next_attempt_at
    document: dict[str, Any] = {
        "path": receipt.path,
        "status": receipt.status.value,
        "reason": receipt.reason,
        "next_attempt_at": None if next_attempt_at is None else format_iso(next_attempt_at),
        "encoding": receipt.encoding,
        "pages": receipt.page_count,
        "pages_without_text": list(receipt.pages_without_text),
        "memories": [] if dry_run else list(receipt.memory_ids),
        "types": dict(receipt.types),
        "unchanged": receipt.outcomes[Outcome.UNCHANGED],
        "updated": receipt.outcomes[Outcome.UPDATED],
        "already_ingested": receipt.already_ingested,
        "renamed_from": receipt.renamed_from,
        "hidden": len(receipt.hidden),
        "redactions": len(receipt.redactions),
        "rejected": receipt.rejected,
        "calls": receipt.calls,
        "input_tokens": receipt.input_tokens,
        "output_tokens": receipt.output_tokens,
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


def receipt_details(receipt: DocumentReceipt, target: Path | None) -> dict[str, object]:
    """What a log line says about a document, without what is nothing."""
    details = {
        "path": receipt.path,
        "reason": receipt.reason,
        "known": receipt.already_ingested,
        "renamed_from": receipt.renamed_from,
        "memories": counts_text(receipt.types),
        "unchanged": receipt.outcomes[Outcome.UNCHANGED],
        "updated": receipt.outcomes[Outcome.UPDATED],
        "hidden": len(receipt.hidden),
        "redactions": len(receipt.redactions),
        "pages_without_text": ",".join(map(str, receipt.pages_without_text)),
        "calls": receipt.calls,
        "cost_usd": round(receipt.cost_usd, 6),
        "next_attempt_at": receipt.next_attempt_at,
        "moved_to": target,
    }
    said = {name: value for name, value in details.items() if value}
    return {**said, "seconds": round(receipt.seconds, 3)}


def log_level(receipt: DocumentReceipt, target: Path | None) -> str:
    """How loud a log line about the document is; one that was moved without being taken in lies
    among the failed ones now."""
    is_moved = target is not None and receipt.status is not DocumentStatus.DONE
    return "warning" if is_moved or receipt.status in FAILED_STATUSES else "info"


def usage_text(usage: Usage) -> str:
    """``3 model calls, 1,200 tokens in and 300 out, $0.0021``; no price where none is known."""
    parts = [plural(usage.calls, "model call")] if usage.calls else []
    parts.append(f"{usage.input_tokens:,} tokens in and {usage.output_tokens:,} out")
    if usage.cost_usd:
        parts.append(f"${usage.cost_usd:.4f}")
    return ", ".join(parts)


def helped_count(statuses: Mapping[DocumentStatus, int]) -> int:
    """How many of the documents that ``statuses`` counts another try may help."""
    return sum(number for status, number in statuses.items() if status in HELPED_STATUSES)


def open_text(statuses: Mapping[DocumentStatus, int]) -> str:
    """``2 not taken in: 1 failed, 1 encrypted; `memctl ingest --retry` tries 1 of them again``;
    empty without any."""
    said = not_taken_text(statuses)
    helped = helped_count(statuses)
    count = sum(number for status, number in statuses.items() if status in NOT_TAKEN_STATUSES)
    which = ("it" if count == 1 else "them") if helped == count else f"{helped:,} of them"
    return f"{said}; `memctl ingest --retry` tries {which} again" if helped else said


def not_taken_text(statuses: Mapping[DocumentStatus, int]) -> str:
    """``3 not taken in: 2 unsupported, 1 encrypted``; empty without any."""
    kinds: Counter[str] = Counter()
    for status, name in _NOT_TAKEN.items():
        kinds[name] += statuses.get(status, 0)
    told = ", ".join(f"{number:,} {name}" for name, number in kinds.items() if number)
    return f"{kinds.total():,} not taken in: {told}" if told else ""


def _row(receipt: DocumentReceipt, *, is_rich: bool) -> list[str]:
    status = "unchanged" if _is_unchanged(receipt) else receipt.status.value.replace("_", " ")
    path = near_path(receipt.path) if is_rich else receipt.path
    return [path, status, counts_text(receipt.types), _remarks(receipt)]


def _is_unchanged(receipt: DocumentReceipt) -> bool:
    """Whether it was taken in well before; what was not is as it was, and is said again."""
    return receipt.already_ingested and receipt.status not in RETRIED_STATUSES


def _remarks(receipt: DocumentReceipt) -> str:
    remarks = []
    if receipt.renamed_from is not None:
        remarks.append(f"was {near_path(receipt.renamed_from)}")
    if receipt.reason:
        remarks.append(receipt.reason)
    if receipt.outcomes[Outcome.UNCHANGED]:
        remarks.append(f"{receipt.outcomes[Outcome.UNCHANGED]} known already")
    if receipt.outcomes[Outcome.UPDATED]:
        remarks.append(plural(receipt.outcomes[Outcome.UPDATED], "update"))
    if receipt.hidden:
        remarks.append(f"{len(receipt.hidden)} no longer stated")
    if receipt.redactions:
        remarks.append(f"{counts_text(Counter(receipt.redactions))} taken out")
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
    ignored = [receipt for receipt in receipts if receipt.status is DocumentStatus.IGNORED]
    taken = len(receipts) - len(ignored)
    verb = "would be stored" if dry_run else "stored"
    stored = f"{plural(taken, 'file')}, {plural(sum(types.values()), 'memory')} {verb}"
    if types:
        stored += f" ({counts_text(types)})"
    not_taken = not_taken_text(Counter(receipt.status for receipt in receipts))
    usage = _usage(receipts)
    asked = usage_text(usage) if usage.calls else ""
    return "; ".join(filter(None, [stored, not_taken, _ignored_text(ignored), asked]))


def _ignored_text(ignored: Sequence[DocumentReceipt]) -> str:
    """``2 ignored: .git (folder of a tool), a.md~ (backup copy of an editor)``."""
    if not ignored:
        return ""
    told = [f"{near_path(one.path)} ({one.reason})" for one in ignored[:SHOWN_IGNORED]]
    more = f" and {len(ignored) - SHOWN_IGNORED:,} more" if len(ignored) > SHOWN_IGNORED else ""
    return f"{len(ignored):,} ignored: {', '.join(told)}{more}"


def _usage(receipts: Sequence[DocumentReceipt]) -> Usage:
    return Usage(
        calls=sum(receipt.calls for receipt in receipts),
        input_tokens=sum(receipt.input_tokens for receipt in receipts),
        output_tokens=sum(receipt.output_tokens for receipt in receipts),
        cost_usd=sum(receipt.cost_usd for receipt in receipts),
    )
