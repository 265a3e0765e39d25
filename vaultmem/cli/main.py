"""The `vaultmem` command: a lazy group, and the boundary where errors become sentences."""

from __future__ import annotations

import importlib
import os
import sys
from typing import TYPE_CHECKING

import click

from vaultmem import __version__
from vaultmem.errors import VaultmemError

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMANDS = {
    "init": "init",
    "add": "add",
    "search": "search",
    "show": "show",
    "why": "why",
    "edit": "edit",
    "report": "report",
    "ratify": "ratify",
    "trust": "trust",
    "sync": "sync",
    "watch": "watch",
    "reindex": "reindex",
    "status": "status",
    "doctor": "doctor",
    "demo": "demo",
    "note": "note",
    "model": "model",
    "key": "key",
    "completion": "completion",
}
"""Command name to the module of `cli.commands` that holds it as `command`, in the order of help."""


class LazyGroup(click.Group):
    """Imports a command's module only when it is called or listed."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The names in the order of help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command, imported now."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"vaultmem.cli.commands.{COMMANDS[cmd_name]}")
        command: click.Command = module.command
        return command


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--vault",
    metavar="V",
    type=click.Path(file_okay=False),
    help="The vault to use; without it the rules of `vaultmem status` choose one.",
)
@click.version_option(__version__, prog_name="vaultmem")
@click.pass_context
def cli(ctx: click.Context, vault: str | None) -> None:
    """Long-term memory for coding agents, kept as notes in an Obsidian vault."""
    from vaultmem.app import App

    ctx.obj = ctx.with_resource(App.from_process(vault=vault))


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave the process with its exit code."""
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; known errors become one sentence, unknown ones a log file.

    Returns:
        0, the code that a command chose, 2 for wrong usage, 3 for a bug, or the error's own code.
    """
    as_json = "--json" in (sys.argv[1:] if arguments is None else arguments)
    try:
        result = cli.main(args=arguments, prog_name="vaultmem", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("Stopped; nothing more was changed.", err=True)
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except VaultmemError as error:
        _say(error, as_json=as_json)
        return error.exit_code
    except Exception:  # noqa: BLE001 - the boundary: a bug is logged and named, never hidden
        return _bug()
    return result if isinstance(result, int) else 0


def _say(error: VaultmemError, *, as_json: bool) -> None:
    from vaultmem.cli.output import error_json, plain

    if as_json:
        click.echo(error_json(error))
    click.echo(f"vaultmem: {plain(str(error))}", err=True)


def _bug() -> int:
    from vaultmem.cli.crash import write_crash_log

    place = write_crash_log()
    click.echo(
        f"vaultmem: this is a bug, not your mistake. No note was left half-written. {place}",
        err=True,
    )
    return 3
