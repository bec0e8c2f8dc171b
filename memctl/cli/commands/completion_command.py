"""``memctl completion``."""

from __future__ import annotations

from typing import Annotated

from memctl.cli.completion_scripts import SCRIPTS
from memctl.cli.declaration import Argument
from memctl.cli.session import Session
from memctl.errors import UsageError


def completion(
    session: Session,
    shell: Annotated[str, Argument(metavar="SHELL", help="bash, zsh or fish.")],
) -> None:
    """Print what lets a shell complete memctl's command lines.

    Commands, options, types, and the store's own ids, tags and channels are completed.

    A shell looks for the file in a folder that a new home may lack; zsh looks where $fpath says,
    before compinit is run.

    \b
    Examples:
      eval "$(memctl completion bash)"
      mkdir -p ~/.local/share/bash-completion/completions
      memctl completion bash > ~/.local/share/bash-completion/completions/memctl
      mkdir -p ~/.zfunc
      memctl completion zsh > ~/.zfunc/_memctl
      fpath+=(~/.zfunc)
      mkdir -p ~/.config/fish/completions
      memctl completion fish > ~/.config/fish/completions/memctl.fish
    """
    script = SCRIPTS.get(shell)
    if script is None:
        raise UsageError(what=f"complete in {shell!r}", why=f"the shells are {', '.join(SCRIPTS)}")
    if session.output.as_json:
        session.output.json({"shell": shell, "script": script})
    else:
        session.output.line(script.removesuffix("\n"))
