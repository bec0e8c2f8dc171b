"""What parse_markdown makes of each kind of block, with lines, context and inline markup."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.blocks import Block, BlockKind, parse_markdown, parse_plain


def only(text: str, kind: BlockKind) -> Block:
    """The one block of a kind."""
    found = [block for block in parse_markdown(text) if block.kind is kind]
    assert len(found) == 1
    return found[0]


def texts(text: str) -> list[str]:
    return [block.text for block in parse_markdown(text)]


def test_headings_nest_and_a_heading_leaves_itself_out_of_its_path() -> None:
    blocks = parse_markdown("# Mast\n\n## Ropes\n\ntext\n\n# Oven\n\nmore\n")
    assert [(block.text, block.heading_path, block.level) for block in blocks] == [
        ("Mast", (), 1),
        ("Ropes", ("Mast",), 2),
        ("text", ("Mast", "Ropes"), 0),
        ("Oven", (), 1),
        ("more", ("Oven",), 0),
    ]


def test_an_underlined_heading_covers_its_underline() -> None:
    heading = only("Kiln\n====\n\nhot\n", BlockKind.HEADING)
    assert (heading.text, heading.first_line, heading.last_line, heading.level) == ("Kiln", 1, 2, 1)


def test_several_lines_over_hyphens_are_a_paragraph_above_a_rule() -> None:
    blocks = parse_markdown("The kiln reaches 1280 degrees\nafter nine hours of firing.\n---\n")
    assert [(block.kind, block.first_line, block.last_line) for block in blocks] == [
        (BlockKind.PARAGRAPH, 1, 2),
        (BlockKind.RULE, 3, 3),
    ]


def test_nested_items_know_their_parents_and_cover_their_own_lines() -> None:
    text = "- one\n  goes on\n  - two\n    - three\n- four\n"
    items = parse_markdown(text)
    assert [
        (item.text, item.first_line, item.last_line, item.level, item.parents, item.has_children)
        for item in items
    ] == [
        ("one goes on", 1, 2, 0, (), True),
        ("two", 3, 3, 1, ("one goes on",), True),
        ("three", 4, 4, 2, ("one goes on", "two"), False),
        ("four", 5, 5, 0, (), False),
    ]


def test_ordered_items_lie_on_their_lines() -> None:
    items = parse_markdown("1. Write\n2. Take photos\n   1. oven\n")
    assert [(item.text, item.first_line) for item in items] == [
        ("Write", 1),
        ("Take photos", 2),
        ("oven", 3),
    ]


def test_a_further_paragraph_of_an_item_has_the_item_as_parent() -> None:
    blocks = parse_markdown("- dark roast\n\n  Never decaf.\n")
    assert [(block.kind, block.text, block.parents) for block in blocks] == [
        (BlockKind.LIST_ITEM, "dark roast", ()),
        (BlockKind.PARAGRAPH, "Never decaf.", ("dark roast",)),
    ]


@pytest.mark.parametrize(
    ("mark", "checked"),
    [("[ ]", False), ("[x]", True), ("[X]", True), ("[-]", True), ("☐", False), ("☑", True)],
)
def test_a_box_tells_an_open_task_from_a_done_one(mark: str, checked: bool) -> None:
    item = only(f"- {mark} sweep the flue\n", BlockKind.LIST_ITEM)
    assert (item.text, item.checked) == ("sweep the flue", checked)


def test_empty_items_and_boxes_are_blocks_without_text() -> None:
    items = parse_markdown("-\n- [ ]\n- \n")
    assert [(item.text, item.checked, item.first_line) for item in items] == [
        ("", None, 1),
        ("", False, 2),
        ("", None, 3),
    ]


def test_a_day_with_a_dot_is_no_list_number() -> None:
    assert texts("3. März 2026: Richtfest\n") == ["3. März 2026: Richtfest"]


def test_a_table_gives_one_block_a_row_with_its_header() -> None:
    text = "| Node | Height |\n|------|-------:|\n| Gannet | 14 m |\n| `a\\|b` |  |\n"
    rows = parse_markdown(text)
    assert [(row.text, row.first_line, row.header) for row in rows] == [
        ("Node: Gannet; Height: 14 m", 3, ("Node", "Height")),
        ("Node: a|b", 4, ("Node", "Height")),
    ]
    assert rows[0].cells == ("Gannet", "14 m")


def test_quotes_and_their_lists_are_marked_as_quoted() -> None:
    blocks = parse_markdown("> said so\n>\n> - a point\n\nmine\n")
    assert [(block.kind, block.quoted) for block in blocks] == [
        (BlockKind.QUOTE, True),
        (BlockKind.LIST_ITEM, True),
        (BlockKind.PARAGRAPH, False),
    ]


def test_the_title_of_a_callout_becomes_the_context_of_its_text() -> None:
    quote = only("> [!note] Colours\n> The ember red is dark.\n", BlockKind.QUOTE)
    assert (quote.text, quote.parents, quote.first_line) == (
        "The ember red is dark.",
        ("Colours",),
        2,
    )


def test_code_keeps_its_text_and_its_info() -> None:
    code = only("```bash title\nmake\n\ntest\n```\n", BlockKind.CODE)
    assert (code.text, code.info, code.first_line, code.last_line) == (
        "make\n\ntest",
        "bash title",
        1,
        5,
    )
    indented = only("para\n\n    make\n    test\n\n", BlockKind.CODE)
    assert (indented.text, indented.first_line, indented.last_line) == ("make\ntest", 3, 4)


def test_each_comment_is_a_block_with_its_text_and_lines() -> None:
    blocks = parse_markdown("<!-- one -->\n<!-- two\nlines --> rest\n\ntext\n")
    assert [(b.kind, b.text, b.first_line, b.last_line) for b in blocks] == [
        (BlockKind.COMMENT, "one", 1, 1),
        (BlockKind.COMMENT, "two\nlines", 2, 3),
        (BlockKind.HTML, "rest", 3, 3),
        (BlockKind.PARAGRAPH, "text", 5, 5),
    ]
    assert only("%% hidden remark %%\n", BlockKind.COMMENT).text == "hidden remark"


def test_html_is_told_without_its_tags() -> None:
    html = only(
        "<details><summary>Old</summary>A <b>video</b> &amp; more</details>", BlockKind.HTML
    )
    assert html.text == "Old A video & more"


def test_front_matter_is_told_apart_from_a_text_between_rules() -> None:
    front = parse_markdown("---\ntitle: Plan\ntags: [a]\n---\n# T\n")[0]
    assert (front.kind, front.text, front.last_line) == (
        BlockKind.FRONT_MATTER,
        "title: Plan\ntags: [a]",
        4,
    )
    blocks = parse_markdown("---\n\nJust a sentence here.\n\n---\n")
    assert [block.kind for block in blocks] == [
        BlockKind.RULE,
        BlockKind.PARAGRAPH,
        BlockKind.RULE,
    ]


@pytest.mark.parametrize(
    ("source", "plain"),
    [
        ("a **bold** _word_", "a bold word"),
        ("see [the plan](plan.md 'title')", "see the plan"),
        ("[[Opening hours]] and [[Menu#Bread|the menu]]", "Opening hours and the menu"),
        ("[[Menu#Bread]]", "Menu > Bread"),
        ("the ![iron oven](oven.png) here ![[oven.png]]", "the iron oven here"),
        ("<https://tern.invalid>", "https://tern.invalid"),
        ("port `8093` and \\*stars\\* &copy;", "port 8093 and *stars* ©"),
        ("==marked== text[^1] %%no%% <b>x</b><!-- c -->", "marked text x"),
        ("the price is ~~4~~ 5 credits", "the price is 5 credits"),
        ("ends here ^block-id", "ends here"),
        ("soft\nbreak", "soft break"),
        (
            "星期一的港口很安静，渔船都停在码头边上，海鸥在栏杆上排成一排，谁也不说\n话。",
            "星期一的港口很安静，渔船都停在码头边上，海鸥在栏杆上排成一排，谁也不说话。",
        ),
    ],
)
def test_inline_markup_is_taken_out(source: str, plain: str) -> None:
    assert texts(source) == [plain]


def test_a_hard_break_begins_a_line_of_its_own() -> None:
    assert texts("Harbour Lane 3  \nPort Lune\n") == ["Harbour Lane 3", "Port Lune"]


def test_footnotes_are_read_where_they_stand() -> None:
    blocks = parse_markdown("Second hand[^shop].\n\n[^shop]: From the ice cream parlour.\n")
    assert [(block.text, block.first_line) for block in blocks] == [
        ("Second hand.", 1),
        ("From the ice cream parlour.", 3),
    ]


def test_a_definition_leads_with_its_term() -> None:
    block = only("Crumb\n: The inside of a loaf.\n", BlockKind.PARAGRAPH)
    assert (block.text, block.lead, block.first_line, block.last_line) == (
        "Crumb: The inside of a loaf.",
        "Crumb",
        1,
        2,
    )


@pytest.mark.parametrize(
    ("source", "lead"),
    [
        ("**Decision:** we stay", "Decision"),
        ("**Decision (2026-03-14):** we stay", "Decision (2026-03-14)"),
        ("**決定：** 港に残る", "決定"),
        ("__Goal__ — grow", "Goal"),
        ("*Note:* mind the step", "Note"),
        ("*softly* said", None),
        ("plain: text", None),
        ("**all of it**", None),
    ],
)
def test_the_lead_is_the_emphasised_start(source: str, lead: str | None) -> None:
    assert only(source, BlockKind.PARAGRAPH).lead == lead


def test_whole_texts_know_their_style() -> None:
    assert only("**never climb in storms**", BlockKind.PARAGRAPH).emphasised
    assert only("~~a forum~~", BlockKind.PARAGRAPH).struck
    assert only("- [Oven](oven.md)\n", BlockKind.LIST_ITEM).link_only
    assert not only("- [Oven](oven.md) is hot\n", BlockKind.LIST_ITEM).link_only
    assert only("`npm run build`", BlockKind.PARAGRAPH).code_only


def test_name_value_lines_and_speakers_stand_for_themselves() -> None:
    text = "**Name:** Anna\n**Role:** baker\n\nuser: a long line without any end of sentence here\n"
    blocks = parse_markdown(text + "assistant: another line that is about as long as the first\n")
    assert [(block.text, block.first_line) for block in blocks] == [
        ("Name: Anna", 1),
        ("Role: baker", 2),
        ("user: a long line without any end of sentence here", 4),
        ("assistant: another line that is about as long as the first", 5),
    ]


def test_a_place_in_the_text_knows_its_line() -> None:
    block = only(
        "The first line of it is here, and it\ngoes on in the second line.\n", BlockKind.PARAGRAPH
    )
    assert block.line_at(0) == 1
    assert block.line_at(block.text.index("goes")) == 2
    assert block.line_at(len(block.text)) == 2


def test_carriage_returns_change_no_line() -> None:
    assert [(b.text, b.first_line) for b in parse_markdown("a\r\n\r\nb\r\n")] == [
        ("a", 1),
        ("b", 3),
    ]


MARKUP = st.sampled_from(
    [
        "# ",
        "- ",
        "1. ",
        "> ",
        "    ",
        "\n",
        "\n\n",
        "|",
        "|-|",
        "```",
        "---",
        "**",
        "~~",
        "[",
        "]",
        "(",
        ")",
        "<!--",
        "-->",
        "`",
        "[ ] ",
        ": ",
        "![[",
        "]]",
        "<b>",
        "%%",
        "==",
        "=",
        "word",
        "é",
        "漢字",
        ".",
        "2026-03-04",
        "\t",
        "&amp;",
        "\\",
        "[^1]",
        "[^1]: ",
        "+++",
        "\r",
        "\0",
    ]
)


@given(st.lists(st.one_of(MARKUP, st.text(max_size=4)), max_size=60).map("".join))
def test_any_text_gives_blocks_inside_its_lines_in_order(text: str) -> None:
    blocks = parse_markdown(text)
    last_line = text.count("\n") + 1
    assert all(1 <= block.first_line <= block.last_line <= last_line for block in blocks)
    starts = [block.first_line for block in blocks]
    assert starts == sorted(starts)
    assert parse_markdown(text) == blocks


@given(st.lists(st.one_of(MARKUP, st.text(max_size=4)), max_size=40).map("".join))
def test_line_offsets_fit_text_and_lines(text: str) -> None:
    for block in parse_markdown(text):
        if block.line_offsets:
            assert len(block.line_offsets) == block.last_line - block.first_line + 1
            assert list(block.line_offsets) == sorted(block.line_offsets)
            assert block.line_offsets[-1] <= len(block.text) + 1


@pytest.mark.parametrize("text", ["Decided to stay.", "Market day", "List all", "Project plan"])
def test_a_numbered_item_that_begins_like_a_month_is_an_item(text: str) -> None:
    assert parse_markdown(f"1. {text}\n")[0].text == text


@pytest.mark.parametrize("day", ["3. März", "1. Dezember", "2. ledna", "4. heinäkuuta", "5. Dec"])
def test_a_numbered_item_that_is_a_day_keeps_its_number(day: str) -> None:
    assert parse_markdown(f"{day}\n")[0].text == day


@pytest.mark.parametrize("parse", [parse_markdown, parse_plain])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "- [x] book the ferry to Gotland\nBeatrix is vegetarian and allergic to hazelnuts.\n",
            [
                ("book the ferry to Gotland", ()),
                ("Beatrix is vegetarian and allergic to hazelnuts.", ()),
            ],
        ),
        (
            "- a b c d\n  - bring the long rope along\nThe boat leaks.\n- e\n",
            [
                ("a b c d", ()),
                ("bring the long rope along", ("a b c d",)),
                ("The boat leaks.", ()),
                ("e", ()),
            ],
        ),
        ("- a long item that goes\non without indentation\n", None),
        (
            "- The first sentence of an item that fills its margin with the\n"
            "Gotland ferry and goes on without indent in another line.\n",
            None,
        ),
        ("- Mara\nShe is a nurse.\n", [("Mara", ()), ("She is a nurse.", ("Mara",))]),
        (
            "- book the ferry to Gotland\n  The ticket is 40 euros.\n",
            [
                ("book the ferry to Gotland", ()),
                ("The ticket is 40 euros.", ("book the ferry to Gotland",)),
            ],
        ),
    ],
)
def test_a_sentence_without_indent_below_a_complete_item_is_none_of_it(
    parse: Callable[[str], list[Block]],
    text: str,
    expected: list[tuple[str, tuple[str, ...]]] | None,
) -> None:
    """A wrapped item stays one, and a short item is the title of what is said below it."""
    whole = [(" ".join(text.removeprefix("- ").split()), ())]

    assert [(block.text, block.parents) for block in parse(text)] == (expected or whole)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The saw is <old> and good.", "The saw is <old> and good."),
        ("The page shows <strong>Connected</strong> now.", "The page shows Connected now."),
        ('The page <img src="a.png"> shows it.', "The page shows it."),
        ("One<br>two", "One; two"),
        ("The <dark red> paint\nis for the door.", "The <dark red> paint is for the door."),
    ],
)
def test_only_what_is_a_tag_is_taken_for_one(text: str, expected: str) -> None:
    assert [block.text for block in parse_markdown(text)] == [expected]


@pytest.mark.parametrize(
    ("text", "is_struck"),
    [
        ("- ~~Tar the roof~~ done", True),
        ("- ~~Tar the roof~~ (erledigt von Nils am 3. Mai)", True),
        ("- [ ] ~~Tar the roof~~ ✓", True),
        ("| who | what |\n|---|---|\n| Nils | ~~Tar the roof~~ done |", True),
        ("| what | who | state |\n|---|---|---|\n| ~~Tar the roof~~ | Nils | |", True),
        ("| what | price |\n|---|---|\n| tar | ~~12~~ 14 |", False),
        ("- The roof is tarred on ~~Monday~~ Tuesday", False),
        ("- ~~Monday~~ Tuesday", False),
        ("- ~~Cancelled:~~ The roof is tarred", False),
    ],
)
def test_what_is_struck_through_as_done_is_taken_back(text: str, is_struck: bool) -> None:
    """Also where a word behind it says why, and in a cell of a table; a corrected word is not."""
    block = parse_markdown(text)[-1]
    assert block.struck is is_struck
    if not is_struck:
        assert "12" not in block.text
        assert "Monday" not in block.text
