"""The wording tables hold together: rows have the shape that their section needs."""

from __future__ import annotations

import itertools
import subprocess
import sys

import pytest

from memctl.association.lexicon import LANGUAGES_FOLDER, Lexicon, lexicon
from memctl.association.units import UNITS, find_unit

CODES = sorted(path.stem for path in LANGUAGES_FOLDER.glob("??.txt"))


@pytest.fixture(params=CODES)
def words(request: pytest.FixtureRequest) -> Lexicon:
    return lexicon(request.param)


def test_there_are_tables_for_the_promised_languages() -> None:
    assert set(CODES) == {"en", "de", "fr", "es", "ru", "zh", "ja", "ko"}


def test_every_pattern_compiles(words: Lexicon) -> None:
    assert words.markers
    for section in ("denials", "endings", "particles", "universal_signs", "existential_signs"):
        words.pattern(section)
    assert all(pattern.flags for _, pattern in words.openings)


@pytest.mark.parametrize("section", ["antonyms", "successions"])
def test_opposites_have_two_sides_without_a_common_word(words: Lexicon, section: str) -> None:
    for row in words.table(section):
        sides = row.lstrip("! ").split(" : ")
        assert len(sides) == 2, row
        assert not set(sides[0].split()) & set(sides[1].split()), row


def test_no_two_words_are_both_synonyms_and_opposites(words: Lexicon) -> None:
    opposites = {
        frozenset(pair)
        for row in words.table("antonyms")
        for pair in itertools.product(*(side.split() for side in row.lstrip("! ").split(" : ")))
    }
    synonyms = {
        frozenset(pair)
        for row in words.table("synonyms")
        for pair in itertools.combinations(row.split(), 2)
    }
    assert opposites & synonyms == set()


def test_rows_of_words_that_belong_together_have_more_than_one(words: Lexicon) -> None:
    for section in ("synonyms", "attributes", "classes"):
        for row in words.table(section):
            assert len(set(row.split())) > 1, (section, row)


def test_every_unit_leads_to_the_table_of_units(words: Lexicon) -> None:
    for name in {*words.units.values(), *words.counted_units.values()}:
        assert find_unit(name) is not None, name


def test_units_in_the_wrong_case_are_found_unless_that_is_ambiguous() -> None:
    assert find_unit("mhz") == UNITS["MHz"]
    assert find_unit("mw") is None


def test_a_stem_that_two_words_share_does_not_lend_meaning() -> None:
    words = lexicon("en")
    assert words.stem("important") == words.stem("import")
    assert not words.facts("import").synonyms & words.facts("important").synonyms
    assert words.facts("moved").lists == words.facts("move").lists | words.facts("moved").lists


def test_judging_loads_no_heavy_library() -> None:
    program = (
        "import sys\n"
        "from memctl.association import Statement, judge\n"
        "judge(Statement(content='The hut is open.'), Statement(content='A hut.'), 0.5)\n"
        "heavy = {'numpy', 'fastembed', 'lancedb', 'sqlalchemy', 'pydantic'} & set(sys.modules)\n"
        "sys.exit(str(heavy) if heavy else 0)\n"
    )
    check = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert check.returncode == 0, check.stderr
