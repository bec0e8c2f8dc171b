"""memctl context, as an agent's start-up script uses it."""

from __future__ import annotations

import json
import shutil
import sys

import pytest
from fakes.openai_server import OpenAiServer, answer

ROWS = [
    ("My name is Ottoline Marsh", "identity"),
    ("Open the library by June", "goal"),
    ("Call the sweep", "todo"),
    ("We chose PostgreSQL for billing", "decision"),
    ("I prefer tea to coffee", "preference"),
    ("The launch went well", "event"),
    ("The router is at 192.0.2.1", "fact"),
]


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    """Where a filled store is kept, once the first test has made it."""
    return tmp_path_factory.mktemp("template") / "store"


@pytest.fixture
def filled(call_memctl, store_path, template):
    """A memory of each type."""
    if template.exists():
        shutil.copytree(template, store_path)
    else:
        take_in(call_memctl, ROWS)
        shutil.copytree(store_path, template)
    return ROWS


def take_in(call_memctl, rows):
    lines = [json.dumps({"content": text, "memory_type": kind}) for text, kind in rows]
    call_memctl("import", "-", stdin="\n".join(lines))


def test_the_briefing_has_every_section_in_order(call_memctl, filled):
    text = call_memctl("context").stdout
    places = [text.index(content) for content, _ in filled]
    assert places == sorted(places)
    assert text == call_memctl("context").stdout


def test_pinned_memories_stand_with_identity(call_memctl, filled):
    call_memctl("save", "The bees swarm in May", "--type", "observation", "--pin")
    document = call_memctl("context", "--json").json
    identity, *others = document["sections"]
    assert len(identity["memory_ids"]) == 2
    pinned = call_memctl("list", "--pinned", "--json").json["memories"]
    assert [memory["id"] in identity["memory_ids"] for memory in pinned] == [True]
    assert not any(pinned[0]["id"] in section["memory_ids"] for section in others)


def test_hidden_outdated_and_expired_memories_are_not_in_it(call_memctl, filled):
    saved = call_memctl("save", "The moon is cheese", "--json").json
    call_memctl("forget", saved["id"])
    call_memctl("save", "Router: 192.0.2.7", "--key", "r")
    call_memctl("save", "Router: 192.0.2.9", "--key", "r")
    text = call_memctl("context").stdout
    assert "cheese" not in text
    assert "192.0.2.7" not in text
    assert "192.0.2.9" in text


def test_profile_files_of_the_configuration_folder_stand_in_front(
    call_memctl, filled, isolated_environment
):
    folder = isolated_environment / ".config" / "memctl"
    folder.mkdir(parents=True)
    (folder / "SOUL.md").write_text("Be brief.\n")
    (folder / "USER.md").write_text("Ann, she/her")
    (folder / "IDENTITY.md").write_bytes(b"\xff\xfe\xff")
    result = call_memctl("context")
    assert result.stdout.startswith("# SOUL.md\n\nBe brief.\n\n# USER.md\n\nAnn, she/her\n")
    assert "IDENTITY.md was left out: it is not UTF-8 text" in result.stderr


def test_the_persons_name_comes_first_however_small_the_budget(call_memctl):
    texts = ("I grew up in Tartu", "I play the harp", "I speak Frisian", "My sister bakes")
    take_in(call_memctl, [(text, "identity") for text in (*texts, "My name is Ottoline Marsh")])
    call_memctl("save", "The bees swarm in May", "--type", "observation", "--pin")
    for arguments in ([], ["--query", "an unrelated zebra"]):
        text = call_memctl("context", "--max-tokens", "100", *arguments).stdout
        assert text.split("## Identity and pinned\n")[1].startswith("- My name is Ottoline Marsh")
    told = call_memctl("context").stdout
    places = [told.index(text) for text in (*texts, "The bees swarm")]
    assert places == sorted(places)


def test_a_query_adds_what_is_known_about_it(call_memctl):
    """What it adds is longer than the others, so that it is not what fills the last gap: ids take
    more tokens in one store than in another."""
    trays = [(f"Tray {number} of the {number}th shelf is clean", "fact") for number in range(30)]
    choice = "We chose PostgreSQL for billing after two weeks with three databases on one machine"
    take_in(call_memctl, [*trays, (choice, "observation")])
    plain = call_memctl("context", "--max-tokens", "400", "--json").json
    asked = call_memctl(
        "context", "--max-tokens", "400", "--query", "which database for billing?", "--json"
    ).json
    assert "PostgreSQL" not in plain["text"]
    assert "PostgreSQL" in asked["text"]
    assert asked["tokens"] <= 400
    [hit] = call_memctl("list", "--type", "observation", "--json").json["memories"]
    assert hit["access_count"] == 1


def test_without_a_query_no_heavy_library_is_loaded(call_memctl, filled, monkeypatch):
    for name in ("lancedb", "fastembed", "litellm"):
        monkeypatch.setitem(sys.modules, name, None)
    call_memctl("context")


def test_an_empty_store_is_no_error(call_memctl):
    result = call_memctl("context")
    assert result.stdout == ""
    assert "nothing is remembered yet" in result.stderr


@pytest.mark.slow
def test_a_bulletin_is_the_models_words_about_the_briefing(
    call_memctl, filled, isolated_environment
):
    folder = isolated_environment / ".config" / "memctl"
    folder.mkdir(parents=True)
    (folder / "USER.md").write_text("Ann. Wi-Fi password: hunter2-Badger!9")
    with OpenAiServer() as server:
        environment = {
            "MEMCTL_LLM_MODEL": "openai/test",
            "MEMCTL_LLM_API_BASE": server.api_base,
            "OPENAI_API_KEY": "none",
        }
        server.play(answer("Ann opens a library."), answer("Ann opens a library."))
        plain = call_memctl("context", "--llm", "--words", "120", environment=environment)
        document = call_memctl("context", "--llm", "--json", environment=environment).json
    assert plain.stdout == "Ann opens a library.\n"
    assert document["bulletin"] == "Ann opens a library."
    sent = json.dumps(server.requests)
    assert "at most 120 words" in sent
    assert "We chose PostgreSQL for billing" in sent
    assert "hunter2" not in sent


def test_a_bulletin_needs_a_language_model(call_memctl, filled):
    assert "llm.model is not set" in call_memctl("context", "--llm", status=3).stderr


@pytest.mark.parametrize("arguments", [["--max-tokens", "7"], ["--query", " "]])
def test_what_makes_no_sense_is_refused(call_memctl, arguments):
    call_memctl("context", *arguments, status=2)
