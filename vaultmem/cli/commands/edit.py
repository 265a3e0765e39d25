"""`vaultmem edit`: change a memory by options, or in your own editor."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultmem.cli.opening import open_or_adopt
from vaultmem.cli.output import json_option, print_json, say
from vaultmem.services.edit import edit, place_of
from vaultmem.services.sync import sync

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
        _in_editor(app, name, as_json=as_json)
        return
    done = edit(app.call(), name, statement=statement, properties=dict(properties))
    if as_json:
        print_json({"id": done.id, "path": done.path, "changed": done.changed})
    else:
        say(f"{'Changed' if done.changed else 'Nothing to change in'} {done.path}")


def _in_editor(app: App, name: str, *, as_json: bool) -> None:
    place = place_of(app.call(), name)
    before = place.read_bytes()
    relative = place.relative_to(app.vault.path).as_posix()
    row = app.vault.baseline.note(relative)
    click.edit(filename=str(place))
    sync(app.call(), certain=frozenset((relative,)))
    changed = place.exists() and place.read_bytes() != before
    if as_json:
        print_json(
            {"id": row.id if row is not None else None, "path": relative, "changed": changed}
        )
    else:
        say(f"{'Changed' if changed else 'Nothing was changed in'} {relative}")
