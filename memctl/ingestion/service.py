"""The text of a service that keeps a watching process running: systemd's, or launchd's on macOS.

Pure: nothing is written here. Keys never stand in the text; the provider's variables come from a
file that the user alone can read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

from memctl.crontab import crontab_line
from memctl.systemd_unit import environment_lines, exec_start

SERVICE_NAME = "memctl-ingest"
LAUNCHD_LABEL = "org.memctl.ingest"

START_LIMIT_SECONDS = 10
"""Pause before a process that failed is started again."""

STOP_LIMIT_SECONDS = 15
"""How long the system waits for the process to end by itself; it needs 5 at the most."""


@dataclass(frozen=True, slots=True)
class Service:
    """A service file, and the commands that start it and show what it says."""

    path: Path
    text: str
    start_commands: tuple[str, ...]
    log_command: str
    crontab_line: str | None = None
    """What starts the process with the machine where no systemd answers, if cron can."""


def systemd_service(
    command: Sequence[str], environment: Mapping[str, str], *, config_home: Path
) -> Service:
    """A user unit that runs ``command`` with these variables."""
    key_file = config_home / "memctl" / "environment"
    lines = [
        "[Unit]",
        "Description=memctl takes in files that appear in watched folders",
        "Documentation=man:memctl-ingest(1)",
        "",
        "[Service]",
        "Type=exec",
        exec_start(command),
        "ExecReload=/bin/kill -HUP $MAINPID",
        *environment_lines(environment),
        "# Keys of a language model's provider, as NAME=VALUE lines, in a file of mode 0600:",
        f"EnvironmentFile=-{str(key_file).replace('%', '%%')}",
        "Restart=on-failure",
        f"RestartSec={START_LIMIT_SECONDS}",
        "# A second process for one store, or a wrong configuration, gets no better by waiting.",
        "RestartPreventExitStatus=2 3 75",
        "SuccessExitStatus=143 130",
        f"TimeoutStopSec={STOP_LIMIT_SECONDS}",
        "UMask=0077",
        "Nice=10",
        "",
        "[Install]",
        "WantedBy=default.target",
        "",
    ]
    unit = f"{SERVICE_NAME}.service"
    return Service(
        config_home / "systemd" / "user" / unit,
        "\n".join(lines),
        ("systemctl --user daemon-reload", f"systemctl --user enable --now {unit}"),
        f"journalctl --user -u {unit} -f",
        crontab_line("@reboot", command, environment),
    )


def launchd_service(
    command: Sequence[str], environment: Mapping[str, str], *, home: Path
) -> Service:
    """A launch agent that runs ``command`` with these variables."""
    log = home / "Library" / "Logs" / f"{SERVICE_NAME}.log"
    path = home / "Library" / "LaunchAgents" / f"{LAUNCHD_LABEL}.plist"
    arguments = "\n".join(f"    <string>{escape(word)}</string>" for word in command)
    variables = "\n".join(
        f"    <key>{escape(name)}</key><string>{escape(value)}</string>"
        for name, value in environment.items()
    )
    text = f"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key><string>{LAUNCHD_LABEL}</string>
  <key>ProgramArguments</key>
  <array>
{arguments}
  </array>
  <key>EnvironmentVariables</key>
  <dict>
{variables}
  </dict>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
  <key>ThrottleInterval</key><integer>{START_LIMIT_SECONDS}</integer>
  <key>ExitTimeOut</key><integer>{STOP_LIMIT_SECONDS}</integer>
  <key>Umask</key><integer>63</integer>
  <key>ProcessType</key><string>Background</string>
  <key>StandardErrorPath</key><string>{escape(str(log))}</string>
</dict>
</plist>
"""
    return Service(path, text, (f"launchctl bootstrap gui/$(id -u) {path}",), f"tail -f {log}")
