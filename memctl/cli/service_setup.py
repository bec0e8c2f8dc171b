"""What the system runs later: with which store, configuration and variables, and the service of
`memctl ingest --install-service`.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from memctl.cli.session import Session
from memctl.config import RESERVED_VARIABLES, describe_settings
from memctl.errors import WriteError
from memctl.ingestion.service import Service, launchd_service, systemd_service

SERVICE_FILE_MODE = 0o644

SYSTEMD_TIMEOUT_SECONDS = 5.0
"""A systemd that takes longer to say that it is there is none to which anything can be left."""


def service_of(session: Session, folders: Sequence[Path], options: Sequence[str]) -> Service:
    """The service of this system that watches these folders with this store and configuration."""
    command = [sys.executable, "-m", "memctl", *store_and_configuration(session)]
    command += ["ingest", "--watch", *options, *(str(folder.absolute()) for folder in folders)]
    variables = setting_variables(session)
    home = Path(session.streams.environment.get("HOME", "~")).expanduser()
    if sys.platform == "darwin":
        return launchd_service(command, variables, home=home)
    configured = session.streams.environment.get("XDG_CONFIG_HOME")
    config_home = Path(configured) if configured else home / ".config"
    return systemd_service(command, variables, config_home=config_home)


def store_and_configuration(session: Session) -> list[str]:
    """The options that name this store and this configuration to a command that is run later."""
    named = ["--store", str(session.settings.store.path.absolute())]
    if session.loaded_settings.config_path.exists():
        named += ["--config", str(session.loaded_settings.config_path.absolute())]
    return named


def setting_variables(session: Session) -> dict[str, str]:
    """The variables that hold settings now, which a command that is run later must have too,
    besides the store, which is named."""
    environment = session.streams.environment
    names = sorted({info.variable for info in describe_settings()} - RESERVED_VARIABLES)
    return {name: environment[name] for name in names if environment.get(name)}


def has_user_systemd(environment: Mapping[str, str]) -> bool:
    """Whether a systemd of this user answers; the command alone may be there, as in containers."""
    systemctl = shutil.which("systemctl", path=environment.get("PATH"))
    if systemctl is None:
        return False
    try:
        answer = subprocess.run(
            [systemctl, "--user", "show-environment"],
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SYSTEMD_TIMEOUT_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return answer.returncode == 0


def install_service(session: Session, service: Service, *, print_only: bool) -> None:
    """Writes the file and says how to start the service, or only shows it; where nothing would run
    it, gives a line for cron instead. Raises WriteError."""
    crontab = service.crontab_line
    if has_user_systemd(session.streams.environment):
        crontab = None
    is_written = crontab is None and not print_only
    if is_written:
        _write(service)
    if session.output.as_json:
        session.output.json(
            {
                "path": str(service.path),
                "text": service.text,
                "written": is_written,
                "start": [] if crontab is not None else list(service.start_commands),
                "crontab": crontab,
            }
        )
    elif crontab is not None:
        session.output.notice(
            "no systemd of yours answers here; add this line with `crontab -e`, and it runs from "
            "the next start of the machine on"
        )
        session.output.line(crontab)
    elif print_only:
        session.output.line(f"# {service.path}")
        session.output.line(service.text.rstrip("\n"))
        session.output.notice("nothing has been written")
    else:
        session.output.line(f"wrote {service.path}")
        session.output.line("Start it, now and at every login:")
        for command in service.start_commands:
            session.output.line(f"  {command}")
        session.output.line(f"See what it says:\n  {service.log_command}")


def _write(service: Service) -> None:
    try:
        service.path.parent.mkdir(parents=True, exist_ok=True)
        service.path.write_text(service.text, encoding="utf-8")
        service.path.chmod(SERVICE_FILE_MODE)
    except OSError as error:
        raise WriteError(
            path=str(service.path), why=(error.strerror or str(error)).lower()
        ) from error
