"""Links, the graph, export and import, batches and answers."""

import errno
import json
import os
import re
from collections.abc import Iterator

import pytest
from fakes.openai_server import OpenAiServer, answer

from memctl.errors import WriteError
from memctl.target_file import write_whole


@pytest.fixture
def three(call_memctl):
    """Ids of three memories that have nothing to do with each other."""
    texts = ("The mixer draws 2.2 kilowatts", "Call the chimney sweep", "Ottoline collects stamps")
    return [call_memctl("save", text, "--json").json["id"] for text in texts]


def associations(call_memctl, memory_id):
    shown = call_memctl("show", memory_id, "--json").json
    return [
        (edge["source_id"], edge["relation_type"], edge["target_id"])
        for edge in shown["associations"]
    ]


def test_a_link_is_shown_drawn_and_taken_back(call_memctl, three):
    mixer, sweep, stamps = three
    call_memctl("link", mixer[:8], "caused-by", sweep[:8])
    call_memctl("link", sweep, "part_of", stamps, "--weight", "0.5")
    assert (mixer, "caused_by", sweep) in associations(call_memctl, mixer)
    tree = call_memctl("graph", mixer).stdout.splitlines()
    assert tree[0].endswith("The mixer draws 2.2 kilowatts")
    assert "caused by → " in tree[1]
    assert "Ottoline" in tree[2]
    assert len(call_memctl("graph", mixer, "--depth", "1").stdout.splitlines()) == 2
    dot = call_memctl("graph", mixer, "--format", "dot").stdout
    assert f'"{mixer[:8]}" -> "{sweep[:8]}" [label="caused by"];' in dot
    mermaid = call_memctl("graph", mixer, "--format", "mermaid").stdout
    assert f'm{mixer[:8]} -- "caused by" --> m{sweep[:8]}' in mermaid
    drawn = call_memctl("graph", mixer, "--json").json
    assert {memory["id"] for memory in drawn["memories"]} == set(three)
    assert len(call_memctl("unlink", sweep, mixer, "--json").json["removed"]) == 1
    assert associations(call_memctl, mixer) == []
    assert "nothing links" in call_memctl("unlink", sweep, mixer).stderr


def test_linking_as_an_update_outdates_the_older_one_until_it_is_unlinked(call_memctl, three):
    mixer, sweep, _ = three
    linked = call_memctl("link", mixer, "updates", sweep, "--weight", "0.5", "--json").json
    assert linked["association"]["weight"] == 0.5
    assert call_memctl("show", sweep, "--json").json["superseded_by"] == mixer
    listed = [memory["id"] for memory in call_memctl("list", "--json").json["memories"]]
    assert sweep not in listed
    call_memctl("unlink", mixer, sweep)
    assert call_memctl("show", sweep, "--json").json["superseded_by"] is None


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["link", "{0}", "likes", "{1}"], 2),
        (["link", "{0}", "updates", "{0}"], 2),
        (["link", "{0}", "related_to", "{1}", "--weight", "7"], 2),
        (["link", "{0}", "related_to", "ffffffff"], 4),
        (["graph", "{0}", "--format", "crayon"], 2),
        (["graph", "ffffffff"], 4),
    ],
)
def test_a_link_or_graph_that_makes_no_sense_is_refused(call_memctl, three, arguments, status):
    result = call_memctl(*[word.format(*three) for word in arguments], status=status)
    assert result.stderr.startswith("memctl: cannot ")
    assert associations(call_memctl, three[0]) == []


def test_what_is_exported_comes_back_as_it_was(call_memctl, tmp_path):
    (tmp_path / "note.md").write_text("- We chose oak for the bench.\n- The lamp is brass.\n")
    call_memctl("ingest", tmp_path / "note.md")
    call_memctl("save", "The router is at 192.0.2.1", "--key", "router", "--tag", "a", "--pin")
    new = call_memctl("save", "The router is at 192.0.2.9", "--key", "router", "--json").json
    gone = call_memctl(
        "save", "The van is rented", "--ttl", "9d", "--event-at", "2026-03-04", "--json"
    )
    call_memctl("forget", gone.json["id"])
    call_memctl("recall", "router")
    call_memctl(
        "link", new["id"], "caused_by", call_memctl("list", "--json").json["memories"][1]["id"]
    )
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    call_memctl("export", first, "--forgotten")
    elsewhere = {"MEMCTL_STORE": str(tmp_path / "elsewhere")}
    call_memctl("import", first, environment=elsewhere)
    call_memctl("export", second, "--forgotten", environment=elsewhere)
    assert first.read_text() == second.read_text()
    assert len(first.read_text().splitlines()) > 6
    again = call_memctl("import", first, "--json", environment=elsewhere).json_lines
    assert {row["outcome"] for row in again} == {"unchanged"}
    found = call_memctl("recall", "router", "--json", environment=elsewhere).json["results"]
    assert found[0]["id"] == new["id"]


def test_rows_may_be_sparse_and_each_outcome_is_reported(call_memctl):
    rows = [
        {"content": "Tea, not coffee", "memory_type": "preference", "tags": ["drink"]},
        {"importance": 0.9, "content": "The oven is from 1974"},
        {"content": "The oven is from 1974"},
        {"content": ""},
        {"content": "x", "importance": 5},
        {"content": "y", "event_at": "soon"},
        {"content": "z", "memory_type": "rumour"},
    ]
    text = "\n".join(map(json.dumps, rows)) + "\n\nnonsense\n[1]\n"
    result = call_memctl("import", "-", "--json", stdin=text, status=7)
    outcomes = [(row["line"], row["outcome"]) for row in result.json_lines]
    assert outcomes[:3] == [(1, "created"), (2, "created"), (3, "unchanged")]
    assert [(line, outcome) for line, outcome in outcomes if outcome == "failed"] == [
        (number, "failed") for number in (4, 5, 6, 7, 9, 10)
    ]
    assert "line 7: 'rumour' is none of" in result.stderr
    memories = {m["content"]: m for m in call_memctl("list", "--json").json["memories"]}
    assert set(memories) == {"Tea, not coffee", "The oven is from 1974"}
    assert memories["The oven is from 1974"]["importance"] == 0.9
    assert memories["Tea, not coffee"]["origin"] == "import"


def test_a_line_that_is_no_text_or_no_json_is_named_and_stops_no_other(call_memctl):
    lines = [
        b'{"content": "The oven is from 1974"}',
        b'{"content": "caf\xe9"}',
        b'{"content": "The till is broken"',
        b"[" * 5_000,
        b'{"content": "Tea, not coffee"}',
    ]
    result = call_memctl("import", "-", stdin=b"\n".join(lines), status=7)
    assert "line 2: it is not UTF-8 text\n" in result.stderr
    assert "line 3: it is no whole JSON object (see column 33)\n" in result.stderr
    assert "line 4: it is no" in result.stderr or "line 4: it is nested" in result.stderr
    contents = [m["content"] for m in call_memctl("list", "--json").json["memories"]]
    assert contents == ["Tea, not coffee", "The oven is from 1974"]


def test_all_links_between_two_memories_are_drawn(call_memctl, three):
    mixer, sweep, _ = three
    call_memctl("link", mixer, "caused_by", sweep)
    call_memctl("link", sweep, "part_of", mixer, "--weight", "0.4")
    [_, branch] = call_memctl("graph", mixer).stdout.splitlines()
    assert branch.startswith(f"└─ caused by →, ← part of {sweep[:8]}  Call the chimney")


def test_an_export_never_writes_over_a_file_unasked(call_memctl, tmp_path):
    call_memctl("save", "The oven is from 1974")
    target = tmp_path / "memories.jsonl"
    target.write_text("precious")
    assert "--force" in call_memctl("export", target, status=1).stderr
    assert target.read_text() == "precious"
    call_memctl("export", target, "--force")
    assert "oven" in target.read_text()
    missing = call_memctl("export", tmp_path / "no" / "x.jsonl", status=4).stderr
    assert f"cannot write {tmp_path}/no/x.jsonl: there is no folder {tmp_path}/no" in missing
    assert (
        "## Fact\n\n- The oven is from 1974\n"
        in call_memctl("export", "--format", "markdown").stdout
    )


@pytest.mark.parametrize("command", [["export"], ["backup"]])
def test_force_replaces_no_device_pipe_or_folder(call_memctl, tmp_path, command):
    """Root could replace /dev/null itself."""
    call_memctl("save", "The oven is from 1974")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "pipe")
    for name, why in (
        ("pipe", "no regular file"), ("link", "no regular file"), ("folder", "a folder"),
    ):  # fmt: skip
        result = call_memctl(*command, tmp_path / name, "--force", status=1)
        assert f"it is {why}" in result.stderr
    assert (tmp_path / "pipe").is_fifo()
    assert (tmp_path / "link").is_symlink()


def test_a_link_stays_a_link_to_what_is_exported(call_memctl, tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "memories.jsonl")
    call_memctl("export", tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "memories.jsonl").is_file()


def test_an_export_that_fails_leaves_nothing_behind(tmp_path):
    def lines() -> Iterator[str]:
        yield "one"
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(WriteError, match="no space left"):
        write_whole(tmp_path / "memories.jsonl", lines())
    assert list(tmp_path.iterdir()) == []


def test_a_tag_that_is_no_text_comes_in_as_a_text_does(call_memctl):
    line = {"id": "5b3f0f2e-53a5-4f7e-9d6e-0d5a4f6f1c11", "content": "x y", "tags": ["a\ud800", ""]}
    call_memctl("import", "-", stdin=json.dumps(line))
    assert call_memctl("list", "--json").json["memories"][0]["tags"] == ["a\ufffd"]


def test_a_batch_answers_each_line_in_order_as_one_object(call_memctl, three):
    queries = "mixer power\n\nchimney sweep\nzebra crossings on the moon\n"
    lines = call_memctl("recall", "--batch", "-", "--limit", "1", stdin=queries).json_lines
    assert [line["query"] for line in lines] == [
        "mixer power",
        "chimney sweep",
        "zebra crossings on the moon",
    ]
    assert [line["results"][0]["id"] for line in lines[:2]] == three[:2]
    assert lines[2]["results"] == []


def test_an_answer_is_the_models_and_names_the_memories_that_it_used(call_memctl, three):
    with OpenAiServer() as server:
        environment = {
            "MEMCTL_LLM_MODEL": "openai/test",
            "MEMCTL_LLM_API_BASE": server.api_base,
            "OPENAI_API_KEY": "none",
        }
        server.play(answer('{"answer": "2.2 kilowatts.", "used": ["K1", "K9"]}'))
        result = call_memctl(
            "recall",
            "how much power does the mixer draw?",
            "--answer",
            "--json",
            environment=environment,
        )
    assert result.json["answer"] == "2.2 kilowatts."
    assert result.json["used"] == [three[0]]
    sent = json.dumps(server.requests)
    assert "The mixer draws 2.2 kilowatts" in sent


def test_an_answer_without_a_model_says_what_to_set(call_memctl, three):
    result = call_memctl("recall", "mixer", "--answer", status=3)
    assert "llm.model is not set" in result.stderr
    assert "MEMCTL_LLM_MODEL" in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["--weights", "luck=1"],
        ["--weights", "semantic=lots"],
        ["--weights", "semantic=1,recency=1,semantic=0"],
        ["--weights", "semantic=nan,recency=1"],
        ["--weights", "semantic=inf"],
        ["--min-score", "7"],
        ["--mmr", "-1"],
        ["--half-life", "never"],
        ["--half-life", "0d"],
        ["--as-of", "whenever"],
        ["--kind", "rumour"],
        ["--mode", "typed"],
        ["--batch", "-"],
    ],
)
def test_recall_options_that_make_no_sense_are_refused(call_memctl, arguments):
    result = call_memctl("recall", "mixer", *arguments, status=2)
    assert result.stderr.startswith("memctl: cannot ")
    assert not re.search("minimum_score|mmr_lambda|half_life", result.stderr)


def test_a_line_with_a_time_beyond_all_clocks_keeps_no_other_out(call_memctl):
    """One impossible date is an error of its line; what stood before it is stored."""
    lines = [
        '{"content": "Walruses sleep in the water"}',
        '{"content": "o2", "event_at": "9999-12-31T23:59:59-14:00"}',
        '{"content": "o3", "event_at": "0001-01-01"}',
        '{"content": "Otters sleep there too"}',
    ]
    result = call_memctl("import", "-", stdin="\n".join(lines) + "\n", status=7)
    assert "years 2 to 9998" in result.stdout + result.stderr
    assert len(call_memctl("list", "--json").json["memories"]) == 2


def test_a_batch_is_no_single_question(call_memctl):
    """A conclusion is drawn from one query's hits."""
    result = call_memctl("recall", "--batch", "-", "--answer", stdin="billing\n", status=2)
    assert "--batch" in result.stderr


def import_rows(call_memctl, *rows, status=0):
    lines = "\n".join(json.dumps(row) for row in rows)
    answer = call_memctl("import", "-", "--json", stdin=lines, status=status)
    return [json.loads(line) for line in answer.stdout.splitlines()], answer


def test_a_text_that_is_no_json_lines_is_said_once_with_the_command_for_it(call_memctl, tmp_path):
    """And not with a problem of each of its lines."""
    (tmp_path / "notes.md").write_text(
        "# Larkspur\n\n- The oven is from 1974\n- The van is rented\n"
    )
    result = call_memctl("import", "notes.md", status=1)
    assert result.stderr == (
        "memctl: notes.md is no file of JSON lines; "
        "`memctl ingest` takes in markdown and other texts\n"
    )
    assert result.stdout == "3 lines: 3 failed\n"


@pytest.mark.parametrize("identity", ["abc", "../../etc", "a b c d", "é" * 8, "a" * 129])
def test_an_imported_id_that_no_command_could_name_is_refused(call_memctl, identity):
    [row], _ = import_rows(call_memctl, {"id": identity, "content": "Tea"}, status=1)
    assert row["outcome"] == "failed"
    assert "its id" in row["reason"]
    assert call_memctl("list", "--json").json["total"] == 0


def test_an_imported_line_with_the_id_of_another_text_is_told_and_changes_nothing(call_memctl):
    known = {"id": "till-0001", "content": "The till is blue"}
    import_rows(call_memctl, known)
    rows, answer = import_rows(
        call_memctl, known, {**known, "content": "The till is green"}, status=7
    )
    assert [row["outcome"] for row in rows] == ["unchanged", "different"]
    assert "another text" in rows[1]["reason"]
    assert "line 2" in answer.stderr
    assert call_memctl("show", "till-0001", "--json").json["content"] == "The till is blue"


def test_an_imported_line_without_an_id_keeps_when_it_was_saved(call_memctl):
    row = {"content": "Wren likes tea", "created_at": "2025-03-04T05:06:07Z"}
    import_rows(call_memctl, row)
    [again], _ = import_rows(call_memctl, row)
    assert again["outcome"] == "unchanged"
    [memory] = call_memctl("list", "--json").json["memories"]
    assert memory["created_at"].startswith("2025-03-04T05:06:07")
    bad, _ = import_rows(call_memctl, {**row, "created_at": "yesterday"}, status=1)
    assert "created_at" in bad[0]["reason"]


def test_a_batch_names_the_line_that_is_no_text_and_answers_those_before_it(call_memctl, three):
    result = call_memctl("recall", "--batch", "-", stdin=b"mixer\n\xff\nstamps\n", status=2)
    assert "line 2 of stdin is not UTF-8 text" in result.stderr
    assert [answer["query"] for answer in result.json_lines] == ["mixer"]
