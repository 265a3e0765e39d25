"""Two devices asked or proposed the same apart, each in a note of its own: one of the two goes.

Only a note that this device wrote and that nobody has touched is taken away, in favour of one of a
device whose id is smaller, so that of any number of devices exactly one keeps its note.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.place import Kind
from vaultmem.errors import CANNOT_WRITE, NoteError, UnsafePathError
from vaultmem.services.call import Actor
from vaultmem.services.syncing.attribution import EXTERNAL_ACT, lines_of_bytes
from vaultmem.store.etag import etag_of
from vaultmem.store.files import read_note, remove_file

if TYPE_CHECKING:
    from vaultmem.services.call import Call
    from vaultmem.store.baseline_rows import NoteRow
    from vaultmem.store.etag import Etag

_KINDS = (Kind.PROMOTION, Kind.INQUIRY)
"""Their ids follow from what they are about, so both notes have the same one."""


class _Double(NamedTuple):
    """A note whose id another one has as well, the version that was read, and who wrote it."""

    id: str
    path: str
    etag: Etag
    makers: frozenset[str]


def withdraw_doubles(call: Call) -> None:
    """Take away this device's own notes that say what another device's note says as well."""
    if call.actor is Actor.AGENT:
        return
    device = call.vault.device
    for kind in _KINDS:
        rows = call.vault.baseline.copied(kind.value)
        doubles = [one for row in rows if (one := _look(call, row)) is not None]
        for one in doubles:
            others = (two.makers for two in doubles if two.id == one.id and two is not one)
            if device in one.makers and any(
                min(names, default=device) < device for names in others
            ):
                _remove(call, one)


def _remove(call: Call, one: _Double) -> None:
    """Take the note away, if it still is what was looked at."""
    with suppress(NoteError, UnsafePathError, *CANNOT_WRITE):
        remove_file(call.vault.path, one.path, expected=one.etag)
        call.vault.baseline.drop_note(one.path)


def _look(call: Call, row: NoteRow) -> _Double | None:
    try:
        data = read_note(call.vault.path, row.path)
    except (NoteError, UnsafePathError):
        return None
    return _Double(row.id, row.path, etag_of(data), _makers(call, row.id, data))


def _makers(call: Call, identifier: str, data: bytes) -> frozenset[str]:
    """The devices that wrote the note as it is; a person's edit or decision is nobody's."""
    signed = lines_of_bytes(call, identifier, data)
    if any(line.act in (EXTERNAL_ACT, *_DECIDED) for line in signed):
        return frozenset()
    return frozenset(line.device for line in signed)


_DECIDED = ("answered", "withdrawn", "accepted", "rejected")
