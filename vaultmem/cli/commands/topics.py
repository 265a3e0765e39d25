"""`vaultmem topics`: what the memories are about."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from vaultmem.cli.output import json_option, print_json, say, say_table
from vaultmem.core.topics import TopicKind
from vaultmem.services.topics import list_topics

if TYPE_CHECKING:
    from vaultmem.app import App
    from vaultmem.cli.output import Json
    from vaultmem.core.topics import Topic


@click.command
@click.option(
    "--project",
    metavar="P",
    help="Only the memories of this project, by identity, and those that hold everywhere.",
)
@json_option
@click.pass_obj
def command(app: App, *, project: str | None, as_json: bool) -> None:
    """List what the memories are about, the hottest first.

    A topic is a category or a tag. Its hotness is the sum of its memories' scores today, so what
    was confirmed lately and often comes first; a pin makes nothing hotter.
    """
    found = list_topics(app.call(), project=project)
    if as_json:
        print_json({"topics": [_to_json(one) for one in found]})
    elif found:
        say_table(("topic", "memories", "pinned", "hotness", "newest", "length"), map(_row, found))
    else:
        say("No memory is in force. Add one with `vaultmem add`.")


def _row(one: Topic) -> tuple[str, ...]:
    name = f"#{one.name}" if one.kind is TopicKind.TAG else one.name
    numbers = (str(one.entries), str(one.pinned), f"{one.hotness:.2f}")
    return (name, *numbers, _newest(one) or "", str(one.characters))


def _to_json(one: Topic) -> dict[str, Json]:
    hotness = round(one.hotness, 4)
    return {**one._asdict(), "kind": one.kind.value, "hotness": hotness, "newest": _newest(one)}


def _newest(one: Topic) -> str | None:
    """The day of the newest memory; local seconds count as UTC (`core.standing`)."""
    return datetime.fromtimestamp(one.newest, UTC).date().isoformat() if one.newest else None
