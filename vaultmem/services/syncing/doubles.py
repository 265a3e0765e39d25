"""Two devices asked or proposed the same apart, each in a note of its own: one of the two goes.

Only a note that this device wrote and that nobody has touched is taken away, in favour of one of a
device whose id is smaller, so that of any number of devices exactly one keeps its note.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from vaultmem.core.ledger import LedgerKind
from vaultmem.core.place import Kind
from vaultmem.errors import CANNOT_WRITE, NoteError, UnsafePathError
from vaultmem.services.call import Actor
from vaultmem.services.syncing.attribution import EXTERNAL_ACT
from vaultmem.services.write import content_mac
from vaultmem.store.etag import etag_of
from vaultmem.store.files import read_note, remove_file

if TYPE_CHECKING:
    from vaultmem.services.call import Call
    from vaultmem.store.baseline_rows import NoteRow

_KINDS = (Kind.PROMOTION, Kind.INQUIRY)
"""Their ids follow from what they are about, so both notes have the same one."""


def withdraw_doubles(call: Call) -> None:
    """Take away this device's own notes that say what another device's note says as well."""
    if call.actor is Actor.AGENT:
        return
    for kind in _KINDS:
        doubles = call.vault.baseline.copied(kind.value)
        makers = {row.path: _makers(call, row) for row in doubles}
        for row in doubles:
            others = (makers[one.path] for one in doubles if one.id == row.id and one != row)
            device = call.vault.device
            if device in makers[row.path] and any(
                min(names, default=device) < device for names in others
            ):
                _remove(call, row)


def _remove(call: Call, row: NoteRow) -> None:
    with suppress(NoteError, UnsafePathError, *CANNOT_WRITE):
        data = read_note(call.vault.path, row.path)
        remove_file(call.vault.path, row.path, expected=etag_of(data))
        call.vault.baseline.drop_note(row.path)


def _makers(call: Call, row: NoteRow) -> frozenset[str]:
    """The devices that wrote the note as it is; a person's edit or decision is nobody's."""
    try:
        mac = content_mac(call, read_note(call.vault.path, row.path))
    except (NoteError, UnsafePathError):
        return frozenset()
    lines = call.vault.baseline.ledger.of_hash(mac, LedgerKind.ACTIVITY) if mac else []
    signed = [line for line in lines if line.signed and line.note == row.id]
    if any(line.act in (EXTERNAL_ACT, *_DECIDED) for line in signed):
        return frozenset()
    return frozenset(line.device for line in signed)


_DECIDED = ("answered", "withdrawn", "accepted", "rejected")
