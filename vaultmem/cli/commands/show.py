"""`vaultmem show`: one memory or candidate with everything that follows from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultmem.cli.memory_lines import say_shown, shown_json
from vaultmem.cli.output import json_option, print_json
from vaultmem.services.show import show

if TYPE_CHECKING:
    from vaultmem.app import App
    from vaultmem.cli.output import Json


@click.command
@click.argument("name", metavar="ID")
@click.option("--knowledge", is_flag=True, help="Also name the knowledge notes that may say more.")
@json_option
@click.pass_obj
def command(app: App, name: str, *, knowledge: bool, as_json: bool) -> None:
    """Show a memory with its properties and its score.

    ID is an id, the end of one (six characters or more), a path in the vault, or a title; also that
    of a candidate, which is shown with what approving it would do.
    """
    shown = show(app.call(), name)
    if as_json:
        print_json(shown_json(shown) | {"knowledge": _notes(app, shown.id) if knowledge else None})
        return
    say_shown(shown)
    if knowledge:
        from vaultmem.cli.hinting import say_suggestions, suggestions_for  # with the search

        say_suggestions(shown.id, suggestions_for(app, shown.id))


def _notes(app: App, identifier: str) -> list[Json]:
    from vaultmem.cli.hinting import suggestions_for, suggestions_json  # as above

    return suggestions_json(suggestions_for(app, identifier))
