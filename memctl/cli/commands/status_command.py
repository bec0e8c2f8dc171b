"""``memctl status``."""

from __future__ import annotations

from dataclasses import asdict, fields
from datetime import datetime
from typing import Any

from memctl.cli.ingest_receipts import helped_count, open_text, usage_text
from memctl.cli.render import counts_text
from memctl.cli.session import Session
from memctl.cli.warm.running import RunningServer, running_server, session_socket
from memctl.document import DocumentStatus, Usage
from memctl.ingestion.heartbeat import Heartbeat
from memctl.ingestion.ledger import NOT_TAKEN_STATUSES
from memctl.plural import plural
from memctl.store_status import StoreStatus
from memctl.times import format_local, format_relative, utc_now


def status(session: Session) -> None:
    """Show what the store holds and whether all is well.

    A process that watches folders is shown with what it does, and so is a server that answers
    other commands (memctl serve).

    \b
    Examples:
      memctl status
      memctl status --json
    """
    report = session.runtime.status()
    server = running_server(session_socket(session))
    if session.output.as_json:
        session.output.json(
            {**_status_json(report), "server": None if server is None else server.to_json()}
        )
        return
    counts = report.counts
    types = {kind.value: number for kind, number in counts.by_type.items()}
    rows = [
        ("store", report.location),
        ("memories", f"{counts.live:,}" + _in_brackets(counts_text(types))),
        ("superseded", f"{counts.superseded:,}"),
        ("expired", f"{counts.expired:,}" if counts.expired else ""),
        ("forgotten", f"{counts.forgotten:,}"),
        ("associations", f"{counts.associations:,}"),
        ("documents", _documents(counts.documents)),
        ("passages", f"{counts.chunks:,}"),
        ("index", _index_text(report)),
        ("embedding model", _model_text(report)),
        ("language model", report.language_model or "none: the built-in rules extract"),
        ("asked so far", _spent_text(report)),
        ("last model run", _last_run_text(report)),
        ("watching", "" if report.watch is None else _watch_text(report.watch)),
        ("server", "" if server is None else _server_text(server)),
        ("created", "" if report.created_at is None else format_local(report.created_at)),
    ]
    session.output.fields([(name, value) for name, value in rows if value])


def _status_json(report: StoreStatus) -> dict[str, Any]:
    counts = report.counts
    return {
        "store": report.location,
        "store_schema_version": report.schema_version,
        "created_at": None if report.created_at is None else report.created_at.isoformat(),
        "embedding_model": report.stored_model,
        "configured_embedding_model": report.configured_model,
        "language_model": report.language_model,
        "memories": counts.live,
        "by_type": {kind.value: number for kind, number in counts.by_type.items()},
        "superseded": counts.superseded,
        "expired": counts.expired,
        "forgotten": counts.forgotten,
        "associations": counts.associations,
        "usage": {
            "input_tokens": counts.usage.input_tokens,
            "output_tokens": counts.usage.output_tokens,
            "cost_usd": counts.usage.cost_usd,
        },
        "last_model_run": report.last_model_run,
        "watch": None if report.watch is None else _watch_json(report.watch),
        "documents": {kind.value: number for kind, number in counts.documents.items()},
        "documents_to_retry": helped_count(counts.documents),
        "chunks": counts.chunks,
        "indexed_memories": report.indexed_memories,
        "indexed_chunks": report.indexed_chunks,
        "index_error": None if report.index_error is None else str(report.index_error),
        "pending": counts.pending,
        "waiting_for_vector": counts.waiting,
    }


def _watch_json(watch: Heartbeat) -> dict[str, Any]:
    return {"state": watch.state(utc_now()), **asdict(watch), "folders": list(watch.folders)}


def _watch_text(watch: Heartbeat) -> str:
    now = utc_now()
    state = watch.state(now)
    seen = format_relative(datetime.fromisoformat(watch.seen_at), now)
    words = {
        "running": f"process {watch.process_id}, seen {seen}",
        "silent": f"process {watch.process_id} says nothing since {seen}: look at its log",
        "stopped": f"stopped {seen}",
        "ended": f"process {watch.process_id} is gone without a word, seen {seen}: start it again",
    }
    lines = [f"{', '.join(watch.folders)}: {words[state]}"]
    if state in {"running", "silent"}:
        lines.append(f"{watch.queued:,} queued, {watch.waiting:,} being written")
        if watch.in_hand is not None:
            lines.append(f"at work on {watch.in_hand}{_since(watch.in_hand_since, now)}")
        lines.append(
            f"{plural(watch.on_disk, 'file')} on disk, {watch.recorded:,} recorded when it last "
            "looked through all of them"
        )
        if watch.is_polling:
            lines.append("by looking again and again: the system tells of no changes")
        if watch.paused_until is not None:
            until = format_local(datetime.fromisoformat(watch.paused_until))
            lines.append(f"waits for the language model until {until}")
    lines.append(f"{watch.stored:,} stored and {watch.failed:,} failed since its start")
    return "\n".join(lines)


def _since(began: str | None, now: datetime) -> str:
    return "" if began is None else f", begun {format_relative(datetime.fromisoformat(began), now)}"


def _server_text(server: RunningServer) -> str:
    since = f"since {format_local(server.started_at)}"
    return f"process {server.process_id} ({server.kind}) answers other commands {since}"


def _spent_text(report: StoreStatus) -> str:
    usage = report.counts.usage
    return usage_text(usage) if usage.input_tokens else ""


def _last_run_text(report: StoreStatus) -> str:
    run = report.last_model_run
    if run is None:
        return ""
    usage = Usage(**{field.name: run[field.name] for field in fields(Usage)})
    moment = format_relative(datetime.fromisoformat(run["at"]), utc_now())
    return f"{run['model']}, {moment}: {usage_text(usage)}"


def _in_brackets(text: str) -> str:
    return f" ({text})" if text else ""


def _documents(statuses: dict[DocumentStatus, int]) -> str:
    others = (
        f"{number:,} {status.value.replace('_', ' ')}"
        for status, number in statuses.items()
        if status is not DocumentStatus.DONE and status not in NOT_TAKEN_STATUSES
    )
    total = f"{sum(statuses.values()):,}" + _in_brackets(", ".join(others))
    return "\n".join(filter(None, [total, open_text(statuses)]))


def _index_text(report: StoreStatus) -> str:
    counts = report.counts
    if report.indexed_memories is None or report.indexed_chunks is None:
        return f"damaged: {report.index_error}; `memctl doctor --fix` builds it again"
    memories = plural(report.indexed_memories, "memory")
    text = f"{memories} and {plural(report.indexed_chunks, 'passage')}"
    missing = counts.visible - report.indexed_memories - counts.pending
    if counts.pending:
        text += f"; {counts.pending:,} not indexed yet"
    if missing > 0:
        text += (
            f"; {plural(missing, 'memory is', 'memories are')} missing: `memctl doctor` says more"
        )
    if counts.waiting:
        text += f"; {counts.waiting:,} found by keyword only until the model can be had"
    return text


def _model_text(report: StoreStatus) -> str:
    if report.stored_model in {None, report.configured_model}:
        return report.configured_model
    return (
        f"{report.configured_model} is configured, but the store's vectors are of "
        f"{report.stored_model}; only keywords are searched"
    )
