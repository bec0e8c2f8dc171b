"""What a text tells of a query's words: by the words, their concepts, and attributes."""

from __future__ import annotations

import pytest

from memctl.search.concepts import (
    CONCEPT_SHARE,
    Telling,
    telling_of,
    translated_words,
    wanted_words,
)
from memctl.search.query import read_query


def telling(query: str, content: str, *candidates: str) -> Telling:
    return telling_of(wanted_words(read_query(query), candidates), content)


@pytest.mark.parametrize(
    ("query", "content"),
    [
        ("what's my job", "I am a nurse at the children's ward"),
        ("who is my manager?", "My boss is called Okafor"),
        ("who are my nieces", "My brother has two girls"),
        ("what do I like to drink", "I take coffee over anything"),
        ("when do we get married?", "The wedding is on 2 May"),
        ("pets", "Our cat sleeps all day"),
        ("my salary", "I earn 2,000 a month"),
        ("Was ist mein Beruf?", "Ich arbeite als Lehrerin in Wien"),
        ("quel est mon métier", "Je suis infirmière à Lyon"),
        ("¿qué mascota tengo?", "Mi gato se llama Michi"),
    ],
)
def test_a_text_tells_of_a_word_by_another_of_its_concept(query: str, content: str) -> None:
    """In each language of the lexicons, and less than by the word itself."""
    assert telling(query, content).share == pytest.approx(CONCEPT_SHARE)


@pytest.mark.parametrize(
    ("query", "content"),
    [
        ("where is the cat", "The dog is in the garden"),
        ("who is my accountant", "I work as a nurse"),
        ("a tattoo", "I work as a nurse"),
    ],
)
def test_two_kinds_of_one_thing_do_not_tell_of_each_other(query: str, content: str) -> None:
    assert telling(query, content).share == 0.0


@pytest.mark.parametrize(
    ("query", "content"),
    [("unser Mäher", "Der Rasenmäher ist kaputt"), ("the fruit", "two grapefruit")],
)
def test_a_word_is_told_by_a_compound_of_which_it_is_the_head(query: str, content: str) -> None:
    assert telling(query, content).share == pytest.approx(CONCEPT_SHARE)


@pytest.mark.parametrize(
    ("query", "content", "share"),
    [
        ("谁来照顾妈妈？", "妈妈住院期间由小李照顾。", 1.0),
        ("钢琴课", "钢琴老师姓陈", 1.0),
        ("狗", "我的狗叫旺财", 1.0),
        ("看医生", "周三去医院", CONCEPT_SHARE),
        ("弟弟上学", "放在最上面的抽屉里", 0.0),
    ],
)
def test_a_text_without_blanks_tells_words_and_not_characters(
    query: str, content: str, share: float
) -> None:
    """Nor do pairs count that are only the seam between two words; of single characters, only those
    that the lexicon knows as words."""
    assert telling(query, content).share == pytest.approx(share)


def test_inflection_and_possessives_make_no_difference() -> None:
    assert telling("the dog's legs", "a dog with a broken leg").share == 1.0
    assert telling("which sports", "a sport for everybody").share == 1.0


@pytest.mark.parametrize(
    ("query", "content", "lacks_attribute"),
    [
        ("Ada's phone number", "Ada is my cousin", True),
        ("Ada's phone number", "Ada: 0664 123 45 67", False),
        ("Ada's email", "Ada is at ada@example.org", False),
        ("what does the bike cost", "The bike is blue", True),
        ("what does the bike cost", "The bike was 300 €", False),
        ("the dog's name", "The dog is very old", True),
        ("the dog's name", "The dog answers to Rex", False),
        ("Ada's surname", "Ada helps Bo with the fence", True),
        ("Ada's surname", "We met Ada Lind in town", False),
    ],
)
def test_what_does_not_speak_of_the_attribute_asked_for_lacks_it(
    query: str, content: str, *, lacks_attribute: bool
) -> None:
    found = telling(query, content)
    assert found.lacks_attribute is lacks_attribute
    assert bool(found.share) is not lacks_attribute


@pytest.mark.parametrize(
    ("query", "content", "share"),
    [
        ("who is my boss?", "Meine Chefin mag unsere Katze", CONCEPT_SHARE),
        ("where is the sofa", "我们的沙发在哪 送货 三月", 0.0),
        ("when is the concert", "音乐会在三月", CONCEPT_SHARE),
        ("Wo ist mein Pass?", "My passport is in the drawer", CONCEPT_SHARE),
        ("who bakes the bread?", "The pain in my back is worse", 0.0),
        ("where is the passport?", "Dad passed away in 2020", 0.0),
    ],
)
def test_a_text_tells_of_a_word_in_another_language(query: str, content: str, share: float) -> None:
    """A word that only looks like one of another language tells nothing."""
    assert telling(query, content).share == pytest.approx(share)


def test_words_of_other_languages_are_known_for_what_is_asked() -> None:
    words = translated_words(read_query("where is the sofa?"))
    assert {"sofá", "canapé"} <= set(words.split())
    assert translated_words(read_query("the tattoo")) == ""


def test_an_attribute_of_something_else_tells_nothing() -> None:
    assert telling("the passport number", "The allotment number is 48").share == 0.0


def test_idle_words_do_not_hide_that_others_are_told() -> None:
    assert telling("what do I need to get for lunch", "lunch at noon").share == 1.0
    assert telling("get", "I get hives").share == 1.0
    assert telling("when may I phone her", "call her after nine").share > 0.0


def test_a_word_that_most_candidates_hold_does_not_hide_that_another_one_is_told() -> None:
    """As the name of the person whom a store is about."""
    candidates = [f"Ines {verb}" for verb in ("sleeps", "reads", "sings", "waits")] * 10
    query = "the tattoo of Ines"
    assert telling(query, "a tattoo").share == pytest.approx(0.5)
    assert telling(query, "a tattoo", *candidates).share > 0.8
    assert telling(query, "Ines sleeps", *candidates).share == pytest.approx(0.5)
