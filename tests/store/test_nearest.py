"""Many vectors against many rows, in one pass."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from threadpoolctl import threadpool_info

from memctl.memory import EntryKind, MemoryType
from memctl.store.index import IndexEntry
from memctl.store.lance_index import LanceIndex
from memctl.store.nearest import nearest_rows
from memctl.times import utc_now


def unit_rows(count, seed, dimension=8):
    rows = np.random.default_rng(seed).normal(size=(count, dimension)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@given(st.integers(1, 60), st.integers(1, 300), st.integers(1, 12), st.integers(1, 50))
@pytest.mark.slow
def test_one_pass_finds_what_sorting_all_products_finds(row_count, query_count, limit, portion):
    rows, queries = unit_rows(row_count, 1), unit_rows(query_count, 2)
    ids = [f"id{number:03}" for number in range(row_count)]
    portions = [
        (ids[start : start + portion], rows[start : start + portion])
        for start in range(0, row_count, portion)
    ]
    found = nearest_rows(queries, portions, limit)
    for query, hits in zip(queries, found, strict=True):
        scores = rows @ query
        wanted = sorted(scores, reverse=True)[:limit]
        assert [score for _, score in hits] == pytest.approx(wanted, abs=1e-5)
        assert all(
            scores[ids.index(row_id)] == pytest.approx(score, abs=1e-5) for row_id, score in hits
        )


@given(
    st.integers(1, 6_000),
    st.integers(1, 300),
    st.integers(1, 12),
    st.integers(1, 5_000),
    st.sampled_from([-2.0, 0.3, 0.9]),
)
@settings(max_examples=40)
@pytest.mark.slow
def test_equal_scores_at_the_limit_go_by_id_and_what_is_too_far_is_left_out(
    row_count, query_count, limit, portion, least
):
    """Rows of few kinds have many equal scores, in one block of a portion and across blocks."""
    kinds = np.eye(4, dtype=np.float32)
    random = np.random.default_rng(row_count)
    rows = kinds[random.integers(0, 4, row_count)]
    queries = kinds[random.integers(0, 4, query_count)]
    ids = [f"id{number:05}" for number in random.permutation(row_count)]
    portions = [
        (ids[start : start + portion], rows[start : start + portion])
        for start in range(0, row_count, portion)
    ]
    wanted = {
        tuple(kind): sorted(
            (
                (row_id, float(score))
                for row_id, score in zip(ids, rows @ kind, strict=True)
                if score >= least
            ),
            key=lambda hit: (-hit[1], hit[0]),
        )[:limit]
        for kind in kinds
    }
    found = nearest_rows(queries, portions, limit, least)
    assert found == [wanted[tuple(query)] for query in queries]


def test_the_index_gives_the_same_for_many_vectors_as_for_each(tmp_path):
    index = LanceIndex(tmp_path / "index", dimension=8)
    rows = unit_rows(120, 3)
    index.put(
        EntryKind.MEMORY,
        [
            IndexEntry(
                id=f"id{number:03}",
                kind=EntryKind.MEMORY,
                content=f"tray {number}",
                vector=vector if number % 10 else None,
                created_at=utc_now(),
                memory_type=MemoryType.FACT,
            )
            for number, vector in enumerate(rows)
        ],
    )
    queries = list(unit_rows(30, 4))
    together = index.search_vectors(EntryKind.MEMORY, queries, 5)
    for query, hits in zip(queries, together, strict=True):
        alone = index.search_vector(EntryKind.MEMORY, query, 5)
        assert [hit.id for hit in hits] == [hit.id for hit in alone]
        assert [hit.score for hit in hits] == pytest.approx([hit.score for hit in alone], abs=1e-5)
    assert index.search_vectors(EntryKind.CHUNK, queries, 5) == [[]] * 30
    index.close()


def test_the_other_cores_are_left_to_others_only_while_it_is_searched():
    """Threads of BLAS that wait for each other take three times the work beside another process."""

    def thread_counts():
        return [one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas"]

    meanwhile = []

    def portions():
        meanwhile.append(thread_counts())
        yield ["a"], unit_rows(1, 1)

    before = thread_counts()
    nearest_rows(unit_rows(2, 2), portions(), limit=1)
    assert meanwhile == [[1] * len(before)]
    assert thread_counts() == before
