"""The memories as a canvas for Obsidian; what a person moved or added there stays."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.canvas import Canvas, Joined, Wanted, merge
from vaultmem.core.category import CATEGORY_FOLDER, IDENTITY_FOLDER
from vaultmem.core.graph import related
from vaultmem.core.model import Layer
from vaultmem.core.place import home_folder
from vaultmem.core.standing import IN_USE
from vaultmem.errors import NoteNotFoundError
from vaultmem.notes.canvas import ENDING, decode_canvas, encode_canvas
from vaultmem.services.exporting.gather import gather
from vaultmem.services.exporting.saved import lasting_path
from vaultmem.store.files import create_file, etag_of, read_note, replace_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from vaultmem.core.holdings import Held
    from vaultmem.services.call import Call

CARDS = 300
"""Memories that one canvas holds; more make it slow and say nothing."""
_GROUPS = (IDENTITY_FOLDER, *CATEGORY_FOLDER.values())


class CanvasExport(NamedTuple):
    """A canvas as it was or would be written.

    Attributes:
        path: where it lies or would lie.
        data: its bytes.
        cards: memories on it.
        lines: lines of ours between them.
        left_out: memories in force that found no place.
        written: whether the file was written now.
        there: whether it lies there; one without cards is not made.
    """

    path: str
    data: bytes
    cards: int
    lines: int
    left_out: int
    written: bool
    there: bool


def export_canvas(call: Call, *, project: str = "", save: bool = False) -> CanvasExport:
    """Lay the memories out on the canvas that is there, or on a new one.

    Args:
        call: the circumstances.
        project: whose memories, "" for all.
        save: write the file.

    Raises:
        AgentRefusedError: if an agent wants to save.
        NoteUnreadableError: if the canvas that is there cannot be read; it stays as it is.
        NoteChangedError, ReadOnlyError, DiskFailedError, BusyError: as `store.files`.
    """
    if save:
        call.person_only("export canvas --save")
    held = gather(call, project=project)
    shown = [one for one in held.memories if one.memory.status in IN_USE]
    shown.sort(key=lambda one: (-one.memory.evidence_count, one.memory.id))
    chosen = sorted(shown[:CARDS], key=lambda one: (_GROUPS.index(_group(one)), one.memory.id))
    joined = list(_joined(chosen))
    path = lasting_path(call, "Canvas", project, ENDING)
    with call.vault.lock():
        old = _read(call, path)
        before = Canvas() if old is None else decode_canvas(old, path=path)
        wanted = [Wanted(one.memory.id, one.path, _group(one)) for one in chosen]
        data = encode_canvas(merge(before, wanted, joined))
        written = save and data != old and bool(chosen or old is not None)
        if written:
            _write(call, path, data, old)
    return CanvasExport(
        path=path,
        data=data,
        cards=len(chosen),
        lines=len(joined),
        left_out=len(shown) - len(chosen),
        written=written,
        there=written or old is not None,
    )


def _group(one: Held) -> str:
    return home_folder(one.memory.category, identity=one.memory.layer is Layer.IDENTITY)


def _joined(chosen: Sequence[Held]) -> Iterator[Joined]:
    names = {one.memory.id for one in chosen}
    for one in chosen:
        for kind in ("supersedes", "derived_from", "informs"):
            others: tuple[str, ...] = getattr(one, kind)
            said = kind.replace("_", " ")
            yield from (Joined(one.memory.id, other, said) for other in others if other in names)
    for edge in related(chosen):
        start, end = (one.partition(":")[2] for one in (edge.start, edge.end))
        yield Joined(start, end, "related to")


def _read(call: Call, path: str) -> bytes | None:
    try:
        return read_note(call.vault.path, path)
    except NoteNotFoundError:
        return None


def _write(call: Call, path: str, data: bytes, old: bytes | None) -> None:
    """Write the file; no note, so neither the ledger nor the baseline knows of it."""
    if old is None:
        create_file(call.vault.path, path, data)
    else:
        replace_file(call.vault.path, path, data, expected=etag_of(old))
