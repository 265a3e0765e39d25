"""`vaultmem model`: which embedding model is used."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultmem.cli.output import json_option, print_json, say, say_table
from vaultmem.services.model import models, use

if TYPE_CHECKING:
    from vaultmem.app import App


@click.group
def command() -> None:
    """List and choose the model of semantic search."""


@command.command("list")
@json_option
@click.pass_obj
def list_command(app: App, *, as_json: bool) -> None:
    """List the models that can be used.

    Those that are not here are downloaded by `vaultmem model use`.
    """
    found = models(app.home, app.config.config.model)
    if as_json:
        print_json({"models": [one._asdict() for one in found]})
        return
    say_table(
        ["model", "here", "in use", "thresholds"],
        [
            [
                one.name,
                "yes" if one.installed else "",
                "yes" if one.in_use else "",
                "measured" if one.measured else "cautious",
            ]
            for one in found
        ],
    )


@command.command("use")
@click.argument("name")
@json_option
@click.pass_obj
def use_command(app: App, name: str, *, as_json: bool) -> None:
    """Use another model from now on.

    NAME is one of `vaultmem model list`. This is the only command that may download something.
    """
    model = use(app.home, name, agent=app.env.agent)
    if as_json:
        print_json({"name": model.name, "dimension": model.dimension})
        return
    say(f"{model.name} is used from now on. Run `vaultmem reindex` to embed the notes with it.")
