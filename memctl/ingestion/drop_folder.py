"""What becomes of files in the drop folder: `processed/` by month, or `failed/` with the reason.

A file moves only after what it says is committed, and only while it is still the file that was
read. None is ever deleted or written over. The ledger follows the file, so that citations hold and
the next file of the same name is a document of its own: where it cannot, the file stays as well.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial
from glob import escape as glob_escape
from pathlib import Path
from typing import TYPE_CHECKING

from memctl.document import Document, DocumentStatus
from memctl.encodable import encodable_text
from memctl.ingestion.discovery import (
    NAME_IS_NO_TEXT,
    error_note_name,
    fitting_name,
    signature_of,
)
from memctl.ingestion.gone import is_gone
from memctl.ingestion.stability import Signature

if TYPE_CHECKING:
    from memctl.ingestion.receipt import DocumentReceipt
    from memctl.store.graph import Graph
    from memctl.store.memory_store import MemoryStore

PROCESSED = "processed"
FAILED = "failed"

_SOUGHT_CHARACTERS = 60
"""So much of a name's beginning is kept wherever a number is put behind it."""

EMPTIED_PAUSE_SECONDS = 60.0
"""A folder whose last file was moved stays for so long: more may be about to be copied there."""

_ADVICE = {
    DocumentStatus.EMPTY: "There is nothing to remember in it. Fill it and drop it again.",
    DocumentStatus.NO_TEXT: (
        "It holds pictures of text only. Run it through text recognition (OCR) and drop the result."
    ),
    DocumentStatus.ENCRYPTED: "Run `memctl ingest {path} --password TEXT`.",
    DocumentStatus.UNREADABLE: (
        "Open it in the program that it comes from, save it again and drop that."
    ),
    DocumentStatus.UNSUPPORTED: "Save it as text, Markdown, HTML or PDF and drop that.",
    DocumentStatus.QUARANTINED: (
        "When the cause is gone, run `memctl ingest --retry {path}`, or put it back into the drop "
        "folder."
    ),
}
"""What to do about each end that is not a good one: what can change that end."""

_RENAMING_ADVICE = "Give it, and the folders that it lies in, names in UTF-8 and drop it again."


class DropFolder:
    """Moves finished files of one folder."""

    def __init__(
        self, folder: Path, *, store: MemoryStore, graph: Graph, clock: Callable[[], datetime]
    ) -> None:
        self.folder = folder
        self._store = store
        self._graph = graph
        self._clock = clock
        self._emptied: dict[Path, datetime] = {}

    @property
    def archive_folders(self) -> tuple[Path, ...]:
        """Where finished files lie. They only grow, so nothing that runs often looks into them."""
        return (self.folder / PROCESSED, self.folder / FAILED)

    def takes(self, path: Path) -> bool:
        """Whether a path in it is to be ingested: the archive is not, nor is a README at the top,
        which speaks about the folder."""
        parts = path.relative_to(self.folder).parts
        if len(parts) == 1:
            return Path(parts[0]).stem.casefold() != "readme"
        return parts[0] not in {PROCESSED, FAILED}

    def archives(self, status: DocumentStatus) -> bool:
        """Whether the file of a document in this state is moved to the archive."""
        return status is DocumentStatus.DONE or status in _ADVICE

    def settle(self, receipt: DocumentReceipt) -> Path | None:
        """Moves the file that a receipt is about; where to, or None when it stays: it is not
        finished, it changed meanwhile, or it is gone. Raises OSError when it cannot be moved, and
        StoreError and its kinds."""
        if receipt.signature is None and receipt.status not in _ADVICE:
            return None
        if receipt.status is DocumentStatus.DONE:
            month = self._clock().astimezone().strftime("%Y-%m")
            target = self._move(receipt, self.folder / PROCESSED / month)
            if target is not None:
                self._drop_notes(Path(receipt.path))
            return target
        if receipt.status not in _ADVICE:
            return None
        return self._move(receipt, self.folder / FAILED, explain=True)

    def _drop_notes(self, source: Path) -> None:
        """Removes the notes that say why an earlier file of this name was not taken in, once that
        one is no longer beside them: it was put right and dropped again, here or elsewhere."""
        for note in (self.folder / FAILED).rglob(glob_escape(error_note_name(source.name))):
            _drop_stale_note(note.with_name(source.name))

    def remove_emptied(self) -> None:
        """Removes folders from which files were moved, where nothing has come since and none is
        left, and those around them that hold nothing else."""
        now = self._clock()
        for emptied, moment in list(self._emptied.items()):
            if (now - moment).total_seconds() >= EMPTIED_PAUSE_SECONDS:
                del self._emptied[emptied]
                folder = emptied
                while folder != self.folder and _remove_empty(folder):
                    folder = folder.parent

    def repair(self) -> int:
        """Lets the ledger follow files that were moved by a process that ended before it could say
        so; returns how many. Raises StoreError and its kinds."""
        repaired = 0
        archive = list(map(str, self.archive_folders))
        for document in self._graph.documents(under=str(self.folder), outside=archive):
            path = Path(document.path)
            if not self.takes(path) or not is_gone(path):
                continue
            target = next(filter(partial(_holds, document), self._archived(path)), None)
            if target is not None:
                self._follow(document.path, target)
                repaired += 1
        return repaired

    def _archived(self, path: Path) -> Iterator[Path]:
        """Where the file of a path may have been moved to."""
        inside = path.relative_to(self.folder).parent
        months = sorted((self.folder / PROCESSED).glob("*"), reverse=True)
        for folder in (*(month / inside for month in months), self.folder / FAILED / inside):
            beginning = glob_escape(path.stem[:_SOUGHT_CHARACTERS])
            yield from sorted(folder.glob(f"{beginning}*{glob_escape(path.suffix)}"))

    def _move(
        self, receipt: DocumentReceipt, archive: Path, *, explain: bool = False
    ) -> Path | None:
        source = Path(receipt.path)
        before = _look(source)
        if before is None or source.is_symlink() or not source.is_file():
            return None
        if receipt.signature not in {None, before}:
            return None
        if explain:
            _drop_stale_note(self._wanted(receipt, source, archive))
        with contextlib.ExitStack() as undoing:
            target = _reserve(self._wanted(receipt, source, archive))
            undoing.callback(_remove, target, _look(target))
            if explain:
                note = _write_new(_note_of(target), _explain(receipt, target))
                undoing.callback(_remove, note, _look(note))
            source.replace(target)
            undoing.callback(_put_back, target, source)
            if _look(target) != before:
                # Somebody put another file there at that very moment: it has not been read.
                return None
            taken_out = _taken_out(receipt)
            self._follow(receipt.path if taken_out is None else str(taken_out), target)
            undoing.pop_all()
        if source.parent != self.folder:
            self._emptied[source.parent] = self._clock()
        return target

    def _wanted(self, receipt: DocumentReceipt, source: Path, archive: Path) -> Path:
        """Its place in the archive: the one that it had, if it has its name still."""
        taken_out = _taken_out(receipt)
        if taken_out is not None and taken_out.name == source.name:
            return taken_out
        return archive / source.relative_to(self.folder)

    def _follow(self, path: str, target: Path) -> None:
        document = self._graph.document_by_path(path)
        if document is not None:
            with self._store.operation("ingest", {"moved": str(target)}) as operation:
                operation.move_document(document.id, str(target))


def drop_note_beside(path: Path) -> None:
    """Removes the note about a file in `failed/` that was taken in where it lies."""
    with contextlib.suppress(OSError):
        _drop_note(path)


def _drop_stale_note(failed: Path) -> None:
    """Removes the note about a file that is no longer beside it."""
    if not failed.exists():
        _drop_note(failed)


def _drop_note(failed: Path) -> None:
    """Removes the note about a file, and no other one that has its name."""
    note = _note_of(failed)
    if not note.is_file() or note.is_symlink():
        return
    if note.read_bytes().startswith(encodable_text(_opening(failed)).encode()):
        note.unlink()


def _remove_empty(folder: Path) -> bool:
    """Removes a folder; false where something is in it."""
    try:
        folder.rmdir()
    except OSError:
        return False
    return True


def _taken_out(receipt: DocumentReceipt) -> Path | None:
    """The place in the archive from which a known file was put back; None for other files."""
    if receipt.known_path in {None, receipt.path}:
        return None
    place = Path(receipt.known_path or "")
    return place if is_gone(place) else None


def _look(path: Path) -> Signature | None:
    try:
        return signature_of(path.lstat())
    except OSError:
        return None


def _holds(document: Document, path: Path) -> bool:
    """Whether the file holds the bytes of a document."""
    try:
        if path.stat().st_size != document.size_bytes:
            return False
        return hashlib.sha256(path.read_bytes()).hexdigest() == document.content_hash
    except OSError:
        return False


def _reserve(wanted: Path) -> Path:
    """A name that nothing has, as an empty file of our own, near the wanted one."""
    wanted.parent.mkdir(parents=True, exist_ok=True)
    for candidate in _names(wanted):
        with contextlib.suppress(FileExistsError):
            os.close(os.open(candidate, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600))
            return candidate
    raise FileExistsError(str(wanted))


def _remove(path: Path, signature: Signature | None) -> None:
    """Removes a file of our own that is as it was."""
    if signature is not None and _look(path) == signature:
        path.unlink()


def _put_back(target: Path, source: Path) -> None:
    """Moves a file back to its place, or near it where another one has come meanwhile."""
    target.replace(_reserve(source))


def _names(wanted: Path) -> Iterator[Path]:
    yield wanted
    for number in range(2, 100_000):
        yield wanted.with_name(fitting_name(wanted.stem, f"-{number}{wanted.suffix}"))


def _note_of(target: Path) -> Path:
    """Where the note about a file that was not taken in lies."""
    return target.with_name(error_note_name(target.name))


def _write_new(path: Path, text: str) -> Path:
    """Writes a new file near ``path``: all of it, or none."""
    new = _reserve(path)
    try:
        new.write_text(encodable_text(text), encoding="utf-8")
    except OSError:
        new.unlink()
        raise
    return new


def _explain(receipt: DocumentReceipt, target: Path) -> str:
    why = receipt.reason or "nothing in it can be read"
    advice = _ADVICE[receipt.status].format(path=target)
    if receipt.reason == NAME_IS_NO_TEXT:
        advice = _RENAMING_ADVICE
    return (
        f"{_opening(target)} {receipt.status.value.replace('_', ' ')}.\n"
        f"Why: {why}.\n"
        f"What to do: {advice}\n"
    )


def _opening(target: Path) -> str:
    """How the note about a file begins."""
    return f"{target.name} was not taken in:"
