"""`vaultmem patch`: what waits to be changed, what was changed, and taking it back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultmem.cli.apart import not_together
from vaultmem.cli.asking import confirm, refuse_unattended
from vaultmem.cli.opening import call_of_person
from vaultmem.cli.output import count, json_option, print_json, say, say_wrapped, stages
from vaultmem.cli.patched import (
    applied_json,
    listed_json,
    reverted_json,
    say_applied,
    say_reverted,
    say_shown,
    shown_json,
)
from vaultmem.core.patch_rules import Applier
from vaultmem.core.patch_status import PatchStatus
from vaultmem.errors import PatchRefusedError
from vaultmem.services.apply import apply
from vaultmem.services.patches import find_patch, reject
from vaultmem.services.patching.show import listed, show
from vaultmem.services.revert import revert
from vaultmem.services.sync import catch_up

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultmem.app import App
    from vaultmem.core.operation import Operation


_ALL = "`--all` lists those that were decided."


@click.group()
def command() -> None:
    """List, show, apply, reject and revert patches."""


@command.command("list")
@click.option("--all", "everything", is_flag=True, help="Also those that this machine decided.")
@json_option
@click.pass_obj
def list_command(app: App, *, everything: bool, as_json: bool) -> None:
    """List the patches that wait."""
    call = app.call()
    catch_up(call)
    found = listed(call, decided=everything)
    if as_json:
        print_json({"patches": [listed_json(one) for one in found]})
        return
    if not found:
        say("There is no patch yet." if everything else f"No patch waits for you. {_ALL}")
        return
    for one in found:
        made = f", {one.created:%Y-%m-%d %H:%M}" if one.created is not None else ""
        what = f"{one.status.value.replace('_', ' ')}, {count(one.operations, 'operation')}"
        say(f"{one.id}, {what}{made}")
        say(f"  {one.path or one.summary}")
    if any(one.path for one in found):
        say_wrapped("Look at one with `vaultmem patch show ID`, then `vaultmem patch apply ID`.")
    elif found:
        say_wrapped("Take one back with `vaultmem patch revert ID`.")


@command.command("show")
@click.argument("name", metavar="ID")
@json_option
@click.pass_obj
def show_command(app: App, name: str, *, as_json: bool) -> None:
    """Show what the patch ID would do, or did."""
    call = app.call()
    catch_up(call)
    found = show(call, name)
    if as_json:
        print_json(shown_json(found))
    else:
        say_shown(found)


@command.command("apply")
@click.argument("name", metavar="ID")
@click.option(
    "--op",
    "chosen",
    multiple=True,
    metavar="OP",
    help="Apply this operation; give it once for each.",
)
@click.option("--all", "everything", is_flag=True, help="Apply every operation.")
@click.option("--ratify", "ratified", is_flag=True, help="Ratify what changes your identity (L1).")
@click.option("--yes", is_flag=True, help="Do not ask before a text is removed for good.")
@json_option
@click.pass_obj
def apply_command(
    app: App,
    name: str,
    *,
    chosen: tuple[str, ...],
    everything: bool,
    ratified: bool,
    yes: bool,
    as_json: bool,
) -> int:
    """Apply the ticked operations of the patch ID, or those named."""
    not_together("--op", "--all")
    call = call_of_person(app, "patch apply")
    opened = find_patch(call, name)
    selected = opened.every if everything else frozenset(chosen) or None
    _confirm(opened.purges(selected), yes=yes, as_json=as_json)
    done = apply(
        call,
        opened.patch,
        applier=Applier.PERSON,
        selected=selected,
        ratified=ratified,
        via="patch",
        opened=opened,
    )
    if as_json:
        print_json(applied_json(done))
    else:
        say_applied(done)
        for one in opened.half_ticked if selected is None else ():
            say_wrapped(f"Left out: {one.message}")
    return PatchRefusedError.exit_code if done.status is PatchStatus.PROPOSED else 0


@command.command("reject")
@click.argument("name", metavar="ID")
@json_option
@click.pass_obj
def reject_command(app: App, name: str, *, as_json: bool) -> None:
    """Reject the patch ID; its candidates stay in the inbox."""
    call = call_of_person(app, "patch reject")
    done = reject(call, name)
    if as_json:
        print_json(
            {"id": done.id, "operations": done.operations, "candidates": list(done.candidates)}
        )
        return
    say_wrapped(f"Rejected {done.id} with {count(done.operations, 'operation')}.")
    if done.candidates:
        say_wrapped(
            f"{count(len(done.candidates), 'candidate')} of it waits in the inbox; decide there, "
            "for instance with `vaultmem inbox reject`."
        )


@command.command("revert")
@click.argument("name", metavar="ID")
@json_option
@click.pass_obj
def revert_command(app: App, name: str, *, as_json: bool) -> None:
    """Take back what the patch ID did."""
    call = call_of_person(app, "patch revert")
    with stages("Taking back") as stage:
        done = revert(call, name, told=lambda number, of: stage(f"Taking back: {number} of {of}"))
    if as_json:
        print_json(reverted_json(done))
    else:
        say_reverted(done)


def _confirm(purges: Sequence[Operation], *, yes: bool, as_json: bool) -> None:
    """Ask before a purge, which nothing can take back.

    Raises:
        NotConfirmedError: if the person says no, or nobody is there.
    """
    if yes or not purges:
        return
    refuse_unattended(
        f"{purges[0].id} removes a text for good, and nobody is there to ask. Add `--yes`.",
        as_json=as_json,
    )
    for one in purges:
        say_wrapped(f"{one.id} removes the text of {one.target} for good.")
    confirm("Remove it?", "Nothing was applied. Answer `y` to remove it.")
