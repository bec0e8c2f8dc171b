"""Files that belong to the user alone, written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from memctl.errors import WriteError


def write_private_text(path: Path, text: str) -> None:
    """Puts ``text`` at ``path``, 0600, in the place of an older file; a link stays a link.

    Raises WriteError.
    """
    target = path.resolve()
    try:
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        draft = Path(name)
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(target)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise WriteError(path=path, why=(error.strerror or str(error)).lower()) from error
