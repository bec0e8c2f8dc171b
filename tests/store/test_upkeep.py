"""When tidying the search index up is due."""

from dataclasses import replace

import pytest

from memctl.store.upkeep import (
    MAXIMUM_FRAGMENTS,
    MAXIMUM_OLD_VERSIONS,
    MAXIMUM_VECTOR_INDEX_PARTS,
    TOLERATED_UNINDEXED_ROWS,
    TOLERATED_WHILE_FILLING,
    VECTOR_INDEX_ROWS,
    TableState,
    is_due,
    pays_vector_index,
)

TIDY = TableState(rows=4_000, fragments=1, old_versions=0, unindexed_rows=0, vector_index_parts=0)


def test_a_tidy_table_is_left_alone():
    assert not is_due(TIDY)


@pytest.mark.parametrize(
    ("change", "limit"),
    [
        ("fragments", MAXIMUM_FRAGMENTS),
        ("old_versions", MAXIMUM_OLD_VERSIONS),
        ("unindexed_rows", TOLERATED_UNINDEXED_ROWS),
    ],
)
def test_each_figure_has_its_limit(change, limit):
    assert not is_due(replace(TIDY, **{change: limit}))
    assert is_due(replace(TIDY, **{change: limit + 1}))


def test_the_first_rows_are_indexed_soon():
    assert is_due(replace(TIDY, rows=1, unindexed_rows=1))
    assert not is_due(replace(TIDY, rows=10, unindexed_rows=5))
    assert is_due(replace(TIDY, rows=10, unindexed_rows=6))


def test_a_large_table_waits_for_a_share_of_new_rows():
    large = replace(TIDY, rows=100_000, vector_index_parts=1)
    assert not is_due(replace(large, unindexed_rows=5_000))
    assert is_due(replace(large, unindexed_rows=5_001))


def test_filling_a_table_in_small_batches_tidies_up_a_bounded_number_of_times():
    state, rewritten = replace(TIDY, rows=0, vector_index_parts=1), 0
    for _ in range(400):
        state = replace(
            state,
            rows=state.rows + 250,
            fragments=state.fragments + 1,
            unindexed_rows=state.unindexed_rows + 250,
        )
        if is_due(state):
            rewritten += state.rows
            state = replace(state, fragments=1, unindexed_rows=0)
    assert rewritten < 30 * state.rows


def test_while_a_table_is_being_filled_it_is_tidied_up_each_time_that_it_has_doubled():
    """Until as many rows wait as a query can be asked to read."""
    state, tidied_at = replace(TIDY, rows=0), []
    for _ in range(40):
        state = replace(state, rows=state.rows + 250, unindexed_rows=state.unindexed_rows + 250)
        if is_due(state, is_filling=True):
            tidied_at.append(state.rows)
            state = replace(state, unindexed_rows=0)
    assert tidied_at == [250, 750, 1_750, 3_750, 7_750]
    waiting = replace(TIDY, rows=20_000, unindexed_rows=TOLERATED_WHILE_FILLING)
    assert not is_due(waiting, is_filling=True)
    assert is_due(waiting)
    assert is_due(replace(waiting, unindexed_rows=waiting.unindexed_rows + 1), is_filling=True)


def test_a_vector_index_pays_for_many_vectors_only():
    assert not pays_vector_index(VECTOR_INDEX_ROWS - 1)
    assert pays_vector_index(VECTOR_INDEX_ROWS)


def test_a_vector_index_in_many_parts_is_to_be_built_anew():
    indexed = replace(TIDY, rows=VECTOR_INDEX_ROWS)
    assert not is_due(replace(indexed, vector_index_parts=MAXIMUM_VECTOR_INDEX_PARTS))
    assert is_due(replace(indexed, vector_index_parts=MAXIMUM_VECTOR_INDEX_PARTS + 1))


def test_the_files_of_a_vector_index_s_parts_do_not_count():
    """Tidying cannot join files that different parts of the index are about."""
    indexed = replace(TIDY, rows=VECTOR_INDEX_ROWS, vector_index_parts=5)
    assert not is_due(replace(indexed, fragments=MAXIMUM_FRAGMENTS + 5))
    assert is_due(replace(indexed, fragments=MAXIMUM_FRAGMENTS + 6))
