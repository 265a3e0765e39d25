"""`vaultmem watch`: sync as the notes change, until interrupted."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import click

from vaultmem.cli.commands.sync import print_sync, to_json
from vaultmem.cli.opening import open_or_adopt
from vaultmem.cli.output import json_option, print_json_line, say
from vaultmem.services.indexing import refresh
from vaultmem.services.watch import watch

if TYPE_CHECKING:
    from vaultmem.app import App


@click.command
@json_option
@click.pass_obj
def command(app: App, *, as_json: bool) -> None:
    """Sync as the notes change, until Ctrl-C.

    With --json it prints one line for each sync.
    """
    open_or_adopt(app)
    if not as_json:
        say(f"Watching {app.vault.path}. Stop with Ctrl-C.")
        say("New notes are taken in when they have been left alone for two minutes.")
    app.engine.start()
    with suppress(KeyboardInterrupt):  # the usual end
        for done in watch(app.call, app.vault.path):
            refresh(app.call(), app.engine)
            if as_json:
                print_json_line(to_json(done))
            else:
                print_sync(done, app.vault.root)
