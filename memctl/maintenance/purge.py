"""Erases memories and passages from everything that the store's folder holds, and proves it.

The order matters: first copies of the store that lie beside it lose the text, while the store still
knows it; then the rows are gone and committed, then the search index is rebuilt without
them and the database is written anew, then every byte is read. A run that was stopped leaves the
memories erased from all answers, and the next `maintain` or purge finishes the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
from memctl.store.purge_targets import purge_targets, purge_targets_of_copy
from memctl.store.purging import PurgePlan, plan_purge

MAINTENANCE_LOCK = "maintenance"
"""Held by whoever rebuilds, compacts or purges."""


@dataclass(frozen=True, slots=True)
class PurgeReport:
    """What was erased, and the proof; None where the store lies in no folder of its own.

    ``copies`` are folders with copies of the store from which it was erased, too, ``copy_ids``
    memories that only those had. ``standing`` are lines of the erased passages that stand
    elsewhere in the store as well, and stay there.
    """

    plan: PurgePlan
    proof: Proof | None
    copies: tuple[Path, ...] = ()
    copy_ids: tuple[str, ...] = ()
    standing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PurgedCopies:
    """Where copies of the store were rid of something, and of which texts."""

    folders: tuple[Path, ...] = ()
    texts: tuple[str, ...] = ()


PROVED_LINES = 10_000
"""Lines of whole passages that are looked for at the most, the longest first."""

PurgeCopies = Callable[[Sequence[str], Sequence[str], Sequence[str]], PurgedCopies]
"""Erases memories of these ids, these texts, and passages of these hashes from the copies that lie
beside a store."""


def purge_no_copies(
    _ids: Sequence[str], _texts: Sequence[str], _chunk_hashes: Sequence[str]
) -> PurgedCopies:
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

    def purge(
        self, ids: Sequence[str], chunk_ids: Sequence[str] = (), copy_ids: Sequence[str] = ()
    ) -> PurgeReport:
        """Erases memories, whole passages, and memories that only copies of the store have.

        Raises UnknownMemoryError, LockedError while another process maintains the store, and
        PurgeRemainsError when something else still holds the text.
        """
        with self._database.exclusive(MAINTENANCE_LOCK):
            with self._database.reading() as connection:
                known = purge_targets(connection, ids, chunk_ids)
            copies = self._purge_copies([*known.ids, *copy_ids], known.texts, known.chunk_hashes)
            arguments = {"ids": [*ids, *chunk_ids, *copy_ids]}
            with self._store.operation(PURGE_COMMAND, arguments) as operation:
                plan = operation.purge(ids, chunk_ids)
                if copy_ids:
                    operation.purge_copy(copy_ids, copies.texts, ())
            self.finish()
        proof, standing = self._proof(plan, copies.texts)
        return PurgeReport(plan, proof, copies.folders, tuple(copy_ids), standing)

    def purge_copy(
        self, ids: Sequence[str], texts: Sequence[str], chunk_hashes: Sequence[str]
    ) -> PurgedCopies:
        """Erases from this store, a copy of another one, what is purged there; leaves it alone
        where no byte of it names the memories or holds the texts, nor any row a part of them."""
        if self._folder is None:
            return PurgedCopies()
        with self._database.reading() as connection:
            targets = purge_targets_of_copy(connection, ids, texts, chunk_hashes)
            known = plan_purge(connection, targets)
        is_named = known.memories or search_folder(self._folder, [*ids, *texts]).found
        if not (is_named or known.chunks):
            return PurgedCopies()
        with self._database.exclusive(MAINTENANCE_LOCK):
            copies = self._purge_copies(ids, texts, chunk_hashes)
            with self._store.operation(PURGE_COMMAND, {"ids": list(ids)}) as operation:
                plan = operation.purge_copy(ids, texts, chunk_hashes)
            self.finish()
        erased = (*plan.texts, *plan.stating_lines, *copies.texts)
        return PurgedCopies((self._folder, *copies.folders), erased)

    def finish(self) -> None:
        """Leaves no old file of the store that could hold what was erased.

        The maintenance lock must be held.
        """
        self._store.drain()
        self._rebuild_factory().run()
        self._database.compact(whole=True)
        self._store.delete_facts([PURGING_KEY])

    def _proof(
        self, plan: PurgePlan, texts_of_copies: Sequence[str]
    ) -> tuple[Proof | None, tuple[str, ...]]:
        """The proof, and the lines of whole passages that stand elsewhere in the store, too."""
        if self._folder is None:
            return None, ()
        lines = frozenset(plan.whole_lines[:PROVED_LINES])
        texts = sorted({*plan.texts, *plan.stating_lines, *texts_of_copies, *lines})
        proof = search_folder(self._folder, texts)
        shared = sorted(lines.intersection(proof.texts).difference(plan.texts))
        standing = self._store.standing_texts(shared, plan.whole_chunks)
        if standing:
            texts = sorted({*texts}.difference(standing))
            proof = search_folder(self._folder, texts)
        if proof.found:
            holders = self._store.holders_of(texts)
            own = (str(self._folder / DATABASE_NAME), str(self._folder / INDEX_NAME))
            others = [path for path in proof.found if not (holders and path.startswith(own))]
            raise PurgeRemainsError(where=", ".join([*holders, *others]))
        return proof, tuple(standing)
