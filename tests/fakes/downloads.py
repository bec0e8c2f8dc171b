"""Downloads for tests: functions that write into a folder, and then stop, hang or fail."""

from __future__ import annotations

import time
from pathlib import Path

from memctl import model_download


def write_and_stop(folder: str, pieces: int) -> None:
    """Some pieces, a tenth of a second apart."""
    (Path(folder) / model_download.STARTED).touch()
    for number in range(pieces):
        time.sleep(0.1)
        (Path(folder) / f"piece-{number}").write_bytes(b"x")


def write_and_hang(folder: str) -> None:
    write_and_stop(folder, 2)
    time.sleep(60)


def write_and_fail(folder: str) -> None:
    write_and_stop(folder, 1)
    raise OSError("the disk is gone")
