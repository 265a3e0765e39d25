"""Apply a patch: what a person ticked or named, or what policy may do by itself."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from vaultmem.core.patch_rules import Applier
from vaultmem.core.patch_status import PatchStatus
from vaultmem.errors import NoteChangedError, NoteNotFoundError, PatchRefusedError
from vaultmem.services.call import Actor
from vaultmem.services.decided import says_otherwise
from vaultmem.services.patches import new
from vaultmem.services.patching import ledger as patch_ledger
from vaultmem.services.patching.effects import close_note
from vaultmem.services.patching.result import Applied, Done, Skipped
from vaultmem.services.patching.run import Run, new_row
from vaultmem.services.patching.ticks import foreign_ticks
from vaultmem.services.revert import go_on
from vaultmem.store.etag import etag_of
from vaultmem.store.files import read_note

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from vaultmem.core.model import Memory
    from vaultmem.core.operation import Operation
    from vaultmem.core.patch import Patch
    from vaultmem.services.call import Call
    from vaultmem.services.patches import OpenPatch

__all__ = ["Applied", "Done", "Skipped", "apply", "apply_all", "resume"]


def apply(
    call: Call,
    patch: Patch,
    *,
    applier: Applier,
    selected: frozenset[str] | None = None,
    ratified: bool = False,
    via: str,
    opened: OpenPatch | None = None,
    told: Callable[[int], None] = lambda _done: None,
) -> Applied:
    """Apply operations of a patch; every rule is checked again now.

    What was begun before a crash is finished first. A tombstone is an obstacle here: whoever lets a
    person approve a text that was deleted withdraws it before (`services.tombstones.withdraw`).

    Args:
        call: the circumstances; the baseline is up to date (`ensure_current`).
        patch: as `services.patches.new` made it, or as its note says.
        applier: on whose word.
        selected: the ids of the operations; None for those that are ticked, of which those do not
            count that something other than the person ticked.
        ratified: the person ratifies it in so many words, which L1 needs.
        via: the verb, for the ledger.
        opened: the open note that the patch was read from. Then each operation must be as a device
            proposed it, and the note is closed in the end.
        told: is told now and then how many operations are done.

    Raises:
        AgentRefusedError: if an agent calls.
        NoteNotFoundError: if the patch has no operation of such an id.
        NoteChangedError: if the open note was edited since it was read.
        PatchRefusedError: if nothing is chosen, and to close it would lose what it proposes.
        NoteError, ReadOnlyError, DiskFailedError, BusyError: as `write_notes`; what was begun is
            finished by the next sync.
    """
    call.person_only("patch apply")
    with call.vault.lock():
        waiting = {one.id: one for one in resume(call)}
        if patch.id in waiting:
            return waiting[patch.id]
        if opened is not None and etag_of(read_note(call.vault.path, opened.path)) != opened.etag:
            raise NoteChangedError(
                "The patch was edited since it was read.", "Look at it again.", path=opened.path
            )
        wanted, skipped = _wanted(call, patch, selected, applier, opened)
        chosen = replace(
            patch,
            operations=tuple(replace(one, selected=one.id in wanted) for one in patch.operations),
        )
        place = _place(call, opened)
        if (known := call.vault.patches.row(patch.id)) is not None:
            by = applier.value  # it was decided here, and a sync client brought its note back
            close_note(call, patch.id, place, by=by, via=via)
            skipped = [Skipped(one, *_DECIDED) for one in sorted(wanted)]
            return Applied(id=patch.id, status=PatchStatus(known.status), skipped=tuple(skipped))
        if not (wanted or skipped) and _would_be_lost(patch, opened):
            raise PatchRefusedError(
                f"Nothing is ticked in {patch.id}; it stays open. Tick the operations that you "
                "want in its note, or name them with `--op` (all of them with `--all`); to be rid "
                f"of it, run `vaultmem patch reject {patch.id}`."
            )
        row = new_row(call, chosen, by=applier.value, via=via, ratified=ratified, opened=place)
        return Run(call, chosen, row, skipped, told=told).run()


def _place(call: Call, opened: OpenPatch | None) -> str:
    """The open note that goes in the end; "" for none, or one that came back with another text."""
    if opened is None or says_otherwise(call, opened.id, (patch_ledger.CLOSED,), opened.data):
        return ""
    return f"{opened.path}\n{opened.etag}"


def apply_all(
    call: Call,
    drafts: Sequence[tuple[Operation, Memory | None]],
    *,
    applier: Applier,
    ratified: bool = False,
    via: str,
) -> Applied:
    """Make a patch of these operations, each with its target, and apply every one of them.

    Raises:
        As `apply`.
    """
    patch = new(call, drafts)
    chosen = frozenset(one.id for one in patch.operations)
    return apply(call, patch, applier=applier, selected=chosen, ratified=ratified, via=via)


def resume(call: Call) -> list[Applied]:
    """Go on with what a crash left half applied; an agent's command leaves it to the next one.

    Raises:
        NoteError, ReadOnlyError, DiskFailedError, BusyError: as `write_notes`.
    """
    if call.actor is Actor.AGENT or not call.vault.patches.has_unfinished():
        return []
    with call.vault.lock():
        done = []
        for row in call.vault.patches.unfinished():
            if row.status == PatchStatus.APPLYING:
                done.append(Run(call, row.patch(), row, []).run())
            else:
                back = go_on(call, row)
                done.append(Applied(id=row.id, status=back.status, skipped=back.skipped))
        return done


def _would_be_lost(patch: Patch, opened: OpenPatch | None) -> bool:
    """Whether to close the patch with nothing chosen would lose what it proposes.

    A candidate goes on waiting, and is proposed again; nothing else is for a long time. A box with
    another mark than a tick means something that was not understood.
    """
    half_ticked = opened is not None and bool(opened.half_ticked)
    return half_ticked or all(one.candidate is None for one in patch.operations)


def _wanted(
    call: Call,
    patch: Patch,
    selected: frozenset[str] | None,
    applier: Applier,
    opened: OpenPatch | None,
) -> tuple[frozenset[str], list[Skipped]]:
    """The operations to apply, and those that were chosen and may not be."""
    altered = frozenset(opened.decoded.altered) if opened is not None else frozenset()
    names = {one.id for one in patch.operations}
    if selected is not None and (unknown := sorted(selected - names - altered)):
        raise NoteNotFoundError(
            f"{patch.id} has no operation {unknown[0]}.",
            f"Look at it with `vaultmem patch show {patch.id}`.",
        )
    ticked = frozenset(one.id for one in patch.operations if one.selected)
    wanted = (ticked | altered if selected is None else selected) & (names | altered)
    skipped = dict.fromkeys(wanted & altered, _ALTERED)
    if opened is not None:
        strange = patch_ledger.unvouched(call, patch, patch.operations)
        if call.vault.key is not None or applier is Applier.POLICY:
            skipped |= dict.fromkeys(wanted & strange, _UNSIGNED)
        if selected is None:
            foreign = foreign_ticks(call, patch.id)
            skipped |= dict.fromkeys(wanted & foreign, _FOREIGN)
    return wanted - skipped.keys(), [Skipped(one, *skipped[one]) for one in sorted(skipped)]


_DECIDED = ("decided", "The patch was decided before. Nothing to do; it is never applied twice.")
_ALTERED = (
    "altered",
    "It was changed after it was proposed. Undo the edit, or reject the patch and make the change "
    "yourself.",
)
_UNSIGNED = (
    "altered",
    "No device signed for it as it is. Undo the edit, apply it on the device that proposed it, or "
    "make the change yourself.",
)
_FOREIGN = (
    "external",
    "Something other than the person ticked it. Name it with `--op`, or clear the box, run "
    "`vaultmem sync` and tick it again.",
)
