"""Carries out a purge in the vault: the memory's notes, and what the machine wrote about it."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.ids import is_id
from vaultmem.core.ledger import LedgerKind
from vaultmem.core.naming import title_of
from vaultmem.core.occurrence import lines_with, names, without_lines
from vaultmem.core.place import INBOX, Kind, inside, kind_of
from vaultmem.core.state import NoteState
from vaultmem.errors import NoteError, NoteNotFoundError, UnsafePathError, VaultmemError
from vaultmem.notes.canvas import ENDING
from vaultmem.services.purging.cuts import (
    Cut,
    Found,
    cut_of,
    falling,
    is_temporary_of,
    kind_on_disk,
    shared,
    without_texts,
)
from vaultmem.services.purging.reports import canvas_cuts, cut_canvas
from vaultmem.services.purging.target import with_evidence, with_recognised
from vaultmem.services.write import Write, entry, write_notes
from vaultmem.store.erase import remove_leftover
from vaultmem.store.etag import etag_of
from vaultmem.store.files import read_note, remove_file, replace_file
from vaultmem.store.walk import walk

if TYPE_CHECKING:
    from vaultmem.services.call import Call
    from vaultmem.services.purging.target import Target
    from vaultmem.store.erase import Intent
    from vaultmem.store.etag import Etag


class Planned(NamedTuple):
    """What a purge will do in the vault.

    Attributes:
        target: what is looked for, the words of its own evidence included.
        cuts: notes that go or lose lines.
        leftovers: temporaries that killed writes left.
    """

    target: Target
    cuts: tuple[Cut, ...]
    leftovers: tuple[str, ...]


class NotesPurged(NamedTuple):
    """What was done in the vault.

    Attributes:
        target: as it was planned.
        removed: notes and temporaries that are gone.
        cut: notes that lost lines.
        failed: notes that could not be written, each with the sentence that says why.
    """

    target: Target
    removed: tuple[str, ...]
    cut: tuple[str, ...]
    failed: tuple[tuple[str, str], ...]


def plan_notes(call: Call, target: Target, intent: Intent) -> Planned:
    """Say what is to be done to each note; nothing is written."""
    seen = walk(call.vault.path)
    notes = [one for path in sorted(seen.notes) if (one := _found(call, path)) is not None]
    target = with_recognised(call, target, (note.data for note in notes))
    own = target.evidence - shared(notes, target)
    target = with_evidence(call, target, own)
    target = target._replace(falling=falling(notes, target, call.vault.root))
    cuts = [
        cut
        for note in notes
        if _is_ours(call, note, target, intent)
        and (cut := cut_of(note, target, own, call.vault.root)) is not None
    ]
    cuts += _notebook(call, target, intent)
    done = {cut.path for cut in cuts}
    cuts += (cut for cut in _also(call, target, intent) if cut.path not in done)
    cuts += _canvases(call, target, intent)
    return Planned(target, tuple(cuts), tuple(seen.leftovers))


def purge_notes(call: Call, planned: Planned) -> NotesPurged:
    """Remove and cut the notes; the caller holds the lock.

    A note that cannot be written, or that changed meanwhile, is named; the others are done.
    """
    removed, cut, failed = list[str](), list[str](), list[tuple[str, str]]()
    for one in planned.cuts:
        try:
            _carry_out(call, one, planned.target)
        except VaultmemError as error:
            failed.append((one.path, str(error)))
            continue
        (removed if one.data is None else cut).append(one.path)
    removed += _leftovers(call, planned)
    return NotesPurged(planned.target, tuple(removed), tuple(cut), tuple(failed))


def _found(call: Call, path: str) -> Found | None:
    """A note of the memory root, or a memory outside of it, with its bytes; else None."""
    row = call.vault.baseline.note(path)
    if not inside(path, call.vault.root) and (row is None or row.kind != Kind.MEMORY):
        return None
    with suppress(NoteError, UnsafePathError):
        data = read_note(call.vault.path, path)
        if not inside(path, call.vault.root):
            return Found(path, Kind.MEMORY, data)
        kind = kind_on_disk(path, data, call.vault.root)
        memory = row is not None and row.kind == Kind.MEMORY
        return Found(path, Kind.MEMORY if memory else kind, data)
    return None  # pragma: no cover - it went away after the walk


def _is_ours(call: Call, note: Found, target: Target, intent: Intent) -> bool:
    """Whether this device may change a note: all where the person gave the command, else its own.

    Two devices that cut one file at the same time would leave a conflict copy.
    """
    row = call.vault.baseline.note(note.path)
    if note.kind is Kind.MEMORY and row is not None:
        if row.id == target.id:
            return intent.everywhere or row.etag == etag_of(note.data)
        # what an agent wrote into another memory is not to be accepted in passing
        return (
            intent.everywhere and row.state == NoteState.LIVE and inside(note.path, call.vault.root)
        )
    named = call.vault.device in note.path or call.vault.device.encode() in note.data
    return intent.everywhere or named or note.kind is Kind.CONFLICT


def _notebook(call: Call, target: Target, intent: Intent) -> list[Cut]:
    """The files of the notebook, which one device writes, without the lines that say it."""
    from vaultmem.services.notebook.purging import notebook_cuts

    writes = call.vault.settings.notebook_device == call.vault.device
    return [Cut(*one) for one in notebook_cuts(call, target)] if intent.everywhere or writes else []


def _canvases(call: Call, target: Target, intent: Intent) -> list[Cut]:
    """The saved canvases that show the memory, without it."""
    found = canvas_cuts(call.vault.path, call.vault.root, target)
    own = (one for one in found if intent.everywhere or call.vault.device in one.path)
    return [Cut(*one) for one in own]


def _also(call: Call, target: Target, intent: Intent) -> list[Cut]:
    """The notes that the person named, without the lines that hold a text and nothing else."""
    cuts = []
    for path in intent.also:
        with suppress(NoteError):
            data = read_note(call.vault.path, path)
            lines = [line.number for line in lines_with(target.words, data) if line.only]
            if lines:
                cuts.append(Cut(path, data, without_lines(data, lines)))
    return cuts


def _carry_out(call: Call, cut: Cut, target: Target) -> None:
    """Write or remove one note, announced in the ledger."""
    if cut.path.endswith(ENDING) and cut.data is not None:
        cut_canvas(call.vault.path, cut.path, cut.old, cut.data)
        return
    baseline = call.vault.baseline
    row = baseline.note(cut.path)
    identifier = row.id if row is not None else ""
    path = cut.path
    if kind_of(path, call.vault.root) is Kind.LEDGER:
        _cut_ledger(call, path, target)
        return
    if cut.data is not None:
        named = inside(path, call.vault.root) and names(target.texts, title_of(path))
        is_patch = row is not None and row.kind == Kind.PATCH
        if not (named and is_patch):
            _write(call, path, cut.data, identifier, etag_of(cut.old))
            return
        fresh = call.vault.free_path(INBOX, identifier, identifier)
        _write(call, fresh, cut.data, identifier, None)
    if is_id(identifier):
        line = entry(call, "removed", identifier, {"by": "person", "via": "forget"})
        call.vault.append(LedgerKind.ACTIVITY, [line])
    with suppress(NoteNotFoundError):
        remove_file(call.vault.path, path, expected=etag_of(cut.old))
    baseline.drop_note(path)


def _cut_ledger(call: Call, path: str, target: Target) -> None:
    """Cut a ledger as it is now; an announcement would stand in it, and so change it."""
    data = read_note(call.vault.path, path)
    replace_file(call.vault.path, path, without_texts(data, target), expected=etag_of(data))


def _write(call: Call, path: str, data: bytes, identifier: str, expected: Etag | None) -> None:
    write_notes(call, [Write(path, data, expected, identifier, "purged", "person", "forget")])


def _leftovers(call: Call, planned: Planned) -> list[str]:
    """Remove what killed writes left of the memory's notes; we hold the lock, so none is alive."""
    target = planned.target

    def holds(name: str, data: bytes) -> bool:
        return is_temporary_of(name, target) or bool(lines_with(target.words, data))

    vault = call.vault.path
    return [path for path in planned.leftovers if remove_leftover(vault, path, holds)]
