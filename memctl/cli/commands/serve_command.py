"""``memctl serve``."""

from __future__ import annotations

import signal
from typing import Annotated

from memctl.cli.declaration import Option
from memctl.cli.session import Session
from memctl.errors import UsageError, WatcherAnswersError


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
    stop: Annotated[bool, Option("--stop", help="End the server that runs, instead.")] = False,
) -> None:
    """Answer other memctl commands at once, from a process that stays loaded.

    While it runs, recall, save, list, show, forget and context ask it over a socket that only you
    can open, and print the same as without it. MEMCTL_NO_DAEMON=1 keeps a command from asking.
    A running memctl ingest --watch answers them as well.

    memctl status names the server that commands with the same --store and --config ask. --stop
    ends it once it has answered what it has begun; a memctl ingest --watch is named and goes on.

    \b
    Examples:
      memctl serve
      memctl serve --idle-minutes 15 &
      memctl serve --stop
    """
    if stop and idle_minutes is not None:
        raise UsageError(what="end the server", why="--idle-minutes goes with starting one")
    if stop:
        _stop(session)
    else:
        _serve(session, idle_minutes)


def _serve(session: Session, idle_minutes: float | None) -> None:
    from memctl.cli.warm.kept_runtime import WarmRuntime
    from memctl.cli.warm.protocol import AUTOSTARTED
    from memctl.cli.warm.running import ServerKind, session_socket
    from memctl.cli.warm.server import WarmServer

    # A shell without job control starts what it leaves in the background with SIGINT ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    path, environment = session_socket(session), session.streams.environment
    runtime = WarmRuntime(session.settings, session.settings_now)
    kind = ServerKind.AUTOSTARTED if environment.get(AUTOSTARTED) else ServerKind.SERVE
    server = WarmServer(path, runtime, environment, kind)
    try:
        with server.listening(runtime.warm_up):
            session.output.notice(f"answering at {path}; Ctrl-C or `memctl serve --stop` ends it")
            server.run(idle_minutes * 60 if idle_minutes else None)
    finally:
        runtime.close()


def _stop(session: Session) -> None:
    from memctl.cli.warm.running import ServerKind, end_server, running_server, session_socket

    path = session_socket(session)
    server = running_server(path)
    if server is not None:
        if server.kind is ServerKind.WATCH:
            raise WatcherAnswersError(process_id=server.process_id, command=server.kind)
        end_server(path, server)
    output = session.output
    if output.as_json:
        output.json({"stopped": None if server is None else server.to_json()})
    elif server is None:
        output.notice("there is no server that commands with these options ask")
    else:
        output.line(f"Ended: process {server.process_id} ({server.kind})")
    if server is not None and session.settings.daemon.autostart:
        output.tip("daemon.autostart is set: the next recall leaves a server behind again")
