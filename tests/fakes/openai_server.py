"""A server on loopback that speaks OpenAI's chat completions from a script.

Each request takes the next reply of ``server.script`` and is kept in ``server.requests``. A reply
says status, headers and body, and how the connection behaves. An empty script answers 500, so that
a request too many is noticed. With ``server.respond`` set, that function makes each reply from the
request instead.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

HANG_LIMIT_SECONDS = 10.0


@dataclass(frozen=True)
class ScriptedReply:
    """What to answer. ``announced_length`` larger than the body drops the connection halfway."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    announced_length: int | None = None
    hangs: bool = False
    drip_seconds: float = 0.0


def answer(
    content: str | None,
    *,
    finish_reason: str = "stop",
    refusal: str | None = None,
    tokens: tuple[int, int] = (100, 20),
) -> ScriptedReply:
    """A completion with this text."""
    message: dict[str, Any] = {"role": "assistant", "content": content}
    if refusal is not None:
        message["refusal"] = refusal
    return json_reply(
        {
            "id": "fake",
            "object": "chat.completion",
            "created": 1,
            "model": "fake",
            "choices": [{"index": 0, "finish_reason": finish_reason, "message": message}],
            "usage": {
                "prompt_tokens": tokens[0],
                "completion_tokens": tokens[1],
                "total_tokens": sum(tokens),
            },
        }
    )


def memories(*items: dict[str, Any] | str, **details: Any) -> ScriptedReply:
    """A completion that holds these statements as the schema wants them."""
    full = [item if isinstance(item, dict) else {"content": item} for item in items]
    return answer(json.dumps({"memories": full}, ensure_ascii=False), **details)


def failure(
    status: int, message: str = "failed", *, code: str | None = None, **headers: str
) -> ScriptedReply:
    """An error in OpenAI's form; header names are written with ``_`` for ``-``."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    body = {"error": {"message": message, "code": code, "type": code}}
    return json_reply(body, status=status, headers=named)


def json_reply(
    body: object, *, status: int = 200, headers: dict[str, str] | None = None
) -> ScriptedReply:
    """Any JSON body."""
    return ScriptedReply(status, json.dumps(body).encode(), headers or {})


def dropped() -> ScriptedReply:
    """A connection that closes in the middle of the answer."""
    return ScriptedReply(body=b'{"id": "fake", "choi', announced_length=500)


def dripping(reply: ScriptedReply, seconds: float) -> ScriptedReply:
    """An answer that comes byte by byte, with so long a pause before each."""
    return replace(reply, drip_seconds=seconds)


def hanging() -> ScriptedReply:
    """A connection on which nothing comes until the client gives up."""
    return ScriptedReply(hangs=True)


class OpenAiServer:
    """Runs in a thread between ``start`` and ``close``; may be used as a context manager."""

    def __init__(self) -> None:
        self.script: list[ScriptedReply] = []
        self.respond: Callable[[dict[str, Any]], ScriptedReply] | None = None
        self.requests: list[dict[str, Any]] = []
        self.request_headers: list[dict[str, str]] = []
        self.most_at_once = 0
        self.reply_delay_seconds = 0.0
        self._at_once = 0
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    @property
    def api_base(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def play(self, *replies: ScriptedReply) -> None:
        """Forgets what was and answers the next requests with these."""
        self.script = list(replies)
        self.respond = None
        self.requests = []
        self.request_headers = []
        self.most_at_once = 0
        self.reply_delay_seconds = 0.0
        self._closing.set()
        self._closing = threading.Event()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_details: object) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()

    def take(self, request: dict[str, Any], headers: dict[str, str]) -> ScriptedReply:
        with self._lock:
            self.requests.append(request)
            self.request_headers.append(headers)
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
            if self.respond is not None:
                reply = self.respond(request)
            elif self.script:
                reply = self.script.pop(0)
            else:
                reply = failure(500, "the script is at its end")
        if self.reply_delay_seconds:
            time.sleep(self.reply_delay_seconds)
        return reply

    def done(self) -> None:
        with self._lock:
            self._at_once -= 1

    def wait_for_client(self) -> None:
        self._closing.wait(HANG_LIMIT_SECONDS)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        fake = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                length = int(self.headers.get("content-length", 0))
                request = json.loads(self.rfile.read(length))
                headers = {name.lower(): value for name, value in self.headers.items()}
                reply = fake.take({"path": self.path, **request}, headers)
                fake.done()
                self._send(reply)

            def _send(self, reply: ScriptedReply) -> None:
                if reply.hangs:
                    fake.wait_for_client()
                    self.close_connection = True
                    return
                self.send_response(reply.status)
                for name, value in {"content-type": "application/json", **reply.headers}.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(reply.announced_length or len(reply.body)))
                self.end_headers()
                if reply.drip_seconds:
                    self._drip(reply)
                    return
                self.wfile.write(reply.body)
                self.close_connection = reply.announced_length is not None

            def _drip(self, reply: ScriptedReply) -> None:
                with suppress(OSError):
                    for place in range(len(reply.body)):
                        self.wfile.write(reply.body[place : place + 1])
                        self.wfile.flush()
                        time.sleep(reply.drip_seconds)
                self.close_connection = True

            def log_message(self, *_details: object) -> None:
                pass

        return Handler
