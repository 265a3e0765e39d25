"""Who made a change: a device that signed for it, a tool of the agent, or the person."""

from __future__ import annotations

import json
import os
from enum import StrEnum
from typing import TYPE_CHECKING

from vaultmem.core.ledger import NO_NOTE, LedgerKind
from vaultmem.core.normal import statement_key
from vaultmem.services.call import Actor
from vaultmem.services.write import content_mac

if TYPE_CHECKING:
    from vaultmem.services.call import Call
    from vaultmem.services.syncing.observe import Fresh
    from vaultmem.store.baseline import Baseline
    from vaultmem.store.baseline_rows import LedgerRow

EXTERNAL_ACT = "external"
APPROVED = "approved"
SAID = "said"
"""Key of an external line for the keyed hash of what the note said."""


class Origin(StrEnum):
    """Whose a difference is (DESIGN §3.2)."""

    PERSON = "person"
    DEVICE = "device"
    """A device signed for exactly these bytes, or for this move or removal."""
    EXTERNAL = "external"
    """It happened while a tool of the agent could write, or an agent's command met it."""
    ADOPTED = "adopted"
    """It was there when this device first looked; nobody is named."""


PLACE = "place"
"""Key of an external line that speaks of the note's place: moved or removed."""
PLACE_ACTS = ("moved", "renamed", "removed", "vanished")
"""What a ledger says of a note's place; such a line explains one change and no later one."""


def origin_of_bytes(call: Call, identifier: str, fresh: Fresh, *, back: bool = False) -> Origin:
    """Whose the present bytes of a note are.

    Args:
        call: the circumstances.
        identifier: the memory, empty for a new note.
        fresh: the note.
        back: the note was gone and is there again, which this device never does by itself.
    """
    own = "" if back else _newest_of_ours(call, identifier)
    device = call.vault.device
    lines = [
        line
        for line in _lines_of_bytes(call, identifier, fresh.data)
        if line.device != device or line.act == EXTERNAL_ACT or line.line == own
    ]
    mtime, _, _, ctime = fresh.stat
    return _origin(call, lines, moments_ns=(mtime, ctime))


def is_said_external(call: Call, identifier: str, data: bytes) -> bool:
    """Whether a device signed that these bytes of a note are no person's."""
    return any(line.act == EXTERNAL_ACT for line in _lines_of_bytes(call, identifier, data))


def _lines_of_bytes(call: Call, identifier: str, data: bytes | None) -> list[LedgerRow]:
    """The signed lines that name exactly these bytes of a note, "" for one without an id."""
    mac = content_mac(call, data) if data is not None else ""
    lines = call.vault.baseline.ledger.of_hash(mac, LedgerKind.ACTIVITY) if mac else []
    return [line for line in lines if line.signed and line.note == (identifier or NO_NOTE)]


def _newest_of_ours(call: Call, identifier: str) -> str:
    """Our last word about the note's bytes: what we write is recorded at once, unless we die.

    An older line of ours explains nothing: bytes that went back to it were put back by somebody.
    """
    signed = call.vault.baseline.ledger.signed(identifier or NO_NOTE, LedgerKind.ACTIVITY)
    ours = (one for one in reversed(signed) if one.device == call.vault.device and one.after)
    return next((one.line for one in ours), "")


def origin_of_move(call: Call, identifier: str, folder: str) -> Origin:
    """Whose the move of a note into `folder` is."""
    lines = [
        line
        for line in new_place_lines(call, identifier)
        if (line.act == "moved" and _says(line, "folder", folder)) or _says(line, PLACE, "moved")
    ]
    return _origin(call, lines)


def origin_of_loss(call: Call, identifier: str) -> Origin:
    """Whose the disappearance of a note is."""
    lines = [
        line
        for line in new_place_lines(call, identifier)
        if line.act == "removed" or _says(line, PLACE, "removed")
    ]
    return _origin(call, lines)


def new_place_lines(call: Call, identifier: str) -> list[LedgerRow]:
    """What the ledgers say of the note's place and has not yet explained a change."""
    used = call.vault.baseline.meta(f"placed {identifier}").split()
    return [line for line in _place_lines(call, identifier) if line.line not in used]


def use_place_lines(call: Call, identifier: str) -> None:
    """The note's place is explained as it is now: no line that is known explains a later change."""
    lines = _place_lines(call, identifier)
    if lines:
        used = " ".join(line.line for line in lines)
        call.vault.baseline.set_meta(f"placed {identifier}", used)


def said_mac(call: Call, statement: str) -> str:
    """The keyed hash by which an external line names what a note said; empty without a key."""
    key = call.vault.key
    return key.mac("said", statement_key(statement).encode()) if key is not None else ""


def is_an_agents_statement(call: Call, identifier: str, statement: str) -> bool:
    """Whether a device knows that an agent wrote this into the memory's note, and nobody approved.

    The note may have been saved again since, so that no line names its present bytes.
    """
    lines = call.vault.baseline.ledger.signed(identifier, LedgerKind.ACTIVITY)
    told = [
        line for line in lines if line.act == APPROVED or (line.act == EXTERNAL_ACT and _said(line))
    ]
    mac = said_mac(call, statement)
    return bool(mac and told) and told[-1].act == EXTERNAL_ACT and _said(told[-1]) == mac


def _said(line: LedgerRow) -> str:
    return str(json.loads(line.data).get(SAID, ""))


def _place_lines(call: Call, identifier: str) -> list[LedgerRow]:
    lines = call.vault.baseline.ledger.signed(identifier, LedgerKind.ACTIVITY)
    return [
        line
        for line in lines
        if line.act in PLACE_ACTS or (line.act == EXTERNAL_ACT and PLACE in json.loads(line.data))
    ]


def _says(line: LedgerRow, key: str, value: str) -> bool:
    return bool(json.loads(line.data).get(key) == value)


def _origin(
    call: Call, lines: list[LedgerRow], *, moments_ns: tuple[int, ...] | None = None
) -> Origin:
    if lines:
        external = all(line.act == EXTERNAL_ACT for line in lines)
        return Origin.EXTERNAL if external else Origin.DEVICE
    if not call.vault.baseline.meta("adopted"):
        return Origin.ADOPTED
    if call.actor is Actor.AGENT or _in_window(call.vault.baseline, moments_ns):
        return Origin.EXTERNAL
    return Origin.PERSON


def _in_window(baseline: Baseline, moments_ns: tuple[int, ...] | None) -> bool:
    """Whether a tool could write at one of the moments; without any, at any since the last look.

    A file that is moved or copied in keeps the time of its last edit; its change time tells.
    """
    last = int(baseline.meta("looked_ns") or 0)
    for _, opened, closed in baseline.windows():
        if moments_ns is None:
            if not closed or closed >= last:
                return True
        elif any(opened <= at and (not closed or at <= closed) for at in moments_ns):
            return True
    return False


def other_devices(call: Call) -> bool:
    """Whether a ledger of another device lies in the vault, so that files may arrive late."""
    return call.vault.baseline.ledger.has_other_device(call.vault.device)


def tool_is_running(call: Call) -> bool:
    """Whether a tool of the agent may be writing now; a window ends with its process."""
    baseline = call.vault.baseline
    running = False
    for pid, _, closed in baseline.windows():
        if closed:
            continue
        if _alive(pid):
            running = True
        else:
            baseline.close_windows(pid, call.nanoseconds)
    return running


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
