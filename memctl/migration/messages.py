"""The lines of a transcript as messages of a channel.

An id is made of what the message is, so that a copy of a session, a fork of it, or a second run
gives the same messages and adds none.
"""

from __future__ import annotations

from uuid import NAMESPACE_URL, uuid5

from memctl.message import Message
from memctl.migration.plan import MigrationPlan, PlannedFile, session_id_of
from memctl.migration.state_config import MAIN_AGENT
from memctl.migration.transcript import Speaker, Transcript, Utterance


def messages_of(file: PlannedFile, plan: MigrationPlan, document_id: str | None) -> list[Message]:
    """The messages of a transcript in its order; none for any other file."""
    transcript = None if file.read is None else file.read.transcript
    if transcript is None:
        return []
    session_id = transcript.session_id or session_id_of(str(file.source.path))
    channel_id = channel_of(file, plan, transcript, session_id)
    agent = _agent(file)
    return [
        Message(
            id=_message_id(channel_id, said, position, transcript),
            channel_id=channel_id,
            session_id=session_id,
            role=said.speaker.value,
            author=said.author or (agent if said.speaker is Speaker.ASSISTANT else None),
            said_at=said.said_at or transcript.started_at,
            position=position,
            content="\n".join(line for line in said.text.strip().split("\n")),
            document_id=document_id,
            line=said.first_line,
        )
        for position, said in enumerate(transcript.utterances)
    ]


def channel_of(
    file: PlannedFile, plan: MigrationPlan, transcript: Transcript, session_id: str
) -> str:
    """The key by which OpenClaw knows the session, behind the prefix that was asked for."""
    key = transcript.session_key or plan.session_keys.get(session_id)
    return (plan.options.channel_prefix or "") + (key or f"agent:{_agent(file)}")


def _agent(file: PlannedFile) -> str:
    workspace = file.source.workspace
    return file.source.agent or (MAIN_AGENT if workspace is None else workspace.name)


def _message_id(channel_id: str, said: Utterance, position: int, transcript: Transcript) -> str:
    place = said.entry_id or f"{transcript.started_at}#{position}"
    return str(uuid5(NAMESPACE_URL, f"{channel_id}\n{place}\n{said.speaker}\n{said.text}"))
