"""Takes back the last change that vaultmem made on this machine, and says before which it is."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.ids import is_id, short_id
from vaultmem.core.ledger import LedgerKind
from vaultmem.core.model import Status
from vaultmem.errors import PatchRefusedError
from vaultmem.services.patching.ledger import APPLIED
from vaultmem.services.patching.show import show
from vaultmem.services.revert import REVERTIBLE, revert
from vaultmem.store.patches import Stage

if TYPE_CHECKING:
    from datetime import datetime

    from vaultmem.core.standing import Standing
    from vaultmem.services.call import Call
    from vaultmem.services.revert import Reverted
    from vaultmem.store.baseline_rows import LedgerRow
    from vaultmem.store.patches import PatchRow

OWN_VERBS = ("add", "forget")
"""Verbs by which a person changes a memory without a patch."""


class OwnAct(NamedTuple):
    """What the person did by a verb of their own, which no patch can take back.

    Attributes:
        verb: one of `OWN_VERBS`.
        statement: what the memory says.
        way: the command that takes it back.
    """

    verb: str
    statement: str
    way: str

    @property
    def sentence(self) -> str:
        """What it was and how it is taken back, for a person."""
        return f"Your own `{self.verb}` of “{self.statement}” is taken back with `{self.way}`."


class LastChange(NamedTuple):
    """The patch that `undo` would take back.

    Attributes:
        patch: its id.
        at: when it was applied, local to the person.
        by, via: who applied it, and the verb.
        changes: what each operation did and to which statement, one sentence each.
        newer: an act of the person's that came after it, None where none did.
    """

    patch: str
    at: datetime
    by: str
    via: str
    changes: tuple[str, ...]
    newer: OwnAct | None


def last_change(call: Call) -> LastChange:
    """What `undo` would take back; the baseline is up to date.

    Raises:
        AgentRefusedError: if an agent calls.
        PatchRefusedError: if there is nothing; it names an act of the person's own.
    """
    call.person_only("undo")
    row = next((row for row in call.vault.patches.rows() if _stands(row)), None)
    newer = _own_act(call, None if row is None else row.id)
    if row is None:
        raise PatchRefusedError(
            "Nothing is left to undo: vaultmem applied no patch on this machine that still stands. "
            + (newer.sentence if newer else "Look at `vaultmem patch list --all`.")
        )
    changes = tuple(
        f"{one.op.replace('_', ' ')}: {one.statement or one.memory or one.target or one.candidate}"
        for one in show(call, row.id).operations
        if one.result == Stage.APPLIED
    )
    return LastChange(row.id, row.moment(), row.by, row.via, changes, newer)


def take_back(call: Call, last: LastChange) -> Reverted:
    """Revert it; where that cannot be done, say how an earlier change is taken back.

    Raises:
        As `revert`.
    """
    try:
        return revert(call, last.patch)
    except PatchRefusedError as error:
        raise PatchRefusedError(
            f"{error} List earlier changes with `vaultmem patch list --all`, and take one back "
            "with `vaultmem patch revert ID`."
        ) from None


def undo(call: Call) -> Reverted:
    """Revert the last change that vaultmem made on this machine, and say which it was.

    Raises:
        As `last_change` and `revert`.
    """
    return take_back(call, last_change(call))


def _stands(row: PatchRow) -> bool:
    done = any(step.stage is Stage.APPLIED for step in row.progress().values())
    return row.status in REVERTIBLE and done


def _own_act(call: Call, patch: str | None) -> OwnAct | None:
    """The person's newest `add` or `forget` on this device and in this month that still stands.

    None where the patch came after it.
    """
    month = call.now.strftime("%Y-%m")
    lines = call.vault.baseline.ledger.own(LedgerKind.ACTIVITY, call.vault.device, month)
    applied = max((one.at for one in lines if one.note == patch and one.act == APPLIED), default="")
    later = (_of_line(call, one) for one in reversed(lines) if one.at > applied)
    return next((one for one in later if one is not None), None)


def _of_line(call: Call, line: LedgerRow) -> OwnAct | None:
    data = json.loads(line.data)
    verb = str(data.get("via", ""))
    if data.get("by") != "person" or verb not in OWN_VERBS or not is_id(line.note, "mem"):
        return None
    memory = call.vault.baseline.live_standing(line.note)
    return None if memory is None else _act(verb, memory)


def _act(verb: str, memory: Standing) -> OwnAct | None:
    forgotten = memory.status == Status.DELETED
    if forgotten != (verb == "forget"):
        return None  # it was taken back since
    name = short_id(memory.id)
    way = f"vaultmem edit {name} --set status active" if forgotten else f"vaultmem forget {name}"
    return OwnAct(verb, memory.statement, way)
