"""Files that belong to the user alone, written whole or not at all."""

from __future__ import annotations

from pathlib import Path

from memctl.errors import WriteError
from memctl.target_file import replacing


def write_private_text(path: Path, text: str) -> None:
    """Puts ``text`` at ``path``, 0600, in the place of an older file; a link stays a link.

    Raises WriteError.
    """
    target = path.resolve()
    try:
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with replacing(target) as draft:
            draft.write(text)
    except OSError as error:
        raise WriteError(path=path, why=(error.strerror or str(error)).lower()) from error
