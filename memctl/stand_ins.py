"""Imports a library without packages that it names while it is loaded but will not come to use.

In their place the library's own modules get stand-ins, as long as the library is imported. Nobody
else sees these: nothing of them gets into ``sys.modules``, so that other threads, and whoever asks
later, get the real packages.
"""

from __future__ import annotations

import builtins
import importlib
import sys
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.machinery import ExtensionFileLoader, ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType
from typing import Any

Maker = Callable[[str], Any]
"""From the dotted name of something, its package first, to what stands for it."""


class LighterImport:
    """Imports libraries whose modules get stand-ins for some packages.

    ``libraries`` and the keys of ``packages`` are names of top-level packages; a maker gives what
    stands for each thing that is asked of its package. May be used from several threads.
    """

    def __init__(self, libraries: Collection[str], packages: Mapping[str, Maker]) -> None:
        self._libraries = frozenset(libraries)
        self._packages = dict(packages)
        self._lock = threading.Lock()
        self._modules: dict[str, StandInModule] = {}

    def import_library(self, name: str) -> ModuleType:
        """The library; as it is where somebody has imported it already.

        Packages that are loaded anyhow get no stand-in. Should the library need more than the
        stand-ins have, it is imported without them. Raises ImportError.
        """
        with self._lock:
            if name in sys.modules:
                return importlib.import_module(name)
            before = set(sys.modules)
            try:
                with self._stand_ins():
                    return importlib.import_module(name)
            except (ImportError, AttributeError, TypeError):
                self._forget(set(sys.modules) - before)
                return importlib.import_module(name)

    def import_whole(self, name: str) -> ModuleType:
        """The library without stand-ins: imported afresh where it has some.

        What was made with the former modules goes on working with them. Raises ImportError.
        """
        with self._lock:
            loaded = sys.modules.get(name)
            if loaded is not None and isinstance(loaded.__loader__, _LibraryLoader):
                self._forget(list(sys.modules))
            return importlib.import_module(name)

    def _forget(self, names: Collection[str]) -> None:
        """Drops modules of the libraries, except native ones, which can be loaded only once."""
        for name in names:
            if _top(name) in self._libraries and not isinstance(
                sys.modules[name].__loader__, ExtensionFileLoader
            ):
                del sys.modules[name]

    @contextmanager
    def _stand_ins(self) -> Iterator[None]:
        self._modules = {
            name: StandInModule(name, make)
            for name, make in self._packages.items()
            if name not in sys.modules
        }
        finder = _LibraryFinder(self._libraries, {**vars(builtins), "__import__": self._import})
        sys.meta_path.insert(0, finder)
        try:
            yield
        finally:
            sys.meta_path.remove(finder)
            self._modules = {}

    def _import(
        self,
        name: str,
        globals: Mapping[str, object] | None = None,  # noqa: A002 (the name is part of the call)
        locals: Mapping[str, object] | None = None,  # noqa: A002
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        """What an import statement of the library's modules calls."""
        package = self._modules.get(_top(name))
        if level or package is None:
            return builtins.__import__(name, globals, locals, fromlist or (), level)
        if not fromlist:
            return package
        return self._modules.setdefault(name, StandInModule(name, self._packages[_top(name)]))


class StandInModule(ModuleType):
    """A module that has whatever is asked of it, as ``make`` gives it for the dotted name."""

    def __init__(self, name: str, make: Maker) -> None:
        super().__init__(name)
        self._make = make

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        stand_in = self._make(f"{self.__name__}.{name}")
        setattr(self, name, stand_in)
        return stand_in


class _LibraryFinder:
    """Finds modules as always; those of the libraries will run with other built-in functions."""

    def __init__(self, libraries: frozenset[str], built_ins: dict[str, Any]) -> None:
        self._libraries = libraries
        self._built_ins = built_ins

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        if _top(fullname) not in self._libraries:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _LibraryLoader(fullname, spec.loader.path, self._built_ins)
        return spec


class _LibraryLoader(SourceFileLoader):
    def __init__(self, fullname: str, path: str, built_ins: dict[str, Any]) -> None:
        super().__init__(fullname, path)
        self._built_ins = built_ins

    def exec_module(self, module: ModuleType) -> None:
        """Code takes its built-in functions, ``__import__`` among them, from its own globals."""
        vars(module)["__builtins__"] = self._built_ins
        super().exec_module(module)


def _top(name: str) -> str:
    return name.partition(".")[0]
