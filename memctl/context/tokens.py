"""How many tokens a text costs a language model, estimated without any model.

The estimate is the same on every machine, adds up line by line, and is rather too high than too
low: a briefing must fit into its budget whichever model reads it.
"""

from __future__ import annotations

import re

LETTERS_PER_TOKEN = 5
"""Of a common Latin word, for the tokenizers of the large models."""

LONG_WORD_LETTERS = 8
"""Longer words are rare or compound, and fall into shorter pieces."""

LETTERS_PER_TOKEN_OF_LONG_WORDS = 3

DIGITS_PER_TOKEN = 2

_FIRST_IDEOGRAPH = 0x2E80
_FIRST_ASTRAL = 0x10000
_TOKENS_OF_AN_ASTRAL_CHARACTER = 3

_RUNS = re.compile(r"[A-Za-z]+|[0-9]+|\n|[^\sA-Za-z0-9]")


def estimate_tokens(text: str) -> int:
    """Tokens of ``text``, about a tenth too many for English prose. Measured on prose, lists and
    code in six languages against the tokenizers of four families of models."""
    return sum(_tokens_of(run) for run in _RUNS.findall(text))


def _tokens_of(run: str) -> int:
    if run.isascii():
        if run.isalpha():
            if len(run) > LONG_WORD_LETTERS:
                return -(-len(run) // LETTERS_PER_TOKEN_OF_LONG_WORDS)
            return -(-len(run) // LETTERS_PER_TOKEN)
        return -(-len(run) // DIGITS_PER_TOKEN)
    code = ord(run)
    if code >= _FIRST_ASTRAL:
        return _TOKENS_OF_AN_ASTRAL_CHARACTER
    return 2 if code >= _FIRST_IDEOGRAPH else 1
