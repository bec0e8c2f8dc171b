"""Files to memories by a language model: several calls at a time, every answer stored at once.

Documents begin in their order, and a call waits for a free place only: a document whose answers
fail or do not come holds up no other one. Answers are written by the thread that asked for the run
alone. A run that is broken off keeps all answers that came, and they are not asked for again.
"""

from __future__ import annotations

import queue
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from memctl.associating import STORING_OUTCOMES
from memctl.document import Candidate, Document, DocumentStatus, Usage
from memctl.errors import (
    LanguageModelError,
    LanguageModelFaultError,
    LanguageModelThrottledError,
)
from memctl.extraction.background import start_in_background
from memctl.ingestion import ledger
from memctl.ingestion.breaking_off import BrokenOff
from memctl.ingestion.known import Hint, apply_hints, as_offered, hint_of
from memctl.ingestion.receipt import (
    note_extraction,
    note_model_error,
    note_usage,
    receipt_of,
    usage_of,
)
from memctl.ingestion.revision import Change, statement_of
from memctl.memory import Chunk, Memory
from memctl.new_memory import NewMemory, Outcome
from memctl.store.document_writes import READ_STATUSES
from memctl.store.index import index_warning

if TYPE_CHECKING:
    from memctl.associating import Associator
    from memctl.extraction.extractor import (
        DocumentExtraction,
        DocumentText,
        ExtractionResult,
        Extractor,
    )
    from memctl.ingestion.discovery import Found
    from memctl.ingestion.intake import Intake, ReadFile, TakenFile
    from memctl.ingestion.known import KnownMemories
    from memctl.ingestion.options import IngestOptions
    from memctl.ingestion.receipt import DocumentReceipt
    from memctl.ingestion.revision import Reviser
    from memctl.store.graph import Graph
    from memctl.store.memory_store import MemoryStore
    from memctl.store.operation import Operation

POLL_SECONDS = 0.25
"""How often a run that waits for answers asks whether it should stop."""

MOST_FAULTY_DOCUMENTS = 3
"""After so many documents in a row whose calls failed, the provider is taken to be down."""

MOST_THROTTLED = 2
"""After so many questions in a row that were throttled to the end of all patience, no more are
asked: one alone may be due to the size of what was asked."""

MakeNewMemory = Callable[["Candidate", "DocumentText", "IngestOptions"], NewMemory]


@dataclass(frozen=True, slots=True)
class ModelParts:
    """What a run works with."""

    store: MemoryStore
    graph: Graph
    extractor: Extractor
    associator: Associator
    intake: Intake
    known: KnownMemories
    reviser: Reviser
    make_memory: MakeNewMemory
    clock: Callable[[], datetime]
    warn: Callable[[str], None]


@dataclass(slots=True)
class _Work:
    """A document in hand: the chunks that wait, how many calls run, and what went wrong."""

    receipt: DocumentReceipt
    started_at: datetime
    document: Document | None = None
    text: DocumentText | None = None
    extraction: DocumentExtraction | None = None
    waiting: deque[Chunk] = field(default_factory=deque)
    running: int = 0
    failures: list[LanguageModelError] = field(default_factory=list)
    is_cut_short: bool = False
    is_finished: bool = False


@dataclass(frozen=True, slots=True)
class _Call:
    """A chunk about which the model is being asked, with the memories that were offered."""

    work: _Work
    chunk: Chunk
    offered: dict[str, Memory]
    future: Future[ExtractionResult]


class ModelRun:
    """One run over some files; made anew each time."""

    def __init__(self, parts: ModelParts, operation: Operation, options: IngestOptions) -> None:
        self._parts = parts
        self._operation = operation
        self._options = options
        self._works: deque[_Work] = deque()
        self._upcoming: deque[Found] = deque()
        self._answers: queue.SimpleQueue[_Call] = queue.SimpleQueue()
        self._running = 0
        self._faulty_documents = self._throttled = 0
        self._blocked: LanguageModelError | None = None

    def run(self, found: Sequence[Found]) -> Iterator[DocumentReceipt]:
        """Takes the files in and yields their receipts, in the given order. Raises StoreError and
        its kinds."""
        self._upcoming.extend(found)
        while self._upcoming or self._works:
            if self._options.should_stop():
                return
            self._step()
            while self._works and self._works[0].is_finished:
                yield self._works.popleft().receipt

    def _step(self) -> None:
        """One thing that can be done now, else one answer or a short wait for it."""
        ready = next((work for work in self._works if work.waiting), None)
        has_place = self._running < self._options.max_concurrency
        if has_place and ready is not None:
            self._start(ready)
        elif has_place and self._upcoming:
            self._begin(self._upcoming.popleft())
        else:
            self._take_answer()

    def _begin(self, item: Found) -> None:
        parts, receipt = self._parts, receipt_of(item)
        work = _Work(receipt, parts.clock())
        self._works.append(work)
        file = None
        if item.status is DocumentStatus.PENDING:
            known = parts.graph.document_by_path(receipt.path)
            file = parts.intake.read(self._operation, item, known, self._options, receipt)
        if file is None:
            self._close(work)
        elif self._blocked is not None:
            self._postpone(work, file, self._blocked)
        else:
            # Once it was broken off, the run is told to stop.
            with suppress(BrokenOff):
                taken = parts.intake.prepare(self._operation, file, self._options, receipt)
                if not self._options.should_stop():
                    self._open(work, taken)

    def _open(self, work: _Work, taken: TakenFile) -> None:
        work.document, work.text = taken.document, taken.text
        if taken.text is None and taken.document.status is not DocumentStatus.EMPTY:
            self._operation.record_document(taken.document)
            self._close(work)
            return
        begun = self._operation.begin_document(taken.document, taken.chunks)
        work.document = begun.document
        if taken.text is not None:
            work.extraction = self._parts.extractor.begin(taken.text)
            work.waiting.extend(chunk for chunk in begun.chunks if not chunk.extracted)
        if not work.waiting:
            self._finish(work)

    def _postpone(self, work: _Work, file: ReadFile, error: LanguageModelError) -> None:
        """The model cannot be asked at present, and nothing says that the document is at fault."""
        receipt = work.receipt
        receipt.reason = f"not tried: {error}"
        note_model_error(receipt, error)
        receipt.model_unavailable = True
        receipt.next_attempt_at = ledger.available_again_at(error, self._parts.clock())
        document = self._parts.intake.document(file, receipt, DocumentStatus.PENDING)
        document = replace(document, next_attempt_at=receipt.next_attempt_at)
        self._operation.record_document(document)
        self._close(work)

    def _start(self, work: _Work) -> None:
        chunk = work.waiting.popleft()
        if work.extraction is None:
            return
        near = self._parts.known.near(chunk.content, self._options.channel_id)
        future = start_in_background(partial(work.extraction.extract, chunk, as_offered(near)))
        call = _Call(work, chunk, {memory.id: memory for memory in near}, future)
        future.add_done_callback(lambda _: self._answers.put(call))
        work.running += 1
        self._running += 1

    def _take_answer(self) -> None:
        try:
            call = self._answers.get(timeout=POLL_SECONDS)
        except queue.Empty:
            return
        work = call.work
        work.running -= 1
        self._running -= 1
        try:
            result = call.future.result()
        except LanguageModelError as error:
            self._note_failure(work, call.chunk, error)
        else:
            self._commit(call, result)
        self._finish_idle()

    def _note_failure(self, work: _Work, chunk: Chunk, error: LanguageModelError) -> None:
        spent = error.data.get("usage")
        usage = spent if isinstance(spent, Usage) else Usage()
        note_usage(work.receipt, usage)
        self._operation.fail_chunk(chunk.id, str(error), usage)
        work.failures.append(error)
        is_throttled = isinstance(error, LanguageModelThrottledError)
        self._throttled = self._throttled + 1 if is_throttled else 0
        if self._throttled >= MOST_THROTTLED or not (is_throttled or ledger.is_own_failure(error)):
            self._block(error)
        elif is_throttled or isinstance(error, LanguageModelFaultError):
            work.is_cut_short = work.is_cut_short or bool(work.waiting)
            work.waiting.clear()

    def _block(self, error: LanguageModelError) -> None:
        """Asks nothing more in this run; answers that are under way are still taken."""
        self._blocked = self._blocked or error
        for work in self._works:
            work.is_cut_short = work.is_cut_short or bool(work.waiting)
            work.waiting.clear()

    def _finish_idle(self) -> None:
        """Ends the documents of which nothing is waited for. Ending one may cut others short."""
        while (work := next(filter(_is_idle, self._works), None)) is not None:
            self._finish(work)

    def _commit(self, call: _Call, result: ExtractionResult) -> None:
        parts, work = self._parts, call.work
        self._faulty_documents = self._throttled = 0
        if work.text is None:
            return
        note_extraction(work.receipt, result)
        new, hints = self._memories(call, result, work.text)
        saved = self._operation.commit_chunk(call.chunk.id, new, usage_of(result))
        drained = parts.store.drain(only=[one.id for one in saved])
        if drained.error is not None:
            parts.warn(index_warning(drained.error))
        stored = [one.id for one in saved if one.outcome in STORING_OUTCOMES]
        work.receipt.types.update(parts.graph.memory_types(stored).values())
        judged = parts.associator.associate(self._operation, saved)
        if len(judged) == len(hints):
            judged = apply_hints(self._operation, parts.graph, judged, hints, parts.clock())
        work.receipt.saved += judged

    def _memories(
        self, call: _Call, result: ExtractionResult, text: DocumentText
    ) -> tuple[list[NewMemory], list[Hint | None]]:
        """What is to be stored. A believed repetition is stored as the very text that it repeats:
        that adds no memory, but the chunk states the known one from now on."""
        memories, hints = [], []
        for candidate in result.candidates:
            new = self._parts.make_memory(candidate, text, self._options)
            hint = hint_of(candidate)
            known = call.offered.get(hint.known_id) if hint is not None else None
            if known is not None and self._parts.known.repeats(candidate, known):
                new, hint = restating(new, known), None
            memories.append(new)
            hints.append(hint)
        return memories, hints

    def _finish(self, work: _Work) -> None:
        document = work.document
        if document is None:
            self._close(work)
            return
        verdict = self._verdict(work, document)
        receipt = work.receipt
        receipt.status, receipt.attempts = verdict.status, verdict.attempts
        receipt.next_attempt_at = verdict.next_attempt_at
        new = self._prepare_revision(document, receipt) if verdict.status in READ_STATUSES else []
        with self._operation.transaction():
            receipt.hidden = self._operation.finish_document(
                document.id,
                verdict.status,
                receipt.reason,
                content_hash=document.content_hash,
                attempts=verdict.attempts,
                next_attempt_at=verdict.next_attempt_at,
            )
            self._parts.reviser.revise(self._operation, self._parts.graph, [receipt], new)
        drained = self._parts.store.drain()
        if drained.error is not None:
            self._parts.warn(index_warning(drained.error))
        self._close(work)

    def _prepare_revision(self, document: Document, receipt: DocumentReceipt) -> list[str]:
        """Makes ready what the end of a document will do to the memories that there are; gives
        those that its new text has brought, also by a run that was broken off."""
        graph = self._parts.graph
        [foreseen] = graph.foresee_changes([(document, graph.chunks_of(document.id))])
        if not foreseen.to_hide:
            return []
        instead = graph.said_instead(document.id, [memory.id for memory in foreseen.to_hide])
        saved = [one.id for one in receipt.saved if one.outcome is not Outcome.UNCHANGED]
        new = graph.memories(saved) | {memory.id: memory for memory in instead}
        statements = [statement_of(memory) for memory in new.values()]
        self._parts.reviser.prepare([Change(foreseen.to_hide, statements)])
        return [memory.id for memory in instead]

    def _verdict(self, work: _Work, document: Document) -> ledger.Verdict:
        """How the document ends; notes the reason in its receipt."""
        receipt, now = work.receipt, self._parts.clock()
        own = [error for error in work.failures if ledger.is_own_failure(error)]
        if not work.failures and not work.is_cut_short:
            ended_well = DocumentStatus.EMPTY if work.text is None else DocumentStatus.DONE
            return ledger.Verdict(status=ended_well, attempts=document.attempts)
        receipt.model_failed = True
        if not own:
            [error, *_] = [*work.failures, *([self._blocked] if self._blocked else [])]
            note_model_error(receipt, error)
            receipt.reason = f"{'not tried' if receipt.is_misconfigured else 'waiting'}: {error}"
            receipt.model_unavailable = self._blocked is not None
            return ledger.Verdict(
                status=DocumentStatus.PENDING,
                attempts=document.attempts - 1,
                next_attempt_at=ledger.available_again_at(error, now),
            )
        receipt.reason = _reason(own)
        self._count_faults(own)
        if all(ledger.is_final(error) for error in own) and not work.is_cut_short:
            return ledger.Verdict(status=DocumentStatus.QUARANTINED, attempts=document.attempts)
        return ledger.after_failure(document.attempts, self._options.max_attempts, now)

    def _count_faults(self, own: Sequence[LanguageModelError]) -> None:
        faults = [error for error in own if isinstance(error, LanguageModelFaultError)]
        self._faulty_documents = self._faulty_documents + 1 if faults else 0
        if self._faulty_documents >= MOST_FAULTY_DOCUMENTS and self._blocked is None:
            self._block(faults[0])

    def _close(self, work: _Work) -> None:
        work.receipt.seconds = (self._parts.clock() - work.started_at).total_seconds()
        work.is_finished = True


def restating(new: NewMemory, known: Memory) -> NewMemory:
    """``new`` in the words of a memory that says the same already."""
    return NewMemory(
        content=known.content,
        memory_type=known.memory_type,
        source=new.source,
        channel_id=known.channel_id,
        origin=new.origin,
        first_line=new.first_line,
        last_line=new.last_line,
        first_place=new.first_place,
        last_place=new.last_place,
        page=new.page,
    )


def _is_idle(work: _Work) -> bool:
    is_open = work.document is not None and not work.is_finished
    return is_open and not work.waiting and not work.running


def _reason(failures: Sequence[LanguageModelError]) -> str:
    """The first failure, and how many parts of the document failed."""
    first = str(failures[0])
    return first if len(failures) == 1 else f"{first} (and {len(failures) - 1} more parts failed)"
