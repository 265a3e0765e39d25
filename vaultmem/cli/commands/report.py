"""`vaultmem report`: the situation report, as an agent would get it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultmem.cli.output import count, finding_json, json_option, print_json, say, say_findings
from vaultmem.services.report import report

if TYPE_CHECKING:
    from vaultmem.app import App


@click.command
@click.option(
    "--prompt",
    default="",
    metavar="TEXT",
    help="What the user asks; decides which categories come first.",
)
@click.option(
    "--budget",
    metavar="N",
    type=click.IntRange(min=0),
    help="Tokens at most; without it the vault's setting holds.",
)
@click.option(
    "--project", metavar="P", help="Another project than that of the working folder, by identity."
)
@click.option("--session", default="", metavar="ID", help="The agent's session that is told this.")
@json_option
@click.pass_obj
def command(
    app: App, *, prompt: str, budget: int | None, project: str | None, session: str, as_json: bool
) -> None:
    """Print what an agent is told before it thinks.

    The report holds the memories of the project of the working folder and those that hold
    everywhere, by their score, within the budget.
    """
    call = app.call()
    where = app.project.id if project is None else project
    made = report(call, project=where, prompt=prompt, budget=budget, session=session)
    if as_json:
        print_json(
            {
                "text": made.text,
                "tokens": made.tokens,
                "budget": made.budget,
                "query_class": made.query_class.value,
                "mode": made.mode,
                "sections": [{"name": one.name, "ids": list(one.ids)} for one in made.sections],
                "excluded": [{"id": one.id, "reason": one.reason} for one in made.excluded],
                "findings": [finding_json(one) for one in made.findings],
            }
        )
        return
    if made.text:
        say(made.text)
    elif made.findings:
        say_findings(made.findings)
    elif any(one.reason == "no_room" for one in made.excluded):
        say(f"Nothing fits into {count(made.budget, 'token')}. Give a larger --budget.")
    elif made.excluded:
        say("No memory is in force here. `vaultmem report --json` says of each why it is not.")
    else:
        say("There is nothing to tell yet. Add a memory with `vaultmem add`.")
