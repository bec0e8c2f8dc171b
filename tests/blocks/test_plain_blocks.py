"""What parse_plain makes of plain texts: only what their line breaks and marks plainly say."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.blocks import BlockKind, parse_plain


def texts(text: str) -> list[str]:
    return [block.text for block in parse_plain(text)]


def test_hard_wrapped_lines_are_one_paragraph() -> None:
    text = (
        "The tide gauge at the slipway showed four metres today, which is\n"
        "the highest level that anybody in the harbour office remembers\n"
        "for this month.\n\nNext paragraph.\n"
    )
    blocks = parse_plain(text)
    assert [(block.first_line, block.last_line) for block in blocks] == [(1, 3), (5, 5)]
    assert blocks[0].line_at(blocks[0].text.index("anybody")) == 2


def test_short_separate_lines_stand_for_themselves() -> None:
    assert texts("Call the dentist\nBuy milk\nThe shop closes at six.\n") == [
        "Call the dentist",
        "Buy milk",
        "The shop closes at six.",
    ]


@pytest.mark.parametrize(
    "task",
    [
        "TODO: 牛乳を買う",
        "TODO: 买牛奶",
        "TODO: 우유와 빵 사기",
        "TODO: לקנות חלב",
        "TODO: شراء الحليب",
        "TODO: купить молоко",
        "FIXME: BUY MILK",
    ],
)
@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_a_first_line_with_a_task_is_no_heading_in_any_script(task: str, gap: str) -> None:
    text = f"{task}{gap}新しいサーバーは地下室に設置された。\n\nThe keys hang behind the till.\n"
    blocks = parse_plain(text)
    assert blocks[0].text == task
    assert [(block.kind, block.heading_path) for block in blocks] == [(BlockKind.PARAGRAPH, ())] * 3


def test_letters_without_case_are_no_capitals() -> None:
    """Few capitals among them make no heading; a line all in capitals is one."""
    kinds = [block.kind for block in parse_plain("SHED 倉庫の棚\n\nÜBER DIE KASSE\n\nText.\n")]
    assert kinds == [BlockKind.PARAGRAPH, BlockKind.HEADING, BlockKind.PARAGRAPH]


def test_a_task_without_a_full_stop_ends_with_its_line_where_there_is_room_for_more() -> None:
    lines = [
        "We decided to keep the ledger in the blue cabinet.",
        "TODO: call the roofer about the gutter at the back",
        "TODO: call the roofer about gutter 3",
        "Heron Lane 4 is closed for building work until May.",
    ]
    assert texts("\n".join(lines)) == lines


def test_a_wrapped_task_goes_on_in_the_next_line() -> None:
    text = (
        "TODO: call the roofer about the gutter above the gate in\nHeron Lane before the autumn.\n"
    )
    assert texts(text) == [" ".join(text.split())]


@pytest.mark.parametrize("mark", ["-", "*", "•", "+", "1.", "2)", "–"])
def test_bullets_of_all_kinds_are_items(mark: str) -> None:
    block = parse_plain(f"{mark} sweep the flue\n  and the hearth\n")[0]
    assert (block.kind, block.text, block.last_line) == (
        BlockKind.LIST_ITEM,
        "sweep the flue and the hearth",
        2,
    )


def test_indented_bullets_are_nested() -> None:
    blocks = parse_plain("- one\n  - two\n\t\t- three\n- four\n")
    assert [(block.text, block.level, block.parents) for block in blocks] == [
        ("one", 0, ()),
        ("two", 1, ("one",)),
        ("three", 2, ("one", "two")),
        ("four", 0, ()),
    ]
    assert blocks[0].has_children
    assert not blocks[3].has_children


def test_boxes_need_no_bullet() -> None:
    blocks = parse_plain("[ ] call\n[x] paid\n- [ ] write\n☐ ask\n")
    assert [(block.text, block.checked) for block in blocks] == [
        ("call", False),
        ("paid", True),
        ("write", False),
        ("ask", False),
    ]


def test_name_value_lines_and_time_stamped_lines_stand_for_themselves() -> None:
    text = "Name: Anna\nRole: baker\n14:20 - unloaded\n14:35 - swept\n[09:14] system: lost\n"
    assert texts(text) == text.strip().split("\n")


def test_a_day_with_a_dot_is_no_list_number() -> None:
    block = parse_plain("3. März 2026 war Richtfest.\n")[0]
    assert (block.kind, block.text) == (BlockKind.PARAGRAPH, "3. März 2026 war Richtfest.")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Ovens\n=====\n\nhot\n", "Ovens"),
        ("Ovens\n-----\nhot\n", "Ovens"),
        ("MEETING NOTES\n\nWe met.\n", "MEETING NOTES"),
        ("Open items:\n- flour\n", "Open items"),
        ("Open items:\n\n- flour\n", "Open items"),
    ],
)
def test_plain_headings_are_seen(text: str, title: str) -> None:
    blocks = parse_plain(text)
    assert (blocks[0].kind, blocks[0].text) == (BlockKind.HEADING, title)
    assert blocks[1].heading_path == (title,)


@pytest.mark.parametrize(
    "text",
    [
        "USA\nwon.\n",
        "STOP SHOUTING!\n\nok\n",
        "A sentence: it goes on\nhere.\n",
        "Ende:\n",
    ],
)
def test_what_is_not_plainly_a_heading_is_none(text: str) -> None:
    blocks = parse_plain(text)
    assert all(block.kind is not BlockKind.HEADING for block in blocks)


def test_a_title_over_a_list_ends_with_its_list() -> None:
    blocks = parse_plain("Shopping:\n- milk\n\nThe shop closes at six.\n")
    assert blocks[1].heading_path == ("Shopping",)
    assert blocks[2].heading_path == ()


def test_underlines_rank_by_their_first_use() -> None:
    blocks = parse_plain("Book\n====\n\nPart\n----\n\nx\n\nBook two\n========\n\ny\n")
    assert blocks[2].heading_path == ("Book", "Part")
    assert blocks[4].heading_path == ("Book two",)


def test_quotes_rules_and_fences_are_told_apart() -> None:
    blocks = parse_plain("> said\n> so\n\n* * *\n\n```memctl\nx = 1\n```\n")
    assert [(block.kind, block.text) for block in blocks] == [
        (BlockKind.QUOTE, "said so"),
        (BlockKind.RULE, ""),
        (BlockKind.CODE, "x = 1"),
    ]
    assert blocks[0].quoted
    assert blocks[2].info == "memctl"


def test_a_fence_that_never_closes_is_text() -> None:
    assert all(block.kind is BlockKind.PARAGRAPH for block in parse_plain("```\ncode\n"))


PIECES = st.sampled_from(
    [
        "- ",
        "  ",
        "\t",
        "\n",
        "\n\n",
        "1. ",
        "[ ] ",
        "===",
        "---",
        "Title:",
        "ALL CAPS",
        "> ",
        "```",
        "14:20 - ",
        "a: b",
        "word ",
        "。",
        "漢字",
        ".",
        "*",
        "\r",
        "\0",
        "☑ ",
    ]
)


@given(st.lists(st.one_of(PIECES, st.text(max_size=5)), max_size=60).map("".join))
def test_any_text_gives_blocks_inside_its_lines_in_order(text: str) -> None:
    blocks = parse_plain(text)
    last_line = text.count("\n") + 1
    assert all(1 <= block.first_line <= block.last_line <= last_line for block in blocks)
    starts = [block.first_line for block in blocks]
    assert starts == sorted(starts)
    assert parse_plain(text) == blocks


@given(st.lists(st.text("abc .:-", min_size=1, max_size=12), min_size=1, max_size=12))
def test_no_word_is_lost(lines: list[str]) -> None:
    text = "\n".join(lines)
    letters = [char for char in text if char.isalpha()]
    found = [char for block in parse_plain(text) for char in block.text if char.isalpha()]
    assert sorted(found) == sorted(letters) or len(found) >= len(letters) - text.count("\n") - 1


@pytest.mark.parametrize(
    "lines",
    [
        [
            "Oars: six pairs",
            "boat builder = Sigrid Aas, sigrid@oars.example, weekdays only",
            "Nils has the key",
        ],
        [
            "Oars: six pairs",
            "door code of the boathouse slip: 4711 and the star key",
            "Nils has the key",
        ],
        [
            "Oars: six pairs",
            "The slip is steep and wet in winter",
            "code for the gate of the slip: 4711",
        ],
        [
            "Oars: six pairs",
            "Harbour office: 555 01 99 between nine and noon on weekdays",
            "Crane: 555 01 98",
        ],
    ],
)
def test_a_name_with_its_value_runs_together_with_no_other_line(lines: list[str]) -> None:
    """Neither with the line above it nor with a sentence below it, however long they are."""
    assert [block.text for block in parse_plain("\n".join(lines))] == lines


def test_a_value_that_goes_on_in_small_letters_stays_whole() -> None:
    text = "Harbour office: open between nine and noon on all weekdays,\nbut not in the summer"
    assert len(parse_plain(text)) == 1
