"""What a command's function says about its options and arguments, in the types of its parameters.

They are plain values: a command that is called need not load what makes a Typer command of them.
"""

from __future__ import annotations


class Option:
    """An option: ``--sort``, or a switch where the parameter's type is bool.

    ``names`` are as they are typed; ``--pin/--unpin`` are the two of a switch that goes both ways.
    ``metavar`` stands for the value in the usage. A number lies in ``minimum``..``maximum``. A text
    is one line and not empty, unless it is ``prose``.
    """

    __slots__ = ("help", "maximum", "metavar", "minimum", "names", "prose")

    def __init__(
        self,
        *names: str,
        help: str,  # noqa: A002 - as everything that describes command lines calls it
        metavar: str | None = None,
        minimum: float | None = None,
        maximum: float | None = None,
        prose: bool = False,
    ) -> None:
        self.names = names
        self.help = help
        self.metavar = metavar
        self.minimum = minimum
        self.maximum = maximum
        self.prose = prose


class Argument:
    """An argument, by its place; a parameter that is a list takes all the words that are left.

    A number lies at or above ``minimum``.
    """

    __slots__ = ("help", "metavar", "minimum")

    def __init__(
        self,
        *,
        metavar: str,
        help: str,  # noqa: A002
        minimum: float | None = None,
    ) -> None:
        self.metavar = metavar
        self.help = help
        self.minimum = minimum
