"""The notation of the wording tables, and that the tables themselves are well formed."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.extraction.rules.language import LANGUAGE_CODES, POINTS, language, languages
from memctl.extraction.rules.phrases import Phrase, PhraseIndex, fold
from memctl.extraction.rules.subjects import Subject
from memctl.memory import MemoryType

PHRASE_SECTIONS_EXCEPT = ("label ", "key ", "role ", "deadline ", "name ")
WORD_SECTIONS = {"words", "months", "weekdays", "small talk", "marker", "connector", "sign-off"}
NEEDED_SECTIONS = {
    "anaphora start",
    "advertisement",
    "boilerplate",
    "common knowledge",
    "connector",
    "filler",
    "first person",
    "hypothetical",
    "important",
    "instruction",
    "kept",
    "marker",
    "personal",
    "question",
    "reference",
    "request",
    "small talk",
    "standing need",
    "subordinate",
    "template",
}


def has(phrase: str, text: str, *, spaced: bool = True) -> bool:
    return Phrase(fold(phrase), spaced=spaced).search(fold(text)) is not None


@pytest.mark.parametrize(
    ("phrase", "text", "found"),
    [
        ("we decided", "Then we decided to go", True),
        ("we decided", "ewe decided", False),
        ("we decided", "we decidedly", False),
        ("(we|i) agreed", "I agreed at once", True),
        ("prefer*", "She prefers tea", True),
        ("*ed", "it was repaired.", True),
        ("we .. to", "we really do want to win", True),
        ("we .. to", "we; to", False),
        ("^call", "Call the sweep", True),
        ("^call", "They call it off", False),
        ("ago$", "two years ago!", True),
        ("ago$", "ago it was", False),
        ("page #", "Page 12", True),
        ("keeps? going", "it keep going", True),
        ("don't", "I don’t know", True),
        ("(very |)good", "good", True),
        ("(very |)good", "very good", True),
        ("call (back|later$)", "call later.", True),
        ("call (back|later$)", "call later today", False),
    ],
)
def test_the_notation_says_what_it_matches(phrase: str, text: str, found: bool) -> None:
    assert has(phrase, text) is found


def test_scripts_without_blanks_know_no_word_ends() -> None:
    assert has("决定", "我们决定周一不营业", spaced=False)
    assert has("请..一律", "请以后一律用公制单位", spaced=False)


@pytest.mark.parametrize("code", LANGUAGE_CODES)
def test_every_phrase_of_the_tables_is_well_formed(code: str) -> None:
    table = language(code)
    for section in table.sections():
        if section in WORD_SECTIONS or section.startswith(PHRASE_SECTIONS_EXCEPT):
            continue
        for line in table.lines(section):
            where = f"{code} [{section}] {line}"
            assert line.count("(") == line.count(")"), where
            assert not re.search(r"\([^()]*\(", line), where
            assert "\\" not in line, where
            phrase = Phrase(fold(line), spaced=True)
            assert all(trigger.text for trigger in phrase.triggers), where
            phrase.search("compiles")


@pytest.mark.parametrize("code", LANGUAGE_CODES)
def test_every_language_has_what_the_rules_ask_for(code: str) -> None:
    sections = set(language(code).sections())
    assert sections >= NEEDED_SECTIONS
    for memory_type in set(MemoryType) - {MemoryType.FACT}:
        assert f"{memory_type} sure" in sections
        assert f"label {memory_type}" in sections
    assert "key identity" in sections


KNOWN_SECTIONS = {
    *NEEDED_SECTIONS,
    *WORD_SECTIONS,
    *(f"{kind} {rest}" for kind in MemoryType for rest in (*POINTS, "not", "unless")),
    *(f"label {meaning}" for meaning in (*MemoryType, "topic", "generic", "skip")),
    *(f"key {meaning}" for meaning in ("identity", "preference", "skip")),
    *(f"day {offset}" for offset in (0, -1, -2, 1, 2)),
    "day 1 not",
    "next weekday",
    "weekday this week",
    "weekday next week",
    "weekday in talk",
    *(f"subject {kind}" for kind in Subject),
    "article",
    "attribute",
    "behind subject",
    "end of subject",
    "cry",
    "ellipsis",
    "errand",
    "gesture",
    "lasting",
    "mishap",
    "momentary",
    "news",
    "rhyme",
    "story thing",
    "told",
    "wait",
    "attribution",
    "chat notice",
    "joke",
    "denial",
    "joke setup",
    "joke end",
    "appointment",
    "recurring",
    "role user",
    "role machine",
    "deadline before",
    "deadline after",
    "anaphora inside",
    "not anaphora",
    "name opener",
    "addressed",
    "advice",
    "at hand",
    "definite",
    "fiction",
    "interjection",
    "log line",
    "manner of answers",
    "ongoing",
    "ongoing long",
    "own offer",
    "passing",
    "remark",
    "reporting",
    "soft request",
    "step",
}


@pytest.mark.parametrize("code", LANGUAGE_CODES)
def test_no_section_stands_in_a_table_that_nothing_reads(code: str) -> None:
    assert set(language(code).sections()) <= KNOWN_SECTIONS


SAMPLES = [
    "we decided to move the newsletter to thursdays, so somebody has to tell the readers.",
    "ich mag keine langen e-mails und muss noch den schornsteinfeger anrufen",
    "я предпочитаю короткие ответы, поэтому мы решили писать короче",
    "我们决定周一不营业，记得给房东打电话。",
    "비 오는 날에는 흙이 더 천천히 마르는 것 같다.",
]


@pytest.mark.parametrize("text", SAMPLES)
def test_the_index_finds_what_a_search_phrase_by_phrase_finds(text: str) -> None:
    sections = {
        "s": [line for one in languages() for line in one.lines("preference sure")],
        "d": [line for one in languages() for line in one.lines("decision sure")],
        "t": [line for one in languages() for line in one.lines("todo sure")],
    }
    for spaced in (True, False):
        found = PhraseIndex(sections, spaced=spaced).find(text)
        for name, lines in sections.items():
            expected = {
                fold(line)
                for line in lines
                if Phrase(fold(line), spaced=spaced).search(text) is not None
            }
            assert {finding.phrase for finding in found.get(name, [])} == expected


@given(st.text())
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(st.text(max_size=300))
def test_any_text_can_be_looked_at_in_any_language(text: str) -> None:
    folded = fold(text)
    for one in languages():
        assert one.all_findings(folded) == one.all_findings(folded)


def _written_out(line: str) -> str:
    """A phrase of a table with its first alternatives, as a text that has it."""
    text = re.sub(r"\(([^()|]*)[^()]*\)", r"\1", line.strip("^$"))
    return fold(text.replace("..", "so").replace("*", "ing").replace("#", "12").replace("?", ""))


@pytest.mark.parametrize("code", LANGUAGE_CODES)
def test_phrases_are_found_by_their_words_as_when_each_is_looked_for(code: str) -> None:
    table = language(code)
    index = table._index
    phrases = {
        (section, entry.phrase)
        for entries in (*index._loose.values(), *index._by_gram.values(), *index._by_word.values())
        for entry in entries
        for section in [entry.section]
    }
    texts = [_written_out(phrase.source) for _, phrase in sorted(phrases, key=_by_source)[::7]]
    for text in texts[::3]:
        found = {
            (section, finding.phrase)
            for section, findings in index.find(text).items()
            for finding in findings
        }
        assert found == {
            (section, phrase.source) for section, phrase in phrases if phrase.search(text)
        }


def _by_source(entry: tuple[str, Phrase]) -> tuple[str, str]:
    return entry[0], entry[1].source


@pytest.mark.parametrize("code", LANGUAGE_CODES)
def test_texts_that_are_not_looked_at_for_small_talk_have_none(code: str) -> None:
    table = language(code)
    for line in table.lines("small talk"):
        for text in (line.replace("*", ""), f"so, {line.replace('*', 'ha')}!"):
            assert table.small_talk.search(fold(text)) is not None
            assert table.may_have_small_talk(fold(text))
    assert not table.has_word_ends or not table.may_have_small_talk("xylophon 12")
