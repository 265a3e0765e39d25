"""`vaultmem undo`: take back the last change that vaultmem made on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultmem.cli.asking import confirm, refuse_unattended
from vaultmem.cli.opening import call_of_person
from vaultmem.cli.output import json_option, print_json, say_wrapped
from vaultmem.cli.patched import reverted_json, say_last, say_taken_back
from vaultmem.services.undo import last_change, take_back

if TYPE_CHECKING:
    from vaultmem.app import App
    from vaultmem.services.undo import LastChange


@click.command
@click.option("--yes", is_flag=True, help="Do not ask where your own `add` or `forget` came later.")
@json_option
@click.pass_obj
def command(app: App, *, yes: bool, as_json: bool) -> None:
    """Revert the last patch that was applied on this machine.

    It says first which one that is. Your own `add` is no patch, and neither is `forget`: where one
    of them came later, it says how that is taken back, and asks.
    """
    call = call_of_person(app, "undo")
    last = last_change(call)
    if not as_json:
        say_last(last)
    if not yes:
        _confirm(last, as_json=as_json)
    done = take_back(call, last)
    if as_json:
        print_json(reverted_json(done))
    else:
        say_taken_back(done)


def _confirm(last: LastChange, *, as_json: bool) -> None:
    """Ask where the person may mean what they did themselves.

    Raises:
        NotConfirmedError: if the person says no, or nobody is there.
    """
    if last.newer is None:
        return
    refuse_unattended(
        f"{last.newer.sentence} It came after {last.patch}, so nothing was undone; add `--yes` to "
        "take that patch back.",
        as_json=as_json,
    )
    say_wrapped(f"Something came after it. {last.newer.sentence}")
    confirm("Take the patch back?", "Nothing was undone. Answer `y` to take the patch back.")
