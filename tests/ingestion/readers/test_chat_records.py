"""Chats that programs export as JSON."""

from __future__ import annotations

import json
from pathlib import PurePath

import pytest

from memctl.document import Candidate
from memctl.extraction.extractor import DocumentText, TextFormat
from memctl.extraction.rules.extractor import RulesExtractor
from memctl.ingestion.readers.registry import read_document
from memctl.memory import Chunk

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
    return document


def _candidates(document: DocumentText) -> tuple[Candidate, ...]:
    text = document.text
    chunk = Chunk(
        id="1",
        document_id="1",
        position=0,
        content=text,
        content_hash="",
        first_line=1,
        last_line=text.count("\n") + 1,
    )
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
    """Memories of a file with one message a line cite that line."""
    messages = [{"role": "user", "content": "Hello there"}, MESSAGES[3]]
    jsonl = _candidates(_document("chat.jsonl", "\n".join(map(json.dumps, messages))))
    laid_out = json.dumps(messages, indent=1)
    spread = _candidates(_document("chat.json", laid_out))

    assert [one.first_line for one in jsonl] == [2]
    assert [one.first_line for one in spread] == [
        laid_out[: laid_out.rindex('{\n  "role')].count("\n") + 1
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


@pytest.mark.parametrize(
    "value",
    [
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

    assert outcome.document is None or outcome.document.text_format is TextFormat.PLAIN
