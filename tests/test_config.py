"""Settings: where a value comes from and what is said about a wrong one."""

from pathlib import Path

import pytest

from memctl.config import BUNDLED_EMBEDDING_MODEL, describe_settings, load_settings
from memctl.errors import ConfigurationError


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_defaults_need_no_file():
    loaded = load_settings({}, {})
    assert loaded.settings.embedding.model == BUNDLED_EMBEDDING_MODEL
    assert loaded.settings.llm.model is None
    assert set(loaded.origins.values()) == {"default"}


def test_the_command_line_wins_over_a_variable_over_the_file(tmp_path):
    file = write(tmp_path / "c.toml", '[store]\npath = "/file"\n[llm]\nmodel = "file-model"\n')
    environment = {"MEMCTL_STORE": "/variable", "MEMCTL_LLM_TIMEOUT_SECONDS": "9"}
    loaded = load_settings(environment, {"store.path": Path("/flag")}, file)
    assert loaded.settings.store.path == Path("/flag")
    assert loaded.settings.llm.model == "file-model"
    assert loaded.settings.llm.timeout_seconds == 9.0
    assert loaded.origins["store.path"] == "command line"
    assert loaded.origins["llm.timeout_seconds"] == "MEMCTL_LLM_TIMEOUT_SECONDS"
    assert loaded.origins["llm.model"] == str(file)
    assert load_settings(environment, {}, file).settings.store.path == Path("/variable")
    assert load_settings({}, {}, file).settings.store.path == Path("/file")


def test_every_problem_is_named_at_once_with_its_place(tmp_path):
    file = write(
        tmp_path / "c.toml",
        '[llm]\nmodle = "x"\ntemperature = 9\n[recall]\nlimit = "many"\n[store]\npath = 3\n',
    )
    with pytest.raises(ConfigurationError) as caught:
        load_settings({"MEMCTL_EMBEDDING_THREADS": "0.5"}, {}, file)
    message = str(caught.value)
    assert "llm.modle is no setting, perhaps you mean llm.model" in message
    assert "llm.temperature is 9 and must be at most 2" in message
    assert "recall.limit is 'many' and must be a whole number" in message
    assert "store.path is 3 and must be a path" in message
    assert "MEMCTL_EMBEDDING_THREADS: embedding.threads is '0.5'" in message


@pytest.mark.parametrize("text", ["[llm", "llm = 3\n", "\0"])
def test_a_file_that_is_no_configuration_is_an_error_that_names_it(tmp_path, text):
    file = write(tmp_path / "c.toml", text)
    with pytest.raises(ConfigurationError, match=r"c\.toml"):
        load_settings({}, {}, file)


def test_a_named_file_must_exist_and_the_default_one_need_not(tmp_path):
    with pytest.raises(ConfigurationError, match="no such file"):
        load_settings({"MEMCTL_CONFIG": str(tmp_path / "missing.toml")}, {})


def test_no_file_of_the_current_folder_is_read(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("config.toml", "memctl.toml", ".memctl.toml"):
        write(tmp_path / name, '[llm]\nmodel = "evil"\n')
    assert load_settings({}, {}).settings.llm.model is None


def test_an_unknown_variable_is_a_warning():
    loaded = load_settings({"MEMCTL_LIMITS": "3"}, {})
    assert loaded.warnings == ("the variable MEMCTL_LIMITS is no setting and was ignored",)


def test_every_setting_can_be_given_by_its_variable_as_its_default_is_printed():
    for info in describe_settings():
        if info.default is None:
            continue
        loaded = load_settings({info.variable: str(info.default)}, {})
        section, name = info.key.split(".")
        assert getattr(getattr(loaded.settings, section), name) == info.default
        assert loaded.origins[info.key] == info.variable


def test_every_setting_is_described():
    for info in describe_settings():
        assert info.description.endswith(".")
        assert info.type_name
