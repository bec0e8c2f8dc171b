"""Laid out data becomes blocks that know the keys and entries around them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memctl.blocks import BlockKind, parse_data

LAID_OUT = """\
  boats:

    - heron
      berth: 4
      of:
        - sculls
    - plover

  heating:
    target: 12
    notes: The stove smokes,

        and draws badly.
  - loose
"""


def test_each_value_knows_what_is_around_it() -> None:
    """An entry ends where something stands no deeper than its mark, a member where its key does."""
    blocks = parse_data(LAID_OUT, "boathouse")
    assert [(block.text, block.parents, block.heading_path, block.key) for block in blocks] == [
        ("heron", ("boats",), (), ""),
        ("berth: 4", ("boats", "heron"), (), "berth"),
        ("sculls", ("boats", "heron", "of"), (), ""),
        ("plover", ("boats",), (), ""),
        ("target: 12", ("heating",), ("boathouse",), "target"),
        ("notes: The stove smokes, and draws badly.", ("heating",), ("boathouse",), "notes"),
        ("loose", (), (), ""),
    ]
    assert {block.kind for block in blocks} == {BlockKind.LIST_ITEM, BlockKind.PARAGRAPH}


def test_a_text_of_several_lines_knows_them() -> None:
    notes = parse_data(LAID_OUT)[5]
    assert (notes.first_line, notes.last_line) == (11, 13)
    assert notes.line_at(notes.text.index("smokes")) == 11
    assert notes.line_at(notes.text.index("draws")) == 13


@given(st.text(alphabet=" \n-:ab", max_size=60))
def test_any_text_is_taken_and_blocks_stand_in_order(text: str) -> None:
    blocks = parse_data(text)
    lines = [block.first_line for block in blocks]
    assert lines == sorted(set(lines))
    assert all(block.last_line <= text.count("\n") + 1 for block in blocks)
