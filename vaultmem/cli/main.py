"""The `vaultmem` command: a lazy group, and the boundary where errors become sentences."""

from __future__ import annotations

import errno
import gc
import importlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vaultmem import __version__
from vaultmem.errors import DiskFailedError, VaultmemError, VaultNotFoundError

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMANDS = {
    "init": "init",
    "add": "add",
    "search": "search",
    "show": "show",
    "why": "why",
    "edit": "edit",
    "pin": "standing:pin",
    "unpin": "standing:unpin",
    "contest": "standing:contest",
    "uncontest": "standing:uncontest",
    "deprecate": "standing:deprecate",
    "exception": "standing:exception",
    "forget": "forget",
    "reinforce": "reinforce",
    "report": "report",
    "topics": "topics",
    "render": "render",
    "ratify": "ratify",
    "inbox": "inbox",
    "curate": "curate",
    "undo": "undo",
    "learnings": "learnings",
    "maintain": "maintain",
    "trust": "trust",
    "sync": "sync",
    "watch": "watch",
    "reindex": "reindex",
    "status": "status",
    "doctor": "doctor",
    "off": "off",
    "on": "on",
    "demo": "demo",
    "detect": "detect",
    "note": "note",
    "evidence": "evidence",
    "export": "export",
    "patch": "patch",
    "promote": "promote",
    "enforce": "enforce",
    "session": "session",
    "notebook": "notebook",
    "model": "model",
    "key": "key",
    "migrate": "migrate",
    "review": "review",
    "pi": "pi",
    "obsidian": "obsidian",
    "serve": "vaultmem.hooks.command:serve",
    "hook": "vaultmem.hooks.command:hook",
    "mcp": "vaultmem.hooks.command:mcp",
    "completion": "completion",
}
"""Command name to the module that holds it, of `cli.commands` or by its whole name, in the order of
help; it is called `command` there, or what stands after the colon."""


_SAY_IT_THEMSELVES = ("doctor", "status", "sync")
"""Commands whose findings name what could not be written."""

_ONE_NOTE = ("ID", "MEMORY", "EV")
"""What an argument is called that names a note."""

GARBAGE_AFTER = 50_000
"""New objects after which garbage is looked for. Ten thousand rows are none: looking for it in them
takes a twentieth of a large report."""


def module_of(place: str) -> tuple[str, str]:
    """The module and the name in it that a value of `COMMANDS` means."""
    module, _, name = place.partition(":")
    whole = module if "." in module else f"vaultmem.cli.commands.{module}"
    return whole, name or "command"


class LazyGroup(click.Group):
    """Imports a command's module only when it is called or listed."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The names in the order of help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command, imported now."""
        if cmd_name not in COMMANDS:
            return None
        place, name = module_of(COMMANDS[cmd_name])
        command: click.Command = getattr(importlib.import_module(place), name)
        return command


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--vault",
    metavar="V",
    type=click.Path(file_okay=False),
    help="The folder of the vault to use; `vaultmem status` tells which one is used without it.",
)
@click.version_option(__version__, prog_name="vaultmem", help="Show the version and exit.")
@click.pass_context
def cli(ctx: click.Context, vault: str | None) -> None:
    """Long-term memory for coding agents, kept as notes in an Obsidian vault."""
    from vaultmem.app import App

    try:
        Path.cwd()
    except FileNotFoundError:
        raise VaultNotFoundError(
            "The working folder does not exist any more. Change into another one."
        ) from None
    ctx.obj = ctx.with_resource(App.from_process(vault=vault))


@cli.result_callback()
@click.pass_context
def _say_what_waits(ctx: click.Context, /, result: object, **_: object) -> object:
    """Name beside a result what could not be written meanwhile."""
    waiting = ctx.obj.put_off
    if waiting is not None and ctx.invoked_subcommand not in _SAY_IT_THEMSELVES:
        from vaultmem.cli.output import say_beside

        say_beside(waiting.sentence)
    return result


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave the process with its exit code."""
    gc.set_threshold(GARBAGE_AFTER)
    _print_what_the_terminal_cannot()
    try:
        code = run(arguments)
    except BrokenPipeError:  # the reader left, as `head` does; nobody is there to be told
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    gc.freeze()  # nothing is garbage where all goes: the last look takes a tenth of a large report
    sys.exit(code)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; known errors become one sentence, unknown ones a log file.

    Returns:
        0, the code that a command chose, 2 for wrong usage, 3 for a bug, or the error's own code.

    Raises:
        BrokenPipeError: if the reader of an error is gone.
        SystemExit: if the reader of a result is gone.
    """
    given = sys.argv[1:] if arguments is None else arguments
    try:
        result = cli.main(args=arguments, prog_name="vaultmem", standalone_mode=False)
    except click.ClickException as error:
        _show_usage(error, as_json="--json" in given)
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("Stopped; nothing more was changed.", err=True)
        return 130
    except VaultmemError as error:
        _say(error, as_json="--json" in given)
        return error.exit_code
    except Exception as error:  # noqa: BLE001 - the boundary: a bug is logged and named, never hidden
        if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EIO):
            text = f"The output could not be written ({error.strerror}). Free some space."
            full = DiskFailedError(text)
            _say(full, as_json=False)
            return full.exit_code
        return _bug()
    return result if isinstance(result, int) else 0


def _print_what_the_terminal_cannot() -> None:
    """Let a terminal that knows few characters show the others by number, also in JSON."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def _show_usage(error: click.ClickException, *, as_json: bool) -> None:
    """Wrong usage: which option or argument, and where its help is."""
    if isinstance(error, click.UsageError) and error.ctx is not None:
        error = _with_advice(error, error.ctx)
    if isinstance(error, click.MissingParameter):  # click lists the choices in lines with tabs
        told = " ".join(error.format_message().split())
        error = click.UsageError(told, ctx=error.ctx)
    if as_json:
        from vaultmem.cli.output import error_object

        text = " ".join(error.format_message().split())
        click.echo(error_object("UsageError", text, error.exit_code))
    error.show()


def _with_advice(error: click.UsageError, ctx: click.Context) -> click.UsageError:
    """The same error, with what was meant where a word is one too many or none of ours."""
    if error.message.startswith("Got unexpected extra argument"):
        return click.UsageError(f"{error.message}. {_takes(ctx.command)}", ctx=ctx)
    if error.message.startswith("No such option '--vault'") and ctx.parent is not None:
        return click.UsageError(
            f"{error.message} It goes before the command: `vaultmem --vault V {_below(ctx)}`.",
            ctx=ctx,
        )
    if error.message.startswith("No such command") and isinstance(ctx.command, click.Group):
        from vaultmem.core.near_name import near_name  # seldom

        _, typed, _ = error.message.split("'", 2)
        near = near_name(typed, ctx.command.list_commands(ctx), likeness=0.6)
        meant = f" Did you mean `{ctx.command_path} {near}`?" if near else ""
        return click.UsageError(f"{error.message}{meant}", ctx=ctx)
    return error


def _below(ctx: click.Context) -> str:
    """A command as it is typed, without the program's name."""
    return ctx.command_path.partition(" ")[2]


def _takes(command: click.Command) -> str:
    """What to do with a word that is one too many."""
    taken = [one for one in command.params if isinstance(one, click.Argument)]
    if not taken:
        return "It takes options only."
    if taken[-1].metavar in _ONE_NOTE:
        return "It takes one at a time; a title with spaces goes into quotes."
    return "Put what has spaces into quotes."


def _say(error: VaultmemError, *, as_json: bool) -> None:
    from vaultmem.cli.output import error_json, say_error

    if as_json:
        click.echo(error_json(error))
    say_error(error)


def _bug() -> int:
    from vaultmem.cli.crash import write_crash_log
    from vaultmem.cli.output import say_beside

    place = write_crash_log()
    say_beside(f"this is a bug, not your mistake. No note was left half-written. {place}")
    return 3
