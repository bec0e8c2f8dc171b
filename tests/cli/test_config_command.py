"""memctl config: reading, changing and editing the configuration file."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from memctl.config import describe_settings


@pytest.fixture
def config_path(isolated_environment: Path) -> Path:
    return isolated_environment / ".config" / "memctl" / "config.toml"


def editor(tmp_path: Path, code: str) -> dict[str, str]:
    """An editor that does to the draft's text what ``code`` says."""
    script = tmp_path / "editor.py"
    script.write_text(
        "import pathlib, sys\n"
        "path = pathlib.Path(sys.argv[1])\n"
        "text = path.read_text()\n"
        f"{code}\n"
        "path.write_text(text)\n"
    )
    return {"EDITOR": f"{sys.executable} '{script}'"}


def test_init_writes_a_private_file_once(call_memctl, config_path):
    assert call_memctl("config", "init").stdout.strip() == str(config_path)
    assert config_path.stat().st_mode & 0o777 == 0o600
    config_path.write_text("# mine\n")
    assert "--force replaces all of it" in call_memctl("config", "init", status=1).stderr
    assert config_path.read_text() == "# mine\n"
    call_memctl("config", "init", "--force")
    assert "[recall]" in config_path.read_text()


def test_init_can_keep_the_settings_of_a_file(call_memctl, config_path):
    """Below their descriptions; a file that is no TOML stays."""
    call_memctl("config", "set", "recall.limit", "5")
    call_memctl("config", "set", "llm.model", "ollama_chat/llama3.2")
    assert "--keep keeps its settings" in call_memctl("config", "init", status=1).stderr
    call_memctl("config", "init", "--keep", "--force", status=2)
    call_memctl("config", "init", "--keep")
    text = config_path.read_text()
    assert "# limit = 10\nlimit = 5\n" in text
    assert 'model = "ollama_chat/llama3.2"\n' in text
    assert call_memctl("config", "get", "recall.limit").stdout == "5\n"
    config_path.write_text("[recall\n")
    call_memctl("config", "init", "--keep", status=3)
    assert config_path.read_text() == "[recall\n"


def test_unset_leaves_no_empty_section_behind(call_memctl, config_path):
    """One that holds something else stays, a comment too."""
    for key, value in (("llm.model", "a"), ("recall.limit", "5"), ("daemon.autostart", "true")):
        call_memctl("config", "set", key, value)
    call_memctl("config", "unset", "recall.limit")
    assert config_path.read_text() == '[llm]\nmodel = "a"\n\n[daemon]\nautostart = true\n'
    call_memctl("config", "unset", "daemon.autostart")
    assert config_path.read_text() == '[llm]\nmodel = "a"\n'
    config_path.write_text('[llm]\n# mine\nmodel = "a"\n')
    call_memctl("config", "unset", "llm.model")
    assert config_path.read_text() == "[llm]\n# mine\n"


def test_a_setting_is_set_read_and_unset(call_memctl, config_path):
    assert call_memctl("config", "get", "recall.limit").stdout == "10\n"
    call_memctl("config", "set", "recall.limit", "5")
    assert call_memctl("config", "get", "recall.limit", "--json").json == {
        "schema_version": 1,
        "key": "recall.limit",
        "value": 5,
        "origin": str(config_path),
        "variable": "MEMCTL_RECALL_LIMIT",
        "description": "Hits shown when --limit is not given.",
    }
    changed = call_memctl("config", "unset", "recall.limit", "--json").json
    assert (changed["changed"], changed["value"]) == (True, None)
    assert call_memctl("config", "get", "recall.limit").stdout == "10\n"
    assert call_memctl("config", "get", "llm.model").stdout == ""


def test_truth_values_are_shown_as_the_file_has_them(call_memctl):
    """What `get` prints, `set` takes, and TOML does too."""
    call_memctl("config", "set", "daemon.autostart", "true")
    assert call_memctl("config", "get", "daemon.autostart").stdout == "true\n"
    shown = call_memctl("config", "show").stdout.splitlines()
    [line] = [line for line in shown if line.startswith("daemon.autostart\t")]
    assert line.split("\t")[1] == "true"


def test_what_a_variable_hides_is_said(call_memctl):
    result = call_memctl(
        "config", "set", "recall.limit", "5", environment={"MEMCTL_RECALL_LIMIT": "7"}
    )
    assert "MEMCTL_RECALL_LIMIT is set to '7' and goes before the file" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "status", "why"),
    [
        (["set", "recall.limit", "0"], 3, "must be at least 1"),
        (["set", "recall.limitt", "5"], 3, "perhaps you mean recall.limit"),
        (["set", "recall.fusion", "x"], 3, "must be one of relative, rrf"),
        (["get", "nonsense"], 3, "there is no such setting"),
        (["set", "recall.limit"], 2, "write `memctl config set KEY VALUE`"),
        (["show", "recall.limit"], 2, "write `memctl config show`"),
        (["frob"], 2, "the actions are"),
    ],
)
def test_what_makes_no_sense_is_refused_and_changes_nothing(
    call_memctl, config_path, arguments, status, why
):
    assert why in call_memctl("config", *arguments, status=status).stderr
    assert not config_path.exists()


def test_show_has_every_setting_with_its_origin(call_memctl, config_path):
    call_memctl("config", "set", "llm.model", "ollama_chat/llama3.2")
    document = call_memctl(
        "config", "show", "--json", environment={"MEMCTL_RECALL_LIMIT": "7"}
    ).json
    assert list(document["settings"]) == [info.key for info in describe_settings()]
    origins = {key: entry["origin"] for key, entry in document["settings"].items()}
    assert origins["llm.model"] == str(config_path)
    assert origins["recall.limit"] == "MEMCTL_RECALL_LIMIT"
    assert origins["ingest.chunk_tokens"] == "default"


def test_every_problem_is_named_at_once_with_file_and_key(call_memctl, config_path):
    config_path.parent.mkdir(parents=True)
    config_path.write_text("[recall]\nlimit = 0\nlimitt = 1\n[llm]\ntemperature = 'warm'\n")
    error = call_memctl("list", status=3).stderr
    for problem in (
        "recall.limit is 0",
        "recall.limitt is no setting",
        "llm.temperature is 'warm'",
    ):
        assert f"{config_path}: {problem}" in error
    assert "memctl config edit" in error
    assert call_memctl("config", "path").stdout.strip() == str(config_path)


def test_a_wrong_variable_is_named_as_what_is_to_change(call_memctl):
    """Where only variables are wrong, the advice names them and not the file, which is right."""
    environment = {"MEMCTL_RECALL_LIMIT": "banana", "MEMCTL_LLM_TEMPERATURE": "warm"}
    error = call_memctl("list", status=3, environment=environment).stderr
    named = "MEMCTL_LLM_TEMPERATURE and MEMCTL_RECALL_LIMIT"
    assert f"Change or unset {named}; `memctl man settings` explains" in error
    assert "config edit" not in error


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("recall.limitt", "[recall]\nlimit = 3\nlimitt = 1\n"),
        ("limit", "limit = 1\n[recall]\nlimit = 3\n"),
    ],
)
def test_unset_takes_an_unknown_key_out_of_the_file(call_memctl, config_path, key, text):
    """A key that is no setting stops every command, and `config unset` ends that."""
    config_path.parent.mkdir(parents=True)
    config_path.write_text(text)
    assert f"{key} is no setting" in call_memctl("list", status=3).stderr
    assert call_memctl("config", "unset", key, "--json").json["changed"]
    assert config_path.read_text() == "[recall]\nlimit = 3\n"
    assert call_memctl("config", "get", "recall.limit").stdout == "3\n"
    assert "there is no such setting" in call_memctl("config", "unset", key, status=3).stderr


def test_an_edit_that_leaves_a_wrong_file_wrong_says_so(call_memctl, config_path):
    """An editor that changes nothing in a wrong file ends as every command does with that file."""
    config_path.parent.mkdir(parents=True)
    config_path.write_text("[recall]\nlimit = 0\n")
    result = call_memctl("config", "edit", environment={"EDITOR": "true"}, status=3)
    assert "nothing was changed" in result.stderr
    assert f"{config_path}: recall.limit is 0" in result.stderr


def test_a_right_edit_is_taken_over(call_memctl, config_path, tmp_path):
    environment = editor(tmp_path, "text = text.replace('# limit = 10', 'limit = 3')")
    call_memctl("config", "edit", environment=environment)
    assert call_memctl("config", "get", "recall.limit").stdout == "3\n"
    assert "nothing was changed" in call_memctl("config", "edit", environment=environment).stderr


def test_a_wrong_edit_changes_nothing_and_is_kept(call_memctl, config_path, tmp_path):
    environment = editor(tmp_path, "text += '[recall]\\nlimit = 0\\n'") | {"TMPDIR": str(tmp_path)}
    call_memctl("config", "set", "llm.model", "a")
    before = config_path.read_text()
    result = call_memctl("config", "edit", environment=environment, status=1)
    assert "recall.limit is 0 and must be at least 1" in result.stderr
    draft = Path(result.stderr.rsplit("kept in ", 1)[1].strip())
    assert "limit = 0" in draft.read_text()
    draft.unlink()
    assert config_path.read_text() == before


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("false", "ended with status 1"),
        ("/nonexistent/editor", "cannot be started"),
        ("'unclosed", "No closing quotation"),
    ],
)
def test_an_editor_that_fails_is_an_error(call_memctl, config_path, command, why):
    result = call_memctl("config", "edit", environment={"EDITOR": command}, status=1)
    assert why in result.stderr
    assert not config_path.exists()


def test_a_link_to_the_file_stays_a_link(call_memctl, config_path, tmp_path):
    real = tmp_path / "dotfiles.toml"
    real.write_text("[recall]\nlimit = 4\n")
    config_path.parent.mkdir(parents=True)
    config_path.symlink_to(real)
    call_memctl("config", "set", "recall.limit", "6")
    assert config_path.is_symlink()
    assert real.read_text() == "[recall]\nlimit = 6\n"


def test_every_line_of_the_commented_file_may_be_uncommented(call_memctl, config_path):
    call_memctl("config", "init")
    text = re.sub(r"^# (\w+ = )", r"\1", config_path.read_text(), flags=re.MULTILINE)
    config_path.write_text(text)
    document = call_memctl("config", "show", "--json", environment={"MEMCTL_STORE": None}).json
    settings = document["settings"]
    for info in describe_settings():
        shown = settings[info.key]
        default = str(info.default) if isinstance(info.default, Path) else info.default
        assert (shown["value"], shown["origin"]) == (default, str(config_path))
