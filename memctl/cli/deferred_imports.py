"""Modules that others name while they are loaded and hardly ever use: loaded when something of
them is first asked for.

``importlib.util.LazyLoader`` does not serve for that: an import statement that finds its module
asks it for its ``__spec__``, which loads it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from importlib.util import find_spec, module_from_spec
from threading import RLock
from types import ModuleType
from typing import Any

_loading = RLock()
"""One for all modules: two that need each other could otherwise wait for each other's threads."""


def defer_imports(names: Iterable[str]) -> None:
    """Lets the next import of each of these modules cost next to nothing, and its first use what
    the import would have cost. Modules that are loaded stay as they are.

    Raises ModuleNotFoundError; a use raises what the import would have raised.
    """
    for name in names:
        if name in sys.modules:
            continue
        spec = find_spec(name)
        if spec is None:
            raise ModuleNotFoundError(name=name)
        module = module_from_spec(spec)
        module.__class__ = _DeferredModule
        sys.modules[name] = module


class _DeferredModule(ModuleType):
    """A module whose code runs when it is first asked for something that it does not have yet."""

    def __getattr__(self, name: str) -> Any:
        with _loading:
            if type(self) is _DeferredModule:
                self.__class__ = _LoadingModule
                try:
                    self.__spec__.loader.exec_module(self)  # type: ignore[union-attr]
                except BaseException:
                    self.__class__ = _DeferredModule
                    raise
                self.__class__ = ModuleType  # type: ignore[assignment]
        return object.__getattribute__(self, name)


class _LoadingModule(_DeferredModule):
    """Is met only by the thread that runs the module's code, and by others that wait for it."""
