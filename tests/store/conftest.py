"""A store of its own for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from harness import Harness


@pytest.fixture
def harness(tmp_path: Path) -> Iterator[Harness]:
    """An empty store."""
    opened = Harness(tmp_path / "memory")
    yield opened
    opened.close()
