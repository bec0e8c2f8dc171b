"""What the system tells of files that appear or change in folders, through watchdog.

Events are hints only: whoever gets them looks at the file. Where the system tells of none (too many
watches, a file system without events), the caller is told why and has to look by itself.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from watchdog.events import FileSystemEvent

Notice = Callable[[Path, bool], None]
"""Gets a path that was written, made or moved in, and whether it is whole: closed by its writer, or
moved in as it is; and a watched folder that was removed. Called from threads of the watcher."""

_WHOLE = frozenset({"closed", "moved"})
_TELLING = frozenset({"created", "modified"}) | _WHOLE
_OF_FOLDERS = frozenset({"created", "moved"})
_REMOVED = "deleted"

STOP_SECONDS = 1.0
"""How long the threads may take to end."""


class FolderWatcher:
    """Watches folders with all that is in them between ``start`` and ``stop``."""

    def __init__(self, notice: Notice) -> None:
        self._notice = notice
        self._observer: Any = None

    def start(self, folders: Sequence[Path]) -> str | None:
        """Begins; returns why the system cannot tell of changes, or None when it does."""
        from watchdog.events import FileSystemEventHandler
        from watchdog.observers import Observer

        _silence_library()
        notice, roots = self._notice, frozenset(map(str, folders))

        class Handler(FileSystemEventHandler):
            def on_any_event(self, event: FileSystemEvent) -> None:
                is_news = not event.is_directory or event.event_type in _OF_FOLDERS
                if is_news and event.event_type in _TELLING:
                    path = event.dest_path or event.src_path
                    notice(Path(os.fsdecode(path)), event.event_type in _WHOLE)
                elif event.event_type == _REMOVED and event.src_path in roots:
                    notice(Path(os.fsdecode(event.src_path)), event.event_type in _WHOLE)

        observer = Observer()
        try:
            for folder in folders:
                observer.schedule(Handler(), str(folder), recursive=True)
            observer.start()
        except OSError as error:
            observer.unschedule_all()
            return error.strerror or str(error)
        self._observer = observer
        return None

    def stop(self) -> None:
        """Ends; no notice comes afterwards."""
        if self._observer is not None:
            self._observer.stop()
            self._observer.join(STOP_SECONDS)
            self._observer = None


def _silence_library() -> None:
    """Its own log lines would stand among ours without their form."""
    logger = logging.getLogger("watchdog")
    logger.handlers[:] = [logging.NullHandler()]
    logger.propagate = False
