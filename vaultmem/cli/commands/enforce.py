"""`vaultmem enforce`: the guardrails that memories name, tried out, listed and looked back on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultmem.cli.enforcement_lines import (
    audit_json,
    listed_json,
    say_audit,
    say_listed,
    say_trial,
    trial_json,
)
from vaultmem.cli.output import json_option, other_project_option, print_json
from vaultmem.cli.projects import read_of
from vaultmem.services.enforcing.audit import audit
from vaultmem.services.enforcing.listing import list_guardrails
from vaultmem.services.enforcing.trial import try_call
from vaultmem.services.sync import catch_up

if TYPE_CHECKING:
    from vaultmem.app import App


@click.group
def command() -> None:
    """Guardrails: what they are, would do, and did."""


@command.command("test")
@click.argument("line", metavar="[COMMAND]", required=False, default="")
@click.option("--tool", metavar="T", help="The tool; `bash`, or `write` where --file is given.")
@click.option("--file", "files", metavar="F", multiple=True, help="A file that changes.")
@click.option("--prompt", metavar="TEXT", default="", help="What the user would have asked.")
@other_project_option
@json_option
@click.pass_obj
def test_command(
    app: App,
    line: str,
    *,
    tool: str | None,
    files: tuple[str, ...],
    prompt: str,
    project: str | None,
    as_json: bool,
) -> None:
    """Say what the guardrails would do; nothing is run.

    COMMAND is a line of shell, in quotes. With --file or --tool another tool is tried.
    """
    if not (line or tool or files):
        raise click.UsageError("Give a COMMAND, --tool or --file.")
    call = app.call()
    catch_up(call)
    name = tool or ("write" if files else "bash")
    where = read_of(app, project) or app.project.id
    found = try_call(
        call, name, {"command": line}, cwd=app.cwd, project=where, prompt=prompt, changed=files
    )
    if as_json:
        print_json(trial_json(found))
    else:
        say_trial(found)


@command.command("list")
@other_project_option
@json_option
@click.pass_obj
def list_command(app: App, *, project: str | None, as_json: bool) -> None:
    """List the guardrails, and why some of them do nothing."""
    call = app.call()
    catch_up(call)
    found = list_guardrails(call, project=read_of(app, project) or app.project.id)
    if as_json:
        print_json({"guardrails": [listed_json(one) for one in found]})
    else:
        say_listed(found)


@command.command("audit")
@click.option(
    "--limit",
    metavar="N",
    type=click.IntRange(min=1, max=1_000),
    default=20,
    show_default=True,
    help="How many lines at most.",
)
@click.option("--session", metavar="ID", help="Only what happened in this session of the agent.")
@json_option
@click.pass_obj
def audit_command(app: App, *, limit: int, session: str | None, as_json: bool) -> None:
    """Tell what guardrails did on this machine, newest first."""
    call = app.call()
    catch_up(call)
    found = audit(call, limit=limit, session=session)
    if as_json:
        print_json({"audit": [audit_json(one) for one in found]})
    else:
        say_audit(found)
