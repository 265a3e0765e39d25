"""`vaultmem completion`: the script that completes commands in a shell."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class


@click.command
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print the completion script for SHELL; source it in your shell's start-up file."""
    from vaultmem.cli.main import cli

    found = get_completion_class(shell)
    if found is None:  # pragma: no cover - click knows the three choices
        raise click.UsageError(f"There is no completion for {shell}.")
    click.echo(found(cli, {}, "vaultmem", "_VAULTMEM_COMPLETE").source())
