"""The doctor's look at files and folders."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from memctl.doctor.files import check_space
from memctl.doctor.finding import Severity


@pytest.mark.parametrize(
    ("free", "size", "severity"),
    [
        (50_000_000, 1_000_000, None),
        (50_000_000, 45_000_000, Severity.WARNING),
        (5_000_000, 1_000_000, Severity.ERROR),
    ],
)
def test_the_room_that_is_wanted_grows_with_the_store(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    free: int,
    size: int,
    severity: Severity | None,
) -> None:
    """A small store needs little free space, and a large one room for a second index."""
    usage = shutil.disk_usage(tmp_path)._replace(free=free)
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: usage)
    found = [finding.severity for finding in check_space(tmp_path, size)]
    assert found == ([] if severity is None else [severity])
