"""`vaultmem doctor`: what is wrong, and what to do about it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import click

from vaultmem.cli.apart import goes_with
from vaultmem.cli.opening import open_or_adopt
from vaultmem.cli.output import count, finding_json, json_option, print_json, say, say_findings
from vaultmem.core.finding import finding
from vaultmem.errors import ConfigError, VaultError
from vaultmem.services.doctor import Diagnosis, diagnose, doctor
from vaultmem.services.machine_leftovers import clear_machine
from vaultmem.services.notebook.failures import check_work
from vaultmem.services.pi_package import package_findings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultmem.app import App
    from vaultmem.core.finding import Finding

SHOWN = 5
"""Findings of one code that `--diagnostics` prints; from the governed memory. JSON has them all."""


@click.command
@click.option("--fix", is_flag=True, help="Mend what needs no decision of yours.")
@click.option("--diagnostics", is_flag=True, help="Compare everything with everything.")
@click.option("--save", is_flag=True, help="Write what the diagnostics found into a note.")
@json_option
@click.pass_obj
def command(app: App, *, fix: bool, diagnostics: bool, save: bool, as_json: bool) -> int:
    """Examine the set-up and every note.

    --fix gives copied notes ids of their own; with --diagnostics it also reads again what this
    machine recorded wrongly. --diagnostics takes a second per thousand notes or so and also looks
    for secrets, broken evidence, contradictions, near duplicates and drift.

    The exit code is 1 if anything is an error or a warning.
    """
    goes_with("--diagnostics", "--save")
    found, saved = _examine(app, fix=fix, deep=diagnostics, save=save)
    if as_json:
        print_json(
            {
                "ok": found.ok,
                "findings": [finding_json(one) for one in found.findings],
                "fixed": list(found.fixed),
                "saved": saved,
            }
        )
        return 0 if found.ok else 1
    for line in found.fixed:
        say(f"fixed: {line}")
    _say(found.findings, at_most=SHOWN if diagnostics else None)
    if saved is not None:
        say(f"Saved as {saved}.")
    number = len(found.findings)
    if found.ok:
        say(f"Nothing is wrong; {count(number, 'remark')}." if number else "Nothing is wrong.")
    else:
        say(f"{count(number, 'finding')}.")
    return 0 if found.ok else 1


def _examine(app: App, *, fix: bool, deep: bool, save: bool) -> tuple[Diagnosis, str | None]:
    left = clear_machine(app.home, app.now)
    set_up = [*left, *app.config.findings, *package_findings(app.home)]
    try:
        set_up += app.found.findings
        if fix:
            open_or_adopt(app)
        call = app.call()
        set_up += app.knowledge_findings
        set_up += check_work(call, app.notebook, app.config.config.notebook_settings)
        found = doctor(
            call,
            set_up=set_up,
            crash_log=app.home.crash_log,
            fix=fix,
            deep=app.engine if deep else None,
            knowledge=app.knowledge_vaults,
        )
    except VaultError as error:
        if isinstance(error, ConfigError) and app.config.unread is not None:
            return diagnose(set_up), None  # it is told already
        problem, _, remedy = str(error).partition(". ")
        told = finding("VM221", f"{problem.rstrip('.')}.", remedy=remedy)
        return diagnose([*set_up, told]), None
    if not save:
        return found, None
    from vaultmem.services.diagnosing.saved import save as save_report

    return found, save_report(call, found)


def _say(findings: Iterable[Finding], *, at_most: int | None) -> None:
    """Print the findings, of each code so many; None for all."""
    told: Counter[str] = Counter()
    left: Counter[str] = Counter()
    shown: list[Finding] = []
    for one in findings:
        told[one.code] += 1
        if at_most is None or told[one.code] <= at_most:
            shown.append(one)
        else:
            left[one.code] += 1
    say_findings(shown)
    for code, number in left.items():
        say(f"… and {number} more {code}; `--json` has them all.")
