"""The reading process answers, is bounded in time, survives its own end and leaves no trace."""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path

import pytest
from fakes.pdf_writer import build_bomb, build_pdf

from memctl.document import DocumentStatus
from memctl.ingestion.readers import worker as worker_module
from memctl.ingestion.readers.registry import read_document
from memctl.ingestion.readers.worker import ReadingWorker

OPTIONS = {"password": None}
PDF = build_pdf([["Words."]])
SLOW = build_bomb(31_000_000)


def test_it_answers_several_requests_with_one_process() -> None:
    worker = ReadingWorker()
    first = worker.ask("pdf", PDF, OPTIONS, timeout_seconds=30)
    process = worker._process
    second = worker.ask("html", b"<p>hello", {}, timeout_seconds=30)
    assert first.failure is second.failure is None
    assert [message["kind"] for message in first.messages] == ["document", "page"]
    assert second.messages[0]["text"] == "hello\n"
    assert worker._process is process
    worker.stop()


@pytest.mark.slow
def test_a_process_that_ended_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    worker = ReadingWorker()
    with monkeypatch.context() as patched:
        patched.setattr(worker_module, "python_command", lambda *_: [sys.executable, "-c", "pass"])
        assert worker.ask("pdf", PDF, OPTIONS, timeout_seconds=30).failure is not None
    assert worker.ask("pdf", PDF, OPTIONS, timeout_seconds=30).failure is None
    worker.stop()
    assert worker.ask("pdf", PDF, OPTIONS, timeout_seconds=30).failure is None
    worker.stop()


def test_stopping_it_frees_the_thread_that_waits() -> None:
    worker = ReadingWorker()
    answers = []
    thread = threading.Thread(
        target=lambda: answers.append(worker.ask("pdf", SLOW, OPTIONS, timeout_seconds=60))
    )
    started = time.monotonic()
    thread.start()
    while worker._process is None:
        time.sleep(0.01)
    time.sleep(0.2)
    worker.stop()
    thread.join(timeout=10)
    assert time.monotonic() - started < 5
    assert answers[0].failure == "its reader came to a sudden end"


@pytest.mark.slow
def test_what_was_said_before_the_end_is_kept() -> None:
    worker = ReadingWorker()
    worker.ask("pdf", PDF, OPTIONS, timeout_seconds=30)
    slow = build_bomb(31_000_000, pages_before=2)
    answer = worker.ask("pdf", slow, OPTIONS, timeout_seconds=0.7)
    assert answer.failure == "it took longer than 0.7 s"
    assert [message["kind"] for message in answer.messages] == ["document", "page", "page"]
    worker.stop()


def test_a_machine_without_a_process_to_spare_is_no_verdict_on_the_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "nothing"))
    worker = ReadingWorker()
    outcome = read_document(Path("a.pdf"), PDF, worker=worker)
    assert outcome.status is DocumentStatus.FAILED
    assert "cannot run" in outcome.reason
