"""The code keeps to the picture in docs/source-code.md.

The page's first table gives the layers, its second one the place of each library. What modules
import is read from their syntax trees, so that an import inside a function or for type checking
counts as well.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]
PACKAGE = REPOSITORY / "memctl"
PAGE = REPOSITORY / "docs" / "source-code.md"

LOADED_WITH_THE_MODULE = "with the module"
LOADED_WHEN_USED = "when used"

HEAVY_TRANSITIVE = {"onnxruntime", "tokenizers", "huggingface_hub", "httpx", "pydantic", "openai"}
"""What the heavy libraries bring along; none of it may be loaded with a module either."""

OUTSIDE_WORLD = {
    "print": "prints",
    "input": "reads from the terminal",
    "sys.stdin": "reads from the terminal",
    "sys.stdout": "prints",
    "sys.stderr": "prints",
    "sys.argv": "reads the command line",
    "sys.exit": "exits",
    "os._exit": "exits",
    "exit": "exits",
    "quit": "exits",
    "SystemExit": "exits",
    "os.environ": "reads the environment",
    "os.getenv": "reads the environment",
    "os.putenv": "changes the environment",
    "datetime.datetime.now": "asks the time",
    "datetime.datetime.utcnow": "asks the time",
    "datetime.datetime.today": "asks the time",
    "datetime.date.today": "asks the time",
    "memctl.times.utc_now": "asks the time",
    "time.time": "asks the time",
    "time.time_ns": "asks the time",
}
"""Names that only the command line may use, and what using one means."""

JUSTIFIED = {
    ("times", "datetime.datetime.now"): "this is the clock",
    ("runtime", "memctl.times.utc_now"): "hands the clock to all others",
    ("user_folders", "os.environ"): "the user's folders are said by the environment alone",
    ("embedding", "os.environ"): "ONNX Runtime takes its switches from nowhere else",
    ("embedding_server", "os._exit"): "it is a process, whose threads are in a native library",
    ("extraction/llm", "os.environ"): "LiteLLM takes its switches from nowhere else",
}
"""The few uses below the command line, each with its reason."""

BROAD_CATCHES = {
    "cli/main": "turns every error into a message",
    "ingestion/daemon": "one bad document never stops the others",
    "ingestion/readers/registry": "no reader's fault loses a text, or the files behind it",
    "extraction/background": "raises it again in the thread that asks for the value",
}
"""The modules that may each catch all exceptions once."""

MOST_LINES_OF_A_MODULE = 500
MOST_LINES_OF_A_SHORT_FUNCTION = 29
LEAST_SHARE_OF_SHORT_FUNCTIONS = 0.9


@dataclass(frozen=True)
class Import:
    """One imported name: ``target`` is dotted, ``line`` counts from 1."""

    importer: str
    target: str
    line: int
    inside_function: bool
    for_types: bool


@cache
def _trees() -> dict[str, ast.Module]:
    """The syntax tree of each module by name, such as ``store/index`` or ``store/__init__``."""
    paths = sorted(PACKAGE.rglob("*.py"))
    names = [path.relative_to(PACKAGE).with_suffix("").as_posix() for path in paths]
    return {
        name: ast.parse(path.read_text(encoding="utf-8"))
        for name, path in zip(names, paths, strict=True)
    }


def _imports_below(
    node: ast.AST, importer: str, inside_function: bool, for_types: bool
) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            for alias in child.names:
                yield Import(importer, alias.name, child.lineno, inside_function, for_types)
        elif isinstance(child, ast.ImportFrom):
            for alias in child.names:
                target = f"{child.module}.{alias.name}"
                yield Import(importer, target, child.lineno, inside_function, for_types)
        else:
            is_function = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)
            is_type_check = isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test)
            yield from _imports_below(
                child, importer, inside_function or is_function, for_types or is_type_check
            )


@cache
def _imports() -> tuple[Import, ...]:
    return tuple(
        entry
        for name, tree in _trees().items()
        for entry in _imports_below(tree, name, inside_function=False, for_types=False)
    )


def _own_module(target: str) -> str | None:
    """The module of memctl that a dotted name leads to, None for other people's."""
    if target.split(".")[0] != "memctl":
        return None
    parts = target.split(".")[1:]
    while parts:
        name = "/".join(parts)
        if name in _trees():
            return name
        if f"{name}/__init__" in _trees():
            return f"{name}/__init__"
        parts.pop()
    return "__init__"


def _tables() -> list[list[list[str]]]:
    """Every Markdown table of the page as rows of cells, without header and rule."""
    tables: list[list[list[str]]] = [[]]
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("|"):
            tables[-1].append([cell.strip() for cell in line.strip("|").split("|")])
        elif tables[-1]:
            tables.append([])
    return [table[2:] for table in tables if table]


def _quoted(cell: str) -> list[str]:
    """The words of a cell that stand in backticks, leaving out those in round brackets."""
    outside = ""
    depth = 0
    for character in cell:
        depth += (character == "(") - (character == ")")
        outside += character if depth == 0 else ""
    return outside.split("`")[1::2]


def _covers(pattern: str, module: str) -> bool:
    return module.startswith(pattern) if pattern.endswith("/") else module == pattern


@cache
def _layers() -> list[tuple[str, list[str]]]:
    """The layers from the top, each with the patterns of its modules.

    ``Settings`` and other words with a capital are no modules.
    """
    return [
        (name, [word for word in _quoted(modules) if word.islower()])
        for name, modules in _tables()[0]
    ]


def _layer_number(module: str) -> int:
    """The number of the layer, from 0 at the top, by the longest pattern that covers it."""
    fitting = [
        (len(pattern), number)
        for number, (_, patterns) in enumerate(_layers())
        for pattern in patterns
        if _covers(pattern, module)
    ]
    assert fitting, f"memctl/{module}.py stands in no layer of docs/source-code.md"
    return max(fitting)[1]


@dataclass(frozen=True)
class LibraryRule:
    """Where a library may be imported, and whether only inside functions."""

    places: tuple[str, ...]
    when_used: bool


@cache
def _library_rules() -> dict[str, LibraryRule]:
    rules = {}
    for libraries, places, loaded in _tables()[1]:
        assert loaded in {LOADED_WITH_THE_MODULE, LOADED_WHEN_USED}
        for library in _quoted(libraries):
            rules[library] = LibraryRule(tuple(_quoted(places)), loaded == LOADED_WHEN_USED)
    return rules


def _report(problems: list[str]) -> None:
    assert not problems, "\n".join(["", *problems])


def test_the_documentation_says_what_the_code_says() -> None:
    check = subprocess.run(
        [sys.executable, REPOSITORY / "docs" / "generate.py", "--check"],
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert check.returncode == 0, check.stderr


def test_every_module_stands_in_a_layer() -> None:
    for module in _trees():
        _layer_number(module)


def test_imports_go_from_upper_layers_to_lower_ones() -> None:
    _report(
        [
            f"memctl/{entry.importer}.py:{entry.line} imports memctl/{target}.py, which is above it"
            for entry in _imports()
            if (target := _own_module(entry.target)) is not None
            and _layer_number(target) < _layer_number(entry.importer)
        ]
    )


def test_no_modules_import_each_other_in_a_circle() -> None:
    graph: dict[str, set[str]] = {module: set() for module in _trees()}
    for entry in _imports():
        target = _own_module(entry.target)
        if target is not None and target != entry.importer:
            graph[entry.importer].add(target)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"a circle of imports: {' → '.join(reversed(error.args[1]))}")


def test_each_library_is_imported_in_its_one_place() -> None:
    problems = []
    for entry in _imports():
        library = entry.target.split(".")[0]
        if library in sys.stdlib_module_names or library == "memctl":
            continue
        place = f"memctl/{entry.importer}.py:{entry.line}"
        rule = _library_rules().get(library)
        if rule is None:
            problems.append(f"{place} imports {library}, which docs/source-code.md does not know")
        elif entry.for_types:
            continue
        elif not any(_covers(pattern, entry.importer) for pattern in rule.places):
            problems.append(f"{place} imports {library}, whose place is {', '.join(rule.places)}")
        elif rule.when_used and not entry.inside_function:
            problems.append(f"{place} imports {library} with the module and not when it is used")
    _report(problems)


def _meanings(tree: ast.Module) -> dict[str, str]:
    """What the names of a module stand for: ``from time import time`` gives time → time.time."""
    meanings = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                name = alias.asname or alias.name.split(".")[0]
                meanings[name] = alias.name if alias.asname else name
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                meanings[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return meanings


def _dotted(node: ast.AST) -> str | None:
    """``a.b.c`` of an attribute chain on a plain name."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and (base := _dotted(node.value)) is not None:
        return f"{base}.{node.attr}"
    return None


def test_only_the_command_line_touches_the_outside_world() -> None:
    problems = []
    used = set()
    for module, tree in _trees().items():
        meanings = _meanings(tree)
        for node in ast.walk(tree):
            first, _, rest = (_dotted(node) or "").partition(".")
            name = ".".join(filter(None, [meanings.get(first, first), rest]))
            if name not in OUTSIDE_WORLD or _layer_number(module) == 0:
                continue
            used.add((module, name))
            if (module, name) not in JUSTIFIED:
                problems.append(
                    f"memctl/{module}.py:{getattr(node, 'lineno', 0)} uses {name}: "
                    f"it {OUTSIDE_WORLD[name]}"
                )
    problems += [f"nobody needs the exception for {gone} now" for gone in JUSTIFIED.keys() - used]
    _report(problems)


def _is_broad(expression: ast.expr | None) -> bool:
    if isinstance(expression, ast.Tuple):
        return any(_is_broad(element) for element in expression.elts)
    return expression is None or _dotted(expression) in {"Exception", "BaseException"}


def _broad_catches(tree: ast.Module) -> Iterator[int]:
    """Lines where all exceptions are caught; one that is raised again after a clean-up is not."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ExceptHandler) and _is_broad(node.type):
            last = node.body[-1]
            if not (isinstance(last, ast.Raise) and last.exc is None):
                yield node.lineno
        elif isinstance(node, ast.Call) and (_dotted(node.func) or "").endswith("suppress"):
            yield from (node.lineno for argument in node.args if _is_broad(argument))


def test_only_named_places_catch_everything() -> None:
    problems = []
    for module, tree in _trees().items():
        lines = list(_broad_catches(tree))
        if len(lines) > (module in BROAD_CATCHES):
            problems.append(f"memctl/{module}.py catches everything in line {lines}")
    _report(problems)


FORKING_IMPORTER = """
import importlib, os, sys
import {light}
heavy = set(sys.argv[1].split(","))
failed = 0
for part in sys.argv[2:]:
    child = os.fork()
    if child == 0:
        loaded = set()
        for module in part.split(","):
            importlib.import_module(module)
            for library in sorted(heavy & sys.modules.keys() - loaded):
                sys.stderr.write(f"{{module}} loads {{library}}\\n")
                loaded.add(library)
        sys.stderr.flush()
        os._exit(bool(loaded))
    failed |= os.waitpid(child, 0)[1]
sys.exit(failed != 0)
"""
"""Imports the modules of each part in a process that holds no other part of memctl.

Light libraries are there before the fork: they cost much of the time and hide nothing. Within a
part the order cannot matter, because no modules import each other in a circle."""


@pytest.mark.slow
def test_every_part_imports_alone_and_loads_no_heavy_library() -> None:
    rules = _library_rules()
    light = [library for library, rule in rules.items() if not rule.when_used]
    heavy = [library for library, rule in rules.items() if rule.when_used]
    parts: dict[str, list[str]] = {}
    for name in sorted(_trees().keys() - {"__main__"}):
        module = f"memctl.{name}".replace("/", ".").removesuffix(".__init__")
        parts.setdefault(name.split("/")[0], []).append(module)
    check = subprocess.run(
        [
            sys.executable,
            "-c",
            FORKING_IMPORTER.format(light=", ".join(light)),
            ",".join([*heavy, *HEAVY_TRANSITIVE]),
            *[",".join(modules) for modules in parts.values()],
        ],
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert check.returncode == 0, check.stderr


def test_no_module_is_long() -> None:
    lengths = {name: len((PACKAGE / f"{name}.py").read_bytes().splitlines()) for name in _trees()}
    _report(
        [
            f"memctl/{name}.py has {length} lines: it does more than one thing"
            for name, length in lengths.items()
            if length > MOST_LINES_OF_A_MODULE
        ]
    )


def test_nine_functions_in_ten_are_short() -> None:
    lengths = {
        f"memctl/{name}.py:{node.lineno} {node.name}": (node.end_lineno or 0) - node.lineno + 1
        for name, tree in _trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    long = {
        name: length for name, length in lengths.items() if length > MOST_LINES_OF_A_SHORT_FUNCTION
    }
    share = 1 - len(long) / len(lengths)
    worst = sorted(long.items(), key=lambda item: -item[1])[:10]
    assert share >= LEAST_SHARE_OF_SHORT_FUNCTIONS, f"{share:.0%} are short; the longest: {worst}"
