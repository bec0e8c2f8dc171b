"""Why a language model was not asked: its key is missing, or nothing answers at its address."""

from __future__ import annotations

from memctl.errors import ExitCode, LanguageModelError

_RULES_INSTEAD = (
    "without llm.model the built-in rules read files (`memctl config unset llm.model`)."
)


class MissingKeyError(LanguageModelError):
    """No key for the provider is set, which no waiting changes. Data: ``model`` and ``why``."""

    exit_code = ExitCode.CONFIGURATION
    hint = f"Set the provider's key in the environment; {_RULES_INSTEAD}"


class UnreachableModelError(LanguageModelError):
    """Nothing takes a connection where the model should be. Data: ``model`` and ``why``."""

    hint = f"Start its server, or look at llm.api_base and the network; {_RULES_INSTEAD}"
