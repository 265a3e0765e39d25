"""Panels through the agent's own dialogs: what waits in the inbox, and open patches.

Nothing is kept between two dialogs: the name of a panel and the ids of its rows say all that a
decision needs, with the version that the person looked at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.budget import shorten
from vaultmem.core.force import acts_sentence
from vaultmem.core.wording import count
from vaultmem.errors import NotRatifiedError, VaultmemError
from vaultmem.hooks.answers import INBOX, RATIFY, Action, Level, Panel, Row, Said
from vaultmem.hooks.boundary import or_else
from vaultmem.hooks.telling import MOST_ROWS, ROW_WIDTH, in_window, one_line, row_label, unknown
from vaultmem.notes.candidate import Decision
from vaultmem.services.curating.candidates import find_waiting, waiting
from vaultmem.services.curating.foresee import foresee
from vaultmem.services.inbox import OUTCOMES
from vaultmem.services.inbox import decide as decide_candidate
from vaultmem.services.inbox_edit import edit_candidate
from vaultmem.services.sync import ensure_current
from vaultmem.store.etag import Etag

if TYPE_CHECKING:
    from vaultmem.core.model import Memory
    from vaultmem.hooks.here import Here
    from vaultmem.hooks.payloads import Decided
    from vaultmem.services.curating.candidates import Waiting
    from vaultmem.services.curating.foresee import Foreseen
    from vaultmem.services.inbox import Decided as DecidedCandidate

LEGEND = "✓ passed the checks, ~ did not; the number: how sure, of 1"
"""What stands before a statement."""

_DECISIONS = {
    "approve": Decision.APPROVE,
    "ratify": Decision.APPROVE,
    "reject": Decision.REJECT,
    "defer": Decision.DEFER,
}


def inbox_panel(here: Here) -> Panel | None:
    """What waits, those that were put off last; None where nothing does."""
    call = here.person()
    ensure_current(call)
    found = waiting(call)
    if not found:
        return None
    shown = found[:MOST_ROWS]
    seen = foresee(call, shown)
    rows = tuple(_row(one, said) for one, said in zip(shown, seen, strict=True))
    title = f"Memory inbox: {count(len(found), 'candidate')} ({LEGEND})"
    return Panel(INBOX, title, rows, len(found) - len(rows))


def nothing_waits(here: Here) -> str:
    """What is said where no candidate waits, with what else does; the baseline is up to date."""
    from vaultmem.services.waiting import what_waits  # seldom asked

    return in_window(what_waits(here.person()).no_candidate)


def decide(here: Here, event: Decided) -> Said:
    """Do what the person chose, and show what still waits; what is refused is told with it."""
    try:
        return _decide(here, event)
    except VaultmemError as error:
        now = or_else(here, lambda: _panel_of(here, event), None)
        return Said(in_window(one_line(str(error))), Level.ERROR, panel=now)


def _decide(here: Here, event: Decided) -> Said:
    if event.panel == INBOX:
        return _decide_candidate(here, event)
    if event.panel == RATIFY:
        from vaultmem.hooks.ratify_panel import decide_ratify  # nor is this asked for often

        return decide_ratify(here, event)
    from vaultmem.hooks.patch_panels import decide_patch  # patches wait seldom

    return decide_patch(here, event)


def _panel_of(here: Here, event: Decided) -> Panel | None:
    """The list that the decision came from, as it is now."""
    if event.panel == INBOX:
        return inbox_panel(here)
    if event.panel == RATIFY:
        from vaultmem.hooks.ratify_panel import ratify_panel  # as above

        return ratify_panel(here)
    from vaultmem.hooks.patch_panels import review_panel  # as above

    return review_panel(here)


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
        return unknown("action", event.action)
    return Said(text, panel=inbox_panel(here))


def _ask_to_ratify(here: Here, path: str, row: str, missing: NotRatifiedError) -> Said:
    """An identity memory needs the person's word for exactly this."""
    what = one_line(missing.what)
    statement = find_waiting(here.person(), path).candidate.memory.statement
    ask = Action("ratify", "Ratify and remember it", asks="confirm", prompt=f"{what} Ratify it?")
    rows = (Row(row, row_label(statement), (), (ask,)),)
    return Said(what, Level.WARNING, Panel(INBOX, what, rows))


def _told(done: DecidedCandidate) -> str:
    lines = [f"{OUTCOMES[done.outcome]}: {one_line(done.statement)}"]
    if done.before:
        lines.append(f"It stands instead of: {one_line(done.before)}")
    if done.patch is not None:
        lines.append(f"Take it back with `/memory patch revert {done.patch}`.")
    return "\n".join(lines)


def _approve(memory: Memory) -> Action:
    """A guardrail is not taken in with one click on an innocent sentence."""
    if not memory.enforced:
        return Action("approve", "Approve")
    prompt = f"{one_line(acts_sentence(memory))} Approve it?"
    return Action("approve", "Approve", asks="confirm", prompt=prompt)


def _row(one: Waiting, seen: Foreseen) -> Row:
    memory = one.candidate.memory
    statement = one_line(memory.statement)
    kind = " [guardrail]" if memory.enforced else ""  # its statement need not say so
    mark = "✓" if seen.verified else "~"
    facts = (memory.category.value, one_line(memory.project or ""), seen.trust.replace("_", " "))
    told = (", ".join(filter(None, facts)), seen.why, acts_sentence(memory), seen.sentence)
    return Row(
        id=f"{one.etag} {one.path}",
        label=f"{mark} {memory.confidence:.2f} {shorten(statement, ROW_WIDTH)}{kind}",
        detail=tuple(in_window(one_line(one)) for one in told if one),
        actions=(
            _approve(memory),
            Action("edit", "Edit", asks="text", prompt="The statement", value=statement),
            Action("reject", "Reject", asks="confirm", prompt=f"Reject “{statement}”?"),
            Action("defer", "Later"),
        ),
    )
