"""`vaultmem report`: the situation report, as an agent would get it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultmem.cli.apart import not_together
from vaultmem.cli.output import (
    count,
    finding_json,
    json_option,
    other_project_option,
    print_json,
    say,
    say_findings,
    say_wrapped,
)
from vaultmem.core.report_frame import SEARCHED
from vaultmem.services.report import report

if TYPE_CHECKING:
    from vaultmem.app import App
    from vaultmem.cli.output import Json
    from vaultmem.core.report import Report


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
@other_project_option
@click.option("--session", default="", metavar="ID", help="The agent's session that is told this.")
@click.option(
    "--sections",
    "in_full",
    is_flag=True,
    help="Also what is told beside the report: memories and sessions near the prompt.",
)
@click.option(
    "--explain",
    "why",
    is_flag=True,
    help="Instead: what became of each memory, and why.",
)
@click.option(
    "--telemetry",
    "of_use",
    is_flag=True,
    help="Instead: what agents were told on this machine, and what they used of it.",
)
@json_option
@click.pass_obj
def command(
    app: App,
    *,
    prompt: str,
    budget: int | None,
    project: str | None,
    session: str,
    in_full: bool,
    why: bool,
    of_use: bool,
    as_json: bool,
) -> None:
    """Print what an agent is told before it thinks.

    The report holds the memories of the project of the working folder and those that hold
    everywhere, by their score, within the budget.
    """
    not_together("--explain", "--sections", "--telemetry")
    for asked in ("--prompt", "--budget", "--project", "--session"):
        not_together("--telemetry", asked)  # it is about all that was told
    call = app.call()
    if of_use:
        from vaultmem.cli.used import print_usage  # the usual report needs no table

        print_usage(call, as_json=as_json)
        return
    where = _project(app, project)
    if why:
        from vaultmem.cli.explained import explanation_json, say_explanation
        from vaultmem.services.explain import explained

        told = explained(call, project=where, prompt=prompt, budget=budget, session=session)
        if as_json:
            print_json(_to_json(told.report) | explanation_json(told.explanation))
        else:
            say_explanation(told.report, told.explanation)
            say_findings(told.report.findings)
        return
    if in_full:
        from vaultmem.cli.sections import given_in_full, say_sections, sections_json

        given = given_in_full(
            call,
            app.engine,
            app.sessions,
            project=where,
            prompt=prompt,
            session=session,
            budget=budget,
        )
        if as_json:
            print_json(_to_json(given.report) | sections_json(given))
        else:
            say_sections(given)
        return
    made = report(call, project=where, prompt=prompt, budget=budget, session=session)
    if as_json:
        print_json(_to_json(made))
    else:
        _say(made)
        if app.env.agent is None and made.text.endswith(SEARCHED):
            say_wrapped("`memory_search` is the agent's tool; yours is `vaultmem search`.")


def _project(app: App, named: str | None) -> str:
    """The project that is told: that of the working folder, unless one was named."""
    if not named:
        return app.project.id if named is None else ""
    from vaultmem.services.projects import known_project  # the usual report needs no names

    return known_project(app.call(), named, here=app.project.id)


def _say(made: Report) -> None:
    """The text, or why there is none."""
    if made.text:
        say(made.text)
    elif made.findings:
        say_findings(made.findings)
    elif any(one.reason == "no_room" for one in made.excluded):
        say(f"Nothing fits into {count(made.budget, 'token')}. Give a larger --budget.")
    elif made.excluded:
        say("No memory is in force here. `vaultmem report --explain` says of each why it is not.")
    else:
        say("There is nothing to tell yet. Add a memory with `vaultmem add`.")


def _to_json(made: Report) -> dict[str, Json]:
    """The stable shape."""
    return {
        "text": made.text,
        "tokens": made.tokens,
        "budget": made.budget,
        "query_class": made.query_class.value,
        "mode": made.mode,
        "sections": [{"name": one.name, "ids": list(one.ids)} for one in made.sections],
        "excluded": [{"id": one.id, "reason": one.reason} for one in made.excluded],
        "findings": [finding_json(one) for one in made.findings],
    }
