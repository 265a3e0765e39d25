"""Adds an entry to today's note of this device, or to one beside it where somebody broke that."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from vaultmem.core.ids import short_id
from vaultmem.errors import NoteNotFoundError, NoteUnreadableError
from vaultmem.notes.frontmatter import get_properties
from vaultmem.services.write import Write, write_notes
from vaultmem.store.etag import etag_of
from vaultmem.store.files import read_note

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date

    from vaultmem.services.call import Call


class _NewNote(Protocol):
    def __call__(self, identifier: str, /, *, device: str, day: date) -> bytes: ...


class DayNote(NamedTuple):
    """A kind of note of which every device has one for each day.

    Attributes:
        folder: where it stands in the memory root, before year and month.
        called: the word for it in its name.
        prefix: of its id.
        new: the note of a day on which there is no entry yet.
    """

    folder: str
    called: str
    prefix: str
    new: _NewNote

    def path(self, call: Call, device: str, day: date) -> str:
        """Where a device's note of a day stands, relative to the vault."""
        name = f"{day.isoformat()} {self.called} {device}.md"
        return f"{call.vault.root}/{self.folder}/{day:%Y/%m}/{name}"


def add_today(
    call: Call,
    kind: DayNote,
    entry_id: str,
    append: Callable[[bytes, str], bytes],
    *,
    by: str,
    via: str,
) -> str:
    """Add an entry to today's note of this device; returns the path of the note that has it.

    Where somebody broke that note, another one beside it takes the entry, and where that is broken
    too, one of the entry's own.

    Args:
        call: the circumstances; the caller holds the lock.
        kind: which note.
        entry_id: the id of the entry, or of the first of several.
        append: gives the note with the entry in it, unchanged where it holds it already, from its
            bytes and its path; raises NoteUnreadableError where it cannot read them.
        by: whose wish it is, for the ledger.
        via: the verb, for the ledger.

    Raises:
        NoteUnreadableError: if none of the three notes can be read.
        NoteError, ReadOnlyError, DiskFailedError, BusyError: as `write_notes`.
    """
    first = kind.path(call, call.vault.device, call.local.date())
    stem = first.removesuffix(".md")
    for path in (first, f"{stem} more.md", f"{stem} {short_id(entry_id)}.md"):
        try:
            write = _write(call, kind, path, append, by=by, via=via)
        except NoteUnreadableError:
            continue
        if etag_of(write.data) != write.expected:
            write_notes(call, [write])
        return path
    raise NoteUnreadableError(
        f"Today's notes of {kind.called} cannot be read.",
        "Correct them or move them away, then run `vaultmem sync`.",
        path=first,
    )


def _write(
    call: Call,
    kind: DayNote,
    path: str,
    append: Callable[[bytes, str], bytes],
    *,
    by: str,
    via: str,
) -> Write:
    try:
        old = read_note(call.vault.path, path)
    except NoteNotFoundError:
        identifier = call.new_id(kind.prefix)
        empty = kind.new(identifier, device=call.vault.device, day=call.local.date())
        return Write(path, append(empty, path), None, identifier, "created", by, via)
    identifier = str(get_properties(old).get("id") or "")
    return Write(path, append(old, path), etag_of(old), identifier, "edited", by, via)
