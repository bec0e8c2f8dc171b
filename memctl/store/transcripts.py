"""Transcripts of channels: messages are added once and read back in the order they were said."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, func, select

from memctl.message import ChannelSummary, Message
from memctl.store.document_rows import message_to_row, row_to_message
from memctl.store.journal import WriteTransaction
from memctl.store.readings import optional, read_value, text_to_instant
from memctl.store.reads import in_batches
from memctl.store.schema import messages


def add_messages(writes: WriteTransaction, added: Sequence[Message]) -> list[Message]:
    """Adds the messages whose id the store does not have; returns those."""
    known: set[str] = set()
    for batch in in_batches(message.id for message in added):
        statement = select(messages.c.id).where(messages.c.id.in_(batch))
        known |= set(writes.connection.scalars(statement))
    new = {message.id: message for message in reversed(added) if message.id not in known}
    ordered = [message for message in added if new.get(message.id) is message]
    writes.insert(messages, [message_to_row(message) for message in ordered])
    return ordered


def last_messages(connection: Connection, channel_id: str, limit: int | None) -> list[Message]:
    """The newest messages of a channel, in the order in which they were said; those of unknown
    time go before all others."""
    statement = (
        select(messages)
        .where(messages.c.channel_id == channel_id)
        .order_by(
            messages.c.said_at.desc(),
            messages.c.session_id.desc(),
            messages.c.position.desc(),
            messages.c.id.desc(),
        )
        .limit(limit)
    )
    rows = connection.execute(statement).mappings()
    return [row_to_message(row) for row in rows][::-1]


def channel_summaries(connection: Connection) -> list[ChannelSummary]:
    """Every channel that has messages, by name."""
    statement = (
        select(
            messages.c.channel_id,
            func.count(),
            func.min(messages.c.said_at),
            func.max(messages.c.said_at),
        )
        .group_by(messages.c.channel_id)
        .order_by(messages.c.channel_id)
    )
    return [
        ChannelSummary(
            channel_id=channel_id,
            message_count=count,
            first_at=_said_at(channel_id, first),
            last_at=_said_at(channel_id, last),
        )
        for channel_id, count, first, last in connection.execute(statement)
    ]


def _said_at(channel_id: str, text: str | None) -> datetime | None:
    what = f"a message of the channel {channel_id}"
    moment: datetime | None = read_value(what, "said_at", text, optional(text_to_instant))
    return moment
