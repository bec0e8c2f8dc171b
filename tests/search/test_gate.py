"""The gate: raw scores open it, each model with its own thresholds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memctl.search.gate import (
    E5_GATE,
    MINILM_GATE,
    PASS_THRESHOLD,
    degree_of_evidence,
    gate_for,
    understands,
    usual_similarity,
)


def test_a_near_text_passes_without_a_shared_word_and_a_far_one_does_not() -> None:
    assert degree_of_evidence(0.65, 0.0, MINILM_GATE) >= PASS_THRESHOLD
    assert degree_of_evidence(0.3, 0.0, MINILM_GATE) < PASS_THRESHOLD


def test_shared_words_help_a_text_that_is_not_far() -> None:
    assert degree_of_evidence(0.3, 0.6, MINILM_GATE) >= PASS_THRESHOLD
    assert degree_of_evidence(0.1, 0.5, MINILM_GATE) < PASS_THRESHOLD


def test_a_text_that_rises_above_all_others_passes_although_it_is_not_near() -> None:
    """A cosine that is nothing beside its like is much where nothing else comes near it."""
    usual = usual_similarity([0.45, 0.3, 0.15, *[0.1] * 5])
    assert usual == 0.15
    assert degree_of_evidence(0.45, 0.0, MINILM_GATE, usual) >= PASS_THRESHOLD
    assert degree_of_evidence(0.45, 0.0, MINILM_GATE, 0.4) < PASS_THRESHOLD
    assert degree_of_evidence(0.45, 0.0, MINILM_GATE) < PASS_THRESHOLD


def test_a_few_texts_do_not_tell_what_is_usual() -> None:
    assert usual_similarity([]) == 1.0
    assert usual_similarity([0.45, 0.1, 0.1]) == 1.0


def test_all_words_open_the_gate_alone() -> None:
    assert degree_of_evidence(0.0, 1.0, MINILM_GATE) >= PASS_THRESHOLD
    assert degree_of_evidence(None, 0.5, MINILM_GATE) >= PASS_THRESHOLD
    assert degree_of_evidence(None, 0.4, MINILM_GATE) < PASS_THRESHOLD


def test_what_is_near_for_one_model_is_noise_for_another() -> None:
    assert degree_of_evidence(0.75, 0.0, E5_GATE) == 0.0
    assert gate_for("intfloat/multilingual-E5-small") is E5_GATE
    assert gate_for("sentence-transformers/all-MiniLM-L6-v2-int8") is MINILM_GATE
    assert gate_for("unheard of") is MINILM_GATE


def test_the_bundled_model_reads_latin_script_only() -> None:
    for text, is_read in [
        ("Wo ist der Schlüssel?", True),
        ("钥匙在哪里？", False),
        ("где ключ", False),
        ("PostgreSQL を使う", True),
        ("42", True),
    ]:
        assert understands(MINILM_GATE, text) is is_read
        assert understands(E5_GATE, text)


@given(st.one_of(st.none(), st.floats(-1, 1)), st.floats(0, 1), st.floats(-1, 1))
def test_a_degree_lies_between_nothing_and_certainty(
    similarity: float | None, coverage: float, usual: float
) -> None:
    for thresholds in (MINILM_GATE, E5_GATE):
        assert 0 <= degree_of_evidence(similarity, coverage, thresholds, usual) <= 1
