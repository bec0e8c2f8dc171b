"""The manual: every command, option, setting, error and exit status, and sound roff."""

from __future__ import annotations

import itertools
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.cli.command_tree import command_entries, command_entry, command_of
from memctl.cli.manual.page import Lines, Page, Paragraph, Section, Term
from memctl.cli.manual.pages import all_pages, error_kinds, main_page, page_of, settings_page
from memctl.cli.manual.plain import to_plain
from memctl.cli.manual.roff import to_roff
from memctl.cli.root_help import COMMANDS
from memctl.config import describe_settings
from memctl.errors import ExitCode

REPOSITORY = Path(__file__).resolve().parents[3]
PAGES = {page.file_name: page for page in all_pages()}


def terms(page: Page, title: str) -> dict[str, str]:
    [section] = [section for section in page.sections if section.title == title]
    return {block.term: block.text for block in section.blocks if isinstance(block, Term)}


def test_there_is_a_page_for_every_command_and_for_the_settings() -> None:
    assert set(PAGES) == {
        "memctl.1",
        "memctl-config.5",
        "memctl-json.5",
        *(f"memctl-{name}.1" for name in COMMANDS),
    }


@pytest.mark.parametrize("name", COMMANDS)
def test_a_page_has_every_option_argument_and_example_of_its_command(name: str) -> None:
    source = to_plain(PAGES[f"memctl-{name}.1"], 300)
    command = command_of(name)
    for parameter in command.params:
        names = parameter.opts if hasattr(parameter, "is_flag") else []
        assert all(one in source for one in names)
        assert parameter.help
        assert parameter.help.split(";")[0] in source
    assert all(argument.metavar in source for argument in command_entry(name).arguments)
    examples = [line.strip() for line in command.help.splitlines() if line.startswith("  memctl")]
    assert examples
    assert all(example in source for example in examples)


def test_the_main_page_has_every_command_exit_status_and_error() -> None:
    page = main_page()
    assert list(terms(page, "COMMANDS")) == [f"memctl-{name}(1)" for name in COMMANDS]
    assert set(terms(page, "EXIT STATUS")) == {str(int(code)) for code in ExitCode}
    diagnostics = terms(page, "DIAGNOSTICS")
    for error in error_kinds():
        start = re.split(r"[{`]", f"cannot {error.action}")[0]
        assert any(term.startswith(start) for term in diagnostics)
    assert not any("{" in text for entry in diagnostics.items() for text in entry)


def test_every_diagnostic_is_whole_sentences_for_users() -> None:
    for text in terms(main_page(), "DIAGNOSTICS").values():
        assert re.fullmatch(r".*\. Exit status \d+\.", text), text
        assert "Data" not in text


def test_help_names_arguments_as_the_manual_does(call_memctl) -> None:
    """The usage line of --help is the synopsis, and no type of Python's stands in either."""
    for name in COMMANDS:
        text = call_memctl(name, "--help", environment={"COLUMNS": "200"}).stdout
        [synopsis] = [one for one in PAGES[f"memctl-{name}.1"].sections if one.title == "SYNOPSIS"]
        [lines] = synopsis.blocks
        assert isinstance(lines, Lines)
        assert text.splitlines()[0] == f"Usage: {lines.lines[0]}"
        assert not re.search(r"<(?:str|list|int|float|Path)", text)


def test_no_placeholder_stands_for_a_sentence() -> None:
    """What an error adds only sometimes is left out of the manual, and not called ADVICE."""
    for term, text in terms(main_page(), "DIAGNOSTICS").items():
        assert not re.search(r"[a-z][A-Z]{2}", term), term
        assert not re.search(r"(?:^|[.!] )[A-Z]{2,}\.", text), text


def test_no_row_of_a_table_stands_in_a_paragraph() -> None:
    """A row of Markdown that lost its table would be shown as it is written."""
    for page in PAGES.values():
        for section in page.sections:
            for block in section.blocks:
                assert not (isinstance(block, Paragraph) and " | " in block.text), block


def test_the_examples_of_completion_work_in_a_new_home() -> None:
    """A file is written only into a folder that the example before it makes."""
    examples = command_entry("completion").examples
    written = [
        (before, line.partition(" > ")[2])
        for before, line in itertools.pairwise(examples)
        if " > " in line
    ]
    assert len(written) == 3
    for before, path in written:
        assert before == f"mkdir -p {path.rpartition('/')[0]}"


def test_the_settings_page_has_every_setting_with_its_variable() -> None:
    listed = terms(settings_page(), "SETTINGS")
    assert list(listed) == [info.key for info in describe_settings()]
    for info in describe_settings():
        assert f"`{info.variable}`" in listed[info.key]


def test_the_committed_pages_are_what_the_code_says() -> None:
    committed = {path.name: path.read_text("utf-8") for path in (REPOSITORY / "man").iterdir()}
    assert committed == {name: to_roff(page) for name, page in PAGES.items()}, (
        "run `python docs/generate.py`"
    )


def test_the_wheel_installs_every_page() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))
    installed = project["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"]
    assert installed == {
        f"man/{name}": f"share/man/man{page.number}/{name}" for name, page in PAGES.items()
    }


@pytest.mark.skipif(shutil.which("mandoc") is None, reason="mandoc is not installed")
def test_mandoc_finds_nothing_to_complain_about() -> None:
    paths = sorted((REPOSITORY / "man").iterdir())
    lint = subprocess.run(
        ["mandoc", "-T", "lint", "-W", "style", *paths], capture_output=True, text=True, check=False
    )
    assert lint.stdout == ""


@given(text=st.text(alphabet=st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"])))
def test_no_text_becomes_a_request_to_roff(text: str) -> None:
    page = Page(
        name="x",
        number=1,
        summary="y",
        sections=(Section("TEXT", (Paragraph(text), Term(text or "t", text), Lines((text,)))),),
    )
    source = to_roff(page)
    assert source.isascii()
    requests = {line.split()[0] for line in source.splitlines() if line.startswith((".", "'"))}
    assert requests <= {'.\\"', ".TH", ".SH", ".PP", ".TP", ".nf", ".fi"}


def test_plain_text_keeps_its_width() -> None:
    for page in PAGES.values():
        blocks = [block for section in page.sections for block in section.blocks]
        kept = {line for block in blocks if isinstance(block, Lines) for line in block.lines}
        for line in to_plain(page, 72).splitlines():
            assert len(line) <= 72 or line.strip() in kept or " " not in line.strip()


@pytest.mark.parametrize(
    ("topic", "name"),
    [
        ("", "memctl.1"),
        ("memctl", "memctl.1"),
        ("help", "memctl.1"),
        ("save", "memctl-save.1"),
        ("memctl-save", "memctl-save.1"),
        ("memctl-save.1", "memctl-save.1"),
        ("config", "memctl-config.1"),
        ("settings", "memctl-config.5"),
        ("memctl-config.5", "memctl-config.5"),
        ("json", "memctl-json.5"),
        ("memctl-json(5)", "memctl-json.5"),
    ],
)
def test_a_page_is_found_by_what_people_call_it(topic: str, name: str) -> None:
    assert page_of(topic) == PAGES[name]


def test_man_prints_a_page_as_text_as_source_and_as_json(call_memctl) -> None:
    text = call_memctl("man", "save").stdout
    assert text.startswith("NAME\n       memctl-save - remember a statement\n")
    assert call_memctl("man", "save", "--roff").stdout == to_roff(PAGES["memctl-save.1"])
    document = call_memctl("man", "settings", "--json").json
    assert (document["name"], document["section"]) == ("memctl-config", 5)
    result = call_memctl("man", "nonsense", status=4)
    assert "the manual has none of that name" in result.stderr


def test_no_heavy_library_is_loaded_for_a_page(call_memctl, monkeypatch) -> None:
    for name in ("lancedb", "fastembed", "litellm", "numpy", "pyarrow"):
        monkeypatch.setitem(sys.modules, name, None)
    call_memctl("man", "recall")


def test_every_command_has_an_entry() -> None:
    assert [entry.name for entry in command_entries()] == list(COMMANDS)
