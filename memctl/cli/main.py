"""Runs one command line and turns every error into one clear message.

This is the only place that catches all exceptions, and the only one beside ``watching`` that knows
about signals. Typer is imported only when a command line is wrong or asks for help: that takes as
long as two short commands.
"""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import sys
from collections.abc import Sequence
from types import FrameType
from typing import NoReturn

from memctl import __version__
from memctl.cli.output import tell
from memctl.cli.session import LendRuntime, Session, SharedOptions, Streams
from memctl.cli.standard_streams import lead_nowhere, let_go_of_stderr
from memctl.cli.warm.priority import give_way_to_server
from memctl.errors import AnswerError, ExitCode, MemctlError, abridged

NO_WORKING_FOLDER = "cannot find the working folder: it was removed or renamed"

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

INTERNAL_ERROR_HINT = (
    "This is a fault of memctl's own; run it again with --debug and report what it prints."
)


class TerminatedError(BaseException):
    """SIGTERM arrived: unwinds like KeyboardInterrupt."""


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
    except MemctlError as error:
        return _report(session, str(error), error.next_step, error.exit_code)
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
    except TerminatedError:
        return ExitCode.TERMINATED
    except OSError as error:
        return _report_system_error(session, error)
    except Exception as error:  # noqa: BLE001 - the one place where any fault ends
        return _report_fault(session, error)
    return session.exit_code


def run_cold() -> NoReturn:
    """Runs the command line of this process in this process."""
    signal.signal(signal.SIGTERM, _terminate)
    os.umask(PRIVATE_MASK)
    os.environ.setdefault(*LIBRARY_LOG_LEVEL)
    give_way_to_server(sys.argv[1:], os.environ)
    code = main(sys.argv[1:], Streams.of_process())
    if code in {ExitCode.INTERRUPTED, ExitCode.TERMINATED}:
        _end_at_once(code)
    let_go_of_stderr()
    sys.exit(code)


def _end_at_once(code: int) -> NoReturn:
    """Without the interpreter's own clean-up, which takes seconds once the large libraries are
    loaded: everything has been written and closed by now."""
    with contextlib.suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
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

        for line in completion_lines(words[1:], session):
            session.output.line(line)
    else:
        from memctl.cli.direct_call import called_directly

        if not called_directly(words, session):
            from memctl.cli.app import run_command

            run_command(words, session)


def _report_system_error(session: Session, error: OSError) -> ExitCode:
    """One that reaches this far is about stdout, or a fault of our own: what has a file's name, or
    comes from a store, has been understood below."""
    streams = session.streams
    if isinstance(error, BrokenPipeError):
        _silence(streams)
        return ExitCode.OK
    if isinstance(error, FileNotFoundError) and not _has_working_folder():
        return _report(session, NO_WORKING_FOLDER, "Change into another one.", ExitCode.NOT_FOUND)
    if error.filename is not None or error.errno not in OUTPUT_ERRORS:
        return _report_fault(session, error)
    _silence(streams)
    answer = AnswerError(why=(error.strerror or str(error)).lower())
    return _report(session, str(answer), answer.next_step, answer.exit_code)


def _has_working_folder() -> bool:
    try:
        os.getcwd()  # noqa: PTH109
    except FileNotFoundError:
        return False
    return True


def _report_fault(session: Session, error: Exception) -> ExitCode:
    why = abridged(" ".join(f"{type(error).__name__}: {error}".split()))
    return _report(session, f"cannot go on: {why}", INTERNAL_ERROR_HINT, ExitCode.FAILED)


def _report(session: Session, line: str, hint: str, code: ExitCode) -> ExitCode:
    if session.options.debug:
        import traceback

        tell(session.streams.stderr, traceback.format_exc())
    session.output.notice(line)
    if hint:
        tell(session.streams.stderr, f"  {hint}\n")
    return code


def _terminate(_signal: int, _frame: FrameType | None) -> None:
    raise TerminatedError


def _silence(streams: Streams) -> None:
    """Where stdout takes nothing, the interpreter's last flush must not complain of it."""
    if streams.stdout is sys.stdout:
        lead_nowhere(sys.stdout)
