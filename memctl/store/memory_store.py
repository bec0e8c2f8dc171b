"""The only writer: every change to the store goes through here, and reaches both stores.

A write commits in the database with its journal and outbox rows; ``drain`` brings it to the search
index afterwards. A crash at any point loses nothing committed and leaves nothing that the next
drain does not repair.
"""

from __future__ import annotations

import threading
import uuid
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

from memctl.embedding import Embedder
from memctl.errors import LockedError, ReadOnlyStoreError
from memctl.shared_work import SharedWork
from memctl.store.database import Database
from memctl.store.facts import delete_facts, write_facts
from memctl.store.index import SearchIndex
from memctl.store.index_check import queue_differences
from memctl.store.journal import MakeId
from memctl.store.operation import Operation
from memctl.store.outbox import DRAIN_LOCK, DrainReport, OutboxDrain, Progress
from memctl.store.reads import in_batches
from memctl.store.rows import instant_to_text
from memctl.store.statements import statements
from memctl.store.steps import Checkpoint, Step, no_checkpoint
from memctl.store.text_holders import holders_of, standing_texts

ACCESS_WAIT_SECONDS = 0.5
"""How long counting accesses waits for another writer: about one bulk transaction's end."""


def random_id() -> str:
    """A random UUID as text: prefixes of random ids are short and rarely ambiguous."""
    return str(uuid.uuid4())


class MemoryStore:
    """Writes to an open database and to the index and embedder that it builds when needed."""

    def __init__(
        self,
        database: Database,
        *,
        index_factory: Callable[[], SearchIndex],
        embedder_factory: Callable[[], Embedder],
        checkpoint: Checkpoint = no_checkpoint,
        make_id: MakeId = random_id,
    ) -> None:
        self._database = database
        self._index_factory = index_factory
        self._embedder_factory = embedder_factory
        self._checkpoint = checkpoint
        self._make_id = make_id
        self._backlog = ExitStack()
        self._holds_backlog = False
        self._hands = threading.Lock()
        self._in_hand: Counter[str] = Counter()
        self._tidying_waits = False
        self._shared_drain = SharedWork[str, DrainReport](
            lambda ids: self._make_drain(None).run(ids)
        )

    @contextmanager
    def operation(
        self,
        command: str,
        arguments: Mapping[str, object] | None = None,
        *,
        in_parts: bool = False,
    ) -> Iterator[Operation]:
        """One operation of the journal. ``arguments`` are JSON values and hold no memory's text:
        that stands in the changed rows. One that is ``in_parts`` has several transactions.

        What was committed before an exception stays, and an operation in parts stays unfinished.
        """
        operation = Operation(
            self._database,
            command,
            arguments or {},
            make_id=self._make_id,
            checkpoint=self._checkpoint,
            in_parts=in_parts,
        )
        yield operation
        operation.finish()

    def record_accesses(
        self, ids: Iterable[str], *, wait_seconds: float = ACCESS_WAIT_SECONDS
    ) -> bool:
        """Counts one access for each of the memories, now; not in the journal.

        False when that was not possible, because another process writes for longer than
        ``wait_seconds`` or the store may only be read: nobody waits for a recall's answer
        on account of a count.
        """
        batches = list(in_batches(ids))
        if not batches:
            return True
        try:
            with self._database.writing(wait_seconds=wait_seconds) as connection:
                now = instant_to_text(self._database.clock())
                for batch in batches:
                    connection.execute(statements()["count accesses"], {"ids": batch, "now": now})
                self._checkpoint(Step.ACCESSES_COUNTED)
        except (LockedError, ReadOnlyStoreError):
            return False
        return True

    def write_facts(self, facts: Mapping[str, str], *, wait_seconds: float | None = None) -> None:
        """Sets facts about the store as a whole, such as a daemon's heartbeat. Raises LockedError
        when another process writes for longer than ``wait_seconds`` (that of the store)."""
        with self._database.writing(wait_seconds=wait_seconds) as connection:
            write_facts(connection, facts)

    def hold_backlog(self) -> None:
        """Keeps what is stored from now on for this one's next drain of the backlog: another
        command that wants the index up to date does not begin to embed it.

        Waits for a process that holds it, as long as for any lock of the store; where that is not
        long enough, everything is as without. To be used by one thread.
        """
        if not self._holds_backlog:
            with suppress(LockedError):
                self._backlog.enter_context(self._database.exclusive(DRAIN_LOCK))
                self._holds_backlog = True

    def release_backlog(self) -> None:
        """Leaves the backlog to whoever comes first; a drain of it does so too."""
        self._holds_backlog = False
        self._backlog.close()

    def drain(
        self,
        *,
        only: Iterable[str] | None = None,
        limit: int | None = None,
        wait_seconds: float | None = None,
        on_progress: Progress | None = None,
        more_to_come: bool = False,
    ) -> DrainReport:
        """Brings committed changes to the search index.

        ``only`` these memories' and chunks' ids, whoever else is draining, and together with those
        that other threads of this process bring at the same time: the report is of all of them.
        Else the whole backlog, at most ``limit`` rows of it, unless another process is at work on
        it, or other threads on all that it holds. Waits for the index up to ``wait_seconds``. While
        there is ``more_to_come`` the index is tidied up less often; the first drain after which
        there is not makes up for it. Without anything to drain neither index nor model is loaded.
        Raises nothing that the next drain can put right: see the report's ``error``.
        """
        if only is not None:
            return self._drain_ids(list(only), wait_seconds)
        drain = self._make_drain(
            wait_seconds,
            on_progress=on_progress,
            holds_backlog=self._holds_backlog,
            in_hand=self._ids_in_hand(),
            more_to_come=more_to_come,
            tidying_waits=self._tidying_waits and not more_to_come,
        )
        try:
            report = drain.run(None, limit)
            self._tidying_waits = more_to_come and (self._tidying_waits or report.put > 0)
            return report
        finally:
            self.release_backlog()

    def _drain_ids(self, ids: Sequence[str], wait_seconds: float | None) -> DrainReport:
        with self._taken_in_hand(ids):
            if wait_seconds is not None:
                return self._make_drain(wait_seconds).run(ids)
            return self._shared_drain.do(ids)

    def _make_drain(self, wait_seconds: float | None, **options: Any) -> OutboxDrain:
        return OutboxDrain(
            self._database,
            make_index=self._index_factory,
            make_embedder=self._embedder_factory,
            checkpoint=self._checkpoint,
            wait_seconds=wait_seconds,
            **options,
        )

    def _ids_in_hand(self) -> list[str]:
        """What threads of this process are draining by its ids at this moment."""
        with self._hands:
            return list(self._in_hand)

    @contextmanager
    def _taken_in_hand(self, ids: Sequence[str]) -> Iterator[None]:
        """Keeps others from beginning to drain these ids because they find them in the outbox."""
        with self._hands:
            self._in_hand.update(ids)
        try:
            yield
        finally:
            with self._hands:
                self._in_hand -= Counter(ids)

    def delete_facts(self, keys: Iterable[str]) -> None:
        """Removes facts about the store as a whole."""
        with self._database.writing() as connection:
            delete_facts(connection, keys)

    def standing_texts(self, texts: Sequence[str], chunk_ids: Collection[str]) -> list[str]:
        """Those of the texts that the store holds besides in some passages."""
        with self._database.reading() as connection:
            return standing_texts(connection, texts, chunk_ids)

    def holders_of(self, texts: Sequence[str]) -> list[str]:
        """Which memories hold one of the texts as a part of their own, in words."""
        with self._database.reading() as connection:
            return holders_of(connection, texts)

    def queue_differences(self) -> int:
        """Compares the ids of the database and the index and queues what differs for the next
        drain; returns how many ids that are. For an index that is new beside an old store, was
        moved away, or looks wrong."""
        return queue_differences(self._database, self._index_factory())
