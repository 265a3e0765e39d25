"""Keep an external change out of force: a candidate shows it, a signed line names it."""

from __future__ import annotations

import difflib
from contextlib import suppress
from typing import TYPE_CHECKING

from vaultmem.core.inert import clean, fence
from vaultmem.core.ledger import LedgerKind
from vaultmem.errors import CANNOT_WRITE
from vaultmem.notes.candidate import EXTERNAL_REASON
from vaultmem.services.curating.put_candidate import put_candidate
from vaultmem.services.syncing.attribution import EXTERNAL_ACT, PLACE, SAID, said_mac, since
from vaultmem.services.write import SINCE, content_mac, entry

if TYPE_CHECKING:
    from vaultmem.core.ledger import Scalar
    from vaultmem.services.call import Call
    from vaultmem.services.syncing.classify import Reading

_MAX_LINES = 200


def external(
    call: Call,
    reading: Reading,
    act: str,
    identifier: str,
    *,
    old: bytes | None,
    shown: bool = False,
) -> None:
    """Announce and show a change that neither the person nor vaultmem made.

    Args:
        call: the circumstances.
        reading: the note as it is on disk; readable.
        act: what happened to it: created, edited, moved, restored.
        identifier: the memory that it changes, empty for a new one.
        old: the version that stays in force, if there is one.
        shown: a candidate shows the change already; the note was only saved once more.
    """
    data = reading.fresh.data
    if data is None or reading.decoded is None:  # pragma: no cover - such a note is called broken
        return
    if not announce(call, reading, identifier, moved=act == "moved" and not shown) or shown:
        return
    if not clean(reading.decoded.memory.statement).text:
        return  # nothing that anybody could see
    reasons = [f"{EXTERNAL_REASON} the note was {act} while an agent could write"]
    with suppress(*CANNOT_WRITE):  # a vault that cannot be written has no new note; VM310 says it
        put_candidate(
            call,
            reading.decoded.memory,
            trust="agent_inference",
            reasons=reasons,
            matched=[identifier] if identifier else [],
            body=_difference(old, data) if act != "created" else "",
        )


def announce_loss(call: Call, identifier: str) -> None:
    """Sign that it was no person who took a note away, so that no other device thinks so."""
    values = {"by": "external", "via": "sync", PLACE: "removed"}
    line = entry(call, EXTERNAL_ACT, identifier, values)
    call.vault.append(LedgerKind.ACTIVITY, [line])


def announce(call: Call, reading: Reading, identifier: str, *, moved: bool = False) -> bool:
    """Sign that the present bytes of a note are no person's; whether that was not known yet."""
    data = reading.fresh.data
    mac = content_mac(call, data) if data is not None else ""
    if data is not None and not moved and is_announced(call, data):
        return False
    values: dict[str, Scalar] = {"by": "external", "via": "sync", "after": mac}
    values[SINCE] = since(reading.fresh.stat)
    if reading.decoded is not None:
        values[SAID] = said_mac(call, reading.decoded.memory.statement)
    if moved:
        values[PLACE] = "moved"
    call.vault.append(LedgerKind.ACTIVITY, [entry(call, EXTERNAL_ACT, identifier, values)])
    return True


def is_announced(call: Call, data: bytes) -> bool:
    """Whether this device signed before that these bytes are no person's."""
    mac = content_mac(call, data)
    lines = call.vault.baseline.ledger.of_hash(mac, LedgerKind.ACTIVITY) if mac else []
    ours = (line for line in lines if line.signed and line.device == call.vault.device)
    return any(line.act == EXTERNAL_ACT for line in ours)


def _difference(old: bytes | None, new: bytes) -> str:
    before = (old or b"").decode("utf-8", "replace").splitlines()
    after = new.decode("utf-8", "replace").splitlines()
    lines = list(difflib.unified_diff(before, after, "in force", "on disk", lineterm="", n=1))
    if len(lines) > _MAX_LINES:
        lines = [*lines[:_MAX_LINES], f"… {len(lines) - _MAX_LINES} more lines"]
    return "## What changed\n\n" + fence("\n".join(lines)) + "\n"
