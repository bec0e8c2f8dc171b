"""Imports FastEmbed without the client of the model hub, more than half of its import time.

A model that is here already is loaded from its folder and needs no hub, neither its client nor
the libraries for requests and for progress bars.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

from memctl.stand_ins import LighterImport

HUB_CLIENT = ("huggingface_hub", "requests", "tqdm")
"""Top-level packages, as FastEmbed's management of models imports them."""


def import_fastembed(*, with_hub: bool) -> ModuleType:
    """The module ``fastembed``; ``with_hub`` for any model that might come from the hub.

    It is imported afresh when the client is needed after all. Raises ImportError.
    """
    if with_hub:
        return _lighter_import.import_whole("fastembed")
    return _lighter_import.import_library("fastembed")


class _LeftOut:
    """Something of the client: it can be named and handed on, but not be used."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _left_out(f"{self._name}.{name}")

    def __call__(self, *_arguments: object, **_options: object) -> Any:
        raise TypeError(f"FastEmbed was imported without {self._name}")


def _left_out(name: str) -> Any:
    """Errors become classes of errors, since FastEmbed puts them with others that it catches."""
    own_name = name.rpartition(".")[-1]
    return type(own_name, (Exception,), {}) if own_name.endswith("Error") else _LeftOut(name)


_lighter_import = LighterImport(("fastembed",), dict.fromkeys(HUB_CLIENT, _left_out))
