"""What is left out for speed would have found nothing."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from memctl.association import Statement, alignment, analyse, decide, judge, tokens
from memctl.association.alignment import align
from memctl.association.figures import read_items
from memctl.association.lazy import lazy
from memctl.association.lexicon import LANGUAGES_FOLDER, Lexicon, lexicon
from memctl.association.tokens import tokenise
from memctl.association.units import UNIT_SIGNS
from memctl.association.wording import plain_text, read_wording

PAIRS = Path(__file__).resolve().parents[1] / "data" / "association_pairs.jsonl"


def _pairs() -> list[dict]:
    return [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]


def test_the_rules_for_other_things_are_all_that_can_judge_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pairs = [(Statement(content=p["b"]), Statement(content=p["a"])) for p in _pairs()[::3]]
    short = [judge(new, old, 0.8) for new, old in pairs]
    monkeypatch.setattr(decide, "RULES_FOR_OTHER_THINGS", decide.RULES)
    assert [judge(new, old, 0.8) for new, old in pairs] == short


@pytest.mark.parametrize("code", ["en", "de", "fr", "es", "ru"])
def test_words_that_are_passed_over_start_no_value(
    code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = lexicon(code)
    texts = [tokenise(p["a"], UNIT_SIGNS) for p in _pairs()[::2]]
    short = [read_items(tokens, words, ()) for tokens in texts]
    monkeypatch.setattr("memctl.association.figures._may_start_a_value", lambda *_: True)
    assert [read_items(tokens, words, ()) for tokens in texts] == short


def test_plain_words_are_the_tokens_that_the_other_patterns_make(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    texts = [
        *(pair["b"] for pair in _pairs()),
        "e.g. www.example.org, ada@example.org a/h v2 BUG-7 abc:def don't C++ C# x_y 5kB _a b",
    ]
    short = [tokenise(text, UNIT_SIGNS) for text in texts]
    without = tokens._TOKEN.pattern.removeprefix(f"{tokens._PLAIN_WORD}|")
    monkeypatch.setattr(tokens, "_TOKEN", re.compile(without))
    assert [tokenise(text, UNIT_SIGNS) for text in texts] == short


@pytest.mark.parametrize("code", [path.stem for path in sorted(LANGUAGES_FOLDER.glob("*.txt"))])
@pytest.mark.parametrize("spelling", [str, str.upper, str.title])
def test_texts_whose_markers_are_not_looked_for_have_none(
    code: str, spelling: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Markers and fillers are found in every spelling as when each is looked for on its own."""
    texts = [plain_text(spelling(text)) for pair in _pairs() for text in (pair["a"], pair["b"])]
    short = [read_wording(text, None, lexicon(code)) for text in texts]
    monkeypatch.setattr(Lexicon, "may_have_marker", lambda *_: True)
    monkeypatch.setattr(Lexicon, "may_have_filler", lambda *_: True)
    assert [read_wording(text, None, lexicon(code)) for text in texts] == short


def test_texts_share_the_words_that_they_have_in_common() -> None:
    """Each kept analysis would have its own copies of them otherwise."""
    (first,) = tokenise("Warehouse", UNIT_SIGNS)
    assert tokenise("the WAREHOUSE burnt", UNIT_SIGNS)[1].lower is first.lower


def test_terms_that_may_not_pair_are_nothing_to_each_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sides = [
        (analyse(Statement(content=p["b"])), analyse(Statement(content=p["a"]))) for p in _pairs()
    ]
    short = [align(new, old) for new, old in sides]
    monkeypatch.setattr(
        alignment,
        "_places_that_may_pair",
        lambda new, old: list(itertools.product(range(len(new)), range(len(old)))),
    )
    assert [align(new, old) for new, old in sides] == short


def test_a_lazy_attribute_is_worked_out_once() -> None:
    class Sum:
        asked = 0

        @lazy
        def total(self) -> int:
            """The total."""
            self.asked += 1
            return 7

    one = Sum()
    assert (one.total, one.total, one.asked) == (7, 7, 1)
    assert Sum.total.__doc__ == "The total."
