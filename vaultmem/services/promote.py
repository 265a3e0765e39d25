"""Promote: propose stronger forms of memories, and do what a person decided about one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from vaultmem.core.ids import short_id
from vaultmem.core.inert import clean
from vaultmem.core.model import Layer, Status
from vaultmem.core.promotion import (
    Promoted,
    can_be_skill,
    crosses_threshold,
    propose,
    skill_name,
)
from vaultmem.core.promotion_words import Destination, promotion_id
from vaultmem.core.steps import steps_of
from vaultmem.errors import CaptureRefusedError, EditRefusedError
from vaultmem.services.capturing.secret_scan import refuse_fields
from vaultmem.services.lookup import find_memory
from vaultmem.services.promoting.heard import heard_of
from vaultmem.services.promoting.lines import is_decided
from vaultmem.services.promoting.listing import Listed, Shown, list_, show
from vaultmem.services.promoting.over import withdraw
from vaultmem.services.promoting.proposals import (
    VIA,
    find_proposal,
    is_closed,
    may_reopen,
    reopen,
)
from vaultmem.services.promoting.proposing import (
    Earned,
    Proposed,
    earned,
    give,
    is_sure,
    kept_back,
    write,
)
from vaultmem.services.promoting.settling import (
    NOTHING,
    Decided,
    Filling,
    settle_accepted,
    settle_rejected,
)
from vaultmem.services.promoting.trust import is_trusted
from vaultmem.services.sync import ensure_current

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultmem.core.model import Memory
    from vaultmem.services.call import Call
    from vaultmem.services.promoting.suggesting import Knowledge

__all__ = [
    "Decided",
    "Filling",
    "Listed",
    "Proposed",
    "Ran",
    "Shown",
    "accept",
    "consider",
    "list_",
    "propose_one",
    "reject",
    "run",
    "show",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What a look at all memories brought.

    Attributes:
        proposed: new proposals, which wait in `Promotions/`.
        applied: guardrails that policy made; each can be reverted.
        kept_back: why policy made none, one sentence; "" where it might have.
    """

    proposed: tuple[Proposed, ...] = ()
    applied: tuple[Proposed, ...] = ()
    kept_back: str = ""


def run(call: Call, *, knowledge: Knowledge | None = None, only: Iterable[str] = ()) -> Ran:
    """Propose every form that a memory has earned and that was not proposed before.

    What was proposed of a memory that is out of use by now is withdrawn.

    A guardrail that a memory's words spell out is made by policy, if the settings let policy act
    and no agent calls; `services.curating.applied_alone` tells it at the next session's start.

    Args:
        call: the circumstances.
        knowledge: where notes to link are looked for; None suggests none.
        only: ids of the memories to look at; none for all.

    Raises:
        NoteError, ReadOnlyError, DiskFailedError, BusyError: if a note cannot be written.
    """
    ensure_current(call)
    return _run(call, knowledge, frozenset(only))


def _run(call: Call, knowledge: Knowledge | None, only: frozenset[str]) -> Ran:
    why = kept_back(call)
    waiting: list[Proposed] = []
    applied: list[Proposed] = []
    with call.vault.lock():
        withdraw(call)
        for one in list(earned(call, only)):
            if not (one.form.alone and not why and is_sure(call, one.memory)):
                waiting.append(write(call, one, knowledge))
            elif (done := give(call, one)) is not None:
                applied.append(done)
    return Ran(proposed=tuple(waiting), applied=tuple(applied), kept_back=why)


def consider(call: Call, memory: str) -> Ran:
    """As `run` for one memory, if its evidence has just come to 3, 5, or a multiple of 3.

    The baseline must be up to date.

    Raises:
        As `run`.
    """
    standing = call.vault.baseline.standing(memory)
    if standing is None or not crosses_threshold(int(standing.evidence_count)):
        return Ran()
    return _run(call, None, frozenset((memory,)))


def propose_one(
    call: Call,
    name: str,
    destination: Destination,
    *,
    reason: str = "",
    knowledge: Knowledge | None = None,
) -> Proposed:
    """Propose one form of one memory, whether or not it has earned it; an agent may.

    Args:
        call: the circumstances.
        name: what `find_memory` accepts.
        destination: the form.
        reason: why; "" for what the rules say.
        knowledge: where notes to link are looked for; None suggests none.

    Raises:
        NoteNotFoundError, AmbiguousIdError: as `find_memory`.
        CaptureRefusedError: if the reason holds a secret.
        EditRefusedError: if it waits or was accepted, or was rejected and no person asks, or if the
            memory is not active, is of the person's identity, or tells no work for a skill.
        NoteError, ReadOnlyError, DiskFailedError, BusyError: if the note cannot be written.
    """
    ensure_current(call)
    if refusal := refuse_fields(reason):
        raise CaptureRefusedError(refusal.text)
    with call.vault.lock():
        found = find_memory(call, name)
        memory = found.decoded.memory
        _refuse(call, memory, destination)
        heard = heard_of(call, [memory])[memory.id]
        forms = propose(memory, heard, today=call.local.date())
        form = next((one for one in forms if one.destination is destination), None)
        form = form or _unearned(memory, destination)
        form = form._replace(reason=clean(reason).text or form.reason)
        reopen(call, promotion_id(destination, memory.id))
        return write(call, Earned(found, form, heard), knowledge)


def accept(call: Call, name: str, *, filling: Filling = NOTHING) -> Decided:
    """Do what a proposal says, on a person's word; a decision that stands in its note is none.

    Args:
        call: the circumstances; the baseline is up to date (`ensure_current`).
        name: the proposal's id, the end of it, its path, or its title.
        filling: what the note leaves open, or what the person wants otherwise.

    Raises:
        AgentRefusedError: if an agent calls.
        NoteNotFoundError, AmbiguousIdError: as `find_proposal`.
        EditRefusedError: if something other than the person changed what the note proposes, the
            memory says something else by now, or what follows cannot be done.
        CaptureRefusedError, NoteError, ReadOnlyError, DiskFailedError, BusyError: as `carry_out`.
    """
    call.person_only("promote accept")
    with call.vault.lock():
        opened = find_proposal(call, name)
        if not is_trusted(call, opened):
            raise EditRefusedError(
                "Something other than you changed what is proposed after it was made.",
                "Read its note and save it with a change of your own, or reject it.",
                path=opened.path,
            )
        return settle_accepted(call, opened, via=VIA, filling=filling)


def reject(call: Call, name: str) -> Decided:
    """Turn a proposal down; its note goes, and only the person proposes the same again.

    Raises:
        AgentRefusedError: if an agent calls.
        NoteNotFoundError, AmbiguousIdError: as `find_proposal`.
        EditRefusedError: if it was decided.
        NoteError, ReadOnlyError, DiskFailedError, BusyError: if it cannot be written.
    """
    call.person_only("promote reject")
    with call.vault.lock():
        return settle_rejected(call, find_proposal(call, name), via=VIA)


def _refuse(call: Call, memory: Memory, destination: Destination) -> None:
    identifier = promotion_id(destination, memory.id)
    waits = call.vault.baseline.notes_with_id(identifier)
    if waits and not is_decided(call, identifier):
        raise EditRefusedError(
            "That is proposed already, and waits for a decision.",
            f"Look at it with `vaultmem promote show {short_id(identifier)}`.",
            path=waits[0].path,
        )
    if is_closed(call, identifier) and not may_reopen(call, identifier):
        raise EditRefusedError(
            "That was proposed before, and what was decided is not asked again.",
            "See it with `vaultmem promote list --all`; only a person proposes again what was "
            "rejected.",
        )
    if memory.status is not Status.ACTIVE or memory.layer is not Layer.PLAYBOOK:
        raise EditRefusedError(
            "Only an active memory that is not of your identity is promoted.",
            f"Look at it with `vaultmem show {memory.id}`.",
        )
    if destination is Destination.SKILL and not can_be_skill(memory):
        raise EditRefusedError(
            f"A memory of the category `{memory.category}` tells no work to be done; those of "
            "`pattern`, `lesson` and `done` can become skills.",
            "Add a lesson that says what to do, step by step, and propose that.",
        )


def _unearned(memory: Memory, destination: Destination) -> Promoted:
    """A form that somebody asks for before the memory has earned it."""
    if destination is not Destination.SKILL:
        return Promoted(destination, "")
    reason = "" if steps_of(memory.statement) else _NO_STEPS
    return Promoted(destination, reason, skill=skill_name(memory))


_NO_STEPS = "It tells no steps; write them into the text before you accept it."
