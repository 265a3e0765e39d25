"""`vaultmem report`: the situation report, as an agent would get it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultmem.cli.output import json_option, print_json, say
from vaultmem.services.report import report

if TYPE_CHECKING:
    from vaultmem.app import App


@click.command
@click.option("--prompt", default="", help="What the user asks; sets the query class.")
@click.option("--budget", type=click.IntRange(min=0), help="Tokens; default: the vault's setting.")
@click.option("--project", help="A project's identity; default: that of the working folder.")
@json_option
@click.pass_obj
def command(
    app: App, *, prompt: str, budget: int | None, project: str | None, as_json: bool
) -> None:
    """Print what an agent would be told about this project before it thinks."""
    call = app.call()
    where = app.project.id if project is None else project
    made = report(call, project=where, prompt=prompt, budget=budget)
    if as_json:
        print_json(
            {
                "text": made.text,
                "tokens": made.tokens,
                "budget": made.budget,
                "query_class": made.query_class.value,
                "sections": [{"name": one.name, "ids": list(one.ids)} for one in made.sections],
                "excluded": [{"id": one.id, "reason": one.reason} for one in made.excluded],
            }
        )
        return
    say(made.text or "There is nothing to tell yet. Add a memory with `vaultmem add`.")
