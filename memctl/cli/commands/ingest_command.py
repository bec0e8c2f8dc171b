"""``memctl ingest``."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from memctl.cli.declaration import Argument, Option
from memctl.cli.errors import (
    AddressError,
    CommandLineError,
    InterruptedComparisonError,
    InterruptedIngestError,
    PipeError,
    TerminatedComparisonError,
    TerminatedError,
    TerminatedIngestError,
)
from memctl.cli.inputs import STDIN
from memctl.cli.options import DryRunOption, MaxCallsOption, MaxCostOption
from memctl.cli.session import Session
from memctl.document import DocumentStatus
from memctl.errors import ExitCode
from memctl.found_files import find_files, has_many_new, real_path
from memctl.ingestion.options import IngestOptions
from memctl.ingestion.receipt import FAILED_STATUSES, DocumentReceipt
from memctl.plural import plural

if TYPE_CHECKING:
    from memctl.ingestion.discovery import Found

_ADDRESS = re.compile("(?!file:)([a-z][a-z0-9+.-]+):/+(.*)", re.IGNORECASE | re.DOTALL)
"""An address as a path, in which two slashes are one."""

WATCH_SETTLE_MEMORIES = 256
"""A watching process brings the index up to date more often, so that it can stop in time."""


def ingest(
    session: Session,
    paths: Annotated[
        list[Path] | None,
        Argument(metavar="[PATH]...", help="Files or folders (with all in them)."),
    ] = None,
    dry_run: DryRunOption = False,
    channel: Annotated[
        str | None, Option("--channel", metavar="NAME", help="The channel they belong to.")
    ] = None,
    tag: Annotated[
        list[str] | None, Option("--tag", metavar="TAG", help="A tag for all; may repeat.")
    ] = None,
    password: Annotated[
        str | None,
        Option("--password", metavar="TEXT", prose=True, help="For encrypted PDF files."),
    ] = None,
    estimate: Annotated[
        bool, Option("--estimate", help="Say what asking the language model would cost.")
    ] = False,
    max_calls: MaxCallsOption = None,
    max_cost: MaxCostOption = None,
    status: Annotated[
        bool,
        Option("--status", help="Show what did not come to a good end, or PATHs."),
    ] = False,
    retry: Annotated[
        bool,
        Option("--retry", help="Try again what failed or was given up (in PATHs)."),
    ] = False,
    forget_source: Annotated[
        Path | None,
        Option("--forget-source", metavar="PATH", help="Hide what only this file or folder says."),
    ] = None,
    purge: Annotated[
        bool,
        Option("--purge", help="With --forget-source: erase it for good, from everywhere."),
    ] = False,
    yes: Annotated[bool, Option("--yes", help="With --purge: do not ask at a terminal.")] = False,
    watch: Annotated[
        bool, Option("--watch", help="Take in what appears in PATHs, or in the drop folder.")
    ] = False,
    install_service: Annotated[
        bool, Option("--install-service", help="Keep --watch running as a service of yours.")
    ] = False,
    print_only: Annotated[
        bool, Option("--print", help="With --install-service: show it, write nothing.")
    ] = False,
) -> None:
    """Turn files and folders into memories.

    Text, markdown, PDF, HTML, tables, chats and more are read; the files themselves are never
    changed.
    A file that was taken in before is left alone until it changes: what it says no longer is
    hidden, and a todo whose box is ticked becomes an event, something that was done. A renamed file
    takes its memories along; what a file said that is gone stays, until --forget-source, which
    `memctl undo` takes back, unless --purge erases passages and memories for good. Without a
    language model the built-in rules decide what is worth remembering; every text stays searchable
    word for word. Passwords, keys, card numbers and other secrets are taken out before anything is
    stored: the files alone keep them. A PATH that is missing is named, and the others are taken in.
    Stdin is no PATH: memctl save - remembers what comes by a pipe. A run that is stopped says what
    is left, and the same command goes on from there.

    With --watch it goes on: a file is taken in once it has come to rest. Without a PATH it watches
    the drop folder (setting ingest.drop_folder), in which finished files move to processed/, by
    month, and others to failed/, with the reason beside them, but not while somebody writes them;
    an empty one is given 5 seconds to be filled. Files of other folders stay where they are. It
    answers recall, save, list and others meanwhile, as memctl serve does. SIGTERM, Ctrl-C or the
    end of its terminal end it; SIGHUP has it read its settings again.

    \b
    Examples:
      memctl ingest notes/ report.pdf
      memctl ingest notes/ --dry-run
      memctl ingest notes/ --estimate
      memctl ingest minutes.md --channel board --tag minutes --json
      memctl ingest --status
      memctl ingest --watch notes/
      memctl ingest --install-service
    """
    _check_modes(
        {
            "--status": status,
            "--forget-source": forget_source is not None,
            "--watch": watch,
            "--install-service": install_service,
            "--estimate": estimate,
            "--dry-run": dry_run and forget_source is None,
        }
    )
    _check_combination(
        paths or [], forget_source, install_service, print_only, retry, watch, status
    )
    if purge and forget_source is None:
        raise CommandLineError(command="memctl ingest", why="--purge goes with --forget-source")
    chosen = _Chosen(channel, tuple(tag or ()), password, retry, max_calls, max_cost)
    if status:
        _show_ledger(session, paths or [])
    elif forget_source is not None:
        if purge:
            _purge(session, forget_source, dry_run=dry_run, ask=not yes)
        else:
            _forget(session, forget_source, dry_run=dry_run)
    elif install_service:
        _install(session, paths or [], chosen, print_only=print_only)
    elif watch:
        _watch(session, paths or [], chosen)
    else:
        _take_in(session, paths or [], chosen, estimate=estimate, dry_run=dry_run)


@dataclass(frozen=True, slots=True)
class _Chosen:
    """The options of this run that say how files are taken in."""

    channel: str | None
    tags: tuple[str, ...]
    password: str | None
    retry: bool
    max_calls: int | None
    max_cost: float | None

    def options(self, session: Session) -> IngestOptions:
        """With the settings of the session."""
        settings = session.settings
        return IngestOptions(
            channel_id=self.channel,
            tags=self.tags,
            password=self.password,
            retry=self.retry,
            pdf_timeout_seconds=settings.ingest.pdf_timeout_seconds,
            chunk_tokens=settings.ingest.chunk_tokens,
            max_attempts=settings.ingest.max_attempts,
            max_concurrency=settings.llm.max_concurrency,
        )

    def prepare(self, session: Session) -> None:
        """Bounds what the language model may be asked."""
        session.runtime.limit_spending(max_calls=self.max_calls, max_cost_usd=self.max_cost)

    def words(self) -> list[str]:
        """The options as a command line has them, for a service; a password is left out."""
        words = [] if self.channel is None else ["--channel", self.channel]
        for tag in self.tags:
            words += ["--tag", tag]
        if self.max_calls is not None:
            words += ["--max-calls", str(self.max_calls)]
        if self.max_cost is not None:
            words += ["--max-cost", f"{self.max_cost:g}"]
        return words


def _check_modes(modes: dict[str, bool]) -> None:
    given = [name for name, is_given in modes.items() if is_given]
    if len(given) > 1:
        raise CommandLineError(
            command="memctl ingest", why=f"{' and '.join(given)} exclude each other"
        )


def _check_combination(
    paths: Sequence[Path],
    forget_source: Path | None,
    install_service: bool,
    print_only: bool,
    retry: bool,
    watch: bool,
    status: bool,
) -> None:
    why = None
    if print_only and not install_service:
        why = "--print goes with --install-service"
    elif forget_source is not None and paths:
        why = "--forget-source takes one path and no others"
    elif retry and watch:
        why = "--watch tries again by itself"
    elif retry and status:
        why = "--status and --retry exclude each other"
    if why is not None:
        raise CommandLineError(command="memctl ingest", why=why)
    if STDIN in paths and not STDIN.exists():
        raise PipeError
    for path in paths:
        address = _ADDRESS.match(str(path))
        if address is not None and not status and not os.path.lexists(path):
            raise AddressError(address=f"{address[1]}://{address[2]}")


def _show_ledger(session: Session, paths: Sequence[Path]) -> None:
    from memctl.cli.ledger_views import print_ledger

    print_ledger(session, session.files.ledger(paths), show_all=bool(paths))


def _forget(session: Session, path: Path, *, dry_run: bool) -> None:
    from memctl.cli.ledger_views import print_forgotten

    forgotten = session.files.forget_source(path, dry_run=dry_run)
    print_forgotten(session, forgotten, dry_run=dry_run)


def _purge(session: Session, path: Path, *, dry_run: bool, ask: bool) -> None:
    """Erases all that the files say and nothing else does; they are not taken in again."""
    from memctl.cli.purging import PurgeWish, purge

    wish = PurgeWish(chunk_ids=tuple(session.files.passage_ids(path)))
    purge(session, wish, dry_run=dry_run, ask=ask)
    if not dry_run and session.exit_code == ExitCode.OK:
        session.files.forget_source(path, dry_run=False)


def _install(
    session: Session, folders: Sequence[Path], chosen: _Chosen, *, print_only: bool
) -> None:
    from memctl.cli.service_setup import install_service, service_of

    install_service(session, service_of(session, folders, chosen.words()), print_only=print_only)


def _watch(session: Session, folders: Sequence[Path], chosen: _Chosen) -> None:
    from memctl.cli.watching import watch

    def options(current: Session) -> IngestOptions:
        return replace(chosen.options(current), settle_memories=WATCH_SETTLE_MEMORIES)

    watch(session, folders, options, chosen.prepare)


def _take_in(
    session: Session, paths: Sequence[Path], chosen: _Chosen, *, estimate: bool, dry_run: bool
) -> None:
    found = _found(session, paths, chosen)
    if not (estimate or dry_run or chosen.retry):
        _begin_early(session, found)
    options = chosen.options(session)
    if estimate:
        from memctl.cli.ledger_views import print_estimate

        print_estimate(session, session.files.estimate(found, options))
        return
    chosen.prepare(session)
    receipts: list[DocumentReceipt] = []
    take = session.files.preview if dry_run else session.files.ingest
    to_read = sum(one.status is not DocumentStatus.IGNORED for one in found)
    with (
        _telling_what_is_left(session, paths, found, options, dry_run=dry_run),
        session.output.progress(to_read, "Ingesting") as progress,
    ):
        for receipt in take(found, options):
            receipts.append(receipt)
            if receipt.status is not DocumentStatus.IGNORED:
                progress.advance(Path(receipt.path).name)
    from memctl.cli.ingest_receipts import print_receipts

    # A dry run follows no renamed file, so that it cannot tell which ones are gone.
    lost = [] if dry_run else session.files.lost_sources(paths)
    nothing = "nothing is to be tried again there" if options.retry else "no files there"
    print_receipts(
        session,
        receipts,
        lost=lost,
        caught_up=0 if dry_run else session.files.caught_up,
        dry_run=dry_run,
        nothing=nothing,
    )
    session.exit_code = _exit_code(receipts, paths)


@contextmanager
def _telling_what_is_left(
    session: Session,
    paths: Sequence[Path],
    found: Sequence[Found],
    options: IngestOptions,
    *,
    dry_run: bool,
) -> Iterator[None]:
    """Turns a signal into an error that says how far the run has come; a dry run stores nothing.
    What is stored and not searchable yet becomes so by the next command."""
    try:
        yield
    except (KeyboardInterrupt, TerminatedError) as signal:
        if dry_run:
            raise
        files = session.files
        left = len(files.to_retry(paths)) if options.retry else files.count_left(found)
        total = sum(one.status is DocumentStatus.PENDING for one in found)
        is_interrupt = isinstance(signal, KeyboardInterrupt)
        uncompared = files.count_uncompared()
        if uncompared and not left:
            what = InterruptedComparisonError if is_interrupt else TerminatedComparisonError
            raise what(memories=plural(uncompared, "memory is", "memories are")) from signal
        kind = InterruptedIngestError if is_interrupt else TerminatedIngestError
        raise kind(known=max(total - left, 0), left=left) from signal


def _found(session: Session, paths: Sequence[Path], chosen: _Chosen) -> list[Found]:
    if chosen.retry:
        return session.files.to_retry(paths)
    if not paths:
        raise CommandLineError(
            command="memctl ingest",
            why="no file or folder is named; `memctl ingest --watch` takes in the drop folder",
        )
    return find_files(session.settings, paths, warn=session.output.warn)


def _begin_early(session: Session, found: Sequence[Found]) -> None:
    """Has the embedding model loaded beside the libraries of the store, where it will have much to
    do: it takes about as long as they do."""
    if session.settings.llm.model is None and has_many_new(session.settings, found):
        session.load_embedder_for_many()


def _exit_code(receipts: Sequence[DocumentReceipt], paths: Sequence[Path]) -> ExitCode:
    """A file of an unsupported kind is a failure where it was named itself: folders have pictures
    and programs among their notes."""
    named = {str(form(path)) for path in paths for form in (Path.absolute, real_path)}
    tried = [receipt for receipt in receipts if receipt.status is not DocumentStatus.IGNORED]
    failed = [
        receipt
        for receipt in tried
        if receipt.status in FAILED_STATUSES
        or (receipt.status is DocumentStatus.UNSUPPORTED and receipt.path in named)
    ]
    if not failed:
        return ExitCode.OK
    if len(failed) < len(tried):
        return ExitCode.PARTIAL
    if all(receipt.is_misconfigured for receipt in failed):
        return ExitCode.CONFIGURATION
    model_failed = all(receipt.model_failed for receipt in failed)
    return ExitCode.MODEL if model_failed else ExitCode.FAILED
