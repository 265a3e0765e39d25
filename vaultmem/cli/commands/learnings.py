"""`vaultmem learnings`: browse what was learned."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultmem.cli.asking import somebody_looks
from vaultmem.cli.learning_lines import say_learning, to_json
from vaultmem.cli.output import count, json_option, print_json, say, say_wrapped
from vaultmem.core.model import Category
from vaultmem.core.topics import IDENTITY
from vaultmem.services.learnings import learnings

if TYPE_CHECKING:
    from vaultmem.app import App


@click.command
@click.argument("query", required=False, default="")
@click.option(
    "--category",
    type=click.Choice([*(one.value for one in Category), IDENTITY]),
    help="Only memories of this category, or of your identity.",
)
@click.option(
    "--all", "everything", is_flag=True, help="Also those that are not in force any more."
)
@json_option
@click.pass_obj
def command(app: App, query: str, *, category: str | None, everything: bool, as_json: bool) -> None:
    """Browse the memories that are in force.

    QUERY is words that the statement must hold. The pinned stand first, then the strongest. At a
    terminal you can expand, edit, pin and deprecate them by their numbers.
    """
    found = learnings(app.call(), query, kind=category or "", everything=everything)
    if as_json:
        print_json({"learnings": [to_json(one) for one in found]})
        return
    if not found:
        more = "" if everything else " `--all` also looks at what is not in force any more."
        say_wrapped(f"Nothing was learned that fits. Add a memory with `vaultmem add`.{more}")
    elif somebody_looks() and app.env.agent is None:
        from vaultmem.cli.browse import browse

        browse(app, found)
    else:
        for number, one in enumerate(found, 1):
            say_learning(one, number)
        say(f"{count(len(found), 'memory', 'memories')}.")
