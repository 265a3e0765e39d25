"""Remembers which ticks of an open patch the person did not set.

A tick counts once a person decides, and a note is saved again by whoever edits it next. So what an
agent ticks in the meantime is kept apart, until the person has seen it taken out.
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
    """

    known: frozenset[str]
    theirs: frozenset[str]


def foreign_ticks(call: Call, patch_id: str) -> frozenset[str]:
    """The operations that something other than the person ticked."""
    return _kept(call, patch_id).theirs


def keep_marks(call: Call, decoded: DecodedPatch, *, foreign: bool) -> None:
    """Record the ticks of a patch's note as it is now.

    Args:
        call: the circumstances.
        decoded: the note.
        foreign: whether its present bytes are neither a device's nor the person's.
    """
    known, theirs = _kept(call, decoded.patch.id)
    ticked = _ticked(decoded)
    if foreign:
        theirs |= ticked - known
    theirs &= ticked
    _keep(call, decoded.patch.id, Marks(ticked - theirs, theirs))


def disown_marks(call: Call, decoded: DecodedPatch) -> None:
    """Record that the ticks are not the person's after all: another device says so.

    Which ticks stood before is not known any more, so none of them counts.
    """
    _keep(call, decoded.patch.id, Marks(frozenset(), _ticked(decoded)))


def _ticked(decoded: DecodedPatch) -> frozenset[str]:
    return frozenset(one.id for one in decoded.patch.operations if one.selected)


def _keep(call: Call, patch_id: str, marks: Marks) -> None:
    known, theirs = (" ".join(sorted(ticks)) for ticks in marks)
    call.vault.baseline.set_meta(_key(patch_id), f"{known}|{theirs}")


def _kept(call: Call, patch_id: str) -> Marks:
    kept = call.vault.baseline.meta(_key(patch_id)) or "|"
    known, theirs = (frozenset(ticks.split()) for ticks in kept.split("|")[:2])
    return Marks(known, theirs)


def _key(patch_id: str) -> str:
    return f"ticks {patch_id}"
