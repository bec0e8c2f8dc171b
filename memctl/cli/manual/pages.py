"""The manual's pages, from the command tree, the error classes and the settings."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path

from memctl import errors
from memctl.cli import errors as cli_errors
from memctl.cli.command_tree import CommandEntry, OptionEntry, command_entries, command_entry
from memctl.cli.manual.markdown import sections_of
from memctl.cli.manual.page import Block, Lines, Page, Paragraph, Section, Term
from memctl.cli.root_help import COMMANDS, FIRST_STEPS, OPTIONS, SUMMARY
from memctl.config import (
    CONFIG_VARIABLE,
    PATH_DEFAULTS,
    STORE_VARIABLE,
    SettingInfo,
    describe_settings,
)
from memctl.errors import ExitCode, MemctlError

MAIN_NAME = "memctl"
SETTINGS_NAME = "memctl-config"
JSON_NAME = "memctl-json"

JSON_SOURCE = Path(__file__).with_name("json_output.md")
"""The one description of the JSON output; docs/json.md is a copy of it."""

EXIT_STATUSES = {
    ExitCode.OK: "Done; an empty answer too.",
    ExitCode.FAILED: "Failed, or `memctl doctor` found something that needs doing.",
    ExitCode.USAGE: "The command line is wrong.",
    ExitCode.CONFIGURATION: "The configuration is wrong.",
    ExitCode.NOT_FOUND: "No such memory or path, or an id prefix that fits several.",
    ExitCode.STORE: "The store cannot be used.",
    ExitCode.MODEL: "The embedding model or the language model cannot be used.",
    ExitCode.PARTIAL: "Some inputs failed, the others were stored.",
    ExitCode.LOCKED: "Another process holds the store; try again.",
    ExitCode.INTERRUPTED: "Stopped by SIGINT.",
    ExitCode.TERMINATED: "Stopped by SIGTERM.",
}

ENVIRONMENT = (
    Term("NO_COLOR", "When set, nothing is coloured."),
    Term("FORCE_COLOR", "When set, output is laid out as for a terminal, also in a pipe."),
    Term("MEMCTL_NO_DAEMON", "When set, a command does not ask a running `memctl serve`."),
    Term("COLUMNS", "The width of the output where it is not a terminal."),
    Term("VISUAL, EDITOR", "What `memctl edit` and `memctl config edit` start."),
)

OPTIONAL_FIELDS = frozenset({"advice", "earlier", "instead"})
"""What errors say in clauses or sentences of their own, which differ each time: the manual leaves
their places empty."""

_FIELD = re.compile(r"\{(\w+)(?:![rsa])?(?::[^}]*)?\}")


def all_pages() -> Iterator[Page]:
    """Every page of the manual."""
    yield main_page()
    yield settings_page()
    yield json_page()
    yield from map(command_page, command_entries())


def page_of(topic: str) -> Page | None:
    """The page for what a user calls it: nothing, a command, a page's or a file's name."""
    topic = re.sub(r"\((\d)\)$", r".\1", topic)
    name = topic.removesuffix(".1").removeprefix(f"{MAIN_NAME}-")
    if name in {"", MAIN_NAME, "help"}:
        return main_page()
    if topic in {"settings", f"{SETTINGS_NAME}.5", "config.5"}:
        return settings_page()
    if topic in {"json", JSON_NAME, f"{JSON_NAME}.5", "json.5"}:
        return json_page()
    return command_page(command_entry(name)) if name in COMMANDS else None


def main_page() -> Page:
    """memctl(1)."""
    return Page(
        name=MAIN_NAME,
        number=1,
        summary="long-term memory for people and their agents",
        sections=(
            Section("SYNOPSIS", (Lines(("memctl [OPTIONS] COMMAND [ARGS]...",)),)),
            Section("DESCRIPTION", (*map(Paragraph, _DESCRIPTION),)),
            Section(
                "FIRST STEPS",
                tuple(
                    Term(line, f"{what[0].upper()}{what[1:]}.")
                    for line, what in FIRST_STEPS.items()
                ),
            ),
            Section(
                "COMMANDS",
                tuple(Term(f"memctl-{name}(1)", text) for name, text in COMMANDS.items()),
            ),
            Section("OPTIONS", tuple(Term(name, text) for name, text in OPTIONS.items())),
            Section(
                "EXIT STATUS",
                tuple(Term(str(int(code)), text) for code, text in EXIT_STATUSES.items()),
            ),
            Section("ENVIRONMENT", (*_variables(), *ENVIRONMENT)),
            Section("FILES", tuple(_files())),
            Section("DIAGNOSTICS", tuple(_diagnostics())),
            Section("SEE ALSO", (Paragraph(f"{SETTINGS_NAME}(5), {JSON_NAME}(5)"),)),
        ),
    )


def json_page() -> Page:
    """memctl-json(5)."""
    description, *others = sections_of(JSON_SOURCE.read_text(encoding="utf-8"))
    return Page(
        name=JSON_NAME,
        number=5,
        summary="what memctl prints with --json",
        sections=(
            Section("DESCRIPTION", description.blocks),
            *others,
            Section("SEE ALSO", (Paragraph("memctl(1)"),)),
        ),
    )


def command_page(entry: CommandEntry) -> Page:
    """memctl-COMMAND(1)."""
    arguments = " ".join(argument.usage for argument in entry.arguments)
    sections = [
        Section("SYNOPSIS", (Lines((f"memctl {entry.name} [OPTIONS] {arguments}".rstrip(),)),)),
        Section("DESCRIPTION", tuple(map(Paragraph, (entry.summary, *entry.description)))),
    ]
    if entry.arguments:
        terms = tuple(Term(argument.metavar, argument.help) for argument in entry.arguments)
        sections.append(Section("ARGUMENTS", terms))
    sections.append(Section("OPTIONS", tuple(map(option_term, entry.options))))
    if entry.examples:
        sections.append(Section("EXAMPLES", (Lines(entry.examples),)))
    sections.append(Section("EXIT STATUS", (Paragraph("As in memctl(1)."),)))
    sections.append(Section("SEE ALSO", (Paragraph(_see_also(entry)),)))
    return Page(
        name=f"{MAIN_NAME}-{entry.name}",
        number=1,
        summary=_as_summary(entry.summary),
        sections=tuple(sections),
    )


def settings_page() -> Page:
    """memctl-config(5)."""
    return Page(
        name=SETTINGS_NAME,
        number=5,
        summary="settings of memctl",
        sections=(
            Section("DESCRIPTION", tuple(map(Paragraph, _SETTINGS_DESCRIPTION))),
            Section("EXAMPLES", (Lines(_SETTINGS_EXAMPLE),)),
            Section("SETTINGS", tuple(map(setting_term, describe_settings()))),
            Section("FILES", tuple(_files())),
            Section("SEE ALSO", (Paragraph("memctl(1), memctl-config(1)"),)),
        ),
    )


def option_term(option: OptionEntry) -> Term:
    """An option with its range and default."""
    parts = [option.help]
    if option.minimum is not None and option.maximum is not None:
        parts.append(f"From {option.minimum:,} to {option.maximum:,}.")
    elif option.minimum is not None:
        parts.append(f"At least {option.minimum:,}.")
    if option.default is not None:
        parts.append(f"Default: {option.default}.")
    return Term(", ".join(option.names), " ".join(parts), option.metavar or "")


def setting_term(info: SettingInfo) -> Term:
    """A setting with its type, range, default and variable."""
    parts = [info.description, f"Type: {info.type_name}."]
    if info.minimum is not None and info.maximum is not None:
        parts.append(f"From {info.minimum:,} to {info.maximum:,}.")
    if info.choices:
        parts.append(f"One of {', '.join(info.choices)}.")
    parts.append(f"Default: {default_text(info)}.")
    parts.append(f"Variable: `{info.variable}`.")
    return Term(info.key, " ".join(parts))


def default_text(info: SettingInfo) -> str:
    """A default in words; folders as they are called on Linux."""
    if isinstance(info.default, Path):
        return PATH_DEFAULTS[info.key][0]
    if info.default is None:
        return "unset"
    if isinstance(info.default, bool):
        return str(info.default).lower()
    return f"{info.default:,}" if isinstance(info.default, int | float) else str(info.default)


def _variables() -> Iterator[Term]:
    yield Term(STORE_VARIABLE, "Folder of the store, like --store.")
    yield Term(CONFIG_VARIABLE, "Configuration file, like --config.")
    yield Term("MEMCTL_SECTION_KEY", f"Any setting; see {SETTINGS_NAME}(5).")


def _files() -> Iterator[Term]:
    yield Term(
        "~/.config/memctl/config.toml",
        "The configuration file. macOS: ~/Library/Application Support/memctl/config.toml.",
    )
    yield Term(
        "SOUL.md, IDENTITY.md, USER.md",
        "Beside the configuration file: what `memctl context` puts in front.",
    )
    yield Term(
        "~/.local/share/memctl/",
        "The store: `memctl.db` (SQLite, the truth) and `index` (LanceDB, built from it). "
        "macOS: ~/Library/Application Support/memctl/.",
    )


def _diagnostics() -> Iterator[Block]:
    yield Paragraph("Errors are one line on stderr, followed by what to do next.")
    for error in error_kinds():
        line = f"cannot {error.action}: {error.reason}"
        first = (inspect.getdoc(error) or error.__name__).split("\n\n")[0]
        meaning = re.split(r"\s+Data:", " ".join(first.split()))[0]
        hint = _placeholders(error.hint)
        if hint and not hint.endswith("."):
            hint += "."
        sentences = [meaning, hint, f"Exit status {int(error.exit_code)}."]
        yield Term(_placeholders(line), " ".join(filter(None, sentences)))


def error_kinds() -> list[type[MemctlError]]:
    """All that are raised, by name."""
    found = {
        name: kind
        for module in (errors, cli_errors)
        for name, kind in inspect.getmembers(module, inspect.isclass)
        if issubclass(kind, MemctlError) and not _is_base(kind)
    }
    return [found[name] for name in sorted(found)]


def _is_base(error: type[MemctlError]) -> bool:
    """Whether it only groups others: those that are raised say what cannot be done and why."""
    return error is MemctlError or (inspect.getdoc(error) or "").startswith("Base ")


def _placeholders(template: str) -> str:
    """The template with its fields in capitals, as they are called in the message."""
    named = _FIELD.sub(
        lambda field: "" if field[1] in OPTIONAL_FIELDS else field[1].upper(), template
    )
    return named.strip()


def _as_summary(sentence: str) -> str:
    """A summary for the NAME section: no capital, no full stop, no backticks."""
    plain = sentence.removesuffix(".").replace("`", "")
    return plain[0].lower() + plain[1:]


def _see_also(entry: CommandEntry) -> str:
    others = [
        name
        for name in COMMANDS
        if name != entry.name and f"`{name}`" in " ".join((entry.summary, *entry.description))
    ]
    pages = ["memctl(1)", *(f"memctl-{name}(1)" for name in others), f"{JSON_NAME}(5)"]
    return ", ".join([*pages, *([f"{SETTINGS_NAME}(5)"] if entry.name == "config" else [])])


_DESCRIPTION = (
    f"{SUMMARY} Statements are saved as typed memories in a graph, taken out of files, and "
    "recalled by meaning and by keyword. Nothing leaves the machine but what a language model is "
    "asked, when one is configured.",
    "Memories have random ids, of which the first eight characters are shown; commands take any "
    "unique beginning of four or more. Nothing is erased unless a command says so: what is "
    "forgotten can be restored.",
    "A second store, for work say, is a folder of its own: `memctl --store ~/work-memory list`, or "
    "`export MEMCTL_STORE=~/work-memory` for all commands of a shell.",
    "The answer of a command goes to stdout and everything else to stderr. On a pipe the answer is "
    "plain lines; with `--json` it is a documented JSON object, as memctl-json(5) tells.",
)

_SETTINGS_DESCRIPTION = (
    "memctl needs no configuration. A setting is taken from the command line, else from its "
    "variable, else from the configuration file, else it has its default. No file of the current "
    "folder is ever read.",
    "The configuration file is TOML; the word before the dot is the section. `memctl config init` "
    "writes a commented one, `memctl config set` changes a setting, and `memctl config show` "
    "prints each setting with its origin. An unknown key or a wrong value stops every command with "
    "exit status 3, and all problems are named at once.",
    "API keys are no settings: they come from the variables of the providers, such as "
    "`OPENAI_API_KEY`, so that no key stands in a file of memctl's.",
)

_SETTINGS_EXAMPLE = (
    "[llm]",
    'model = "ollama_chat/llama3.2"',
    'api_base = "http://localhost:11434"',
    "",
    "[recall]",
    "limit = 5",
)
