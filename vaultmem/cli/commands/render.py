"""`vaultmem render`: overviews of the memory as notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultmem.cli.opening import open_or_adopt
from vaultmem.cli.output import counter, json_option, print_json, say, say_wrapped
from vaultmem.cli.projects import read_of
from vaultmem.services.render import RENDER, Outcome, render

if TYPE_CHECKING:
    from vaultmem.app import App

_SAID = {
    Outcome.CREATED: "made",
    Outcome.UPDATED: "made again",
    Outcome.UNCHANGED: "up to date",
    Outcome.EDITED: "left as it is",
}


@click.command
@click.option(
    "--project",
    metavar="P",
    help="Only the overview of this project, by identity or its last part; '' for all.",
)
@json_option
@click.pass_obj
def command(app: App, *, project: str | None, as_json: bool) -> None:
    """Make overviews of the memory as notes, with charts.

    There is one for each project and one for all, in System/Reports. One that says what it would
    say anyway is not written; one that you changed is left as it is.
    """
    open_or_adopt(app)
    call = app.call()
    call.person_only(RENDER)
    wanted = read_of(app, project)
    with counter("Reading the memories"):
        made = render(call, project=wanted)
    if as_json:
        print_json(
            {
                "notes": [
                    {"project": one.project or None, "path": one.path, "outcome": one.outcome.value}
                    for one in made
                ]
            }
        )
        return
    if not made:
        say_wrapped("Nothing was made: there is no memory to tell of. Add one with `vaultmem add`.")
    for one in made:
        say(f"{_SAID[one.outcome]}: {one.path}", note=one.path)
    if any(one.outcome is Outcome.EDITED for one in made):
        say_wrapped(
            "What was changed by hand is not made again. Move the note elsewhere to keep it, or "
            "delete it, then run `vaultmem render`."
        )
