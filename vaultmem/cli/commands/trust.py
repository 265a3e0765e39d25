"""`vaultmem trust`: let this machine use a vault that a project or folder names."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from vaultmem.cli.output import json_option, print_json, say
from vaultmem.services.trusting import Place, trust_vault, untrust_vault

if TYPE_CHECKING:
    from vaultmem.app import App


@click.command
@click.argument("path", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--moved", "place", flag_value="moved", help="The vault was moved here.")
@click.option("--copied", "place", flag_value="copied", help="This is a copy; give it its own id.")
@click.option("--remove", is_flag=True, help="Trust it no longer.")
@json_option
@click.pass_obj
def command(app: App, path: Path, *, place: str | None, remove: bool, as_json: bool) -> None:
    """Trust the vault PATH on this machine."""
    if remove and place:
        raise click.UsageError("--remove goes alone.")
    if remove:
        done = untrust_vault(app.home, path, agent=app.env.agent)
    else:
        done = trust_vault(
            app.home,
            app.config.config,
            path,
            place=Place(place or "same"),
            agent=app.env.agent,
            now=app.now,
            random=app.random,
        )
    if as_json:
        print_json(
            {"path": str(done.path), "root": done.root, "id": done.id, "trusted": done.trusted}
        )
        return
    say(f"{done.path} is {'trusted' if done.trusted else 'no longer trusted'} on this machine.")
