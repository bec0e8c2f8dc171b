"""Words of other tools lead to commands and options that there are."""

from __future__ import annotations

import pytest

from memctl.cli.command_tree import command_entry
from memctl.cli.root_help import COMMANDS
from memctl.cli.synonyms import COMMAND_SYNONYMS, OPTION_SYNONYMS


@pytest.mark.parametrize("word", COMMAND_SYNONYMS)
def test_a_synonym_is_no_command_and_means_one(word):
    assert word not in COMMANDS
    assert COMMAND_SYNONYMS[word].split()[0] in COMMANDS


@pytest.mark.parametrize("command", OPTION_SYNONYMS)
def test_an_option_is_called_what_the_command_has_not_and_means_what_it_has(command):
    names = {name for option in command_entry(command).options for name in option.names}
    assert not names & set(OPTION_SYNONYMS[command])
    assert set(OPTION_SYNONYMS[command].values()) <= names
