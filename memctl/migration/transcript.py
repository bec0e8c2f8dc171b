"""Transcripts of sessions as values, and what both of their forms share."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from memctl.migration.chatter import is_machine_prompt, is_silent_answer, without_wrapping


class Speaker(StrEnum):
    """Who says something in a conversation."""

    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True, kw_only=True)
class Utterance:
    """One message. Lines count from 1 in the file; ``text`` has one line for each of them where
    the file has the message on several, and any number where it stands on one.

    ``entry_id`` is what the file calls it, the same in every copy of a session.
    """

    speaker: Speaker
    text: str
    first_line: int
    last_line: int
    said_at: datetime | None = None
    author: str | None = None
    entry_id: str | None = None


@dataclass(slots=True, kw_only=True)
class Transcript:
    """A conversation in order, without what machines said. ``dropped`` counts that."""

    session_id: str | None = None
    session_key: str | None = None
    started_at: datetime | None = None
    utterances: list[Utterance] = field(default_factory=list)
    dropped: int = 0
    problem: str | None = None


class TranscriptBuilder:
    """Adds messages to a transcript, unless a machine said them."""

    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript
        self._after_machine = False

    def add(
        self,
        speaker: Speaker,
        lines: list[str],
        *,
        first_line: int,
        last_line: int,
        said_at: datetime | None = None,
        author: str | None = None,
        entry_id: str | None = None,
    ) -> None:
        """Takes one message; an answer to a machine's prompt is chatter too."""
        kept, moment = without_wrapping(lines) if speaker is Speaker.USER else (lines, None)
        text = "\n".join(kept)
        if speaker is Speaker.USER:
            self._after_machine = bool(text.strip()) and is_machine_prompt(text.strip())
            chatter = self._after_machine
        else:
            chatter = self._after_machine or is_silent_answer(text)
        if chatter or not text.strip():
            self._transcript.dropped += 1
            return
        self._transcript.utterances.append(
            Utterance(
                speaker=speaker,
                text=text,
                first_line=first_line,
                last_line=last_line,
                said_at=moment or said_at,
                author=author,
                entry_id=entry_id,
            )
        )
