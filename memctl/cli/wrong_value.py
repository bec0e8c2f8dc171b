"""What is wrong with a value on the command line, said without the words of the validator."""

from __future__ import annotations

from typing import Any

_REQUIREMENTS = {
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "int_parsing_size": "a number that is not so large",
    "float_parsing": "a number",
    "finite_number": "a number that has an end",
    "greater_than_equal": "{ge} or more",
    "greater_than": "more than {gt}",
    "less_than_equal": "{le} or less",
    "less_than": "less than {lt}",
}
"""What a value must be, by the validator's name for what it is not."""


def wrong_value(error: Any) -> str | None:
    """Which value must be what, such as ``--limit 'ten' must be a whole number``.

    ``error`` is Typer's, about one command line. None where it is about something else than a
    value that the validator refused.
    """
    find_problems = getattr(error.__cause__, "errors", None)
    parameter = getattr(error, "param", None)
    if find_problems is None or parameter is None:
        return None
    problem = find_problems()[0]
    requirement = _REQUIREMENTS.get(problem["type"])
    if requirement is None:
        return None
    name = max(parameter.opts, key=len)
    shown = name if name.startswith("-") else name.upper()
    return f"{shown} {problem['input']!r} must be {requirement.format(**problem.get('ctx', {}))}"
