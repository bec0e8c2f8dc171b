"""Rows of tables: the first cell says what a row is about."""

from __future__ import annotations

import pytest

from memctl.association import Relation, Statement, judge
from memctl.association.row import Row, read_row


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("Name: Ada; Room: 12", Row("", ("name", "room"), ("ada", "12"))),
        ("Stock — Rye; Mon: 4; Tue: 5", Row("stock", ("", "mon", "tue"), ("rye", "4", "5"))),
        ("The hut is open; Ada has the key.", None),
        ("Decision: we bake rye; Ada buys flour", None),
        ("Name: Ada", None),
    ],
)
def test_a_row_is_told_by_its_named_cells(text: str, row: Row | None) -> None:
    assert read_row(text) == row


OLD = "Prices — Product: rye bread; Price: 4.20; Weight: 1 kg"


@pytest.mark.parametrize(
    ("new", "relation"),
    [
        ("Prices — Product: wheat bread; Price: 3.80; Weight: 1 kg", Relation.DISTINCT),
        ("Prices — Product: rye bread; Price: 4.60; Weight: 1 kg", Relation.UPDATES),
        ("Prices — Product: rye bread; Price: 4.60; Weight: 2 kg", Relation.RELATED),
        ("Prices — Product: rye bread; Price: 4.20; Weight: 1 kg", Relation.SAME),
    ],
)
def test_only_one_other_cell_of_the_same_row_is_another_value(new: str, relation: Relation) -> None:
    assert judge(Statement(content=new), Statement(content=OLD), 0.98).relation is relation
