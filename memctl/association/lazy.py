"""An attribute that is worked out when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

Worth = TypeVar("Worth")


class lazy(Generic[Worth]):  # noqa: N801 - reads like property and cached_property
    """Like ``functools.cached_property``, which in Python 3.11 takes a lock at each first access;
    for values that one thread looks at."""

    def __init__(self, work_out: Callable[[Any], Worth]) -> None:
        self._work_out = work_out
        self._name = work_out.__name__
        self.__doc__ = work_out.__doc__

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> lazy[Worth]: ...

    @overload
    def __get__(self, instance: object, owner: type | None = None) -> Worth: ...

    def __get__(self, instance: object | None, owner: type | None = None) -> lazy[Worth] | Worth:
        if instance is None:
            return self
        found = self._work_out(instance)
        instance.__dict__[self._name] = found
        return found
