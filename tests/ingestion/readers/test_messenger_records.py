"""Chats that messengers export as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import PurePath

import pytest
from whole_chunk import whole_chunk

from memctl.document import Candidate, DocumentStatus
from memctl.extraction.extractor import DocumentText, TextFormat
from memctl.extraction.rules.extractor import RulesExtractor
from memctl.ingestion.readers.registry import read_document

SLACK = [
    {
        "client_msg_id": "6f0b2d5e-8c1f-4c51-9c31-0d7c2a6e4b10",
        "type": "message",
        "user": "U05MWENDE",
        "text": "I'm *allergic* to latex &amp; wool.",
        "ts": "1768291440.123400",
        "team": "T01KILN",
        "user_team": "T01KILN",
        "user_profile": {"avatar_hash": "a1", "real_name": "Mwende Achieng", "display_name": ""},
        "blocks": [{"type": "rich_text", "block_id": "x1", "elements": []}],
        "reactions": [{"name": "wave", "users": ["U06TOMAS"], "count": 1}],
    },
    {
        "type": "message",
        "user": "U06TOMAS",
        "text": "<@U05MWENDE> I moved to Bergen yesterday, see <https://kiln.example|our page>",
        "ts": "1768291500.000200",
        "user_profile": {"real_name": "Tomás Rey"},
    },
    {
        "type": "message",
        "user": "U06TOMAS",
        "text": "We decided to fire the kiln in <#C044|glazing> only.",
        "ts": "1768377900.000100",
        "thread_ts": "1768291440.123400",
    },
    {
        "type": "message",
        "subtype": "channel_join",
        "user": "U09NEW",
        "text": "<@U09NEW> has joined the channel",
        "ts": "1768377960.000100",
    },
    {
        "type": "message",
        "subtype": "bot_message",
        "bot_id": "B07CI",
        "username": "ci",
        "text": "I prefer builds that pass.",
        "ts": "1768377970.000100",
    },
]
SLACK_SAID = [
    "Mwende Achieng: I'm allergic to latex & wool.",
    "Tomás Rey: @Mwende Achieng I moved to Bergen yesterday, see our page (https://kiln.example)",
    "Tomás Rey: We decided to fire the kiln in #glazing only.",
]
TELEGRAM_MESSAGES: list[dict[str, object]] = [
    {
        "id": 1,
        "type": "service",
        "date": "2026-01-12T18:00:00",
        "date_unixtime": "1768237200",
        "actor": "Odile",
        "actor_id": "user5550142",
        "action": "phone_call",
        "text": "",
        "text_entities": [],
    },
    {
        "id": 2,
        "type": "message",
        "date": "2026-01-12T18:04:00",
        "date_unixtime": "1768237440",
        "from": "Odile",
        "from_id": "user5550142",
        "text": "I live in Brest and work as a baker.",
        "text_entities": [{"type": "plain", "text": "I live in Brest and work as a baker."}],
    },
    {
        "id": 3,
        "type": "message",
        "date": "2026-01-13T07:58:00",
        "date_unixtime": "1768287480",
        "from": "Jonas",
        "from_id": "user5550100",
        "reply_to_message_id": 2,
        "text": [
            "We decided to book ",
            {"type": "link", "text": "https://ferry.example"},
            " for August.\nI bought ",
            {"type": "bold", "text": "two"},
            " kayaks yesterday.",
        ],
        "text_entities": [],
    },
    {
        "id": 4,
        "type": "message",
        "date": "2026-01-13T08:00:00",
        "from": "Jonas",
        "from_id": "user5550100",
        "photo": "(File not included. Change data exporting settings to download.)",
        "width": 960,
        "height": 1280,
        "text": "",
    },
]
TELEGRAM_CHAT = {
    "name": "Odile",
    "type": "personal_chat",
    "id": 5550142,
    "messages": TELEGRAM_MESSAGES,
}
TELEGRAM_SAID = [
    "Odile: I live in Brest and work as a baker.",
    "Jonas: We decided to book https://ferry.example for August.",
    "Jonas: I bought two kayaks yesterday.",
]
TELEGRAM_ALL = {
    "about": "Here is the data you requested.",
    "personal_information": {"user_id": 5550100, "first_name": "Jonas", "bio": "I like tea."},
    "contacts": {"about": "x", "list": [{"first_name": "Odile", "date": "2020-01-01T00:00:00"}]},
    "chats": {
        "about": "This page lists all chats.",
        "list": [
            TELEGRAM_CHAT,
            {"type": "saved_messages", "id": 5550100, "messages": []},
            {
                "name": "Weather",
                "type": "bot_chat",
                "id": 7,
                "messages": [
                    {
                        "id": 9,
                        "type": "message",
                        "date": "2026-01-12T18:04:00",
                        "from": "Weather",
                        "from_id": "user7",
                        "text": "I prefer rain, and I live in Kiel.",
                    }
                ],
            },
        ],
    },
}
DISCORD = {
    "guild": {"id": "81", "name": "Potters", "iconUrl": "https://cdn.example/i.png"},
    "channel": {"id": "82", "type": "GuildTextChat", "category": "Text", "name": "general"},
    "dateRange": {"after": None, "before": None},
    "exportedAt": "2026-02-01T10:00:00+00:00",
    "messages": [
        {
            "id": "901",
            "type": "Default",
            "timestamp": "2026-01-12T18:04:00.512+00:00",
            "timestampEdited": None,
            "isPinned": False,
            "content": "I live in Brest and work as a baker.",
            "author": {
                "id": "9",
                "name": "odile",
                "discriminator": "0000",
                "nickname": "Odile",
                "isBot": False,
                "roles": [],
            },
            "attachments": [],
            "embeds": [],
        },
        {
            "id": "902",
            "type": "Reply",
            "timestamp": "2026-01-13T18:05:00+00:00",
            "content": "We decided to meet at the old mill.",
            "author": {"id": "8", "name": "jo", "nickname": "Jo", "isBot": False},
        },
        {
            "id": "903",
            "type": "GuildMemberJoin",
            "timestamp": "2026-01-13T18:06:00+00:00",
            "content": "Joined the server.",
            "author": {"id": "7", "name": "kim", "nickname": "Kim", "isBot": False},
        },
        {
            "id": "904",
            "type": "Default",
            "timestamp": "2026-01-13T18:07:00+00:00",
            "content": "I prefer to be prefixed by an exclamation mark.",
            "author": {"id": "6", "name": "helper", "nickname": "Helper", "isBot": True},
        },
    ],
    "messageCount": 4,
}
DISCORD_SAID = [
    "Odile: I live in Brest and work as a baker.",
    "Jo: We decided to meet at the old mill.",
]
FACEBOOK = {
    "participants": [{"name": "In\u00c3\u00a9s Rey"}, {"name": "Jonas Weber"}],
    "messages": [
        {
            "sender_name": "Jonas Weber",
            "timestamp_ms": 1768287480000,
            "share": {"link": "https://ferry.example"},
        },
        {
            "sender_name": "In\u00c3\u00a9s Rey",
            "timestamp_ms": 1768237440000,
            "content": "I live in M\u00c3\u00a1laga and work as a baker.",
            "is_geoblocked_for_viewer": False,
        },
    ],
    "title": "In\u00c3\u00a9s Rey",
    "thread_path": "inbox/ines_1",
}
GOOGLE = {
    "messages": [
        {
            "creator": {"name": "Odile Le Goff", "email": "odile@x.example", "user_type": "Human"},
            "created_date": "Monday, January 12, 2026 at 6:04:00 PM UTC",
            "text": "I bought a kayak yesterday.",
            "topic_id": "AAA",
            "message_id": "b/AAA/1",
        }
    ]
}
MATRIX = {
    "room_name": "Kitchen",
    "topic": "",
    "messages": [
        {
            "type": "m.room.member",
            "sender": "@odile:matrix.example",
            "origin_server_ts": 1768237430000,
            "content": {"membership": "join", "displayname": "odile"},
        },
        {
            "type": "m.room.message",
            "sender": "@odile:matrix.example",
            "origin_server_ts": 1768237440000,
            "content": {"msgtype": "m.text", "body": "I bought a kayak yesterday."},
            "event_id": "$abc",
        },
    ],
}
DISCORD_PACKAGE = [
    {
        "ID": 1199999,
        "Timestamp": "2026-01-12 18:04:00",
        "Contents": "I am allergic to hazelnuts.",
        "Attachments": "",
    }
]


def _document(value: object, indent: int | None = None) -> DocumentText:
    text = json.dumps(value, indent=indent)
    document = read_document(PurePath("result.json"), text.encode()).document
    assert document is not None
    return document


def _found(value: object, indent: int | None = None) -> Sequence[Candidate]:
    document = _document(value, indent)
    chunk = whole_chunk(document.text, document.file_lines)
    return RulesExtractor().begin(document).extract(chunk).candidates


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param(SLACK, SLACK_SAID, id="Slack, one channel's day"),
        pytest.param({"ok": True, "messages": SLACK}, SLACK_SAID, id="Slack, one channel"),
        pytest.param(TELEGRAM_CHAT, TELEGRAM_SAID, id="Telegram, one chat"),
        pytest.param(TELEGRAM_ALL, TELEGRAM_SAID, id="Telegram, all chats"),
        pytest.param(DISCORD, DISCORD_SAID, id="DiscordChatExporter"),
        pytest.param(
            FACEBOOK, ["Inés Rey: I live in Málaga and work as a baker."], id="Messenger, Instagram"
        ),
        pytest.param(GOOGLE, ["Odile Le Goff: I bought a kayak yesterday."], id="Google Chat"),
        pytest.param(MATRIX, ["odile: I bought a kayak yesterday."], id="Element"),
        pytest.param(DISCORD_PACKAGE, ["I am allergic to hazelnuts."], id="Discord's own"),
    ],
)
def test_what_people_say_in_a_messenger_keeps_their_names(
    value: object, expected: list[str], indent: int | None
) -> None:
    """Every message is said by its sender; ids, stamps, notices, bots and whatever else the export
    holds give no memories."""
    assert [one.content for one in _found(value, indent)] == expected


@pytest.mark.parametrize("value", [SLACK, TELEGRAM_ALL, DISCORD, FACEBOOK])
def test_nothing_that_others_say_is_an_identity(value: object) -> None:
    """An identity is the user's own: of nobody else's name, home or allergy."""
    assert not [one.content for one in _found(value) if str(one.memory_type) == "identity"]


@pytest.mark.parametrize(
    ("value", "said", "day"),
    [
        (SLACK, "Tomás Rey: @Mwende", "2026-01-12"),
        (TELEGRAM_CHAT, "Jonas: I bought two", "2026-01-12"),
        (GOOGLE, "Odile Le Goff: I bought", "2026-01-11"),
        (MATRIX, "odile: I bought", "2026-01-11"),
    ],
)
def test_yesterday_is_the_day_before_a_message(value: object, said: str, day: str) -> None:
    """Near days count from the day on which a message was sent, in every form of a stamp."""
    days = [str(one.event_at) for one in _found(value) if one.content.startswith(said)]

    assert days == [day]


def test_messages_stand_on_the_lines_of_their_export() -> None:
    """A memory cites the lines of the file that have its words, also where they are in parts."""
    lines = json.dumps(TELEGRAM_CHAT, indent=1).split("\n")
    found = {one.content: one for one in _found(TELEGRAM_CHAT, indent=1)}

    booked, bought = found[TELEGRAM_SAID[1]], found[TELEGRAM_SAID[2]]
    assert "We decided to book" in lines[(booked.first_line or 0) - 1]
    assert "I bought" in lines[(bought.first_line or 0) - 1]


def test_chats_of_an_export_are_sections() -> None:
    """What a chat is called stands above its messages, so that they can be found by it."""
    document = _document(TELEGRAM_ALL)

    assert document.text_format is TextFormat.CHAT
    assert document.text.startswith("Odile\n=====\n[2026-01-12 18:04] Odile: I live")
    assert "\n\nWeather\n=======\n[2026-01-12 18:04] bot: " in document.text


def test_a_member_of_slack_without_a_profile_is_told_by_the_others() -> None:
    """One whose name stands in another message of the file has it everywhere; else the id is who
    said it."""
    said: list[object] = [*SLACK[:3]]
    said.append(
        {"type": "message", "user": "U099", "text": "I live in Brest.", "ts": "1768377990.1"}
    )

    assert [one.content.partition(":")[0] for one in _found(said)] == [
        "Mwende Achieng",
        "Tomás Rey",
        "Tomás Rey",
        "U099",
    ]


@pytest.mark.parametrize(
    "chat",
    [
        {**TELEGRAM_CHAT, "messages": TELEGRAM_MESSAGES[3:]},
        {"participants": [], "messages": [{"sender_name": "Jo", "timestamp_ms": 1768287480000}]},
    ],
)
def test_a_chat_in_which_nobody_says_anything_is_empty(chat: Mapping[str, object]) -> None:
    """Pictures and links alone leave no text, and its names no memories."""
    outcome = read_document(PurePath("result.json"), json.dumps(chat).encode())

    assert outcome.status is DocumentStatus.EMPTY


@pytest.mark.parametrize(
    "value",
    [
        [*SLACK, {"note": "The kiln is serviced in September."}],
        [{"type": "message", "text": "The kiln is serviced in September.", "ts": "soon"}],
        {"messages": [{"author": {"name": "Odile"}, "content": ["The kiln is old."]}]},
        {"chats": {"list": [{"name": "x", "messages": [{"text": "The kiln is old."}]}]}},
        {"messages": {"a": "The kiln is serviced in September."}},
    ],
)
def test_what_only_resembles_an_export_is_read_as_json(value: object) -> None:
    """Where any part is no message of the form, nothing is left out as if it were a chat."""
    assert _document(value).text_format is TextFormat.DATA


MEMBERS = [
    {
        "id": "U05MWENDE",
        "team_id": "T01KILN",
        "name": "mwende",
        "deleted": False,
        "color": "9f69e7",
        "tz": "Africa/Nairobi",
        "profile": {
            "title": "Glaze chemist",
            "real_name": "Mwende Achieng",
            "display_name": "mwende",
            "avatar_hash": "g123",
            "email": "mwende@kiln.example",
            "image_24": "https://avatars.example/24.png",
        },
        "is_bot": False,
        "updated": 1768381200,
    },
    {"id": "U06TOMAS", "name": "tomas", "deleted": True, "profile": {"real_name": "Tomás Rey"}},
    {"id": "USLACKBOT", "name": "slackbot", "is_bot": True, "profile": {"real_name": "Slackbot"}},
]
CHANNELS = [
    {
        "id": "C044",
        "name": "glazing",
        "created": 1768381200,
        "creator": "U05MWENDE",
        "is_archived": False,
        "members": ["U05MWENDE", "U06TOMAS"],
        "topic": {"value": "", "creator": "", "last_set": 0},
        "purpose": {"value": "Recipes and firing plans", "creator": "U05MWENDE", "last_set": 1},
    },
    {"id": "C045", "name": "old", "is_archived": True, "members": [], "purpose": {"value": "x"}},
]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (
            MEMBERS,
            "Mwende Achieng: member of the Slack workspace; title: Glaze chemist; "
            "email: mwende@kiln.example",
        ),
        (CHANNELS, "Slack channel #glazing; purpose: Recipes and firing plans"),
    ],
)
def test_lists_of_slack_say_who_and_what_there_is(value: object, expected: str) -> None:
    """Members and channels are facts of one line each, without ids, pictures and who is gone."""
    assert [(str(one.memory_type), one.content) for one in _found(value, indent=1)] == [
        ("fact", expected)
    ]
