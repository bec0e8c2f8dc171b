"""Tokens estimated without a model."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.context.tokens import estimate_tokens


@given(st.text(), st.text())
def test_lines_add_up(first: str, second: str) -> None:
    together = estimate_tokens(f"{first}\n{second}")
    assert together == estimate_tokens(f"{first}\n") + estimate_tokens(second)


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ("We chose PostgreSQL for billing, because the reports need joins.", 13),
        ("Rechtsschutzversicherung und Versicherungsgesellschaft", 15),
        ("我们选择了新的计费数据库", 17),
        ("Мы выбрали базу данных", 9),
        ("192.168.7.1", 7),
        ("", 0),
    ],
)
def test_the_estimate_is_not_below_what_large_models_count(text: str, counted: int) -> None:
    """The counts are the highest of cl100k, o200k, Claude's published one and DeepSeek's."""
    assert counted <= estimate_tokens(text) <= 2.6 * counted
