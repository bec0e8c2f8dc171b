"""The reading process itself: answers requests on its standard input, within its bounds.

It runs nothing but readers, on bytes that it is given; it opens no file and no connection.
"""

from __future__ import annotations

import logging
import os
import resource
import select
import signal
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import IO

from memctl.pipe_messages import (
    END,
    Message,
    read_message,
    read_payload,
    write_message,
)

Task = Callable[[bytes, Message], Iterator[Message]]
"""Takes a file's bytes and options and yields what it reads, as values that JSON can hold."""

IDLE_SECONDS = 30.0
"""How long the process waits for another request before it ends."""

MEMORY_BYTES = 1_500_000_000
"""Address space of the process: several times what the largest real documents need."""


def serve() -> None:
    """Answers until there are no more requests, or none for IDLE_SECONDS."""
    answers = _prepare_process()
    requests = os.fdopen(0, "rb", buffering=0)
    while select.select([requests], [], [], IDLE_SECONDS)[0]:
        request, data = read_message(requests), read_payload(requests)
        if request is None or data is None:
            return
        for message in _task(request["task"])(data, request):
            write_message(answers, message)
        write_message(answers, END)


def _prepare_process() -> IO[bytes]:
    """Bounds memory, silences libraries and keeps the answers' stream from being written to."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return answers


def _task(name: str) -> Task:
    if name == "pdf":
        from memctl.ingestion.readers.pdf import pdf_messages

        return pdf_messages
    if name == "chat_page":
        from memctl.ingestion.readers.chat_page import chat_page_messages

        return chat_page_messages
    from memctl.ingestion.readers.html_parser import html_messages

    return html_messages
