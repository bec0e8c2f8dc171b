"""``memctl serve``."""

from __future__ import annotations

from typing import Annotated

from memctl.cli.declaration import Option
from memctl.cli.session import Session


def serve(
    session: Session,
    idle_minutes: Annotated[
        float | None,
        Option(
            "--idle-minutes",
            metavar="N",
            minimum=0,
            help="End after N minutes without a request; never with 0 or when not given.",
        ),
    ] = None,
) -> None:
    """Answer other memctl commands at once, from a process that stays loaded.

    While it runs, recall, save, list, show, forget and context ask it over a socket that only you
    can open, and print the same as without it. MEMCTL_NO_DAEMON=1 keeps a command from asking.
    A running memctl ingest --watch answers them as well.

    \b
    Examples:
      memctl serve
      memctl serve --idle-minutes 15 &
    """
    from memctl.cli.warm.kept_runtime import WarmRuntime
    from memctl.cli.warm.server import WarmServer, session_socket

    path = session_socket(session)
    runtime = WarmRuntime(session.settings, session.settings_now)
    server = WarmServer(path, runtime, session.streams.environment)
    try:
        with server.listening(runtime.warm_up):
            session.output.notice(f"answering at {path}; Ctrl-C ends it")
            server.run(idle_minutes * 60 if idle_minutes else None)
    finally:
        runtime.close()
