"""What a sync does with a note of review guidelines: an agent's lines in it are told to nobody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.finding import finding
from vaultmem.errors import NoteError
from vaultmem.notes.review import decode_review
from vaultmem.services.reviewing.vouched import Vouched, keep_vouched, marks_of, vouched
from vaultmem.services.syncing import hold
from vaultmem.services.syncing.attribution import Origin, owner_of_file
from vaultmem.services.syncing.record import put_reading

if TYPE_CHECKING:
    from vaultmem.core.finding import Finding
    from vaultmem.services.call import Call
    from vaultmem.services.syncing.classify import Reading


def note_down_review(call: Call, reading: Reading) -> None:
    """Record a note of guidelines, and which of them a person vouches for.

    What an agent may have written stays held until a person adds it by a command, or says it in
    other words; that they saved the note since proves nothing.
    """
    put_reading(call, reading, *_held(call, reading))


def _held(call: Call, reading: Reading) -> tuple[Finding, ...]:
    try:
        found = decode_review(reading.fresh.data or b"").guidelines
    except NoteError:  # told already; the note tells nobody anything until it is mended
        return ()
    marks, known = marks_of(call, found), vouched(call, reading.path)
    if _is_external(call, reading, known):
        hold.announce(call, reading, "")
        held = marks - known.persons
    else:
        held = marks & known.held
    keep_vouched(call, reading.path, Vouched(call.nanoseconds, marks - held, held))
    return (finding("VM851", path=reading.path),) if held else ()


def _is_external(call: Call, reading: Reading, known: Vouched) -> bool:
    if not call.vault.baseline.meta("adopted"):  # it was there before vaultmem was
        return False
    owner = owner_of_file(call, reading.fresh, seen_ns=known.seen_ns)
    return owner.origin is Origin.EXTERNAL
