"""`vaultmem topics`: what the memories are about."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from vaultmem.cli.output import json_option, print_json, say, say_table, say_wrapped
from vaultmem.cli.projects import read_of
from vaultmem.core.topics import TopicKind
from vaultmem.services.topics import list_topics

if TYPE_CHECKING:
    from vaultmem.app import App
    from vaultmem.cli.output import Json
    from vaultmem.core.topics import Topic


_HOTNESS = (
    "Hotness is the sum of the memories' scores today: it grows with evidence and fades with time."
)


@click.command
@click.option(
    "--project",
    metavar="P",
    help="Only those of this project, by identity or its last part, and those of none.",
)
@json_option
@click.pass_obj
def command(app: App, *, project: str | None, as_json: bool) -> None:
    """List what the memories are about, the hottest first.

    A topic is a category or a tag. Its hotness is the sum of its memories' scores today, so what
    was confirmed lately and often comes first; a pin makes nothing hotter. The characters are those
    of all its statements; four are about a token.
    """
    found = list_topics(app.call(), project=read_of(app, project))
    if as_json:
        print_json({"topics": [_to_json(one) for one in found]})
    elif found:
        say_table(
            ("topic", "memories", "pinned", "hotness", "newest", "characters"), map(_row, found)
        )
        say_wrapped(_HOTNESS)
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
