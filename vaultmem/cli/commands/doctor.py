"""`vaultmem doctor`: what is wrong, and what to do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultmem.cli.opening import open_or_adopt
from vaultmem.cli.output import count, finding_json, json_option, print_json, say, say_findings
from vaultmem.core.finding import finding
from vaultmem.errors import VaultError
from vaultmem.services.doctor import Diagnosis, diagnose, doctor

if TYPE_CHECKING:
    from vaultmem.app import App


@click.command
@click.option("--fix", is_flag=True, help="Give copied notes an id of their own.")
@json_option
@click.pass_obj
def command(app: App, *, fix: bool, as_json: bool) -> int:
    """Examine the set-up and every note.

    The exit code is 1 if anything is an error or a warning.
    """
    found = _examine(app, fix=fix)
    if as_json:
        print_json(
            {
                "ok": found.ok,
                "findings": [finding_json(one) for one in found.findings],
                "fixed": list(found.fixed),
            }
        )
    else:
        for line in found.fixed:
            say(f"fixed: {line}")
        say_findings(found.findings)
        say("Nothing is wrong." if found.ok else f"{count(len(found.findings), 'finding')}.")
    return 0 if found.ok else 1


def _examine(app: App, *, fix: bool) -> Diagnosis:
    set_up = list(app.config.findings)
    try:
        set_up += app.found.findings
        if fix:
            open_or_adopt(app)
        return doctor(app.call(), set_up=set_up, crash_log=app.home.crash_log, fix=fix)
    except VaultError as error:
        problem, _, remedy = str(error).partition(". ")
        return diagnose([*set_up, finding("VM221", f"{problem.rstrip('.')}.", remedy=remedy)])
