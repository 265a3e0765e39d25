"""`vaultmem note`: one property of any note, without touching another byte."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultmem.cli.memory_lines import as_text, as_value
from vaultmem.cli.opening import open_or_adopt
from vaultmem.cli.output import json_option, print_json, say
from vaultmem.core.near_name import near_name
from vaultmem.errors import NoteNotFoundError
from vaultmem.services.note_property import Property, get, note_path, put, remove

if TYPE_CHECKING:
    from vaultmem.app import App


@click.group
def command() -> None:
    """Read and change one property of any note."""


@command.command("get")
@click.argument("path")
@click.argument("key", required=False)
@json_option
@click.pass_obj
def get_command(app: App, path: str, key: str | None, *, as_json: bool) -> None:
    """Print one property of a note, or all of them.

    PATH is the note's path in the vault, with or without `.md`; KEY is the property's name.
    """
    call = app.call()
    found = get(call, path)
    relative = note_path(call, path)
    if key is not None and key not in found:
        near = near_name(key, found)
        remedy = f"Did you mean `{near}`?" if near else "Check its name."
        raise NoteNotFoundError(f"It has no property `{key}`.", remedy, path=relative)
    chosen = {key: found[key]} if key is not None else dict(found)
    if as_json:
        print_json({"path": relative, "properties": as_value(chosen)})
        return
    for name, value in chosen.items():
        say(as_text(value) if key is not None else f"{name}: {as_text(value)}")


@command.command("set")
@click.argument("path")
@click.argument("key")
@click.argument("value", nargs=-1, required=True)
@json_option
@click.pass_obj
def set_command(app: App, path: str, key: str, value: tuple[str, ...], *, as_json: bool) -> None:
    """Set one property of a note; no other byte changes.

    PATH is the note's path in the vault, KEY the property's name. VALUE is read as the type that
    the vault shows the property with; several of them make a list.
    """
    open_or_adopt(app)
    _print(put(app.call(), path, key, value), as_json=as_json)


@command.command("unset")
@click.argument("path")
@click.argument("key")
@json_option
@click.pass_obj
def unset_command(app: App, path: str, key: str, *, as_json: bool) -> None:
    """Remove one property from a note; no other byte changes.

    PATH is the note's path in the vault, KEY the property's name.
    """
    open_or_adopt(app)
    _print(remove(app.call(), path, key), as_json=as_json)


def _print(done: Property, *, as_json: bool) -> None:
    if as_json:
        print_json({"path": done.path, "changed": done.changed})
    else:
        say(f"{'Changed' if done.changed else 'Nothing to change in'} {done.path}", note=done.path)
