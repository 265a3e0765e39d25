"""What comes of a person's decision about a proposal."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.ids import MemoryId
from vaultmem.core.inert import clean
from vaultmem.core.inference import Guardrail
from vaultmem.core.normal import statement_key
from vaultmem.core.place import Kind
from vaultmem.core.promotion_words import Destination, PromotionStatus, promotion_id
from vaultmem.errors import CaptureRefusedError, EditRefusedError, NoteNotFoundError
from vaultmem.services.capturing.secret_scan import refuse_fields
from vaultmem.services.lookup import FoundMemory, load, refuse_copies
from vaultmem.services.promoting.effects import KEPT, carry_out
from vaultmem.services.promoting.lines import is_decided, said
from vaultmem.services.promoting.proposals import close, memory_id_of, put_away

if TYPE_CHECKING:
    from vaultmem.notes.promotion import Promotion
    from vaultmem.services.call import Call
    from vaultmem.services.promoting.opened import Opened


class Decided(NamedTuple):
    """What came of a decision.

    Attributes:
        outcome: accepted or rejected.
        path: the note that was made, linked or changed; of a rejection the one that was removed.
        patch: the patch that changed the memory, "" where none was needed; it can be reverted.
        text: a text that the person uses themselves, "" for none.
    """

    id: str
    outcome: str
    destination: Destination
    memory: str
    statement: str
    path: str
    patch: str = ""
    text: str = ""


class Filling(NamedTuple):
    """What a person says with a command instead of in the note; "" leaves what is there."""

    trigger: str = ""
    action: str = ""
    verifier: str = ""
    skill: str = ""
    note: str = ""


NOTHING = Filling()


def settle_accepted(call: Call, opened: Opened, *, via: str, filling: Filling = NOTHING) -> Decided:
    """Accept it; the caller holds the lock, and a person decided.

    Raises:
        EditRefusedError: if it was decided, the memory says something else by now, or what follows
            cannot be done.
        AmbiguousIdError: if its note was copied.
        CaptureRefusedError, NoteError, ReadOnlyError, DiskFailedError, BusyError: as `carry_out`.
    """
    _refuse_unless_open(call, opened)
    found = _memory_of(call, opened)
    promotion = _filled(opened.promotion, filling)
    if statement_key(found.decoded.memory.statement) != statement_key(promotion.statement):
        raise EditRefusedError(
            "The memory says something else than it did when this was proposed.",
            "Reject this, and change the memory yourself.",
            path=opened.path,
        )
    patch, path = carry_out(call, promotion, found)
    keep = promotion.destination in KEPT
    close(call, opened, found.row.id, PromotionStatus.ACCEPTED, via=via, keep=keep)
    return Decided(
        id=opened.id,
        outcome=PromotionStatus.ACCEPTED.value,
        destination=promotion.destination,
        memory=found.row.id,
        statement=promotion.statement,
        path=path,
        patch=patch,
        text=promotion.draft if promotion.destination is Destination.PROJECT_RULE else "",
    )


def settle_rejected(call: Call, opened: Opened, *, via: str) -> Decided:
    """Reject it; the caller holds the lock, and a person decided.

    Where that was said already and its note is still there, as after a kill, the note goes.

    Raises:
        EditRefusedError: if it was accepted before.
        AmbiguousIdError: if its note was copied.
        NoteError, ReadOnlyError, DiskFailedError, BusyError: if it cannot be written.
    """
    promotion, memory = opened.promotion, memory_id_of(call, opened)
    refuse_copies(call, opened.id, opened.path, Kind.PROMOTION)
    if said(call, opened.id).status is PromotionStatus.REJECTED:
        put_away(call, opened, PromotionStatus.REJECTED, via=via, keep=False)
    else:
        _refuse_unless_open(call, opened)
        close(call, opened, memory, PromotionStatus.REJECTED, via=via, keep=False)
    return Decided(
        id=opened.id,
        outcome=PromotionStatus.REJECTED.value,
        destination=promotion.destination,
        memory=memory,
        statement=promotion.statement,
        path=opened.path,
    )


def _refuse_unless_open(call: Call, opened: Opened) -> None:
    """Refuse what was decided, or what was copied, so that nobody knows which note counts.

    Raises:
        EditRefusedError: if it was decided.
        AmbiguousIdError: if another note is of the same proposal.
    """
    refuse_copies(call, opened.id, opened.path, Kind.PROMOTION)
    if is_decided(call, opened.id):
        raise EditRefusedError(
            "That was decided before, and is not decided again.",
            "Delete its note when you need it no more.",
            path=opened.path,
        )


def _memory_of(call: Call, opened: Opened) -> FoundMemory:
    """The memory that a proposal is about, if its note names it as it did.

    Raises:
        NoteNotFoundError: if it is gone, or the note names another one.
    """
    identifier = memory_id_of(call, opened)
    row = call.vault.baseline.memory(identifier) if identifier else None
    if row is None or promotion_id(opened.promotion.destination, MemoryId(row.id)) != opened.id:
        raise NoteNotFoundError(
            "The memory of the proposal is gone, or its `memory` or `destination` was changed.",
            "Undo the edit, or reject the proposal.",
            path=opened.path,
        )
    return load(call, row)


def _filled(promotion: Promotion, filling: Filling) -> Promotion:
    """The proposal with what the person said.

    Raises:
        CaptureRefusedError: if it holds a secret.
    """
    if refusal := refuse_fields(*filling):
        raise CaptureRefusedError(refusal.text)
    said = Filling(*(clean(text).text for text in filling))
    had = promotion.guardrail
    guardrail = Guardrail(
        said.trigger or had.trigger, said.action or had.action, said.verifier or had.verifier
    )
    draft = promotion.draft
    if said.skill and promotion.skill:
        draft = draft.replace(f"name: {promotion.skill}\n", f"name: {said.skill}\n", 1)
    return replace(
        promotion,
        guardrail=guardrail,
        skill=said.skill or promotion.skill,
        note=said.note or promotion.note,
        draft=draft,
    )
