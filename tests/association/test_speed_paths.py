"""What is left out for speed would have found nothing."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from memctl.association import Statement, alignment, analyse, decide, figures, judge, tokens
from memctl.association.alignment import align
from memctl.association.contrast import read_contrast
from memctl.association.figures import read_items
from memctl.association.lazy import lazy
from memctl.association.lexicon import LANGUAGES_FOLDER, READ_SECTIONS, Lexicon, lexicon
from memctl.association.measures import compare_values
from memctl.association.terms import merge_phrases
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
    monkeypatch.setattr(figures._Reader, "_beginning", lambda *_: figures._OF_ANYTHING)
    assert [read_items(tokens, words, ()) for tokens in texts] == short


def test_plain_words_and_figures_are_the_tokens_that_the_other_patterns_make(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    texts = [
        *(pair["b"] for pair in _pairs()),
        "e.g. www.example.org, ada@example.org a/h v2 BUG-7 abc:def don't C++ C# x_y 5kB _a b",
        "1 000 km, 20. 12:30 2.4.10 3) 5! 1. 2 12,5 7 8; 7h30 a.m. 2026-03-01, v. 3: 4? 1 2345 9",
    ]
    short = [tokenise(text, UNIT_SIGNS) for text in texts]
    without = tokens._TOKEN.pattern.removeprefix(r"\s*").replace(f"{tokens._PLAIN}|", "")
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


@pytest.mark.parametrize("code", [path.stem for path in sorted(LANGUAGES_FOLDER.glob("*.txt"))])
@pytest.mark.parametrize("spelling", [str, str.upper, str.title])
def test_texts_without_a_sign_of_a_contrast_have_none(
    code: str, spelling: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = lexicon(code)
    texts = [plain_text(spelling(text)) for pair in _pairs() for text in (pair["a"], pair["b"])]
    short = [read_contrast(text, words) for text in texts]
    monkeypatch.setattr(Lexicon, "may_have_contrast", lambda *_: True)
    assert [read_contrast(text, words) for text in texts] == short


@pytest.mark.parametrize("code", [path.stem for path in sorted(LANGUAGES_FOLDER.glob("*.txt"))])
def test_a_word_stands_in_the_sections_that_are_named_for_it(code: str) -> None:
    words = lexicon(code)
    of_sections = {section: words.words_of(section) for section in READ_SECTIONS}
    for word in frozenset().union(*of_sections.values(), ["no word at all"]):
        found = {section for section, members in of_sections.items() if word in members}
        assert words.sections_of(word) == found


def test_phrases_are_joined_wherever_their_stems_follow_each_other() -> None:
    words = lexicon("en")
    phrases = {name for entries in words.phrases.values() for _, name in entries}
    assert len(phrases) > 50
    for name in (name for name in phrases if name.replace("_", "").isalpha()):
        items = tokenise(name.replace("_", " "), UNIT_SIGNS)
        assert merge_phrases(items, words)[0].lower in phrases
        assert merge_phrases(items[:1], words) == items[:1]


def test_ascii_texts_are_made_plain_like_all_others() -> None:
    texts = [text for pair in _pairs() for text in (pair["a"], pair["b"]) if text.isascii()]
    texts += ['"*So* `he` said"  __that__ \t_it_ *', "a * b", "", '""']
    assert [plain_text(f"{text} é") for text in texts] == [
        f"{plain_text(text)} é".strip() for text in texts
    ]


def test_figures_compare_by_their_ratios_as_by_their_amounts() -> None:
    values = [
        value
        for pair in _pairs()
        for text in (pair["a"], pair["b"])
        for value in analyse(Statement(content=text)).values
    ]
    with_ratio = [value for value in values if value.ratio is not None][:150]
    assert len(with_ratio) > 100
    pairs = list(itertools.combinations_with_replacement(with_ratio, 2))
    short = [compare_values(one, other) for one, other in pairs]
    for value in with_ratio:
        value.ratio = None
    assert [compare_values(one, other) for one, other in pairs] == short


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
