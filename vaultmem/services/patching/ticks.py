"""Remembers which ticks and which decision of an open patch the person did not write.

A tick counts once a person decides, and a note is saved again by whoever edits it next. So what an
agent ticks or decides in the meantime is kept apart, until the person has seen it taken out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from vaultmem.notes.patch import DecodedPatch
    from vaultmem.services.call import Call


class Marks(NamedTuple):
    """What a patch's note held at the last look.

    Attributes:
        known: the ticks that count.
        theirs: those that do not.
        decision: the decision that does not; "" where there is none.
    """

    known: frozenset[str]
    theirs: frozenset[str]
    decision: str


def foreign_ticks(call: Call, patch_id: str) -> frozenset[str]:
    """The operations that something other than the person ticked."""
    return _kept(call, patch_id).theirs


def keep_marks(call: Call, decoded: DecodedPatch, *, foreign: bool) -> Marks:
    """Record the ticks and the decision of a patch's note as it is now.

    Args:
        call: the circumstances.
        decoded: the note.
        foreign: whether its present bytes are neither a device's nor the person's.
    """
    _, theirs, decision = before = _kept(call, decoded.patch.id)
    ticked = frozenset(one.id for one in decoded.patch.operations if one.selected)
    word = decoded.decision.value if decoded.decision is not None else ""
    if foreign:
        theirs |= ticked - before.known
        decision = word
    theirs &= ticked
    marks = Marks(ticked - theirs, theirs, decision if decision == word else "")
    return _keep(call, decoded.patch.id, marks)


def disown_marks(call: Call, decoded: DecodedPatch) -> Marks:
    """Record that ticks and decision are not the person's after all: another device says so.

    Which ticks stood before is not known any more, so none of them counts.
    """
    ticked = frozenset(one.id for one in decoded.patch.operations if one.selected)
    word = decoded.decision.value if decoded.decision is not None else ""
    return _keep(call, decoded.patch.id, Marks(frozenset(), ticked, word))


def _keep(call: Call, patch_id: str, marks: Marks) -> Marks:
    known, theirs = (" ".join(sorted(ticks)) for ticks in marks[:2])
    call.vault.baseline.set_meta(_key(patch_id), f"{known}|{theirs}|{marks.decision}")
    return marks


def _kept(call: Call, patch_id: str) -> Marks:
    kept = call.vault.baseline.meta(_key(patch_id)) or "||"
    known, theirs, decision = kept.split("|")
    return Marks(frozenset(known.split()), frozenset(theirs.split()), decision)


def _key(patch_id: str) -> str:
    return f"ticks {patch_id}"
