"""Maintain: propose what time and outcomes ask of the memories, in one patch that waits."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.maintenance import MOST, Rates, Subject, is_concerned, operations, urgency
from vaultmem.core.patch_effect import propose
from vaultmem.core.place import archived, inside
from vaultmem.core.state import NOT_IN_FORCE
from vaultmem.errors import CANNOT_WRITE, NoteError
from vaultmem.services import patches
from vaultmem.services.capturing.shown import remember_shown
from vaultmem.services.inquiring.of_candidates import settle_inquiries
from vaultmem.services.lookup import load
from vaultmem.services.maintaining.history import (
    is_maintenance,
    take_back,
    tell,
    told,
    unread_patches,
)
from vaultmem.services.maintaining.outcomes import happened
from vaultmem.services.sync import catch_up, ensure_current

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vaultmem.core.ids import MemoryId
    from vaultmem.core.maintenance import Happened, Told
    from vaultmem.core.model import Memory
    from vaultmem.core.operation import Op, Operation
    from vaultmem.core.standing import Standing
    from vaultmem.services.call import Call
    from vaultmem.services.inquiring.asking import Asked
    from vaultmem.services.patches import OpenPatch


class Planned(NamedTuple):
    """One operation that maintenance proposes.

    Attributes:
        operation: what is proposed, with its computed risk and tick.
        memory: its target as it is in force.
        path: the note, relative to the vault.
    """

    operation: Operation
    memory: Memory
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Maintained:
    """What a run found.

    Attributes:
        planned: what is proposed, the most pressing first.
        left: how many more memories are to be looked at once the patch was decided, which has about
            `core.maintenance.MOST` operations; some of them may ask for nothing.
        proposed: the note of the patch that was made now, None for none.
        proposed_id: its id.
        waiting: the id of an earlier patch of maintenance that waits for a decision; while it does,
            no other is made.
        inquiries: questions that were closed, because they need no answer any more.
    """

    planned: tuple[Planned, ...] = ()
    left: int = 0
    proposed: str | None = None
    proposed_id: str | None = None
    waiting: str | None = None
    inquiries: tuple[Asked, ...] = ()


def plan(call: Call) -> Maintained:
    """What maintenance would propose now; nothing is written.

    Raises:
        BusyError, VaultError: as `catch_up`.
    """
    catch_up(call)
    found = _look(call)
    if call.agent is not None:
        remember_shown(call, (one.memory.statement for one in found.planned))
    return found


def maintain(call: Call) -> Maintained:
    """Propose it, in one patch that waits in the inbox; where one waits already, nothing more.

    A second run finds nothing to propose: each kind of operation is proposed once in a memory's
    review period, whatever became of it.

    Raises:
        AgentRefusedError: if an agent calls.
        NoteError, ReadOnlyError, DiskFailedError, BusyError: as `write_notes`.
    """
    call.person_only("maintain run")
    ensure_current(call)
    return _run(call)


def maintain_by_policy(call: Call) -> Maintained:
    """The same for `services.maintaining.daily`; while a patch waits, nothing is looked at.

    Args:
        call: the circumstances; policy acts, and the baseline is up to date.

    Raises:
        NoteError, ReadOnlyError, DiskFailedError, BusyError: as `write_notes`.
    """
    if (waits := _waiting(call, patches.open_patches(call))) is not None:
        return Maintained(waiting=waits, inquiries=settle_inquiries(call))
    return _run(call)


def _run(call: Call) -> Maintained:
    with call.vault.lock():
        settled = settle_inquiries(call)
        found = replace(_look(call), inquiries=settled)
        if not found.planned or found.waiting is not None:
            return found
        # one that holds a secret stops no other
        clean = tuple(one for one in found.planned if not patches.holds_secret(one.operation))
        return _propose(call, replace(found, planned=clean)) if clean else found


def _propose(call: Call, found: Maintained) -> Maintained:
    patch = patches.new(call, [(one.operation, one.memory) for one in found.planned])
    tell(call, patch, {one.memory.id: one.memory for one in found.planned})
    try:
        path = patches.save(call, patch)
    except (NoteError, *CANNOT_WRITE):
        take_back(call, patch)
        raise
    return replace(found, proposed=path, proposed_id=patch.id)


def _look(call: Call) -> Maintained:
    waiting = patches.open_patches(call)
    proposed = {(one.target, one.op) for opened in waiting for one in opened.patch.operations}
    outcomes, unread = happened(call), unread_patches(call)
    concerned = _concerned(call, outcomes)
    planned: list[Planned] = []
    looked = 0
    while looked < len(concerned) and len(planned) < MOST:
        row = concerned[looked]
        before = told(call, row.id, unread=unread)
        planned += _planned(call, row, outcomes.get(row.id, ()), before, proposed)
        looked += 1
    planned.sort(key=lambda one: urgency(one.operation))
    left = len(concerned) - looked
    return Maintained(planned=tuple(planned), left=left, waiting=_waiting(call, waiting))


def _waiting(call: Call, opened: list[OpenPatch]) -> str | None:
    """The id of a patch of maintenance that waits for a decision."""
    return next((one.id for one in opened if is_maintenance(call, one.id)), None)


def _concerned(call: Call, outcomes: Mapping[str, tuple[Happened, ...]]) -> list[Standing]:
    """The memories for which there may be something to propose; those that were corrected first.

    What is proposed for a note that may not be written, the person could only be told about.
    """
    now = call.seconds
    found = [
        row
        for row in call.vault.baseline.standings()
        if is_concerned(row, now, outcomes.get(row.id, ())) and _may_be_written(call, row.path)
    ]
    return sorted(found, key=lambda row: (row.id not in outcomes, row.id))


def _may_be_written(call: Call, path: str) -> bool:
    note = call.vault.baseline.note(path)
    return inside(path, call.vault.root) and note is not None and note.state not in NOT_IN_FORCE


def _planned(
    call: Call,
    row: Standing,
    outcomes: tuple[Happened, ...],
    before: Mapping[Op, Told],
    proposed: set[tuple[MemoryId | None, Op]],
) -> list[Planned]:
    """What is proposed for one memory, less what was proposed before, or is in an open patch."""
    if not is_concerned(row, call.seconds, outcomes, before):
        return []
    known = call.vault.baseline.memory(row.id)
    if known is None:  # pragma: no cover - the standing is of the same row
        return []
    try:
        memory = load(call, known).decoded.memory
    except NoteError:  # what this machine kept of it is damaged, which `doctor` finds
        return []
    subject = Subject(
        memory=memory,
        row=row,
        happened=outcomes,
        told=before,
        archived=archived(row.path, call.vault.root),
    )
    rates = Rates(call.governance.semi_stable_decay, call.governance.stable_decay)
    return [
        Planned(propose(one, memory), memory, row.path)
        for one in operations(subject, call.seconds, rates)
        if (one.target, one.op) not in proposed
    ]
