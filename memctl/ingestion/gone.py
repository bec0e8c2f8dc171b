"""Files that were taken in and are no longer where they were: removed, or renamed.

What such a file said stays known: that a file is gone says nothing about what it told. Where its
bytes turn up at another path the ledger follows them, and nothing is read from them again.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from memctl.document import IMPORT_EXTRACTOR, Document, DocumentStatus
from memctl.ingestion.ledger import is_settled

if TYPE_CHECKING:
    from memctl.store.graph import Graph

WHAT_ENDS_IT = "`memctl ingest --forget-source PATH` hides what only it said"
"""What a user can do about a file that is gone for good."""

FILE_IS_GONE = f"its file is gone; {WHAT_ENDS_IT}"


def has_lost_file(document: Document) -> bool:
    """Whether the file of a document was there once and is no more.

    A forgotten source is missed by nobody, and an imported document never had its file here. Where
    a folder may not be looked into, nothing is known about its files.
    """
    if document.status is DocumentStatus.IGNORED or document.extractor == IMPORT_EXTRACTOR:
        return False
    return is_gone(Path(document.path))


def is_gone(path: Path) -> bool:
    """Whether it is certain that there is nothing at the path."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False


def is_folder(path: Path) -> bool:
    """Whether a folder is known to be at the path."""
    try:
        return path.is_dir()
    except OSError:
        return False


def lost_sources(documents: Iterable[Document]) -> list[Document]:
    """Those of the documents that memories may rest on and whose files are gone, in their order."""
    return [one for one in documents if one.status is DocumentStatus.DONE and has_lost_file(one)]


def find_renamed(
    graph: Graph, content_hash: str, extractor: str, *, has_password: bool, retry: bool
) -> Document | None:
    """The document of a file with these bytes that is gone from its path, where all that this
    extractor would find in them is known."""
    for document in graph.documents_with_hash(content_hash):
        settled = is_settled(
            document, content_hash, extractor, has_password=has_password, retry=retry
        )
        if settled and document.extractor == extractor and is_gone(Path(document.path)):
            return document
    return None


def known_document(
    graph: Graph,
    known: Document | None,
    content_hash: str,
    extractor: str,
    *,
    has_password: bool,
    retry: bool,
) -> tuple[Document | None, bool]:
    """What the ledger has of a file with these bytes, also where it was renamed since, and whether
    the file would be left alone. ``known`` is what the ledger has of its path."""
    if known is None:
        known = find_renamed(graph, content_hash, extractor, has_password=has_password, retry=retry)
        return known, known is not None
    return known, is_settled(known, content_hash, extractor, has_password=has_password, retry=retry)
