"""Who made a change: a device that signed for it, a tool of the agent, or the person."""

from __future__ import annotations

import json
import os
from enum import StrEnum
from typing import TYPE_CHECKING

from vaultmem.services.call import Actor
from vaultmem.services.write import content_mac

if TYPE_CHECKING:
    from vaultmem.services.call import Call
    from vaultmem.services.observe import Fresh
    from vaultmem.store.baseline import Baseline, LedgerRow

EXTERNAL_ACT = "external"


class Origin(StrEnum):
    """Whose a difference is (DESIGN §3.2)."""

    PERSON = "person"
    DEVICE = "device"
    """A device signed for exactly these bytes, or for this move or removal."""
    EXTERNAL = "external"
    """It happened while a tool of the agent could write, or an agent's command met it."""
    ADOPTED = "adopted"
    """It was there when this device first looked; nobody is named."""


def origin_of_bytes(call: Call, identifier: str, fresh: Fresh) -> Origin:
    """Whose the present bytes of a note are."""
    mac = content_mac(call, fresh.data) if fresh.data is not None else ""
    lines: list[LedgerRow] = []
    if mac:
        lines = call.vault.baseline.ledger(
            "after = ? AND note = ? AND kind = 'activity' AND signed = 1", mac, identifier or "-"
        )
    return _origin(call, lines, moment_ns=fresh.stat[0])


def origin_of_move(call: Call, identifier: str, folder: str) -> Origin:
    """Whose the move of a note into `folder` is."""
    lines = [line for line in _acts(call, identifier, "moved") if _says(line, "folder", folder)]
    return _origin(call, lines[-1:])


def origin_of_loss(call: Call, identifier: str) -> Origin:
    """Whose the disappearance of a note is."""
    return _origin(call, _acts(call, identifier, "removed")[-1:])


def _acts(call: Call, identifier: str, act: str) -> list[LedgerRow]:
    return call.vault.baseline.ledger(
        "note = ? AND act = ? AND kind = 'activity' AND signed = 1", identifier, act
    )


def _says(line: LedgerRow, key: str, value: str) -> bool:
    return bool(json.loads(line.data).get(key) == value)


def _origin(call: Call, lines: list[LedgerRow], *, moment_ns: int | None = None) -> Origin:
    if lines:
        external = all(line.act == EXTERNAL_ACT for line in lines)
        return Origin.EXTERNAL if external else Origin.DEVICE
    if not call.vault.baseline.meta("adopted"):
        return Origin.ADOPTED
    if call.actor is Actor.AGENT or _in_window(call.vault.baseline, moment_ns):
        return Origin.EXTERNAL
    return Origin.PERSON


def _in_window(baseline: Baseline, moment_ns: int | None) -> bool:
    """Whether a tool could write at that moment; without one, at any moment since the last look."""
    last = int(baseline.meta("looked_ns") or 0)
    for _, opened, closed in baseline.windows():
        if moment_ns is None:
            if not closed or closed >= last:
                return True
        elif opened <= moment_ns and (not closed or moment_ns <= closed):
            return True
    return False


def other_devices(call: Call) -> bool:
    """Whether a ledger of another device lies in the vault, so that files may arrive late."""
    return call.vault.baseline.has_other_device(call.vault.device)


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
