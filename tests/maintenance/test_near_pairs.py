"""Near vectors are found among few exactly, among many nearly always."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from memctl.maintenance import near_pairs as module
from memctl.maintenance.near_pairs import near_pairs


def vectors_with_twins(count: int, twins: int) -> NDArray[np.float32]:
    """Random vectors, the last ``twins`` of cosine .955 with the first ones."""
    generator = np.random.default_rng(1)
    made = generator.standard_normal((count, 64))
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    for number in range(twins):
        base, own = made[number], made[count - twins + number]
        own = own - (own @ base) * base
        made[count - twins + number] = 0.955 * base + np.sqrt(1 - 0.955**2) * own / np.linalg.norm(
            own
        )
    return made.astype(np.float32)


def test_few_vectors_are_compared_all_with_all() -> None:
    vectors = vectors_with_twins(300, 40)
    found = near_pairs(vectors, 0.95)
    assert set(found) == {(number, 260 + number) for number in range(40)}
    assert found[0, 260] == pytest.approx(0.955, abs=1e-4)
    assert near_pairs(vectors[:0], 0.95) == {}


def test_among_many_nearly_all_near_pairs_are_found_and_no_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "EXACT_ROWS", 100)
    monkeypatch.setattr(module, "LEAF_ROWS", 64)
    vectors = vectors_with_twins(3_000, 300)
    found = near_pairs(vectors, 0.95)
    planted = {(number, 2_700 + number) for number in range(300)}
    assert set(found) <= planted
    assert len(found) >= 0.97 * len(planted)
    assert near_pairs(vectors, 0.95) == found


def test_a_thousand_lines_of_one_template_give_few_pairs() -> None:
    same = np.zeros((1_000, 8), dtype=np.float32)
    same[:, 0] = 1.0
    assert 1_000 <= len(near_pairs(same, 0.95)) <= 1_000 * module.MOST_NEIGHBOURS
