"""Leaves a server behind after a cold command, when the settings ask for it."""

from __future__ import annotations

import sys

from memctl.cli.session import Session
from memctl.cli.warm.protocol import AUTOSTARTED, SWITCH

IDLE_MINUTES = 15


def leave_server_behind(session: Session) -> None:
    """Starts `memctl serve` in the background; one that finds another at work ends at once.

    It stays in this command's folder, in which settings may name a relative path. That it cannot be
    started is said; the command that was asked for has been done by then.
    """
    is_wanted = session.settings.daemon.autostart and session.lend_runtime is None
    if not is_wanted or session.streams.environment.get(SWITCH):
        return
    # Few settings ask for it, and it takes long to load.
    import subprocess

    options = {"--store": session.options.store, "--config": session.options.config}
    given = [
        word
        for option, path in options.items()
        if path is not None
        for word in (option, str(path.absolute()))
    ]
    try:
        subprocess.Popen(
            [sys.executable, "-m", "memctl", *given, "serve", "--idle-minutes", str(IDLE_MINUTES)],
            env={**session.streams.environment, AUTOSTARTED: "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as error:
        session.output.warn(f"`memctl serve` cannot be started: {error.strerror}")
