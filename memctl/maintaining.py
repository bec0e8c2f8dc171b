"""What a user asks of maintenance, on an open runtime: erasing, and keeping the store in shape."""

from __future__ import annotations

from collections.abc import Sequence

from memctl.maintenance.purge import Purger, PurgeReport
from memctl.runtime import Runtime
from memctl.store.index_rebuild import IndexRebuild
from memctl.store.lance_index import LanceIndex
from memctl.store.outbox import Progress

READER_GRACE_SECONDS = 1.0
"""How long the files of an index that was replaced stay for those who are reading them: many times
the time of a query."""


class Maintaining:
    """The flows of `forget --purge` and `maintain`."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    def purge(self, ids: Sequence[str]) -> PurgeReport:
        """Erases memories and their text everywhere in the store's folder, and proves it.

        Raises LockedError while another process maintains the store, and PurgeRemainsError when
        something else still holds the text.
        """
        return self.purger.purge(ids)

    @property
    def purger(self) -> Purger:
        """What erases."""
        store = self._runtime.settings.store
        is_one_folder = store.database_url is None and store.index_uri is None
        return Purger(
            self._runtime.database,
            self._runtime.store,
            rebuild_factory=lambda: self.rebuild(self._runtime.settings.embedding.model),
            folder=store.path if is_one_folder else None,
        )

    def rebuild(self, model_name: str, on_progress: Progress | None = None) -> IndexRebuild:
        """A rebuild of the search index that embeds with the model of that name."""
        runtime = self._runtime
        is_configured = model_name == runtime.settings.embedding.model
        embedder = runtime.embedder if is_configured else runtime.make_embedder(model_name)

        def dimension() -> int:
            return runtime.dimension() if is_configured else embedder.model.dimension

        return IndexRebuild(
            runtime.database,
            current=runtime.index,
            open_generation=lambda number: LanceIndex(
                runtime.index_uri, dimension=dimension(), generation=lambda: number
            ),
            embedder_factory=lambda: embedder,
            grace_seconds=READER_GRACE_SECONDS,
            on_progress=on_progress,
        )
