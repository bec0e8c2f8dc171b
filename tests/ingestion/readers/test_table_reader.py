"""CSV and TSV keep their text and give their cells with the lines they stand on."""

from __future__ import annotations

import csv
import io
from pathlib import PurePath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.extraction.extractor import TextFormat
from memctl.ingestion.readers.table import NO_HEADER, parse_table, read_table


def test_header_and_rows_know_their_lines() -> None:
    text = 'item;price\n"rye\nloaf";4,80\n\nroll;0,95\n'
    document = read_table(PurePath("prices.csv"), text, "utf-8")
    assert document.text == text
    assert document.text_format is TextFormat.TABLE
    assert document.table_header == ("item", "price")
    rows = [(row.cells, row.first_line, row.last_line) for row in document.table_rows]
    assert rows == [(("rye\nloaf", "4,80"), 2, 3), (("roll", "0,95"), 5, 5)]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(delimiter: str) -> None:
    text = "\n".join(
        delimiter.join(row) for row in (("name", "town"), ("Ada", "Brim"), ("Bo", "Ust"))
    )
    assert parse_table(text).header == ("name", "town")
    assert [row.cells for row in parse_table(text).rows] == [("Ada", "Brim"), ("Bo", "Ust")]


@pytest.mark.parametrize(
    "text",
    [
        "Sigrid,cox,Nordhavn\nNils,bow,Slemdal\nAda,stroke,Brim\n",
        "Sigrid,sigrid@oars.example\nNils,nils@oars.example\n",
        "Nordhavn;https://oars.example\nSlemdal;https://boats.example\n",
        "Sigrid,2026-05-02\nNils,2026-05-03\n",
        "Sigrid,+47 555 01 99\nNils,+47 555 01 98\n",
    ],
)
def test_a_first_row_like_the_others_is_no_header(text: str) -> None:
    """No row is told in the words of another one; what nothing in a row gives away is remarked."""
    document = read_table(PurePath("crew.csv"), text, "utf-8")
    assert document.table_header == ()
    assert len(document.table_rows) == text.count("\n")
    is_told = NO_HEADER in document.remarks
    assert is_told is ("cox" in text)


@pytest.mark.parametrize(
    "header",
    [
        "name,town",
        "Name,Rolle",
        "Crew member,Boat type",
        "Gast,Liefertermin",
        "姓名,城市",
        "firstName,x",
    ],
)
def test_a_first_row_that_names_the_columns_is_a_header(header: str) -> None:
    document = read_table(PurePath("a.csv"), f"{header}\nSigrid,Brim\nNils,Ust\n", "utf-8")
    assert document.table_header == tuple(header.split(","))
    assert document.remarks == ()


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("Oar,Keel", "Sigrid,4.80"),
        ("oar,keel", "Sigrid,Brim"),
        ("Oar,Keel", "Sigrid,She tars the roof every May"),
    ],
)
def test_a_first_row_of_another_kind_is_a_header(header: str, row: str) -> None:
    """Words stand over values, short names over sentences, small letters over capitals."""
    assert parse_table(f"{header}\n{row}\n").header == tuple(header.split(","))


def test_a_first_row_of_numbers_is_no_header() -> None:
    table = parse_table("2025,4.80\n2026,4.95\n")
    assert table.header == ()
    assert len(table.rows) == 2


def test_lines_that_fall_into_no_cells_are_plain_text() -> None:
    document = read_table(PurePath("x.csv"), "Some words,\nand a line without.\nMore\n", "utf-8")
    assert document.text_format is TextFormat.PLAIN


def test_a_cell_of_any_length_is_a_cell() -> None:
    """A long cell leaves the other rows theirs."""
    long = "x" * 200_000
    rows = parse_table(f'name,note\na,"{long}"\nb,c\n').rows
    assert [row.cells for row in rows] == [("a", long), ("b", "c")]


def test_a_quote_that_does_not_close_takes_no_other_row() -> None:
    """Its line is a row by itself, which the remark names; the rows below keep their lines."""
    text = 'name,note\nAda,"likes tea\nBo,"two\nlines"\nCid,"says ""no""\nDot,ok\n'
    document = read_table(PurePath("x.csv"), text, "utf-8")
    assert [(row.cells, row.first_line, row.last_line) for row in document.table_rows] == [
        (("Ada", "likes tea"), 2, 2),
        (("Bo", "two\nlines"), 3, 4),
        (("Cid", 'says "no"'), 5, 5),
        (("Dot", "ok"), 6, 6),
    ]
    assert document.remarks == (
        "2 quotes do not close (lines 2, 5); such a line is a row by itself",
    )


def test_quotes_that_never_close_cost_no_more_than_their_lines() -> None:
    """Each row that is open ends the search for its end soon."""
    table = parse_table('x,"a\n' + 'x","\n' * 5000)
    assert len(table.rows) == 5000
    assert len(table.open_quotes) == 5001


def test_signs_behind_a_closed_quote_are_no_fault() -> None:
    """A cell of which only a part is quoted is read without a remark."""
    table = parse_table('a,b\n"x"y,c\nd,e\n')
    assert [row.cells for row in table.rows] == [("xy", "c"), ("d", "e")]
    assert table.open_quotes == ()


CELL = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="|;"), max_size=8)
"""Without the other delimiters: where two of them are as regular, a table has two readings."""


@given(st.lists(st.tuples(CELL, CELL, CELL), min_size=2, max_size=8))
def test_what_csv_writes_is_read_back(rows: list[tuple[str, str, str]]) -> None:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows(rows)
    table = parse_table(out.getvalue())
    found = [table.header] * bool(table.header) + [row.cells for row in table.rows]
    expected = [tuple(cell.strip() for cell in row) for row in rows]
    assert found == [row for row in expected if any(row)]


@given(st.text(max_size=200))
def test_any_text_is_taken_without_complaint(text: str) -> None:
    last = 0
    for row in parse_table(text.replace("\r", "\n")).rows:
        assert last < row.first_line <= row.last_line
        last = row.last_line


@pytest.mark.parametrize("first_line", ["sep=;", '"sep=;"', "SEP=;"])
def test_a_first_line_that_names_the_delimiter_is_no_row(first_line: str) -> None:
    table = parse_table(f"{first_line}\nname;note\nAda;likes a,b,c\n")
    assert table.header == ("name", "note")
    assert [(row.cells, row.first_line) for row in table.rows] == [(("Ada", "likes a,b,c"), 3)]
