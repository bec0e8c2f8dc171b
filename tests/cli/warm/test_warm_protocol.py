"""Client and server reckon alike where they meet, and never take half a line for a whole one."""

from __future__ import annotations

from pathlib import Path

import pytest

from memctl.cli.warm.protocol import (
    option_value,
    read_line,
    server_socket,
    socket_path,
    write_line,
)

HOME = {"HOME": "/home/ada", "XDG_RUNTIME_DIR": "/run/user/7"}


def test_one_store_has_one_socket_however_it_is_named() -> None:
    by_option = socket_path(HOME, "/data/notes", None)
    by_variable = socket_path({**HOME, "MEMCTL_STORE": "/data/notes"}, None, None)
    assert by_option == by_variable
    assert Path(by_option).parent == Path("/run/user/7/memctl")


@pytest.mark.parametrize(
    "other",
    [
        {"MEMCTL_STORE": "/data/other"},
        {"HOME": "/home/bo"},
        {"XDG_CONFIG_HOME": "/etc/ada"},
        {"MEMCTL_CONFIG": "/etc/memctl.toml"},
    ],
)
def test_what_may_mean_another_store_has_another_socket(other: dict[str, str]) -> None:
    assert socket_path({**HOME, **other}, None, None) != socket_path(HOME, None, None)


def test_without_a_runtime_folder_the_user_has_one_of_their_own() -> None:
    assert Path(socket_path({"TMPDIR": "/tmp"}, None, None)).parent.name.startswith("memctl-")


@pytest.mark.parametrize(
    ("variable", "relative", "absolute"),
    [
        ("MEMCTL_CONFIG", "memctl.toml", "/etc/memctl.toml"),
        ("MEMCTL_STORE", "~/notes", "/data/notes"),
        ("MEMCTL_STORE_DATABASE_URL", "sqlite:///memory.db", "sqlite:////data/memory.db"),
        ("MEMCTL_STORE_INDEX_URI", "./index", "s3://bucket/index"),
        ("MEMCTL_EMBEDDING_CACHE_FOLDER", "models", "/models"),
    ],
)
def test_no_server_is_asked_where_a_variable_means_a_file_of_the_working_folder(
    tmp_path: Path, variable: str, relative: str, absolute: str
) -> None:
    """A server may have been started in another one."""
    asked = {}
    for place in (relative, absolute):
        environment = {"XDG_RUNTIME_DIR": str(tmp_path), variable: place}
        path = Path(socket_path(environment, None, None))
        path.parent.mkdir(exist_ok=True)
        path.touch()
        asked[place] = server_socket(["list"], environment)
    assert asked == {relative: None, absolute: str(path)}


def test_a_relative_temporary_folder_is_no_place_to_meet() -> None:
    assert socket_path({"TMPDIR": "tmp"}, None, None) == socket_path({}, None, None)


@pytest.mark.parametrize(
    ("words", "value"),
    [
        (["list", "--store", "/a"], "/a"),
        (["--store=/a", "list", "--store", "/b"], "/b"),
        (["save", "--", "--store", "/a"], None),
        (["list", "--store"], None),
        (["list", "--stores", "/a"], None),
    ],
)
def test_the_last_value_of_an_option_counts(words: list[str], value: str | None) -> None:
    assert option_value(words, "--store") == value


def test_any_text_survives_a_line() -> None:
    value = {"text": 'zwei\nZeilen "\x1b[31m" 四百 \ud800'}
    line = write_line(value)
    assert line.count(b"\n") == 1
    assert read_line(line) == value


@pytest.mark.parametrize(
    "line", [b"", b'{"parts": [', b'{"a": 1}', b"[]\n", b"no\n", b"\xff\n", b"[" * 100_000 + b"\n"]
)
def test_a_line_that_is_cut_off_or_none_is_refused(line: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - json's own is one
        read_line(line)
