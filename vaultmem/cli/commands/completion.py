"""`vaultmem completion`: the script that completes commands in a shell."""

from __future__ import annotations

import click
from click.shell_completion import BashComplete, FishComplete, ShellComplete, ZshComplete

from vaultmem.cli.output import json_option, print_json

_SHELLS: dict[str, type[ShellComplete]] = {
    "bash": BashComplete,
    "zsh": ZshComplete,
    "fish": FishComplete,
}


@click.command
@click.argument("shell", metavar="SHELL", type=click.Choice(list(_SHELLS)))
@json_option
def command(shell: str, *, as_json: bool) -> None:
    """Print the completion script of a shell.

    SHELL is bash, zsh or fish. Source what is printed in the shell's start-up file.
    """
    from vaultmem.cli.main import cli

    script = _SHELLS[shell](cli, {}, "vaultmem", "_VAULTMEM_COMPLETE").source()
    if as_json:
        print_json({"shell": shell, "script": script})
    else:
        click.echo(script)
