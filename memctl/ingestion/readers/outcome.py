"""What reading a file comes to: a document, or the named state that stands in its place.

Bad input is an outcome and never an exception: a status other than DONE always has a reason that
fits behind "cannot read <path>:".
"""

from __future__ import annotations

from dataclasses import dataclass

from memctl.document import DocumentStatus
from memctl.extraction.extractor import DocumentText


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOutcome:
    """A file's text, or why there is none.

    ``status`` is DONE (then ``document`` is set), EMPTY, NO_TEXT, ENCRYPTED, UNREADABLE,
    UNSUPPORTED, or FAILED when the machine could not do it now. ``page_count`` and
    ``pages_without_text`` (from 1, ascending) belong to formats with pages. ``warnings`` say what
    was lost or guessed in a file that was read all the same.
    """

    status: DocumentStatus
    reason: str | None = None
    document: DocumentText | None = None
    encoding: str | None = None
    page_count: int | None = None
    pages_without_text: tuple[int, ...] = ()
    warnings: tuple[str, ...] = ()


def refuse(status: DocumentStatus, reason: str) -> ReadOutcome:
    """An outcome without a document."""
    return ReadOutcome(status=status, reason=reason)


def finish(document: DocumentText, warnings: tuple[str, ...] = ()) -> ReadOutcome:
    """DONE with the document, or EMPTY when its text is nothing but blanks."""
    if not document.text.strip():
        return ReadOutcome(
            status=DocumentStatus.EMPTY,
            reason="it holds no text",
            encoding=document.encoding,
            warnings=warnings,
        )
    return ReadOutcome(
        status=DocumentStatus.DONE,
        document=document,
        encoding=document.encoding,
        page_count=len(document.page_first_lines) or None,
        pages_without_text=document.pages_without_text,
        warnings=warnings,
    )
