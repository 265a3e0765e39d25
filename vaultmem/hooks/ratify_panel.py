"""The panel of memories that want to act: the person gives force to one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.force import acts_sentence
from vaultmem.core.wording import count
from vaultmem.hooks.answers import RATIFY, Action, Panel, Row, Said
from vaultmem.hooks.telling import MOST_ROWS, one_line, row_label, unknown
from vaultmem.services.as_shown import need_as_shown
from vaultmem.services.ratify import ratify_seen, unreviewed

if TYPE_CHECKING:
    from vaultmem.hooks.here import Here
    from vaultmem.hooks.payloads import Decided
    from vaultmem.services.lookup import FoundMemory


def ratify_panel(here: Here) -> Panel | None:
    """What `ratify --review` asks of; None where nothing wants to act."""
    found = unreviewed(here.person())
    if not found:
        return None
    rows = tuple(map(_row, found[:MOST_ROWS]))
    wants = count(len(found), "memory wants", "memories want")
    return Panel(
        RATIFY, f"{wants} to act, unreviewed on this machine", rows, len(found) - len(rows)
    )


def decide_ratify(here: Here, event: Decided) -> Said:
    """Give force to the version that the person looked at.

    Raises:
        NoteChangedError: if it is another one by now, or wants nothing any more.
        VaultmemError: as `ratify_seen`.
    """
    if event.action != RATIFY:
        return unknown("action", event.action)
    chosen = [one for one in unreviewed(here.person()) if _name(one) == event.row]
    need_as_shown("The memory", same=bool(chosen))
    done = ratify_seen(here.person(), chosen[0])
    return Said(f"It may act now: {one_line(done.statement)}", panel=ratify_panel(here))


def _name(one: FoundMemory) -> str:
    """The memory and what exactly would be signed."""
    return f"{one.row.force_mac} {one.row.id}"


def _row(one: FoundMemory) -> Row:
    memory = one.decoded.memory
    statement = one_line(memory.statement)
    acts = one_line(acts_sentence(memory))
    ask = Action(RATIFY, "Let it act", asks="confirm", prompt=f"{acts} Let it?")
    return Row(_name(one), row_label(statement), (one_line(one.row.path), acts), (ask,))
