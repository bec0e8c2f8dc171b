"""Erases memories from everything that the store's folder holds, and proves it.

The order matters: first copies of the store that lie beside it lose the text, while the store still
knows it; then the rows are gone and committed, then the search index is rebuilt without
them and the database is written anew, then every byte is read. A run that was stopped leaves the
memories erased from all answers, and the next `maintain` or purge finishes the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from memctl.config import DATABASE_NAME, INDEX_NAME
from memctl.errors import PurgeRemainsError
from memctl.store.database import Database
from memctl.store.facts import PURGING_KEY
from memctl.store.index_rebuild import IndexRebuild
from memctl.store.journal_reads import PURGE_COMMAND
from memctl.store.memory_store import MemoryStore
from memctl.store.proof import Proof, search_folder
from memctl.store.purging import (
    PurgePlan,
    plan_purge,
    purge_targets,
    purge_targets_of_copy,
)

MAINTENANCE_LOCK = "maintenance"
"""Held by whoever rebuilds, compacts or purges."""


@dataclass(frozen=True, slots=True)
class PurgeReport:
    """What was erased, and the proof; None where the store lies in no folder of its own.
    ``copies`` are folders with copies of the store from which it was erased, too."""

    plan: PurgePlan
    proof: Proof | None
    copies: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class PurgedCopies:
    """Where copies of the store were rid of something, and of which texts."""

    folders: tuple[Path, ...] = ()
    texts: tuple[str, ...] = ()


PurgeCopies = Callable[[Sequence[str], Sequence[str]], PurgedCopies]
"""Erases memories of these ids and these texts from the copies that lie beside a store."""


def purge_no_copies(_ids: Sequence[str], _texts: Sequence[str]) -> PurgedCopies:
    """There are no copies."""
    return PurgedCopies()


class Purger:
    """Works on one store."""

    def __init__(
        self,
        database: Database,
        store: MemoryStore,
        *,
        rebuild_factory: Callable[[], IndexRebuild],
        folder: Path | None,
        purge_copies: PurgeCopies = purge_no_copies,
    ) -> None:
        """``folder`` is the one that holds database and index, None where they lie elsewhere."""
        self._database = database
        self._store = store
        self._rebuild_factory = rebuild_factory
        self._folder = folder
        self._purge_copies = purge_copies

    def purge(self, ids: Sequence[str]) -> PurgeReport:
        """Erases memories. Raises UnknownMemoryError, LockedError while another process maintains
        the store, and PurgeRemainsError when something else still holds the text."""
        with self._database.exclusive(MAINTENANCE_LOCK):
            with self._database.reading() as connection:
                known = purge_targets(connection, ids)
            copies = self._purge_copies(known.ids, known.texts)
            with self._store.operation(PURGE_COMMAND, {"ids": list(ids)}) as operation:
                plan = operation.purge(ids)
            self.finish()
        proof = self._proof({*plan.texts, *plan.lines, *copies.texts})
        return PurgeReport(plan, proof, copies.folders)

    def purge_copy(self, ids: Sequence[str], texts: Sequence[str]) -> PurgedCopies:
        """Erases from this store, a copy of another one, what is purged there; leaves it alone
        where no byte of it names the memories or holds the texts, nor any row a part of them."""
        if self._folder is None:
            return PurgedCopies()
        with self._database.reading() as connection:
            known = plan_purge(connection, purge_targets_of_copy(connection, ids, texts))
        is_named = known.memories or search_folder(self._folder, [*ids, *texts]).found
        if not (is_named or known.chunks):
            return PurgedCopies()
        with self._database.exclusive(MAINTENANCE_LOCK):
            copies = self._purge_copies(ids, texts)
            with self._store.operation(PURGE_COMMAND, {"ids": list(ids)}) as operation:
                plan = operation.purge_copy(ids, texts)
            self.finish()
        erased = (*plan.texts, *plan.lines, *copies.texts)
        return PurgedCopies((self._folder, *copies.folders), erased)

    def finish(self) -> None:
        """Leaves no old file of the store that could hold what was erased.

        The maintenance lock must be held.
        """
        self._store.drain()
        self._rebuild_factory().run()
        self._database.compact(whole=True)
        self._store.delete_facts([PURGING_KEY])

    def _proof(self, erased: Collection[str]) -> Proof | None:
        if self._folder is None:
            return None
        texts = sorted(erased)
        proof = search_folder(self._folder, texts)
        if proof.found:
            holders = self._store.holders_of(texts)
            own = (str(self._folder / DATABASE_NAME), str(self._folder / INDEX_NAME))
            others = [path for path in proof.found if not (holders and path.startswith(own))]
            raise PurgeRemainsError(where=", ".join([*holders, *others]))
        return proof
