"""Errors that only the command line can meet; all others stand in ``errors``."""

from __future__ import annotations

from memctl.errors import ExitCode, MemctlError, NotFoundError


class TerminatedError(BaseException):
    """SIGTERM arrived: unwinds like KeyboardInterrupt."""


class InterruptedIngestError(MemctlError):
    """SIGINT ended the taking in of files. Data: how many are ``known`` now, and how many ``left``
    that the same command would read."""

    exit_code = ExitCode.INTERRUPTED
    action = "take in all files"
    reason = (
        "a signal stopped it; {known:,} are taken in and {left:,} are left, and the same command "
        "goes on from there"
    )


class TerminatedIngestError(InterruptedIngestError):
    """The same by SIGTERM."""

    exit_code = ExitCode.TERMINATED


class InterruptedComparisonError(MemctlError):
    """SIGINT ended the comparison of memories when all files were taken in. Data: ``memories``,
    such as ``3 memories``, which are not compared yet."""

    exit_code = ExitCode.INTERRUPTED
    action = "compare all memories"
    reason = (
        "a signal stopped it; all files are taken in, {memories} not compared with the others yet, "
        "and the same command goes on from there"
    )


class TerminatedComparisonError(InterruptedComparisonError):
    """The same by SIGTERM."""

    exit_code = ExitCode.TERMINATED


class FaultError(MemctlError):
    """Something that memctl did not reckon with; the fault is its own. Data: ``why``."""

    reason = "{why}"
    hint = "This is a fault of memctl's own; run it again with --debug and report what it prints."


class CommandLineError(MemctlError):
    """The command line itself is wrong: an option, an argument, a command's name.

    Data: ``command``, such as ``memctl save``, and ``why``.
    """

    exit_code = ExitCode.USAGE
    action = "run `{command}`"
    reason = "{why}"
    hint = "`{command} --help` shows how."


class PipeError(MemctlError):
    """Stdin is named where files are taken in."""

    exit_code = ExitCode.USAGE
    action = "take in what comes by a pipe"
    reason = "memories cite the file that they are from, and a pipe is none"
    hint = (
        "`memctl save -` remembers it as one statement; write notes of several lines into a file "
        "and name that."
    )


class AddressError(MemctlError):
    """The address of a page is named where files are taken in. Data: ``address``."""

    exit_code = ExitCode.USAGE
    action = "take in {address}"
    reason = "nothing is fetched from an address"
    hint = "Save the page as a file, and name that."


class PassageError(MemctlError):
    """A passage is named where a memory is meant. Data: ``prefix``, ``path``, and ``quoted``: the
    path as a shell takes it."""

    exit_code = ExitCode.USAGE
    action = "hide {prefix!r}"
    reason = "it is a passage of {path}, and no memory"
    hint = (
        "`memctl forget {prefix} --purge` erases it for good, and "
        "`memctl ingest --forget-source {quoted}` hides all that the file says."
    )


class MissingWorkingFolderError(NotFoundError):
    """The folder in which memctl is run is not there any more."""

    action = "find the working folder"
    reason = "it was removed or renamed"
    hint = "Change into another one."


class AnswerError(MemctlError):
    """The answer cannot be written on stdout, whose disk may be full. Data: ``why``."""

    action = "write the answer"
    reason = "{why}"
    hint = "Send it where there is room; `memctl log` shows whether the store was changed."


class EditorError(MemctlError):
    """The user's editor could not be run, or what it left cannot be used.

    Data: ``what``, ``why`` and ``instead``: a sentence about how to do without an editor.
    """

    action = "edit {what}"
    reason = "{why}"
    hint = "VISUAL or EDITOR names the editor's command. {instead}"


class DraftError(EditorError):
    """What was written in the editor cannot be used. Data: ``what``, ``why`` and ``draft``."""

    hint = "Nothing was changed. What you wrote is kept in {draft}"


class UnknownPageError(NotFoundError):
    """The manual has no page of this name. Data: ``topic``."""

    action = "show the page {topic!r}"
    reason = "the manual has none of that name"
    hint = "`memctl man` names all pages; `memctl man settings` shows the settings."
