"""One question to a language model about data in a fence, answered by one JSON object."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from memctl.document import Usage
from memctl.errors import LanguageModelResponseError
from memctl.extraction.lenient_json import JsonSyntaxError, read_json
from memctl.extraction.llm import Completion
from memctl.extraction.prompt import Message, mark_for


class Model(Protocol):
    """What is needed of a language model."""

    name: str

    def complete(
        self, messages: Sequence[Message], *, schema: dict[str, object] | None = None
    ) -> Completion:
        """One question, one answer."""
        ...


def ask(
    model: Model, instructions: str, data: str, question: str, schema: Mapping[str, object]
) -> tuple[dict[str, Any], Usage]:
    """The object that the model replies with, and what it cost.

    ``data`` stands between two lines with a mark that it cannot hold. Raises LanguageModelError
    and its kinds; LanguageModelResponseError when the reply holds no object.
    """
    mark = mark_for(data + question)
    messages: list[Message] = [
        {"role": "system", "content": instructions},
        {"role": "user", "content": f"BEGIN {mark}\n{data}\nEND {mark}\n{question}"},
    ]
    completion = model.complete(messages, schema=dict(schema))
    return _read(model.name, completion.text), completion.usage


def _read(model_name: str, reply: str) -> dict[str, Any]:
    start = reply.find("{")
    try:
        value = read_json(reply, start).value if start >= 0 else None
    except JsonSyntaxError as error:
        raise LanguageModelResponseError(model=model_name, why=str(error)) from error
    if not isinstance(value, dict):
        raise LanguageModelResponseError(model=model_name, why="its reply holds no JSON object")
    return value
