"""`vaultmem reindex`: build the search index anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultmem.cli.output import count, counter, json_option, print_json, say
from vaultmem.services.reindex import reindex

if TYPE_CHECKING:
    from vaultmem.app import App


@click.command
@click.option(
    "--keyword-only",
    is_flag=True,
    help="Index the words now and leave the meaning to later searches.",
)
@json_option
@click.pass_obj
def command(app: App, *, keyword_only: bool, as_json: bool) -> None:
    """Build the search index anew."""
    with counter("Embedding") as progress:
        done = reindex(
            app.call(),
            app.engine,
            others=app.knowledge_vaults,
            vectors=not keyword_only,
            progress=progress,
        )
    if as_json:
        print_json({"notes": done.notes, "embedded": done.embedded, "degraded": done.degraded})
        return
    say(f"{count(done.notes, 'note')} indexed, {count(done.embedded, 'text')} embedded.")
    if done.degraded:
        say(f"Note: {done.degraded}")
