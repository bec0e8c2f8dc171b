"""Settings: what they are, where they come from, and the folders that memctl uses.

A value is taken from the command line, else from ``MEMCTL_*``, else from the TOML file of the
user, else from the default that stands here. No file of the current folder is ever read: a cloned
repository must not be able to change what memctl does. Every problem is reported at once.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, get_args, get_type_hints

from memctl.advice import advice
from memctl.errors import ConfigurationError, InvalidSettingError, WrongVariableError
from memctl.maintenance_settings import MaintenanceSettings
from memctl.setting import flatten, plain_type, setting, type_name
from memctl.user_folders import user_folder

BUNDLED_EMBEDDING_MODEL = "sentence-transformers/all-MiniLM-L6-v2-int8"
"""The model whose int8 files come with the package; stores record it by this name."""

BUNDLED_EMBEDDING_DIMENSION = 384
"""Numbers in one of its vectors."""

DATABASE_NAME = "memctl.db"
INDEX_NAME = "index"
DROP_FOLDER_NAME = "ingest"
"""What database, index and drop folder are called in the store's folder, unless settings put them
elsewhere."""

STORE_VARIABLE = "MEMCTL_STORE"
CONFIG_VARIABLE = "MEMCTL_CONFIG"
RESERVED_VARIABLES = frozenset(
    {STORE_VARIABLE, CONFIG_VARIABLE, "MEMCTL_NO_DAEMON", "MEMCTL_AUTOSTARTED"}
)

_MACOS_FOLDER = "~/Library/Application Support/memctl"

PATH_DEFAULTS = {
    "store.path": ("~/.local/share/memctl", _MACOS_FOLDER),
    "ingest.drop_folder": ("~/.local/share/memctl/ingest", f"{_MACOS_FOLDER}/ingest"),
    "embedding.cache_folder": ("~/.cache/memctl", "~/Library/Caches/memctl"),
}
"""Defaults that depend on the machine, as people write them: on Linux, on macOS."""


def _default_store_path() -> Path:
    linux, macos = PATH_DEFAULTS["store.path"]
    return user_folder("XDG_DATA_HOME", linux=linux, macos=macos)


def _default_drop_folder() -> Path:
    return _default_store_path() / DROP_FOLDER_NAME


def _default_cache_path() -> Path:
    linux, macos = PATH_DEFAULTS["embedding.cache_folder"]
    return user_folder("XDG_CACHE_HOME", linux=linux, macos=macos)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreSettings:
    """Where the truth and the index live."""

    path: Path = setting(_default_store_path, "Folder of the store.")
    database_url: str | None = setting(
        None, "SQLAlchemy URL of the database; the default is memctl.db in store.path."
    )
    index_uri: str | None = setting(
        None, "URI of the LanceDB index; the default is the folder index in store.path."
    )
    wait_seconds: float = setting(
        10.0, "How long to wait for another process that writes.", minimum=0, maximum=3_600
    )

    @property
    def database_place(self) -> str | Path:
        """The URL of the database, or its file."""
        return self.database_url or self.path / DATABASE_NAME

    @property
    def index_place(self) -> str | Path:
        """The URI of the search index, or its folder."""
        return self.index_uri or self.path / INDEX_NAME

    @property
    def has_database(self) -> bool:
        """Whether opening the store would make no new database in its folder."""
        return bool(self.database_url) or (self.path / DATABASE_NAME).exists()


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingSettings:
    """The model that turns texts into vectors."""

    model: str = setting(
        BUNDLED_EMBEDDING_MODEL,
        "FastEmbed model; the default comes with the package and needs no network.",
    )
    threads: int | None = setting(
        None, "Threads; the default is all cores.", minimum=1, maximum=256
    )
    batch_size: int = setting(
        32, "Texts in one batch; long ones go in smaller batches.", minimum=1, maximum=1_024
    )
    cache_folder: Path = setting(_default_cache_path, "Folder for model files.")
    timeout_seconds: float = setting(
        10.0, "Longest wait for a model that must be fetched.", minimum=0.1, maximum=600
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LlmSettings:
    """The language model, when there is one. Keys come from the provider's own variables."""

    model: str | None = setting(
        None, "LiteLLM name, such as ollama_chat/llama3.2 or gpt-5-mini; none: built-in rules."
    )
    api_base: str | None = setting(None, "Address of the server, such as http://localhost:11434.")
    timeout_seconds: float = setting(120.0, "Longest wait for an answer.", minimum=1, maximum=3_600)
    max_retries: int = setting(3, "Tries after a transient error.", minimum=0, maximum=20)
    max_output_tokens: int = setting(2_048, "Longest answer.", minimum=64, maximum=100_000)
    temperature: float = setting(0.0, "Sampling temperature.", minimum=0, maximum=2)
    max_concurrency: int = setting(2, "Calls at a time.", minimum=1, maximum=64)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallSettings:
    """How recall answers."""

    limit: int = setting(10, "Hits shown when --limit is not given.", minimum=1, maximum=1_000)
    fusion: str = setting(
        "relative",
        "How the lists of recall become one: relative (by score) or rrf (by rank).",
        choices=("relative", "rrf"),
    )
    rrf_k: float = setting(
        5.0,
        "The k of reciprocal rank fusion; 60 in the original paper.",
        minimum=0.001,
        maximum=10_000,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class AssociationSettings:
    """How memories are compared with each other."""

    llm: bool = setting(
        default=False,
        description="Ask the language model about pairs that the built-in rules leave unclear.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestSettings:
    """How files are taken in."""

    max_file_megabytes: float = setting(
        100.0, "Larger files are refused.", minimum=0.001, maximum=100_000
    )
    pdf_timeout_seconds: float = setting(
        60.0, "Longest time for reading one PDF.", minimum=1, maximum=3_600
    )
    chunk_tokens: int = setting(
        200,
        "Aimed size of a verbatim chunk, in the embedding model's tokens.",
        minimum=32,
        maximum=8_192,
    )
    max_attempts: int = setting(
        5, "Failures after which a document is given up until it changes.", minimum=1, maximum=100
    )
    drop_folder: Path = setting(
        _default_drop_folder,
        "Folder that `memctl ingest --watch` watches, by default ingest in store.path; what is "
        "finished moves to processed/ in it.",
    )
    rescan_seconds: float = setting(
        300.0,
        "How often watched folders are looked through for what no event told of.",
        minimum=1,
        maximum=86_400,
    )
    poll_seconds: float = setting(
        5.0,
        "The same where the system tells of no events.",
        minimum=0.1,
        maximum=3_600,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextSettings:
    """What goes into a prompt."""

    max_tokens: int = setting(
        2_000,
        "Budget of `memctl context` in tokens when --max-tokens is not given.",
        minimum=100,
        maximum=1_000_000,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class DaemonSettings:
    """The process that stays loaded and answers other commands."""

    autostart: bool = setting(
        default=False,
        description="Leave `memctl serve` behind after a recall that found none; it ends after 15 "
        "idle minutes.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings, resolved."""

    store: StoreSettings = field(default_factory=StoreSettings)
    embedding: EmbeddingSettings = field(default_factory=EmbeddingSettings)
    llm: LlmSettings = field(default_factory=LlmSettings)
    association: AssociationSettings = field(default_factory=AssociationSettings)
    recall: RecallSettings = field(default_factory=RecallSettings)
    ingest: IngestSettings = field(default_factory=IngestSettings)
    maintenance: MaintenanceSettings = field(default_factory=MaintenanceSettings)
    context: ContextSettings = field(default_factory=ContextSettings)
    daemon: DaemonSettings = field(default_factory=DaemonSettings)


class SettingInfo(NamedTuple):
    """One setting as documentation and `config show` need it."""

    key: str
    variable: str
    type_name: str
    default: object
    description: str
    minimum: float | None
    maximum: float | None
    choices: tuple[str, ...]
    type_hint: Any


class LoadedSettings(NamedTuple):
    """The settings, where each value came from, and what else is worth a notice."""

    settings: Settings
    origins: Mapping[str, str]
    config_path: Path
    warnings: tuple[str, ...]


def default_config_path() -> Path:
    """Where the user's TOML file is looked for."""
    folder = user_folder("XDG_CONFIG_HOME", linux="~/.config/memctl", macos=_MACOS_FOLDER)
    return folder / "config.toml"


def describe_settings() -> Iterator[SettingInfo]:
    """Every setting in the order in which it stands above."""
    for section, infos in _described_sections():
        # Where folders lie depends on the environment, which tests change.
        defaults = section()
        for name, info in infos.items():
            yield info._replace(default=getattr(defaults, name))


@cache
def _described_sections() -> list[tuple[type, dict[str, SettingInfo]]]:
    """By section, its settings by their names, without their defaults; worked out once, because a
    server reads settings for every request."""
    sections = _type_hints(Settings)
    return [
        (sections[section.name], _described_settings(section.name, sections[section.name]))
        for section in fields(Settings)
    ]


def _described_settings(section_name: str, section: Any) -> dict[str, SettingInfo]:
    hints = _type_hints(section)
    infos = {}
    for entry in fields(section):
        key = f"{section_name}.{entry.name}"
        infos[entry.name] = SettingInfo(
            key=key,
            variable=STORE_VARIABLE if key == "store.path" else _variable(key),
            type_name=type_name(hints[entry.name]),
            default=None,
            description=entry.metadata["description"],
            minimum=entry.metadata["minimum"],
            maximum=entry.metadata["maximum"],
            choices=entry.metadata["choices"],
            type_hint=hints[entry.name],
        )
    return infos


@cache
def _type_hints(kind: type) -> dict[str, Any]:
    """The types of a class of settings; working them out is half the cost of reading settings."""
    return get_type_hints(kind)


def setting_info(key: str) -> SettingInfo:
    """The setting of that key. Raises InvalidSettingError, which names the one that was meant."""
    known = {info.key: info for info in describe_settings()}
    if key not in known:
        why = f"there is no such setting{advice(key, known, '; ')}"
        raise InvalidSettingError(key=key, why=why)
    return known[key]


def parse_setting(info: SettingInfo, text: str) -> object:
    """The value that a text stands for. Raises InvalidSettingError."""
    try:
        return _convert(text, info)
    except ValueError as error:
        raise InvalidSettingError(key=info.key, why=f"it {error}") from None


def chosen_config_path(environment: Mapping[str, str], config_path: Path | None = None) -> Path:
    """The configuration file of ``load_settings``, whether it exists or not."""
    return config_path or _path_from(environment.get(CONFIG_VARIABLE)) or default_config_path()


def load_settings(
    environment: Mapping[str, str],
    flags: Mapping[str, object],
    config_path: Path | None = None,
) -> LoadedSettings:
    """Resolves every setting.

    ``flags`` maps keys such as ``store.path`` to values given on the command line; None means not
    given. ``config_path`` (or MEMCTL_CONFIG) must exist; the default file need not. Raises
    ConfigurationError naming every problem, WrongVariableError where all are of variables.
    """
    problems: list[str] = []
    path = chosen_config_path(environment, config_path)
    is_chosen = config_path is not None or bool(environment.get(CONFIG_VARIABLE))
    from_file = _read_toml(path, required=is_chosen, problems=problems)
    values: dict[str, object] = {}
    origins: dict[str, str] = {}
    known = {info.key: info for info in describe_settings()}
    _reject_unknown(from_file, known, path, problems)
    wrong_variables: list[str] = []
    for key, info in known.items():
        raw, origin = _raw_value(info, environment, flags, from_file, path)
        origins[key] = origin
        if origin == "default":
            values[key] = info.default
            continue
        try:
            values[key] = _convert(raw, info)
        except ValueError as error:
            problems.append(f"{origin}: {key} {error}")
            if origin == info.variable:
                wrong_variables.append(origin)
    if problems:
        is_file_right = len(problems) == len(wrong_variables)
        kind = WrongVariableError if is_file_right else ConfigurationError
        raise kind(problems="; ".join(problems), variables=" and ".join(wrong_variables))
    if origins["ingest.drop_folder"] == "default":
        # Stores that shared one would take each other's files away.
        values["ingest.drop_folder"] = Path(str(values["store.path"])) / DROP_FOLDER_NAME
    warnings = tuple(_unknown_variables(environment, known))
    return LoadedSettings(_assemble(values), origins, path, warnings)


def _assemble(values: Mapping[str, object]) -> Settings:
    chosen: dict[str, dict[str, Any]] = {section.name: {} for section in fields(Settings)}
    for key, value in values.items():
        section_name, _, name = key.partition(".")
        chosen[section_name][name] = value
    hints = _type_hints(Settings)
    return Settings(**{name: hints[name](**given) for name, given in chosen.items()})


def _read_toml(path: Path, *, required: bool, problems: list[str]) -> dict[str, object]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        if required:
            problems.append(f"{path}: there is no such file")
        return {}
    except (OSError, UnicodeDecodeError) as error:
        problems.append(f"{path}: {error}")
        return {}
    # Most people have no such file, and the parser takes long to load.
    import tomllib

    try:
        return flatten(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        problems.append(f"{path}: {error}")
        return {}


def _reject_unknown(
    found: Mapping[str, object], known: Mapping[str, object], path: Path, problems: list[str]
) -> None:
    problems += [
        f"{path}: {key} is no setting{advice(key, known, ', ')}"
        for key in found
        if key not in known
    ]


def _unknown_variables(
    environment: Mapping[str, str], known: Mapping[str, SettingInfo]
) -> Iterator[str]:
    names = RESERVED_VARIABLES | {info.variable for info in known.values()}
    for name in sorted(environment):
        if name.startswith("MEMCTL_") and name not in names:
            yield f"the variable {name} is no setting and was ignored"


def _raw_value(
    info: SettingInfo,
    environment: Mapping[str, str],
    flags: Mapping[str, object],
    from_file: Mapping[str, object],
    path: Path,
) -> tuple[object, str]:
    if flags.get(info.key) is not None:
        return flags[info.key], "command line"
    if environment.get(info.variable):
        return environment[info.variable], info.variable
    if info.key in from_file:
        return from_file[info.key], str(path)
    return None, "default"


def _convert(raw: object, info: SettingInfo) -> object:
    """The value in the setting's type; ValueError says what is wrong with it.

    An empty text leaves a setting unset that may be.
    """
    if raw == "" and type(None) in get_args(info.type_hint):
        return None
    target = plain_type(info.type_hint)
    if target is Path:
        if not isinstance(raw, str | Path) or not str(raw):
            raise ValueError(f"is {raw!r} and must be a path")
        return Path(raw).expanduser()
    if target is str:
        if not isinstance(raw, str):
            raise ValueError(f"is {raw!r} and must be text")
        if info.choices and raw not in info.choices:
            raise ValueError(f"is {raw!r} and must be one of {', '.join(info.choices)}")
        return raw
    if target is bool:
        return _convert_truth(raw)
    return _convert_number(raw, target, info)


def _convert_truth(raw: object) -> bool:
    known = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
    value = raw if isinstance(raw, bool) else known.get(str(raw).lower())
    if value is None:
        raise ValueError(f"is {raw!r} and must be true or false")
    return value


def _convert_number(raw: object, target: type, info: SettingInfo) -> object:
    kind = "a whole number" if target is int else "a number"
    try:
        if isinstance(raw, bool) or not isinstance(raw, str | int | float):
            raise ValueError
        number = float(raw)
        value = int(number) if target is int else number
    except (ValueError, OverflowError):
        raise ValueError(f"is {raw!r} and must be {kind}") from None
    if value != number or math.isnan(number):
        raise ValueError(f"is {raw!r} and must be {kind}")
    if info.minimum is not None and value < info.minimum:
        raise ValueError(f"is {raw!r} and must be at least {info.minimum:g}")
    if info.maximum is not None and value > info.maximum:
        raise ValueError(f"is {raw!r} and must be at most {info.maximum:g}")
    return value


def _variable(key: str) -> str:
    return "MEMCTL_" + key.replace(".", "_").upper()


def _path_from(text: str | None) -> Path | None:
    return Path(text).expanduser() if text else None
