"""`vaultmem pi`: give the agent Pi this memory, and take it away again."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vaultmem import __version__
from vaultmem.cli.output import json_option, print_json, say, say_wrapped
from vaultmem.cli.typed_path import TypedPath
from vaultmem.errors import VaultmemError, VaultNotFoundError
from vaultmem.services.pi_package import (
    agent_folder,
    install_package,
    package_status,
    uninstall_package,
)
from vaultmem.store.pi_program import pi_version

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultmem.app import App
    from vaultmem.services.pi_package import PiChanged
    from vaultmem.store.discovery import FoundVault

_agent_dir: Callable[[Callable[..., None]], Callable[..., None]] = click.option(
    "--agent-dir",
    type=TypedPath(path_type=Path, file_okay=False, resolve_path=True),
    metavar="DIR",
    help="Pi's folder; without it PI_CODING_AGENT_DIR, else ~/.pi/agent.",
)


@click.group
def command() -> None:
    """Give the agent Pi this memory."""


@command.command("install")
@_agent_dir
@json_option
@click.pass_obj
def install_command(app: App, agent_dir: Path | None, *, as_json: bool) -> None:
    """Let Pi load the extension.

    The extension is written into the user's config folder, with the Python that runs this command,
    and added to the list `packages` of Pi's settings. Run it again after an update of vaultmem.
    """
    done = install_package(
        app.home,
        agent_folder(app.env, agent_dir),
        interpreter=sys.executable,
        agent=app.env.agent,
    )
    _tell(done, as_json=as_json)
    if as_json:
        return
    if not done.changed:
        say("Pi has the memory already.")
    match _vault(app):
        case VaultNotFoundError():
            say("Next: `vaultmem init PATH`; there is no vault yet that Pi would use here.")
        case VaultmemError() as error:
            say_wrapped(str(error))
        case _:
            say("Next: start Pi in a project, and type /memory there.")


@command.command("uninstall")
@_agent_dir
@json_option
@click.pass_obj
def uninstall_command(app: App, agent_dir: Path | None, *, as_json: bool) -> None:
    """Take the extension out of Pi; memories stay.

    Pi's settings are then what they were before, byte for byte, unless they were changed since.
    """
    done = uninstall_package(app.home, agent_folder(app.env, agent_dir), agent=app.env.agent)
    _tell(done, as_json=as_json)
    if not as_json:
        say(
            "A Pi that runs keeps the memory until it is started again."
            if done.changed
            else "Pi did not have the memory."
        )


@command.command("status")
@_agent_dir
@json_option
@click.pass_obj
def status_command(app: App, agent_dir: Path | None, *, as_json: bool) -> None:
    """Tell whether Pi has the memory of this version, and which.

    The vault is the one that Pi would use in this folder.
    """
    found = package_status(app.home, agent_folder(app.env, agent_dir))
    vault, pi = _vault(app), pi_version()
    if as_json:
        there = None if isinstance(vault, VaultmemError) else vault
        print_json(
            {
                "ok": found.ok,
                "version": __version__,
                "pi": pi or None,
                "vault": there and str(there.path),
                "why": there and there.why.value,
                "folder": str(found.folder),
                "agent_dir": str(found.agent_dir),
                "listed": found.listed,
                "filtered": found.filtered,
                "complete": found.complete,
                "interpreter": found.interpreter,
                "runnable": found.runnable,
            }
        )
        return
    say(f"Versions: vaultmem {__version__}, {f'Pi {pi}' if pi else 'no Pi on the path'}")
    say(f"Pi's folder: {found.agent_dir}")
    say(f"The extension: {found.folder}")
    if found.runnable:
        say(f"It starts: {found.interpreter}")
    if found.filtered:
        say("Pi's settings list it with filters of yours, which may leave parts of it out.")
    for line in found.problems():
        say(line)
    if isinstance(vault, VaultmemError):
        say_wrapped(f"Vault: none. {vault}")
    else:
        say(f"Vault: {vault.path} (by {vault.why})")
    if not found.ok:
        say("Next: `vaultmem pi install`.")
    elif not isinstance(vault, VaultmemError):
        say("Pi has the memory.")


def _vault(app: App) -> FoundVault | VaultmemError:
    """The vault that Pi would use in this folder, or why there is none."""
    try:
        return app.found
    except VaultmemError as error:
        return error


def _tell(done: PiChanged, *, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "folder": str(done.folder),
                "agent_dir": str(done.agent_dir),
                "changed": [str(path) for path in done.changed],
            }
        )
        return
    for path in done.changed:
        say(f"{'Wrote' if path.exists() else 'Removed'} {path}")
