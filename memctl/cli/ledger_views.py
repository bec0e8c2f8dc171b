"""What people and scripts see of the ledger of documents, of an estimate, and of a forgotten
source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from memctl.cli.hiding import CONTENT_LENGTH
from memctl.cli.ingest_receipts import open_text, usage_text
from memctl.cli.output import Column
from memctl.cli.render import near_path
from memctl.cli.session import Session
from memctl.cli.text import shorten
from memctl.document import Document, DocumentStatus, Usage
from memctl.ingestion.gone import FILE_IS_GONE, has_lost_file
from memctl.plural import plural
from memctl.times import format_iso, format_local

if TYPE_CHECKING:
    from memctl.file_runtime import ForgottenSource
    from memctl.ingestion.estimate import Estimate

LEDGER_COLUMNS = (
    Column("file", wrap=True),
    Column("status"),
    Column("parts", right=True),
    Column("tries", right=True),
    Column("next try", from_width=80),
    Column("why", wrap=True),
)


def print_ledger(session: Session, documents: Sequence[Document], *, show_all: bool) -> None:
    """The documents; all of them, or those that did not come to a good end."""
    progress = session.runtime.graph.chunk_progress(document.id for document in documents)
    lost = {document.id for document in documents if has_lost_file(document)}
    if session.output.as_json:
        rows = [
            document_json(document, progress, is_gone=document.id in lost) for document in documents
        ]
        session.output.json({"documents": rows, "warnings": session.output.warnings})
        return
    good = {DocumentStatus.DONE, DocumentStatus.EMPTY}
    shown = [
        document
        for document in documents
        if show_all or document.status not in good or document.id in lost
    ]
    if shown:
        is_rich = session.output.is_rich
        rows_shown = [
            _row(document, progress, is_gone=document.id in lost, is_rich=is_rich)
            for document in shown
        ]
        session.output.table(LEDGER_COLUMNS, rows_shown)
    session.output.notice(_summary(documents, len(shown)))


def document_json(
    document: Document, progress: Mapping[str, tuple[int, int]], *, is_gone: bool
) -> dict[str, Any]:
    """One document of the ledger; ``is_gone`` says that its file is no longer there."""
    done, total = progress.get(document.id, (0, 0))
    next_attempt_at, modified_at = document.next_attempt_at, document.modified_at
    return {
        "path": document.path,
        "status": document.status.value,
        "reason": document.reason,
        "gone": is_gone,
        "attempts": document.attempts,
        "next_attempt_at": None if next_attempt_at is None else format_iso(next_attempt_at),
        "chunks": total,
        "chunks_done": done,
        "extractor": document.extractor,
        "size_bytes": document.size_bytes,
        "modified_at": None if modified_at is None else format_iso(modified_at),
        "redactions": document.redaction_count,
        "input_tokens": document.input_tokens,
        "output_tokens": document.output_tokens,
        "cost_usd": document.cost_usd,
        "updated_at": format_iso(document.updated_at),
    }


def print_estimate(session: Session, estimate: Estimate) -> None:
    """What a run would ask and cost."""
    if session.output.as_json:
        session.output.json(
            {
                "model": session.settings.llm.model,
                "documents": estimate.documents,
                "calls": estimate.calls,
                "input_tokens": estimate.input_tokens,
                "output_tokens": estimate.output_tokens,
                "cost_usd": estimate.cost_usd,
            }
        )
        return
    price = "unknown" if estimate.cost_usd is None else f"about ${estimate.cost_usd:.4f}"
    rows = [
        ("model", session.settings.llm.model or ""),
        ("documents", f"{estimate.documents:,}"),
        ("calls", f"{estimate.calls:,}, more where an answer has to be corrected or a part split"),
        ("tokens", f"about {estimate.input_tokens:,} in and {estimate.output_tokens:,} out"),
        ("price", price),
    ]
    session.output.fields(rows)


def print_forgotten(session: Session, forgotten: ForgottenSource, *, dry_run: bool) -> None:
    """What forgetting a source hid, or would hide; a dry run names each memory."""
    if session.output.as_json:
        document = {"documents": forgotten.paths, "memories": forgotten.hidden}
        session.output.json({"dry_run": dry_run, **document})
        return
    if dry_run:
        memories_there = session.runtime.graph.memories(forgotten.hidden)
        for memory in memories_there.values():
            content = shorten(memory.content, CONTENT_LENGTH)
            session.output.line(f"Would hide: {memory.short_id}  {content}")
    files, memories = plural(len(forgotten.paths), "file"), plural(len(forgotten.hidden), "memory")
    done = "would forget {} and hide {}" if dry_run else "forgot {} and hid {}"
    session.output.line(f"{done.format(files, memories)} that nothing else states")
    if dry_run:
        return
    session.output.notice(
        "`memctl restore ID` brings a memory back, `memctl ingest --retry PATH` a whole file"
    )


def _row(
    document: Document, progress: Mapping[str, tuple[int, int]], *, is_gone: bool, is_rich: bool
) -> list[str]:
    done, total = progress.get(document.id, (0, 0))
    next_attempt_at = document.next_attempt_at
    return [
        near_path(document.path) if is_rich else document.path,
        document.status.value.replace("_", " "),
        f"{done}/{total}" if total else "",
        str(document.attempts) if document.attempts else "",
        "" if next_attempt_at is None else format_local(next_attempt_at),
        "; ".join(filter(None, [document.reason, FILE_IS_GONE if is_gone else None])),
    ]


def _summary(documents: Sequence[Document], shown: int) -> str:
    usage = Usage(
        input_tokens=sum(document.input_tokens for document in documents),
        output_tokens=sum(document.output_tokens for document in documents),
        cost_usd=sum(document.cost_usd for document in documents),
    )
    text = f"{plural(len(documents), 'document')}, {len(documents) - shown:,} not shown"
    if shown == len(documents):
        text = plural(len(documents), "document")
    is_open = open_text(Counter(document.status for document in documents))
    asked = usage_text(usage) if usage.input_tokens else ""
    return "; ".join(filter(None, [text, is_open, asked]))
