"""Panels through the agent's own dialogs: what waits in the inbox, and open patches.

Nothing is kept between two dialogs: the name of a panel and the ids of its rows say all that a
decision needs, with the version that the person looked at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.budget import shorten
from vaultmem.errors import NotRatifiedError
from vaultmem.hooks.answers import Action, Level, Panel, Row, Said
from vaultmem.hooks.telling import one_line
from vaultmem.notes.candidate import Decision
from vaultmem.services.curating.candidates import find_waiting, waiting
from vaultmem.services.curating.foresee import foresee
from vaultmem.services.inbox import decide as decide_candidate
from vaultmem.services.inbox_edit import edit_candidate
from vaultmem.services.sync import ensure_current
from vaultmem.store.etag import Etag

if TYPE_CHECKING:
    from vaultmem.hooks.here import Here
    from vaultmem.hooks.payloads import Decided
    from vaultmem.services.curating.candidates import Waiting
    from vaultmem.services.curating.foresee import Foreseen
    from vaultmem.services.inbox import Decided as DecidedCandidate

ROWS = 7
"""From the governed memory's panel (section 18)."""
WIDTH = 68 * 4
"""Quarters of a statement in a row."""
INBOX = "inbox"

_DECISIONS = {
    "approve": Decision.APPROVE,
    "ratify": Decision.APPROVE,
    "reject": Decision.REJECT,
    "defer": Decision.DEFER,
}
_WORDS = {
    "approved": "Remembered",
    "reinforced": "Known already, counted there",
    "rejected": "Rejected",
    "deferred": "Put off",
}


def inbox_panel(here: Here) -> Panel | None:
    """What waits, those that were put off last; None where nothing does."""
    call = here.person()
    ensure_current(call)
    found = waiting(call)
    if not found:
        return None
    shown = found[:ROWS]
    seen = foresee(call, shown)
    rows = tuple(_row(one, said) for one, said in zip(shown, seen, strict=True))
    noun = "candidate" if len(found) == 1 else "candidates"
    return Panel(INBOX, f"Memory inbox: {len(found)} {noun}", rows, len(found) - len(rows))


def decide(here: Here, event: Decided) -> Said:
    """Do what the person chose, and show what still waits.

    Raises:
        VaultmemError: as the service that does it.
    """
    if event.panel == INBOX:
        return _decide_candidate(here, event)
    from vaultmem.hooks.patch_panels import decide_patch  # patches wait seldom

    return decide_patch(here, event)


def _decide_candidate(here: Here, event: Decided) -> Said:
    call = here.person()
    ensure_current(call)
    etag, _, path = event.row.partition(" ")
    if event.action == "edit":
        done = edit_candidate(call, path, statement=event.text, properties={})
        text = "Changed." if done.changed else "Nothing was changed."
    elif event.action in _DECISIONS:
        decision, ratified = _DECISIONS[event.action], event.action == "ratify"
        try:
            text = _told(decide_candidate(call, path, decision, seen=Etag(etag), ratified=ratified))
        except NotRatifiedError as missing:
            return _ask_to_ratify(here, path, event.row, missing)
    else:
        return Said(f"There is no action {one_line(event.action)[:40]!r} here.", Level.ERROR)
    return Said(text, panel=inbox_panel(here))


def _ask_to_ratify(here: Here, path: str, row: str, missing: NotRatifiedError) -> Said:
    """An identity memory needs the person's word for exactly this."""
    what = one_line(missing.what)
    statement = find_waiting(here.person(), path).candidate.memory.statement
    ask = Action("ratify", "Ratify and remember it", asks="confirm", prompt=f"{what} Ratify it?")
    label = shorten(one_line(statement), WIDTH)
    return Said(what, Level.WARNING, Panel(INBOX, what, (Row(row, label, (), (ask,)),)))


def _told(done: DecidedCandidate) -> str:
    lines = [f"{_WORDS[done.outcome]}: {one_line(done.statement)}"]
    if done.before:
        lines.append(f"It stands instead of: {one_line(done.before)}")
    if done.patch is not None:
        lines.append(f"Take it back with `/memory patch revert {done.patch}`.")
    return "\n".join(lines)


def _row(one: Waiting, seen: Foreseen) -> Row:
    memory = one.candidate.memory
    statement = one_line(memory.statement)
    mark = "✓" if seen.verified else "~"
    facts = (memory.category.value, one_line(memory.project or ""), seen.trust.replace("_", " "))
    reasons = tuple(one_line(reason) for reason in seen.reasons)
    return Row(
        id=f"{one.etag} {one.path}",
        label=f"{mark} {memory.confidence:.2f} {shorten(statement, WIDTH)}",
        detail=(", ".join(filter(None, facts)), *reasons, one_line(seen.sentence)),
        actions=(
            Action("approve", "Approve"),
            Action("edit", "Edit", asks="text", prompt="The statement", value=statement),
            Action("reject", "Reject", asks="confirm", prompt=f"Reject “{statement}”?"),
            Action("defer", "Later"),
        ),
    )
