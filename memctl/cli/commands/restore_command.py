"""``memctl restore``."""

from __future__ import annotations

from memctl.cli.hiding import run_on_ids
from memctl.cli.options import DryRunOption, IdsArgument
from memctl.cli.session import Session


def restore(session: Session, ids: IdsArgument, dry_run: DryRunOption = False) -> None:
    """Bring forgotten memories back.

    \b
    Examples:
      memctl list --forgotten
      memctl restore 3fa9
    """
    run_on_ids(session, "restore", ids, dry_run=dry_run)
