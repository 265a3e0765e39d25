"""`vaultmem off` and `vaultmem on`, which differ in one word."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultmem.cli.opening import open_or_adopt
from vaultmem.cli.output import json_option, print_json, say
from vaultmem.cli.projects import written_of
from vaultmem.core.wording import argument
from vaultmem.services.switch import READ, WRITE, Place, switch

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from vaultmem.app import App
    from vaultmem.store.switches import Switch

_DOING = {WRITE: "Remembering", READ: "Recalling"}


def switching(*, off: bool) -> Callable[[Callable[..., None]], click.Command]:
    """Make the command of a function that only has the help text."""
    word = "off" if off else "on"

    def made(described: Callable[..., None]) -> click.Command:
        @click.command(help=described.__doc__)
        @click.option("--write", is_flag=True, help=f"Switch {word} remembering: add and capture.")
        @click.option("--read", is_flag=True, help=f"Switch {word} recalling: report and search.")
        @click.option("--project", metavar="P", help="In one project only; `.` for this one.")
        @click.option("--session", metavar="ID", help="In one session of the agent only.")
        @json_option
        @click.pass_obj
        def command(
            app: App,
            *,
            write: bool,
            read: bool,
            project: str | None,
            session: str | None,
            as_json: bool,
        ) -> None:
            if project is not None and session is not None:
                raise click.UsageError("Name a project or a session, not both.")
            open_or_adopt(app)
            named = app.project.id if project == "." else written_of(app, project)
            place = Place(named, session)
            what = [one for one, asked in ((WRITE, write), (READ, read)) if asked]
            left = switch(app.call(), what or [WRITE, READ], place, off=off)
            _print(left, place, off=off, as_json=as_json)

        return command

    return made


def switched(one: Switch) -> str:
    """What is off, and where."""
    where = f"in the {one.where} {one.name}" if one.name else "everywhere"
    return f"{_DOING.get(one.what, one.what)} is off {where}"


def how_on(left: Sequence[Switch]) -> str:
    """The command that ends what is off; where all of it is off in one place, only there."""
    places = {(one.where, one.name) for one in left}
    where, name = places.pop() if len(places) == 1 else ("", "")
    return f"vaultmem on --{where} {argument(name)}" if name else "vaultmem on"


def _print(left: tuple[Switch, ...], place: Place, *, off: bool, as_json: bool) -> None:
    if as_json:
        print_json({"off": [one._asdict() for one in left]})
        return
    for one in left:
        say(f"{switched(one)}.")
    where, name = place.spelled()
    if not left:
        there = f"in the {where}, and off nowhere else" if name else "everywhere"
        say(f"Remembering and recalling are on {there}.")
    elif name and not off and any(not one.name for one in left):
        say("Switch on what is off everywhere with `vaultmem on` in a terminal.")
