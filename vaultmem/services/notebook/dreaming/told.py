"""What dreams proposed and decided before, on any device: one signed line for each memory."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from vaultmem.core.ledger import LedgerKind
from vaultmem.services.maintaining.history import UNSAVED, was_saved
from vaultmem.services.write import entry

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultmem.core.notebook.dream_proposals import DreamProposal
    from vaultmem.core.patch import Patch
    from vaultmem.services.call import Call
    from vaultmem.store.baseline_rows import LedgerRow

DREAMED = "dreamed"
"""The act of the lines: of a memory or a candidate, with the mark of what was proposed of it."""


def was_told(call: Call, about: str, mark: str) -> bool:
    """Whether a dream proposed that before, whatever became of it.

    A patch whose note was never written proposed nothing.

    Args:
        call: the circumstances.
        about: the id of a memory, or of a candidate.
        mark: as `core.notebook.dream_proposals.DreamProposal` has it.
    """
    said = keyed(call, mark)
    for line in _lines(call, about):
        values = json.loads(line.data)
        patch = str(values.get("patch", ""))
        if values.get("of") == said and (not patch or was_saved(call, patch)):
            return True
    return False


def tell(call: Call, about: str, mark: str) -> None:
    """Sign that something is done with: it was applied, or needs no patch."""
    values = {"by": call.actor.value, "of": keyed(call, mark)}
    call.vault.append(LedgerKind.ACTIVITY, [entry(call, DREAMED, about, values)])


def tell_patch(call: Call, patch: Patch, proposals: Iterable[DreamProposal]) -> None:
    """Sign what a patch proposes, before it is saved."""
    values = {"by": call.actor.value, "patch": patch.id}
    lines = [
        entry(call, DREAMED, about, {**values, "of": keyed(call, one.mark)})
        for one in proposals
        for about in one.about
    ]
    lines.append(entry(call, DREAMED, patch.id, values))
    call.vault.append(LedgerKind.ACTIVITY, lines)


def take_back(call: Call, patch: Patch) -> None:
    """Sign that a patch could not be saved, so that it counts as never proposed."""
    line = entry(call, UNSAVED, patch.id, {"by": call.actor.value})
    call.vault.append(LedgerKind.ACTIVITY, [line])


def is_of_a_dream(call: Call, patch: str) -> bool:
    """Whether a dream made the patch of that id."""
    return bool(_lines(call, patch))


def keyed(call: Call, mark: str) -> str:
    """A mark as it is kept: once a text is purged, nobody without the key can confirm a guess.

    The vault has a key; without one nobody dreams.
    """
    assert call.vault.key is not None  # `services.notebook.dream` saw to it  # noqa: S101
    return call.vault.key.mac("dream", mark.encode())


def _lines(call: Call, note: str) -> list[LedgerRow]:
    rows = call.vault.baseline.ledger.of_note(note, LedgerKind.ACTIVITY)
    return [row for row in rows if row.act == DREAMED and row.signed]
