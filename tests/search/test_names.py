"""Names in a query, and what it asks about those who bear them."""

from __future__ import annotations

import pytest
from fakes.hash_embedder import HashEmbedder
from recall_library import Library

from memctl.search.names import names_in, without_names
from memctl.search.query import read_query

NOTES = ["My sister Paula moved to Lisbon.", "We paint with Mrs Adler.", "Paint is in the cellar."]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("what does Paula do?", {"paula"}),
        ("paula's address", {"paula"}),
        ("Paula's address", {"paula"}),
        ("where does mrs adler live", {"mrs", "adler"}),
        ("where does Jonas work?", {"jonas"}),
        ("Where is the paint?", set()),
        ("wo wohnt die Paula?", set()),
    ],
)
def test_names_are_known_by_their_capital_letter_in_query_or_notes(
    text: str, names: set[str]
) -> None:
    """The first word of a sentence says nothing by its capital, nor does any noun of German."""
    assert names_in(read_query(text), NOTES) == names


@pytest.mark.parametrize(
    ("text", "asking"),
    [
        ("what is Paula's shoe size?", "what is shoe size?"),
        ("what is Paula’s size in shoes?", "what is size in shoes?"),
        ("who is Paula?", ""),
        ("where is the paint?", ""),
    ],
)
def test_without_its_names_a_query_says_what_it_asks(text: str, asking: str) -> None:
    """It says nothing where nothing but names was in it, or none was."""
    query = read_query(text)
    assert without_names(query, names_in(query, NOTES)) == asking


def test_a_memory_that_shares_only_a_name_is_no_answer(library: Library) -> None:
    """One that tells what is asked about the name is."""
    library.save("Jonas wishes for a pizza stone.", "The cellar is damp.")
    assert library.found("what is Jonas wishing?")[0] == "Jonas wishes for a pizza stone."
    assert library.found("what is Jonas building?") == []


def test_what_is_asked_is_looked_for_apart_only_where_names_alone_are_shared(
    library: Library,
) -> None:
    """It costs a search of its own."""
    library.save("Jonas wishes for a pizza stone.", "The cellar is damp.")
    embedder = library.embedder
    assert isinstance(embedder, HashEmbedder)
    for query, apart in (
        ("what is Jonas wishing?", []),
        ("what is Jonas building?", ["what is building?"]),
    ):
        embedder.history.clear()
        library.found(query)
        assert embedder.history == [query, *apart]
