"""Writes the parts of the documentation that the code already knows.

    python docs/generate.py            # rewrites them
    python docs/generate.py --check    # exit status 1 and their names when some are old

A part stands in its page between ``<!-- generated: NAME -->`` and ``<!-- /generated -->``. The
manual's pages are written as a whole, and so is the table of pyproject.toml that installs them;
docs/json.md is a copy of the text from which one of them is made, store/ready_sql.py holds the
statements of store/statements.py as text, and cli/ready_commands.py what every command takes.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from memctl.cli.command_line import CommandRule, OptionRules, SwitchRule, ValueRule
from memctl.cli.command_rules import all_command_rules, shared_rules
from memctl.cli.manual.pages import JSON_SOURCE, all_pages
from memctl.cli.manual.roff import to_roff
from memctl.config import PATH_DEFAULTS, SettingInfo, describe_settings
from memctl.store.migrations import MIGRATIONS, latest_version
from memctl.store.statements import sqlite_conditions, sqlite_texts

REPOSITORY = Path(__file__).resolve().parents[1]
PACKAGE = REPOSITORY / "memctl"


def table(*rows: tuple[str, ...]) -> str:
    """A Markdown table; the first row is its header."""
    rule = tuple("---" for _ in rows[0])
    lines = [rows[0], rule, *rows[1:]]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


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
    """Every module by path, without the empty files that only make a package."""
    paths = (path for path in PACKAGE.rglob("*.py") if path.stat().st_size)
    rows = [(f"`{module_name(path)}`", first_sentence(path)) for path in paths]
    return table(("module", "what it is for"), *sorted(rows))


def default_text(info: SettingInfo) -> str:
    """A default as it would be written in the TOML file, or where it lies."""
    if isinstance(info.default, Path):
        linux, macos = PATH_DEFAULTS[info.key]
        return f"`{linux}`; macOS: `{macos}`"
    if info.default is None:
        return "none"
    if isinstance(info.default, bool):
        return f"`{str(info.default).lower()}`"
    return f'`"{info.default}"`' if isinstance(info.default, str) else f"`{info.default:g}`"


def settings_table() -> str:
    """Every setting in the order in which `memctl config show` prints them."""
    rows = [
        (f"`{info.key}`", f"`{info.variable}`", default_text(info), info.description)
        for info in describe_settings()
    ]
    return table(("setting", "variable", "default", "meaning"), *rows)


PARTS: dict[str, tuple[str, Callable[[], str]]] = {
    "modules": ("docs/source-code.md", module_table),
    "settings": ("docs/configuration.md", settings_table),
}
"""Each part's page and what writes it."""

JSON_NOTE = (
    "<!-- Written by docs/generate.py from memctl/cli/manual/json_output.md: edit that. -->\n\n"
)

READY_SQL = PACKAGE / "store" / "ready_sql.py"


def ready_sql() -> str:
    """The module that holds the statements of ``store/statements`` as text for SQLite."""
    return READY_SQL_TEMPLATE.format(
        version=latest_version(MIGRATIONS),
        entries=_sql_entries(sqlite_texts()),
        conditions=_sql_entries(sqlite_conditions()),
    )


def _sql_entries(texts: Mapping[str, tuple[str, dict[str, object]]]) -> str:
    return "".join(
        f"    {name!r}: (\n        {sql!r},\n        {values!r},\n    ),\n"
        for name, (sql, values) in texts.items()
    )


READY_SQL_TEMPLATE = '''\
# ruff: noqa: E501
# fmt: off
"""The statements of ``statements`` as SQLAlchemy writes them for SQLite; made by docs/generate.py.

Each has its text and the values of the parameters that are always the same.
"""

from __future__ import annotations

SCHEMA_VERSION = {version}
"""That of the tables which these statements are for."""

READY_SQL: dict[str, tuple[str, dict[str, object]]] = {{
{entries}}}

READY_CONDITIONS: dict[str, tuple[str, dict[str, object]]] = {{
{conditions}}}
"""What a filter puts into the place that the lists have for it."""
'''

READY_COMMANDS = PACKAGE / "cli" / "ready_commands.py"


def ready_commands() -> str:
    """The module that holds the rules of all commands."""
    commands = {name: _command_text(rule) for name, rule in all_command_rules().items()}
    return READY_COMMANDS_TEMPLATE.format(
        commands=_dictionary(commands, ""),
        shared=_dictionary(_rule_texts(shared_rules()), ""),
    )


def _command_text(rule: CommandRule) -> str:
    arguments = "".join(f"{_rule_text(argument)}, " for argument in rule.arguments)
    lines = [
        f"options={_dictionary(_rule_texts(rule.options), ' ' * 8)}",
        f"arguments=({arguments.rstrip()})",
        f"groups={rule.groups!r}",
    ]
    return "CommandRule(\n" + "".join(f"        {line},\n" for line in lines) + "    )"


def _rule_texts(rules: OptionRules) -> dict[str, str]:
    return {name: _rule_text(rule) for name, rule in rules.items()}


def _rule_text(rule: SwitchRule | ValueRule) -> str:
    """The rule as Python, without what it says by default."""
    said = [
        f"{name}={value!r}"
        for name, value in rule._asdict().items()
        if name not in rule._field_defaults or value != rule._field_defaults[name]
    ]
    return f"{type(rule).__name__}({', '.join(said)})"


def _dictionary(texts: Mapping[str, str], indent: str) -> str:
    lines = "".join(f"{indent}    {name!r}: {text},\n" for name, text in texts.items())
    return f"{{\n{lines}{indent}}}"


READY_COMMANDS_TEMPLATE = '''\
# ruff: noqa: E501
# fmt: off
"""What every command takes, as ``command_rules`` reads it from its function; made by
docs/generate.py.
"""

from __future__ import annotations

from memctl.cli.command_line import CommandRule, OptionRules, SwitchRule, ValueRule

COMMAND_RULES: dict[str, CommandRule] = {commands}

SHARED_RULES: OptionRules = {shared}
"""Options that every command takes, before its name or behind it."""
'''

MANUAL = REPOSITORY / "man"


def manual_files() -> dict[Path, str]:
    """The manual's pages by their place."""
    return {MANUAL / page.file_name: to_roff(page) for page in all_pages()}


def installed_pages() -> str:
    """Where the wheel puts each page, in the words of pyproject.toml."""
    return "".join(
        f'"man/{path.name}" = "share/man/man{path.suffix[1:]}/{path.name}"\n'
        for path in sorted(manual_files())
    )


def with_installed_pages(project: str) -> str:
    """pyproject.toml with the table that lists the manual's pages."""
    head, found, rest = project.partition(f"{SHARED_DATA}\n")
    _, next_table, tail = rest.partition("\n[")
    if not found:
        raise ValueError(f"pyproject.toml has no {SHARED_DATA}")
    return f"{head}{found}{installed_pages()}{next_table}{tail}"


SHARED_DATA = "[tool.hatch.build.targets.wheel.shared-data]"


def wanted_files() -> dict[Path, str]:
    """Every file that is written as a whole or in parts, as it should be."""
    wanted = manual_files()
    for name, (file_name, write) in PARTS.items():
        path = REPOSITORY / file_name
        page = wanted.get(path) or path.read_text(encoding="utf-8")
        wanted[path] = with_part(page, name, write())
    wanted[READY_SQL] = ready_sql()
    wanted[READY_COMMANDS] = ready_commands()
    wanted[REPOSITORY / "docs" / "json.md"] = JSON_NOTE + JSON_SOURCE.read_text(encoding="utf-8")
    project = REPOSITORY / "pyproject.toml"
    wanted[project] = with_installed_pages(project.read_text(encoding="utf-8"))
    return wanted


def with_part(page: str, name: str, content: str) -> str:
    """The page with that part put in; ValueError when it has no such part."""
    begin, end = f"<!-- generated: {name} -->\n", "<!-- /generated -->"
    head, found, rest = page.partition(begin)
    _, closed, tail = rest.partition(end)
    if not found or not closed:
        raise ValueError(f"the page has no part {name}")
    return f"{head}{begin}{content}{end}{tail}"


def main(arguments: list[str]) -> int:
    """Rewrites or checks all files; the exit status is for the shell."""
    wanted = wanted_files()
    found = {path: path.read_text(encoding="utf-8") for path in wanted if path.exists()}
    old = sorted(path for path in wanted if found.get(path) != wanted[path])
    surplus = sorted(set(MANUAL.glob("*.[0-9]")) - set(wanted))
    if arguments == ["--check"]:
        names = [str(path.relative_to(REPOSITORY)) for path in [*old, *surplus]]
        if names:
            sys.stderr.write(f"old: {', '.join(names)}; run `python docs/generate.py`\n")
        return 1 if names else 0
    MANUAL.mkdir(exist_ok=True)
    for path in old:
        path.write_text(wanted[path], encoding="utf-8", newline="\n")
    for path in surplus:
        path.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
