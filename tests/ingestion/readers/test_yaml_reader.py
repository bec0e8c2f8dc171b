"""YAML is read by its structure: each value stands under its own path, on its own line."""

from __future__ import annotations

from itertools import combinations
from pathlib import PurePath

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from whole_chunk import whole_chunk

from memctl.association.decide import judge
from memctl.association.values import Relation
from memctl.association.values import Statement as Said
from memctl.document import Candidate
from memctl.extraction.extractor import TextFormat
from memctl.extraction.rules.extractor import RulesExtractor
from memctl.ingestion.preparation import redact_document
from memctl.ingestion.readers.registry import read_document
from memctl.ingestion.readers.structured import NO_YAML, read_yaml
from memctl.ingestion.readers.yaml_text import LONGEST_REPEATED_CHARACTERS
from memctl.memory import MemoryType

BOATHOUSE = """\
# The boathouse is heated from November to March only.
boats:
  - name: heron
    berth: 4
    role: racing four
    oars: [sculls, sweeps]
  - berth: 7
    id: 5b1c2a9e-8f3e-4c1c-9d1d-0d5f3c0e7a11
    name: plover
    role: training
    created_at: 2026-01-01T10:00:00Z
# slipway: closed
heating:
  target: 12
  schedule: "06:30 daily"
  language: nb
  name: stove
  zones:
    upper:
      valve: open
    lower:
      valve: shut
owner: Sigrid
notes: |
  The roof was tarred in May 2024.

  The key hangs behind the rudder of the heron.
"""


def candidates(text: str, name: str = "boathouse.yaml") -> list[Candidate]:
    """The memories that the rules make of a YAML file."""
    document = read_document(PurePath(name), text.encode()).document
    assert document is not None
    clean, _ = redact_document(document)
    chunk = whole_chunk(clean.text, clean.file_lines)
    return list(RulesExtractor().begin(clean).extract(chunk).candidates)


def contents(text: str) -> list[str]:
    return [one.content for one in candidates(text)]


def test_each_value_stands_under_its_own_path_and_on_its_own_line() -> None:
    """What comes after a list belongs to no entry of it, whichever key an entry begins with."""
    found = [(one.content, one.first_line) for one in candidates(BOATHOUSE)]
    assert found == [
        ("The boathouse is heated from November to March only.", 1),
        ("boats: heron", 3),
        ("boats > heron — berth: 4", 4),
        ("boats > heron — role: racing four", 5),
        ("boats > heron — oars: sculls, sweeps", 6),
        ("boats: plover", 7),
        ("boats > plover — berth: 7", 7),
        ("boats > plover — role: training", 10),
        ("boathouse > heating — target: 12", 14),
        ("boathouse > heating — schedule: 06:30 daily", 15),
        ("boathouse > heating — language: nb", 16),
        ("boathouse > heating — name: stove", 17),
        ("boathouse > heating > zones > upper — valve: open", 20),
        ("boathouse > heating > zones > lower — valve: shut", 22),
        ("boathouse — owner: Sigrid", 23),
        ("The roof was tarred in May 2024.", 25),
        ("boathouse — The key hangs behind the rudder of the heron.", 27),
    ]


def test_keys_that_programs_chose_give_no_type() -> None:
    """Neither a name, a language nor a target says anything of the writer of the file."""
    found = {one.memory_type for one in candidates(BOATHOUSE) if ": " in one.content}
    assert found == {MemoryType.FACT}


def test_no_value_contradicts_another_one_of_the_file() -> None:
    for new, old in combinations(contents(BOATHOUSE), 2):
        relation = judge(Said(content=new), Said(content=old), 0.8).relation
        assert relation in {Relation.RELATED, Relation.DISTINCT}, (new, old)


@pytest.mark.parametrize("name", ["boathouse.yml", "BOATHOUSE.YAML"])
def test_a_changed_value_updates_the_old_one(name: str) -> None:
    old, new = (
        next(one.content for one in candidates(text, name) if "berth: " in one.content)
        for text in (BOATHOUSE, BOATHOUSE.replace("berth: 4", "berth: 9"))
    )
    assert judge(Said(content=new), Said(content=old), 0.9).relation is Relation.UPDATES


def test_what_only_programs_look_up_is_no_memory() -> None:
    text = (
        "event_id: 17\nuserId: U02ABC\nts: 1768478325.000200\nat: 1768478325\n"
        "last_updated: 2026-01-02\ndateModified: 2026-01-02\n"
        "commit: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b\n"
        "token_ref: 5b1c2a9e-8f3e-4c1c-9d1d-0d5f3c0e7a11\nberth: 4\nwidth: 1980\n"
    )
    assert contents(text) == ["boathouse — berth: 4", "boathouse — width: 1980"]


def test_lists_of_tasks_and_of_sentences_are_read_like_notes() -> None:
    text = (
        "todos:\n- Tar the roof of the boathouse\n- title: Renew the mooring permit\n  due: 1 May"
    )
    found = {one.content: one.memory_type for one in candidates(text)}
    assert found == {
        "todos — Tar the roof of the boathouse": MemoryType.TODO,
        "todos: Renew the mooring permit": MemoryType.TODO,
        "todos > Renew the mooring permit — due: 1 May": MemoryType.FACT,
    }


def test_the_documents_of_one_file_are_told_apart_by_their_names() -> None:
    text = (
        "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\nspec:\n  port: 80\n---\n"
        "apiVersion: v1\nkind: Service\nmetadata:\n  name: mail\nspec:\n  port: 25\n---\n"
        "name: Sigrid\nberth: 4\n---\nname: Nils\nberth: 7\n"
    )
    found = contents(text)
    assert {"Service web — spec: port: 80", "Service mail — spec: port: 25"} <= set(found)
    assert found[-2:] == ["Sigrid — berth: 4", "Nils — berth: 7"]


def test_an_alias_says_what_it_repeats_only_where_that_is_short() -> None:
    """References to references cannot make a text grow beyond bounds."""
    long = "x" * (LONGEST_REPEATED_CHARACTERS + 1)
    text = f"a: &a four\nb: *a\nc: &c {long}\nd: *c\ne: &e [f, g]\nh: *e\ni:\n  <<: *e\n  j: k\n"
    document = read_yaml(PurePath("a.yaml"), text, "utf-8")
    lines = [line.strip() for line in document.text.split("\n") if line.strip()]
    assert lines == [
        *("a: four", "b: four", f"c: {long}", "d: c", "e:", "- f", "- g", "h: e", "i:", "j: k")
    ]
    bomb = "a: &a [x, x]\n" + "".join(
        f"k{place}: &k{place} [{', '.join(['*a'] * 9)}]\n" for place in range(50)
    )
    assert len(read_yaml(PurePath("a.yaml"), bomb, "utf-8").text) < 20 * len(bomb)


def test_nothing_is_constructed_and_what_is_for_programs_only_stays_out() -> None:
    text = (
        "a: !!python/object/apply:os.system ['echo hi']\nb: !vault |\n  3361\n  6238\n"
        "c: !secret wifi\nd: !!binary aGVsbG8=\ne: kept\n"
    )
    assert contents(text) == ["a: echo hi", "boathouse — e: kept"]


@pytest.mark.parametrize(
    "text",
    ["{% if x %}\na: {{ b }}", "a:\n\tb: 1", "[" * 100_000, 'a: "open', "a: \x01", "- a\nb: c"],
)
def test_what_is_no_yaml_is_read_as_text_with_a_remark(text: str) -> None:
    document = read_yaml(PurePath("a.yaml"), text, "utf-8")
    assert document.text == text
    assert document.text_format is TextFormat.PLAIN
    assert document.remarks == (NO_YAML,)


@pytest.mark.parametrize("text", ["Only a sentence.\nAnd another.", "---\n---\n", "# A comment."])
def test_yaml_without_structure_is_plain_text(text: str) -> None:
    document = read_yaml(PurePath("a.yaml"), text, "utf-8")
    assert (document.text, document.text_format, document.remarks) == (text, TextFormat.PLAIN, ())


@given(st.text(alphabet=" \n-:#[]{},&*!|>'\"?ab1.\u2028", max_size=80))
@example("? [a, b]\n: c\n? {x: y}\n: d")
@example("a: |\n\n  b\n\n\nc: >\n  d\n  e\n")
@example("? a\n? b")
@example("1: |")
@example("# c\n- # d\n  e: f\n")
def test_any_text_is_taken_and_no_line_is_invented(text: str) -> None:
    document = read_yaml(PurePath("a.yaml"), text, "utf-8")
    lines = [line for _, line in document.file_lines]
    assert lines == sorted(lines)
    assert all(1 <= line <= text.count("\n") + 1 for line in lines)
    RulesExtractor().begin(document).extract(whole_chunk(document.text, document.file_lines))
