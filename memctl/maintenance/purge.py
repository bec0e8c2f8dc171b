"""Erases memories from everything that the store's folder holds, and proves it.

The order matters: first the rows are gone and committed, then the search index is rebuilt without
them and the database is written anew, then every byte is read. A run that was stopped leaves the
memories erased from all answers, and the next `maintain` or purge finishes the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from memctl.errors import PurgeRemainsError
from memctl.store.database import Database
from memctl.store.facts import PURGING_KEY
from memctl.store.index_rebuild import IndexRebuild
from memctl.store.journal_reads import PURGE_COMMAND
from memctl.store.memory_store import MemoryStore
from memctl.store.proof import Proof, search_folder
from memctl.store.purging import PurgePlan

MAINTENANCE_LOCK = "maintenance"
"""Held by whoever rebuilds, compacts or purges."""


@dataclass(frozen=True, slots=True)
class PurgeReport:
    """What was erased, and the proof; None where the store lies in no folder of its own."""

    plan: PurgePlan
    proof: Proof | None


class Purger:
    """Works on one store."""

    def __init__(
        self,
        database: Database,
        store: MemoryStore,
        *,
        rebuild_factory: Callable[[], IndexRebuild],
        folder: Path | None,
    ) -> None:
        """``folder`` is the one that holds database and index, None where they lie elsewhere."""
        self._database = database
        self._store = store
        self._rebuild_factory = rebuild_factory
        self._folder = folder

    def purge(self, ids: Sequence[str]) -> PurgeReport:
        """Erases memories. Raises UnknownMemoryError, LockedError while another process maintains
        the store, and PurgeRemainsError when something else still holds the text."""
        with self._database.exclusive(MAINTENANCE_LOCK):
            with self._store.operation(PURGE_COMMAND, {"ids": list(ids)}) as operation:
                plan = operation.purge(ids)
            self.finish()
        return PurgeReport(plan, self._proof(plan))

    def finish(self) -> None:
        """Leaves no old file of the store that could hold what was erased.

        The maintenance lock must be held.
        """
        self._store.drain()
        self._rebuild_factory().run()
        self._database.compact(whole=True)
        self._store.delete_facts([PURGING_KEY])

    def _proof(self, plan: PurgePlan) -> Proof | None:
        if self._folder is None:
            return None
        proof = search_folder(self._folder, plan.texts)
        if proof.found:
            holders = self._store.holders_of(plan.texts)
            where = ", ".join(holders or proof.found)
            raise PurgeRemainsError(where=where)
        return proof
