"""The notes of sessions at a sync: what neither a device nor the person wrote there is not read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.finding import finding
from vaultmem.services.syncing import hold
from vaultmem.services.syncing.attribution import (
    EXTERNAL_ACT,
    Origin,
    is_explained,
    lines_of_bytes,
    origin_of_bytes,
)
from vaultmem.services.syncing.record import put_reading

if TYPE_CHECKING:
    from vaultmem.services.call import Call
    from vaultmem.services.syncing.classify import Reading


def put_session(call: Call, reading: Reading) -> None:
    """Record a session's note that is new or changed, and sign it if an agent wrote it (VM954)."""
    found = []
    if reading.id and origin_of_bytes(call, reading.id, reading.fresh) is Origin.EXTERNAL:
        hold.announce(call, reading, reading.id)
        found.append(finding("VM954", path=reading.path))
    put_reading(call, reading, *found)


def is_external(call: Call, identifier: str, data: bytes) -> bool:
    """Whether a device signed that these bytes are no person's, and none that they are its own."""
    lines = lines_of_bytes(call, identifier, data)
    return any(line.act == EXTERNAL_ACT and not is_explained(call, line) for line in lines)
