"""save, list, show, forget and restore, as a person or a script uses them."""

import json

import pytest

from memctl.memory import MemoryType


@pytest.fixture
def save(call_memctl):
    """Saves a text and gives its receipt."""

    def run(text, *options):
        return call_memctl("save", text, *options, "--json").json

    return run


def test_a_saved_memory_is_listed_and_shown_with_all_that_was_said(call_memctl, save):
    receipt = save(
        "We chose PostgreSQL for billing",
        "--type",
        "decision",
        "--importance",
        "0.9",
        "--tag",
        "billing",
        "--tag",
        "database",
        "--source",
        "kick-off",
        "--channel",
        "team",
        "--session",
        "s1",
        "--key",
        "billing-db",
        "--subject",
        "billing",
        "--event-at",
        "2026-03-04",
        "--ttl",
        "7d",
        "--pin",
    )
    assert receipt["outcome"] == "created"
    [memory] = call_memctl("list", "--json").json["memories"]
    assert memory["id"] == receipt["id"]
    assert memory["content"] == "We chose PostgreSQL for billing"
    assert memory["memory_type"] == "decision"
    assert memory["importance"] == 0.9
    assert memory["tags"] == ["billing", "database"]
    assert memory["source"] == "kick-off"
    assert (memory["channel_id"], memory["session_id"]) == ("team", "s1")
    assert (memory["key"], memory["subject"]) == ("billing-db", "billing")
    assert memory["event_at"] == "2026-03-04"
    assert memory["expires_at"] is not None
    assert memory["pinned"] is True
    assert memory["origin"] == "user"
    shown = call_memctl("show", receipt["id"][:6], "--json").json
    assert {key: shown[key] for key in memory} == memory
    for text in ("PostgreSQL", "decision", "0.90", "billing, database", "kick-off", "2026-03-04"):
        assert text in call_memctl("show", receipt["id"]).stdout


@pytest.mark.parametrize(
    ("text", "memory_type"),
    [
        ("I prefer tea to coffee", "preference"),
        ("My name is Ottoline", "identity"),
        ("The router is at 192.0.2.1", "fact"),
    ],
)
def test_the_type_follows_from_the_wording_when_none_is_given(call_memctl, save, text, memory_type):
    save(text)
    [memory] = call_memctl("list", "--json").json["memories"]
    assert memory["memory_type"] == memory_type
    assert memory["importance"] == MemoryType(memory_type).default_importance


def test_the_same_text_is_stored_once(call_memctl, save):
    first = save("The router is at 192.0.2.1")
    second = save("  The router  is at 192.0.2.1\n")
    assert second["outcome"] == "unchanged"
    assert second["id"] == first["id"]
    assert len(call_memctl("list", "--json").json["memories"]) == 1


def test_another_value_is_never_taken_for_the_same_text(call_memctl, save):
    first = save("The router is at 192.168.9.1")
    second = save("The router is at 192.168.7.1")
    assert second["id"] != first["id"]
    assert second["outcome"] in {"updated", "contradicts", "related", "created"}
    assert len(call_memctl("list", "--superseded", "--json").json["memories"]) == 2


def test_saving_a_key_again_updates_it_and_keeps_the_history(call_memctl, save):
    old = save("Router: 192.0.2.1", "--key", "router")
    new = save("Router: 192.0.2.99", "--key", "router")
    assert new["outcome"] == "updated"
    assert {"id": old["id"], "relation_type": "updates"}.items() <= new["related"][0].items()
    assert [m["id"] for m in call_memctl("list", "--json").json["memories"]] == [new["id"]]
    assert call_memctl("show", old["id"], "--json").json["superseded_by"] == new["id"]
    assert call_memctl("show", new["id"], "--json").json["history"] == [old["id"]]


def test_stdin_is_saved_with_a_dash(call_memctl):
    call_memctl("save", "-", stdin="Call the sweep\nby Friday\n")
    [memory] = call_memctl("list", "--json").json["memories"]
    assert memory["content"] == "Call the sweep\nby Friday"


def test_words_without_quotes_are_one_text(call_memctl):
    call_memctl("save", "The", "oven", "is", "hot")
    assert "The oven is hot" in call_memctl("list").stdout


@pytest.mark.parametrize(
    ("arguments", "stdin", "reason"),
    [
        (["save", ""], b"", "it is empty"),
        (["save", "-"], b" \n\t", "it is empty"),
        (["save", "-"], b"a\0b", "NUL bytes"),
        (["save", "-"], b"\xff\xfe\x00caf\xe9", "not UTF-8"),
        (["save", "x", "--type", "decison"], b"", "perhaps you mean decision"),
        (["save", "x", "--importance", "1.5"], b"", "between 0 and 1"),
        (["save", "x", "--importance", "nan"], b"", "between 0 and 1"),
        (["save", "x", "--importance", "high"], b"", "--importance"),
        (["save", "x", "--ttl", "soon"], b"", "write for example"),
        (["save", "x", "--event-at", "someday"], b"", "write for example"),
        (["save", "x", "--origin", "god"], b"", "user, file"),
        (["list", "--sort", "sideways"], b"", "recent, importance"),
        (["list", "--since", "soon"], b"", "--since"),
        (["list", "--limit", "0"], b"", "--limit"),
        (["list", "--min-importance", "7"], b"", "between 0 and 1"),
    ],
)
def test_a_wrong_value_is_refused_in_one_clear_line(call_memctl, arguments, stdin, reason):
    result = call_memctl(*arguments, stdin=stdin, status=2)
    assert result.stdout == ""
    assert result.stderr.startswith("memctl: cannot ")
    assert reason in result.stderr.splitlines()[0]
    assert "Traceback" not in result.stderr
    assert call_memctl("list", "--json").json["memories"] == []


def test_forgotten_memories_are_hidden_and_can_be_restored(call_memctl, save):
    first, second = save("The mixer draws 2.2 kilowatts"), save("The oven is from 1974")
    preview = call_memctl("forget", first["id"][:5], "--dry-run")
    assert preview.stdout.startswith("Would forget")
    assert len(call_memctl("list", "--json").json["memories"]) == 2
    call_memctl("forget", first["id"][:5], second["id"])
    assert call_memctl("list", "--json").json["memories"] == []
    hidden = call_memctl("list", "--forgotten", "--json").json["memories"]
    assert {memory["id"] for memory in hidden} == {first["id"], second["id"]}
    assert "Forgotten already" in call_memctl("forget", first["id"]).stdout
    restored = call_memctl("restore", first["id"], "--json").json
    assert restored["changed"] == [first["id"]]
    [memory] = call_memctl("list", "--json").json["memories"]
    assert memory["id"] == first["id"]
    assert "Not forgotten" in call_memctl("restore", first["id"]).stdout


def test_one_wrong_id_of_several_changes_nothing(call_memctl, save):
    receipt = save("The mixer draws 2.2 kilowatts")
    result = call_memctl("forget", receipt["id"], "ffffffff-0000", status=4)
    assert "no memory's id starts with it" in result.stderr
    assert len(call_memctl("list", "--json").json["memories"]) == 1


@pytest.mark.parametrize("command", ["show", "forget", "restore"])
def test_an_id_that_is_too_short_or_unknown_is_not_found(call_memctl, command):
    assert "at least 4" in call_memctl(command, "ab", status=4).stderr
    assert "no memory's id" in call_memctl(command, "abcd'; --", status=4).stderr


def test_an_ambiguous_prefix_names_its_candidates(call_memctl, store_path, save):
    from memctl.new_memory import NewMemory
    from memctl.store.database import Database
    from memctl.store.memory_store import MemoryStore
    from memctl.times import utc_now

    ids = iter(["abcd1111-0000-4000-8000-000000000000", "abcd2222-0000-4000-8000-000000000000"])
    database = Database.open(store_path / "memctl.db", clock=utc_now)
    store = MemoryStore(
        database, index_factory=None, embedder_factory=None, make_id=lambda: next(ids)
    )
    with store.operation("save") as operation:
        operation.save_many([NewMemory(content="one"), NewMemory(content="two")])
    database.close()
    result = call_memctl("show", "ABCD", status=4)
    assert "abcd1111" in result.stderr
    assert "abcd2222" in result.stderr
    assert "one" in call_memctl("show", "abcd1").stdout


def test_a_forgotten_text_can_be_saved_again(call_memctl, save):
    first = save("The starter is called Bubbles")
    call_memctl("forget", first["id"])
    second = save("The starter is called Bubbles")
    assert second["outcome"] == "created"
    [memory] = call_memctl("list", "--json").json["memories"]
    assert memory["id"] == second["id"]
    conflict = call_memctl("restore", first["id"], status=1)
    assert second["id"][:8] in conflict.stderr


def test_list_filters_before_it_limits(call_memctl, save):
    for number in range(12):
        save(f"Tray number {number} is clean", "--type", "fact")
    wanted = save("Repaint the bike", "--type", "todo", "--tag", "bike")
    save("Tray 99 is clean", "--type", "fact")
    result = call_memctl("list", "--type", "todo", "--limit", "1", "--json").json
    assert [memory["id"] for memory in result["memories"]] == [wanted["id"]]
    result = call_memctl("list", "--tag", "bike", "--limit", "3", "--json").json
    assert [memory["id"] for memory in result["memories"]] == [wanted["id"]]


def test_since_and_until_look_at_the_event_time(call_memctl, save):
    old = save("The oven broke down", "--event-at", "2026-03-04")
    new = save("The oven was mended", "--event-at", "2026-03-06")
    listed = call_memctl("list", "--since", "2026-03-05", "--json").json["memories"]
    assert [memory["id"] for memory in listed] == [new["id"]]
    listed = call_memctl("list", "--until", "2026-03-04", "--json").json["memories"]
    assert [memory["id"] for memory in listed] == [old["id"]]


def test_a_day_in_the_text_is_when_it_happened(call_memctl):
    """It is said, and filters find it; a given one wins, and a second save is nothing new."""
    text = "On 3 March 2026 Anton proposed on the ferry"
    assert call_memctl("save", text).stdout.endswith(" (on 2026-03-03)\n")
    again = call_memctl("save", text, "--json").json
    assert (again["outcome"], again["event_at"]) == ("unchanged", "2026-03-03")
    found = call_memctl("list", "--since", "2026-03-03", "--until", "2026-03-03", "--json").json
    assert [memory["event_at"] for memory in found["memories"]] == ["2026-03-03"]
    given = call_memctl("save", "On 5 May 2026 Ada moved", "--event-at", "2026-05-06", "--json")
    assert given.json["event_at"] == "2026-05-06"
    found = call_memctl("list", "--since", "2026-05-06", "--json").json["memories"]
    assert [memory["event_at"] for memory in found] == ["2026-05-06"]


def test_a_secret_is_taken_out_before_saving_and_that_is_said(call_memctl, store_path):
    secret = "hunter2" + "FAKE99"
    result = call_memctl("save", f"The admin password: {secret}", "--json")
    assert result.json["redactions"] == ["password"]
    assert "taken out before saving, and kept nowhere: password" in result.stderr
    [memory] = call_memctl("list", "--json").json["memories"]
    assert memory["content"] == "The admin password: [redacted: password]"
    for file in store_path.rglob("*"):
        assert file.is_dir() or secret.encode() not in file.read_bytes()


def test_stored_text_never_acts_on_the_terminal(call_memctl):
    call_memctl("save", "-", stdin="[red]alarm[/red] \x1b[31mred\x1b[0m \x9b2J")
    [memory] = call_memctl("list", "--json").json["memories"]
    assert memory["content"] == "[red]alarm[/red] \x1b[31mred\x1b[0m \x9b2J"
    for arguments in (["list"], ["show", memory["id"]], ["forget", memory["id"], "--dry-run"]):
        text = call_memctl(*arguments).stdout
        assert "[red]alarm[/red]" in text
        assert "\x1b" not in text
        assert "\x9b" not in text


def test_each_json_answer_is_one_line_with_a_schema_version(call_memctl, save):
    receipt = save("The oven is from 1974")
    for arguments in (["list"], ["show", receipt["id"]], ["status"], ["config", "show"]):
        result = call_memctl(*arguments, "--json")
        assert len(result.stdout.splitlines()) == 1
        assert json.loads(result.stdout)["schema_version"] == 1
