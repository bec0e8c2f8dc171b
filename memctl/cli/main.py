"""Runs one command line and turns every error into one clear message.

This is the only place that catches all exceptions, and the only one beside ``watching`` and the
command ``serve`` that knows about signals. Typer is imported only when a command line is wrong or
asks for help: that takes as long as two short commands.
"""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import sys
from collections.abc import Sequence
from itertools import takewhile
from types import FrameType
from typing import NoReturn

from memctl import __version__
from memctl.cli.errors import (
    AnswerError,
    CommandLineError,
    FaultError,
    MissingWorkingFolderError,
    TerminatedError,
)
from memctl.cli.output import tell
from memctl.cli.session import LendRuntime, Session, SharedOptions, Streams
from memctl.cli.standard_streams import lead_nowhere
from memctl.cli.warm.priority import give_way_to_server
from memctl.errors import ExitCode, MemctlError

HELP = "help"
"""In front of a command's name it is what --help is behind it."""

ROOT_HELP: tuple[list[str], ...] = ([], ["-h"], ["--help"])
VERSION = ["--version"]
"""Command lines that no command answers."""

COMPLETE = "__complete"
"""The word with which shells ask for completion; no command, because nobody types it."""

PRIVATE_MASK = 0o077
"""What memctl writes is for its user alone: folders 0700, files 0600, LanceDB's too."""

LIBRARY_LOG_LEVEL = ("LANCEDB_LOG", "error")
"""LanceDB reads this when it is loaded; its warnings about commits that are tried again mean
nothing to the user."""

LIBRARY_THREADS = ("OPENBLAS_NUM_THREADS", "1")
"""numpy's products of matrices wait actively for each other's threads: measured beside other work
on 2 cores, small ones took 16 s with two threads and 0.9 s with one, large ones 2.6 and 2.9 s."""

OUTPUT_ERRORS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF})
"""What writing on stdout can end with, besides a reader that went away."""


def main(
    arguments: Sequence[str], streams: Streams, lend_runtime: LendRuntime | None = None
) -> ExitCode:
    """Runs one command line and gives its exit status; every error has been printed by then.

    ``lend_runtime`` is for a process that runs many and keeps the store open.
    """
    session = Session(
        streams, SharedOptions(debug="--debug" in arguments), lend_runtime=lend_runtime
    )
    try:
        try:
            _dispatch(arguments, session)
        finally:
            session.close()
        streams.stdout.flush()
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
    except TerminatedError:
        return ExitCode.TERMINATED
    except BrokenPipeError:
        _silence(streams)
        return ExitCode.OK
    except Exception as error:  # noqa: BLE001 - the one place where any fault ends
        return _report(session, arguments, _understood(session, error))
    return session.exit_code


def run_cold() -> NoReturn:
    """Runs the command line of this process in this process."""
    signal.signal(signal.SIGTERM, _terminate)
    os.umask(PRIVATE_MASK)
    os.environ.setdefault(*LIBRARY_LOG_LEVEL)
    give_way_to_server(sys.argv[1:], os.environ)
    code = main(sys.argv[1:], Streams.of_process())
    _end_at_once(code)


def _end_at_once(code: int) -> NoReturn:
    """Without the interpreter's own clean-up, which takes a fifth of the time of a recall once the
    large libraries are loaded: everything has been written and closed by now."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError):
            stream.flush()
    os._exit(code)


def _dispatch(arguments: Sequence[str], session: Session) -> None:
    """Each way imports what it needs, so that the others do not wait for it."""
    words = list(arguments)
    if words[:1] == [HELP]:
        words = [*words[1:], "--help"]
    if words in ROOT_HELP:
        from memctl.cli.root_help import root_help

        session.output.line(root_help())
    elif words == VERSION:
        session.output.line(f"memctl {__version__}")
    elif words[:1] == [COMPLETE]:
        from memctl.cli.completion import completion_lines

        # Behind `help` stands what stands first on other command lines: a command's name.
        wanted = words[2:] if words[1:2] == [HELP] and words[2:] else words[1:]
        for line in completion_lines(wanted, session):
            session.output.line(line)
    else:
        from memctl.cli.direct_call import called_directly

        if not called_directly(words, session):
            from memctl.cli.app import run_command

            run_command(words, session)


def _understood(session: Session, error: Exception) -> MemctlError:
    """What an error means. One of the system that reaches this far is about stdout, or a fault of
    our own: what has a file's name, or comes from a store, has been understood below."""
    if isinstance(error, MemctlError):
        return error
    if isinstance(error, FileNotFoundError) and not _has_working_folder():
        return MissingWorkingFolderError()
    if isinstance(error, OSError) and error.filename is None and error.errno in OUTPUT_ERRORS:
        _silence(session.streams)
        return AnswerError(why=(error.strerror or str(error)).lower())
    return FaultError(why=f"{type(error).__name__}: {error}")


def _has_working_folder() -> bool:
    try:
        os.getcwd()  # noqa: PTH109
    except FileNotFoundError:
        return False
    return True


def _report(session: Session, arguments: Sequence[str], error: MemctlError) -> ExitCode:
    """Says on stderr what went wrong, and to scripts that want JSON on stdout too."""
    if session.options.debug:
        import traceback

        tell(session.streams.stderr, traceback.format_exc())
    session.output.notice(str(error))
    if error.next_step:
        tell(session.streams.stderr, f"  {error.next_step}\n")
    if _wants_json(session, arguments, error) and not session.output.is_answered:
        _print_error(session, error)
    return error.exit_code


def _wants_json(session: Session, arguments: Sequence[str], error: MemctlError) -> bool:
    """Of a command line that is wrong not all options have been read."""
    if isinstance(error, CommandLineError):
        return "--json" in takewhile(lambda word: word != "--", arguments)
    return session.options.as_json


def _print_error(session: Session, error: MemctlError) -> None:
    described = {
        "name": error.name,
        "message": str(error),
        "next_step": error.next_step or None,
        "exit_status": int(error.exit_code),
    }
    try:
        session.output.json({"error": described})
        session.streams.stdout.flush()
    except OSError:
        # stderr has it already, and the exit status is that of what went wrong first.
        _silence(session.streams)


def _terminate(_signal: int, _frame: FrameType | None) -> None:
    raise TerminatedError


def _silence(streams: Streams) -> None:
    """Where stdout takes nothing, the interpreter's last flush must not complain of it."""
    if streams.stdout is sys.stdout:
        lead_nowhere(sys.stdout)
