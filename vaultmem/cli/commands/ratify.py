"""`vaultmem ratify`: a person gives force, or accepts what was held back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultmem.cli.apart import goes_with
from vaultmem.cli.asking import refuse_unattended
from vaultmem.cli.opening import open_or_adopt
from vaultmem.cli.output import json_option, print_json, say
from vaultmem.cli.several import exit_code, for_each, refused_json
from vaultmem.services.inbox import ratify_named
from vaultmem.services.ratify import Ratified, ratify_seen, unreviewed

if TYPE_CHECKING:
    from vaultmem.app import App
    from vaultmem.cli.output import Json
    from vaultmem.services.lookup import FoundMemory

_WORDS = {
    "force": "It may act now",
    "version": "This version is in force now",
    "candidate": "Remembered, as you ratified it",
    "removal": "Its removal is accepted",
    "nothing": "It asks for no force; nothing to ratify",
}


@click.command
@click.argument("names", metavar="[ID]...", nargs=-1)
@click.option(
    "--review", is_flag=True, help="Show every memory that wants to act, and ask for each."
)
@click.option(
    "--yes", is_flag=True, help="With --review: accept all. Identity is ratified one by one."
)
@json_option
@click.pass_obj
def command(
    app: App,
    names: tuple[str, ...],
    *,
    review: bool,
    yes: bool,
    as_json: bool,
) -> int:
    """Let memories act, or accept notes that were held back.

    ID is an id, the end of one (six characters or more), a title, or the path of the note. A
    candidate is approved by it, as one of your identity (L1) must be.
    """
    if review == bool(names):
        raise click.UsageError("Give an ID, or --review.")
    goes_with("--review", "--yes")
    open_or_adopt(app)
    done = _review(app, yes=yes, as_json=as_json) if review else []
    refused = for_each(
        names,
        lambda name: done.append(_told(ratify_named(app.call(), name), as_json=as_json)),
        as_json=as_json,
    )
    if as_json:
        ratified: list[Json] = [dict(one._asdict()) for one in done]
        print_json({"ratified": ratified, "refused": refused_json(refused)})
    return exit_code(refused)


def _review(app: App, *, yes: bool, as_json: bool) -> list[Ratified]:
    app.call().person_only("ratify --review")
    waiting = unreviewed(app.call())
    if waiting and not yes:
        refuse_unattended(
            "Nobody is there to ask. Ratify one with `vaultmem ratify ID`, run it in a terminal, "
            "or add `--yes` to accept all.",
            as_json=as_json,
        )
    if not waiting and not as_json:
        say("Nothing waits to be ratified.")
    accepted = (one for one in waiting if yes or _accepted(one))
    return [_told(ratify_seen(app.call(), one), as_json=as_json) for one in accepted]


def _told(done: Ratified, *, as_json: bool) -> Ratified:
    """Tell it at once, since a later question may be left by Ctrl-C."""
    if not as_json:
        say(f"{_WORDS[done.accepted]}: {done.statement or done.path}")
    return done


def _accepted(one: FoundMemory) -> bool:
    memory = one.decoded.memory
    say()
    say(memory.statement)
    say(f"  {one.row.path}{', pinned' if memory.pinned else ''}", note=one.row.path)
    if memory.enforced:
        say(f"  guardrail: {memory.trigger or ''} → {memory.action or memory.verifier or ''}")
    return click.confirm("May it act?", default=False)
