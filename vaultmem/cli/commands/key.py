"""`vaultmem key`: carry the vault's key to another device."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from vaultmem.cli.output import json_option, print_json, say
from vaultmem.services.key import export_key, import_key

if TYPE_CHECKING:
    from vaultmem.app import App


@click.group
def command() -> None:
    """Carry the key of the vault to another device."""


@command.command("export")
@json_option
@click.pass_obj
def export_command(app: App, *, as_json: bool) -> None:
    """Print the key as one line.

    Whoever has it can sign for this vault.
    """
    line = export_key(app.call())
    if as_json:
        print_json({"key": line})
    else:
        say(line)


@command.command("import")
@click.option(
    "--replace", is_flag=True, help="Replace the key that this device has, if it is another one."
)
@json_option
@click.pass_obj
def import_command(app: App, *, replace: bool, as_json: bool) -> None:
    """Read the key from standard input.

    A key on the command line would stay in the history of the shell.
    """
    if sys.stdin.isatty():
        text = click.prompt("Paste the line of `vaultmem key export`", hide_input=True)
    else:
        text = sys.stdin.read(4096)
    import_key(app.call(), text, replace=replace)
    if as_json:
        print_json({"imported": True, "id": app.vault.state.vault_id})
    else:
        say("This device has the key now.")
