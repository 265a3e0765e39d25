"""`vaultmem trust`: let this machine use a vault that a project or folder names."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from vaultmem.cli.apart import not_together
from vaultmem.cli.output import json_option, print_json, say
from vaultmem.cli.typed_path import TypedPath
from vaultmem.services.trusting import Place, trust_vault, untrust_vault

if TYPE_CHECKING:
    from vaultmem.app import App


@click.command
@click.argument("path", type=TypedPath(path_type=Path, file_okay=False))
@click.option(
    "--moved",
    is_flag=True,
    help="The vault was moved to PATH; what this machine knows of it follows.",
)
@click.option(
    "--copied",
    is_flag=True,
    help="The vault at PATH is a copy; give it an id and a key of its own.",
)
@click.option("--remove", is_flag=True, help="Trust the vault no longer; nothing is deleted.")
@json_option
@click.pass_obj
def command(
    app: App, path: Path, *, moved: bool, copied: bool, remove: bool, as_json: bool
) -> None:
    """Let this machine use a vault that a project names.

    PATH is the folder of the vault.
    """
    not_together("--moved", "--copied", "--remove")
    if remove:
        done = untrust_vault(app.home, path, agent=app.env.agent)
    else:
        done = trust_vault(
            app.home,
            app.config.config,
            path,
            place=_place(moved=moved, copied=copied),
            agent=app.env.agent,
            now=app.now,
            random=app.random,
        )
    if as_json:
        print_json(
            {"path": str(done.path), "root": done.root, "id": done.id, "trusted": done.trusted}
        )
        return
    if not done.trusted:
        words = "is no longer" if done.changed else "was not"
        say(f"{done.path} {words} trusted on this machine.")
    else:
        say(f"{done.path} is trusted on this machine.")
        say("Next: `vaultmem sync` in it, then `vaultmem status`.")


def _place(*, moved: bool, copied: bool) -> Place:
    if moved:
        return Place.MOVED
    return Place.COPIED if copied else Place.SAME
