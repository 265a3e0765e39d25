"""What a purge takes out of saved exports, which hold only the beginnings of statements.

Each line of a report that says words of a memory names it as well, by its id or by a link to its
note.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.canvas import without
from vaultmem.core.naming import link_targets, name_key, title_of
from vaultmem.core.occurrence import without_lines
from vaultmem.core.place import REPORTS
from vaultmem.errors import NoteError, UnsafePathError
from vaultmem.notes.canvas import ENDING, decode_canvas, encode_canvas
from vaultmem.store.elsewhere import occurrences
from vaultmem.store.etag import etag_of
from vaultmem.store.files import read_note, replace_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from vaultmem.services.purging.target import Target


class CanvasCut(NamedTuple):
    """A canvas that shows a purged memory, as it is and without its cards."""

    path: str
    old: bytes
    data: bytes


def is_report(rest: str) -> bool:
    """Whether a path below the memory root is that of a saved report."""
    return rest.startswith(f"{REPORTS}/")


def without_names(data: bytes, target: Target) -> bytes:
    """The report without the lines that name the memory, its candidate, or what goes with it."""
    ids = (*target.ids, *target.falling)
    named = (
        number
        for number, line in enumerate(data.decode("utf-8", "replace").split("\n"), 1)
        if any(one in line for one in ids) or _titles(line) & target.titles
    )
    return without_lines(data, named)


def canvas_cuts(vault: Path, root: str, target: Target) -> Iterator[CanvasCut]:
    """The canvases of `System/Reports` that show the memory; one that cannot be read is passed by.

    What a person wrote into a card of their own stays, and is listed as left.
    """
    folder = f"{root}/{REPORTS}"
    for one in occurrences(vault / folder, lambda _: (), lambda name: name.endswith(ENDING)):
        path = f"{folder}/{one.path}"
        with suppress(NoteError, UnsafePathError):
            old = read_note(vault, path)
            canvas = decode_canvas(old, path=path)
            files = frozenset(
                file
                for card in canvas.cards
                if isinstance(file := card.rest.get("file"), str)
                and name_key(title_of(file)) in target.titles
            )
            cut = without(canvas, frozenset(target.ids), files)
            if cut != canvas:
                yield CanvasCut(path, old, encode_canvas(cut))


def cut_canvas(vault: Path, path: str, old: bytes, data: bytes) -> None:
    """Write a canvas without the memory; it is no note, so neither ledger nor baseline know it.

    Raises:
        NoteChangedError, ReadOnlyError, DiskFailedError: as `replace_file`.
    """
    replace_file(vault, path, data, expected=etag_of(old))


def _titles(line: str) -> frozenset[str]:
    return frozenset(name_key(title_of(target)) for target in link_targets([line]))
