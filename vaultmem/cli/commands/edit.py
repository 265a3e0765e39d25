"""`vaultmem edit`: change a memory by options, or in your own editor."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultmem.cli.asking import open_in_editor
from vaultmem.cli.opening import open_or_adopt
from vaultmem.cli.output import json_option, print_json, say
from vaultmem.services.edit import Edited, edit, open_note, take_in

if TYPE_CHECKING:
    from vaultmem.app import App


@click.command
@click.argument("name", metavar="ID")
@click.option("--statement", metavar="TEXT", help="The new statement.")
@click.option(
    "--set",
    "properties",
    type=(str, str),
    multiple=True,
    metavar="KEY VALUE",
    help="Set a property; items of a list are separated by commas, an empty VALUE clears it.",
)
@json_option
@click.pass_obj
def command(
    app: App,
    name: str,
    *,
    statement: str | None,
    properties: tuple[tuple[str, str], ...],
    as_json: bool,
) -> None:
    """Change a memory, by options or in your editor.

    ID is an id, the end of one (six characters or more), a path in the vault, or a title. Without
    options the note opens in the editor that $VISUAL or $EDITOR names.
    """
    open_or_adopt(app)
    if statement is None and not properties:
        _print(_in_editor(app, name), "Nothing was changed in", as_json=as_json)
        return
    done = edit(app.call(), name, statement=statement, properties=dict(properties))
    _print(done, "Nothing to change in", as_json=as_json)


def _in_editor(app: App, name: str) -> Edited:
    opened = open_note(app.call(), name)
    open_in_editor(app.vault.path / opened.path)
    return take_in(app.call(), opened)  # at another moment: editing takes its time


def _print(done: Edited, unchanged: str, *, as_json: bool) -> None:
    if as_json:
        print_json({"id": done.id, "path": done.path, "changed": done.changed})
    else:
        say(f"{'Changed' if done.changed else unchanged} {done.path}", note=done.path)
