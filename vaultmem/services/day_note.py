"""Adds an entry to today's note of this device, or to one beside it where somebody broke that."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple, Protocol

from vaultmem.core.ids import short_id
from vaultmem.errors import NoteNotFoundError, NoteUnreadableError
from vaultmem.notes.frontmatter import get_properties
from vaultmem.services.write import Write, write_notes
from vaultmem.store.etag import etag_of
from vaultmem.store.files import read_note

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
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

    def path(self, call: Call, device: str, day: date, part: str = "") -> str:
        """Where a device's note of a day stands, relative to the vault."""
        name = " ".join(filter(None, (day.isoformat(), self.called, device, part))) + ".md"
        return f"{call.vault.root}/{self.folder}/{day:%Y/%m}/{name}"


class DayEntry(NamedTuple):
    """What a day's note gets.

    Attributes:
        day: the person's.
        id: of the entry, or of the first of several.
        append: gives the note with the entry in it, unchanged where it holds it already, from its
            bytes and its path; raises NoteUnreadableError where it cannot read them.
        part: what the name of one more note of that day ends with; "" for the first one.
    """

    day: date
    id: str
    append: Callable[[bytes, str], bytes]
    part: str = ""


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
        append: as `DayEntry` says.
        by: whose wish it is, for the ledger.
        via: the verb, for the ledger.

    Raises:
        NoteUnreadableError: if none of the three notes can be read.
        NoteError, ReadOnlyError, DiskFailedError, BusyError: as `write_notes`.
    """
    one = DayEntry(call.local.date(), entry_id, append)
    return add_by_day(call, kind, [one], by=by, via=via)[0]


def add_by_day(
    call: Call, kind: DayNote, entries: Sequence[DayEntry], *, by: str, via: str
) -> list[str]:
    """As `add_today`, for entries of different days; the paths of their notes, in this order.

    Raises:
        As `add_today`.
    """
    writes = [_readable(call, kind, one, by=by, via=via) for one in entries]
    write_notes(call, [one for one in writes if etag_of(one.data) != one.expected])
    return [one.path for one in writes]


def _readable(call: Call, kind: DayNote, one: DayEntry, *, by: str, via: str) -> Write:
    """The note of the day with the entry in it; the first of the three that can be read."""
    first = kind.path(call, call.vault.device, one.day, one.part)
    stem = first.removesuffix(".md")
    for path in (first, f"{stem} more.md", f"{stem} {short_id(one.id)}.md"):
        with suppress(NoteUnreadableError):
            return _write(call, kind, path, one, by=by, via=via)
    raise NoteUnreadableError(
        f"The notes of {kind.called} of {one.day.isoformat()} cannot be read.",
        "Correct them or move them away, then run `vaultmem sync`.",
        path=first,
    )


def _write(call: Call, kind: DayNote, path: str, one: DayEntry, *, by: str, via: str) -> Write:
    try:
        old = read_note(call.vault.path, path)
    except NoteNotFoundError:
        identifier = call.new_id(kind.prefix)
        empty = kind.new(identifier, device=call.vault.device, day=one.day)
        return Write(path, one.append(empty, path), None, identifier, "created", by, via)
    identifier = str(get_properties(old).get("id") or "")
    return Write(path, one.append(old, path), etag_of(old), identifier, "edited", by, via)
