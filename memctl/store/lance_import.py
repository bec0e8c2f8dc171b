"""Imports LanceDB without what it needs only while it is loaded, more than half of its import time.

The generated client of remote catalogues talks to a catalogue's web service; for other tables
LanceDB only needs its classes by name, and a few as plain values. The package ``overrides`` checks
each method that is marked with it, by reading the bytecode around it.
"""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

from memctl.stand_ins import LighterImport

SERVICE_SCHEME = "db://"
"""How addresses begin of databases behind a web service."""


def import_lancedb(uri: str) -> ModuleType:
    """The module ``lancedb``, for a database at ``uri``. Raises ImportError."""
    if uri.startswith(SERVICE_SCHEME):
        library = importlib.import_module("lancedb")
    else:
        library = _lighter_import.import_library("lancedb")
    _give_buffers_back()
    return library


def _give_buffers_back() -> None:
    """Lets Arrow, with which LanceDB has been loaded, take its buffers from the C library, which
    gives large ones back to the system. Its own allocator kept 86 MB of freed ones when 10,000
    small files had been taken in."""
    import pyarrow as pa

    pa.set_memory_pool(pa.system_memory_pool())


class _PlainValue:
    """Has the fields that it is made with, as the client's classes do."""

    def __init__(self, **fields: object) -> None:
        self.__dict__.update(fields)


def _class_of_client(name: str) -> type[_PlainValue]:
    module, _, own_name = name.rpartition(".")
    return type(own_name, (_PlainValue,), {"__module__": module})


def _unchecked(name: str) -> Any:
    """The mark of a method, which leaves it as it is, or the base of a class that has marks."""
    if name == "overrides.override":
        return lambda method: method
    if name == "overrides.EnforceOverrides":
        return object
    raise AttributeError(name)


_lighter_import = LighterImport(
    libraries=("lancedb", "lance_namespace"),
    packages={"lance_namespace_urllib3_client": _class_of_client, "overrides": _unchecked},
)
