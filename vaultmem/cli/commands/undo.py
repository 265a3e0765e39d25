"""`vaultmem undo`: take back the last change that vaultmem made on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultmem.cli.opening import call_of_person
from vaultmem.cli.output import json_option, print_json
from vaultmem.cli.patched import reverted_json, say_reverted
from vaultmem.services.revert import undo

if TYPE_CHECKING:
    from vaultmem.app import App


@click.command
@json_option
@click.pass_obj
def command(app: App, *, as_json: bool) -> None:
    """Revert the last patch that was applied on this machine."""
    call = call_of_person(app, "undo")
    done = undo(call)
    if as_json:
        print_json(reverted_json(done))
    else:
        say_reverted(done)
