"""``memctl doctor``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated

from memctl.care import Care
from memctl.cli.declaration import Option
from memctl.cli.session import Session
from memctl.doctor.checkup import Report
from memctl.doctor.finding import Finding
from memctl.errors import ExitCode
from memctl.plural import plural


def doctor(
    session: Session,
    deep: Annotated[
        bool,
        Option(
            "--deep", help="Also make some vectors again, and try a memory's whole life elsewhere."
        ),
    ] = False,
    fix: Annotated[
        bool, Option("--fix", help="Repair what is safe to repair, then look again.")
    ] = False,
) -> None:
    """Look for what is wrong with the store, and say how to put it right.

    Looks at the database and its files, the search index, the model, documents, locks and disk
    space, and changes nothing unless --fix is given. The exit status is 1 when something needs
    doing.

    \b
    Examples:
      memctl doctor
      memctl doctor --deep --json
      memctl doctor --fix
    """
    care = Care(session.runtime)
    round_trip = care.round_trip if deep else None
    report = care.checkup.run(round_trip)
    fixed: Sequence[Finding] = []
    if fix and any(finding.repair is not None for finding in report.findings):
        fixed = care.repair(report.findings)
        report = care.checkup.run(round_trip)
        remaining = {(finding.check, finding.problem) for finding in report.findings}
        fixed = [one for one in fixed if (one.check, one.problem) not in remaining]
    session.exit_code = ExitCode.OK if report.is_healthy else ExitCode.FAILED
    if session.output.as_json:
        session.output.json(
            {
                "store": str(session.settings.store.path),
                "healthy": report.is_healthy,
                "checks": list(report.checks),
                "findings": [_finding_json(finding) for finding in report.findings],
                "fixed": [_finding_json(finding) for finding in fixed],
                "warnings": session.output.warnings,
            }
        )
        return
    _print_report(session, report, fixed)


def _finding_json(finding: Finding) -> dict[str, object]:
    document = asdict(finding)
    return {**document, "repair": finding.repair is not None, "examples": list(finding.examples)}


def _print_report(session: Session, report: Report, fixed: Sequence[Finding]) -> None:
    output = session.output
    for finding in fixed:
        output.line(f"fixed: {finding.problem}")
    for finding in report.findings:
        output.line(f"{finding.severity}: {finding.problem} [{finding.check}]")
        for example in finding.examples:
            output.line(f"  {example}")
        output.line(f"  -> {finding.fix}")
    counts = Counter(finding.severity.value for finding in report.findings)
    found = ", ".join(plural(number, name) for name, number in counts.items()) or "all is well"
    output.line(f"{plural(len(report.checks), 'check')}: {found}")
