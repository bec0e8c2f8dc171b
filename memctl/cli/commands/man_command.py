"""``memctl man``."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

from memctl.cli.declaration import Argument, Option
from memctl.cli.errors import UnknownPageError
from memctl.cli.manual.page import Page
from memctl.cli.manual.pages import page_of
from memctl.cli.manual.plain import to_plain
from memctl.cli.manual.roff import to_roff
from memctl.cli.session import Session


def man(
    session: Session,
    topic: Annotated[
        str, Argument(metavar="COMMAND", help="A command, or settings; memctl if not given.")
    ] = "",
    roff: Annotated[
        bool, Option("--roff", help="Print the page's source instead, for man and mandoc.")
    ] = False,
) -> None:
    """Show a page of the manual.

    On a terminal the man program shows it; in a pipe, or without that program, it is plain text.

    \b
    Examples:
      memctl man
      memctl man recall
      memctl man settings
    """
    page = page_of(topic)
    if page is None:
        raise UnknownPageError(topic=topic)
    output = session.output
    if roff:
        output.line(to_roff(page).removesuffix("\n"))
    elif output.as_json:
        output.json(
            {
                "name": page.name,
                "section": page.number,
                "summary": page.summary,
                "text": to_plain(page, output.width),
            }
        )
    elif not _is_shown_by_man(session, page):
        output.line(to_plain(page, output.width))


def _is_shown_by_man(session: Session, page: Page) -> bool:
    """Shows the page with the man program, where there is a terminal to show it on."""
    program = shutil.which("man")
    if program is None or session.streams.stdout is not sys.stdout or not sys.stdout.isatty():
        return False
    with TemporaryDirectory(prefix="memctl-man-") as folder:
        path = Path(folder, page.file_name)
        path.write_text(to_roff(page), encoding="utf-8")
        shown = subprocess.run([program, "-l", path], stderr=subprocess.DEVNULL, check=False)
    return shown.returncode == 0
