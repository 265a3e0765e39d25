"""The proposals of promotions for a person to look at: a list, and one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.promotion import Heard, requirements
from vaultmem.core.promotion_words import Destination, PromotionStatus
from vaultmem.core.state import MemoryState
from vaultmem.services.capturing.shown import remember_shown
from vaultmem.services.lookup import load
from vaultmem.services.promoting.heard import heard_of
from vaultmem.services.promoting.lines import Said, all_said, is_out_of_use, said
from vaultmem.services.promoting.proposals import (
    find_proposal,
    memory_id_of,
    proposals,
)
from vaultmem.services.promoting.suggesting import Knowledge, suggestions

if TYPE_CHECKING:
    from vaultmem.core.promotion import Requirement
    from vaultmem.notes.promotion import Promotion
    from vaultmem.services.call import Call
    from vaultmem.services.promoting.opened import Opened
    from vaultmem.services.vault_ref import Suggestion

DELETED = "deleted"
"""The status of a proposal whose note is gone without a decision: the person turned it down."""


OVER = "over"
"""The status of one whose memory is out of use; it waits for nobody and is taken away."""


class Listed(NamedTuple):
    """One proposal in a list.

    Attributes:
        status: proposed, accepted, rejected, deleted, or over.
        memory: the memory's id, "" where nobody knows it any more.
        statement: what the memory says now, "" if it is gone.
        path: the proposal's note, "" if there is none.
        sessions: in how many the user said it.
        by: who proposed or decided it: person, agent, policy; "" where no line says.
        at: when, UTC, ISO 8601; "" likewise.
    """

    id: str
    destination: Destination | None
    status: str
    memory: str
    statement: str
    path: str
    sessions: int
    by: str
    at: str


class Shown(NamedTuple):
    """A proposal with what is looked up for it now.

    Attributes:
        listed: as a list has it.
        promotion: as its note says it.
        heard: what the user said until now.
        requirements: what a knowledge note needs, as it is now; for a `vault_ref` only.
        suggested: knowledge notes that may say more, the best first; for a `vault_ref` only.
    """

    listed: Listed
    promotion: Promotion
    heard: Heard
    requirements: tuple[Requirement, ...]
    suggested: tuple[Suggestion, ...]


def list_(call: Call, *, everything: bool = False) -> list[Listed]:
    """The proposals that wait; with `everything` also what was decided, the oldest first.

    The baseline must be up to date.
    """
    notes = {one.id: one for one in proposals(call)}
    known = all_said(call) if everything else {name: said(call, name) for name in notes}
    names = {**notes, **known}
    found = [_listed(call, name, known.get(name, Said()), notes.get(name)) for name in names]
    chosen = [one for one in found if everything or one.status == PromotionStatus.PROPOSED]
    if call.agent is not None:
        remember_shown(call, [one.statement for one in chosen])
    return sorted(chosen, key=lambda one: (one.at, one.id))


def show(call: Call, name: str, *, knowledge: Knowledge | None = None) -> Shown:
    """One proposal with everything that is known of it; the baseline must be up to date.

    Raises:
        NoteNotFoundError, AmbiguousIdError: as `find_proposal`.
    """
    opened = find_proposal(call, name)
    listed = _listed(call, opened.id, said(call, opened.id), opened)
    row = call.vault.baseline.memory(listed.memory) if listed.memory else None
    if call.agent is not None:
        remember_shown(call, [listed.statement, *opened.decoded.body.splitlines()])
    if row is None or row.state == MemoryState.GONE:
        return Shown(listed, opened.promotion, Heard(), (), ())
    memory = load(call, row).decoded.memory
    found = heard_of(call, [memory])[memory.id]
    is_ref = opened.promotion.destination is Destination.VAULT_REF
    needs = requirements(memory, found, today=call.local.date()) if is_ref else ()
    suggested = suggestions(call, knowledge, memory, opened.promotion.destination)
    return Shown(listed, opened.promotion, found, needs, suggested)


def _listed(call: Call, identifier: str, one: Said, opened: Opened | None) -> Listed:
    status = one.status.value if one.status is not None else PromotionStatus.PROPOSED.value
    if opened is None and status == PromotionStatus.PROPOSED:
        status = DELETED
    memory = one.memory or (memory_id_of(call, opened) if opened is not None else "")
    if status == PromotionStatus.PROPOSED and is_out_of_use(call, memory):
        status = OVER
    standing = call.vault.baseline.standing(memory) if memory else None
    destination = opened.promotion.destination if opened is not None else one.destination
    return Listed(
        id=identifier,
        destination=destination,
        status=status,
        memory=memory,
        statement=standing.statement if standing is not None else "",
        path=opened.path if opened is not None else "",
        sessions=one.sessions or (opened.promotion.evidence_count if opened is not None else 0),
        by=one.by,
        at=one.at,
    )
