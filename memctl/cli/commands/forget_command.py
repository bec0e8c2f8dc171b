"""``memctl forget``."""

from __future__ import annotations

from memctl.cli.hiding import run_on_ids
from memctl.cli.options import DryRunOption, IdsArgument
from memctl.cli.session import Session


def forget(session: Session, ids: IdsArgument, dry_run: DryRunOption = False) -> None:
    """Hide memories; `restore` brings them back.

    A forgotten memory is not recalled any more, and taking in its file again does not bring it
    back. Nothing is erased.

    \b
    Examples:
      memctl forget 3fa9
      memctl forget 3fa9 77c1 --dry-run
    """
    run_on_ids(session, "forget", ids, dry_run=dry_run)
