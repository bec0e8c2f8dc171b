"""The process that watches folders and takes in what appears in them.

It hears of changes before it looks through the folders for the first time, so that nothing falls
between; it looks again from time to time, because events get lost; and it takes a file only when
that has come to rest. One thread does all the work and waits for an inbox without polling, so that
other threads can be served beside it. Nothing is asked of a model while nothing changes.
"""

from __future__ import annotations

import contextlib
import os
import queue
import stat
import time
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import datetime, timedelta
from enum import StrEnum
from pathlib import Path

from memctl.document import DocumentStatus
from memctl.encodable import encodable_text
from memctl.errors import AlreadyWatchingError, LockedError, MissingPathError, StoreError
from memctl.ingestion import ledger
from memctl.ingestion.breaking_off import BreakableWork
from memctl.ingestion.discovery import Found, signature_of, size_of
from memctl.ingestion.gone import WHAT_ENDS_IT, lost_sources
from memctl.ingestion.heartbeat import HEARTBEAT_FACT, Heartbeat
from memctl.ingestion.pulse import Pulse
from memctl.ingestion.readers.worker import shared_worker
from memctl.ingestion.receipt import FAILED_STATUSES, DocumentReceipt, receipt_of
from memctl.ingestion.stability import EMPTY_SETTLE_SECONDS, SettlingFiles
from memctl.ingestion.watch_parts import WatchParts, WatchSettings
from memctl.ingestion.watched import Identity, WatchedFolders
from memctl.ingestion.watcher import FolderWatcher
from memctl.ingestion.writers import Writers

WATCH_LOCK = "watch"
"""The lock that the one watching process of a store holds."""

BATCH_FILES = 32
"""Files taken in one run: enough to share the cost of a transaction, few enough to stop soon."""

LOOK_SECONDS = 1.0
"""How often it is looked whether the watched folders are still the same ones, of which no event
need tell: that costs some millionths of a second."""

EVENT_PAUSE_SECONDS = 0.05
"""Pause after an event, so that a burst of them is looked at once."""

STORE_PAUSE_SECONDS = 10.0
"""Pause after the store could not be written: another process holds it, or the disk is full."""

BEAT_WAIT_SECONDS = 1.0
"""How long a heartbeat waits for another process that writes."""

LAST_WAIT_SECONDS = 0.5
"""How long the last one waits, of a process that must end."""

LARGE_BYTES = 100_000
"""From this size on a file is named before it is read: it needs seconds or more."""

LONGEST_PAUSE_SECONDS = 24 * 3_600.0
"""After so long a model that may not be asked any more in this run is asked again."""


class WatchEnd(StrEnum):
    """Why watching ended."""

    STOPPED = "stopped"
    RELOAD = "reload"


class Daemon:
    """Watches from ``run`` until ``stop`` or ``reload``; these two may be called from a signal
    handler or another thread."""

    def __init__(self, settings: WatchSettings, parts: WatchParts) -> None:
        self._settings = settings
        self.folders = settings.folders
        self._parts = parts
        self._inbox: queue.SimpleQueue[tuple[Path, bool] | None] = queue.SimpleQueue()
        self._watcher = FolderWatcher(self._hear)
        self._settling: SettlingFiles[Path] = SettlingFiles()
        self._writers = Writers()
        self._queue: dict[Path, None] = {}
        self._lost: tuple[str, ...] = ()
        self._told: dict[str, tuple[DocumentStatus, str | None]] = {}
        self._warned: dict[tuple[str, str], str] = {}
        self._end: WatchEnd | None = None
        self._reading = BreakableWork()
        self._next_scan = 0.0
        self._has_untold_counts = False
        self._store_pause_until = 0.0
        self._paused_until: datetime | None = None
        self._next_retry_at: datetime | None = None
        self._polling_reason: str | None = None
        self._roots: dict[Path, Identity] = {}
        self._watched = WatchedFolders(
            settings.folders,
            graph=parts.graph,
            drop_folder=parts.drop_folder,
            own_folder=settings.own_folder,
            max_bytes=settings.max_bytes,
        )
        now = parts.clock().isoformat()
        self._heartbeat = Heartbeat(
            process_id=os.getpid(),
            folders=tuple(encodable_text(str(folder)) for folder in settings.folders),
            started_at=now,
            seen_at=now,
        )
        self._pulse = Pulse(self._write_heartbeat, self._tell_store)

    def stop(self) -> None:
        """Ends ``run`` soon: the chunk in hand is finished or left untouched. Raises BrokenOff in a
        signal's handler, through which it ends what is being read."""
        self._end = WatchEnd.STOPPED
        shared_worker().stop()
        self._inbox.put(None)
        self._reading.break_off()

    def reload(self) -> None:
        """Ends ``run`` after the files in hand, so that it can begin anew with other settings."""
        self._end = self._end or WatchEnd.RELOAD
        self._inbox.put(None)

    def run(self, beside: AbstractContextManager[None] | None = None) -> WatchEnd:
        """Watches until told to end, in ``beside``, which is entered once it is sure that no other
        process watches. Raises AlreadyWatchingError, and StoreError and its kinds where the store
        cannot be used at all."""
        try:
            lock = self._parts.database.exclusive(WATCH_LOCK, wait_seconds=0)
            with lock, beside or contextlib.nullcontext():
                return self._watch()
        except LockedError as error:
            if error.data.get("what") == f"get the {WATCH_LOCK} lock":
                raise AlreadyWatchingError(holder=error.data["holder"]) from None
            raise

    def _watch(self) -> WatchEnd:
        with self._pulse.going(BEAT_WAIT_SECONDS):
            try:
                self._begin()
                while self._end is None:
                    self._step()
                    self._wait()
            finally:
                self._watcher.stop()
                shared_worker().stop()
        self._say_goodbye(self._end)
        return self._end

    def _begin(self) -> None:
        self._start_watcher()
        self._beat()
        self._parts.log(
            "watching",
            folders=", ".join(map(str, self._settings.folders)),
            pid=os.getpid(),
            polling=self._polling_reason is not None,
        )
        if self._parts.drop_folder is not None:
            self._parts.drop_folder.repair()
        self._scan()

    def _start_watcher(self) -> None:
        self._watcher.stop()
        self._roots = self._watched.identities()
        reason = self._watcher.start(list(self._roots))
        if reason is not None and self._polling_reason is None:
            seconds = self._settings.poll_seconds
            self._parts.log("polling", level="warning", why=reason, every_seconds=seconds)
        self._polling_reason = reason

    def _step(self) -> None:
        now = time.monotonic()
        is_moved = self._watched.identities() != self._roots
        if is_moved or now >= self._next_scan or self._is_retry_due():
            self._scan()
        for path in self._settling.due(now):
            self._look_at(path, closed=False)
        if self._queue and self._may_work():
            self._work()
        if self._lost and not self._queue and not len(self._settling):
            self._tell_lost()
        if self._has_untold_counts and not self._queue:
            self._beat()

    def _is_retry_due(self) -> bool:
        return self._next_retry_at is not None and self._parts.clock() >= self._next_retry_at

    def _may_work(self) -> bool:
        if self._paused_until is not None and self._parts.clock() >= self._paused_until:
            self._paused_until = None
        return self._paused_until is None and time.monotonic() >= self._store_pause_until

    def _wait(self) -> None:
        """Until something is heard or the next thing is due."""
        if self._end is not None:
            return
        try:
            heard = self._inbox.get(timeout=max(0.0, self._seconds_until_next()))
        except queue.Empty:
            return
        time.sleep(EVENT_PAUSE_SECONDS)
        news: dict[Path, bool] = {}
        while True:
            if heard is not None:
                path, closed = heard
                news[path] = news.get(path, False) or closed
            if self._inbox.empty():
                break
            heard = self._inbox.get()
        for path, closed in news.items():
            # Of a folder itself it is told only that it is gone; another one may have its number.
            if self._roots.pop(path, None) is not None:
                self._next_scan = 0.0
            self._look_at(path, closed=closed)

    def _seconds_until_next(self) -> float:
        now, moment = time.monotonic(), self._parts.clock()
        due = [self._next_scan - now, LOOK_SECONDS]
        next_look = self._settling.next_look()
        if next_look is not None:
            due.append(next_look - now)
        if self._next_retry_at is not None:
            due.append((self._next_retry_at - moment).total_seconds())
        if self._queue:
            due.append(self._seconds_until_work(now, moment))
        return min(due)

    def _seconds_until_work(self, now: float, moment: datetime) -> float:
        pause = 0.0
        if self._paused_until is not None:
            pause = (self._paused_until - moment).total_seconds()
        return max(pause, self._store_pause_until - now)

    def _hear(self, path: Path, closed: bool) -> None:
        self._inbox.put((path, closed))

    def _look_at(self, path: Path, *, closed: bool) -> None:
        """Another look at a file that was heard of or is waited for."""
        self._queue.pop(path, None)
        signature = None
        if self._watched.root_of(path) is not None:
            with contextlib.suppress(OSError):
                status = path.lstat()
                if stat.S_ISDIR(status.st_mode):
                    self._look_into(path)
                    return
                signature = signature_of(status)
                closed = closed or self._is_left_empty(status)
        now = time.monotonic()
        closed = closed or self._settling.is_closed(path, signature)
        if not self._settling.see(path, signature, now, closed=closed) or signature is None:
            return
        identity = signature.device, signature.inode
        must_be_closed = signature.size_bytes == 0 or (self._is_dropped(path) and not closed)
        if must_be_closed and self._writers.are_at(path, identity, now):
            self._settling.wait_anew(path, signature, now)
            self._warn_once("waiting", "info", str(path), "somebody is still writing it")
        else:
            self._queue[path] = None

    def _is_left_empty(self, status: os.stat_result) -> bool:
        """Whether a file has had no byte for so long that no copy of it can be about to begin."""
        age = self._parts.clock().timestamp() - status.st_mtime
        return status.st_size == 0 and age > EMPTY_SETTLE_SECONDS

    def _is_dropped(self, path: Path) -> bool:
        """Whether a file will be moved when it is finished, away from whoever writes it."""
        drop = self._parts.drop_folder
        return drop is not None and drop.folder in path.parents

    def _look_into(self, folder: Path) -> None:
        """A folder that was made or moved in: its files may have come without an event."""
        with contextlib.suppress(MissingPathError):
            for path, _ in self._watched.files_in(folder):
                self._look_at(path, closed=False)

    def _scan(self) -> None:
        """Looks through all folders for what the ledger does not know as it is now."""
        polling = self._polling_reason is not None
        pause = self._settings.poll_seconds if polling else self._settings.rescan_seconds
        self._next_scan = time.monotonic() + pause
        if self._watched.identities() != self._roots:
            self._start_watcher()
        survey = self._watched.survey(self._parts.clock())
        for path in survey.news:
            if path not in self._queue:
                self._look_at(path, closed=False)
        for folder, why in survey.missing:
            self._warn_once("cannot-look", "warning", str(folder), why)
        for found in survey.left:
            self._tell_left(found)
        if self._parts.drop_folder is not None:
            self._parts.drop_folder.remove_emptied()
        self._lost = survey.lost
        self._next_retry_at = survey.next_retry_at
        self._heartbeat = replace(self._heartbeat, on_disk=survey.on_disk, recorded=survey.recorded)

    def _tell_left(self, found: Found) -> None:
        """Says what will lie in the drop folder for good."""
        self._warn_once("ignored", "info", str(found.path), found.reason or "")

    def _tell_lost(self) -> None:
        """Says which known files are gone, once all that came is taken in: some of it may be one of
        them under another name."""
        still_known = self._parts.graph.documents_by_path(self._lost)
        for document in lost_sources(still_known.values()):
            self._warn_once("gone", "info", document.path, WHAT_ENDS_IT)
        self._lost = ()

    def _work(self) -> None:
        """Takes in the files that have waited longest."""
        batch: dict[str, Found] = {}
        for path in list(self._queue)[:BATCH_FILES]:
            del self._queue[path]
            found = self._watched.find(path)
            if found is not None and found.status is DocumentStatus.IGNORED:
                self._tell_left(found)
            elif found is not None:
                batch[str(path)] = found
        if batch:
            self._ingest(batch)

    def _ingest(self, batch: dict[str, Found]) -> None:
        """Takes in a batch; what is left of one that failed is tried file by file."""
        options = replace(
            self._parts.options, should_stop=self._should_stop, breakable=self._reading
        )
        self._tell_large(batch)
        try:
            for receipt in self._parts.ingest(list(batch.values()), options):
                self._finish(receipt)
                batch.pop(receipt.path, None)
        except (StoreError, LockedError) as error:
            self._wait_for_store(error, batch)
        except Exception as error:  # noqa: BLE001 - one bad document never stops the others
            why = " ".join(f"{type(error).__name__}: {error}".split())
            if len(batch) == 1:
                [found] = batch.values()
                try:
                    self._give_up(found, why)
                except (StoreError, LockedError) as refusal:
                    self._wait_for_store(refusal, batch)
                return
            for path, found in batch.items():
                if not self._should_stop():
                    self._ingest({path: found})

    def _wait_for_store(self, error: Exception, batch: Mapping[str, Found]) -> None:
        """What could not be written down is taken up again after a while."""
        self._tell_store(error)
        self._store_pause_until = time.monotonic() + STORE_PAUSE_SECONDS
        self._queue = {Path(path): None for path in batch} | self._queue

    def _tell_large(self, batch: Mapping[str, Found]) -> None:
        """Says which file is being taken in, where that may need more than a moment."""
        sizes = {path: size_of(found.path) for path, found in batch.items()}
        path = max(sizes, key=sizes.__getitem__)
        if sizes[path] >= LARGE_BYTES:
            self._parts.log("reading", path=path, bytes=sizes[path])
            since = self._parts.clock().isoformat()
            self._heartbeat = replace(
                self._heartbeat, in_hand=encodable_text(path), in_hand_since=since
            )
            self._beat()

    def _finish(self, receipt: DocumentReceipt) -> None:
        """Says what became of a file, and moves it where it came by the drop folder."""
        target = None
        drop = self._parts.drop_folder
        if drop is not None and self._is_dropped(Path(receipt.path)):
            try:
                target = drop.settle(receipt)
            except (OSError, ValueError) as error:
                why = (error.strerror if isinstance(error, OSError) else None) or str(error)
                self._warn_once("cannot-move", "error", receipt.path, why)
        if target is not None:
            self._settling.note_moved(Path(receipt.path), time.monotonic())
        self._count(receipt, is_moved=target is not None)
        if receipt.next_attempt_at is not None:
            known = self._next_retry_at or receipt.next_attempt_at
            self._next_retry_at = min(known, receipt.next_attempt_at)
        if receipt.status is DocumentStatus.PENDING and receipt.model_unavailable:
            self._pause(receipt)
        is_news = not receipt.already_ingested or receipt.renamed_from is not None
        if is_news or target is not None:
            self._tell(receipt, target)
        if receipt.status is DocumentStatus.FAILED and receipt.next_attempt_at is None:
            # It changed while it was read, or is gone: no fault of the document's.
            self._look_at(Path(receipt.path), closed=False)

    def _tell(self, receipt: DocumentReceipt, target: Path | None) -> None:
        if receipt.status is not DocumentStatus.DONE and target is None:
            said = (receipt.status, receipt.reason)
            if self._told.get(receipt.path) == said:
                return
            self._told[receipt.path] = said
        else:
            self._told.pop(receipt.path, None)
        self._parts.finished(receipt, target)

    def _warn_once(self, event: str, level: str, path: str, why: str) -> None:
        """Logs what will be tried again at every look, and is no news then."""
        if self._warned.get((event, path)) != why:
            self._warned[event, path] = why
            self._parts.log(event, level=level, path=path, why=why)

    def _count(self, receipt: DocumentReceipt, *, is_moved: bool) -> None:
        """What was moved without being taken in has failed, even if there was nothing to read."""
        self._heartbeat = beat = replace(self._heartbeat, in_hand=None, in_hand_since=None)
        self._has_untold_counts = True
        if receipt.already_ingested:
            return
        if receipt.status is DocumentStatus.DONE:
            self._heartbeat = replace(beat, stored=beat.stored + 1)
        elif is_moved or receipt.status in FAILED_STATUSES:
            self._heartbeat = replace(beat, failed=beat.failed + 1)

    def _pause(self, receipt: DocumentReceipt) -> None:
        """The model cannot be asked at present: nothing is taken in until it may be again."""
        if self._paused_until is not None:
            return
        now = self._parts.clock()
        self._paused_until = receipt.next_attempt_at or now + timedelta(
            seconds=LONGEST_PAUSE_SECONDS
        )
        if receipt.next_attempt_at is None:
            self._parts.renew_budget()
        self._parts.log(
            "paused", level="warning", until=self._paused_until.isoformat(), why=receipt.reason
        )

    def _give_up(self, found: Found, why: str) -> None:
        """A fault of our own in one document: it is recorded and tried again later."""
        parts, receipt = self._parts, receipt_of(found)
        before = parts.graph.document_by_path(receipt.path)
        failed = ledger.failed_document(
            before, receipt.path, why, parts.options.max_attempts, parts.clock()
        )
        receipt.status, receipt.reason = failed.status, why
        receipt.next_attempt_at = failed.next_attempt_at
        with parts.store.operation("ingest", {"paths": [receipt.path]}) as operation:
            operation.record_document(failed)
        self._finish(receipt)

    def _should_stop(self) -> bool:
        return self._end is WatchEnd.STOPPED

    def _beat(self) -> None:
        self._has_untold_counts = False
        self._pulse.beat(BEAT_WAIT_SECONDS)

    def _write_heartbeat(self, wait_seconds: float) -> None:
        """Says how things are now, whichever thread asks."""
        paused = self._paused_until
        heartbeat = replace(
            self._heartbeat,
            seen_at=self._parts.clock().isoformat(),
            waiting=len(self._settling),
            queued=len(self._queue),
            is_polling=self._polling_reason is not None,
            paused_until=None if paused is None else paused.isoformat(),
        )
        self._parts.store.write_facts(
            {HEARTBEAT_FACT: heartbeat.to_json()}, wait_seconds=wait_seconds
        )

    def _tell_store(self, error: Exception) -> None:
        self._parts.log("store", level="warning", error=str(error))

    def end_hard(self) -> None:
        """Says from another thread that the process ends now, in the midst of what it does."""
        self._say_goodbye(WatchEnd.STOPPED, wait_seconds=LAST_WAIT_SECONDS)

    def _say_goodbye(self, end: WatchEnd, *, wait_seconds: float = BEAT_WAIT_SECONDS) -> None:
        if end is WatchEnd.STOPPED:
            stopped_at = self._parts.clock().isoformat()
            self._heartbeat = replace(self._heartbeat, stopped_at=stopped_at)
        self._pulse.beat(wait_seconds, is_last=True)
        beat = self._heartbeat
        self._parts.log(str(end), stored=beat.stored, failed=beat.failed)
