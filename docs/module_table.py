"""Writes the list of modules in docs/source-code.md from their docstrings.

    python docs/module_table.py            # rewrites the list
    python docs/module_table.py --check    # exit status 1 when it is not up to date

A module's line is its path below ``memctl/`` and the first sentence of its docstring.
"""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
PAGE = REPOSITORY / "docs" / "source-code.md"
PACKAGE = REPOSITORY / "memctl"
BEGIN = "<!-- modules: written by docs/module_table.py -->\n"
END = "<!-- modules: end -->\n"


def module_name(path: Path) -> str:
    """``store/index`` for memctl/store/index.py, ``store/`` for its package."""
    name = path.relative_to(PACKAGE).with_suffix("").as_posix()
    return name.removesuffix("__init__") if name != "__init__" else name


def first_sentence(path: Path) -> str:
    """The first sentence of a module's docstring on one line, without its full stop."""
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    paragraph = " ".join(docstring.split("\n\n")[0].split())
    sentence = re.split(r"\.(?:\s|$)", paragraph, maxsplit=1)[0]
    return sentence.replace("``", "`").replace("|", "\\|")


def module_table() -> str:
    """The Markdown table, sorted by path, without the empty files that only make a package."""
    paths = sorted((path for path in PACKAGE.rglob("*.py") if path.stat().st_size), key=module_name)
    rows = [f"| `{module_name(path)}` | {first_sentence(path)} |" for path in paths]
    return "\n".join(["| module | what it is for |", "|---|---|", *rows]) + "\n"


def main(arguments: list[str]) -> int:
    """Rewrites or checks the page; the exit status is for the shell."""
    page = PAGE.read_text(encoding="utf-8")
    head, rest = page.split(BEGIN)
    _, tail = rest.split(END)
    wanted = f"{head}{BEGIN}{module_table()}{END}{tail}"
    if arguments == ["--check"]:
        if page != wanted:
            sys.stderr.write("docs/source-code.md is old: run `python docs/module_table.py`\n")
        return int(page != wanted)
    PAGE.write_text(wanted, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
