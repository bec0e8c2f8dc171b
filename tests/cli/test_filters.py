"""Filters of list, recall and context as people write them, and lists that show only a part."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_runner import RunMemctl


@pytest.fixture
def garden(call_memctl: RunMemctl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that was taken in, in a folder of the working folder."""
    file = tmp_path / "notes" / "garden.md"
    file.parent.mkdir()
    file.write_text("# Decisions\n\n- We water the beds at seven in the morning.\n")
    monkeypatch.chdir(tmp_path)
    call_memctl("ingest", file)
    return file


@pytest.mark.parametrize(
    "source", ["notes/garden.md", "./notes/../notes/garden.md", "notes/garden.md:3"]
)
def test_a_source_is_named_as_it_is_shown_or_from_the_working_folder(
    call_memctl: RunMemctl, garden: Path, source: str
) -> None:
    """Besides the absolute path, which is what the store holds."""
    [memory] = call_memctl("list", "--source", source, "--json").json["memories"]
    assert memory["source"] == str(garden)
    found = call_memctl("recall", "when are the beds watered?", "--source", source, "--json").json
    assert found["results"]


@pytest.mark.parametrize("edit", [[], ["--clear", "source"], ["--source", "the gardener"]])
def test_a_source_is_found_by_the_path_to_which_its_file_was_renamed(
    call_memctl: RunMemctl, garden: Path, edit: list[str]
) -> None:
    """Whatever the memory's own source says by now; by the old path as long as it says that."""
    [memory] = call_memctl("list", "--json").json["memories"]
    if edit:
        call_memctl("edit", memory["id"], *edit)
    garden.rename(garden.with_name("beds.md"))
    call_memctl("save", "The beds are watered by hand", "--source", "somebody else")
    call_memctl("ingest", "notes")
    for source in ["notes/beds.md", "notes/beds.md:3"] + ([] if edit else ["notes/garden.md"]):
        found = call_memctl("recall", "when are the beds watered?", "--source", source, "--json")
        assert [hit["id"] for hit in found.json["results"]] == [memory["id"]]
        listed = call_memctl("list", "--source", source, "--json").json
        assert ([one["id"] for one in listed["memories"]], listed["total"]) == ([memory["id"]], 1)
        recent = call_memctl("recall", "--mode", "recent", "--source", source, "--json").json
        assert [hit["id"] for hit in recent["results"]] == [memory["id"]]
    nothing = call_memctl("list", "--source", "notes/beds.md", "--pinned").stderr
    assert nothing == "memctl: no memories fit the filter\n"


def test_a_source_that_is_not_there_is_answered_with_the_nearest(
    call_memctl: RunMemctl, garden: Path
) -> None:
    """The end of a path is enough to find it, and so is a name that is nearly right."""
    for source in ("garden.md", "gardn.md"):
        assert call_memctl("list", "--source", source).stderr == (
            f"memctl: no memory has the source '{source}'; perhaps you mean notes/garden.md\n"
        )
    refused = call_memctl("ingest", "--forget-source", "garden.md", status=4).stderr
    assert f"perhaps you mean {garden}" in refused
    call_memctl("ingest", "--forget-source", "notes/garden.md")


def test_a_tag_or_channel_that_no_memory_has_is_said_with_the_nearest(
    call_memctl: RunMemctl,
) -> None:
    """Rather than advice about the score that an answer needs."""
    call_memctl("save", "The pump hums", "--tag", "family", "--channel", "home")
    said = "no memory has the tag 'famly'; perhaps you mean family"
    assert call_memctl("list", "--tag", "famly").stderr == f"memctl: {said}\n"
    recalled = call_memctl("recall", "pump", "--tag", "famly").stderr
    assert recalled == f"memctl: nothing found: {said}\n"
    assert call_memctl("context", "--tag", "famly").stderr == f"memctl: {said}\n"
    assert "the channel 'hone'; perhaps" in call_memctl("list", "--channel", "hone").stderr
    known = call_memctl("list", "--tag", "family", "--channel", "home", "--type", "todo")
    assert known.stderr == "memctl: no memories fit the filter\n"


def test_a_list_in_a_pipe_says_that_there_is_more(call_memctl: RunMemctl) -> None:
    """On stderr, with the total; JSON has the total too."""
    for text in ("Tea is in the tin", "The ladder leans on the shed", "Lena plays chess"):
        call_memctl("save", text)
    assert call_memctl("list", "-n", "2").stderr == ("memctl: 1 to 2 of 3; --offset 2 shows more\n")
    assert call_memctl("log", "-n", "2").stderr == (
        "memctl: the newest 2 of 3; --limit 3 shows more\n"
    )
    assert call_memctl("log", "-n", "2", "--json").json["total"] == 3
    assert not call_memctl("list").stderr
    assert not call_memctl("log").stderr
    for command in ("list", "log"):
        assert "default: 20" in call_memctl(command, "--help").stdout


def test_a_channel_of_memories_without_a_transcript_leads_to_their_list(
    call_memctl: RunMemctl,
) -> None:
    """Memories belong to channels of which no message was stored."""
    call_memctl("save", "The pump hums", "--channel", "home")
    assert call_memctl("channel").stderr == (
        "memctl: no transcripts are stored; memories are of home: "
        "`memctl list --channel home` shows them\n"
    )
    refused = call_memctl("channel", "home", status=4).stderr
    assert "`memctl list --channel home` shows the memories of this channel." in refused
    assert "migrate-openclaw" in call_memctl("channel", "garage", status=4).stderr


@pytest.fixture
def router(call_memctl: RunMemctl) -> dict[str, str]:
    """Ids by content: of an address that another one took the place of in February, and of a note
    of January."""
    rows = [
        ("The router address is 192.168.9.1", "2026-01-05T10:00:00Z", "net"),
        ("The pump hums", "2026-01-20T10:00:00Z", "home"),
        ("The router address is 192.168.7.1", "2026-02-10T10:00:00Z", "net"),
    ]
    lines = [
        json.dumps({"content": text, "created_at": when, "tags": [tag]}) for text, when, tag in rows
    ]
    call_memctl("import", "-", stdin="\n".join(lines))
    listed = call_memctl("list", "--superseded", "--json").json["memories"]
    assert [memory["superseded_by"] is None for memory in listed] == [True, True, False]
    return {memory["content"]: memory["id"] for memory in listed}


def listed(call_memctl: RunMemctl, *words: str) -> list[str]:
    """What is listed, in order; its number is the total."""
    answer = call_memctl("list", "--json", *words).json
    contents = [memory["content"] for memory in answer["memories"]]
    assert answer["total"] == len(contents)
    return contents


@pytest.mark.parametrize(
    ("words", "contents"),
    [
        ([], ["The router address is 192.168.7.1", "The pump hums"]),
        (["--as-of", "2026-01-31"], ["The pump hums", "The router address is 192.168.9.1"]),
        (["--as-of", "2026-01-31", "--tag", "net"], ["The router address is 192.168.9.1"]),
        (["--as-of", "2026-01-31", "--reverse", "--tag", "home"], ["The pump hums"]),
        (["--as-of", "2026-01-10"], ["The router address is 192.168.9.1"]),
        (["--as-of", "2026-01-01"], []),
        (
            ["--as-of", "2026-02-28", "--superseded", "--sort", "oldest", "--tag", "net"],
            ["The router address is 192.168.9.1", "The router address is 192.168.7.1"],
        ),
    ],
)
def test_a_list_as_of_a_day_holds_what_was_known_and_current_then(
    call_memctl: RunMemctl, router: dict[str, str], words: list[str], contents: list[str]
) -> None:
    """As recall --as-of does."""
    assert listed(call_memctl, *words) == contents
    if words[:1] == ["--as-of"] and "--superseded" not in words:
        mode = ["--mode", "recent", *(word for word in words if word != "--reverse")]
        recalled = call_memctl("recall", "--json", *mode).json["results"]
        assert [hit["content"] for hit in recalled] == contents


def test_a_list_as_of_a_day_has_pages_and_says_when_it_is_empty(
    call_memctl: RunMemctl, router: dict[str, str]
) -> None:
    """Whether nothing was known then, or nothing that fits the filter."""
    then = ["--as-of", "2026-01-31"]
    page = call_memctl("list", "--limit", "1", "--offset", "1", *then)
    assert "192.168.9.1" in page.stdout
    assert page.stderr == "memctl: 2 to 2 of 2\n"
    assert call_memctl("list", "--as-of", "2025-01-01").stderr == "memctl: nothing was known then\n"
    filtered = call_memctl("list", "--pinned", *then)
    assert filtered.stderr == "memctl: no memories fit the filter\n"


def test_a_list_of_forgotten_memories_is_one_of_the_present(
    call_memctl: RunMemctl, router: dict[str, str]
) -> None:
    """What somebody has forgotten was not forgotten then."""
    call_memctl("forget", router["The pump hums"])
    assert listed(call_memctl, "--as-of", "2026-01-31") == ["The router address is 192.168.9.1"]
    refused = call_memctl("list", "--forgotten", "--as-of", "2026-01-31", status=2).stderr
    assert "--forgotten and --as-of exclude each other" in refused
