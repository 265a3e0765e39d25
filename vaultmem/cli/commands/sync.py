"""`vaultmem sync`: see what was changed in the notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultmem.cli.notebook_lines import VERSION_SHOWN
from vaultmem.cli.opening import open_or_adopt
from vaultmem.cli.output import count, finding_json, json_option, print_json, say, say_findings
from vaultmem.core.place import inside
from vaultmem.services.sync import SyncResult, sync

if TYPE_CHECKING:
    from vaultmem.app import App
    from vaultmem.cli.output import Json


@click.command
@click.option(
    "--accept-deletions", is_flag=True, help="Say that the many missing notes were meant to go."
)
@json_option
@click.pass_obj
def command(app: App, *, accept_deletions: bool, as_json: bool) -> None:
    """Take in what was changed in the notes.

    What you changed is in force at once; what is wrong with a note is told, and its last good
    version stays in force.
    """
    open_or_adopt(app)
    if accept_deletions:
        app.call().person_only("sync --accept-deletions")
    done = sync(app.call(), accept_deletions=accept_deletions)
    if as_json:
        print_json(to_json(done))
        return
    print_sync(done, app.vault.root)


def to_json(done: SyncResult) -> dict[str, Json]:
    """The stable shape: counts, then the single changes and every standing finding."""
    return {
        "created": done.created,
        "edited": done.edited,
        "moved": done.moved,
        "deleted": done.deleted,
        "external": done.external,
        "applied": done.applied,
        "unchanged": done.unchanged,
        "changes": [
            {
                "change": one.change,
                "path": one.path,
                "id": one.id or None,
                "by": one.by or None,
                "keys": list(one.keys),
                "outcome": one.outcome or None,
                "became": one.became or None,
            }
            for one in done.changes
        ],
        "findings": [finding_json(one) for one in done.findings],
        "notebook": done.notebook,
    }


def print_sync(done: SyncResult, root: str) -> None:
    """Tell a person what a sync found; what is wrong with notes of their own is only counted."""
    for one in done.changes[:_SHOWN]:
        what = f" ({', '.join(one.keys)})" if one.keys else ""
        outcome = f" ({one.outcome.replace('_', ' ')})" if one.outcome else ""
        say(f"{one.change:9} {one.path}{what}{outcome}", note=one.path)
        if one.became:
            say(f"          now {one.became}", note=one.became)
    if len(done.changes) > _SHOWN:
        say(f"… and {len(done.changes) - _SHOWN} more")
    parts = [
        f"{number} {word}"
        for word, number in (
            ("created", done.created),
            ("edited", done.edited),
            ("moved", done.moved),
            ("deleted", done.deleted),
            ("external", done.external),
            ("captured", sum(one.change == "captured" for one in done.changes)),
            ("decided", sum(one.change == "decided" for one in done.changes)),
            ("copied", sum(one.change == "copied" for one in done.changes)),
            ("broken", sum(one.change == "broken" for one in done.changes)),
        )
        if number
    ]
    if done.notebook is not None:
        say(f"notebook  what you wrote is in force: version {done.notebook[:VERSION_SHOWN]}")
        parts = parts or ["No other change"]
    say(f"{', '.join(parts) or 'No change'}; {done.unchanged} unchanged.")
    ours = [one for one in done.findings if one.path is None or inside(one.path, root)]
    say_findings(ours)
    if others := len(done.findings) - len(ours):
        say(f"{count(others, 'finding')} in notes of your own; `vaultmem doctor` names them.")


_SHOWN = 40
