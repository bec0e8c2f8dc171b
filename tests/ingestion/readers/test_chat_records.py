"""Chats that programs export as JSON."""

from __future__ import annotations

import json
from pathlib import PurePath

import pytest
from whole_chunk import whole_chunk

from memctl.document import Candidate
from memctl.extraction.extractor import DocumentText, TextFormat
from memctl.extraction.rules.extractor import RulesExtractor
from memctl.file_lines import line_of
from memctl.ingestion.chunking import chunk_text
from memctl.ingestion.preparation import redact_document
from memctl.ingestion.readers.registry import read_document

MESSAGES = [
    {"role": "system", "content": "You are a helpful assistant. The user is called Bob."},
    {
        "role": "user",
        "content": "I am allergic to hazelnuts.\nI moved to Ghent yesterday.",
        "timestamp": "2026-10-12T18:04:02Z",
    },
    {"role": "assistant", "content": "Nice to meet you. You live in Bruges.", "ts": 1791828300},
    {
        "role": "user",
        "content": [
            {"type": "text", "text": "I started the new job today."},
            {"type": "image_url", "image_url": {"url": "https://example.invalid/a.png"}},
        ],
        "created_at": 1791914643000,
    },
    {"role": "assistant", "content": None},
]
EXPECTED = [
    ("identity", "I am allergic to hazelnuts.", None),
    ("event", "I moved to Ghent yesterday.", "2026-10-11"),
    ("event", "I started the new job today.", "2026-10-13"),
]


def _document(name: str, text: str) -> DocumentText:
    document = read_document(PurePath(name), text.encode()).document
    assert document is not None
    return redact_document(document)[0]


def _candidates(document: DocumentText) -> tuple[Candidate, ...]:
    chunk = whole_chunk(document.text, document.file_lines)
    return RulesExtractor().begin(document).extract(chunk).candidates


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("chat.json", json.dumps(MESSAGES)),
        ("chat.json", json.dumps(MESSAGES, indent=2)),
        ("chat.json", json.dumps({"title": "Moving", "messages": MESSAGES})),
        ("chat.json", json.dumps([{"messages": MESSAGES[:2]}, {"messages": MESSAGES[2:]}])),
        ("chat.jsonl", "\n".join(map(json.dumps, MESSAGES))),
        ("chat.jsonl", "\n".join(json.dumps({"message": message}) for message in MESSAGES)),
        ("chat.jsonl", json.dumps({"messages": MESSAGES})),
    ],
)
def test_the_messages_of_a_chat_are_read_one_by_one(name: str, text: str) -> None:
    """What the user says is said on the day of its message; the assistant's answers, and what a
    program is told, give no memories."""
    found = _candidates(_document(name, text))

    assert [
        (str(one.memory_type), one.content, str(one.event_at)[:10] if one.event_at else None)
        for one in found
    ] == EXPECTED


def test_messages_stand_on_the_lines_of_their_file() -> None:
    """A memory cites the line that has its words, in whatever way the messages are laid out."""
    messages = [{"role": "user", "content": "Hello there"}, MESSAGES[3]]
    jsonl = _candidates(_document("chat.jsonl", "\n".join(map(json.dumps, messages))))
    laid_out = json.dumps(messages, indent=1)
    spread = _candidates(_document("chat.json", laid_out))

    assert [one.first_line for one in jsonl] == [2]
    assert [one.first_line for one in spread] == [
        laid_out[: laid_out.index("I started")].count("\n") + 1
    ]


@pytest.mark.parametrize("is_wrapped", [False, True])
def test_lines_of_a_message_are_those_of_its_record(is_wrapped: bool) -> None:
    """A message of several lines, or a conversation of several messages, moves none below it."""
    said = {"role": "user", "content": "I moved to Ghent.\n\nI am allergic to hazelnuts.\n- a\n- b"}
    last = {"role": "user", "content": "I prefer oat milk in my coffee."}
    records: list[object] = [said, {"role": "assistant", "content": "Good.\n" * 40}, last]
    if is_wrapped:
        records = [{"messages": records[:2]}, {"messages": [last, last]}]
    document = _document("chat.jsonl", "\n".join(map(json.dumps, records)))

    found = _candidates(document)

    assert [(one.content, one.first_line, one.last_line) for one in found][:2] == [
        ("I moved to Ghent.", 1, 1),
        ("I am allergic to hazelnuts.", 1, 1),
    ]
    assert {(found[-1].content, found[-1].first_line)} == {(last["content"], len(records))}


def test_secrets_of_several_lines_are_found_where_the_file_has_one() -> None:
    """A secret ends with its line, also where its message has only one line in the file."""
    key = "-----BEGIN PRIVATE KEY-----\nMIIEvAIBADANBgkqhkiG9w0BAQ\n-----END PRIVATE KEY-----"
    said = [
        {"role": "user", "content": f"My key:\n{key}\npassword: swordfish\nThat is all."},
        {"role": "user", "content": "I moved to Ghent."},
    ]
    document = _document("chat.jsonl", "\n".join(map(json.dumps, said)))

    assert "MIIE" not in document.text
    assert "swordfish" not in document.text
    assert line_of(document.file_lines, document.text.index("That is all.")) == 1
    assert [(one.content, one.first_line) for one in _candidates(document)][-1:] == [
        ("I moved to Ghent.", 2)
    ]


def test_several_people_have_their_names() -> None:
    """Where more than one person writes as the user, each says what is theirs."""
    messages = [
        {"role": "user", "name": "Mara", "content": "I work as a nurse in Ghent."},
        {"role": "user", "name": "Tom", "content": "I prefer oat milk in my coffee."},
    ]
    found = _candidates(_document("chat.json", json.dumps({"messages": messages})))

    assert [(str(one.memory_type), one.content) for one in found] == [
        ("fact", "Mara: I work as a nurse in Ghent."),
        ("preference", "Tom: I prefer oat milk in my coffee."),
    ]


def test_a_conversation_gives_its_day_to_messages_without_one() -> None:
    """The day on which a conversation was begun is that of its undated messages."""
    said = {"sender": "human", "text": "I moved to Ghent yesterday."}
    text = json.dumps([{"created_at": "2026-10-12T18:04:02Z", "chat_messages": [said]}])

    assert [str(one.event_at)[:10] for one in _candidates(_document("a.json", text))] == [
        "2026-10-11"
    ]


def _node(
    name: str, parent: str | None, role: str, text: str, at: float | None = None, **more: object
) -> dict[str, object]:
    """A node of ChatGPT's export."""
    message = {
        "id": name,
        "author": {"role": role, "name": None, "metadata": {}},
        "create_time": at,
        "content": {"content_type": "text", "parts": [text]},
        "metadata": {},
        "recipient": "all",
        **more,
    }
    return {"id": name, "message": message, "parent": parent, "children": []}


HIDDEN = {"metadata": {"is_visually_hidden_from_conversation": True}}
PICTURE = {
    "content_type": "multimodal_text",
    "parts": [
        {"content_type": "image_asset_pointer", "asset_pointer": "file-service://a"},
        "I bought this bicycle today.",
    ],
}
PROFILE = {"content_type": "user_editable_context", "user_profile": "I am a robot."}
TREE = {
    "root": {"id": "root", "message": None, "parent": None, "children": ["s", "gone"]},
    "s": _node("s", "root", "system", "I am allergic to nothing.", **HIDDEN),
    "p": _node("p", "s", "user", "", content=PROFILE),
    "a": _node("a", "p", "user", "I moved to Bruges yesterday.", 1_791_828_242.5),
    "b": _node("b", "p", "user", "I moved to Ghent yesterday.", 1_791_828_243.5),
    "c": _node("c", "b", "assistant", "You live in Ghent.", 1_791_828_250.0),
    "t": _node("t", "c", "assistant", "search('Ghent')", recipient="python"),
    "u": _node("u", "t", "tool", "Ghent is a city."),
    "d": _node("d", "u", "user", "", 1_791_914_643.0, content=PICTURE),
    "e": _node("e", "c", "user", "I prefer tea to coffee.", 1_791_914_650.0),
}
CHATGPT = {"title": "Moving house", "create_time": 1_791_828_000.0, "mapping": TREE}
CLAUDE = {
    "uuid": "0",
    "name": "Nuts and milk",
    "created_at": "2026-10-12T18:04:02.000000Z",
    "account": {"uuid": "1"},
    "chat_messages": [
        {
            "sender": "human",
            "text": "",
            "content": [{"type": "text", "text": "I am allergic to hazelnuts."}],
            "created_at": "2026-10-12T18:04:02.000000Z",
            "attachments": [{"file_name": "a.txt", "extracted_content": "I am a file."}],
        },
        {
            "sender": "assistant",
            "text": "I see.",
            "content": [
                {"type": "thinking", "thinking": "I am thinking."},
                {"type": "tool_use", "name": "search", "input": {"text": "I am a tool."}},
                {"type": "tool_result", "content": [{"type": "text", "text": "I am its result."}]},
                {"type": "text", "text": "I see."},
            ],
        },
        {"sender": "human", "text": "I moved to Ghent yesterday.", "content": []},
    ],
}
GHENT = ("event", "I moved to Ghent yesterday.", "2026-10-11")
BICYCLE = ("event", "I bought this bicycle today.", "2026-10-13")
TEA = ("preference", "I prefer tea to coffee.", None)
NUTS = ("identity", "I am allergic to hazelnuts.", None)


def _told(document: DocumentText) -> list[tuple[str, str, str | None]]:
    return [
        (str(one.memory_type), one.content, str(one.event_at)[:10] if one.event_at else None)
        for one in _candidates(document)
    ]


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize(
    ("conversations", "expected"),
    [
        ([{**CHATGPT, "current_node": "d"}], [GHENT, BICYCLE]),
        ({**CHATGPT, "current_node": "d"}, [GHENT, BICYCLE]),
        ([CHATGPT], [GHENT, TEA]),
        ([{**CHATGPT, "current_node": "nowhere"}], [GHENT, TEA]),
        (
            [{**CHATGPT, "current_node": "d"}, {"mapping": {}}, CHATGPT],
            [GHENT, BICYCLE, GHENT, TEA],
        ),
        ([CLAUDE], [NUTS, GHENT]),
        ([{**CLAUDE, "chat_messages": []}, CLAUDE, CHATGPT], [NUTS, GHENT, GHENT, TEA]),
    ],
)
def test_exports_of_chat_programs_are_read(
    conversations: object, expected: list[tuple[str, str, str | None]], indent: int | None
) -> None:
    """Of ChatGPT's trees the branch that stands, of Claude's lists all: what the person said, on
    its day; nothing hidden, and nothing of tools and attached files."""
    document = _document("conversations.json", json.dumps(conversations, indent=indent))

    assert document.text_format is TextFormat.CHAT
    assert _told(document) == expected
    for hidden in ("robot", "search(", "a tool", "result", "thinking", "a file", "Bruges"):
        assert hidden not in document.text


def test_each_conversation_of_an_export_is_a_section() -> None:
    """Passages stand under the title of their conversation, which gives no memory itself."""
    titled = {**CHATGPT, "title": "Decision: I moved to Rome", "current_node": "d"}
    document = _document("conversations.json", json.dumps([CLAUDE, titled]))
    chunks = chunk_text(
        document,
        count_tokens=lambda texts: [len(text.split()) for text in texts],
        max_tokens=60,
        target_tokens=40,
    )

    assert [chunk.heading_path for chunk in chunks] == [
        ("Nuts and milk",),
        ("Decision: I moved to Rome",),
    ]
    assert "Rome" not in " ".join(one.content for one in _candidates(document))


@pytest.mark.parametrize(
    ("links", "expected"),
    [
        ({"s": "e"}, [GHENT, TEA]),
        ({"b": "b"}, [GHENT, TEA]),
        ({"c": "lost"}, [TEA]),
        ({"e": "e"}, [TEA]),
        ({"e": 7}, [TEA]),
    ],
)
def test_broken_links_end_a_branch(
    links: dict[str, object], expected: list[tuple[str, str, str | None]]
) -> None:
    """A tree that runs in a circle, or loses its way, is read as far as it leads."""
    tree = {
        name: {**node, "parent": links.get(name, node["parent"])} for name, node in TREE.items()
    }
    text = json.dumps([{**CHATGPT, "mapping": tree, "current_node": "e"}])

    assert _told(_document("conversations.json", text)) == expected


@pytest.mark.parametrize("suffix", [".json", ".jsonl"])
@pytest.mark.parametrize("depth", [100, 500, 900, 985, 100_000])
@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"text":', "}"), ('{"a":', "}")])
def test_no_depth_of_json_is_a_fault(suffix: str, depth: int, opening: str, closing: str) -> None:
    """What lies too deep for a message is no text of it; the file is read all the same."""
    value = opening * depth + '"x"' + closing * depth
    text = f'{{"role": "user", "content": [{value}, "I moved to Ghent."]}}'
    for lines in (text, value):
        whole = lines if suffix == ".jsonl" else f"[{lines}]"
        assert read_document(PurePath(f"a{suffix}"), whole.encode()).document is not None


@pytest.mark.parametrize(
    "moment", ["1e400", "NaN", "-1", "1" + "0" * 400, "253402300800", "true", "[]", '"2026-99-99"']
)
def test_a_time_that_is_none_leaves_a_message_without_one(moment: str) -> None:
    """Whatever stands in the place of a time."""
    text = f'[{{"role": "user", "content": "I moved to Ghent.", "timestamp": {moment}}}]'

    assert _document("a.json", text).text == "user: I moved to Ghent."


def test_a_long_tree_is_read_to_its_root() -> None:
    """Thousands of messages under each other are one branch."""
    count = 20_000
    tree = {
        str(place): _node(str(place), str(place - 1) if place else None, "user", f"Word {place}")
        for place in range(count)
    }
    text = json.dumps({"mapping": tree, "current_node": str(count - 1)})

    assert _document("conversations.json", text).text.count("\n") == count - 1


@pytest.mark.parametrize(
    "value",
    [
        [{**CHATGPT, "mapping": {"a": "node"}}],
        [{**CHATGPT, "mapping": {"a": {"name": "no node"}}}],
        [{**CHATGPT, "mapping": None}],
        [CHATGPT, {"title": "no conversation"}],
        [{"title": "", "mapping": {"s": TREE["s"]}}],
        [{**CLAUDE, "chat_messages": "none"}],
        {"mapping": {"postcode": {"type": "keyword", "message": {"type": "text"}}}},
        [{"role": "Engineer", "content": "builds bridges"}],
        [{"role": "user", "content": "I am here."}, {"name": "Mara"}],
        [{"role": "user", "mail": "a@example.invalid"}],
        [{"role": "system", "content": "Be brief."}],
        {"messages": ["one", "two"]},
        {"messages": []},
        [],
        ["user", "assistant"],
        None,
    ],
)
@pytest.mark.parametrize("suffix", [".json", ".jsonl"])
def test_other_json_is_no_chat(value: object, suffix: str) -> None:
    """One part that is no message, or no word of a user, and the file is read as other JSON is."""
    outcome = read_document(PurePath(f"a{suffix}"), json.dumps(value).encode())

    assert outcome.document is None or outcome.document.text_format is not TextFormat.CHAT
