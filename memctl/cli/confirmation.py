"""Asks the person at the terminal before something that cannot be undone."""

from __future__ import annotations

from memctl.cli.output import tell
from memctl.cli.session import Session
from memctl.cli.text import inert

YES = frozenset({"y", "yes"})


def is_confirmed(session: Session, question: str) -> bool:
    """Whether the person at the terminal says yes; anything else, and an end of input, is a no.

    Without a terminal on stdin nobody can be asked: a script means what it says.
    """
    stdin, stderr = session.streams.stdin, session.streams.stderr
    if not stdin.isatty():
        return True
    tell(stderr, f"memctl: {inert(question)} [y/N] ")
    stderr.flush()
    return stdin.readline().decode(errors="replace").strip().casefold() in YES
