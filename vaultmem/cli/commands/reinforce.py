"""`vaultmem reinforce`: say that a memory was right."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultmem.cli.opening import open_or_adopt
from vaultmem.cli.output import (
    finding_json,
    json_option,
    print_json,
    say,
    say_findings,
    say_wrapped,
)
from vaultmem.cli.promotion_lines import say_proposed, to_json, ways_to_decide
from vaultmem.errors import CaptureRefusedError
from vaultmem.services.confirm import confirm

if TYPE_CHECKING:
    from vaultmem.app import App

_WORDS = {
    "reinforced": "Counted as one more piece of evidence for",
    "known": "Counted before",
    "refused": "Not counted",
}


@click.command
@click.argument("name", metavar="ID")
@click.option(
    "--session", default="", metavar="S", help="The agent's session; it counts once in each."
)
@click.option(
    "--note", default="", metavar="TEXT", help="What shows that it was right; kept as evidence."
)
@json_option
@click.pass_obj
def command(app: App, name: str, *, session: str, note: str, as_json: bool) -> int:
    """Say that a memory was right.

    ID is an id, the end of one (six characters or more), a path in the vault, or a title. It gets
    one more piece of evidence and a new date. What a person types counts each time; an agent's word
    counts once in a session and once a day, and only for what that session was shown.
    """
    open_or_adopt(app)
    done = confirm(app.call(), name, session=session, note=note, project=app.project.id)
    if as_json:
        print_json(
            {
                "outcome": done.outcome,
                "id": done.id,
                "path": done.path,
                "statement": done.statement,
                "evidence_live": done.evidence,
                "findings": [finding_json(one) for one in done.findings],
                "promotions": [to_json(one) for one in done.promotions],
            }
        )
    else:
        say(f"{_WORDS[done.outcome]}: {done.statement}")
        if done.outcome == "reinforced":
            say(f"  Evidence count: {done.evidence:g}.")
        for one in done.promotions:
            say_proposed(one)
        if waiting := [one.id for one in done.promotions if not one.patch]:
            say_wrapped(f"Decide with {ways_to_decide(waiting)}.")
        say_findings(done.findings)
    return CaptureRefusedError.exit_code if done.outcome == "refused" else 0
