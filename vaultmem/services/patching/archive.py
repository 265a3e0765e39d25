"""Takes a memory out of use and moves its note to the archive, without a tombstone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.ledger import LedgerKind
from vaultmem.core.model import Status
from vaultmem.core.naming import base_name, name_key, title_of
from vaultmem.core.place import ARCHIVE, archived, folder_of
from vaultmem.errors import naming
from vaultmem.notes.frontmatter import set_properties
from vaultmem.services.syncing.attribution import use_place_lines
from vaultmem.services.write import Write, entry, record_written, write_notes
from vaultmem.store.etag import etag_of
from vaultmem.store.failures import note_changed
from vaultmem.store.files import move_files, read_note

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultmem.services.call import Call
    from vaultmem.services.lookup import FoundMemory


def archive(call: Call, found: FoundMemory, *, by: str, via: str) -> str:
    """Set the memory's status to `deprecated` and move its note; returns where it lies then.

    The name of the note stays, so that links to it hold. What is archived already stays as it is.

    Raises:
        NoteError, ReadOnlyError, DiskFailedError, BusyError: as `write_notes`.
    """
    (path,) = archive_all(call, [found], by=by, via=via)
    return path


def archive_all(call: Call, every: Sequence[FoundMemory], *, by: str, via: str) -> list[str]:
    """As `archive`, for many at once; where each lies then.

    Raises:
        As `archive`; some may be archived then, and the next time only the others are.
    """
    if len({name_key(title_of(one.row.path)) for one in every}) < len(every):
        # one could take another's place
        return [archive(call, one, by=by, via=via) for one in every]
    versions = {one.row.path: _in_force(call, one) for one in every}
    edits = []
    for one in every:
        path, old = one.row.path, versions[one.row.path]
        if changes := _missing(one):
            with naming(path):
                versions[path] = set_properties(old, changes)
            keys = " ".join(changes)
            data = versions[path]
            edits.append(Write(path, data, etag_of(old), one.row.id, "edited", by, via, keys))
    write_notes(call, edits)
    root = call.vault.root
    moves = {
        one.row.path: _free(call, one.row.id, f"{root}/{ARCHIVE}/{one.row.path.rpartition('/')[2]}")
        for one in every
        if not archived(one.row.path, root)
    }
    moving = [
        (one, versions[one.row.path], moves[one.row.path]) for one in every if one.row.path in moves
    ]
    _move_all(call, moving, by=by, via=via)
    return [moves.get(one.row.path, one.row.path) for one in every]


def take_out(call: Call, found: FoundMemory, home: str, *, by: str, via: str) -> str:
    """Move the note of a memory that is in use again out of the archive; returns where it lies.

    Args:
        call: the circumstances.
        found: the memory; where its note does not lie in the archive, it stays where it is.
        home: where the note lay before, relative to the vault; one beside it if that is taken.
        by: on whose word.
        via: the verb, for the ledger.

    Raises:
        NoteError, ReadOnlyError, DiskFailedError, BusyError: as `write_notes`.
    """
    old = found.row.path
    if not archived(old, call.vault.root):
        return old
    data = _in_force(call, found)
    beside = f"{home.rpartition('/')[0]}/{old.rpartition('/')[2]}"  # the name that links know now
    new = _free(call, found.row.id, home, beside)
    _move_all(call, [(found, data, new)], by=by, via=via)
    return new


def _in_force(call: Call, found: FoundMemory) -> bytes:
    """The note's bytes; what was saved since the last look is no text of ours, nor to be signed."""
    data = read_note(call.vault.path, found.row.path)
    if data != found.data:
        raise note_changed(found.row.path)
    return data


def _missing(found: FoundMemory) -> dict[str, object]:
    """The properties that the note needs in the archive, where no folder says its category."""
    changes: dict[str, object] = {}
    memory = found.decoded.memory
    if memory.status is not Status.DEPRECATED:
        changes["status"] = Status.DEPRECATED.value
    if not any(name.lower() == "category" for name in found.decoded.properties):
        changes["category"] = memory.category.value
    return changes


def _move_all(
    call: Call, moving: Sequence[tuple[FoundMemory, bytes, str]], *, by: str, via: str
) -> None:
    """Give notes, as they are now, their new paths."""
    if not moving:
        return
    lines = []
    for found, _, new in moving:
        values = {"by": by, "via": via, "folder": folder_of(new, call.vault.root)}
        lines.append(entry(call, "moved", found.row.id, values))
    call.vault.append(LedgerKind.ACTIVITY, lines)
    moves = [(found.row.path, new, etag_of(data)) for found, data, new in moving]
    done = move_files(call.vault.path, moves)
    with call.vault.baseline.transaction():
        for found, data, new in moving[: len(done.paths)]:
            call.vault.baseline.drop_note(found.row.path)
            record_written(call, new, data)
            use_place_lines(call, found.row.id)
    if done.error is not None:
        raise done.error


def _free(call: Call, identifier: str, *paths: str) -> str:
    """The first of the paths where nothing lies, else one beside it with another name."""
    for path in paths:
        if not (call.vault.path / path).exists():
            return path
    folder = folder_of(paths[0], call.vault.root)
    return call.vault.free_path(folder, base_name(title_of(paths[0])), identifier)
