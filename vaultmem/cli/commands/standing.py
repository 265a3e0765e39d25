"""A word on one memory: pin, unpin, contest, uncontest, deprecate, exception."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from vaultmem.cli.asking import ratify_option, ratifying
from vaultmem.cli.memory_lines import print_changed
from vaultmem.cli.opening import open_or_adopt
from vaultmem.cli.output import json_option
from vaultmem.services import standing_change

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultmem.app import App
    from vaultmem.services.standing_change import Changed

_name = click.argument("name", metavar="ID")
_reason = click.option(
    "--reason",
    metavar="TEXT",
    default="",
    help="Why, in one sentence; `vaultmem patch show` tells it.",
)


@click.command("pin")
@_name
@ratify_option
@json_option
@click.pass_obj
def pin(app: App, name: str, *, ratified: bool, as_json: bool) -> None:
    """Keep a memory in every report.

    ID is an id, the end of one (six characters or more), a path in the vault, or a title.
    """
    change = partial(standing_change.pin, name=name)
    _carry_out(app, change, "Pinned", ratified=ratified, as_json=as_json)


@click.command("unpin")
@_name
@ratify_option
@json_option
@click.pass_obj
def unpin(app: App, name: str, *, ratified: bool, as_json: bool) -> None:
    """Let a pinned memory stand by its score again.

    ID is an id, the end of one (six characters or more), a path in the vault, or a title.
    """
    change = partial(standing_change.unpin, name=name)
    _carry_out(app, change, "Unpinned", ratified=ratified, as_json=as_json)


@click.command("contest")
@_name
@_reason
@json_option
@click.pass_obj
def contest(app: App, name: str, *, reason: str, as_json: bool) -> None:
    """Put a memory in doubt; it is no rule any more.

    The agent is told that it is contested and must be checked. ID is an id, the end of one (six
    characters or more), a path in the vault, or a title.
    """
    open_or_adopt(app)
    done = standing_change.contest(app.call(), name, reason=reason)
    print_changed(done, "Contested", as_json=as_json)


@click.command("uncontest")
@_name
@_reason
@ratify_option
@json_option
@click.pass_obj
def uncontest(app: App, name: str, *, reason: str, ratified: bool, as_json: bool) -> None:
    """Settle a doubt in favour of a contested memory.

    ID is an id, the end of one (six characters or more), a path in the vault, or a title.
    """
    change = partial(standing_change.uncontest, name=name, reason=reason)
    _carry_out(app, change, "In force again", ratified=ratified, as_json=as_json)


@click.command("deprecate")
@_name
@_reason
@json_option
@click.pass_obj
def deprecate(app: App, name: str, *, reason: str, as_json: bool) -> None:
    """Take a memory out of use and keep its note.

    ID is an id, the end of one (six characters or more), a path in the vault, or a title.
    """
    open_or_adopt(app)
    done = standing_change.deprecate(app.call(), name, reason=reason)
    print_changed(done, "Out of use", as_json=as_json)


@click.command("exception")
@_name
@click.option("--when", metavar="PHRASE", multiple=True, help="Tell it only where this fits.")
@click.option(
    "--not", "not_when", metavar="PHRASE", multiple=True, help="Leave it out where this fits."
)
@click.option(
    "--except", "exceptions", metavar="PHRASE", multiple=True, help="A case it does not cover."
)
@ratify_option
@json_option
@click.pass_obj
def exception(
    app: App,
    name: str,
    *,
    when: tuple[str, ...],
    not_when: tuple[str, ...],
    exceptions: tuple[str, ...],
    ratified: bool,
    as_json: bool,
) -> None:
    """Say where a memory holds, and where it does not.

    Each option may be given several times; phrases are added to those that the note has. ID is an
    id, the end of one (six characters or more), a path in the vault, or a title.
    """
    change = partial(
        standing_change.add_exception,
        name=name,
        when=when,
        not_when=not_when,
        exceptions=exceptions,
    )
    _carry_out(app, change, "Narrowed", ratified=ratified, as_json=as_json)


def _carry_out(
    app: App, change: Callable[..., Changed], word: str, *, ratified: bool, as_json: bool
) -> None:
    """Do what may need the person's ratification, and tell it."""
    open_or_adopt(app)
    done = ratifying(
        lambda yes: change(app.call(), ratified=yes), ratified=ratified, as_json=as_json
    )
    print_changed(done, word, as_json=as_json)
