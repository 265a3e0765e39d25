"""A person's decision about a candidate at the terminal, and what is said of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.cli.asking import open_in_editor, ratifying
from vaultmem.cli.output import say, say_wrapped
from vaultmem.services.inbox import OUTCOMES, decide
from vaultmem.services.inbox_edit import open_candidate, take_in_candidate

if TYPE_CHECKING:
    from vaultmem.app import App
    from vaultmem.notes.candidate import Decision
    from vaultmem.services.edit import Edited
    from vaultmem.services.inbox import Decided
    from vaultmem.store.etag import Etag


def decide_and_ask(
    app: App,
    name: str,
    decision: Decision,
    *,
    seen: Etag | None = None,
    ratified: bool = False,
    as_json: bool = False,
) -> Decided:
    """Carry out a decision; an identity memory asks the person at the terminal to ratify it.

    Args:
        app: this process.
        name: the candidate, as `find_waiting` takes it.
        decision: approve, reject or defer.
        seen: the version that the person looked at.
        ratified: what `--ratify` said.
        as_json: a program reads the answer, so nothing is asked.

    Raises:
        As `services.inbox.decide` and `ratifying`.
    """
    return ratifying(
        lambda yes: decide(app.call(), name, decision, seen=seen, ratified=yes),
        ratified=ratified,
        as_json=as_json,
    )


def edit_in_editor(app: App, name: str) -> Edited:
    """Let the person change a candidate in their own editor.

    Raises:
        As `open_candidate`, `open_in_editor` and `take_in_candidate`.
    """
    opened = open_candidate(app.call(), name)
    open_in_editor(app.vault.path / opened.path)
    return take_in_candidate(app.call(), opened)  # at another moment: editing takes its time


def say_edited(done: Edited) -> None:
    """Whether an edit changed anything."""
    say(f"{'Changed' if done.changed else 'Nothing was changed in'} {done.path}", note=done.path)


def say_decided(done: Decided) -> None:
    """What became of a candidate and of the memory that it is about, and how to take it back."""
    say_wrapped(f"{OUTCOMES[done.outcome]}: {done.statement}")
    if done.outcome in ("approved", "reinforced"):
        say(f"  {done.path}", note=done.path)
    if done.before:
        say_wrapped(f"It stands instead of: {done.before}", indent=2)
    if done.patch is not None:
        say_wrapped(f"Take it back with `vaultmem patch revert {done.patch}`.", indent=2)
