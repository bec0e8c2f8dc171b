"""Hostile and huge texts: no recursion error, and time that grows with the length alone."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from memctl.blocks import Block, parse_markdown, parse_plain

DOUBLING_LIMIT = 3.5
"""Twice the text may take so many times as long; quadratic time would be 4 and more."""

NOISE_SECONDS = 0.15
"""Shorter runs say nothing about growth."""

HOSTILE = {
    "brackets": lambda n: "[" * n,
    "wiki brackets": lambda n: "[[x" * n,
    "images": lambda n: "![a" * n,
    "half links": lambda n: "[a](b" * n,
    "stars": lambda n: "*a **b " * n,
    "underscores": lambda n: "_a" * n,
    "backticks": lambda n: "".join("`" * (1 + i % 50) + "a" for i in range(n // 10)),
    "angles": lambda n: "<a " * n,
    "comments": lambda n: "<!--a" * n,
    "entities": lambda n: "&amp;" * n,
    "notes": lambda n: "[^" * n,
    "note definitions": lambda n: "[^a]: x\n" * (n // 4),
    "references": lambda n: "[a]: b\n" * (n // 4),
    "quoted lines": lambda n: "> a\n" * (n // 4),
    "colons": lambda n: "a:" * n,
    "hidden": lambda n: "%%a " * n,
    "highlights": lambda n: "==a" * n,
    "blanks": lambda n: " " * n,
    "newlines": lambda n: "\n" * n,
    "fences": lambda n: "```x\n" * (n // 4),
    "rules": lambda n: "---\n" * (n // 4),
    "definitions": lambda n: "a\n: b\n" * (n // 4),
    "front matter": lambda n: "---\n" + "a: b\n" * (n // 4),
    "one word": lambda n: "x" * n,
}


@pytest.mark.parametrize("parse", [parse_markdown, parse_plain])
@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.slow
def test_time_grows_with_length_alone(name: str, parse: Callable[[str], list[Block]]) -> None:
    make = HOSTILE[name]
    short = _seconds(parse, make(1_500))
    long = _seconds(parse, make(3_000))
    assert long < max(DOUBLING_LIMIT * short, NOISE_SECONDS)


@pytest.mark.parametrize("parse", [parse_markdown, parse_plain])
@pytest.mark.parametrize(
    "text",
    [
        ">" * 5_000 + "a",
        "> " * 5_000 + "a",
        "- " * 5_000 + "a",
        "1. " * 3_000 + "a",
        "\n".join("  " * depth + "- a" for depth in range(400)),
        "\n".join("> " * (depth % 200) + "a" for depth in range(2_000)),
    ],
)
def test_deep_nesting_is_bounded(text: str, parse: Callable[[str], list[Block]]) -> None:
    blocks = parse(text)
    assert all(len(block.parents) <= 400 for block in blocks)


def test_what_lies_below_the_limit_of_nesting_is_kept() -> None:
    text = "\n".join("  " * depth + f"- item{depth}" for depth in range(80))
    assert any("item79" in block.text for block in parse_markdown(text))


def test_a_line_of_half_a_megabyte_is_one_block() -> None:
    text = "Some words here and there. " * 18_000
    for parse in (parse_markdown, parse_plain):
        assert [len(block.text) for block in parse(text)] == [len(text.strip())]


def _seconds(parse: Callable[[str], list[Block]], text: str) -> float:
    """The processor time of the faster of two runs."""
    durations = []
    for _ in range(2):
        start = time.process_time()
        parse(text)
        durations.append(time.process_time() - start)
    return min(durations)
