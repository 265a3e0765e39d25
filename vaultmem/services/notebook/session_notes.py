"""The notes of sessions at a sync: what an agent wrote is not read, what was purged is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.finding import finding
from vaultmem.services.notebook.enable import is_consolidating
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
    from collections.abc import Iterator

    from vaultmem.core.finding import Finding
    from vaultmem.services.call import Call
    from vaultmem.services.sessions.silence import PurgedWords
    from vaultmem.services.syncing.classify import Reading


ARRIVED = "notebook_arrived"
"""Key of the baseline: paths of the notes that are new or changed, one a line, until the notebook
was told of them."""


def put_session(call: Call, reading: Reading, words: PurgedWords) -> None:
    """Record a session's note that is new or changed, and sign it if an agent wrote it (VM954).

    One that says what was purged before it came (VM342) is its device's to cut: two devices that
    cut one file would leave a conflict copy. Nothing of it is sent or published meanwhile.

    Args:
        call: the circumstances.
        reading: of the note.
        words: what was purged.
    """
    found = list(_purged(reading, words))
    if reading.id and origin_of_bytes(call, reading.id, reading.fresh) is Origin.EXTERNAL:
        hold.announce(call, reading, reading.id)
        found.append(finding("VM954", path=reading.path))
    put_reading(call, reading, *found)
    if call.vault.notebook and is_consolidating(call):
        before = call.vault.baseline.meta(ARRIVED)
        call.vault.baseline.set_meta(ARRIVED, f"{before}{reading.path}\n")


def _purged(reading: Reading, words: PurgedWords) -> Iterator[Finding]:
    text = (reading.fresh.data or b"").decode(errors="replace")
    if words.said_in(text):
        lines = enumerate(text.split("\n"), 1)
        line = next((number for number, one in lines if words.said_in(one)), None)
        yield finding("VM342", path=reading.path, line=line, remedy=_CUT)


_CUT = (
    "Run `vaultmem sync` on the device that the note names, which cuts it if it has the vault's "
    "key; or delete the note."
)


def is_external(call: Call, identifier: str, data: bytes) -> bool:
    """Whether a device signed that these bytes are no person's, and none that they are its own."""
    lines = lines_of_bytes(call, identifier, data)
    return any(line.act == EXTERNAL_ACT and not is_explained(call, line) for line in lines)
