"""`vaultmem forget`: delete a memory, keeping its text or removing every trace of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultmem.cli.apart import goes_with
from vaultmem.cli.asking import confirm, refuse_unattended
from vaultmem.cli.opening import open_or_adopt
from vaultmem.cli.output import count, json_option, print_json, say, say_wrapped
from vaultmem.core.deletion import DeletionReason
from vaultmem.errors import BusyError
from vaultmem.services.forget import forget
from vaultmem.services.purge import foresee, purge
from vaultmem.services.purging.left import Where
from vaultmem.store.sessions.folders import session_folders

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from vaultmem.app import App
    from vaultmem.cli.output import Json
    from vaultmem.services.purge import PurgeReach
    from vaultmem.services.purging.left import Left


@click.command
@click.argument("name", metavar="ID")
@click.option("--purge", "purged", is_flag=True, help="Remove what it said, with every trace.")
@click.option(
    "--also",
    metavar="PATH",
    multiple=True,
    help="With --purge: a note of yours whose lines that say just this go as well.",
)
@click.option(
    "--reason",
    type=click.Choice([reason.value for reason in DeletionReason]),
    default=DeletionReason.USER_REQUESTED.value,
    show_default=True,
    help="What the tombstone says of why.",
)
@click.option("--yes", is_flag=True, help="Purge without a question.")
@json_option
@click.pass_obj
def command(
    app: App,
    name: str,
    *,
    purged: bool,
    also: tuple[str, ...],
    reason: str,
    yes: bool,
    as_json: bool,
) -> int:
    """Delete a memory; --purge removes its text as well.

    ID is an id, the end of one (six characters or more), a path in the vault, or a title. Without
    --purge the note stays and says `status: deleted`; set it to `active` to bring the memory back.
    """
    goes_with("--purge", "--also")
    open_or_adopt(app)
    why = DeletionReason(reason)
    if purged:
        return _purge(app, name, also, why, yes=yes, as_json=as_json)
    done = forget(app.call(), name, reason=why)
    if as_json:
        print_json(
            {"id": done.id, "path": done.path, "mode": "audit_preserving", "changed": done.changed}
        )
        return 0
    say_wrapped(f"{'Forgotten' if done.changed else 'Forgotten before'}: {done.statement}")
    say_wrapped(
        f"The note stays. `vaultmem edit {done.id} --set status active` brings the memory back, "
        f"`vaultmem forget {done.id} --purge` removes what it said."
    )
    return 0


def _purge(
    app: App, name: str, also: tuple[str, ...], why: DeletionReason, *, yes: bool, as_json: bool
) -> int:
    sessions = [one.path for one in session_folders(app.env)]
    seen = None if yes else _ask(app, name, also, sessions, as_json=as_json)
    # what was shown goes, whatever is called so when the person has answered
    name = name if seen is None else seen.id
    done = purge(app.call(), name, reason=why, also=also, sessions=sessions, seen=seen)
    if as_json:
        print_json(
            {
                "id": done.id,
                "mode": "privacy_purge",
                "finished": done.finished,
                "removed": list(done.removed),
                "cut": list(done.cut),
                "left": [_left_json(one) for one in done.left],
            }
        )
    else:
        say(
            f"Purged {done.id}: {count(len(done.removed), 'file')} removed, "
            f"{count(len(done.cut), 'note')} cut."
        )
        _say_left(done.left)
    return 0 if done.finished else BusyError.exit_code


def _ask(
    app: App, name: str, also: tuple[str, ...], sessions: Sequence[Path], *, as_json: bool
) -> PurgeReach:
    """Show what would go and what would be left, and ask; what was shown."""
    call = app.call()
    call.person_only("forget --purge")
    seen = foresee(call, name, also=also, sessions=sessions)
    refuse_unattended(
        "Nothing was removed. Add `--yes` to purge without a question.", as_json=as_json
    )
    say_wrapped(seen.statement or "Nothing is known of its text any more.")
    say("These go or lose lines, and what this machine keeps of it goes too:")
    for path in seen.touched:
        say(f"  {path}")
    _say_left(seen.left)
    confirm(
        "Remove it for good?",
        "Nothing was removed. `--also PATH` takes lines out of a note of yours as well.",
    )
    return seen


def _say_left(left: tuple[Left, ...]) -> None:
    waiting = [one for one in left if one.where is Where.UNFINISHED]
    for head, places in (
        ("Not finished; the next `vaultmem sync` goes on:", waiting),
        ("It still stands in:", [one for one in left if one.certain and one not in waiting]),
        ("It may still stand in:", [one for one in left if not one.certain]),
    ):
        if places:
            say(head)
        for one in places:
            lines = ", ".join(map(str, one.lines[:5])) + (" …" if len(one.lines) > 5 else "")
            say(f"  {place_name(one)}{f' (line {lines})' if lines else ''}")
            say_wrapped(one.how, indent=4)


def place_name(one: Left) -> str:
    """What a place that a purge did not reach is called."""
    return one.path or _NAMES.get(one.where, one.where.value)


_NAMES = {
    Where.OBSIDIAN: "Obsidian's own history",
    Where.WORDING: "earlier wordings",
    Where.UNFINISHED: "this machine's state",
}
"""What a place without a path is called."""


def _left_json(one: Left) -> dict[str, Json]:
    return {
        "where": one.where.value,
        "path": one.path,
        "lines": list(one.lines),
        "certain": one.certain,
        "how": one.how,
    }
