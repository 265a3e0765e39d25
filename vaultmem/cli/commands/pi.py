"""`vaultmem pi`: give the agent Pi this memory, and take it away again."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vaultmem.cli.output import json_option, print_json, say
from vaultmem.services.pi_package import (
    agent_folder,
    install_package,
    package_status,
    uninstall_package,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultmem.app import App
    from vaultmem.services.pi_package import PiChanged

_agent_dir: Callable[[Callable[..., None]], Callable[..., None]] = click.option(
    "--agent-dir",
    type=click.Path(path_type=Path, file_okay=False, resolve_path=True),
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
    if not as_json:
        if not done.changed:
            say("Pi has the memory already.")
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
    if not as_json and not done.changed:
        say("Pi did not have the memory.")


@command.command("status")
@_agent_dir
@json_option
@click.pass_obj
def status_command(app: App, agent_dir: Path | None, *, as_json: bool) -> None:
    """Tell whether Pi has the memory of this version."""
    found = package_status(app.home, agent_folder(app.env, agent_dir))
    if as_json:
        print_json(
            {
                "ok": found.ok,
                "folder": str(found.folder),
                "agent_dir": str(found.agent_dir),
                "listed": found.listed,
                "complete": found.complete,
                "interpreter": found.interpreter,
                "runnable": found.runnable,
            }
        )
        return
    say(f"Pi's folder: {found.agent_dir}")
    say(f"The extension: {found.folder}")
    for line in found.problems():
        say(line)
    say("Pi has the memory." if found.ok else "Next: `vaultmem pi install`.")


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
        say(str(path))
