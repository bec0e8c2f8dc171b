"""Imports LanceDB without the generated client of remote catalogues, half of its import time.

That client (the package ``lance_namespace_urllib3_client``) talks to a catalogue's web service; for
other tables LanceDB only needs its classes by name, and a few as plain values. While LanceDB is
imported for the first time, stand-ins take the place of those classes; afterwards the client can
be imported as always.
"""

from __future__ import annotations

import importlib
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

CLIENT = "lance_namespace_urllib3_client"

SERVICE_SCHEME = "db://"
"""How addresses begin of databases behind a web service."""

_NATIVE_MODULE = "lancedb._lancedb"
"""Can be loaded only once in a process, so that a second attempt must keep it."""

_once = threading.Lock()


def import_lancedb(uri: str) -> ModuleType:
    """The module ``lancedb``, for a database at ``uri``.

    Should that need the client, or a version of LanceDB need more of it, it is loaded after all.
    """
    with _once:
        if uri.startswith(SERVICE_SCHEME) or {"lancedb", CLIENT} & set(sys.modules):
            return importlib.import_module("lancedb")
        before = set(sys.modules)
        try:
            with _stand_ins():
                return importlib.import_module("lancedb")
        except (ImportError, AttributeError, TypeError):
            for name in set(sys.modules) - before - {_NATIVE_MODULE}:
                if name.split(".")[0] in {"lancedb", "lance_namespace"}:
                    del sys.modules[name]
            return importlib.import_module("lancedb")


@contextmanager
def _stand_ins() -> Iterator[None]:
    finder = _ClientFinder()
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        # A copy: other threads may import meanwhile.
        for name in [name for name in list(sys.modules) if name.split(".")[0] == CLIENT]:
            del sys.modules[name]


class _ClientFinder(MetaPathFinder, Loader):
    """Finds every module of the client, and makes it an empty one that has every class."""

    def find_spec(self, fullname: str, *_where: object) -> ModuleSpec | None:
        if fullname.split(".", maxsplit=1)[0] != CLIENT:
            return None
        return ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _ClientModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Nothing is in it."""


class _ClientModule(ModuleType):
    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        stand_in = type(name, (_PlainValue,), {"__module__": self.__name__})
        setattr(self, name, stand_in)
        return stand_in


class _PlainValue:
    """Has the fields that it is made with, as the client's classes do."""

    def __init__(self, **fields: object) -> None:
        self.__dict__.update(fields)
