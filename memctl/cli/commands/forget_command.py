"""``memctl forget``."""

from __future__ import annotations

from collections.abc import Sequence
from shlex import quote
from typing import Annotated

from memctl.cli.declaration import Option
from memctl.cli.errors import PassageError
from memctl.cli.hiding import run_on_ids
from memctl.cli.options import DryRunOption, IdsArgument
from memctl.cli.render import near_path
from memctl.cli.session import Session
from memctl.errors import UnknownMemoryError


def forget(
    session: Session,
    ids: IdsArgument,
    purge: Annotated[
        bool,
        Option("--purge", help="Erase them and their text for good, from everywhere."),
    ] = False,
    yes: Annotated[bool, Option("--yes", help="With --purge: do not ask at a terminal.")] = False,
    dry_run: DryRunOption = False,
) -> None:
    """Hide memories; `restore` brings them back.

    A forgotten memory is not recalled any more, and taking in its file again does not bring it
    back. Nothing is erased, unless --purge says so: that takes the text out of the memories, the
    passages, the journal, the search index and stores that a backup has replaced, reads every
    byte of the store's folder to prove it, and cannot be undone; at a terminal it asks first,
    unless --yes is given, and in a script it does not. Memories whose saving was undone, or that
    only a replaced store has, can be named too, and passages by the ids that recall shows: such a
    passage goes as a whole, with the memories that nothing else states. Files outside, backups
    among them, are never touched. A file that is as it was is known by the checksums of its parts
    and not read again; but nothing else tells that a text was purged, so saving or importing it
    later, changing that part of a file which still says it, or `memctl ingest --retry FILE` after
    `--forget-source FILE`, stores it as new.

    \b
    Examples:
      memctl forget 3fa9
      memctl forget 3fa9 77c1 --dry-run
      memctl forget 3fa9 --purge
    """
    if purge:
        _purge(session, ids, dry_run=dry_run, ask=not yes)
    else:
        _refuse_passages(session, ids)
        run_on_ids(session, "forget", ids, dry_run=dry_run)


def _purge(session: Session, ids: Sequence[str], *, dry_run: bool, ask: bool) -> None:
    from memctl.cli.purging import PurgeWish, purge

    purge(session, PurgeWish.of_prefixes(session, ids), dry_run=dry_run, ask=ask)


def _refuse_passages(session: Session, ids: Sequence[str]) -> None:
    """A passage cannot be hidden alone. Raises PassageError for the first id that is one."""
    graph = session.runtime.graph
    for prefix in ids:
        try:
            graph.resolve(prefix, include_forgotten=True)
        except UnknownMemoryError:
            passage = graph.find_passage(prefix)
            if passage is not None:
                raise PassageError(
                    prefix=prefix, path=near_path(passage.path), quoted=quote(passage.path)
                ) from None
