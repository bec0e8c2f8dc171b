"""What a user can ask for about files: to take them in, watch for them, and account for them.

Stands on an opened runtime.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path

from memctl.advice import nearest_path
from memctl.bulk_work import work_in_bulk
from memctl.document import Document, DocumentStatus, Usage
from memctl.errors import UnknownSourceError, WatchError
from memctl.found_files import find_files, most_bytes_of_a_file, own_folder, real_path
from memctl.ingestion.daemon import Daemon
from memctl.ingestion.discovery import Found, discover, signature_of
from memctl.ingestion.drop_folder import FAILED, DropFolder, drop_note_beside
from memctl.ingestion.estimate import Estimate, Estimator
from memctl.ingestion.gone import is_folder, is_gone, lost_sources
from memctl.ingestion.known import KnownMemories
from memctl.ingestion.ledger import NOT_TAKEN_STATUSES, RETRIED_STATUSES
from memctl.ingestion.options import IngestOptions
from memctl.ingestion.pipeline import IngestPipeline
from memctl.ingestion.preview import IngestPreview
from memctl.ingestion.receipt import DocumentReceipt
from memctl.ingestion.watch_parts import Log, WatchParts, WatchSettings
from memctl.ingestion.watched import is_news, resolve_folders
from memctl.model_usage import note_usage
from memctl.runtime import Runtime
from memctl.store.foresight import Foresight


class _TakenBackError(Exception):
    """Ends a transaction of which nothing is to stay."""


@dataclass(frozen=True, slots=True)
class ForgottenSource:
    """The paths of the documents, and the ids of the memories that are hidden now."""

    paths: list[str]
    hidden: list[str]


def _is_left(path: Path, document: Document | None, now: datetime) -> bool:
    try:
        signature = signature_of(path.lstat())
    except OSError:
        return False
    return document is None or is_news(document, signature, now)


class FileRuntime:
    """What can be asked about the files of one store."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._noted = Usage()

    @cached_property
    def pipeline(self) -> IngestPipeline:
        """Files to memories."""
        runtime = self._runtime
        return IngestPipeline(
            store=runtime.store,
            graph=runtime.graph,
            extractor=runtime.extractor,
            measure=lambda: runtime.measure,
            embedder=lambda: runtime.embedder,
            known=KnownMemories(
                runtime.graph,
                index_factory=lambda: runtime.index,
                embedder_factory=lambda: runtime.embedder,
                warn=runtime.warn,
            ),
            associator=runtime.associator,
            clock=runtime.clock,
            warn=runtime.warn,
        )

    def discover(self, paths: Sequence[Path]) -> list[Found]:
        """See ``found_files.find_files``."""
        return find_files(self._runtime.settings, paths, warn=self._runtime.warn)

    def ingest(self, found: Sequence[Found], options: IngestOptions) -> Iterator[DocumentReceipt]:
        """Takes files in and yields a receipt for each."""
        try:
            with work_in_bulk():
                failed = real_path(self._runtime.settings.ingest.drop_folder) / FAILED
                for receipt in self.pipeline.ingest(found, options):
                    path = Path(receipt.path)
                    if receipt.status is DocumentStatus.DONE and failed in path.parents:
                        # It was put right where the drop folder had left it.
                        drop_note_beside(path)
                    yield receipt
        finally:
            self._note_spending()

    def count_left(self, found: Sequence[Found]) -> int:
        """How many of the files another run would read: those that are not in the ledger as they
        look now."""
        now = self._runtime.clock()
        paths = [one.path for one in found if one.status is DocumentStatus.PENDING]
        documents = self._runtime.graph.documents_by_path(map(str, paths))
        return sum(_is_left(path, documents.get(str(path)), now) for path in paths)

    @property
    def caught_up(self) -> int:
        """How many memories that earlier commands had not compared with the others this one has."""
        return self._runtime.associator.caught_up

    def count_uncompared(self) -> int:
        """How many memories are stored and not compared with the others yet."""
        return len(self._runtime.graph.uncompared(None))

    def preview(self, found: Sequence[Found], options: IngestOptions) -> Iterator[DocumentReceipt]:
        """What taking files in would store; a language model is asked all the same."""
        runtime = self._runtime
        has_store = runtime.settings.store.has_database
        preview = IngestPreview(
            graph=runtime.graph if has_store else None,
            foresight=Foresight(runtime.database if has_store else None, clock=runtime.clock),
            extractor=runtime.extractor,
            measure=lambda: runtime.measure,
            clock=runtime.clock,
        )
        return preview.preview(found, options)

    def _note_spending(self) -> None:
        """Keeps what this program's run of the language model has cost."""
        self._noted = note_usage(self._runtime, self._noted)

    @property
    def _max_bytes(self) -> int:
        return most_bytes_of_a_file(self._runtime.settings)

    def ledger(self, paths: Sequence[Path] = ()) -> list[Document]:
        """The documents of these paths, or all; raises UnknownSourceError for a path without."""
        if not paths:
            return self._runtime.graph.documents()
        return [document for path in paths for document in self._documents_of(path)]

    def _documents_of(self, path: Path) -> list[Document]:
        documents = self._runtime.graph.documents(under=str(path.absolute()))
        documents = documents or self._runtime.graph.documents(under=str(real_path(path)))
        if not documents:
            near = nearest_path(
                str(path), (document.path for document in self._runtime.graph.documents())
            )
            advice = "" if near is None else f"; perhaps you mean {near}"
            raise UnknownSourceError(path=str(path), advice=advice)
        return documents

    def lost_sources(self, paths: Sequence[Path]) -> list[Document]:
        """The documents of these paths, and of the folders among them, whose files are gone."""
        documents = {
            document.id: document
            for path in paths
            for document in self._runtime.graph.documents(under=str(real_path(path)))
        }
        return lost_sources(documents.values())

    def to_retry(self, paths: Sequence[Path] = ()) -> list[Found]:
        """The files of all documents that did not come to a good end, or of these paths: then
        those of forgotten sources too, and those that have changed since."""
        max_bytes = self._max_bytes
        retried = RETRIED_STATUSES if paths else NOT_TAKEN_STATUSES
        now = self._runtime.clock()
        found = []
        for document in self.ledger(paths):
            path = Path(document.path)
            has_changed = bool(paths) and _is_left(path, document, now)
            if document.status not in retried and not has_changed:
                continue
            if is_gone(path) or is_folder(path):
                found.append(Found(path=path, status=DocumentStatus.FAILED, reason="it is gone"))
            else:
                found += discover([path], max_bytes=max_bytes)
        return found

    def passage_ids(self, path: Path) -> list[str]:
        """The ids of all passages of the files of a path, also of those that they no longer have.
        Raises UnknownSourceError."""
        documents = self._documents_of(path)
        return self._runtime.graph.passage_ids([document.id for document in documents])

    def forget_source(self, path: Path, *, dry_run: bool) -> ForgottenSource:
        """Hides what only the files of a path had said, and their passages; they are not taken in
        again unless a retry asks for it. A dry run takes all of it back before it is committed.
        Raises UnknownSourceError."""
        documents = self._documents_of(path)
        hidden: list[str] = []
        with (
            suppress(_TakenBackError),
            self._runtime.store.operation(
                "forget-source", {"path": str(path.absolute())}
            ) as operation,
            operation.transaction(),
        ):
            hidden = operation.forget_documents(documents)
            if dry_run:
                raise _TakenBackError
        if not dry_run:
            self._runtime.report(self._runtime.store.drain())
        return ForgottenSource([document.path for document in documents], hidden)

    def estimate(self, found: Sequence[Found], options: IngestOptions) -> Estimate:
        """What taking files in by the language model would cost; raises
        MissingLanguageModelError."""
        model = self._runtime.language_model
        estimator = Estimator(
            self._runtime.graph, extractor_name=model.name, measure=lambda: self._runtime.measure
        )
        estimate = estimator.estimate(found, options)
        estimate.cost_usd = model.price(estimate.input_tokens, estimate.output_tokens)
        return estimate

    def daemon(
        self,
        folders: Sequence[Path],
        options: IngestOptions,
        *,
        log: Log,
        finished: Callable[[DocumentReceipt, Path | None], None],
        may_be_gone: bool = False,
    ) -> Daemon:
        """The watching process; without ``folders`` it watches the drop folder, which is made when
        it is missing. Those that ``may_be_gone`` are absolute and without symbolic links. Raises
        WatchError."""
        ingest = self._runtime.settings.ingest
        drop_path = ingest.drop_folder.absolute()
        if not folders:
            self._make_folder(drop_path)
        is_known = bool(folders) and may_be_gone
        chosen = tuple(folders) if is_known else resolve_folders(folders or [drop_path])
        drop = None
        if real_path(drop_path) in chosen:
            drop = DropFolder(
                real_path(drop_path),
                store=self._runtime.store,
                graph=self._runtime.graph,
                clock=self._runtime.clock,
            )
            options = replace(options, archive_folder=drop.folder)
        settings = WatchSettings(
            folders=chosen,
            rescan_seconds=ingest.rescan_seconds,
            poll_seconds=ingest.poll_seconds,
            max_bytes=self._max_bytes,
            own_folder=own_folder(self._runtime.settings),
        )
        parts = WatchParts(
            database=self._runtime.database,
            store=self._runtime.store,
            graph=self._runtime.graph,
            ingest=self.ingest,
            options=options,
            drop_folder=drop,
            log=log,
            finished=finished,
            renew_budget=lambda: self._runtime.spending.renew(self._runtime.language_model.usage),
            clock=self._runtime.clock,
        )
        return Daemon(settings, parts)

    def _make_folder(self, folder: Path) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise WatchError(path=str(folder), why=why) from error
