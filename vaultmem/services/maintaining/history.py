"""What maintenance proposed before, on any device: one signed line per memory and operation."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import TYPE_CHECKING

from vaultmem.core.ledger import LedgerKind
from vaultmem.core.maintenance import Told, next_time
from vaultmem.core.operation import Op
from vaultmem.core.place import INBOX, Kind
from vaultmem.errors import NoteError, UnsafePathError
from vaultmem.services.write import entry
from vaultmem.store.files import read_note

if TYPE_CHECKING:
    from vaultmem.core.model import Memory
    from vaultmem.core.patch import Patch
    from vaultmem.services.call import Call
    from vaultmem.store.baseline_rows import LedgerRow

MAINTAINED = "maintained"
"""The act of the lines: of a patch's id, and of each memory that it is about."""
UNSAVED = "unsaved"
"""The act of a line which says that the note of a patch could not be written after all."""


def told(call: Call, memory: str, *, unread: frozenset[str] = frozenset()) -> dict[Op, Told]:
    """The last proposal of each kind for a memory, whatever became of it.

    Args:
        call: the circumstances.
        memory: its id.
        unread: the ids of patches that nobody can decide about, as `unread_patches` finds them.
    """
    found: dict[Op, Told] = {}
    for line in _lines(call, memory):
        values = json.loads(line.data)
        with suppress(KeyError, TypeError, ValueError):  # another version may tell other things
            patch = str(values["patch"])
            if patch not in unread and was_saved(call, patch):
                found[Op(values["op"])] = Told(float(values["local"]), float(values["until"]))
    return found


def unread_patches(call: Call) -> frozenset[str]:
    """The ids of the patches that lie in conflict copies only, which are never read."""
    ids: set[str] = set()
    for row in call.vault.baseline.notes(kind=Kind.CONFLICT.value):
        if row.path.startswith(f"{call.vault.root}/{INBOX}/"):
            with suppress(NoteError, UnsafePathError):
                text = read_note(call.vault.path, row.path).decode(errors="replace")
                ids.update(_PATCH.findall(text))
    return frozenset(one for one in ids if not call.vault.baseline.notes_with_id(one))


def is_maintenance(call: Call, patch: str) -> bool:
    """Whether maintenance made the patch of that id."""
    return bool(_lines(call, patch))


def tell(call: Call, patch: Patch, targets: dict[str, Memory]) -> None:
    """Sign what is proposed, before the patch is saved: it is not proposed again in this period.

    Args:
        call: the circumstances.
        patch: as it will be saved.
        targets: the memories that it is about, by id.
    """
    by = call.actor.value
    lines = [entry(call, MAINTAINED, patch.id, {"by": by, "operations": len(patch.operations)})]
    for one in patch.operations:
        if one.target is None:  # pragma: no cover - every operation of maintenance has one
            continue
        until = next_time(targets[one.target], call.seconds)
        values = {"by": by, "op": one.op.value, "patch": patch.id}
        lines.append(
            entry(call, MAINTAINED, one.target, {**values, "local": call.seconds, "until": until})
        )
    call.vault.append(LedgerKind.ACTIVITY, lines)


_PATCH = re.compile(r"\bpatch_[0-9A-Z]{26}\b")


def take_back(call: Call, patch: Patch) -> None:
    """Sign that the patch could not be saved, so that it counts as never proposed."""
    line = entry(call, UNSAVED, patch.id, {"by": call.actor.value})
    call.vault.append(LedgerKind.ACTIVITY, [line])


def was_saved(call: Call, patch: str) -> bool:
    """Whether a patch has its note: its device said that it writes it, and never took that back.

    A process that was killed between the lines of `tell` and that one proposed nothing.
    """
    rows = call.vault.baseline.ledger.of_note(patch, LedgerKind.ACTIVITY)
    acts = {row.act for row in rows if call.vault.vouches(row)}
    return "created" in acts and UNSAVED not in acts


def _lines(call: Call, note: str) -> list[LedgerRow]:
    """The lines about a note, oldest first; without a key, nobody can sign, and ours count."""
    rows = call.vault.baseline.ledger.of_note(note, LedgerKind.ACTIVITY)
    keyless = call.vault.key is None
    return [
        row
        for row in rows
        if row.act == MAINTAINED and (row.signed or (keyless and row.device == call.vault.device))
    ]
