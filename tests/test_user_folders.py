"""The folders of a person are where the system and the XDG variables have them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from memctl.user_folders import user_folder

LINUX, MACOS = "~/.config/memctl", "~/Library/Application Support/memctl"


@pytest.mark.parametrize(("platform", "place"), [("linux", LINUX), ("darwin", MACOS)])
@pytest.mark.parametrize("value", [None, "", "relative/folder"])
def test_the_usual_folder_of_the_system_is_taken(monkeypatch, tmp_path, platform, place, value):
    """A variable that is unset, empty or no absolute path says nothing."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(sys, "platform", platform)
    if value is None:
        monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    else:
        monkeypatch.setenv("XDG_CONFIG_HOME", value)
    found = user_folder("XDG_CONFIG_HOME", linux=LINUX, macos=MACOS)
    assert found == tmp_path / place.removeprefix("~/")


@pytest.mark.parametrize("platform", ["linux", "darwin"])
def test_an_xdg_variable_comes_first_on_every_system(monkeypatch, tmp_path, platform):
    """It names the folder in which memctl has its own."""
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    found = user_folder("XDG_CONFIG_HOME", linux=LINUX, macos=MACOS)
    assert found == Path(tmp_path, "memctl")
